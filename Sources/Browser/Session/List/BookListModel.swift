internal import Books
internal import Catalog
internal import Editing
internal import Indexing
internal import Library
internal import Search
internal import Shelves
internal import Storage
internal import TerminalUI
internal import Threading

/// A book that stays current, and its distance from the top of the screen, as long as the list contains it.
struct ScrollAnchor: Hashable {
    /// The book, if any.
    var id: BookID?
    /// The distance from the top of the screen, in rows.
    var offset: Int
}

/// The open list: its request, the resulting rows, and the position in them.
///
/// Requests take effect in `advance()`, which also takes over the results of background work: nothing else changes the
/// rows.
final class BookListModel {
    /// The catalog and the user data.
    let library: Library
    /// The settings.
    let settings: Settings
    /// The status line that shows messages.
    let status: Status
    /// The table of the rows; it keeps the current row and the scroll position.
    let table = TableView(columns: [])
    /// The rows.
    let rows: BookListDataSource
    /// The pipeline that searches, sorts and groups the rows.
    let pipeline = ListPipeline()
    /// The list that is open.
    private(set) var list = NamedList.all
    /// The book that stays current while the list changes; nil if the user has moved since.
    var anchor: ScrollAnchor?
    /// The jump to a row that is not loaded yet; nil if it was made or cancelled.
    var pendingJump: PendingJump?
    /// The changes since the session last took them.
    private(set) var changes: SessionChanges = []
    /// A counter of the changes of the rows and of their contents.
    private(set) var revision = 0
    /// The change that the rows do not reflect yet.
    private var pendingUpdate = PendingUpdate.none
    /// The sort order and the grouping to restore when the saved search closes, and its own ones.
    private var ofSavedSearch: (order: Replacement<SortOrder>?, grouping: Replacement<SectionKey?>?) = (nil, nil)
    /// The diagnosis of the last search, if it found nothing.
    var emptySearch = EmptySearch()
    /// The positions in the lists that were left in this run.
    private var positions: [NamedList: (row: Int, top: Int)] = [:]

    private enum PendingUpdate {
        case none
        /// Another request for the same books.
        case request
        /// Other books.
        case books
        /// The books of a saved search that is still running.
        case savedSearch
    }

    /// Creates the model of the lists of `library`, with no list open.
    init(_ library: Library, settings: Settings, status: Status) {
        self.library = library
        self.settings = settings
        self.status = status
        rows = BookListDataSource(
            library: library, covers: CoverShelf(ofCatalogAt: library.catalogPath, settings.covers))
        rows.look.showsOriginalScript = settings.showsOriginalScript
        table.dataSource = rows
        library.store.remote?.keepIDs { [rows] in rows.selection.books.contains($0) }
    }

    // MARK: - State

    /// The current request: query, sort order and grouping.
    var request: ListRequest { pipeline.request }

    /// The stage of the work that is not done yet; nil if all is done.
    var progress: ListPipeline.Progress? { pendingUpdate == .savedSearch ? .searching : pipeline.progress }

    /// Whether the saved search that is open is still running.
    var isOpeningSavedSearch: Bool { pendingUpdate == .savedSearch }

    /// The current book, if it is loaded.
    var currentBook: BookID? {
        table.currentRow.flatMap { $0 < rows.bookRowCount ? rows.books.id(atRow: $0).value : nil }
    }

    /// The number of books, as far as the source can tell, and the number that is missing from the catalog.
    var countText: String {
        guard case .exactly = rows.books.rowCount else { return rows.books.rowCount.shown }
        return ListCount(books: rows.bookRowCount, missing: rows.missing.count).text
    }

    /// The current row and the number of rows: "2/11", or "+1/11 +2" at a book that is not in the catalog.
    var positionText: String {
        let row = (table.currentRow ?? 0) - rows.bookRowCount
        return "\(currentMissing == nil ? table.positionOfRow : "+\((row + 1).grouped)")/\(countText)"
    }

    /// The current book if it is not in the catalog; nil if the current book is.
    var currentMissing: BookIdentity? {
        guard let row = table.currentRow, row >= rows.bookRowCount else { return nil }
        let number = row - rows.bookRowCount
        return number < rows.missing.count ? rows.missing[number].identity : nil
    }

    /// The current position as an entry of the navigation history.
    var historyEntry: HistoryEntry { HistoryEntry(list: list, request: request, anchor: anchor ?? currentAnchor) }

    private var currentAnchor: ScrollAnchor {
        ScrollAnchor(id: currentBook, offset: (table.currentRow ?? 0) - table.topRow)
    }

    /// The time that the screen waits for results, in milliseconds. For a large catalog, it is one frame. Small
    /// catalogs take less than a frame; the longer limit makes sure that hardly a screen is drawn without their rows.
    var timeBudget: Int { settings.timeBudget ?? (library.store.index.count > 50_000 ? 16 : 100) }

