import CText
import Glibc
import Storage
import Synchronization

@testable import Books
@testable import Catalog
@testable import Indexing
@testable import JSON
@testable import Text
@testable import Threading

/// Measures the stages of reading a catalog separately. Each sample is a line of JSON on standard output; bench.py
/// prints the table.
enum Benchmarks {
    /// Takes a number of rounds, the names of measures separated by commas, and files. Each round takes every measure
    /// of every file once, so that a machine that is busy for a while slows all of them down alike.
    static func run(_ arguments: [String]) -> Int32 {
        guard let rounds = arguments.first.flatMap(Int.init), arguments.count > 2 else {
            print("usage: Benchmarks ROUNDS MEASURE,... FILE...")
            return 64
        }
        let measures = Set(arguments[1].split(separator: ",").map(String.init))
        for _ in 0..<rounds {
            for path in arguments.dropFirst(2) {
                do {
                    measure(try Subject(path), by: measures)
                } catch {
                    print("\(path): \(error)")
                    return 66
                }
            }
        }
        return 0
    }

    private static func measure(_ subject: Subject, by measures: Set<String>) {
        func sample(_ name: String, _ body: () -> Sample) {
            if measures.contains(name) { body().print(name, of: subject) }
        }
        sample("read") { subject.read() }
        if case .array = subject.shape { sample("positions") { subject.findPositions() } }
        sample("index1") { subject.index(threads: 1) }
        sample("index2") { subject.index(threads: 2) }
        if measures.contains("search") { SearchBenchmark(subject).run() }
        measureSorting(of: subject, by: measures)
        if measures.contains("sections") { FacetBenchmark(subject).group() }
        if measures.contains("facets") { FacetBenchmark(subject).countFacets() }
        if measures.contains("jump") { JumpBenchmark(subject).run() }
        if measures.contains("columns") { ColumnBenchmark(subject).run() }
        if measures.contains("statistics") { FacetBenchmark(subject).countStatistics() }
        if measures.isDisjoint(with: ["validation", "decoder", "folding"]) { return }
        let head = Head(of: subject)
        sample("validation") { head.validate() }
        sample("decoder") { head.decode() }
        sample("folding") { head.fold() }
    }

    private static func measureSorting(of subject: Subject, by measures: Set<String>) {
        if measures.isDisjoint(with: sortings) { return }
        let texts = ParallelStringSort(of: subject)
        func sample(_ name: String, _ body: () -> Sample) {
            if measures.contains(name) { body().print(name, of: subject) }
        }
        for threads in 1...2 {
            sample("titlekeys\(threads)") { texts.makeTitleKeys(threads: threads) }
            sample("titles\(threads)") { texts.sortTitles(threads: threads) }
            sample("authors\(threads)") { texts.sortAuthors(threads: threads) }
            sample("numbers\(threads)") { texts.sortNumbers(threads: threads) }
        }
        sample("reversed") { texts.reverse() }
    }

    private static let sortings: Set<String> = [
        "titlekeys1", "titlekeys2", "titles1", "titles2", "authors1", "authors2", "numbers1", "numbers2", "reversed",
    ]
}

/// The duration of a measure, and the amount of data.
struct Sample {
    var bytes: Int
    var records: Int
    var seconds: Double
    /// The time of all processors, which another program on the machine hardly changes.
    var processorSeconds: Double

    init(_ body: () -> (bytes: Int, records: Int)) {
        let (start, processorStart) = (ContinuousClock.now, Self.processorTime)
        (bytes, records) = body()
        seconds = start.duration(to: .now) / .seconds(1)
        processorSeconds = Self.processorTime - processorStart
    }

    private static var processorTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    func print(_ name: String, of subject: Subject) {
        Swift.print(
            #"{"measure": "\#(name)", "file": "\#(subject.name)", "bytes": \#(bytes), "records": \#(records), "#
                + #""seconds": \#(seconds), "processor": \#(processorSeconds)}"#)
        fflush(nil)
    }
}

/// A catalog to measure.
struct Subject {
    let file: RandomAccessInput
    let name: String
    let shape: CatalogShape
    /// The offset of its array or first line.
    let start: Int
    let layout: CatalogLayout

    struct NoCatalog: Error {}

    init(_ path: String) throws {
        let file = try RandomAccessInput(path)
        self.file = file
        name = path.split(separator: "/").last.map(String.init) ?? path
        var head = [UInt8](repeating: 0, count: 1 << 16)
        let count = try head.withUnsafeMutableBytes { try file.read(into: $0, at: 0) }
        let opening = JSONReader.reading(head[..<count]) { FormatDetector(of: $0, isWhole: count < head.count) }
        guard case .records(let found) = opening, let profile = Profile.builtIn(named: found.profile) else {
            throw NoCatalog()
        }
        (shape, start) = (found.shape, found.offset)
        layout = CatalogLayout(
            shape: found.shape, offset: found.offset, records: found.records, decoder: RecordDecoder(profile.mapping))
    }

    /// Calls `body` with each chunk of the file, followed by 64 zeros, and with its offset.
    private func chunks(from start: Int, _ body: (UnsafePointer<UInt8>, Int, Int) -> Void) {
        let size = 256 << 10
        let room = UnsafeMutableRawBufferPointer.allocate(
            byteCount: size + JSONReader.paddingCount, alignment: 4096)
        defer { room.deallocate() }
        guard let text = room.bindMemory(to: UInt8.self).baseAddress else { return }
        var offset = start
        while let count = try? file.read(into: .init(rebasing: room.prefix(size)), at: offset), count > 0 {
            (text + count).update(repeating: 0, count: JSONReader.paddingCount)
            body(text, count, offset)
            offset += count
        }
    }

