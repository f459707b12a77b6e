import Books
import Catalog
import CatalogTesting
import ConnectorProtocol
import ConnectorTesting
import Foundation
import JSON
import Search
import TestSupport
import Testing

@testable import Connectors
@testable import Indexing

// Unchecked: the directory does not change, and the script is asked by one thread at a time.
/// Two ClickHouse servers for tests, which are the parts of a cluster, or one server with the engine of today.
final class ClickHouseCluster: @unchecked Sendable {
    private let lock = NSLock()
    private let server: ServerProcess
    private let directory: TemporaryDirectory
    /// The ports for HTTP.
    let ports: [String]

    /// The path of a Python that has the engine of today; nil if the tests run against Debian's servers.
    static let today = ProcessInfo.processInfo.environment["STACKS_CLICKHOUSE"]

    /// Starts the servers; `password` is that of the default user.
    init(password: String = "") throws {
        directory = try TemporaryDirectory()
        server =
            if let today = Self.today {
                try ServerProcess(script: "clickhouse_today.py", arguments: [directory.path], python: today)
            } else {
                try ServerProcess(script: "clickhouse.py", arguments: [directory.path, password])
            }
        ports = server.words
    }

    /// Returns how many of `count` books each server has.
    func parts(of count: Int) -> [Int] { ports.count == 1 ? [count] : [count - count / 2, count / 2] }

    /// Returns the address of a catalog in the cluster, or on the only server.
    func address(of database: String, cluster: String? = "two") -> String {
        if ports.count == 1 { return "clickhouse://127.0.0.1:\(ports[0])/\(database)" }
        return "clickhouse://127.0.0.1:\(ports[0]),127.0.0.1:\(ports[1])/\(database)"
            + (cluster.map { "?cluster=\($0)" } ?? "")
    }

    /// Executes a statement on a server, 1 or 2, and returns its lines.
    func sql(_ statement: String, on host: Int = 1) -> [String] {
        let reply = lock.withLock { server.ask("sql \(host) \(statement)") }
        let text = JSONValue(parsing: reply.utf8)?.string ?? "no reply"
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast(
            text.isEmpty || text.hasSuffix("\n") ? 1 : 0
        )
        .map(String.init)
    }

    /// Tells the script to stop, start, freeze or thaw a server.
    func tell(_ command: String) { #expect(lock.withLock { server.ask(command) } == "done") }
}

extension Trait where Self == ConditionTrait {
    /// The test needs the two parts of a cluster.
    static var needsCluster: Self {
        .disabled(if: ClickHouseCluster.today != nil, "the engine of today has no cluster")
    }

    /// The test needs the engine of today.
    static var needsClickHouseOfToday: Self {
        .enabled(if: ClickHouseCluster.today != nil, "make test-clickhouse runs it")
    }
}

/// A conversation with the connector about a paged source.
final class PagedSession {
    private let cache: TemporaryDirectory
    private let session: ConfinedSession

    /// A page as stacks receives it.
    struct Page {
        var rows: [JSONValue]
        var first: Int
        var end: PageEnd

        /// The ids of the books.
        var ids: [String] { rows.compactMap { $0["id"]?.string } }
    }

    /// Opens a source.
    init(
        _ source: String, answers: [(user: String, secret: String)] = []
    ) throws {
        cache = try TemporaryDirectory()
        session = try ConfinedSession(
            cache: cache.path, sources: [source], answers: answers.map { ($0.user, $0.secret) })
        _ = try ask(.open(source: source, known: nil))
    }

    /// The replies to the last request.
    var lastReplies: [ConnectorReply.Content] { session.replies }

    /// Sends a request, and returns its result.
    @discardableResult
    func ask(
        _ action: ConnectorRequest.Action, isCancelled: @escaping () -> Bool = { false }
    ) throws -> ConnectorReply.End {
        try session.ask(action, isCancelled: isCancelled)
        guard case .ended(let end)? = session.replies.last else { throw session.failure }
        return end
    }

    /// Requests a page.
    func page(
        _ query: String? = nil, by sort: String = "", at position: PageRequest.Position = .row(0), limit: Int = 50,
        isCancelled: @escaping () -> Bool = { false }
    ) throws -> Page {
        let keys = sort.split(separator: ",").map {
            PageRequest.SortKey(String($0.drop { $0 == "-" }), isDescending: $0.hasPrefix("-"))
        }
        let request = PageRequest(query: query, sort: keys, at: position, limit: limit, generation: 7)
        guard case .paged(let end) = try ask(.page(request), isCancelled: isCancelled) else { throw WrongReply() }
        let parts = session.replies.compactMap { if case .rows(let rows) = $0 { rows } else { nil } }
        return Page(rows: parts.flatMap(\.rows), first: parts.first?.first ?? 0, end: end)
    }

