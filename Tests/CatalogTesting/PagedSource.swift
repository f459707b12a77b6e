package import Books
package import Catalog
package import ConnectorProtocol
package import Indexing
package import Search

/// A source that delivers pages of books like a server: rows are loaded when they are requested, and each call of
/// `receive()` delivers one page.
package final class PagedSource: RemotelyQueried {
    package let name: String
    /// The number of books on a page.
    package let pageSize: Int
    /// The precision with which the source knows the number of its rows.
    package enum Counting { case exactly, atLeast, about, nothing }
    package var counting = Counting.exactly
    /// The pages that fail, with the reason.
    package var failures: [Int: String] = [:]
    /// The requested pages by number, in order, including delivered ones.
    package private(set) var requestedPages: [Int] = []

    fileprivate let books: [Book]
    private let reference: ReferenceSearch
    private var pending: [(rows: Rows, page: Int)] = []
    private var pendingBooks: [BookID] = []
    /// The ids of the delivered books: keys of the server get ids in the order in which they arrive.
    private var ids: [Int: BookID] = [:]
    private var numbers: [BookID: Int] = [:]
    private var wholeBooks: Set<BookID> = []
    private var wake: @Sendable () -> Void = {}

    /// Creates a server with `books`.
    package init(_ books: [Book], pageSize: Int = 10, name: String = "server") {
        (self.books, self.pageSize, self.name) = (books, pageSize, name)
        reference = ReferenceSearch(books, userData: UserDataFilter())
    }

    package func open() {}
    package var count: BookCount { all.rowCount }
    package var state: SourceState { .ready }
    package var defects: CatalogDefects { CatalogDefects() }
    package lazy var all: any RowSource = Rows(of: self, Array(books.indices))
    package func start(waking wake: @escaping @Sendable () -> Void) { self.wake = wake }

    package func summary(of id: BookID) -> Slot<BookSummary> {
        numbers[id].map { .ready(BookSummary(of: books[$0])) } ?? .gone
    }

    package func book(_ id: BookID) -> Slot<Book> {
        guard let number = numbers[id] else { return .gone }
        if wholeBooks.contains(id) { return .ready(books[number]) }
        if !pendingBooks.contains(id) { pendingBooks.append(id) }
        wake()
        return .pending
    }

    package func rows(for request: ListRequest) -> any RowSource {
        // Discard the answers to earlier requests.
        pending = []
        if request.isPlain { return all }
        var found = reference.search(request.query)
        if let criterion = request.order.criteria.first, criterion.key == .title {
            found.sort { books[$0].title < books[$1].title }
            if criterion.isReversed { found.reverse() }
        }
        return Rows(of: self, found)
    }

    package var connection: RemoteConnection { .fresh }
    package var sortKeys: Set<SortOrder.Key>? { [.title] }
    package func takeFailure() -> ConnectorFailure? { nil }
    package func sourceID(of id: BookID) -> String? { numbers[id].map(String.init) }

    package func id(ofSourceID sourceID: String) -> BookID { id(ofBook: Int(sourceID) ?? 0) }

    package func row(ofBookWithSourceID sourceID: String, in rows: any RowSource) -> Slot<Int> {
        let row = (rows as? Rows)?.found.firstIndex { String($0) == sourceID }
        return row.map(Slot.ready) ?? .gone
    }

    package func keepIDs(where isKept: @escaping (BookID) -> Bool) {}

    package func row(ofFirstBookAt text: String, in rows: any RowSource) -> Slot<Int> {
        let row = (rows as? Rows)?.found.firstIndex { books[$0].title.lowercased() >= text.lowercased() }
        return row.map(Slot.ready) ?? .gone
    }

    /// Delivers the oldest requested page and the requested books.
    package func receive() -> Bool {
        let hasBooks = !pendingBooks.isEmpty
        wholeBooks.formUnion(pendingBooks)
        pendingBooks = []
        guard !pending.isEmpty else { return hasBooks }
        let (rows, page) = pending.removeFirst()
        rows.take(page, failure: failures[page])
        if !pending.isEmpty { wake() }
        return true
    }

    private func request(_ page: Int, of rows: Rows) {
        if pending.contains(where: { $0.rows === rows && $0.page == page }) { return }
        requestedPages.append(page)
        pending.append((rows, page))
        wake()
    }

    private func id(ofBook number: Int) -> BookID {
        if let id = ids[number] { return id }
        let id = BookID(ids.count)
        (ids[number], numbers[id]) = (id, number)
        return id
    }

    /// The rows of one request.
    private final class Rows: RowSource {
        private unowned let source: PagedSource
        fileprivate let found: [Int]
        private var pages: [Int: Slot<[BookID]>] = [:]

        init(of source: PagedSource, _ found: [Int]) {
            (self.source, self.found) = (source, found)
        }

        /// The number of rows in delivered pages.
        private var knownCount: Int {
            let last = pages.filter { $0.value.value != nil }.keys.max()
            return last.map { min(found.count, ($0 + 1) * source.pageSize) } ?? 0
        }

        var rowCount: BookCount {
            switch source.counting {
            case .exactly: .exactly(found.count)
            case .about: .about(found.count)
            case .atLeast: knownCount == found.count && !pages.isEmpty ? .exactly(found.count) : .atLeast(knownCount)
            case .nothing:
                pages.isEmpty ? .unknown : knownCount == found.count ? .exactly(found.count) : .atLeast(knownCount)
            }
        }

        func id(atRow row: Int) -> Slot<BookID> {
            let page = row / source.pageSize
            if let known = pages[page] {
                return known.flatMap { ids in
                    let place = row % source.pageSize
                    return ids.indices.contains(place) ? .ready(ids[place]) : .gone
                }
            }
            source.request(page, of: self)
            return .pending
        }

        func row(of id: BookID) -> Int? {
            for (page, slot) in pages {
                if let place = slot.value?.firstIndex(of: id) { return page * source.pageSize + place }
            }
            return nil
        }

        func take(_ page: Int, failure: String?) {
            if let failure {
                pages[page] = .failed(failure)
            } else {
                let rows = found.dropFirst(page * source.pageSize).prefix(source.pageSize)
                pages[page] = .ready(rows.map(source.id(ofBook:)))
            }
        }
    }
}
