import CatalogTesting
import ConnectorProtocol
import ConnectorTesting
import Search
import TestSupport
import Testing

@testable import Connectors
@testable import Indexing

@Suite("Releases of ClickHouse") struct ClickHouseReleaseTests {
    @Test(
        "The release decides about the layout",
        arguments: [
            ("18.16.1", CatalogLayout.tables), ("25.12.3.1", .tables), ("26.1.9.9", .tables),
            ("26.2.1.1", .projections), ("26.9.2.1", .projections), ("27.1.1.1", .projections), ("", .tables),
        ])
    func layouts(release: String, layout: CatalogLayout) {
        #expect(CatalogLayout(forRelease: release) == layout)
        #expect(CatalogLayout(ofVersion: layout.version("00ff")) == layout)
    }
}

/// Releases of ClickHouse with projections and text indexes.
@Suite("ClickHouse of today", .usesServers, .needsClickHouseOfToday)
struct ClickHouseOfTodayTests {
    private let server: ClickHouseCluster
    private let address: String
    private let catalog = GeneratedCatalog(count: 3000)

    init() throws {
        server = try ClickHouseCluster()
        address = server.address(of: "shelf")
    }

    @Test("Projections take the place of the tables of the orders, and text indexes are made for phrases")
    func creation() throws {
        let published = try Published(catalog.rows, to: address, as: .clickHouse)
        #expect(published.sent == 3000 && published.counted == 3000)
        let tables = server.sql("SHOW TABLES FROM shelf").map { String($0.prefix { $0 != "_" }) }
        #expect(Set(tables) == ["anchors", "books", "catalog", "ids", "tokens"])
        let projections = server.sql("SELECT name FROM system.projections WHERE database = 'shelf' ORDER BY name")
        #expect(projections.count == 7 && projections.contains("by_title"))
        let indexes = server.sql(
            "SELECT name FROM system.data_skipping_indices WHERE database = 'shelf' AND type = 'text' ORDER BY name")
        #expect(indexes.count == 5 && indexes.contains("grams_title"))
        let again = try Published(catalog.rows, to: address, as: .clickHouse)
        #expect(again.sent == 0 && again.counted == 3000)
    }

    @Test("A new version replaces the tables of the one before it")
    func republished() throws {
        _ = try Published(catalog.rows, to: address, as: .clickHouse)
        let session = try PagedSession(address)
        _ = try Published(Array(catalog.rows.reversed()), to: address, as: .clickHouse)
        #expect(try session.page(at: .row(0), limit: 1).ids == ["b2999"])
        let versions = server.sql("SHOW TABLES FROM shelf").filter { $0.hasPrefix("books_") }
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