    /// Reads the file without processing it.
    func read() -> Sample {
        Sample {
            var count = 0
            chunks(from: 0) { _, length, _ in count += length }
            return (count, 0)
        }
    }

    /// Finds the start of each record without checking the grammar.
    func findPositions() -> Sample {
        var positions = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: 1 << 21)
        defer { positions.deallocate() }
        return Sample {
            var scan = element_scan()
            var bytes = 0
            var found = 0
            // The text starts after the bracket of the array.
            chunks(from: start + 1) { text, count, offset in
                scan.count = 0
                // A record has at least two brackets.
                if found + count / 2 > positions.count { positions = Self.grown(positions, count: found) }
                let room = UnsafeMutableBufferPointer(rebasing: positions[found...])
                element_scan_run(&scan, text, count, room.baseAddress, room.count)
                for index in found..<found + scan.count { positions[index] += UInt64(offset) }
                found += scan.count
                bytes += count
            }
            return (bytes, found)
        }
    }

    /// Returns the index of its books.
    func segments() -> [IndexSegment] {
        let scanner = ChunkScheduler(file, layout)
        var worker = ChunkScheduler.Worker(for: scanner)
        var segments: [IndexSegment] = []
        while let content = scanner.scanNext(with: &worker) { segments += content.segments }
        return segments
    }

    private static func grown(
        _ positions: UnsafeMutableBufferPointer<UInt64>, count: Int
    ) -> UnsafeMutableBufferPointer<UInt64> {
        let larger = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: 2 * positions.count)
        _ = larger.update(fromContentsOf: positions[..<count])
        positions.deallocate()
        return larger
    }

    /// Finds, checks and indexes all records, as the browser does.
    func index(threads: Int) -> Sample {
        let scanner = ChunkScheduler(file, layout)
        let results = Results()
        return Sample {
            for _ in 0..<threads {
                BackgroundThread.start {
                    var worker = ChunkScheduler.Worker(for: scanner)
                    var contents: [ChunkContent] = []
                    while let content = scanner.scanNext(with: &worker) { contents.append(content) }
                    results.add(contents)
                }
            }
            let contents = results.all(of: threads)
            return (contents.map(\.end).max() ?? 0, contents.flatMap(\.segments).reduce(0) { $0 + $1.count })
        }
    }
}

/// Collects the results of threads.
private final class Results: Sendable {
    private let state = Mutex((contents: [ChunkContent](), threads: 0))

    func add(_ contents: [ChunkContent]) {
        state.withLock {
            $0.contents += contents
            $0.threads += 1
        }
    }

    /// Waits for the results of all threads and returns them.
    func all(of threads: Int) -> [ChunkContent] {
        while true {
            if let contents = state.withLock({ $0.threads == threads ? $0.contents : nil }) { return contents }
            usleep(200)
        }
    }
}

/// The first records of a catalog, in memory.
struct Head {
    private let text: [UInt8]
    private let count: Int
    private var starts: [Int] = []
    private var titles: [String] = []
    private let decoder: RecordDecoder

    init(of subject: Subject) {
        let limit = 64 << 20
        var text = [UInt8](repeating: 0, count: limit + JSONReader.paddingCount)
        count = text.withUnsafeMutableBytes {
            (try? subject.file.read(into: .init(rebasing: $0.prefix(limit)), at: 0)) ?? 0
        }
        decoder = subject.layout.decoder
        (count..<count + JSONReader.paddingCount).forEach { text[$0] = 0 }
        self.text = text
        reading { reader in
            reader.move(to: subject.start)
            if reader.peek() == UInt8(ascii: "[") { reader.move(to: reader.offset + 1) }
            while starts.count < 100_000, reader.peek() == UInt8(ascii: "{") {
                let start = reader.offset
                guard let book = try? subject.layout.decoder.decode(at: start, with: reader),
                    (try? reader.skipValue()) != nil
                else { return }
                starts.append(start)
                titles += [book.title] + book.authors
                if reader.peek() == UInt8(ascii: ",") { reader.move(to: reader.offset + 1) }
            }
        }
    }

    private func reading<Result>(_ body: (inout JSONReader) -> Result) -> Result {
        text.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { preconditionFailure("an array with padding has an address") }
            var reader = JSONReader(base, count: count)
            return body(&reader)
        }
    }

    /// Checks the records against RFC 8259.
    func validate() -> Sample {
        Sample {
            reading { reader in
                var bytes = 0
                for start in starts {
                    reader.move(to: start)
                    try? reader.skipValue(depth: 1)
                    bytes += reader.offset - start
                }
                return (bytes, starts.count)
            }
        }
    }

    /// Decodes a book from each record.
    func decode() -> Sample {
        Sample {
            reading { reader in
                let bytes = starts.reduce(0) {
                    $0 + ((try? decoder.decode(at: $1, with: reader).title.utf8.count) ?? 0)
                }
                return (bytes, starts.count)
            }
        }
    }

    /// Normalizes the titles and authors.
    func fold() -> Sample {
        Sample {
            var folded = ByteBuffer(capacity: 1 << 20)
            for title in titles { folded.append(folding: title) }
            return (titles.reduce(0) { $0 + $1.utf8.count }, starts.count)
        }
    }
}
