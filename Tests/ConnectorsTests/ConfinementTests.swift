import ConnectorProtocol
import ConnectorTesting
import Foundation
import GRDB
import TestSupport
import Testing

/// What the program may still do once it is confined; `make reliability CHECKS=confinement` tries what it may not.
@Suite("Confinement of the connector program") struct ConfinementTests {
    private let directory: TemporaryDirectory
    private let cache: String
    private let table: String

    init() throws {
        directory = try TemporaryDirectory()
        cache = directory.path + "/cache"
        try FileManager.default.createDirectory(atPath: cache, withIntermediateDirectories: false)
        table = try directory.write("title\nEmma\n".utf8, to: "books.csv")
    }

    /// Opens a source in a program that was told of others; returns its last reply, and what is in force.
    private func open(
        _ source: String, sources: [String]
    ) throws -> (reply: ConnectorReply.Content?, confinement: Confinement) {
        let connector = try RunningConnector()
        let confinement = try connector.greet(cache: cache, sources: sources).confinement
        try connector.ask(2, .open(source: source, known: nil))
        let reply = try connector.end()?.content
        #expect(try connector.close() == 0)
        return (reply, confinement)
    }

    @Test("What is in force is what the kernel offers")
    func isInForce() throws {
        let connector = try RunningConnector()
        let confinement = try connector.greet(cache: cache).confinement
        #expect(try connector.close() == 0)
        // Filters of system calls are older than all systems on which stacks runs.
        #expect(confinement.filtersCalls)
        let kernel = (try? String(contentsOfFile: "/sys/kernel/security/lsm", encoding: .utf8)) ?? ""
        if kernel.contains("landlock") { #expect(confinement.landlock > 0) }
    }

    @Test("Only a source that was named at the start can be opened, whatever is beside it")
    func otherFile() throws {
        let other = try directory.write("title\nPersuasion\n".utf8, to: "other.csv")
        let (reply, confinement) = try open(other, sources: [table])
        guard confinement.landlock > 0 else { return }
        // As if another program had replaced the file.
        #expect(reply == .failed(ConnectorFailure(.busy, .replaced, subject: other)))
        guard case .ended(.opened)? = try open(table, sources: [table]).reply else { throw WrongReply() }
    }

    @Test("A link is followed to its target, and a source may have a table in its name")
    func links() throws {
        let link = directory.path + "/link.csv"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: table)
        guard case .ended(.opened)? = try open(link, sources: [link]).reply else { throw WrongReply() }
        let database = try database("books.db")
        let source = database + "?table=books"
        guard case .ended(.opened)? = try open(source, sources: [source]).reply else { throw WrongReply() }
    }

    @Test("Rows in the log of a database are read")
    func log() throws {
        let path = directory.path + "/log.db"
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { database in
            try database.execute(
                sql: """
                    PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;
                    CREATE TABLE books (title TEXT, author TEXT);
                    INSERT INTO books VALUES ('Emma', 'Austen')
                    """)
        }
        #expect(FileManager.default.fileExists(atPath: path + "-wal"))
        #expect(try Mirrored(source: path).rows.count == 1)
        try queue.close()
    }

    @Test("A program for a file cannot reach a server")
    func server() throws {
        let (reply, confinement) = try open("http://127.0.0.1:9/books.csv", sources: [table])
        guard confinement.landlock >= 4 || confinement.filtersCalls else { return }
        guard case .failed(let failure)? = reply else { throw WrongReply() }
        #expect(failure.kind == .offline)
    }

    private func database(_ name: String) throws -> String {
        let path = directory.path + "/" + name
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "CREATE TABLE books (title TEXT, author TEXT)")
        }
        try queue.close()
        return path
    }
}
