internal import Books
internal import Catalog
internal import Indexing
internal import Library
internal import Search
internal import Shelves
internal import Storage
internal import TerminalUI
internal import Threading

/// A book that stays current, where it is on the screen, as long as the list has it.
struct ScrollAnchor: Hashable {
    /// The book; nil for none.
    var id: BookID?
    /// How far it is from the top of the screen.
    var offset: Int
}

/// The list that is open: what is asked of it, the rows that answer, and where the reader is in them.
///
/// What is asked takes effect with `advance()`, which also takes over what was done in the background: nothing else changes
/// the rows.
final class BookListModel {
    /// The books and what is the reader's own.
    let library: Library
    /// The settings.
    let settings: Settings
    /// Where it says what the reader must know.
    let status: Status
    /// The table of the rows: its current row and its scroll are where the reader is.
    let table = TableView(columns: [])
    /// The rows.
    let rows: BookListDataSource
    /// What makes them.
    let pipeline = ListPipeline()
    /// The list that is open.
    private(set) var list = NamedList.all
    /// The book that stays current while the list changes; nil if the reader has moved since.
    var anchor: ScrollAnchor?
    /// Where the reader is to be as soon as it is loaded; nil if they are there, or went elsewhere.
    var pendingJump: PendingJump?
    /// What became of the list since the session asked last.
    private(set) var changes: SessionChanges = []
    /// Counts what became of the rows and of what they show.
    private(set) var revision = 0
    /// What the rows have to catch up with.
    private var asked = Asked.nothing
    /// The order that lists had before a saved search was opened that has one of its own, and that one.
    private var orderOfQuery: (former: SortOrder, own: SortOrder)?
    /// Why the last search found nothing.
    var emptySearch = EmptySearch()
    /// Where the reader was in the lists that they left in this run.
    private var positions: [NamedList: (row: Int, top: Int)] = [:]

    private enum Asked {
        case nothing
        /// Another selection or order of the same books.
        case request
        /// Other books.
        case books
        /// The books of a saved search that are still being looked for.
        case savedSearch
    }

    /// The lists of `library`, of which none is open yet.
    init(_ library: Library, settings: Settings, status: Status) {
        self.library = library
        self.settings = settings
        self.status = status
        rows = BookListDataSource(library: library)
        table.dataSource = rows
    }

    // MARK: - What is there

    /// What is asked of the list.
    var request: ListRequest { pipeline.request }

    /// What is still to be done; nil if all is.
    var progress: ListPipeline.Progress? { asked == .savedSearch ? .searching : pipeline.progress }

    /// Whether the books of the saved search that is open are still being looked for.
    var isOpeningSavedSearch: Bool { asked == .savedSearch }

    /// The current book, if it is there.
    var currentBook: BookID? {
        table.currentRow.flatMap { $0 < rows.bookRowCount ? rows.books.id(atRow: $0).value : nil }
    }

    /// How many books there are, as far as the source can tell, and how many are not in the catalog.
    var countText: String {
        guard case .exactly = rows.books.rowCount else { return rows.books.rowCount.shown }
        return ListCount(books: rows.bookRowCount, missing: rows.missing.count).text
    }

    /// The current row and how many there are: "2/11", or "+1/11 +2" at a book that is not in the catalog.
    var positionText: String {
        let row = (table.currentRow ?? 0) - rows.bookRowCount
        return "\(currentMissing == nil ? table.positionOfRow : "+\((row + 1).grouped)")/\(countText)"
    }

    /// The current mark on a book that is not in the catalog; nil if a book is current.
    var currentMissing: BookIdentity? {
        guard let row = table.currentRow, row >= rows.bookRowCount else { return nil }
        let number = row - rows.bookRowCount
        return number < rows.missing.count ? rows.missing[number].identity : nil
    }

    /// Where the reader is.
    var visit: HistoryEntry { HistoryEntry(list: list, request: request, anchor: anchor ?? currentAnchor) }

    private var currentAnchor: ScrollAnchor {
        ScrollAnchor(id: currentBook, offset: (table.currentRow ?? 0) - table.topRow)
    }

