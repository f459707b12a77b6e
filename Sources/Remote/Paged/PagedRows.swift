internal import Catalog
internal import ConnectorProtocol
internal import Indexing

/// The rows of a list in a paged source, loaded page by page as they are displayed.
final class PagedRows: RowSource {
    /// The number of rows of a page.
    static let pageSize = 64
    /// The maximum number of pages that stay loaded.
    private static let pageLimit = 32

    /// A page of rows.
    private enum Page {
        case loaded([BookID])
        case failed(String)
    }

    /// The number of the list, which increases.
    let generation: Int
    /// The search in the query language, or nil for all books.
    let query: String?
    /// The order, first key first.
    let sort: [PageRequest.SortKey]
    /// The number of rows, as far as the source has told.
    private(set) var rowCount = BookCount.unknown
    /// The parts of the query that the source ignored, as typed.
    private(set) var ignoredTerms: [String] = []
    /// Whether a part of the server did not answer, so that books may be missing.
    private(set) var isPartial = false
    /// The page that was asked for last.
    private(set) var lastAskedPage = 0

    /// The version of the source to which the pages belong, if it tells one.
    private var version: String?
    private var pages: [Int: Page] = [:]
    /// The loaded pages, the most recently needed one last.
    private var order: [Int] = []
    /// The rows of books whose pages were loaded.
    private var rows: [BookID: Int] = [:]
    /// Asks for a page that is not loaded.
    private let want: (PagedRows, Int) -> Void

    /// Creates a list; `want` asks for one of its pages, and may be called again until the page is there.
    init(
        generation: Int, query: String?, sort: [PageRequest.SortKey], want: @escaping (PagedRows, Int) -> Void
    ) {
        (self.generation, self.query, self.sort, self.want) = (generation, query, sort, want)
    }

    func id(atRow row: Int) -> Slot<BookID> {
        let page = row / Self.pageSize
        lastAskedPage = page
        switch pages[page] {
        case .loaded(let ids):
            touch(page)
            let place = row % Self.pageSize
            return ids.indices.contains(place) ? .ready(ids[place]) : .gone
        case .failed(let reason): return .failed(reason)
        case nil:
            want(self, page)
            return .pending
        }
    }

    func row(of id: BookID) -> Int? { rows[id] }

    /// Whether a page is loaded or has failed.
    func has(_ page: Int) -> Bool { pages[page] != nil }

    /// Whether a page is loaded.
    func isLoaded(_ page: Int) -> Bool { if case .loaded? = pages[page] { true } else { false } }

    /// Whether a page can exist, as far as the number of rows is known.
    func mayHave(_ page: Int) -> Bool { page >= 0 && (page == 0 || page * Self.pageSize < rowCount.displayed) }

    /// Takes over a page.
    ///
    /// If the source has changed since the other pages were loaded, these are forgotten: together with this one, they
    /// could show a book twice or not at all.
    func take(_ page: Int, _ ids: [BookID], _ end: PageEnd) {
        if let old = version, let new = end.version, old != new { (pages, order, rows) = ([:], [], [:]) }
        version = end.version ?? version
        pages[page] = .loaded(ids)
        for (place, id) in ids.enumerated() { rows[id] = page * Self.pageSize + place }
        touch(page)
        if order.count > Self.pageLimit { unload(order.removeFirst()) }
        (ignoredTerms, isPartial) = (end.ignoredTerms, end.isPartial)
        rowCount = count(after: page, rowsOfPage: ids.count, end.count)
    }

    /// Records that a page cannot be loaded, for a reason in words.
    func fail(_ page: Int, _ reason: String) { pages[page] = .failed(reason) }

    /// The number of rows, given what the source said with a page.
    private func count(after page: Int, rowsOfPage: Int, _ total: BookTotal?) -> BookCount {
        let end = page * Self.pageSize + rowsOfPage
        if let total, total.kind == .exact { return .exactly(total.value) }
        // A page that is not full is the last one, and an empty one follows it.
        if rowsOfPage == 0, page > 0 { return .exactly(min(rowCount.known, page * Self.pageSize)) }
        if rowsOfPage < Self.pageSize { return .exactly(end) }
        if let total, total.kind == .approximate { return .about(max(total.value, end)) }
        return .atLeast(max(total?.value ?? rowCount.known, end))
    }

    private func touch(_ page: Int) {
        if order.last == page { return }
        order.removeAll { $0 == page }
        order.append(page)
    }

    private func unload(_ page: Int) {
        guard case .loaded(let ids)? = pages.removeValue(forKey: page) else { return }
        for (place, id) in ids.enumerated() where rows[id] == page * Self.pageSize + place { rows[id] = nil }
    }
}