    // MARK: - Requests

    /// Opens a list at its last position in this run, with its full contents unless `newRequest` requests otherwise.
    func open(_ list: NamedList, as newRequest: ListRequest? = nil) {
        leave()
        // The list may have been renamed since it was last shown.
        self.list = library.everyList.first { $0 == list } ?? list
        anchor = nil
        var request = newRequest ?? self.request
        if newRequest == nil {
            request.query = Query("")
            request.order = order(of: list, after: request.order)
            request.grouping = grouping(of: list, after: request.grouping)
        }
        pipeline.change(to: request)
        refill()
        if isOpeningSavedSearch { showNothing() }
        let position = positions[list] ?? (row: 0, top: 0)
        table.select(position.row, top: position.top)
        if isOpeningSavedSearch { pendingJump = .position(row: position.row, top: position.top) }
    }

    /// Saves the position in the open list, to be restored when it is opened again.
    func leave() {
        endRange()
        positions[list] = table.currentRow.map { ($0, table.topRow) }
    }

    /// The sort order for opening a list: that of a saved search that has one, else that of the previous list.
    private func order(of list: NamedList, after order: SortOrder) -> SortOrder {
        let previous = ofSavedSearch.order?.restored(from: order) ?? order
        ofSavedSearch.order = nil
        guard let ofSearch = library.query(of: list)?.sort.flatMap({ SortOrder($0, of: library.store.schema) }) else {
            return previous
        }
        ofSavedSearch.order = Replacement(previous: previous, ofSearch: ofSearch)
        return ofSearch
    }

    /// The grouping for opening a list, as for its order.
    private func grouping(of list: NamedList, after grouping: SectionKey?) -> SectionKey? {
        // None is a grouping, too.
        let previous = ofSavedSearch.grouping.map { $0.restored(from: grouping) } ?? grouping
        ofSavedSearch.grouping = nil
        guard case .tidyUp(let search) = list.kind, let ofSearch = search.grouping else { return previous }
        ofSavedSearch.grouping = Replacement(previous: previous, ofSearch: ofSearch)
        return ofSearch
    }

    /// What a saved search has in place of what was there before.
    private struct Replacement<Value: Equatable> {
        let previous: Value
        let ofSearch: Value

        /// Returns what was there before; if the user has changed it meanwhile, the new value, which applies to all lists.
        func restored(from value: Value) -> Value { value == ofSearch ? previous : value }
    }

    /// Requests another query, order or grouping of the same books; the current book stays current while it is listed.
    func ask(for request: ListRequest) {
        guard request != self.request else { return }
        // The server cannot search in a list of user data.
        if library.store.remote != nil, library.remoteScope(of: list) == nil, !request.isPlain {
            return status.say(.needsLocalIndex)
        }
        if library.store.remote != nil, let field = request.query.columnFields.first(where: \.isOwn) {
            status.say(.cannotSearchIn, library.store.name, field.info.label)
        }
        endRange()
        anchor = anchor ?? currentAnchor
        pendingJump = nil
        pipeline.change(to: request)
        if pendingUpdate == .none { pendingUpdate = .request }
    }

    /// Stops making the columns of the fields that the request needs, and takes it back.
    ///
    /// - Returns: False if none are being made.
    func stopReadingFields() -> Bool {
        guard progress == .readingFields else { return false }
        library.stopMakingColumns()
        ask(for: pipeline.earlierRequest)
        return true
    }

    /// Restores a position in this list from the navigation history.
    func restore(_ entry: HistoryEntry) {
        anchor = entry.anchor
        endRange()
        pipeline.change(to: entry.request)
        if pendingUpdate != .savedSearch { pendingUpdate = .books }
        advance()
    }

    /// Fills the list for the current request after its books or their user data changed.
    ///
    /// - Parameter isGrown: Whether the list has the same books as before, with more at the end.
    func refill(isGrown: Bool = false) {
        pendingUpdate = fillPipeline(isGrown: isGrown, milliseconds: timeBudget) ? .books : .savedSearch
        advance()
    }

    /// Discards results that were computed for the previous books.
    func forget() { pipeline.forget() }

    /// Stays at the current row, because the user chose it.
    func stay() {
        anchor = nil
        pendingJump = nil
    }

    /// Records that the contents of the rows have changed, and shows them.
    func reloadRows() {
        table.reloadData()
        noteChange()
    }

    /// Records that the contents of the detail pane may have changed.
    func noteChange(_ change: SessionChanges = .books) {
        revision += 1
        changes.insert(change)
    }

    /// Returns the changes since the last call.
    func takeChanges() -> SessionChanges {
        defer { changes = [] }
        return changes
    }

    // MARK: - Updating the rows