    /// How long the screen waits for what is listed, in milliseconds: a frame, if the catalog is large. The small ones take
    /// less than a frame, and are waited for so that no screen is drawn without them.
    var timeBudget: Int { settings.timeBudget ?? (library.store.index.count > 50_000 ? 16 : 5000) }

    // MARK: - Asking

    /// Opens a list where it was left in this run, as a whole unless something else is asked of it.
    func open(_ list: NamedList, as asked: ListRequest? = nil) {
        leave()
        // It may have been renamed since it was last shown.
        self.list = library.lists.first { $0 == list } ?? list
        anchor = nil
        var request = asked ?? self.request
        if asked == nil {
            request.query = Query("")
            request.order = order(of: list, after: request.order)
        }
        pipeline.change(to: request)
        refill()
        if isOpeningSavedSearch { showNothing() }
        let position = positions[list] ?? (row: 0, top: 0)
        table.select(position.row, top: position.top)
        if isOpeningSavedSearch { pendingJump = .position(row: position.row, top: position.top) }
    }

    /// Remembers where the reader is in the open list, for when they come back.
    func leave() {
        endRange()
        positions[list] = (table.currentRow ?? 0, table.topRow)
    }

    /// The order in which a list is opened: that of a saved search that has one, and else that of the lists before.
    private func order(of list: NamedList, after order: SortOrder) -> SortOrder {
        // What the reader ordered otherwise meanwhile is their wish for all lists.
        let former = orderOfQuery.flatMap { $0.own == order ? $0.former : nil } ?? order
        orderOfQuery = nil
        guard let own = library.query(of: list)?.sort.flatMap(SortOrder.init) else { return former }
        orderOfQuery = (former, own)
        return own
    }

    /// Asks for another selection or order of the same books; the current book stays current while it is among them.
    func ask(for request: ListRequest) {
        guard request != self.request else { return }
        endRange()
        anchor = anchor ?? currentAnchor
        pendingJump = nil
        pipeline.change(to: request)
        if asked == .nothing { asked = .request }
    }

    /// Goes to where the reader was in this list.
    func restore(_ visit: HistoryEntry) {
        anchor = visit.anchor
        endRange()
        pipeline.change(to: visit.request)
        if asked != .savedSearch { asked = .books }
        advance()
    }

    /// Fills the list with what was asked for, if its books or their marks are others now.
    ///
    /// - Parameter isGrown: Whether the list has the same books as before and more at the end.
    func refill(isGrown: Bool = false) {
        asked = fillPipeline(isGrown: isGrown, milliseconds: timeBudget) ? .books : .savedSearch
        advance()
    }

    /// Forgets what was made of the books: they are others now.
    func forget() { pipeline.forget() }

    /// Stands still at the current row: the reader chose it.
    func stay() {
        anchor = nil
        pendingJump = nil
    }

    /// Notes that what the rows show is another now, and shows it.
    func reloadRows() {
        table.reloadData()
        noteChange()
    }

    /// Notes that what the detail shows may be another now.
    func noteChange(_ change: SessionChanges = .books) {
        revision += 1
        changes.insert(change)
    }

    /// What became of the list since this was asked last.
    func takeChanges() -> SessionChanges {
        defer { changes = [] }
        return changes
    }

    // MARK: - Advancing

    /// Brings the rows up to what was asked for, as far as it is there: at once, as far as that takes less than a frame, and
    /// else in the background.
    func advance() {
        if asked == .savedSearch {
            // What is shown stays until there is something to take its place.
            guard fillPipeline(isGrown: false, milliseconds: 0) else { return }
            asked = .books
        }
        let isNew = asked != .nothing
        let firstRows = asked == .request ? firstRows : nil
        asked = .nothing
        let hasChanged = pipeline.advance(milliseconds: isNew ? timeBudget : 0, showing: firstRows)
        if isNew || hasChanged {
            showRows()
            if let pendingJump { jump(to: pendingJump) }
        } else if table.rowCount == 0 {
            table.placeholder = placeholder
        }
    }

