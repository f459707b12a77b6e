internal import ConnectorProtocol
internal import JSON

/// The books of a library on calibre's content server that were changed since the last copy.
///
/// The server tells the time of a change only with the whole book, and searches for days. It can, however, list the books
/// by the time of their last change. They are fetched in that order, until one was not changed since the last copy.
struct ChangedBooks {
    private let server: CalibreServer
    private let time: String
    /// The fetched records, keyed by id; nil for books deleted in the meantime.
    private(set) var records: [Int: [UInt8]?] = [:]
    /// The ids of further books that may have been changed.
    private(set) var others: [Int] = []

    /// The maximum number of books whose records are kept in memory.
    private static let limit = 2000

    /// Fetches the books.
    ///
    /// - Parameters:
    ///   - ids: The ids of all books, the one that was changed last first.
    ///   - time: The time of the last copy, as the server writes it.
    init(of server: CalibreServer, in ids: [Int], since time: String) throws(ConnectorFailure) {
        (self.server, self.time) = (server, time)
        var rest = ids[...]
        while !rest.isEmpty, records.count < Self.limit {
            let batch = Array(rest.prefix(CalibreServer.batchSize))
            rest = rest.dropFirst(batch.count)
            switch try fetch(batch) {
            case .changed: continue
            case .unchanged: return
            case .unordered: break
            }
            break
        }
        guard !rest.isEmpty else { return }
        // The server compares days in its own time zone.
        let days = CalibreTime.dayBefore(time).map { "last_modified:>=\($0)" }
        others = try server.ids(matching: days)
    }

    /// What a batch of books tells about those that follow.
    private enum Batch {
        /// They may have been changed.
        case changed
        /// They were not changed.
        case unchanged
        /// Nothing: a book was changed since the list was made, or calibre is set to sort by day or month.
        case unordered
    }

    /// Fetches books, the one that was changed last first.
    private mutating func fetch(_ ids: [Int]) throws(ConnectorFailure) -> Batch {
        let transfer = try server.start(ids)
        let answer = try server.answer(to: ids, from: transfer)
        let found = server.records(of: ids, in: answer)
        for id in ids { records.updateValue(found[id], forKey: id) }
        let times = ids.compactMap { CalibreServer.change(of: $0, in: answer) }
        if !zip(times, times.dropFirst()).allSatisfy(>=) { return .unordered }
        return times.last.map { $0 < time } == true ? .unchanged : .changed
    }
}
