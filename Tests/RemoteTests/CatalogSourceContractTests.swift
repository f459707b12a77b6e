import CatalogTesting
import Glibc
import TestSupport
import Testing

@testable import Books
@testable import Catalog
@testable import Editing
@testable import Indexing
@testable import JSON
@testable import Remote
@testable import Search

/// The requirements for every source, on which the list and the detail pane rely.
@Suite("Sources: requirements for every source")
struct CatalogSourceContractTests {
    /// The kinds of sources.
    enum Kind: CaseIterable {
        case jsonFile, jsonLines, inMemory, reloaded, paged, pagedWithoutCount, pagedThatFails, server, slowServer

        /// `make check` starts no server.
        static let tested = allCases.filter { !isQuickRun || ![.server, .slowServer].contains($0) }
    }

    private let directory: TemporaryDirectory
    private let server: PagedServer
    private static let books = (0..<250).map { number in
        Book(title: "Book \(number)", authors: ["Author \(number % 7)"], pageCount: 100 + number)
    }

    init() throws {
        directory = try TemporaryDirectory()
        server = try PagedServer()
    }

    private func source(_ kind: Kind) throws -> any CatalogSource {
        let books = Self.books
        let records = books.map {
            #"{"title": "\#($0.title)", "authors": ["\#($0.authors[0])"], "pageCount": \#($0.pageCount ?? 0)}"#
        }
        switch kind {
        case .jsonFile:
            let path = try directory.write("[\(records.joined(separator: ",\n"))]".utf8, to: "books.json")
            return JSONFileCatalog(path: path)
        case .jsonLines:
            let path = try directory.write(records.joined(separator: "\n").utf8, to: "books.jsonl")
            return JSONFileCatalog(path: path)
        case .inMemory: return InMemoryCatalog(name: "books.json", books: books)
        case .reloaded: return ReloadedSource(name: "books.json") { books }
        case .paged: return PagedSource(books, pageSize: 16)
        case .pagedWithoutCount:
            let source = PagedSource(books, pageSize: 16)
            source.counting = .nothing
            return source
        case .pagedThatFails:
            let source = PagedSource(books, pageSize: 16)
            source.failures = [3: "the server does not answer"]
            return source
        case .server: return server.open("rows=250&plain=1")
        case .slowServer: return server.open("rows=250&plain=1&delay=30&unsteady=1&count=none")
        }
    }

    /// Returns the opened and started source.
    private func opened(_ kind: Kind) throws -> any CatalogSource {
        let source = try source(kind)
        try source.open()
        source.start {}
        return source
    }

    /// Requests rows and receives until nothing more arrives.
    private func settle(_ source: any CatalogSource, _ rows: (any RowSource)? = nil) {
        let rows = rows ?? source.all
        var quiet = 0
        while quiet < 20 {
            for row in 0..<rows.rowCount.displayed { _ = rows.id(atRow: row) }
            if (source as? PagedCatalog)?.waitForReply(milliseconds: 20) ?? source.receive() {
                quiet = 0
            } else {
                quiet += 1
            }
            if source.state.isLoading {
                quiet = 0
                sleepShortly()
            }
        }
    }

    @Test(arguments: Kind.tested)
    func theSourceSaysWhatItCanDo(kind: Kind) throws {
        let source = try source(kind)
        expectAbilities(of: source)
        if let file = source as? JSONFileCatalog { expectAbilities(of: EditedCatalog(file, journalPath: nil)) }
    }

    private func expectAbilities(of source: any CatalogSource) {
        #expect((source.locallyIndexed != nil) == (source is any LocallyIndexed))
        #expect((source.remotelyQueried != nil) == (source is any RemotelyQueried))
        #expect((source.passwordProtected != nil) == (source is any PasswordProtected))
        #expect((source.reloadable != nil) == (source is any Reloadable))
        #expect((source.recordBacked != nil) == (source is any RecordBacked))
        #expect((source.concurrentlyReadable != nil) == (source is any ConcurrentlyReadable))
    }

    @Test(arguments: Kind.tested)
    func itHasANameBeforeItIsOpened(kind: Kind) throws {
        #expect(try !source(kind).name.isEmpty)
    }

    @Test(arguments: Kind.tested)
    func openingItAgainChangesNothing(kind: Kind) throws {
        let source = try opened(kind)
        settle(source)
        let (count, first) = (source.count, source.all.id(atRow: 0))
        try source.open()
        #expect(source.count == count)
        #expect(source.all.id(atRow: 0) == first)
    }

    @Test(arguments: Kind.tested)
    func everyRowIsLoadedOrHasAReasonOnceAllArrived(kind: Kind) throws {
        let source = try opened(kind)
        settle(source)
        #expect(source.all.rowCount.displayed == 250)
        #expect(!source.state.isLoading)
        for row in 0..<250 {
            switch source.all.id(atRow: row) {
            case .ready(let id):
                #expect(source.summary(of: id).value?.title == "Book \(row)")
                #expect(source.all.row(of: id) == row)
            case .failed(let reason): #expect(kind == .pagedThatFails && reason == "the server does not answer")
            case .pending, .gone: Issue.record("row \(row) of \(kind) is neither there nor does it say why")
            }
        }
    }

