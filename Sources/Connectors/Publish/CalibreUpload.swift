internal import ConnectorProtocol
internal import JSON

/// Applies changes to a library on calibre's content server, one book after another.
///
/// A change is based on the record in the copy of the library. If the value on the server has changed since, the change
/// is refused. Values that the server already has are not sent again, so that interrupted changes can be continued.
struct CalibreUpload {
    private let publication: Publication
    private let server: CalibreServer
    private let columns: CalibreColumns
    private let context: RequestContext
    private let send: (ConnectorReply.Content) -> Void

    /// The results so far.
    private struct Results {
        /// The number of processed rows.
        var rows = 0
        var sent = 0
        /// The ids of added and changed books, once for each change.
        var written: [Int] = []
        var deleted: [Int] = []
        var refused: [RefusedRow] = []
        var lastReport: Int64 = 0
    }

    /// The minimum time between progress reports, in milliseconds.
    private static let reportInterval: Int64 = 100

    /// Connects to the server and fetches the custom columns of the library.
    ///
    /// - Parameter send: A function that receives the progress and the refused rows.
    /// - Throws: `ConnectorFailure` if the server is not a calibre server, or does not allow writing.
    init(
        _ publication: Publication, _ context: RequestContext, _ send: @escaping (ConnectorReply.Content) -> Void
    ) throws(ConnectorFailure) {
        guard let server = try CalibreServer(at: publication.target, context) else {
            throw ConnectorFailure(.server, .notHTTP, detail: HTTPRequest.host(of: publication.target))
        }
        (self.publication, self.server, self.context, self.send) = (publication, server, context, send)
        columns = try server.columns()
    }

    /// Applies the changes.
    ///
    /// - Returns: The number of sent changes, and the number of them that the server has afterwards.
    func run() throws(ConnectorFailure) -> ConnectorReply.End {
        var reader = try RowReader(publication.path)
        var results = Results()
        var batch: [CalibreChange?] = []
        while let row = try reader.next() {
            batch.append(CalibreChange(row))
            if batch.count == CalibreServer.batchSize {
                try apply(batch, &results)
                batch = []
            }
        }
        try apply(batch, &results)
        if publication.isDryRun { return .published(sent: results.sent, counted: nil) }
        return .published(sent: results.sent, counted: try count(results))
    }

    /// Returns the number of sent changes whose book is on the server, or not on it after a deletion.
    private func count(_ results: Results) throws(ConnectorFailure) -> Int {
        if results.sent == 0 { return 0 }
        let ids = Set(try server.ids(matching: nil))
        return results.written.count(where: ids.contains) + results.deleted.count { !ids.contains($0) }
    }

    private func apply(_ changes: [CalibreChange?], _ results: inout Results) throws(ConnectorFailure) {
        let ids = changes.compactMap { $0?.id }
        let present = ids.isEmpty ? [:] : try server.records(of: Set(ids).sorted())
        var processed: Set<Int> = []
        for change in changes {
            results.rows += 1
            // A book that an earlier row changed must be fetched again.
            let record =
                try change?.id.flatMap { id throws(ConnectorFailure) in
                    processed.insert(id).inserted ? present[id] : try server.records(of: [id])[id]
                }
            try apply(change, over: record.flatMap { JSONValue(parsing: $0) }, &results)
            report(&results)
        }
        if !results.refused.isEmpty {
            send(.refused(results.refused))
            results.refused = []
        }
    }

    private func apply(
        _ change: CalibreChange?, over present: JSONValue?, _ results: inout Results
    ) throws(ConnectorFailure) {
        if context.isCancelled() { throw ConnectorFailure(.cancelled) }
        let step =
            change?.step(over: present, in: columns, omittingUnsupported: publication.omitsUnsupported)
            ?? .refuse(.value, nil)
        switch step {
        case .nothing: return
        case .refuse(let reason, let detail):
            results.refused.append(RefusedRow(row: results.rows, reason, detail: detail))
            return
        case .add, .set, .delete: break
        }
        if !publication.isDryRun {
            do throws(ConnectorFailure) {
                try apply(step, &results)
            } catch {
                // The server refuses this change; it may accept the others.
                guard error.kind == .server, error.reason == .status else { throw error }
                results.refused.append(RefusedRow(row: results.rows, .server, detail: error.detail))
                return
            }
        }
        results.sent += 1
    }

    private func apply(_ step: CalibreChange.Step, _ results: inout Results) throws(ConnectorFailure) {
        switch step {
        case .nothing, .refuse: break
        case .add(let metadata, let fields):
            let id = try server.add(metadata)
            results.written.append(id)
            if !fields.isEmpty { try server.set(fields, of: id) }
        case .set(let fields, let id):
            try server.set(fields, of: id)
            results.written.append(id)
        case .delete(let id):
            try server.delete(id)
            results.deleted.append(id)
        }
    }

    private func report(_ results: inout Results) {
        let now = context.now
        guard now - results.lastReport >= Self.reportInterval else { return }
        results.lastReport = now
        send(
            .progress(
                CopyProgress(
                    rows: results.rows, total: publication.rows, bytes: 0, received: context.transferred.bytes)))
    }
}
