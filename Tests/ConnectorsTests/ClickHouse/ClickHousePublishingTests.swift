import ConnectorProtocol
import ConnectorTesting
import Foundation
import JSON
import TestSupport
import Testing

@testable import Connectors

@Suite("Publishing to ClickHouse")
struct ClickHousePublishingTests {
    private let cluster: ClickHouseCluster
    private let address: String

    init() throws {
        cluster = try ClickHouseCluster()
        address = cluster.address(of: "shelf")
    }

    /// The number of books on both servers, from the tables themselves.
    private func counts() -> [Int] {
        let version = cluster.sql("SELECT version FROM shelf.catalog ORDER BY number DESC LIMIT 1").first ?? ""
        return [1, 2].map { Int(cluster.sql("SELECT count() FROM shelf.books_\(version)", on: $0).first ?? "") ?? -1 }
    }

    @Test("Each server gets its part of the books, and its tables are documented")
    func parts() throws {
        _ = try Published(GeneratedCatalog(count: 1001).rows, to: address, as: .clickHouse)
        #expect(counts() == [501, 500])
        let tables = cluster.sql("SHOW TABLES FROM shelf").map { String($0.prefix { $0 != "_" }) }
        #expect(Set(tables) == ["all", "anchors", "books", "by", "catalog", "ids", "tokens"])
    }

    @Test("The same catalog is not sent again")
    func idempotent() throws {
        let rows = GeneratedCatalog(count: 3000).rows
        _ = try Published(rows, to: address, as: .clickHouse)
        let parts = cluster.sql("SELECT name FROM system.parts WHERE database = 'shelf' ORDER BY name")
        let again = try Published(rows, to: address, as: .clickHouse)
        #expect(again.sent == 0 && again.counted == 3000)
        #expect(
            cluster.sql("SELECT name FROM system.parts WHERE database = 'shelf' AND active ORDER BY name").count
                <= parts.count)
        #expect(counts() == [1500, 1500])
        #expect(try PagedSession(address).allIDs() == (0..<3000).map { "b\($0)" })
    }

    @Test("A dry run says what it would make, and makes nothing")
    func dryRun() throws {
        let preview = try Published(GeneratedCatalog(count: 50).rows, to: address, as: .clickHouse, isDryRun: true)
        #expect(preview.sent == 50 && preview.counted == nil)
        #expect(preview.statements.first == "CREATE DATABASE IF NOT EXISTS `shelf`")
        #expect(preview.statements.contains { $0.contains("ENGINE = Distributed(`two`, `shelf`, `books_") })
        #expect(!cluster.sql("SHOW DATABASES").contains("shelf"))
        // The statements work as they are printed.
        for statement in preview.statements { #expect(cluster.sql(statement) == []) }
    }

    @Test("A reader gets the new catalog after the next one was published, never a part of both")
    func republished() throws {
        _ = try Published(GeneratedCatalog(count: 3000).rows, to: address, as: .clickHouse)
        let session = try PagedSession(address)
        #expect(try session.page(by: "title", at: .row(2000)).rows.count == 50)
        let next = GeneratedCatalog(count: 2500, seed: 9)
        _ = try Published(next.rows, to: address, as: .clickHouse)
        let page = try session.page(at: .row(2400), limit: 200)
        #expect(page.rows.map(\.json) == Array(next.rows[2400...]))
        #expect(page.end.count == BookTotal(2500, .exact))
        #expect(try session.page("king").end.count == (try PagedSession(address).page("king").end.count))
        #expect(try session.allIDs(by: "title") == (try PagedSession(address).allIDs(by: "title")))
        // The tables of the first catalog are gone.
        #expect(
            cluster.sql("SELECT count() FROM system.tables WHERE database = 'shelf' AND name LIKE 'books%'") == ["1"])
    }

    @Test("A publication that was stopped goes on where it was", arguments: [1, 2, 3])
    func resumed(reports: Int) throws {
        // Two batches and a part of one.
        let rows = GeneratedCatalog(count: 2 * ClickHousePublication.batchSize + 100).rows
        #expect(throws: ConnectorFailure(.cancelled)) {
            try Published(rows, to: address, as: .clickHouse) { $0 > reports }
        }
        #expect(throws: ConnectorFailure(.format, .noCatalog)) { try PagedSession(address) }
        let rest = try Published(rows, to: address, as: .clickHouse)
        #expect(rest.counted == rows.count)
        if reports > 1 { #expect(rest.sent < rows.count) }
        #expect(counts().reduce(0, +) == rows.count)
        let session = try PagedSession(address)
        #expect(try session.page(at: .row(rows.count - 10)).rows.map(\.json) == Array(rows.suffix(10)))
        #expect(try session.page("king", limit: 1000).ids.count == 1000)
    }

    @Test("Without a cluster, each host has the whole catalog, and the second answers if the first is down")
    func replicas() throws {
        let address = cluster.address(of: "copies", cluster: nil)
        _ = try Published(GeneratedCatalog(count: 300).rows, to: address, as: .clickHouse)
        let session = try PagedSession(address)
        let ids = try session.page(by: "author").ids
        cluster.tell("stop 1")
        #expect(try session.page(by: "author").ids == ids)
        #expect(try PagedSession(address).page(by: "author").end.count == BookTotal(300, .exact))
    }

    @Test("An address that does not name each host of the cluster is refused")
    func missingHost() {
        let one = "clickhouse://127.0.0.1:\(cluster.ports[0])/shelf?cluster=two"
        #expect(
            throws: ConnectorFailure(
                .refused, .clusterHosts, subject: "two", detail: "2 hosts, of which the address names 1")
        ) { try Published(GeneratedCatalog(count: 5).rows, to: one, as: .clickHouse) }
        #expect(throws: ConnectorFailure(.server, .noCluster, detail: "none")) {
            try Published(
                GeneratedCatalog(count: 5).rows, to: cluster.address(of: "shelf", cluster: "none"), as: .clickHouse)
        }
    }

    @Test("A catalog without books, with one book, and with a row without an id")
    func extremes() throws {
        #expect(try Published([], to: address, as: .clickHouse).counted == 0)
        #expect(try PagedSession(address).page(by: "title").end.count == BookTotal(0, .exact))
        let hostile =
            #"{"id":"it's \\ \u0000 'x'","title":"Robert'); DROP TABLE books;-- \u0000","authors":["O\\'Neil"]}"#
        _ = try Published([hostile], to: address, as: .clickHouse)
        let session = try PagedSession(address)
        #expect(try session.page("drop", by: "-title").rows == [try #require(JSONValue(parsing: hostile.utf8))])
        #expect(try session.page(by: "author", at: .book("it's \\ \0 'x'")).rows.count == 1)
        #expect(throws: ConnectorFailure(.format, .member, detail: "id", at: .record(1))) {
            try Published([#"{"title":"x"}"#], to: address, as: .clickHouse)
        }
    }
}
