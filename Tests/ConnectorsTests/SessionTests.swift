import ConnectorProtocol
import ConnectorTesting
import TestSupport
import Testing

@testable import Connectors

@Suite("Session of the connector program") struct SessionTests {
    private func replies(_ actions: [ConnectorRequest.Action]) -> [ConnectorReply.Content] {
        var replies: [ConnectorReply] = []
        let session = ConnectorSession(confines: false) { replies.append($0) }
        for (index, action) in actions.enumerated() { session.answer(ConnectorRequest(id: index + 1, action)) }
        return replies.map(\.content)
    }

    @Test func itGreets() {
        guard
            case .ended(.greeted(let greeting))? = replies([.hello(version: ConnectorRequest.version, cache: "/tmp")])
                .first
        else {
            Issue.record("no greeting")
            return
        }
        #expect(greeting.version == 4 && greeting.kinds.contains("csv") && greeting.kinds.contains("marc"))
        #expect(
            replies([.hello(version: 5, cache: "/tmp")]) == [
                .failed(ConnectorFailure(.unsupported, .version, detail: "4"))
            ])
    }

    @Test func requestsOutOfOrderOrOfALaterVersionAreErrors() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/new.jsonl"
        #expect(replies([.mirror(path: path)]) == [.failed(ConnectorFailure(.request, .nothingOpen))])
        #expect(replies([.answer(user: "a", secret: "b")]) == [.failed(ConnectorFailure(.request, .nothingOpen))])
        #expect(replies([.books(ids: [])]).count == 1)
        #expect(
            replies([.open(source: "gopher://host/db", known: nil)]) == [
                .failed(ConnectorFailure(.unsupported, detail: "gopher"))
            ])
        let table = try directory.write("a,b\n1,2\n".utf8, to: "t.csv")
        let answers = replies([.open(source: table, known: nil), .mirror(path: directory.path + "/none/new.jsonl")])
        guard case .failed(let failure)? = answers.last else {
            Issue.record("a copy into a directory that is missing")
            return
        }
        #expect(failure.kind == .helper && failure.reason == .cannotWrite)
    }

    @Test func anUnchangedSourceIsFresh() throws {
        let directory = try TemporaryDirectory()
        let table = try directory.write("a,b\n1,2\n".utf8, to: "t.csv")
        let copy = try Mirrored(source: table)
        func isFresh() -> Bool? {
            guard case .ended(.opened(let source))? = replies([.open(source: table, known: copy.copy.version)]).first
            else {
                return nil
            }
            return source.isFresh
        }
        #expect(isFresh() == true)
        try directory.write("a,b\n1,3\n4,5\n".utf8, to: "t.csv")
        #expect(isFresh() == false)
    }

    @Test func aCancelledRequestFailsAsCancelled() throws {
        let directory = try TemporaryDirectory()
        let rows = String(repeating: "1,2\n", count: 100_000)
        let table = try directory.write("a,b\n\(rows)".utf8, to: "t.csv")
        var replies: [ConnectorReply] = []
        let session = ConnectorSession(confines: false) { replies.append($0) }
        session.answer(ConnectorRequest(id: 1, .open(source: table, known: nil)))
        var questions = 0
        session.answer(ConnectorRequest(id: 2, .mirror(path: directory.path + "/new.jsonl"))) {
            questions += 1
            return questions > 3
        }
        #expect(replies.last == ConnectorReply(to: 2, .failed(ConnectorFailure(.cancelled))))
        #expect(questions == 4)
    }
}
