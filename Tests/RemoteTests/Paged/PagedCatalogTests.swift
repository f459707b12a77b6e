import Foundation
import TestSupport
import Testing

@testable import Books
@testable import Catalog
@testable import ConnectorProtocol
@testable import Indexing
@testable import Remote
@testable import Search

@Suite("Catalogs that stay on a server", .usesServers)
struct PagedCatalogTests {
    private let server: PagedServer

    init() throws { server = try PagedServer() }

    @Test("The first page is there when the catalog opens")
    func opening() {
        let catalog = server.open("rows=10000")
        #expect(catalog.count == .exactly(10_000))
        #expect(catalog.title(atRow: 0) == "Book 0000000")
        #expect(catalog.connection == .fresh)
        #expect(catalog.sortKeys == [.title, .year])
        #expect(catalog.format?.profile.name == "native")
    }

    @Test("Opening does not wait for a slow server")
    func slowOpening() {
        let start = ContinuousClock.now
        let catalog = server.open("rows=10000&delay=5000", openingTime: 100)
        #expect(start.duration(to: .now) < .seconds(4))
        #expect(catalog.count == .unknown)
        #expect(catalog.all.id(atRow: 0) == .pending)
        #expect(catalog.title(atRow: 0) == "Book 0000000")
    }

    @Test("Any row is reached with one request, and its neighbours are loaded ahead")
    func jumping() throws {
        let catalog = server.open("rows=100000")
        catalog.settle()
        #expect(try Set(server.requestedRows()) == [0, 64])
        #expect(catalog.title(atRow: 64_000) == "Book 0064000")
        catalog.settle()
        #expect(try Set(server.requestedRows()) == [0, 64, 63_936, 64_000, 64_064])
        #expect(catalog.title(atRow: 99_999) == "Book 0099999")
    }

    @Test("A fast scroll fetches only where it stops")
    func scrolling() throws {
        let catalog = server.open("rows=100000&delay=50")
        for row in stride(from: 0, to: 64_000, by: 30) { _ = catalog.all.id(atRow: row) }
        #expect(catalog.title(atRow: 64_000) == "Book 0064000")
        catalog.settle()
        // Three at a time, of which those that are passed are cancelled.
        #expect(try server.requestedRows().count < 3000 / 2)
        #expect(try !server.requests("cancel").isEmpty)
        #expect(catalog.all.id(atRow: 32_000) == .pending)
    }

    @Test("Never more than three pages are requested at the same time")
    func parallel() throws {
        let catalog = server.open("rows=100000&delay=300", openingTime: 0)
        for page in 0..<3 { _ = catalog.all.id(atRow: page * 64) }
        for row in [0, 64, 128, 0, 64, 128] { _ = catalog.all.id(atRow: row) }
        Thread.sleep(forTimeInterval: 0.2)
        #expect(try server.requestedRows().sorted() == [0, 64, 128])
    }

    @Test("Replies in another order than the requests are told apart")
    func unsteady() {
        let catalog = server.open("rows=1000&unsteady=1")
        for row in [0, 130, 70, 999, 300, 64, 640] {
            #expect(catalog.title(atRow: row) == "Book \(String(repeating: "0", count: 7 - "\(row)".count))\(row)")
        }
    }

    @Test("The server searches, and the terms that it ignored are named")
    func searching() {
        let catalog = server.open("rows=1000")
        let rows = catalog.rows(for: ListRequest(query: Query("99 is:favourite")))
        #expect(catalog.title(atRow: 0, of: rows) == "Book 0000099")
        #expect(rows.rowCount == .exactly(19))
        #expect(rows.ignoredTerms == ["is:favourite"])
        #expect(catalog.all.ignoredTerms == [])
    }

    @Test("A search that is replaced before it is answered is cancelled")
    func cancelling() throws {
        let catalog = server.open("rows=1000&delay=200")
        for text in ["1", "12", "123"] {
            _ = catalog.rows(for: ListRequest(query: Query(text))).id(atRow: 0)
        }
        let rows = catalog.rows(for: ListRequest(query: Query("123")))
        #expect(catalog.title(atRow: 0, of: rows) == "Book 0000123")
        #expect(try server.requests("cancel").count >= 2)
    }

    @Test("A list that was shown shortly before is there at once")
    func recentLists() throws {
        let catalog = server.open("rows=1000")
        let request = ListRequest(order: SortOrder([.init(.year, isReversed: true)]))
        #expect(catalog.title(atRow: 0, of: catalog.rows(for: request)) == "Book 0000119")
        catalog.settle()
        _ = catalog.rows(for: ListRequest())
        #expect(catalog.rows(for: request).id(atRow: 0).value != nil)
    }

