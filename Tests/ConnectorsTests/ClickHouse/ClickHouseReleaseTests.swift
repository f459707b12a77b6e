import CatalogTesting
import ConnectorProtocol
import ConnectorTesting
import Search
import TestSupport
import Testing

@testable import Connectors
@testable import Indexing

/// Releases of ClickHouse with projections and text indexes, by a fake that was made by their documentation.
@Suite("Newer releases of ClickHouse", .usesServers)
struct ClickHouseReleaseTests {
    private let cluster: ClickHouseCluster
    private let address: String
    private let catalog = GeneratedCatalog(count: 3000)

    init() throws {
        cluster = try ClickHouseCluster(release: "26.2.4.23")
        address = cluster.address(of: "shelf")
    }

    @Test(
        "The release decides about the layout",
        arguments: [
            ("18.16.1", CatalogLayout.tables), ("25.12.3.1", .tables), ("26.1.9.9", .tables),
            ("26.2.1.1", .projections),
            ("27.1.1.1", .projections), ("", .tables),
        ])
    func layouts(release: String, layout: CatalogLayout) {
        #expect(CatalogLayout(forRelease: release) == layout)
        #expect(CatalogLayout(ofVersion: layout.version("00ff")) == layout)
    }

    @Test("Projections take the place of the tables of the orders, and text indexes are made for phrases")
    func creation() throws {
        let published = try Published(catalog.rows, to: address, as: .clickHouse)
        #expect(published.sent == 3000 && published.counted == 3000)
        let tables = cluster.sql("SHOW TABLES FROM shelf").map { String($0.prefix { $0 != "_" }) }
        #expect(Set(tables) == ["all", "anchors", "books", "catalog", "ids", "tokens"])
        // Each of two servers was sent seven projections and five text indexes.
        let clauses = cluster.sql("clauses")
        #expect(clauses.count == 2 * (7 + 5))
        #expect(
            clauses.contains(
                "PROJECTION by_title (SELECT n, record, title_key ORDER BY toUInt8(title_key = ''), title_key, n)"))
        #expect(clauses.contains("INDEX grams_title title TYPE text(tokenizer = ngrams(3))"))
        let again = try Published(catalog.rows, to: address, as: .clickHouse)
        #expect(again.sent == 0 && again.counted == 3000)
    }

    @Test("Lists, orders, searches and jumps are those of a local catalog")
    func browsing() throws {
        _ = try Published(catalog.rows, to: address, as: .clickHouse)
        let session = try PagedSession(address)
        let index = try catalog.localIndex()
        for sort in ["", "title", "author", "-year", "pages", "year,title"] {
            let order = try #require(SortOrder(sort))
            var local = (0..<3000).map { "b\($0)" }
            if !order.criteria.isEmpty {
                let sorted = SortOrderCache().order(
                    order, of: index, isComplete: true, waiting: 60_000, notifying: {})
                local = try #require(sorted).indices.map { "b\($0)" }
            }
            #expect(try session.allIDs(by: sort, limit: 700) == local, "\(sort)")
            #expect(try session.page(by: sort, at: .book("b77"), limit: 40).ids.contains("b77"))
        }
        #expect(try session.page(by: "title", at: .value("k"), limit: 1).first > 0)
        for text in [
            "king", "\"silent wolf\"", "\"art & craft\"", "\"le guin\"", "title:=\"king\"", "物語",
            "king year:>1950",
        ] {
            let expected = SearchedIndex(index).search(Query(text)).list.rows.sorted()
            #expect(try session.allIDs(text) == expected.map { "b\($0)" }, "\(text)")
        }
    }

    @Test("A new version replaces the tables of the one before it")
    func republished() throws {
        _ = try Published(catalog.rows, to: address, as: .clickHouse)
        let session = try PagedSession(address)
        _ = try Published(Array(catalog.rows.reversed()), to: address, as: .clickHouse)
        #expect(try session.page(at: .row(0), limit: 1).ids == ["b2999"])
        let versions = cluster.sql("SHOW TABLES FROM shelf").filter { $0.hasPrefix("books_") }
        #expect(versions.count == 1 && versions[0].hasPrefix("books_p"))
    }

    @Test("The special characters of a pattern are literal")
    func patterns() throws {
        let rows = ["100% wool", "100 wool", "snake_case book", "snakescase book", "back\\slash it"].enumerated().map {
            #"{"id":"b\#($0)","title":"\#($1.replacing("\\", with: "\\\\"))"}"#
        }
        _ = try Published(rows, to: address, as: .clickHouse)
        let session = try PagedSession(address)
        #expect(try session.allIDs("\"100% wool\"") == ["b0"])
        #expect(try session.allIDs("\"snake_case book\"") == ["b2"])
        #expect(try session.allIDs("\"back\\\\slash it\"") == ["b4"])
    }
}
