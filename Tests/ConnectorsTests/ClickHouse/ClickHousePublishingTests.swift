import ConnectorProtocol
import ConnectorTesting
import Foundation
import JSON
import TestSupport
import Testing

@testable import Connectors

@Suite("Publishing to ClickHouse", .usesServers)
struct ClickHousePublishingTests {
    private let cluster: ClickHouseCluster
    private let address: String

    init() throws {
        cluster = try ClickHouseCluster()
        address = cluster.address(of: "shelf")
    }

    /// The number of books on each server, from the tables themselves.
    private func counts() -> [Int] {
        let version = cluster.sql("SELECT version FROM shelf.catalog ORDER BY number DESC LIMIT 1").first ?? ""
        return (1...cluster.ports.count).map {
            Int(cluster.sql("SELECT count() FROM shelf.books_\(version)", on: $0).first ?? "") ?? -1
        }
    }

    @Test("Each server gets its part of the books, and its tables are documented", .needsCluster)
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
        #expect(counts() == cluster.parts(of: 3000))
        #expect(try PagedSession(address).allIDs() == (0..<3000).map { "b\($0)" })
    }

    @Test("A dry run says what it would make, and makes nothing", .needsCluster)
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
        let first = try session.page(by: "title", at: .row(2000))
        #expect(first.rows.count == 50)
        let next = GeneratedCatalog(count: 2500, seed: 9)
        _ = try Published(next.rows, to: address, as: .clickHouse)
        let page = try session.page(at: .row(2400), limit: 200)
        #expect(page.rows.map(\.json) == Array(next.rows[2400...]))
        #expect(page.end.count == BookTotal(2500, .exact))
        #expect(page.end.version != nil && page.end.version != first.end.version)
        #expect(try session.page("king").end.count == (try PagedSession(address).page("king").end.count))
        #expect(try session.allIDs(by: "title") == (try PagedSession(address).allIDs(by: "title")))
        // The tables of the first catalog are gone.
        #expect(
            cluster.sql("SELECT count() FROM system.tables WHERE database = 'shelf' AND name LIKE 'books%'") == ["1"])
    }

    /// Publishes rows in batches of 500, until `isCancelled` returns true for the number of replies so far.
    private func publishInBatches(
        _ rows: [String], until isCancelled: @escaping (Int) -> Bool = { _ in false }
    ) throws -> ConnectorReply.End {
        let directory = try TemporaryDirectory()
        let path = try directory.write(rows.map { $0 + "\n" }.joined().utf8, to: "rows.jsonl")
        let context = RequestContext()
        var replyCount = 0
        context.isCancelled = { isCancelled(replyCount) }
        let publication = Publication(to: address, as: .clickHouse, from: path, rows: rows.count)
        return try ClickHousePublication(publication, context, batchSize: 500) { _ in replyCount += 1 }.run()
    }

    @Test("A publication that was stopped goes on where it was", arguments: [1, 2, 3])
    func resumed(reports: Int) throws {
        let rows = GeneratedCatalog(count: 1700).rows
        #expect(throws: ConnectorFailure(.cancelled)) { try publishInBatches(rows) { $0 >= reports } }
        #expect(throws: ConnectorFailure(.format, .noCatalog)) { try PagedSession(address) }
        guard case .published(let sent, let counted, _) = try publishInBatches(rows) else { throw WrongReply() }
        #expect(counted == rows.count)
        // The servers store a batch while the next one is prepared.
        #expect(sent <= rows.count - 500 * (reports - 1))
        #expect(counts() == cluster.parts(of: 1700))
        let session = try PagedSession(address)
        #expect(try session.page(at: .row(1690)).rows.map(\.json) == Array(rows.suffix(10)))
        let words = cluster.sql("SELECT count(), uniqExact(token, n) FROM shelf.\(table("tokens"))").first ?? ""
        #expect(Set(words.split(separator: "\t")).count == 1)
    }

    /// Returns the name of a table with the current version.
    private func table(_ name: String) -> String {
        "\(name)_" + (cluster.sql("SELECT version FROM shelf.catalog ORDER BY number DESC LIMIT 1").first ?? "")
    }

    @Test("A publication whose program was killed goes on, too")
    func killed() throws {
        let rows = GeneratedCatalog(count: 6000).rows
        let directory = try TemporaryDirectory()
        let path = try directory.write(rows.map { $0 + "\n" }.joined().utf8, to: "rows.jsonl")
        for delay in [0.3, 0.8, 1.3] {
            let connector = try RunningConnector()
            _ = try connector.greet(cache: directory.path, sources: [address])
            try connector.ask(
                2, .publish(Publication(to: address, as: .clickHouse, from: path, rows: rows.count)))
            Thread.sleep(forTimeInterval: delay)
            connector.kill()
        }
        let published = try Published(rows, to: address, as: .clickHouse)
        #expect(published.counted == 6000)
        #expect(counts() == cluster.parts(of: 6000))
        #expect(try PagedSession(address).allIDs(by: "year").count == 6000)
    }

    @Test(
        "Without a cluster, each host has the whole catalog, and the second answers if the first is down", .needsCluster
    )
    func replicas() throws {
        let address = cluster.address(of: "copies", cluster: nil)
        _ = try Published(GeneratedCatalog(count: 300).rows, to: address, as: .clickHouse)
        let session = try PagedSession(address)
        let ids = try session.page(by: "author").ids
        cluster.tell("stop 1")
        #expect(try session.page(by: "author").ids == ids)
        #expect(try PagedSession(address).page(by: "author").end.count == BookTotal(300, .exact))
    }

    @Test("An address that does not name each host of the cluster is refused", .needsCluster)
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
