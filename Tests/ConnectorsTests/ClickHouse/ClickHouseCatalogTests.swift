import CatalogTesting
import ConnectorProtocol
import ConnectorTesting
import Foundation
import JSON
import Search
import TestSupport
import Testing

@testable import Connectors
@testable import Indexing

/// A catalog of 12,000 books in a cluster, and the same one as a local catalog. The tests do not change it.
struct PublishedCatalog {
    static let size = 12_000
    static let shared = Result { try PublishedCatalog() }

    let cluster: ClickHouseCluster
    let address: String
    let index: BookIndex
    let rows: [String]

    private init() throws {
        let catalog = GeneratedCatalog(count: Self.size)
        cluster = try ClickHouseCluster()
        (address, rows) = (cluster.address(of: "library"), catalog.rows)
        index = try catalog.localIndex()
        let published = try Published(catalog.rows, to: address, as: .clickHouse)
        #expect(published.sent == Self.size && published.counted == Self.size)
        #expect(published.progress.last?.rows == Self.size)
    }
}

@Suite("A catalog in ClickHouse", .usesServers)
struct ClickHouseCatalogTests {
    private let catalog: PublishedCatalog
    private let session: PagedSession
    private var count: Int { PublishedCatalog.size }

    init() throws {
        catalog = try PublishedCatalog.shared.get()
        session = try PagedSession(catalog.address)
    }

    /// The ids of all books in the order of a local catalog.
    private func localOrder(by sort: String) throws -> [String] {
        let order = try #require(SortOrder(sort))
        if order.criteria.isEmpty { return (0..<count).map { "b\($0)" } }
        let result = SortOrderCache().order(
            order, of: catalog.index, isComplete: true, waiting: 60_000, notifying: {})
        return try #require(result).indices.map { "b\($0)" }
    }

    @Test("The records are those that were published, byte for byte")
    func records() throws {
        let page = try session.page(at: .row(5000), limit: 100)
        #expect(page.rows.map(\.json) == Array(catalog.rows[5000..<5100]))
        #expect(page.end.count == BookTotal(count, .exact))
        #expect(!page.end.isPartial)
    }

    @Test(
        "Each order is that of a local catalog, at the beginning, the end and anywhere between",
        arguments: [
            "", "title", "author", "series", "year", "-year", "pages", "-pages", "rating", "-rating", "added", "-added",
        ])
    func orders(sort: String) throws {
        let expected = try localOrder(by: sort)
        var random = SplitMix(seed: 5)
        let places = [0, 1, 1000, 1023, 1024, 2047, count / 2, count - 1025, count - 50, count - 1]
        for row in places + (0..<12).map({ _ in Int.random(in: 0..<count, using: &random) }) {
            let page = try session.page(by: sort, at: .row(row))
            #expect(page.first == row)
            #expect(page.ids == Array(expected[row..<min(count, row + 50)]), "row \(row)")
        }
        #expect(try session.page(by: sort, at: .row(count)).rows.isEmpty)
        #expect(try session.page(by: sort, at: .row(count + 5000)).rows.isEmpty)
    }

    /// A local catalog reverses the ties of an order by text; here they keep the order of the catalog.
    @Test(
        "An order that descends by text has the keys of a local catalog, and unknown ones last",
        arguments: ["title", "author", "series"])
    func descending(sort: String) throws {
        let local = try localOrder(by: "-" + sort)
        let ids = try session.allIDs(by: "-" + sort)
        #expect(Set(ids).count == count)
        let ascending = try session.allIDs(by: sort)
        #expect(ascending == (try localOrder(by: sort)))
        // Equal keys are neighbours in each order; so a group of ties has the same books at the same rows.
        let place = Dictionary(uniqueKeysWithValues: zip(local, 0...))
        let keys = catalog.cluster.sql(
            "SELECT concat('b', toString(n)), hex(\(sort)_key) FROM library.\(table(catalog.cluster.ports.count == 1 ? "books" : "all_books")) ORDER BY n"
        )
        .map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
        let keyOf = Dictionary(uniqueKeysWithValues: keys.map { (String($0[0]), String($0[1])) })
        for (row, id) in ids.enumerated() where keyOf[id] != keyOf[local[row]] {
            Issue.record("row \(row) has \(id), the local catalog at \(place[id] ?? -1)")
            break
        }
    }

