internal import ConnectorProtocol

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
        // Asked for before the list: what is changed after the list is later, and found by the next copy.
        let time = try server.timeOfLastChange()
        let ids = try server.idsByChange()
        rows.total = ids.count
        var kept = LastRows()
        var known: [Int: [UInt8]?] = [:]
        if let since = context.known?.modified {
            kept = LastRows(ofFileAt: context.scratch + "/data.jsonl")
            let changed = try ChangedBooks(of: server, in: ids, since: since)
            known = changed.records
            kept.remove(changed.others)
        }
        try copy(Set(ids).sorted(), knowing: known, keeping: kept, to: rows)
        version = SourceVersion(modified: time)
        return true
    }

    /// Writes the books with these ids, except those deleted in the meantime.
    ///
    /// - Parameters:
    ///   - known: The records that were fetched already, keyed by id.
    ///   - kept: The rows that are copied unchanged.
    private func copy(
        _ ids: [Int], knowing known: [Int: [UInt8]?], keeping kept: LastRows, to rows: RowWriter
    ) throws(ConnectorFailure) {
        let wanted = ids.filter { known[$0] == nil && !kept.contains($0) }
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
            if let record = known[id] {
                if let record { try rows.add { $0 += record } }
                continue
            }
            if try kept.write(id, to: rows) { continue }
            if !asked.contains(id) {
                try ask()
                // A row of the last copy that could not be read is in no batch.
                guard !running.isEmpty else { continue }
                let next = running.removeFirst()
                let answer = try server.answer(to: next.ids, from: next.transfer)
                try ask()
                asked = Set(next.ids)
                hydrated = server.records(of: next.ids, in: answer)
            }
            // The server sends null for a book deleted in the meantime.
            if let book = hydrated.removeValue(forKey: id) { try rows.add { $0 += book } }
        }
    }
}