    /// Updates the rows for the pending change: at once if that takes less than a frame, else in the background.
    func advance() {
        if pendingUpdate == .savedSearch {
            // The current rows stay until there are others to replace them.
            guard fillPipeline(isGrown: false, milliseconds: 0) else { return }
            pendingUpdate = .books
        }
        let isNew = pendingUpdate != .none
        let firstRows = pendingUpdate == .request ? firstRows : nil
        pendingUpdate = .none
        let hasChanged = pipeline.advance(milliseconds: isNew ? timeBudget : 0, showing: firstRows)
        if isNew || hasChanged {
            showRows()
            if let pendingJump { jump(to: pendingJump) }
        } else if table.rowCount == 0 {
            diagnose()
            table.placeholder = placeholder
        }
    }

    /// Passes the books of the open list to the pipeline, if they are known.
    ///
    /// - Returns: False if the saved search is still running.
    private func fillPipeline(isGrown: Bool, milliseconds: Int) -> Bool {
        if let remote = library.store.remote, let scope = library.remoteScope(of: list) {
            pipeline.show(request, from: remote, within: scope)
            return true
        }
        guard let books = library.books(in: list, waiting: milliseconds, notifying: pipeline.notify) else {
            return false
        }
        // The books of a server are not in an index, by which they could be sorted or searched here. More may be known of
        // the fields of a catalog now than when its beginning was read.
        let shown = library.store.remote == nil ? request.resolved(in: library.store.schema) : ListRequest()
        pipeline.show(
            shown, of: books, in: library.store.index, userData: { [library] in library.userDataFilter },
            columns: { [library, weak pipeline] fields, milliseconds in
                library.columns(of: fields, waiting: milliseconds, notifying: pipeline?.notify)
            },
            isGrown: isGrown, isComplete: !library.store.state.isLoading, notifying: pipeline.notify)
        return true
    }

    /// The rows of a search to show before it is complete; nil for a small catalog, which takes less than a frame to
    /// search.
    private var firstRows: BookSearch.FirstRows? {
        if library.store.index.count <= 50_000 { return nil }
        return BookSearch.FirstRows(count: table.frame.height, anchor: anchor?.id)
    }

    /// Removes the rows of the previous list.
    private func showNothing() {
        rows.books = BookList([])
        rows.sections = nil
        rows.missing = []
        table.placeholder = placeholder
        reloadRows()
    }

    /// Shows the rows of the pipeline.
    private func showRows() {
        // The current rows stay until there are others to replace them.
        if pipeline.rows.rowCount.displayed == 0 && pipeline.progress != nil { return }
        // In a sorted list, new books can appear between the rows of the range.
        if !request.isPlain { endRange() }
        rows.books = pipeline.rows
        rows.sections = pipeline.sections
        rows.look.showsRatingNumbers = request.order.criteria.first?.key == .rating
        let hasWholeSeries = list.kind == .tidyUp(.seriesGap) && request.query.expression == .everything
        rows.gaps = hasWholeSeries ? SeriesGapTexts() : nil
        rows.mark(request.query)
        let isWhole = request.query.expression == .everything && !library.store.state.isLoading
        rows.missing = isWhole ? library.missingUserData(in: list) : []
        diagnose()
        table.reloadData()
        if table.rowCount == 0 { table.placeholder = placeholder }
        noteChange()
        guard let anchor else { return }
        if let id = anchor.id, let row = rows.books.row(of: id) {
            table.select(row, top: row - anchor.offset)
        } else {
            table.select(0, top: 0)
        }
    }

    /// Shows the present books of the open list. The current book stays current; if it left the list, the next one
    /// becomes current.
    func refillKeepingCurrentBook() {
        // A pending jump takes precedence.
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

    /// Updates the name of the open list.
    ///
    /// - Returns: False if the list was deleted.
    func updateListName() -> Bool {
        guard let current = library.everyList.first(where: { $0 == list }) else { return false }
        list = current
        return true
    }

    /// Shows the books after an edit of the catalog. The current book stays current and selected books stay selected,
    /// at their new positions.
    ///
    /// - Parameter current: The book that becomes current; nil to keep the current one.
    func takeShift(_ shift: BookShift, current: BookID?) {
        let (row, top) = (table.currentRow ?? 0, table.topRow)
        let id = current ?? currentBook.flatMap { shift($0) }
        if !shift.isEmpty {
            endRange()
            let selected = rows.selection.books.ids.compactMap { shift($0) }
            rows.selection.books = BookSet()
            for id in selected { rows.selection.books.insert(id) }
        }
        forget()
        anchor = id.map { ScrollAnchor(id: $0, offset: min(row - top, max(0, table.frame.height - 1))) }
        let previous = rows.books
        refill()
        if progress != nil, !shift.isEmpty, let previous = previous as? BookList {
            // Until the list is complete, its rows must not show other books.
            rows.books = BookList((0..<previous.count).compactMap { shift(previous[$0]) })
            rows.sections = nil
            reloadRows()
        }
        if id == nil { table.select(row, top: top) }
    }
}
