import ConnectorProtocol
import ConnectorTesting
import Foundation
import TestSupport
import Testing

@testable import Connectors

@Suite("A cluster of ClickHouse of which a part fails", .usesServers, .needsCluster)
struct ClickHouseFailureTests {
    private let cluster: ClickHouseCluster
    private let address: String
    private static let size = 3000

    init() throws {
        cluster = try ClickHouseCluster()
        address = cluster.address(of: "shelf")
        _ = try Published(GeneratedCatalog(count: Self.size).rows, to: address, as: .clickHouse)
    }

    /// Returns the failure of a request.
    private func failure(_ request: () throws -> Void) -> ConnectorFailure? {
        do {
            try request()
            return nil
        } catch {
            return error as? ConnectorFailure
        }
    }

    @Test("A shard that does not answer is an error that names it, for every list, until it is back")
    func deadShard() throws {
        let session = try PagedSession(address)
        let count = try session.page("king").end.count
        let ids = try session.page(by: "title", at: .row(1500)).ids
        let port = cluster.sql("SELECT port FROM system.clusters WHERE cluster = 'two' AND shard_num = 2").first ?? ""
        cluster.tell("stop 2")
        for (query, sort, row) in [
            (nil, "", 0), (nil, "title", 1500), (nil, "-year", 2990), ("king", "", 0), ("silent wolf", "title", 0),
        ] as [(String?, String, Int)] {
            let failure = failure { _ = try session.page(query, by: sort, at: .row(row)) }
            #expect(failure?.kind == .server && failure?.reason == .shard, "\(query ?? "all") by \(sort)")
            #expect(failure?.subject == "127.0.0.1:\(port)")
        }
        #expect(failure { try session.ask(.books(ids: ["b1", "b2"])) }?.reason == .shard)
        #expect(failure { _ = try PagedSession(address) }?.reason == .shard)
        cluster.tell("start 2")
        #expect(try session.page(by: "title", at: .row(1500)).ids == ids)
        #expect(try session.page("king").end.count == count)
        #expect(try session.page(at: .row(2990)).end.count == BookTotal(Self.size, .exact))
    }

    @Test("The other hosts answer if the first is down, and say that its part is missing")
    func deadFirstHost() throws {
        let session = try PagedSession(address)
        cluster.tell("stop 1")
        #expect(failure { _ = try session.page(by: "title") }?.reason == .shard)
        cluster.tell("start 1")
        #expect(try session.page(by: "title").rows.count == 50)
    }

    @Test("A catalog in only a part of the cluster is an error, never a smaller catalog")
    func otherCluster() throws {
        // The tables of the version are made again over a cluster that has only the first part.
        let half = cluster.address(of: "shelf", cluster: "two")
        let version = cluster.sql("SELECT version FROM shelf.catalog").first ?? ""
        for name in ["books", "by_title"] {
            #expect(cluster.sql("DROP TABLE shelf.all_\(name)_\(version)") == [])
            #expect(
                cluster.sql(
                    "CREATE TABLE shelf.all_\(name)_\(version) AS shelf.\(name)_\(version) "
                        + "ENGINE = Distributed(half, shelf, \(name)_\(version))") == [])
        }
        #expect(
            failure { _ = try PagedSession(half) }
                == ConnectorFailure(.server, .booksMissing, detail: "1500 of \(Self.size)"))
    }

    @Test("A database without a catalog, and an unknown one, are said")
    func noCatalog() {
        #expect(
            failure { _ = try PagedSession(cluster.address(of: "default")) } == ConnectorFailure(.format, .noCatalog))
        #expect(
            failure { _ = try PagedSession(cluster.address(of: "nowhere")) } == ConnectorFailure(.format, .noCatalog))
    }

    @Test("A cancelled request ends at once, and its query is stopped on the servers")
    func cancelled() throws {
        let session = try PagedSession(address)
        _ = try session.page("king")
        cluster.tell("freeze 2")
        let start = Date()
        let failure = failure { _ = try session.page("wolf", isCancelled: { Date().timeIntervalSince(start) > 0.3 }) }
        #expect(failure?.kind == .cancelled)
        // A request that is not cancelled waits 20 s for the server.
        #expect(Date().timeIntervalSince(start) < 10)
        cluster.tell("thaw 2")
        #expect(try session.page("wolf").rows.count == 50)
    }

    @Test("The password is asked for, once, and a wrong one again")
    func password() throws {
        let cluster = try ClickHouseCluster(password: "secret-4711")
        let address = cluster.address(of: "shelf")
        let published = try Published(
            GeneratedCatalog(count: 20).rows, to: address, as: .clickHouse,
            answers: [("default", "wrong"), ("default", "secret-4711")])
        #expect(published.counted == 20)
        #expect(published.questions.map(\.isRepeated) == [false, true])
        let session = try PagedSession(address, answers: [("default", "secret-4711")])
        #expect(try session.page("king").end.count != nil)
        #expect(failure { _ = try PagedSession(address) }?.kind == .auth)
    }

    @Test("A password in a private .netrc is used without a question; a wrong one leads to the question")
    func netrc() throws {
        let cluster = try ClickHouseCluster(password: "secret-4711")
        let address = cluster.address(of: "shelf")
        let answers = [(user: "default", secret: "secret-4711")]
        _ = try Published(GeneratedCatalog(count: 20).rows, to: address, as: .clickHouse, answers: answers)
        for (password, isAsked) in [("secret-4711", false), ("wrong", true)] {
            let home = try TemporaryDirectory()
            let file = try home.write("machine 127.0.0.1 login default password \(password)\n".utf8, to: ".netrc")
            try #require(chmod(file, 0o600) == 0)
            let connector = try RunningConnector(environment: ["HOME": home.path])
            _ = try connector.greet(cache: home.path, sources: [address])
            try connector.ask(2, .open(source: address, known: nil))
            var questions = 0
            while let reply = try connector.next() {
                if case .asked = reply.content {
                    questions += 1
                    try connector.ask(2, .answer(user: "default", secret: "secret-4711"))
                }
                if case .ended(.opened) = reply.content { break }
                if case .failed(let failure) = reply.content {
                    Issue.record("\(failure)")
                    break
                }
            }
            #expect((questions > 0) == isAsked)
            #expect(try connector.close() == 0)
        }
    }
}
