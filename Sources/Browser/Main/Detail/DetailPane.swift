internal import Books
internal import Catalog
internal import Editing
internal import Indexing
internal import Library
internal import Search
internal import Shelves
internal import TerminalUI
internal import Text

/// The pane with the detail of the current book.
final class DetailPane {
    /// The text of the detail.
    let view = TextView()
    /// The book that is shown.
    private(set) var shownBook: BookID?
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
        /// The version of what related books are found from: all books and their names.
        var related: LibraryVersion
        /// Today, if the book has a reading log, whose days grow at midnight.
        var today: CalendarDay?
    }

    /// Creates the detail pane of `session`.
    init(_ session: Session) {
        self.session = session
        view.hasScrollMark = true
    }

    /// The state from which the detail of the current book is made.
    private var currentContent: Content {
        let (model, library) = (session.books, session.library)
        var content = Content(
            id: model.currentBook, missing: model.currentMissing, revision: model.revision,
            related: library.version(of: [.allBooks, .names]))
        if bookData(of: content)?.readingLog.isEmpty == false { content.today = library.today }
        return content
    }

    /// Updates the detail for the current book, if it has changed.
    private func showCurrent() {
        let content = currentContent
        if content == shown { return }
        if let shownBook, content.id != shownBook { lines[shownBook] = view.topLine }
        makeCard(of: content)
        // Books that are being read are shown when they have arrived.
        shown = session.library.store.isFetching ? nil : content
    }

    private func bookData(of content: Content) -> UserBookData? {
        let library = session.library
        if let id = content.id { return library.shownUserData(of: id) }
        return content.missing.flatMap { library.userData.books[$0] }.map(library.userData.shown(_:))
    }

    private func makeCard(of content: Content) {
        let (model, library) = (session.books, session.library)
        let bookData = bookData(of: content)
        let shelves = bookData.map(library.shelfNames(of:)) ?? []
        let today = library.today
        guard let id = content.id else {
            (shownBook, shownKeys) = (nil, nil)
            let detail = bookData.map { BookDetail.absent($0, shelves: shelves) } ?? .nothingSelected
            view.paragraphs = detail.card(today: today)
            view.scrollToTop()
            return
        }
        let slot = library.store.book(id)
        let detail = BookDetail(
            slot, shelves: shelves, bookData: bookData, directory: library.store.libraryDirectory)
        view.paragraphs = detail.card(
            highlightedBy: model.rows.highlighter,
            related: slot.value.flatMap { relatedTitles(of: $0, id) } ?? RelatedTitles(),
            keys: CardKeys(session.bindings), today: today)
        if id != shownBook { view.scroll(toLine: lines[id] ?? 0) }
        (shownBook, shownKeys) = (id, library.store.keys(of: id))
    }

    private func relatedTitles(of book: Book, _ id: BookID) -> RelatedTitles? {
        session.library.books(relatedTo: book).map {
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

    /// Sets the frame, and updates the detail.
    func layout(in rect: Rect) {
        frame = rect
        showCurrent()
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
        showCurrent()
        view.scroll(by: lines)
    }

    /// Returns the query for the books of the author, series or subject at a position; nil if none is there.
    func query(at position: Position) -> String? {
        showCurrent()
        guard let glyph = view.glyph(at: position), let book = session.currentWholeBook?.book else { return nil }
        let text = view.paragraphs[glyph.paragraph].text
        let values: [(Query.TextField, String)] =
            book.authors.map { (.author, $0) } + book.contributors.map { (.author, $0.name) }
            + book.subjects.map { (.subject, $0) } + (book.series.map { [(.series, SeriesName.name(of: $0))] } ?? [])
        // The longest one, because a subject may be a part of another one.
        let found = values.filter { _, name in
            name.isEmpty
                ? false
                : text.ranges(of: name).contains { range in
                    let start = TextView.glyphCount(of: text[..<range.lowerBound])
                    return (start..<start + TextView.glyphCount(of: text[range])).contains(glyph.number)
                }
        }
        return found.max { $0.1.count < $1.1.count }.flatMap { Query.text(of: $0.0, whole: $0.1) }
    }

    /// Performs the command, if it acts on the detail.
    func perform(_ request: CommandRequest, _ app: App) -> Response {
        switch request.command {
        case .move(.nextSection), .move(.previousSection): return .ignored
        case .move(let motion):
            showCurrent()
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
