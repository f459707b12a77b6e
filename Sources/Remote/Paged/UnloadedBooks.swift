internal import Books
internal import Catalog
internal import Indexing

/// The books of a paged source that were unloaded and are needed again.
struct UnloadedBooks {
    /// The maximum number of books of a request.
    private static let limit = 64

    /// The books to request.
    private var wanted: [BookID] = []
    private var running: Set<BookID> = []
    /// What became of books that could not be loaded.
    private var failures: [BookID: Slot<Book>] = [:]

    /// The state of a book, which is noted as needed.
    mutating func slot(of id: BookID) -> Slot<Book> {
        if let failure = failures[id] { return failure }
        if !running.contains(id), !wanted.contains(id) { wanted.append(id) }
        return .pending
    }

    /// Returns the books to request now; nil if there are none, or a request is running.
    mutating func next() -> [BookID]? {
        guard running.isEmpty, !wanted.isEmpty else { return nil }
        let ids = Array(wanted.suffix(Self.limit))
        wanted.removeLast(ids.count)
        running = Set(ids)
        return ids
    }

    /// Notes the end of the request for `ids`; `failure` is the state of those that were not loaded.
    mutating func end(_ ids: [BookID], _ failure: Slot<Book>) {
        running = []
        for id in ids { failures[id] = failure }
    }
}
