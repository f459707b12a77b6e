internal import Books
internal import Catalog
internal import Indexing
internal import Library
internal import Shelves
internal import TerminalUI

/// The detail of the current book.
final class DetailPane {
    /// The detail.
    let view = TextView()
    /// The book that it shows.
    private(set) var shownBook: BookID?
    private var frame = Rect.empty
    private let session: Session
    /// Of what the detail was made.
    private var shown: Content?
    /// The keys of the book that it shows: its id is another after a reload.
    private var shownKeys: MatchKeys?
    /// Where the detail of a book was scrolled to in this run.
    private var lines: [BookID: Int] = [:]

    private struct Content: Hashable {
        var id: BookID?
        var missing: BookIdentity?
        var revision: Int
    }

    /// The detail of the current book of `session`.
    init(_ session: Session) { self.session = session }

    /// Makes the detail of the current book, if it is not there yet.
    func refresh() {
        let model = session.books
        let content = Content(id: model.currentBook, missing: model.currentMissing, revision: model.revision)
        guard content != shown else { return }
        shown = content
        let library = session.library
        if let shownBook, content.id != shownBook { lines[shownBook] = view.topLine }
        guard let id = content.id else {
            (shownBook, shownKeys) = (nil, nil)
            let bookData = content.missing.flatMap { library.userData.books[$0] }.map(library.userData.shown(_:))
            let detail = bookData.map { BookDetail.absent($0, shelves: library.shelfNames(of: $0)) } ?? .nothingSelected
            view.paragraphs = detail.paragraphs
            view.scrollToTop()
            return
        }
        let bookData = library.shownUserData(of: id)
        let shelves = bookData.map(library.shelfNames(of:)) ?? []
        let detail = BookDetail(
            library.store.book(id), shelves: shelves, bookData: bookData, directory: library.store.libraryDirectory)
        view.paragraphs = detail.paragraphs(highlightedBy: model.rows.highlighter)
        if id != shownBook { view.scroll(toLine: lines[id] ?? 0) }
        (shownBook, shownKeys) = (id, library.store.keys(of: id))
    }

    /// Forgets the ids of books: they are others now. The book may be the same, and is read on where it was.
    func forgetBooks() {
        lines = [:]
        shown = nil
        guard let id = session.books.currentBook, session.library.store.keys(of: id) == shownKeys else {
            return shownBook = nil
        }
        shownBook = id
    }

    /// Takes its place.
    func layout(in rect: Rect) {
        frame = rect
        refresh()
        // A blank before the text, so that it does not stick to the divider.
        view.frame = Rect(row: rect.row, column: rect.column + 1, height: rect.height, width: rect.width - 1)
    }

    /// Draws it.
    func draw(on canvas: inout Canvas, isFocused: Bool) {
        view.draw(on: &canvas)
        // The sign that a current row has says which pane has the keyboard.
        if isFocused { canvas.write("▌", row: frame.row, column: frame.column) }
    }

    /// Where the cursor belongs.
    var cursor: Position { Position(row: frame.row, column: frame.column) }

    /// Scrolls it by so many lines, down where positive.
    func scroll(by lines: Int) {
        refresh()
        view.scroll(by: lines)
    }

    /// Does what was asked for in the detail.
    func perform(_ request: CommandRequest, _ app: App) -> Response {
        switch request.command {
        case .move(.nextSection), .move(.previousSection): return .ignored
        case .move(let motion):
            refresh()
            motion.apply(to: view, count: request.count)
        case .back: app.main.focus = .list
        default: return .ignored
        }
        return .done
    }

    /// What is told of it.
    var spoken: Spoken {
        Spoken(
            place: .detail, heading: "Detail",
            content: .text(view.paragraphs.map(\.spoken), topLine: view.textOfTopLine, sameTellsChangesOnly: true))
    }
}
