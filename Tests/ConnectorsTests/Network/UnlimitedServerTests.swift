import ConnectorProtocol
import ConnectorTesting
import Foundation
import JSON
import TestSupport
import Testing

/// Servers that send more than the connector may keep in memory.
@Suite("Servers that send without end", .serialized, .usesServers) struct UnlimitedServerTests {
    private let server: ServerProcess

    init() throws { server = try ServerProcess(script: "flood.py") }

    private func address(_ path: String) -> String { "http://127.0.0.1:\(server.words[0])/\(path)" }

    /// The other responses are endless while the first one, which is read, makes no progress.
    @Test(
        "A response that is not read yet is not received without limit",
        .disabled(if: isSanitized, "Sanitizers need memory"))
    func unread() throws {
        #expect(server.ask("flood") == "flood")
        let directory = try TemporaryDirectory()
        let connector = try RunningConnector()
        let source = address("calibre/")
        _ = try connector.greet(cache: directory.path, sources: [source])
        try connector.ask(2, .open(source: source, known: nil))
        #expect(try connector.end()?.request == 2)
        try connector.ask(3, .mirror(path: directory.path + "/new.jsonl"))
        var received = -1
        // Until no more is received, and for a second at least.
        for _ in 0..<20 {
            Thread.sleep(forTimeInterval: 1)
            let now = Int(server.ask("sent")) ?? 0
            if received > 1 << 20, now - received < 1 << 20 { break }
            received = now
        }
        // Two responses of 4 MiB each, and what the sockets hold.
        #expect(received > 8 << 20 && received < 64 << 20)
        #expect(try connector.peakMemory < 100 << 20)
        try connector.ask(4, .cancel(of: 3))
        #expect(try connector.end() == ConnectorReply(to: 4, .ended(.done)))
        #expect(try connector.end() == ConnectorReply(to: 3, .failed(ConnectorFailure(.cancelled))))
    }

    @Test("Responses that had to wait are received completely") func waiting() throws {
        #expect(server.ask("lines") == "lines")
        Thread.detachNewThread { [server] in
            Thread.sleep(forTimeInterval: 1)
            _ = server.ask("go")
        }
        let copy = try Mirrored(source: address("calibre/"))
        #expect(copy.copy.isComplete && copy.copy.rows == 300)
        #expect(copy.rows.map { $0["title"]?.string } == (1...300).map { "Book \($0)" })
    }

    @Test("A feed whose ids are longer than the connector may keep is refused") func feed() throws {
        #expect(throws: ConnectorFailure(.refused, .tooLarge)) { try Mirrored(source: address("feed?page=0")) }
    }
}
