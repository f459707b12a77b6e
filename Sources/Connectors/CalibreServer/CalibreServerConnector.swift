internal import ConnectorProtocol
internal import Glibc

/// A library on calibre's content server.
///
/// One request returns the ids of all books. The books are fetched in batches, several at a time; if there is a copy,
/// only books that were added or changed since then.
final class CalibreServerConnector: Connector {
    private let context: RequestContext
    private let server: CalibreServer
    let opened: OpenedSource
    private(set) var version = SourceVersion()

    /// The number of concurrent requests. The server processes them one after another.
    private static let batchesAtATime = 3

    /// Opens the library that the parameter "library_id" of `url` names, or the default library. Fails if the server is
    /// not a calibre server.
    init?(at url: String, _ context: RequestContext) throws(ConnectorFailure) {
        guard let server = try CalibreServer(at: url, context) else { return nil }
        (self.context, self.server) = (context, server)
        opened = OpenedSource(
            kind: Publication.Kind.calibre.rawValue, profile: "calibre", table: server.libraries.first,
            tables: server.libraries.map { OpenedSource.Table(name: $0, columns: []) },
            alternatives: server.isChosen ? [] : Array(server.libraries.dropFirst()))
    }

    func copy(to rows: RowWriter) throws(ConnectorFailure) -> Bool {
        // The size of the web page tells nothing about the books.
        context.transferred = (0, nil)
        // The server compares days in its own time zone.
        let start = Self.dayBeforeNow
        let ids = try server.ids(matching: nil)
        rows.total = ids.count
        var kept = KeptRows()
        if let since = context.known?.modified {
            kept = KeptRows(ofFileAt: context.scratch + "/data.jsonl")
            kept.remove(try server.ids(matching: "last_modified:>=\(since)"))
        }
        let isWhole = try copy(ids, keeping: kept, to: rows)
        version = SourceVersion(modified: start)
        return isWhole
    }

    /// Yesterday in UTC, such as "2026-11-23".
    private static var dayBeforeNow: String {
        var seconds = time(nil) - 24 * 3600
        var parts = tm()
        gmtime_r(&seconds, &parts)
        func padded(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(parts.tm_year + 1900)-\(padded(parts.tm_mon + 1))-\(padded(parts.tm_mday))"
    }

    /// Writes the books with these ids; rows in `kept` are copied unchanged.
    ///
    /// - Returns: Whether the server returned all books, except those deleted in the meantime.
    private func copy(_ ids: [Int], keeping kept: KeptRows, to rows: RowWriter) throws(ConnectorFailure) -> Bool {
        let wanted = ids.filter { !kept.contains($0) }
        var batches = stride(from: 0, to: wanted.count, by: CalibreServer.batchSize).map {
            Array(wanted[$0..<min($0 + CalibreServer.batchSize, wanted.count)])
        }[...]
        var running: [(ids: [Int], transfer: HTTPTransfer)] = []
        var hydrated: [Int: [UInt8]] = [:]
        var asked: Set<Int> = []
        func ask() throws(ConnectorFailure) {
            while running.count < Self.batchesAtATime, let batch = batches.popFirst() {
                running.append((batch, try server.start(batch)))
            }
            // The server processes them while this program parses earlier responses.
            context.http.advance()
        }
        for id in ids {
            if try kept.write(id, to: rows) { continue }
            if !asked.contains(id) {
                try ask()
                let next = running.removeFirst()
                let answer = try server.answer(to: next.ids, from: next.transfer)
                try ask()
                asked = Set(next.ids)
                hydrated = server.records(of: next.ids, in: answer)
            }
            // The server sends null for a book deleted in the meantime.
            if let book = hydrated.removeValue(forKey: id) { try rows.add { $0 += book } }
        }
        return true
    }
}
