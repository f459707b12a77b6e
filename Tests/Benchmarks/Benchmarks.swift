import CSystem
import Glibc
import Storage
import Synchronization

@testable import Catalog

/// Times the ways of the data on their own. Each sample is a line of JSON on standard output; bench.py makes the table.
enum Benchmarks {
    /// Takes a number of rounds and files: all measures of all files are taken once a round, so that a machine that is
    /// busy for a while slows down all of them alike.
    static func run(_ arguments: [String]) -> Int32 {
        guard let rounds = arguments.first.flatMap(Int.init), arguments.count > 1 else {
            print("usage: Benchmarks ROUNDS FILE...")
            return 64
        }
        for round in 0..<rounds {
            for path in arguments.dropFirst() {
                do {
                    let subject = try Subject(path)
                    measure(subject, isWarmUp: round == 0 && rounds > 1)
                } catch {
                    print("\(path): \(error)")
                    return 66
                }
            }
        }
        return 0
    }

    private static func measure(_ subject: Subject, isWarmUp: Bool) {
        func sample(_ name: String, threads: Int = 1, _ body: () -> Sample) {
            let sample = body()
            if !isWarmUp { sample.print(name, threads: threads, of: subject) }
        }
        sample("read") { subject.read() }
        if case .array = subject.shape { sample("positions") { subject.findPositions() } }
        sample("index", threads: 1) { subject.index(threads: 1) }
        sample("index", threads: 2) { subject.index(threads: 2) }
        let head = Head(of: subject)
        sample("validation") { head.validate() }
        sample("decoder") { head.decode() }
        sample("folding") { head.fold() }
    }
}

/// How long something took, and how much of it there was.
struct Sample {
    var bytes: Int
    var records: Int
    var seconds: Double

    init(_ body: () -> (bytes: Int, records: Int)) {
        let start = ContinuousClock.now
        (bytes, records) = body()
        seconds = start.duration(to: .now) / .seconds(1)
    }

    func print(_ name: String, threads: Int, of subject: Subject) {
        Swift.print(
            #"{"measure": "\#(name)", "threads": \#(threads), "file": "\#(subject.name)", "bytes": \#(bytes), "#
                + #""records": \#(records), "seconds": \#(seconds)}"#)
        fflush(nil)
    }
}

/// A catalog.
struct Subject {
    let file: InputFile
    let name: String
    let shape: CatalogShape
    /// Where its array or first line begins.
    let start: Int

    struct NoCatalog: Error {}

    init(_ path: String) throws {
        let file = try InputFile(path)
        self.file = file
        name = path.split(separator: "/").last.map(String.init) ?? path
        var head = [UInt8](repeating: 0, count: 1 << 16)
        let count = try head.withUnsafeMutableBytes { try file.read(into: $0, at: 0) }
        let opening = JSONReader.reading(head[..<count]) { CatalogOpening(of: $0, isWhole: count < head.count) }
        guard case .records(let found, let offset) = opening else { throw NoCatalog() }
        (shape, start) = (found, offset)
    }

    /// Calls `body` with one chunk of the file after another, and where it begins; 64 bytes behind it may be read.
    private func chunks(_ body: (UnsafePointer<UInt8>, Int, Int) -> Void) {
        let size = 256 << 10
        let text = UnsafeMutablePointer<UInt8>.allocate(capacity: size + JSONReader.paddingCount)
        text.initialize(repeating: 0, count: size + JSONReader.paddingCount)
        defer { text.deallocate() }
        let room = UnsafeMutableRawBufferPointer(start: text, count: size)
        var offset = start
        while let count = try? file.read(into: room, at: offset), count > 0 {
            body(text, count, offset)
            offset += count
        }
    }

    /// Reads the file and does nothing with it.
    func read() -> Sample {
        Sample {
            var count = 0
            chunks { _, length, _ in count += length }
            return (count, 0)
        }
    }

    /// Finds where each record begins, without a look at the grammar.
    func findPositions() -> Sample {
        var positions = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: 1 << 20)
        defer { positions.deallocate() }
        return Sample {
            var scan = element_scan()
            var bytes = 0
            var found = 0
            chunks { text, count, offset in
                // The first bracket is that of the array itself.
                let skipped = bytes == 0 ? 1 : 0
                scan.count = 0
                // A record has two brackets at least.
                if found + count / 2 > positions.count { positions = Self.grown(positions, count: found) }
                let room = UnsafeMutableBufferPointer(rebasing: positions[found...])
                element_scan_run(&scan, text + skipped, count - skipped, room.baseAddress, room.count)
                for index in found..<found + scan.count { positions[index] += UInt64(offset + skipped) }
                found += scan.count
                bytes += count
            }
            return (bytes, found)
        }
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
        let scanner = RecordScanner(file, shape: shape, from: start)
        let results = Results()
        return Sample {
            for _ in 0..<threads {
                BackgroundThread.start {
                    var worker = RecordScanner.Worker(for: scanner)
                    var contents: [WindowContent] = []
                    while let content = scanner.scanNext(with: &worker) { contents.append(content) }
                    results.add(contents)
                }
            }
            let contents = results.all(of: threads)
            return (contents.map(\.end).max() ?? 0, contents.reduce(0) { $0 + $1.segment.count })
        }
    }
}

/// What threads found.
private final class Results: Sendable {
    private let state = Mutex((contents: [WindowContent](), threads: 0))

    func add(_ contents: [WindowContent]) {
        state.withLock {
            $0.contents += contents
            $0.threads += 1
        }
    }

    /// Waits for all of them.
    func all(of threads: Int) -> [WindowContent] {
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

    init(of subject: Subject) {
        let limit = 64 << 20
        var text = [UInt8](repeating: 0, count: limit + JSONReader.paddingCount)
        count = text.withUnsafeMutableBytes {
            (try? subject.file.read(into: .init(rebasing: $0.prefix(limit)), at: 0)) ?? 0
        }
        (count..<count + JSONReader.paddingCount).forEach { text[$0] = 0 }
        self.text = text
        reading { reader in
            reader.move(to: subject.start)
            if reader.peek() == UInt8(ascii: "[") { reader.move(to: reader.offset + 1) }
            while starts.count < 100_000, reader.peek() == UInt8(ascii: "{") {
                let start = reader.offset
                guard let book = try? RecordDecoder().decode(at: start, with: reader), (try? reader.skipValue()) != nil
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

    /// Makes a book of each record.
    func decode() -> Sample {
        Sample {
            reading { reader in
                let bytes = starts.reduce(0) { $0 + RecordDecoder().book(at: $1, with: reader).title.utf8.count }
                return (bytes, starts.count)
            }
        }
    }

    /// Folds the titles and authors.
    func fold() -> Sample {
        Sample {
            var folded = ByteBuffer(capacity: 1 << 20)
            for title in titles { folded.append(folding: title) }
            return (titles.reduce(0) { $0 + $1.utf8.count }, starts.count)
        }
    }
}