    @Test(arguments: Kind.tested)
    func eachRowIsADifferentBook(kind: Kind) throws {
        let source = try opened(kind)
        settle(source)
        let ids = (0..<source.all.rowCount.displayed).compactMap { source.all.id(atRow: $0).value }
        #expect(Set(ids).count == ids.count)
    }

    @Test(arguments: Kind.tested)
    func aBookKeepsItsIDWhileMoreArrive(kind: Kind) throws {
        let source = try opened(kind)
        _ = source.all.id(atRow: 0)
        while source.all.id(atRow: 0).value == nil,
            (source as? PagedCatalog)?.waitForReply(milliseconds: 1000) ?? source.receive()
        {}
        let early = source.all.id(atRow: 0)
        settle(source)
        #expect(source.all.id(atRow: 0) == early)
        #expect(early.value != nil)
    }

    @Test(arguments: Kind.tested)
    func savedEditsAppearAfterReloading(kind: Kind) throws {
        let source = try opened(kind)
        settle(source)
        guard let file = source as? JSONFileCatalog, let id = source.all.id(atRow: 40).value else { return }
        var book = try #require(source.book(id).value)
        book.title = "Another"
        let editor = try FileEditor(file.path)
        try editor.set([.title], of: id, to: book)
        // Nothing changes before the edit is saved.
        #expect(source.book(id).value?.title == "Book 40")
        #expect(try editor.save())
        #expect(file.isOutdated)
        try file.reload()
        source.start(waking: {})
        settle(source)
        let changed = try #require(source.all.id(atRow: 40).value)
        #expect(source.book(changed).value == book)
        #expect(source.all.rowCount.displayed == 250)
    }

    @Test(arguments: Kind.tested)
    func aBookAgreesWithItsSummary(kind: Kind) throws {
        let source = try opened(kind)
        settle(source)
        for row in [0, 15, 16, 249] {
            let id = try #require(source.all.id(atRow: row).value)
            _ = source.book(id)
            _ = source.receive()
            let book = try #require(source.book(id).value)
            let summary = try #require(source.summary(of: id).value)
            #expect(BookSummary(of: book) == summary)
            var plain = book
            // Books of a server have its ids.
            if source is PagedCatalog { plain.sourceID = nil }
            #expect(plain == Self.books[row])
        }
    }

    @Test(arguments: Kind.tested)
    func receivingEndsWithoutRequests(kind: Kind) throws {
        let source = try opened(kind)
        settle(source)
        for _ in 0..<5 { #expect(!source.receive()) }
    }

    @Test(arguments: Kind.tested)
    func anInvalidIdIsGone(kind: Kind) throws {
        let source = try opened(kind)
        settle(source)
        #expect(source.book(BookID(100_000)) == .gone)
        #expect(source.summary(of: BookID(100_000)) == .gone)
    }

    @Test(arguments: Kind.tested)
    func theIndexOfALocalSourceContainsItsBooks(kind: Kind) throws {
        let source = try opened(kind)
        settle(source)
        guard let local = source as? any LocallyIndexed else {
            #expect(source is any RemotelyQueried, "a source is searched here or there")
            return
        }
        #expect(local.index.count == 250)
        let id = try #require(source.all.id(atRow: 249).value)
        #expect(local.index.keys(of: id) == MatchKeys(of: Self.books[249]))
    }

    @Test(arguments: Kind.tested)
    func aReloadedSourceHasItsBooksAgain(kind: Kind) throws {
        let source = try opened(kind)
        settle(source)
        guard let reloadable = source as? any Reloadable else { return }
        #expect(reloadable.canReload)
        #expect(!reloadable.isOutdated)
        try reloadable.reload()
        source.start {}
        settle(source)
        #expect(source.count == .exactly(250))
        #expect(source.all.id(atRow: 7).value.flatMap { source.summary(of: $0).value?.title } == "Book 7")
    }

    @Test(arguments: Kind.tested)
    func aRecordBelongsToItsBook(kind: Kind) throws {
        let source = try opened(kind)
        settle(source)
        guard let records = source as? any RecordBacked else { return }
        let id = try #require(source.all.id(atRow: 42).value)
        let format = try #require(records.format)
        #expect(format.mapping.book(from: try #require(records.record(id))).title == "Book 42")
        guard let text = source as? any TextBacked else { return }
        let position = try #require(text.positions(of: [RecordLocation(id)]).first)
        #expect(position.line == 43)
    }

    @Test(arguments: Kind.tested)
    func aServerSearchesAndSortsItself(kind: Kind) throws {
        let source = try opened(kind)
        guard let remote = source as? any RemotelyQueried else { return }
        let rows = remote.rows(for: ListRequest(query: Query("author:\"Author 3\"")))
        settle(source, rows)
        #expect(rows.rowCount == .exactly(36))
        let first = try #require(rows.id(atRow: 0).value)
        #expect(source.summary(of: first).value?.title == "Book 3")
        let sorted = remote.rows(for: ListRequest(order: SortOrder([.init(.title, isReversed: true)])))
        settle(source, sorted)
        let last = try #require(sorted.id(atRow: 0).value)
        #expect(source.summary(of: last).value?.title == "Book 99")
    }
}

/// Lets other threads run.
private func sleepShortly() { usleep(2000) }
