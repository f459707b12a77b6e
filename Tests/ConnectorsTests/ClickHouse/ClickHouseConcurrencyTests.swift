import ConnectorProtocol
import ConnectorTesting
import TestSupport
import Testing

@testable import Connectors

@Suite("Requests to ClickHouse that run at the same time", .usesServers, .needsCluster)
struct ClickHouseConcurrencyTests {
    @Test("Replies come in any order, each complete, and a cancelled request does not hold up the others")
    func replies() throws {
        let cluster = try ClickHouseCluster()
        let address = cluster.address(of: "shelf")
        _ = try Published(GeneratedCatalog(count: 2000).rows, to: address, as: .clickHouse)
        let (connector, cache) = (try RunningConnector(), try TemporaryDirectory())
        _ = try connector.greet(cache: cache.path, sources: [address])
        try connector.ask(1, .open(source: address, known: nil))
        #expect(try connector.end()?.request == 1)
        func request(_ id: Int, _ query: String?, by sort: String, at row: Int) throws {
            try connector.ask(
                id, .page(PageRequest(query: query, sort: [.init(sort)], at: .row(row), limit: 100, generation: id)))
        }
        cluster.tell("freeze 2")
        try request(2, "king", by: "title", at: 0)
        try request(3, nil, by: "author", at: 1500)
        try request(4, nil, by: "year", at: 700)
        try connector.ask(5, .cancel(of: 2))
        var ended: [Int: ConnectorReply.Content] = [:]
        while ended[2] == nil, let reply = try connector.end() { ended[reply.request] = reply.content }
        #expect(ended[2] == .failed(ConnectorFailure(.cancelled)))
        #expect(ended[3] == nil && ended[4] == nil)
        cluster.tell("thaw 2")
        var rows: [Int: Int] = [:]
        while ended[3] == nil || ended[4] == nil, let reply = try connector.next() {
            switch reply.content {
            case .rows(let page):
                #expect(page.generation == reply.request)
                rows[reply.request, default: 0] += page.rows.count
            case .ended, .failed: ended[reply.request] = reply.content
            default: break
            }
        }
        #expect(rows == [3: 100, 4: 100])
        #expect(try connector.close() == 0)
    }
}
