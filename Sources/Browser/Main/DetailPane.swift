internal import Books
internal import Catalog
internal import Indexing
internal import Library
internal import Shelves
internal import TerminalUI

/// The pane with the detail of the current book.
final class DetailPane {
    /// The text of the detail.
    let view = TextView()
    /// The book that is shown.
    private(set) var shownBook: BookID?
    /// Whether the related books of a book are read only after it is shown, so that a key does not wait for them.
    var showsRelatedBooksLater = false
    /// Whether the related books are still to be read.
    private(set) var isPartial = false
    private var frame = Rect.empty
    private let session: Session
    /// The state from which the detail was made.
    private var shown: Content?
    /// The keys of the book that is shown, because its id changes in a reload.
    private var shownKeys: MatchKeys?
    /// The scroll positions of the books shown in this run.
    private var lines: [BookID: Int] = [:]

    private struct Content: Hashable {
        var id: BookID?
        var missing: BookIdentity?
        var revision: Int
        /// Whether all books are loaded, so that related ones can be found.
        var isComplete: Bool
        var relatedBooksArrivalCount: Int
        /// The days of reading grow at midnight.
        var today: CalendarDay
    }

    /// Creates the detail pane of `session`.
    init(_ session: Session) {
        self.session = session
        view.hasScrollMark = true
    }

    /// Updates the detail for the current book, if it has changed.
    func refresh() {
        let (model, library) = (session.books, session.library)
        let content = Content(
            id: model.currentBook, missing: model.currentMissing, revision: model.revision,
            isComplete: !library.store.state.isLoading, relatedBooksArrivalCount: library.relatedBooksArrivalCount,
            today: library.today)
        guard content != shown else { return }
        let isOther = content.id != shown?.id
        shown = content
        if let shownBook, content.id != shownBook { lines[shownBook] = view.topLine }
        // A position in the text needs all of it.
        let startsAtTop = content.id.map { lines[$0] ?? 0 } == 0
        isPartial = showsRelatedBooksLater && (isPartial || isOther) && startsAtTop
        show(content)
    }

    /// Adds the related books, if they are still to be read.
    func complete() {
        refresh()
        guard isPartial, let shown else { return }
        isPartial = false
        show(shown)
    }

    private func show(_ content: Content) {
        let (model, library) = (session.books, session.library)
        guard let id = content.id else {
            (shownBook, shownKeys) = (nil, nil)
            let bookData = content.missing.flatMap { library.userData.books[$0] }.map(library.userData.shown(_:))
            let detail = bookData.map { BookDetail.absent($0, shelves: library.shelfNames(of: $0)) } ?? .nothingSelected
            view.paragraphs = detail.card(today: library.today)
            view.scrollToTop()
            return
        }
        let bookData = library.shownUserData(of: id)
        let shelves = bookData.map(library.shelfNames(of:)) ?? []
        let slot = library.store.book(id)
        let detail = BookDetail(
            slot, shelves: shelves, bookData: bookData, directory: library.store.libraryDirectory)
        view.paragraphs = detail.card(
            highlightedBy: model.rows.highlighter,
            related: isPartial ? nil : slot.value.flatMap { relatedTitles(of: $0, id) } ?? RelatedTitles(),
            keys: CardKeys(session.bindings), today: library.today)
        if id != shownBook { view.scroll(toLine: lines[id] ?? 0) }
        (shownBook, shownKeys) = (id, library.store.keys(of: id))
    }

    private func relatedTitles(of book: Book, _ id: BookID) -> RelatedTitles? {
        session.library.books(relatedTo: book, notifying: session.wake).map {
            session.library.titles(of: $0, to: book, id)
        }
    }

    /// Discards the ids of books after a reload. If the book is the same, its scroll position is kept.
    func forgetBooks() {
        lines = [:]
        shown = nil
        guard let id = session.books.currentBook, session.library.store.keys(of: id) == shownKeys else {
            return shownBook = nil
        }
        shownBook = id
    }

    /// Sets the frame and updates the detail.
    func layout(in rect: Rect) {
        frame = rect
        refresh()
        // A column of space separates the text from the divider.
        view.frame = Rect(row: rect.row, column: rect.column + 1, height: rect.height, width: rect.width - 1)
    }

    /// Draws the pane.
    func draw(on canvas: inout Canvas, isFocused: Bool) {
        view.draw(on: &canvas)
        // The bar of a current row shows which pane has the keyboard.
        if isFocused { canvas.write("▌", row: frame.row, column: frame.column) }
    }

    /// The position of the cursor.
    var cursor: Position { Position(row: frame.row, column: frame.column) }

    /// Scrolls by a number of lines; positive is down.
    func scroll(by lines: Int) {
        complete()
        view.scroll(by: lines)
    }

    /// Performs the command, if it acts on the detail.
    func perform(_ request: CommandRequest, _ app: App) -> Response {
        switch request.command {
        case .move(.nextSection), .move(.previousSection): return .ignored
        case .move(let motion):
            complete()
            motion.apply(to: view, count: request.count)
        case .back: app.main.focus = .list
        default: return .ignored
        }
        return .done
    }

    /// The pane as text for a screen reader.
    var spoken: Spoken {
        Spoken(
            place: .detail, heading: "Detail",
            content: .text(view.paragraphs.map(\.spoken), topLine: view.textOfTopLine, speaksChangesOnly: true))
    }
}
