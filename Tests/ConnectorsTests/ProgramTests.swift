import ConnectorProtocol
import ConnectorTesting
import Foundation
import GRDB
import TestSupport
import Testing

@testable import JSON

@Suite("Connector program") struct ProgramTests {
    @Test func everyLineGetsAReplyAndTheProgramExitsAtTheEndOfInput() throws {
        let connector = try RunningConnector()
        try connector.write("nonsense\n\n{\"id\":7}\n" + String(repeating: "x", count: 1 << 21) + "\n")
        try connector.ask(1, .hello(version: ConnectorRequest.version, cache: "/tmp"))
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

    @Test func aSourceIsCopiedAndNothingElseIsWritten() throws {
        let directory = try TemporaryDirectory()
        let cache = directory.path + "/cache"
        try FileManager.default.createDirectory(atPath: cache, withIntermediateDirectories: false)
        let table = try directory.write("a,b\n1,2\n".utf8, to: "t.csv")
        let connector = try RunningConnector()
        let greeting = try connector.greet(cache: cache, sources: [table])
        for (id, path) in [(2, cache + "/new.jsonl"), (4, directory.path + "/new.jsonl")] {
            try connector.ask(id, .open(source: table, known: nil))
            _ = try connector.end()
            try connector.ask(id + 1, .mirror(path: path))
            let reply = try connector.end()
            let isWritten = FileManager.default.contents(atPath: path) == Data("{\"a\":\"1\",\"b\":\"2\"}\n".utf8)
            if id == 2 {
                #expect(isWritten && reply?.request == 3)
            } else if greeting.confinement.landlock > 0 {
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

    /// Memory that a damaged or hostile source would fill is not that of other programs.
    @Test(.disabled(if: isSanitized, "Sanitizers need memory")) func theProgramLimitsItsMemory() throws {
        let connector = try RunningConnector()
        _ = try connector.greet(cache: "/tmp")
        #expect(connector.memoryLimit == "4294967296")
        #expect(try connector.close() == 0)
    }

    /// Each of these files would be waited for without end.
    @Test(arguments: ["library/metadata.db", "log.db-wal", "journal.db-journal", "shared.db-shm"])
    func aPipeInPlaceOfAFileIsRefused(name: String) throws {
        let directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: directory.path + "/library", withIntermediateDirectories: false)
        for (name, mode) in [("log", "WAL"), ("journal", "DELETE"), ("shared", "WAL")] {
            let queue = try DatabaseQueue(path: "\(directory.path)/\(name).db")
            try queue.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA journal_mode = \(mode); CREATE TABLE books (title TEXT)")
            }
            try queue.close()
        }
        let pipe = "\(directory.path)/\(name)"
        #expect(mkfifo(pipe, 0o600) == 0)
        let source =
            name.hasPrefix("library") ? directory.path + "/library" : directory.path + "/" + name.prefix { $0 != "-" }
        let connector = try RunningConnector()
        _ = try connector.greet(cache: directory.path, sources: [source])
        try connector.ask(2, .open(source: source, known: nil))
        #expect(
            try connector.end(waiting: 5)
                == ConnectorReply(to: 2, .failed(ConnectorFailure(.unsupported, .notAFile, subject: pipe))))
        connector.kill()
    }

    /// A view that would take hours: the program reports that it works, can be cancelled, and continues with the next
    /// request.
    @Test(.thorough) func aLongRequestReportsThatItWorksAndCanBeCancelled() throws {
        let directory = try TemporaryDirectory()
        let database = try TemporaryDatabase(
            """
            CREATE VIEW books AS WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 1000000000000)
            SELECT max(n) AS title, 'x' AS author FROM c
            """)
        let connector = try RunningConnector()
        _ = try connector.greet(cache: directory.path, sources: [database.path])
        try connector.ask(2, .open(source: database.path, known: nil))
        try connector.ask(3, .mirror(path: directory.path + "/new.jsonl"))
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

    /// A file is made only in the folder of the conversation.
    @Test func exportsAreWrittenOnlyToTheirFolder() throws {
        let (folder, elsewhere) = (try TemporaryDirectory(), try TemporaryDirectory())
        let rows = try folder.write((LibraryExportTests.full + "\n").utf8, to: "rows.jsonl")
        let connector = try RunningConnector()
        let greeting = try connector.greet(cache: folder.path)
        try connector.ask(2, .export(kind: "sqlite", from: rows, to: folder.path + "/export.tmp"))
        #expect(try connector.end()?.content == .ended(.exported(rows: 1)))
        // Old kernels cannot confine a program.
        if greeting.confinement.landlock > 0 {
            try connector.ask(3, .export(kind: "sqlite", from: rows, to: elsewhere.path + "/export.tmp"))
            guard case .failed? = try connector.end()?.content else { throw WrongReply() }
            #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere.path) == [])
        }
        #expect(try connector.close() == 0)
        #expect(try Set(FileManager.default.contentsOfDirectory(atPath: folder.path)) == ["rows.jsonl", "export.tmp"])
    }

    /// Another program that has the database open would continue with the replaced file.
    @Test func aDatabaseInUseIsNotUpdated() throws {
        let folder = try TemporaryDirectory()
        let rows = try folder.write((LibraryExportTests.full + "\n").utf8, to: "rows.jsonl")
        let made = try Exported([LibraryExportTests.full], as: "sqlite")
        let queue = try DatabaseQueue(path: made.path)
        func export(_ id: Int, _ connector: RunningConnector) throws -> ConnectorReply.Content? {
            try connector.ask(
                id, .export(kind: "sqlite", from: rows, to: folder.path + "/export.tmp", replacing: made.path))
            return try connector.end()?.content
        }
        let connector = try RunningConnector()
        _ = try connector.greet(cache: folder.path, sources: [made.path])
        for (id, statement) in ["BEGIN IMMEDIATE", "BEGIN EXCLUSIVE", "BEGIN; SELECT * FROM books"].enumerated() {
            try queue.writeWithoutTransaction { database in
                try database.execute(sql: statement)
                #expect(
                    try export(id + 1, connector) == .failed(ConnectorFailure(.busy, subject: made.path)),
                    "\(statement)")
                try database.execute(sql: "COMMIT")
            }
        }
        #expect(try export(10, connector) == .ended(.exported(rows: 1)))
    }
}