    @Test("A page that fails says why, and is requested again after a reload")
    func failing() {
        let catalog = server.open("rows=1000&fail=2")
        #expect(catalog.title(atRow: 0) == "Book 0000000")
        #expect(catalog.title(atRow: 130) == "failed: server: 500 no shard")
        #expect(catalog.takeFailure()?.detail == "500 no shard")
        #expect(catalog.title(atRow: 200) == "Book 0000200")
        #expect(catalog.connection == .fresh)
        catalog.settle()
        catalog.reload()
        #expect(catalog.title(atRow: 130) == "failed: server: 500 no shard")
    }

    @Test(
        "The number of books is as precise as the server tells it",
        arguments: [
            ("about", BookCount.about(1000), BookCount.exactly(1000)),
            ("atLeast", .atLeast(64), .exactly(1000)), ("none", .atLeast(64), .exactly(1000)),
        ])
    func counts(kind: String, early: BookCount, late: BookCount) {
        let catalog = server.open("rows=1000&count=\(kind)")
        #expect(catalog.count == early)
        for row in stride(from: 0, to: 1000, by: 64) { _ = catalog.title(atRow: row) }
        #expect(catalog.count == late)
    }

    @Test("An empty list is empty")
    func empty() {
        let catalog = server.open("rows=0")
        #expect(catalog.count == .exactly(0))
        #expect(catalog.title(atRow: 0) == "gone")
    }

    @Test("A list from which books may be missing says so")
    func partial() {
        #expect(server.open("rows=10&partial=1").all.isPartial)
        #expect(!server.open("rows=10").all.isPartial)
    }

    @Test("After the connector program died, the rows say so, and a reload starts it again")
    func dying() {
        let catalog = server.open("rows=10000&die=3")
        catalog.settle()
        #expect(catalog.title(atRow: 5000).hasPrefix("failed: helper"))
        guard case .failed(let failure, _) = catalog.connection else {
            Issue.record("the connection is not said to be lost")
            return
        }
        #expect(failure.kind == .helper)
        #expect(catalog.takeFailure() == failure)
        #expect(catalog.takeFailure() == nil)
        catalog.reload()
        #expect(catalog.title(atRow: 0) == "Book 0000000")
        #expect(catalog.connection == .fresh)
    }

    @Test("A connector program that ended while nothing was asked is started again for the next page")
    func ending() {
        // As the program does: otherwise writing to one that has ended would end the tests.
        signal(SIGPIPE, SIG_IGN)
        let catalog = server.open("rows=10000&leave=1")
        catalog.settle()
        #expect(catalog.title(atRow: 5000) == "Book 0005000")
    }

    @Test("Without a network, the pages that were loaded before are shown with their age")
    func offline() throws {
        do {
            let catalog = server.open("rows=10000")
            #expect(catalog.title(atRow: 6400) == "Book 0006400")
            catalog.settle()
            // Pages are kept in the background.
            Thread.sleep(forTimeInterval: 0.3)
        }
        try server.setDown(true)
        let catalog = server.open("rows=10000")
        #expect(catalog.title(atRow: 0) == "Book 0000000")
        #expect(catalog.title(atRow: 6400) == "Book 0006400")
        #expect(catalog.title(atRow: 3200) == "failed: offline: fake")
        #expect(catalog.count == .exactly(10_000))
        let age = try #require(catalog.connection.dateOfPages)
        #expect(abs(Int(Date().timeIntervalSince1970) - age) < 60)
        try server.setDown(false)
        catalog.reload()
        #expect(catalog.title(atRow: 3200) == "Book 0003200")
        #expect(catalog.connection == .fresh)
    }

    @Test("A book keeps its identifier, and is loaded again after many others")
    func unloading() {
        let catalog = server.open("rows=100000")
        let first = catalog.all.id(atRow: 0).value
        for page in 1..<100 { _ = catalog.title(atRow: page * 64) }
        #expect(catalog.title(atRow: 0) == "Book 0000000")
        #expect(catalog.all.id(atRow: 0).value == first)
        #expect(catalog.all.id(atRow: 0).value.map(catalog.sourceID) == "b0")
    }

    @Test("The identifiers of books that nobody needs are dropped, so that scrolling takes no more memory", .thorough)
    func identifiers() throws {
        let catalog = server.open("rows=1000000")
        _ = catalog.title(atRow: 70)
        let selected = try #require(catalog.all.id(atRow: 70).value)
        let named = catalog.id(ofSourceID: "b71")
        catalog.keepIDs { $0 == selected }
        for page in 10..<1000 { _ = catalog.title(atRow: page * 64) }
        #expect(catalog.books.keptCount < 40_000)
        #expect(catalog.sourceID(of: selected) == "b70" && catalog.sourceID(of: named) == "b71")
        // A book that comes back has its title, whatever its identifier is.
        #expect(catalog.title(atRow: 5) == "Book 0000005")
        #expect(catalog.title(atRow: 70) == "Book 0000070")
        #expect(catalog.all.id(atRow: 70).value == selected)
    }