    @Test(
        "Several keys sort like those of a local catalog", arguments: ["year,title", "-rating,author", "series,-year"])
    func severalKeys(sort: String) throws {
        let expected = try localOrder(by: sort)
        for row in [0, 1024, count / 2, count - 50] {
            #expect(try session.page(by: sort, at: .row(row)).ids == Array(expected[row..<min(count, row + 50)]))
        }
    }

    @Test("An order is that of the server's own sorting")
    func serverOrder() throws {
        let rows = catalog.cluster.sql(
            "SELECT concat('b', toString(n)) FROM library.\(table(catalog.cluster.ports.count == 1 ? "books" : "all_books")) "
                + "ORDER BY year = -32768, year DESC, n LIMIT 9000, 80")
        #expect(try session.page(by: "-year", at: .row(9000), limit: 80).ids == rows)
    }

    @Test(
        "The row of a book is found in every list",
        arguments: ["", "title", "-author", "-year", "series", "year,title"])
    func rowOfBook(sort: String) throws {
        for id in ["b0", "b777", "b7654", "b11999"] {
            let page = try session.page(by: sort, at: .book(id), limit: 40)
            #expect(page.first % 40 == 0)
            #expect(page.ids.contains(id))
            #expect(page.ids == (try session.page(by: sort, at: .row(page.first), limit: 40).ids))
        }
        let page = try session.page("king", by: sort, at: .row(500), limit: 40)
        let id = try #require(page.ids.dropFirst(7).first)
        #expect(try session.page("king", by: sort, at: .book(id), limit: 40).ids.contains(id))
        #expect(try session.page(by: sort, at: .book("nobody's"), limit: 5).first == 0)
    }

