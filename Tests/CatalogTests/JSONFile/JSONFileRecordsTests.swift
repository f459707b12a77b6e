import CatalogTesting
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Books
@testable import Catalog
@testable import Indexing
@testable import JSON

/// Catalogs that are read piece by piece: from files and pipes, on this thread and in the background.
@Suite("JSON file: records") struct JSONFileRecordsTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func record(_ number: Int) -> String { #"{"title": "Book \#(number)", "authors": ["A"]}"# }

    private func array(_ count: Int) -> String { "[" + (0..<count).map(record).joined(separator: ",\n") + "]\n" }

    private func load(_ text: String) throws -> JSONFileRecords {
        try JSONFileLoader(path: directory.write(text.utf8, to: "books.json")).load()
    }

    private func titles(_ records: JSONFileRecords) -> [String?] {
        (0..<records.count).map { records.book(BookID($0)).value?.title }
    }

    /// Loads the rest in the background.
    private func loadInBackground(_ records: JSONFileRecords) throws {
        let notices = DispatchSemaphore(value: 0)
        records.startLoading { notices.signal() }
        while records.state.isLoading {
            // Long enough for sanitizers on a busy machine.
            try #require(notices.wait(timeout: .now() + 120) == .success, "nobody said that there is more")
            _ = records.receive()
        }
    }

    @Test func theFirstScreenReadsOnlyItsBooks() throws {
        let records = try load(array(20_000))
        #expect((100..<10_000).contains(records.count))
        guard case .loading(let fraction?) = records.state else {
            Issue.record("all is loaded")
            return
        }
        #expect(fraction > 0 && fraction < 0.5)
        #expect(records.book(BookID(records.count - 1)).value?.title == "Book \(records.count - 1)")
    }

    @Test func theRestIsLoadedOnThisThread() throws {
        let records = try load(array(20_000))
        var last = 0.0
        while case .loading(let fraction) = records.state {
            #expect(fraction.map { $0 >= last } == true)
            last = fraction ?? 0
            records.loadMore()
        }
        #expect(titles(records) == (0..<20_000).map { "Book \($0)" })
        #expect(records.defects.isEmpty)
        #expect(!records.receive())
    }

    @Test func theRestIsLoadedInTheBackground() throws {
        // More than one chunk.
        let count = 120_000
        let records = try load(array(count))
        let first = records.count
        try loadInBackground(records)
        #expect(records.count == count)
        #expect(records.defects.isEmpty)
        for index in [0, first - 1, first, count / 2, count - 1] {
            #expect(records.book(BookID(index)).value?.title == "Book \(index)")
        }
        let other = try load(array(count))
        while other.state.isLoading { other.loadMore() }
        #expect(other.count == count)
        for index in stride(from: 0, to: count, by: 997) {
            #expect(records.index.offset(at: index) == other.index.offset(at: index))
            #expect(records.index.keys(at: index) == other.index.keys(at: index))
        }
    }

    @Test func nothingIsReceivedBeforeItIsRequested() throws {
        let records = try load(array(20_000))
        let count = records.count
        let notice = DispatchSemaphore(value: 0)
        records.startLoading { notice.signal() }
        #expect(notice.wait(timeout: .now() + 20) == .success)
        #expect(records.count == count)
        #expect(records.receive())
        #expect(records.count > count)
    }

    @Test func closingEarlyDoesNotWait() throws {
        for _ in 0..<20 {
            let records = try load(array(20_000))
            records.startLoading {}
        }
    }

    // MARK: Faults

    @Test func anErrorFoundInTheBackgroundHasItsPosition() throws {
        let records = try load(array(20_000).dropLast(2) + ",\n oops]")
        try loadInBackground(records)
        #expect(records.count == 20_000)
        #expect(records.defects.syntaxError?.reason == .unexpectedCharacter)
        #expect(records.defects.syntaxError?.position.line == 20_001)
        #expect(records.defects.syntaxError?.position.column == 2)
    }