    @Test("A book is loaded by its id in the source, or is gone")
    func booksByID() {
        let catalog = server.open("rows=1000")
        for (sourceID, title) in [("b777", "Book 0000777"), ("b5000", "gone")] {
            let id = catalog.id(ofSourceID: sourceID)
            #expect(catalog.book(id) == .pending)
            while catalog.book(id) == .pending, catalog.waitForReply(milliseconds: 10_000) {}
            #expect((catalog.book(id).value?.title ?? "gone") == title)
        }
    }

    @Test("A book that was loaded by its id is loaded again after it was unloaded")
    func booksByIDAgain() {
        let catalog = server.open("rows=100000")
        let id = catalog.id(ofSourceID: "b99999")
        while catalog.book(id) == .pending, catalog.waitForReply(milliseconds: 10_000) {}
        #expect(catalog.book(id).value?.title == "Book 0099999")
        for page in 0..<80 { _ = catalog.title(atRow: page * 64) }
        #expect(catalog.book(id) == .pending)
        while catalog.book(id) == .pending, catalog.waitForReply(milliseconds: 10_000) {}
        #expect(catalog.book(id).value?.title == "Book 0099999")
    }

    @Test("The row of a book in a list is found by the server")
    func rowOfBook() {
        let catalog = server.open("rows=10000")
        for (sourceID, row) in [("b7777", 7777), ("b5", 5), ("b123456", nil)] {
            while catalog.row(ofBookWithSourceID: sourceID, in: catalog.all) == .pending,
                catalog.waitForReply(milliseconds: 10_000)
            {}
            #expect(catalog.row(ofBookWithSourceID: sourceID, in: catalog.all).value == row)
        }
    }

    @Test(
        "The first row at a letter or year is found by the server, in both directions",
        arguments: [
            ("year", "1910", 840), ("year", "1800", 0), ("year", "2500", 10_000), ("-year", "1910", 9_076),
            ("title", "b", 0), ("title", "c", 10_000),
        ])
    func rowAtValue(sort: String, value: String, row: Int) throws {
        let catalog = server.open("rows=10000")
        let rows = catalog.rows(for: ListRequest(order: try #require(SortOrder(sort))))
        while catalog.row(ofFirstBookAt: value, in: rows) == .pending, catalog.waitForReply(milliseconds: 10_000) {}
        #expect(catalog.row(ofFirstBookAt: value, in: rows).value == row)
    }

    @Test("A list without an order has no letters")
    func noValues() {
        let catalog = server.open("rows=100")
        while catalog.row(ofFirstBookAt: "b", in: catalog.all) == .pending, catalog.waitForReply(milliseconds: 10_000) {
        }
        #expect(catalog.row(ofFirstBookAt: "b", in: catalog.all) == .gone)
    }

    @Test("A list that is still drawn does not delay its successor")
    func drawnList() throws {
        let catalog = server.open("rows=1000&delay=100")
        catalog.settle()
        let request = ListRequest(query: Query("99"))
        let rows = catalog.rows(for: request)
        _ = rows.id(atRow: 0)
        for row in stride(from: 300, to: 900, by: 64) { #expect(catalog.all.id(atRow: row) == .pending) }
        #expect(catalog.title(atRow: 0, of: rows) == "Book 0000099")
        #expect(try server.requests("cancel").isEmpty)
        #expect(try Set(server.requestedRows()) == [0, 64])
    }

    @Test("The kept pages of a source are counted, and deleted with its directory")
    func keptPages() throws {
        do {
            let catalog = server.open("rows=10000")
            for row in [0, 640, 6400] { _ = catalog.title(atRow: row) }
            catalog.settle()
            Thread.sleep(forTimeInterval: 0.3)
        }
        let directory = try #require(MirrorDirectory.all(in: server.cache).first)
        let pages = try #require(directory.keptPages)
        #expect(pages.source == directory.source && pages.source.contains("rows=10000"))
        #expect(pages.kind == "fake" && pages.count >= 3)
        #expect(abs(Int(Date().timeIntervalSince1970) - pages.time) < 60)
        try directory.delete()
        #expect(MirrorDirectory.all(in: server.cache).isEmpty)
    }

    @Test("Commands read as many books as they need")
    func reading() {
        let catalog = server.open("rows=1000&count=none")
        #expect(catalog.books(of: catalog.all, limit: 100, reporting: { _ in }).books.count == 100)
        let all = catalog.books(of: catalog.all, limit: .max, reporting: { _ in })
        #expect(all.books.count == 1000)
        #expect(all.books.last?.title == "Book 0000999")
        #expect(!all.isIncomplete)
        let failing = server.open("rows=1000&fail=3")
        let some = failing.books(of: failing.all, limit: .max, reporting: { _ in })
        #expect(some.books.count == 192)
        #expect(some.isIncomplete)
    }
}
