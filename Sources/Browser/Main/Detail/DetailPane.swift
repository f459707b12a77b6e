internal import Books
internal import Catalog
internal import Editing
internal import Graphemes
internal import Indexing
internal import Library
internal import Search
internal import Shelves
internal import TerminalUI

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
    /// What the links of the text lead to, by their numbers.
    private var targets: [CardTarget] = []
    /// The book that is shown, if it is at hand.
    private var book: Book?
    /// What there is to show of its cover.
    private var figure: Figure?

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
            (shownBook, shownKeys, book) = (nil, nil, nil)
            let detail = bookData.map { BookDetail.absent($0, shelves: shelves) } ?? .nothingSelected
            show(detail.card(today: today))
            view.scrollToTop()
            return
        }
        let slot = library.store.book(id)
        book = slot.value
        let detail = BookDetail(
            slot, shelves: shelves, bookData: bookData, directory: library.store.libraryDirectory)
        let selected = id == shownBook ? selectedTarget : nil
        show(
            detail.card(
                highlightedBy: model.rows.highlighter,
                related: slot.value.flatMap { relatedTitles(of: $0, id) } ?? RelatedTitles(),
                keys: CardKeys(session.bindings), today: today))
        if id != shownBook { view.scroll(toLine: lines[id] ?? 0) }
        // The links of the same book may have other numbers now.
        view.selectedLink = selected.flatMap(targets.firstIndex)
        (shownBook, shownKeys) = (id, library.store.keys(of: id))
    }

    private func show(_ card: LinkedText) {
        view.paragraphs = card.paragraphs
        targets = card.targets
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
        placeCover()
        // The text or its width may have changed.
        if let selectedLink, !view.shows(selectedLink) { view.reveal(line: selectedLink.line) }
    }

    /// Leaves a place for the cover of the book, if it has one that can be shown.
    private func placeCover() {
        let place = session.covers.placeInCard(ofSize: Size(rows: view.frame.height, columns: view.frame.width))
        figure = nil
        if let book, let place, let cover = session.covers.cover(of: book, in: place.size) { figure = Figure(cover) }
        view.figurePlace = figure == nil ? nil : place
    }

    /// The size of the place of a cover; nil if the pane has none.
    var coverSize: Size? {
        session.covers.placeInCard(ofSize: Size(rows: view.frame.height, columns: view.frame.width))?.size
    }

    /// Draws the pane.
    func draw(on canvas: inout Canvas, isFocused: Bool) {
        view.draw(on: &canvas)
        if let figure, let place = view.figureRect { figure.draw(in: place, clippedTo: view.frame, on: &canvas) }
        // The bar of a current row shows which pane has the keyboard, and the line of the selected link without colour.
        if isFocused { canvas.write("▌", row: cursor.row, column: cursor.column) }
    }

    /// The position of the cursor.
    var cursor: Position {
        let line = selectedLink.map(\.line) ?? view.topLine
        return Position(row: frame.row + line - view.topLine, column: frame.column)
    }

    /// Scrolls by a number of lines; positive is down.
    func scroll(by lines: Int) {
        showCurrent()
        view.scroll(by: lines)
        leaveLinkOutOfSight()
    }

    /// Leaves the selected link if the text was scrolled away from it, so that Enter follows only what can be seen.
    private func leaveLinkOutOfSight() { if let selectedLink, !view.shows(selectedLink) { leaveLink() } }

    // MARK: - Links

    /// Whether the card has names or links to follow.
    var hasLinks: Bool { view.hasLinks }

    /// Returns what the name or link at a position leads to; nil if none is there.
    func target(at position: Position) -> CardTarget? {
        showCurrent()
        return view.link(at: position).map { targets[$0.number] }
    }

    /// What the selected link leads to, if one is selected.
    private var selectedTarget: CardTarget? { view.selectedLink.map { targets[$0] } }

    private var selectedLink: TextView.Link? {
        view.selectedLink.flatMap { number in view.links.first { $0.number == number } }
    }

    /// Leaves the selected link.
    ///
    /// - Returns: False if none was selected.
    @discardableResult
    func leaveLink() -> Bool {
        defer { view.selectedLink = nil }
        return view.selectedLink != nil
    }

    /// Selects the link `step` links further, counted from the top of the frame if none is selected, and makes it visible.
    ///
    /// - Returns: False if there is none so far.
    private func selectLink(by step: Int) -> Bool {
        showCurrent()
        let links = view.links
        let selected = links.firstIndex { $0.number == view.selectedLink }
        // Without a selected link, the place is before the first one in the frame.
        let next = links.firstIndex { $0.line >= view.topLine } ?? links.count
        let index = selected.map { $0 + step } ?? (step > 0 ? next + step - 1 : next + step)
        guard links.indices.contains(index) else { return false }
        view.selectedLink = links[index].number
        view.reveal(line: links[index].line)
        return true
    }

    /// Selects the last link, if there is one.
    func selectLastLink() {
        showCurrent()
        guard let last = view.links.last else { return }
        view.selectedLink = last.number
        view.reveal(line: last.line)
    }

    /// Performs the command, if it acts on the detail.
    func perform(_ request: CommandRequest, _ app: App) -> Response {
        switch request.command {
        case .move(.nextSection), .move(.previousSection): return .ignored
        case .move(let motion):
            showCurrent()
            motion.apply(to: view, count: request.count)
            leaveLinkOutOfSight()
        // After the last link, the next pane has its turn.
        case .link(let direction):
            let count = min(request.count ?? 1, 1000)
            if !selectLink(by: direction == .next ? count : -count) { return .ignored }
        case .open:
            showCurrent()
            guard let selectedTarget else {
                session.status.say(.noLinkSelected, session.keyLabel(of: .link(.next)))
                break
            }
            app.main.follow(selectedTarget, app)
        case .back: app.main.focus = .list
        default: return .ignored
        }
        return .done
    }

    /// The pane as text for a screen reader, which reads the selected link in place of the line at the top.
    var spoken: Spoken {
        let link = selectedLink.map { "\($0.text), link \($0.number + 1) of \(targets.count)".sanitized }
        return Spoken(
            place: .detail, heading: "Detail",
            content: .text(
                view.paragraphs.map(\.spoken), topLine: link ?? view.textOfTopLine, speaksChangesOnly: true))
    }
}