    @Test(
        "The first row at a letter or year is that of a local catalog",
        arguments: [
            "title", "-title", "author", "-author", "series", "year", "-year", "pages", "year,title", "-title,year",
        ])
    func rowAtValue(sort: String) throws {
        let order = try #require(SortOrder(sort))
        let criterion = try #require(order.criteria.first)
        let rows = SortOrderCache().order(
            order, of: catalog.index, isComplete: true, waiting: 60_000, notifying: {})
        let list = BookList(try #require(rows).indices.map { BookID($0) })
        let values =
            criterion.key == .year || criterion.key == .pages
            ? ["-320", "1", "500", "1925", "9999"] : ["a", "k", "t", "ü", "в", "z", "語"]
        for value in values {
            let target = try #require(SortTarget(value, for: criterion.key))
            let row = catalog.index.row(at: target, by: criterion, in: list)
            let page = try session.page(by: sort, at: .value(value), limit: 5)
            #expect(page.rows.isEmpty ? row == count : page.first == row, "\(value)")
        }
        #expect(throws: ConnectorFailure.self) { try session.page(by: sort, at: .value("")) }
    }

    @Test("The first row at a letter is found among the results of a search")
    func valueInSearch() throws {
        let found = Set(SearchedIndex(catalog.index).search(Query("king")).list.rows)
        let titles = try localOrder(by: "title").filter { found.contains(Int($0.dropFirst()) ?? -1) }
        let page = try session.page("king", by: "title", at: .value("n"), limit: 3)
        #expect(page.ids == Array(titles[page.first..<page.first + 3]))
        let before = try session.page("king", by: "title", at: .row(page.first - 1), limit: 1)
        let title = { (row: JSONValue?) in (row?["title"]?.string ?? "").lowercased() }
        #expect(title(before.rows.first) < "n" || title(before.rows.first).hasPrefix("the "))
        #expect(throws: ConnectorFailure.self) { try session.page("king", at: .value("n")) }
    }

    @Test("Books are found by their ids, without those that do not exist")
    func books() throws {
        try session.ask(.books(ids: ["b5", "b11999", "no", "b'6"]))
        let rows = session.lastReplies.flatMap { reply -> [JSONValue] in
            if case .rows(let page) = reply { page.rows } else { [] }
        }
        #expect(Set(rows.map(\.json)) == [catalog.rows[5], catalog.rows[11_999]])
    }

    @Test(
        "A search finds what it finds in a local catalog",
        arguments: [
            "king", "kingdom", "silent wolf", "\"silent wolf\"", "title:king", "author:murakami", "author:\"le guin\"",
            "subject:poetry", "subject:\"science fiction\"", "series:saga", "publisher:smith", "language:pt",
            "language:en",
            "year:1990..2000", "year:<0", "pages:>900", "pages:500", "rating:>=4.5", "rating:5", "added:2015",
            "has:series",
            "has:isbn", "-has:year", "fiction:yes", "fiction:no", "fiction:unknown", "has:description", "-king",
            "king -kingdom", "king | wolf", "(king | wolf) year:>1950 -author:smith", "title:=\"king\"",
            "author:=\"anna smith\"",
            "series:=\"king saga\"", "étude", "uber", "война", "物語", "日本", "catch-22", "ελλάδα", "isbn:978100000",
            "brontë",
            "garcía", "title:king author:josé", "\"art & craft\"", "lódz", "zzz", "year:2000..1990",
        ])
    func searches(text: String) throws {
        let expected = SearchedIndex(catalog.index).search(Query(text)).list.rows.sorted()
        let page = try session.page(text, limit: 200)
        #expect(page.end.count == BookTotal(expected.count, .exact))
        #expect(page.end.ignoredTerms == [])
        #expect(page.ids == expected.prefix(200).map { "b\($0)" })
        // The end of the list is read in the reversed order.
        let last = try session.page(text, at: .row(max(0, expected.count - 30)), limit: 50)
        #expect(last.ids == expected.suffix(30).map { "b\($0)" })
    }

    @Test("A search is sorted like a list of all books", arguments: ["title", "-year", "author,-pages"])
    func sortedSearch(sort: String) throws {
        let found = Set(SearchedIndex(catalog.index).search(Query("wolf")).list.rows)
        let expected = try localOrder(by: sort).filter { found.contains(Int($0.dropFirst()) ?? -1) }
        #expect(try session.allIDs("wolf", by: sort) == expected)
    }

    @Test(
        "What a server cannot search for is ignored and named",
        arguments: [
            ("king is:favourite", "king", ["is:favourite"]), ("status:read", "", ["status:read"]),
            ("king on:classics", "king", ["on:classics"]), ("/k.ng/ wolf", "wolf", ["/k.ng/"]),
            ("king (wolf | is:favourite)", "king", ["wolf", "is:favourite"]),
        ])
    func ignored(text: String, rest: String, terms: [String]) throws {
        let page = try session.page(text)
        #expect(page.end.ignoredTerms == terms)
        #expect(page.end.count == (try session.page(rest).end.count))
    }

    @Test("A word is found by its beginning, from two letters on; a single letter only as a whole word")
    func beginnings() throws {
        let (ki, kin, king) = (
            try session.page("ki").end.count, try session.page("kin").end.count, try session.page("king").end.count
        )
        #expect(ki == kin && kin == king && (king?.value ?? 0) > 500)
        #expect(try session.page("ing").end.count?.value == 0)
        let words = catalog.rows.count { row in
            (JSONValue(parsing: row.utf8)?["title"]?.string ?? "").split(separator: " ").contains("a")
        }
        #expect(try session.page("title:a").end.count == BookTotal(words, .exact))
    }

    @Test("An unknown sort key is an error")
    func unknownKey() {
        #expect(throws: ConnectorFailure(.unsupported, detail: "colour")) { try session.page(by: "colour") }
    }

    /// Returns the name of a table with the current version.
    private func table(_ name: String) -> String {
        let version = catalog.cluster.sql("SELECT version FROM library.catalog ORDER BY number DESC LIMIT 1")
        return "\(name)_\(version.first ?? "")"
    }
}