    /// Requests all rows of a list in pages.
    func allIDs(_ query: String? = nil, by sort: String = "", limit: Int = 1000) throws -> [String] {
        var ids: [String] = []
        while true {
            let page = try page(query, by: sort, at: .row(ids.count), limit: limit)
            ids += page.ids
            if page.rows.isEmpty || ids.count >= page.end.count?.value ?? 0 { return ids }
        }
    }
}

/// A generated catalog in the format in which stacks publishes one.
struct GeneratedCatalog {
    /// The records.
    let rows: [String]

    // No word contains another one except at its beginning, so that a search within words finds nothing more.
    private static let words =
        ("the of a night king kingdom river house shadow winter glass letter garden secret empire stone sea lost "
        + "daughter road fire memory silent wolf catch-22 étude über łódź ñandú война море 日本 物語 ελλάδα").split(
            separator: " ")
    private static let given = "Stephen Mary Haruki José Émile Anna Søren Łukasz Virginia".split(separator: " ")
    private static let family = "Morris Smith Tolkien Murakami Brontë Le·Guin García Żuk van·Gogh".split(separator: " ")
    private static let subjects = ["Poetry", "History", "Science fiction", "Música", "Art & craft"]

    /// Generates `count` books.
    init(count: Int, seed: UInt64 = 1) {
        var random = SplitMix(seed: seed)
        rows = (0..<count).map { Self.row($0, &random) }
    }

    private static func row(_ number: Int, _ random: inout SplitMix) -> String {
        func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
        func pick(_ list: [Substring]) -> String { String(list[below(list.count)].replacing("·", with: " ")) }
        var members: [(String, JSONValue)] = [("id", .string("b\(number)"))]
        let title = below(50) == 0 ? "" : (0...below(6)).map { _ in pick(words) }.joined(separator: " ")
        members.append(("title", .string(title)))
        let authors = (0..<below(3)).map { _ in JSONValue.string(pick(given) + " " + pick(family)) }
        members.append(("authors", .array(authors)))
        if below(3) > 0 { members.append(("isbn", .string(isbn(number)))) }
        if below(5) > 0 { members.append(("pageCount", .number("\(50 + below(900))"))) }
        if below(3) > 0 { members.append(("fiction", .boolean(below(2) == 0))) }
        if below(4) > 0 { members.append(("publisher", .string(pick(family) + " Press"))) }
        if below(10) > 0 {
            members.append(("published", .string(below(30) == 0 ? "-0\(300 + below(200))" : "\(1800 + below(225))")))
        }
        if below(5) > 0 {
            members.append(("language", .array([.string(["en", "de", "fr", "pt-BR", "ja"][below(5)])])))
        }
        members.append(("subjects", .array((0..<below(3)).map { _ in .string(subjects[below(subjects.count)]) })))
        if below(4) == 0 {
            members.append(("series", .string(pick(words).capitalized + " Saga")))
            if below(2) == 0 { members.append(("seriesPosition", .number("\(1 + below(12))"))) }
        }
        if below(6) == 0 { members.append(("description", .string("About “\(title)” \\ and 'more'\n"))) }
        if below(4) == 0 { members.append(("rating", .number("\(Double(below(11)) / 2)"))) }
        if below(2) == 0 {
            members.append(("dateAdded", .string("20\(10 + below(15))-0\(1 + below(9))-1\(below(10))")))
        }
        return JSONValue.object(members.map { .init(key: $0.0, value: $0.1) }).json
    }

    private static func isbn(_ number: Int) -> String {
        let digits = Array("978\(String(1_000_000_000 + number * 7 % 900_000_000).prefix(9))".utf8).map { Int($0) - 48 }
        let sum = digits.enumerated().reduce(0) { $0 + $1.element * ($1.offset % 2 == 0 ? 1 : 3) }
        return digits.map(String.init).joined() + "\((10 - sum % 10) % 10)"
    }

    /// The index of the same catalog as a local file.
    func localIndex() throws -> BookIndex {
        let mapping = try #require(ProfileLibrary(directory: nil).profile(named: "native")).mapping
        var writer = SegmentWriter()
        for (number, row) in rows.enumerated() {
            writer.add(mapping.book(from: try #require(JSONValue(parsing: row.utf8))), offset: number)
        }
        var index = BookIndex()
        for segment in writer.take() { index.append(segment) }
        return index
    }
}
