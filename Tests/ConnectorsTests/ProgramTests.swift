import ConnectorProtocol
import Foundation
import TestSupport
import Testing

@testable import JSON

/// The connector program in a process of its own, as stacks starts it.
private final class RunningConnector {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var rest = Data()

    init() throws {
        // It is built with the tests, and stands beside them.
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        process.executableURL = URL(filePath: tests).deletingLastPathComponent().appending(path: "stacks-connect")
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    deinit { if process.isRunning { process.terminate() } }

    func write(_ text: String) throws { try input.fileHandleForWriting.write(contentsOf: Data(text.utf8)) }

    func ask(_ id: Int, _ action: ConnectorRequest.Action) throws {
        try write(String(decoding: ConnectorRequest(id: id, action).line, as: UTF8.self) + "\n")
    }

    /// Returns the next line, or nil at the end of the output.
    func next() throws -> ConnectorReply? {
        while true {
            if let end = rest.firstIndex(of: 0x0A) {
                let line = rest[..<end]
                rest = rest[(end + 1)...]
                return try ConnectorReply(parsing: line)
            }
            let part = output.fileHandleForReading.availableData
            if part.isEmpty { return nil }
            rest = rest + part
        }
    }

    /// Returns the next reply that is the last one to its request.
    func end() throws -> ConnectorReply? {
        while let reply = try next() {
            switch reply.content {
            case .ended, .failed: return reply
            default: break
            }
        }
        return nil
    }

    /// Ends the input, and returns the status of the program.
    func close() throws -> Int32 {
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        return process.terminationStatus
    }
}

@Suite("The connector program") struct ProgramTests {
    @Test func everyLineIsAnsweredAndTheEndOfTheInputEndsIt() throws {
        let connector = try RunningConnector()
        try connector.write("nonsense\n\n{\"id\":7}\n" + String(repeating: "x", count: 1 << 21) + "\n")
        try connector.ask(1, .hello(version: 1, cache: nil))
        var replies: [ConnectorReply] = []
        while replies.count < 4, let reply = try connector.end() { replies.append(reply) }
        #expect(replies.map(\.request) == [0, 7, 0, 1])
        #expect(
            replies.prefix(3).map(\.content) == [
                .failed(ConnectorFailure(.request, .notJSON)),
                .failed(ConnectorFailure(.request, .member, detail: "do")),
                .failed(ConnectorFailure(.request, .tooLong)),
            ])
        #expect(try connector.close() == 0)
    }

    @Test func itCopiesASourceAndWritesNowhereElse() throws {
        let directory = try TemporaryDirectory()
        let cache = directory.path + "/cache"
        try FileManager.default.createDirectory(atPath: cache, withIntermediateDirectories: false)
        let table = try directory.write("a,b\n1,2\n".utf8, to: "t.csv")
        let connector = try RunningConnector()
        try connector.ask(1, .hello(version: 1, cache: cache))
        guard case .ended(.greeted(let greeting))? = try connector.end()?.content else {
            Issue.record("no greeting")
            return
        }
        for (id, path) in [(2, cache + "/new.jsonl"), (4, directory.path + "/new.jsonl")] {
            try connector.ask(id, .open(source: table, known: nil))
            _ = try connector.end()
            try connector.ask(id + 1, .mirror(path: path))
            let reply = try connector.end()
            let isWritten = FileManager.default.contents(atPath: path) == Data("{\"a\":\"1\",\"b\":\"2\"}\n".utf8)
            if id == 2 {
                #expect(isWritten && reply?.request == 3)
            } else if greeting.isConfined {
                #expect(!isWritten)
                guard case .failed(let failure)? = reply?.content else {
                    Issue.record("a copy outside of the cache")
                    return
                }
                #expect(failure.kind == .helper && failure.reason == .cannotWrite)
            }
        }
        #expect(try connector.close() == 0)
    }

    /// A view that would take hours: the program says that it works, can be stopped, and goes on with the next request.
    @Test func aLongRequestIsAliveAndCanBeCancelled() throws {
        let directory = try TemporaryDirectory()
        let database = try MadeDatabase(
            """
            CREATE VIEW books AS WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 1000000000000)
            SELECT max(n) AS title, 'x' AS author FROM c
            """)
        let connector = try RunningConnector()
        try connector.ask(1, .hello(version: 1, cache: directory.path))
        try connector.ask(2, .open(source: database.path, known: nil))
        try connector.ask(3, .mirror(path: directory.path + "/new.jsonl"))
        #expect(try connector.end()?.request == 1)
        #expect(try connector.end()?.request == 2)
        #expect(try connector.next() == ConnectorReply(to: 3, .waiting))
        try connector.ask(4, .cancel(of: 3))
        #expect(try connector.end() == ConnectorReply(to: 4, .ended(.done)))
        #expect(try connector.end() == ConnectorReply(to: 3, .failed(ConnectorFailure(.cancelled))))
        try connector.ask(5, .open(source: database.path, known: nil))
        #expect(try connector.end()?.request == 5)
        try connector.ask(6, .mirror(path: directory.path + "/new.jsonl"))
        #expect(try connector.next() == ConnectorReply(to: 6, .waiting))
        #expect(try connector.close() == 0)
    }
}
