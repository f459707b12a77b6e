internal import Catalog
internal import ConnectorProtocol
internal import Indexing

/// The lists of a paged source that were shown most recently.
struct PagedLists {
    /// The number of lists whose loaded pages are kept.
    private static let limit = 4

    private var lastGeneration: Int
    private var whole: PagedRows?
    /// The lists other than that of all books, the one shown last at the end.
    private var recent: [PagedRows] = []
    /// The list that was shown last; nil for that of all books.
    private var shown: PagedRows?
    /// The rows of books and values by the list; nil for those that it does not have.
    private var located: [Location: Int?] = [:]

    private struct Location: Hashable {
        var generation: Int
        var position: PageRequest.Position
    }

    /// Creates no lists, whose generations will follow those of `earlier`.
    init(after earlier: PagedLists? = nil) { lastGeneration = earlier?.lastGeneration ?? 0 }

    /// Whether the list of all books was shown.
    var isOpen: Bool { whole != nil }

    /// Returns the list of all books; `want` asks for its pages.
    mutating func all(_ want: @escaping (PagedRows, Int) -> Void) -> PagedRows {
        if let whole { return whole }
        let rows = make(query: nil, sort: [], want)
        whole = rows
        return rows
    }

    /// Shows a list, which is a recent one if there is one like it.
    mutating func rows(
        query: String?, sort: [PageRequest.SortKey], _ want: @escaping (PagedRows, Int) -> Void
    ) -> PagedRows {
        if query == nil, sort.isEmpty {
            shown = nil
            return all(want)
        }
        let known = recent.firstIndex { $0.query == query && $0.sort == sort }
        let rows = known.map { recent.remove(at: $0) } ?? make(query: query, sort: sort, want)
        recent.append(rows)
        if recent.count > Self.limit { recent.removeFirst() }
        shown = rows
        return rows
    }

    /// Whether a loaded page has a book.
    func hasRow(of id: BookID) -> Bool {
        whole?.row(of: id) != nil || recent.contains { $0.row(of: id) != nil }
    }

    /// The list that was shown last.
    var current: PagedRows? { shown ?? whole }

    /// The row of a book or value in a list: pending if it was not looked for.
    func row(at position: PageRequest.Position, in rows: PagedRows) -> Slot<Int> {
        switch located[Location(generation: rows.generation, position: position)] {
        case nil: .pending
        case .some(nil): .gone
        case .some(let row?): .ready(row)
        }
    }

    /// Notes the row of a book or value; nil for one that the list does not have.
    mutating func note(_ row: Int?, at position: PageRequest.Position, in rows: PagedRows) {
        located[Location(generation: rows.generation, position: position)] = .some(row)
    }

    private mutating func make(
        query: String?, sort: [PageRequest.SortKey], _ want: @escaping (PagedRows, Int) -> Void
    ) -> PagedRows {
        lastGeneration += 1
        return PagedRows(generation: lastGeneration, query: query, sort: sort, want: want)
    }
}