    /// A result computed when only the beginning was known must be updated.
    @Test(arguments: [false, true])
    func laterProblemsAreAddedToEarlierOnes(isInBackground: Bool) throws {
        for (start, omissionCount) in [("[7,\n", 1), ("[\n", 0)] {
            let text = start + array(20_000).dropFirst().dropLast(2) + ",\n8, oops]"
            let records = try load(text)
            #expect(records.defects.omissionCount == omissionCount)
            #expect(records.defects.omissions.first?.position.byteOffset == (omissionCount == 1 ? 1 : nil))
            #expect(records.defects.syntaxError == nil)
            if isInBackground {
                try loadInBackground(records)
            } else {
                while records.state.isLoading { records.loadMore() }
            }
            let defects = records.defects
            #expect(defects.omissionCount == omissionCount + 1)
            #expect(defects.omissions.first?.position.line == (omissionCount == 1 ? 1 : 20_002))
            #expect(
                defects.syntaxError?.position == TextPosition(line: 20_002, column: 4, byteOffset: text.utf8.count - 5))
        }
    }

    // MARK: Records

    @Test func aRecordOfAnyLengthIsDecoded() throws {
        for length in [60_000, 65_000, 66_000, 600_000, 5_000_000] {
            let long = #"{"more": "\#(String(repeating: ".", count: length))", "title": "Long"}"#
            let records = try load("[\(record(0)), \(long),   \(long), \(record(3))  ]")
            while records.state.isLoading { records.loadMore() }
            #expect(titles(records) == ["Book 0", "Long", "Long", "Book 3"])
        }
    }

    @Test func aRecordBeforeALongOtherValueIsDecoded() throws {
        let others = String(repeating: "null, ", count: 50_000)
        let records = try load("[\(record(0)), \(others) \(record(1)), \(others) 7]")
        while records.state.isLoading { records.loadMore() }
        #expect(titles(records) == ["Book 0", "Book 1"])
    }

    @Test func aBookWhoseRecordWasReplacedIsGone() throws {
        let records = try load(array(1000))
        while records.state.isLoading { records.loadMore() }
        let path = directory.path + "/books.json"
        let file = try FileHandle(forUpdating: URL(filePath: path))
        let offset = records.index.offset(at: 500)
        try file.seek(toOffset: UInt64(offset))
        try file.write(contentsOf: Data(#"{"title": "Kook"#.utf8))
        #expect(records.book(BookID(500)).value == nil)
        #expect(records.book(BookID(499)).value?.title == "Book 499")
        #expect(records.isOutdated)
        try file.truncate(atOffset: UInt64(offset))
        #expect(records.book(BookID(999)).value == nil)
        #expect(records.book(BookID(500)).value == nil)
        #expect(records.book(BookID(0)).value?.title == "Book 0")
        try file.truncate(atOffset: 0)
        #expect(titles(records).allSatisfy { $0 == nil })
    }

    @Test func aFileThatIsTruncatedWhileItIsReadEndsThere() throws {
        let records = try load(array(120_000))
        #expect(truncate(directory.path + "/books.json", 100_000) == 0)
        try loadInBackground(records)
        #expect(records.count < 120_000)
        #expect(records.defects.syntaxError?.reason == .unexpectedEnd)
        #expect(titles(records).prefix(1000).allSatisfy { $0 != nil })
    }

    @Test func aReplacedFileIsReadInItsOldState() throws {
        let records = try load(array(5000))
        let other = try directory.write("[]".utf8, to: "other.json")
        #expect(rename(other, directory.path + "/books.json") == 0)
        while records.state.isLoading { records.loadMore() }
        #expect(records.count == 5000)
        #expect(records.book(BookID(4999)).value?.title == "Book 4999")
        #expect(records.isOutdated)
    }

    // MARK: Pipes

    /// A pipe into which another thread writes `text`, in pieces of these lengths in turn.
    private func pipe(_ text: String, pieces: [Int], pause: useconds_t = 0) throws -> JSONFileLoader {
        let path = directory.path + "/pipe"
        unlink(path)
        try #require(mkfifo(path, 0o600) == 0)
        Thread.detachNewThread {
            // The reader may close the pipe first.
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, SIGPIPE)
            pthread_sigmask(SIG_BLOCK, &signals, nil)
            usleep(pause)
            let writing = open(path, O_WRONLY)
            var rest = Array(text.utf8)[...]
            var turn = 0
            while !rest.isEmpty {
                let piece = Array(rest.prefix(pieces[turn % pieces.count]))
                guard write(writing, piece, piece.count) == piece.count else { break }
                rest = rest.dropFirst(piece.count)
                turn += 1
                usleep(pause)
            }
            close(writing)
        }
        return JSONFileLoader(path: path)
    }

    @Test(arguments: [[7, 100, 1], [4096], [100_000]])
    func aPipeIsReadAsDataArrives(pieces: [Int]) throws {
        let source = try pipe(array(2000), pieces: pieces)
        #expect(!JSONFileCatalog(path: source.path).canReload)
        let records = try source.load()
        #expect(records.count >= 100)
        if records.state.isLoading { #expect(records.state == .loading(fraction: nil)) }
        try loadInBackground(records)
        #expect(titles(records) == (0..<2000).map { "Book \($0)" })
        #expect(records.defects.isEmpty)
        #expect(!records.isOutdated)
    }

    @Test func aSlowPipeIsWaitedFor() throws {
        let records = try pipe(array(3), pieces: [50], pause: 20_000).load()
        while records.state.isLoading { records.loadMore() }
        #expect(titles(records) == ["Book 0", "Book 1", "Book 2"])
    }

    @Test(arguments: [1, 10, 100_000])
    func everyShapeComesThroughAPipe(piece: Int) throws {
        for text in [
            (0..<3).map(record).joined(separator: "\n"), #"{"a": {"books": \#(array(3))}, "b": [1]}"#,
            #"{"a": \#(record(0)), "b": \#(record(1)), "c": \#(record(2))}"#, "\u{FEFF} " + array(3),
        ] {
            let records = try pipe(text, pieces: [piece]).load()
            while records.state.isLoading { records.loadMore() }
            #expect(titles(records) == ["Book 0", "Book 1", "Book 2"])
            #expect(records.defects.isEmpty)
        }
    }

    @Test func aPipeMayBeEmptyOrEndEarly() throws {
        let empty = try pipe("", pieces: [1])
        #expect(throws: CatalogError.empty(path: empty.path)) { try empty.load() }
        let records = try pipe(String(array(500).dropLast(30)), pieces: [1000]).load()
        try loadInBackground(records)
        #expect(records.count == 499)
        #expect(records.defects.syntaxError?.reason == .unexpectedEnd)
    }
}
