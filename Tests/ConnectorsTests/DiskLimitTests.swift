import ConnectorProtocol
import Foundation
import Glibc
import TestSupport
import Testing

@testable import Connectors

@Suite("The limits for files in the cache") struct DiskLimitTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// Copies a source with a limit in bytes, and returns the last reply and the files that are left.
    private func copy(_ source: String, limit: Int) throws -> (ConnectorReply.Content?, [String]) {
        let cache = try TemporaryDirectory()
        var replies: [ConnectorReply] = []
        let session = ConnectorSession(confines: false) { replies.append($0) }
        session.answer(
            ConnectorRequest(id: 1, .hello(version: ConnectorRequest.version, cache: cache.path, limit: limit)))
        session.answer(ConnectorRequest(id: 2, .open(source: source, known: nil)))
        if case .ended(.opened)? = replies.last?.content {
            session.answer(ConnectorRequest(id: 3, .mirror(path: cache.path + "/new.jsonl")))
        }
        return (replies.last?.content, try FileManager.default.contentsOfDirectory(atPath: cache.path))
    }

    private static let refusal = ConnectorReply.Content.failed(ConnectorFailure(.refused, .copyLimit, detail: "1"))

    @Test("A copy that becomes longer than the limit is refused, and one that fits is not") func rows() throws {
        // Each row becomes a line of 100 bytes: {"title":"...","author":"..."}.
        let title = String(repeating: "x", count: 71)
        let rows = (1...20_000).map { _ in "\(title),Ann\n" }.joined()
        let path = try directory.write(("title,author\n" + rows).utf8, to: "books.csv")
        let (end, _) = try copy(path, limit: 3 << 20)
        guard case .ended(.mirrored(let copied))? = end else {
            Issue.record("\(String(describing: end))")
            return
        }
        #expect(copied.rows == 20_000 && copied.bytes > 1_900_000 && copied.bytes < 2_100_000)
        #expect(try copy(path, limit: copied.bytes).0 == .ended(.mirrored(copied)))
        #expect(try copy(path, limit: 1 << 20).0 == Self.refusal)
    }

    @Test("A bibliography that is longer than the limit before it is converted is refused") func bibliography() throws {
        let reference = "%0 Book\n%T Emma: a novel in three volumes\n%A Austen, Jane\n\n"
        let path = try directory.write(String(repeating: reference, count: 30_000).utf8, to: "books.enw")
        #expect(try copy(path, limit: 1 << 20).0 == Self.refusal)
    }

    @Test("A compressed database that becomes longer than the limit is refused, and leaves nothing")
    func database() throws {
        let path = directory.path + "/books.db"
        let script = """
            import sqlite3, gzip, sys
            d = sqlite3.connect(sys.argv[1])
            d.execute("CREATE TABLE books(title, author)")
            d.executemany("INSERT INTO books VALUES(?, 'Ann')", [("x" * 1000,)] * 3000)
            d.commit()
            d.execute("PRAGMA journal_mode = WAL")
            d.close()
            open(sys.argv[1] + ".gz", "wb").write(gzip.compress(open(sys.argv[1], "rb").read()))
            """
        let python = Process()
        python.executableURL = URL(filePath: "/usr/bin/python3")
        python.arguments = ["-c", script, path]
        try python.run()
        python.waitUntilExit()
        try #require(python.terminationStatus == 0)
        for source in [path + ".gz", path] {
            let (end, left) = try copy(source, limit: 1 << 20)
            #expect(end == Self.refusal)
            #expect(!left.contains { $0.hasPrefix("database-") })
        }
    }

    @Test("A copy leaves room on the disk, unless it is small") func room() throws {
        let descriptor = open(directory.path, O_RDONLY | O_DIRECTORY)
        defer { close(descriptor) }
        // No file system is empty enough for this one.
        let limit = DiskLimit(room: .max, parts: 1)
        try limit.check(16 << 20, of: descriptor)
        #expect(throws: ConnectorFailure(.helper, .noRoom)) { try limit.check(16 << 20 + 1, of: descriptor) }
        try DiskLimit(room: 0).check(16 << 20 + 1, of: descriptor)
    }
}