    /// Gives the pipeline the books of the open list, if they are there.
    ///
    /// - Returns: False if they are still being looked for.
    private func fillPipeline(isGrown: Bool, milliseconds: Int) -> Bool {
        if let remote = library.store.remote, let scope = library.remoteScope(of: list) {
            pipeline.show(request, from: remote, within: scope)
            return true
        }
        guard let books = library.books(in: list, waiting: milliseconds, notifying: pipeline.notify) else {
            return false
        }
        pipeline.show(
            request, of: books, in: library.store.index, userData: { [library] in library.userDataFilter },
            isGrown: isGrown, isComplete: !library.store.state.isLoading, notifying: pipeline.notify)
        return true
    }

    /// The rows of a search that are shown before it is complete; nil for a small catalog, in which it takes less than a frame.
    private var firstRows: BookSearch.FirstRows? {
        if library.store.index.count <= 50_000 { return nil }
        return BookSearch.FirstRows(count: table.frame.height, anchor: anchor?.id)
    }

    /// Shows no rows, as those of another list are still there.
    private func showNothing() {
        rows.books = BookList([])
        rows.sections = nil
        rows.missing = []
        table.placeholder = placeholder
        reloadRows()
    }

    /// Shows what the pipeline has.
    private func showRows() {
        // What was there stays until there is something to take its place.
        if pipeline.rows.rowCount.displayed == 0 && pipeline.progress != nil { return }
        // Books that come to a sorted list come between its rows.
        if !request.isPlain { endRange() }
        rows.books = pipeline.rows
        rows.sections = pipeline.sections
        rows.highlighter = request.query.expression == .everything ? nil : MatchHighlighter(request.query)
        let isWhole = request.query.expression == .everything && !library.store.state.isLoading
        rows.missing = isWhole ? library.missingUserData(in: list) : []
        diagnose()
        table.placeholder = placeholder
        table.reloadData()
        noteChange()
        guard let anchor else { return }
        if let id = anchor.id, let row = rows.books.row(of: id) {
            table.select(row, top: row - anchor.offset)
        } else {
            table.select(0, top: 0)
        }
    }

    /// Shows the books that the open list has now. The current one stays current; if it left the list, the one behind it is.
    func refillKeepingCurrentBook() {
        // Where the reader is on the way to somewhere else, that decides.
        if pendingJump != nil { return refill() }
        let (id, missing) = (currentBook, currentMissing)
        let (row, top) = (table.currentRow ?? 0, table.topRow)
        anchor = nil
        refill()
        guard progress == nil else {
            anchor = id.map { ScrollAnchor(id: $0, offset: row - top) }
            return
        }
        let newRow =
            id.flatMap { rows.books.row(of: $0) }
            ?? missing.flatMap { identity in rows.missing.firstIndex { $0.identity == identity } }
            .map { $0 + rows.bookRowCount }
        if let newRow {
            if newRow != row { table.select(newRow, top: newRow - (row - top)) }
        } else {
            noteChange(.bookLeft)
        }
    }

    /// Takes the present name of the open list.
    ///
    /// - Returns: False if the list is gone.
    func takeNameOfList() -> Bool {
        guard let current = library.lists.first(where: { $0 == list }) else { return false }
        list = current
        return true
    }

    /// Shows the books after the catalog was edited: the current one stays current, and chosen ones chosen, wherever they
    /// are now.
    ///
    /// - Parameter current: The book that becomes current; nil for the one that is.
    func takeShift(_ shift: BookShift, current: BookID?) {
        let (row, top) = (table.currentRow ?? 0, table.topRow)
        let id = current ?? currentBook.flatMap { shift($0) }
        if !shift.isEmpty {
            endRange()
            let chosen = rows.selection.books.ids.compactMap { shift($0) }
            rows.selection.books = BookSet()
            for id in chosen { rows.selection.books.insert(id) }
        }
        forget()
        anchor = id.map { ScrollAnchor(id: $0, offset: min(row - top, max(0, table.frame.height - 1))) }
        let former = rows.books
        refill()
        if progress != nil, !shift.isEmpty, let former = former as? BookList {
            // What is on the screen until the list is complete must not name other books.
            rows.books = BookList((0..<former.count).compactMap { shift(former[$0]) })
            rows.sections = nil
            reloadRows()
        }
        if id == nil { table.select(row, top: top) }
    }
}
