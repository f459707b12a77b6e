import ConnectorProtocol
import ConnectorTesting
import Foundation
import TestSupport
import Testing

@testable import Connectors

/// Returns the output of a program for this input.
private func output(of program: String, _ arguments: [String], _ input: [UInt8]) throws -> [UInt8] {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [program] + arguments
    let (from, to) = (Pipe(), Pipe())
    process.standardInput = to
    process.standardOutput = from
    try process.run()
    let writing = Thread { [handle = to.fileHandleForWriting] in
        try? handle.write(contentsOf: Data(input))
        try? handle.close()
    }
    writing.start()
    let data = from.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return Array(data)
}

private let python = "import sys,gzip;sys.stdout.buffer.write(gzip.compress(sys.stdin.buffer.read(),9))"

@Suite("Connectors: compressed files") struct CompressionTests {
    private static let table = Array(("a,b\n" + (1...3000).map { "\($0),book \($0 * 7919 % 10_007)\n" }.joined()).utf8)

    private func gzip(_ bytes: [UInt8]) throws -> [UInt8] { try output(of: "python3", ["-c", python], bytes) }

    @Test func aCompressedFileHasTheSameRows() throws {
        let plain = try Mirrored(Self.table, name: "books.csv")
        let packed = try Mirrored(try gzip(Self.table), name: "books.csv.gz")
        #expect(packed.lines == plain.lines && packed.copy.isComplete && packed.copy.rows == 3000)
        #expect(packed.opened.kind == "csv" && packed.opened.facts["compression"] == "gzip")
        // Several consecutive members are one file.
        let half = Self.table.count / 2
        let both = try gzip(Array(Self.table[..<half])) + gzip(Array(Self.table[half...]))
        #expect(try Mirrored(both, name: "books.csv.gz").lines == plain.lines)
        let json = try Mirrored(try gzip(Array("{\"title\":\"A\"}\n{\"title\":\"B\"}\n".utf8)), name: "x.gz")
        #expect(json.lines == [#"{"title":"A"}"#, #"{"title":"B"}"#] && json.opened.kind == "json")
    }

    /// Compression does not change the rows of any kind of source.
    @Test(arguments: Sample.all.filter { !$0.name.hasSuffix(".zst") })
    func eachKindHasTheSameRowsIfCompressed(sample: Sample) throws {
        let plain = try Mirrored(sample.bytes, name: sample.name)
        let zstd =
            zstdStart + zstdBlock(isLast: true, type: 0, size: sample.bytes.count) + sample.bytes
        for (packed, ending) in [(try gzip(sample.bytes), ".gz"), (zstd, ".zst")] {
            let copy = try Mirrored(packed, name: sample.name + ending)
            #expect(copy.opened.kind == sample.kind && copy.lines == plain.lines && copy.copy.isComplete)
            let cut = try? Mirrored(packed.dropLast(), name: sample.name + ending)
            #expect(cut?.copy.isComplete != true, "\(ending)")
        }
    }

    /// A database cannot be read as a stream; it is copied, and the copy is deleted.
    @Test func aCompressedDatabaseIsRead() throws {
        let rows = (1...500).map { "('Book \($0)')" }.joined(separator: ",")
        let database = try TemporaryDatabase("CREATE TABLE books (title TEXT); INSERT INTO books VALUES \(rows)")
        let packed = try gzip(Array(Data(contentsOf: URL(filePath: database.path))))
        let copy = try Mirrored(packed, name: "books.db.gz")
        #expect(copy.opened.kind == "sqlite" && copy.copy.rows == 500 && copy.copy.isComplete)
        let cut = try? Mirrored(packed.prefix(packed.count - 4), name: "books.db.gz")
        #expect(cut?.copy.isComplete != true)
    }

    @Test func aFileWithoutItsTrailerIsIncomplete() throws {
        let whole = try gzip(Self.table)
        for length in stride(from: whole.count / 2, to: whole.count, by: max(1, whole.count / 40)) + [whole.count - 1] {
            let copy = try Mirrored(whole.prefix(length), name: "books.csv.gz")
            #expect(!copy.copy.isComplete && copy.copy.defects.contains { $0.kind == .cut }, "\(length)")
        }
        var wrong = whole
        wrong[whole.count - 6] ^= 1
        #expect(try !Mirrored(wrong, name: "books.csv.gz").copy.isComplete)
    }

    @Test(.thorough) func excessiveExpansionIsRejected() throws {
        // A file may have several members.
        let blank = try gzip([UInt8](repeating: UInt8(ascii: "\n"), count: 64 << 20))
        let bomb = try gzip(Array("a,b\n".utf8)) + Array(repeating: blank, count: 5).flatMap(\.self)
        #expect(bomb.count < 1 << 20)
        #expect { try Mirrored(bomb, name: "books.csv.gz") } throws: {
            ($0 as? ConnectorFailure)?.kind == .refused && ($0 as? ConnectorFailure)?.reason == .tooLarge
        }
    }
}
