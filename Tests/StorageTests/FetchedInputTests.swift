import Foundation
import Glibc
import Testing

@testable import Storage

/// Reading a file on a thread that does not wait for a disk.
@Suite("Files: fetched input") struct FetchedInputTests {
    private let directory = TemporaryDirectory()
    private let text = String((0..<40_000).map { "\($0 % 9973) " }.joined().prefix(150_000))

    /// A file of which nothing is in memory, if the file system allows that.
    private func makeFile() throws -> RandomAccessInput {
        directory.put(text, at: "file")
        let descriptor = open(directory("file"), O_RDONLY)
        defer { close(descriptor) }
        #expect(fsync(descriptor) == 0 && posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED) == 0)
        return try RandomAccessInput(directory("file"))
    }

    private func fetch(_ range: Range<Int>, from input: FetchedInput) -> String? {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: range.count, alignment: 1)
        defer { buffer.deallocate() }
        return input.fetch(into: buffer, at: range.lowerBound).map {
            String(decoding: buffer.prefix($0), as: UTF8.self)
        }
    }

    private func part(_ range: Range<Int>) -> String {
        String(decoding: Array(text.utf8).dropFirst(range.lowerBound).prefix(range.count), as: UTF8.self)
    }

    private static let ranges = [
        0..<10, 16_380..<16_390, 100_000..<140_000, 149_990..<150_100, 149_999..<150_000, 200_000..<200_010,
        3..<149_997,
    ]

    @Test(arguments: ranges) func whoWaitsGetsTheBytes(range: Range<Int>) throws {
        let input = FetchedInput(try makeFile(), patience: 10_000) {}
        #expect(fetch(range, from: input) == part(range))
        #expect(!input.isFetching)
    }

    @Test(arguments: ranges) func bytesArriveLater(range: Range<Int>) throws {
        let arrivals = DispatchSemaphore(value: 0)
        let input = FetchedInput(try makeFile(), patience: 0) { arrivals.signal() }
        while true {
            if let bytes = fetch(range, from: input) {
                #expect(bytes == part(range))
                break
            }
            try #require(arrivals.wait(timeout: .now() + 10) == .success)
        }
    }

    @Test func bytesInMemoryNeedNoThread() throws {
        directory.put(text, at: "file")
        let file = try RandomAccessInput(directory("file"))
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 100, alignment: 1)
        defer { buffer.deallocate() }
        // Some file systems cannot tell.
        let count = file.readAtHand(into: buffer, at: 149_950)
        #expect(count == nil || count == 50)
    }

    // MARK: - Blocks

    private func copy(_ range: Range<Int>, from blocks: FetchedBlocks) -> [UInt8]? {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: range.count, alignment: 1)
        defer { buffer.deallocate() }
        return blocks.copy(to: buffer, from: range.lowerBound).map { Array(buffer.prefix($0)) }
    }

    /// Blocks, whose changes can be expected.
    private final class Blocks {
        var blocks = FetchedBlocks()
        func want(_ range: Range<Int>) -> Bool { blocks.want(range) }
        func nextWanted() -> Range<Int>? { blocks.nextWanted() }
        func rest(of patience: Int) -> Int { blocks.rest(of: patience) }
        func take(_ bytes: [UInt8], at range: Range<Int>) { blocks.take(bytes, at: range) }
    }

    @Test func whatIsWantedLastIsReadFirst() {
        let blocks = Blocks()
        #expect(blocks.want(0..<10))
        #expect(!blocks.want(50_000..<50_010))
        #expect(!blocks.want(16_000..<17_000))
        #expect(blocks.blocks.isReading)
        #expect(blocks.nextWanted() == 0..<32_768)
        blocks.take([UInt8](repeating: 1, count: 32_768), at: 0..<32_768)
        #expect(copy(16_383..<16_385, from: blocks.blocks) == [1, 1])
        #expect(copy(32_767..<32_769, from: blocks.blocks) == nil)
        #expect(!blocks.blocks.has(32_767..<32_769) && blocks.blocks.has(0..<32_768))
        #expect(blocks.nextWanted() == 49_152..<65_536)
        // The file ends there.
        blocks.take([2, 3], at: 49_152..<65_536)
        #expect(copy(49_153..<49_160, from: blocks.blocks) == [3])
        #expect(copy(60_000..<60_010, from: blocks.blocks) == [])
        // The first range was read with the last one.
        #expect(blocks.nextWanted() == nil)
        #expect(!blocks.blocks.isReading)
        #expect(blocks.want(900_000..<900_001))
    }

    @Test func theOldestBlocksAndRequestsAreForgotten() {
        let blocks = Blocks()
        for number in 0..<300 {
            _ = blocks.want(number * 16_384..<number * 16_384 + 1)
            let range = number * 16_384..<(number + 1) * 16_384
            #expect(blocks.nextWanted() == range)
            blocks.take([UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 16_384), at: range)
        }
        #expect(copy(0..<1, from: blocks.blocks) == nil)
        #expect(copy(43 * 16_384..<43 * 16_384 + 1, from: blocks.blocks) == nil)
        #expect(copy(44 * 16_384..<44 * 16_384 + 1, from: blocks.blocks) == [44])
        for number in 400..<500 { _ = blocks.want(number * 16_384..<number * 16_384 + 1) }
        var count = 0
        while blocks.nextWanted() != nil { count += 1 }
        #expect(count == 64)
    }

    @Test func aRecordThatIsLongerThanAllBlocksIsReadAtOnce() {
        let blocks = Blocks()
        let length = 300 * 16_384
        _ = blocks.want(0..<length)
        #expect(blocks.nextWanted() == 0..<length)
        blocks.take([UInt8](repeating: 7, count: length), at: 0..<length)
        #expect(copy(0..<length, from: blocks.blocks)?.count == length)
    }

    @Test func oneMomentIsWaitedForOnce() {
        let blocks = Blocks()
        #expect(blocks.rest(of: 50) > 40)
        usleep(60_000)
        #expect(blocks.rest(of: 50) == 0)
        usleep(300_000)
        #expect(blocks.rest(of: 50) > 40)
    }
}
