import CatalogTesting
import ConnectorProtocol
import ConnectorTesting
import JSON
import Search
import TestSupport
import Testing
import Text

@testable import Connectors
@testable import Indexing

/// Publishing to the emulator of OpenSearch.
@Suite("Publishing to OpenSearch", .usesServers) struct OpenSearchPublishingTests {
    private let directory: TemporaryDirectory
    private let server: ServerProcess
    private let catalog = GeneratedCatalog(count: 2500)
    private var address: String { "opensearch+http://127.0.0.1:\(server.words[0])/library" }

    init() throws {
        directory = try TemporaryDirectory()
        server = try ServerProcess(script: "opensearch.py", arguments: [directory.path, "30"])
    }

    /// The order of a local catalog.
    private func localOrder(by sort: String, in index: BookIndex) throws -> [Int] {
        let sorted = SortOrderCache().order(
            try #require(SortOrder(sort)), of: index, isComplete: true, waiting: 60_000, notifying: {})
        return try #require(sorted).indices.map { Int($0) }
    }

    @Test("All books are there, with the records and orders of a local catalog")
    func orders() throws {
        let published = try Published(catalog.rows, to: address, as: .openSearch)
        #expect(published.sent == 2500 && published.counted == 2500)
        #expect(published.progress.last?.rows == 2500)
        let session = try PagedSession(address)
        let index = try catalog.localIndex()
        let page = try session.page(at: .row(0), limit: 2500)
        // The emulator sorts the members of records.
        func sorted(_ record: JSONValue?) -> String {
            JSONValue.object((record?.members ?? []).sorted { $0.key < $1.key }).json
        }
        let isSame = Set(page.rows.map(sorted)) == Set(catalog.rows.map { sorted(JSONValue(parsing: $0.utf8)) })
        #expect(isSame)
        let keys = catalogKeys(index)
        for sort in ["title", "author", "series", "-year", "year", "pages", "-title"] {
            let local = try localOrder(by: sort, in: index)
            let ids = try session.allIDs(by: sort).compactMap { Int($0.dropFirst()) }
            #expect(Set(ids).count == 2500)
            // Books with equal keys are in another order.
            let name = String(sort.drop { $0 == "-" })
            #expect(ids.map { keys[name]?[$0] } == local.map { keys[name]?[$0] }, "\(sort)")
        }
    }

    /// The sort keys of all books.
    private func catalogKeys(_ index: BookIndex) -> [String: [String]] {
        var keys: [String: [String]] = [:]
        for number in 0..<index.count {
            for (name, key) in [("title", SortOrder.Key.title), ("author", .author), ("series", .series)] {
                var bytes = ByteBuffer()
                let segment = index.segmentNumber(of: number)
                index.segments[segment].appendSortKey(of: number - index.starts[segment], by: key, to: &bytes)
                keys[name, default: []].append("\(Array(bytes.bytes))")
            }
            let facts = index.facts(at: number)
            keys["year", default: []].append("\(facts.year)")
            keys["pages", default: []].append("\(facts.pages)")
        }
        return keys
    }

    @Test("Letters, years and searches are found")
    func searches() throws {
        _ = try Published(catalog.rows, to: address, as: .openSearch)
        let session = try PagedSession(address)
        let index = try catalog.localIndex()
        for (sort, values) in [
            ("title", ["a", "k", "в"]), ("-title", ["k"]), ("author", ["m"]), ("year", ["1900", "-320"]),
            ("-year", ["1950"]),
        ] {
            let order = try #require(SortOrder(sort))
            let criterion = try #require(order.criteria.first)
            let list = BookList(try localOrder(by: sort, in: index).map { BookID($0) })
            for value in values {
                let row = index.row(at: try #require(SortTarget(value, for: criterion.key)), by: criterion, in: list)
                #expect(try session.page(by: sort, at: .value(value), limit: 3).first == row, "\(sort) \(value)")
            }
        }
        for text in ["title:king", "year:1990..2000", "pages:>900", "language:de"] {
            let expected = SearchedIndex(index).search(Query(text)).list.rows
            #expect(try session.page(text).end.count == BookTotal(expected.count, .exact), "\(text)")
        }
    }

    @Test("The same catalog is not sent again, and another one takes its place")
    func republishing() throws {
        _ = try Published(catalog.rows, to: address, as: .openSearch)
        let again = try Published(catalog.rows, to: address, as: .openSearch)
        #expect(again.sent == 0 && again.counted == 2500)
        let session = try PagedSession(address)
        let other = try Published(Array(catalog.rows.prefix(100)), to: address, as: .openSearch)
        #expect(other.sent == 100 && other.counted == 100)
        #expect(try session.page(at: .row(0)).end.count == BookTotal(100, .exact))
        #expect(try PagedSession(address).page(at: .row(0)).end.count == BookTotal(100, .exact))
    }

    @Test("A publication that was stopped goes on with the missing books, and nobody sees a part")
    func resuming() throws {
        #expect(throws: ConnectorFailure.self) {
            try Published(catalog.rows, to: address, as: .openSearch, isCancelled: { $0 > 2 })
        }
        #expect(throws: ConnectorFailure.self) { try PagedSession(address).page() }
        let rest = try Published(catalog.rows, to: address, as: .openSearch)
        #expect(rest.sent > 0 && rest.sent < 2500 && rest.counted == 2500)
        #expect(try PagedSession(address).page(at: .row(0)).end.count == BookTotal(2500, .exact))
    }

    @Test("A dry run says what it would make, and makes nothing")
    func dryRun() throws {
        let preview = try Published(catalog.rows, to: address, as: .openSearch, isDryRun: true)
        #expect(preview.sent == 2500 && preview.counted == nil && preview.statements.count == 3)
        #expect(preview.statements[0].hasPrefix("PUT /library-"))
        #expect(throws: ConnectorFailure.self) { try PagedSession(address).page() }
    }

    @Test("An index that stacks did not publish is not replaced")
    func otherIndex() throws {
        let books = "opensearch+http://127.0.0.1:\(server.words[0])/books"
        #expect(throws: ConnectorFailure(.refused, .otherIndex, detail: "books")) {
            try Published(catalog.rows, to: books, as: .openSearch)
        }
        #expect(try PagedSession(books).page(at: .row(0)).end.count == BookTotal(30, .exact))
    }
}
