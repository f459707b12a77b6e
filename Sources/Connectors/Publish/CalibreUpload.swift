internal import ConnectorProtocol
internal import JSON

/// Makes changes of a library on calibre's content server, one book after the other.
///
/// A change is made of the book as it was in the copy of the library: where the server has another value meanwhile, the
/// book is left as it is there. What the server has already is not sent again, so that changes that were stopped go on when
/// they are made once more.
struct CalibreUpload {
    private let publication: Publication
    private let server: CalibreServer
    private let columns: CalibreColumns
    private let context: RequestContext
    private let send: (ConnectorReply.Content) -> Void

    /// What was done so far.
    private struct Account {
        /// The number of rows that were looked at.
        var rows = 0
        var sent = 0
        /// The numbers of the books that were sent, once for each time.
        var written: [Int] = []
        var deleted: [Int] = []
        var refused: [RefusedRow] = []
        var lastReport: Int64 = 0
    }

    /// The time between two reports of progress in milliseconds.
    private static let pause: Int64 = 100

    /// Asks the server for what is needed to change a library.
    ///
    /// - Parameter send: Is given the progress and what the server did not take.
    /// - Throws: `ConnectorFailure` if it is not a server of calibre, or may not be written to.
    init(
        _ publication: Publication, _ context: RequestContext, _ send: @escaping (ConnectorReply.Content) -> Void
    ) throws(ConnectorFailure) {
        guard let server = try CalibreServer(at: publication.target, context) else {
            throw ConnectorFailure(.server, .notHTTP, detail: HTTPRequest.host(of: publication.target))
        }
        (self.publication, self.server, self.context, self.send) = (publication, server, context, send)
        columns = try server.columns()
    }

    /// Makes the changes.
    ///
    /// - Returns: What was sent, and how much of it the server has in the end.
    func run() throws(ConnectorFailure) -> ConnectorReply.End {
        var reader = try RowReader(publication.path)
        var account = Account()
        var batch: [CalibreChange?] = []
        while let row = try reader.next() {
            batch.append(CalibreChange(row))
            if batch.count == CalibreServer.batchSize {
                try make(batch, &account)
                batch = []
            }
        }
        try make(batch, &account)
        if publication.isDryRun { return .published(sent: account.sent, counted: nil) }
        return .published(sent: account.sent, counted: try count(account))
    }

    /// Returns how many of the books that were sent are there, or gone if they were deleted.
    private func count(_ account: Account) throws(ConnectorFailure) -> Int {
        if account.sent == 0 { return 0 }
        let ids = Set(try server.ids(matching: nil))
        return account.written.count(where: ids.contains) + account.deleted.count { !ids.contains($0) }
    }

    private func make(_ changes: [CalibreChange?], _ account: inout Account) throws(ConnectorFailure) {
        let ids = changes.compactMap { $0?.id }
        let present = ids.isEmpty ? [:] : try server.records(of: Set(ids).sorted())
        var made: Set<Int> = []
        for change in changes {
            account.rows += 1
            // What a row before has changed must be asked for again.
            let record =
                try change?.id.flatMap { id throws(ConnectorFailure) in
                    made.insert(id).inserted ? present[id] : try server.records(of: [id])[id]
                }
            try make(change, over: record.flatMap { JSONValue(parsing: $0) }, &account)
            report(&account)
        }
        if !account.refused.isEmpty {
            send(.refused(account.refused))
            account.refused = []
        }
    }

    private func make(
        _ change: CalibreChange?, over present: JSONValue?, _ account: inout Account
    ) throws(ConnectorFailure) {
        if context.isCancelled() { throw ConnectorFailure(.cancelled) }
        let step =
            change?.step(over: present, in: columns, omittingMisfits: publication.omitsMisfits) ?? .refuse(.value, nil)
        switch step {
        case .nothing: return
        case .refuse(let reason, let detail):
            account.refused.append(RefusedRow(row: account.rows, reason, detail: detail))
            return
        case .add, .set, .delete: break
        }
        if !publication.isDryRun {
            do throws(ConnectorFailure) {
                try make(step, &account)
            } catch {
                // The server does not take this one; the others may be right.
                guard error.kind == .server, error.reason == .status else { throw error }
                account.refused.append(RefusedRow(row: account.rows, .server, detail: error.detail))
                return
            }
        }
        account.sent += 1
    }

    private func make(_ step: CalibreChange.Step, _ account: inout Account) throws(ConnectorFailure) {
        switch step {
        case .nothing, .refuse: break
        case .add(let metadata, let fields):
            let id = try server.add(metadata)
            account.written.append(id)
            if !fields.isEmpty { try server.set(fields, of: id) }
        case .set(let fields, let id):
            try server.set(fields, of: id)
            account.written.append(id)
        case .delete(let id):
            try server.delete(id)
            account.deleted.append(id)
        }
    }

    private func report(_ account: inout Account) {
        let now = context.now
        guard now - account.lastReport >= Self.pause else { return }
        account.lastReport = now
        send(
            .progress(
                CopyProgress(
                    rows: account.rows, total: publication.rows, bytes: 0, received: context.transferred.bytes)))
    }
}
