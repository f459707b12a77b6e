internal import Books
internal import Catalog
internal import Editing
internal import Indexing
internal import Library
internal import Search
internal import TerminalUI
internal import Threading

/// What a jump leads to: the card of a book, or the first books of an author, a series, a subject or a list.
final class JumpPreview {
    /// The text.
    let view = TextView()
    private let session: Session
    /// The target that is shown.
    private var shown: JumpFinder.Target?
    /// The search for the books of the target, while it is running.
    private var search: BookSearch?

    /// The maximum number of books that are listed.
    private static let limit = 40

    /// Creates an empty preview.
    init(_ session: Session) { self.session = session }

    /// Shows a target; nil for none.
    func show(_ target: JumpFinder.Target?, of finder: JumpFinder) {
        if target == shown { return receive(finder) }
        stop()
        shown = target
        view.paragraphs = []
        view.scrollToTop()
        switch target {
        case nil: break
        case .list(let list, _):
            let library = session.library
            // The books of a server are not known before it is asked.
            guard library.store.remote == nil || library.remoteScope(of: list) == nil,
                let books = library.books(in: list, waiting: 0, notifying: session.wake)
            else { return }
            show(list.name, books)
        case .candidate(let candidate) where candidate.kind == .title:
            let library = session.library
            let slot = library.store.book(finder.book(of: candidate))
            let bookData = library.shownUserData(of: finder.book(of: candidate))
            view.paragraphs =
                BookDetail(
                    slot, shelves: bookData.map(library.shelfNames(of:)) ?? [], bookData: bookData,
                    directory: library.store.libraryDirectory
                ).card().paragraphs
        case .candidate(let candidate):
            guard finder.loaded == nil else { return }
            let index = session.library.store.index
            search = BookSearch(
                Query(finder.query(of: candidate), of: session.library.store.schema),
                in: BookSearch.Scope(BookList(allOf: index.count), of: index), as: .batch, notifying: session.wake)
            receive(finder)
        }
    }

    /// Takes over the books that were found.
    private func receive(_ finder: JumpFinder) {
        // In a small catalog, the books are found before the screen is drawn.
        let isSmall = session.library.store.index.count <= 50_000
        guard let search, search.wait(milliseconds: isSmall ? session.books.timeBudget : 0),
            case .candidate(let candidate) = shown
        else { return }
        self.search = nil
        var books = search.result.list
        if candidate.kind == .series, books.count <= 10_000 {
            let index = session.library.store.index
            let places = books.map { (place: index.facts(at: $0.index).position, id: $0) }
            // A place that is unknown is not a number.
            let ordered = places.sorted {
                ($0.place.isNaN ? .infinity : $0.place, $0.id) < ($1.place.isNaN ? .infinity : $1.place, $1.id)
            }
            books = BookList(ordered.map(\.id))
        }
        show(finder.name(of: candidate), books)
    }

    private func show(_ name: String, _ books: BookList) {
        let first = (0..<min(books.count, Self.limit)).compactMap { row -> TextView.Paragraph? in
            guard let book = session.library.store.bookAtHand(books[row]) else { return nil }
            var paragraph = TextView.Paragraph(book.shownTitle)
            paragraph.trailing = book.published.map { PartialDate.name(ofYear: $0.year) } ?? ""
            return paragraph
        }
        let rest = books.count - first.count
        let end: [TextView.Paragraph] = rest == 0 ? [] : [.init("\(rest.grouped) more", style: .secondary)]
        view.paragraphs =
            [.init(name, style: .strong), .init(books.count.of("book"), style: .secondary), .init("")] + first + end
    }

    /// Stops looking for books.
    func stop() {
        search?.stop()
        search = nil
        shown = nil
    }
}

extension BookList {
    fileprivate func map<Value>(_ body: (BookID) -> Value) -> [Value] { (0..<count).map { body(self[$0]) } }
}
