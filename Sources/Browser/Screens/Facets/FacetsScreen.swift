internal import Books
internal import Catalog
internal import Library
internal import Search
internal import Shelves
internal import TerminalUI

/// The values of the listed books with their counts, of which the ticked ones filter the list: a pane beside the list, or
/// a screen if the window is too narrow for it.
final class FacetsScreen: FilterableScreen {
    /// Opens the pane.
    static let opener = ScreenOpener(context: .facets) { FacetsScreen($0.session, $0.main) }

    let context = CommandContext.facets
    let isSpokenWhileFiltering = true
    private let table = TableView(columns: [])
    private let source: FacetsDataSource
    private let counter: FacetCounter
    /// The query of the list without the ticks.
    private var base: Query
    /// The position in the list before the first tick.
    private let origin: HistoryEntry
    /// The ticks that the list had before.
    private let kept: FacetedSearch?
    /// Whether the catalog was still loading at the last count.
    private var isOfPart = false
    /// Whether a value was ticked or unticked.
    private var hasTicked = false
    /// The maximum number of values per facet that are counted.
    private var limit = Facets.standardLimit
    private let session: Session
    private weak var main: MainScreen?

    /// The maximum number of values per facet that a filter searches.
    private static let filterLimit = 100_000

    /// Counts the values of the listed books of `session`, in the background if that takes longer than a frame. The
    /// values that the list is filtered by already are ticked.
    init(_ session: Session, _ main: MainScreen) {
        (self.session, self.main) = (session, main)
        counter = FacetCounter(session)
        source = FacetsDataSource(store: session.library.store) { [library = session.library] key in
            library.userData.shelves.first { Query.shelfKey(of: $0.name) == key }?.name
        }
        origin = session.books.historyEntry
        base = session.books.request.query
        kept = session.books.rows.facets
        if let kept, kept.query == base {
            base = kept.base
            source.ticks = kept.filter
        }
        table.dataSource = source
        table.placeholder = "Counting ..."
        begin()
        table.select(0, top: 0)
    }

    var placement: Placement { main?.layout?.facets.isEmpty == false ? .side : .body }

    // MARK: - Counting

    private func begin(waiting milliseconds: Int? = nil) {
        counter.begin(base, source.ticks, limit: limit, waiting: milliseconds ?? session.books.timeBudget)
        showCounts()
    }

    /// Shows finished counts, and counts again if the list has changed since.
    private func receive() {
        if counter.isCounting {
            counter.receive()
            if !counter.isCounting { showCounts() }
        }
        // While a catalog is loading or a search is running, every batch would start another count.
        let isSettled = !session.library.store.state.isLoading && session.books.progress == nil
        if !counter.isCounting && isSettled && counter.isOutdated { begin() }
    }

    private func showCounts() {
        if isOfPart { source.forgetFolds() }
        isOfPart = session.library.store.state.isLoading
        change { if !counter.isCounting { source.facets = counter.facets } }
    }

    /// Changes the rows; the current value stays current, at the same height.
    private func change(_ body: () -> Void) {
        let current = currentRow
        let offset = (table.currentRow ?? 0) - table.topRow
        body()
        showRows()
        if let current, let row = source.rowNumber(of: current), row != table.currentRow {
            table.select(row, top: row - offset)
        }
    }

    private func showRows() {
        if source.facets != nil {
            table.placeholder = filter.isEmpty ? Message.nothingToCount.text() : Message.noValueContains.text(filter)
        }
        table.reloadData()
    }

    /// The field of the current facet; nil if it counts numbers or user data.
    var currentField: BookField? { currentRow?.facet.field }

    private var currentRow: FacetsDataSource.Row? {
        table.currentRow.map { source.row(at: table.indexPath(forRow: $0)) }
    }

    // MARK: - Drawing

    func heading(_ app: App) -> Heading {
        if placement == .side { return app.main.heading(app) }
        let title = app.main.books.title(of: "Facets of " + session.books.list.name)
        return Heading(
            title: filter.isEmpty ? title : title + " · values with “\(filter)”", position: table.positionText)
    }

    func layout(in area: Rect, _ app: App) {
        let isPane = placement == .side
        table.columns = source.columns(isCounting: counter.isCounting, showsFilter: isPane)
        table.rightMargin = isPane ? 1 : 0
        table.frame = isPane ? main?.layout?.facets ?? area : area
        let height = table.frame.height - 1
        if source.needsFolds(within: height) { change { source.fold(within: height) } }
    }

    func draw(on canvas: inout Canvas, _ app: App) -> Position {
        table.draw(on: &canvas, isFocused: true)
        return table.cursor
    }

    // MARK: - Filtering

    var filter: String { source.filter }

    /// Shows the values that contain all words of `text`.
    func show(matching text: String) {
        source.filter = text
        showRows()
        if !text.isEmpty && limit < Self.filterLimit {
            limit = Self.filterLimit
            begin()
        }
        table.select(0, top: 0)
    }

    // MARK: - Commands

    func perform(_ request: CommandRequest, _ app: App) -> Response {
        switch request.command {
        case .move(let motion): motion.apply(to: table, count: request.count)
        case .tick: tick()
        case .fold: currentRow.map { fold($0, !$0.isFolded) }
        case .clearTicks: clear()
        case .open where opensFacet: tick()
        case .open:
            // Without ticks, and if none was taken back, the current value is meant.
            if source.ticks.isEmpty && !hasTicked { tick() }
            app.close(self)
        case .exclude: exclude(app)
        case .search: app.push(FilterBar(self))
        case .cancel where !filter.isEmpty: show(matching: "")
        case .cancel: cancel(app)
        case .back, .switchPane: app.close(self)
        default: return .ignored
        }
        return .done
    }

    func canPerform(_ command: Command, _ app: App) -> Bool {
        switch command {
        case .open, .tick, .fold: table.currentRow != nil
        case .exclude: currentRow.map { !$0.isFolded } ?? false
        case .clearTicks: !source.ticks.isEmpty
        case .search: source.facets != nil && (table.rowCount > 0 || !filter.isEmpty)
        default: true
        }
    }

    func hintText(of command: Command) -> String? {
        switch command {
        case .tick where currentRow?.isFolded == true, .open where opensFacet: "open"
        case .cancel where filter.isEmpty && session.books.request != origin.request: "discard"
        default: nil
        }
    }

    /// Whether Enter has nothing to keep, and opens the current facet.
    private var opensFacet: Bool { source.ticks.isEmpty && !hasTicked && currentRow?.isFolded == true }

    /// Folds the facet of a row, or shows its values; the first one that was not shown becomes the current row.
    private func fold(_ row: FacetsDataSource.Row, _ isFolded: Bool) {
        let (top, current) = (table.topRow, table.currentRow)
        source.setFolded(row.facet, isFolded)
        showRows()
        if let next = row.kind == .more ? current : source.firstRow(of: row.facet) {
            table.select(next, top: min(top, next))
        }
    }

    /// Returns the query for the books that have the value of a row, or none; nil for a folded facet.
    private func query(of row: FacetsDataSource.Row) -> String? {
        if row.isFolded { return nil }
        return row.value?.query(in: session.library.store) ?? source.facets?.unknownQuery(of: row.facet)
    }

    /// Ticks the current value or unticks it, and filters the list; opens a folded facet.
    private func tick() {
        guard let row = currentRow else { return }
        if row.isFolded { return fold(row, false) }
        guard let query = query(of: row) else { return }
        change { source.ticks.toggle(.init(row.facet, row.value, query: query)) }
        showTicked()
    }

    /// Unticks all values.
    private func clear() {
        if source.ticks.isEmpty { return }
        change { source.ticks = FacetFilter() }
        showTicked()
    }

    /// The query of the list with the ticks.
    private var query: Query { source.ticks.query(narrowing: base, of: session.library.store.schema) }

    /// Lists the books that have the ticked values, and counts anew.
    private func showTicked() {
        hasTicked = true
        var request = session.books.request
        request.query = query
        session.books.rows.facets =
            source.ticks.isEmpty ? nil : FacetedSearch(base: base, filter: source.ticks, query: query)
        session.books.ask(for: request)
        session.books.advance()
        // The list has taken its share of the frame.
        begin(waiting: session.books.timeBudget / 4)
    }

    /// Lists the books without the current value.
    private func exclude(_ app: App) {
        guard let row = currentRow, let query = query(of: row) else { return }
        let part = query.hasPrefix("-") ? String(query.dropFirst()) : Query.text(excluding: query)
        app.close(self)
        app.main.listResults(to: session.books.request.query.text(narrowedBy: part), isSameList: true, app)
    }

    /// Closes the pane and restores the list as it was before.
    private func cancel(_ app: App) {
        let isFiltered = session.books.request != origin.request
        session.books.rows.facets = kept
        if isFiltered && session.books.list == origin.list { session.books.restore(origin) }
        app.close(self)
    }

    /// Keeps the filtered list, which the navigation history can leave.
    private func keep() {
        let query = session.books.request.query
        guard query != origin.request.query, session.books.list == origin.list else { return }
        session.history.leave(origin)
        session.search.origin = nil
        session.search.remember(query)
    }

    func point(_ mouse: Mouse, _ app: App) -> Response {
        switch mouse.action {
        case .press: break
        // A divider may be dragged across the pane.
        case .drag, .release: return placement == .side ? .ignored : .done
        case .wheel:
            if placement == .side && !table.frame.contains(mouse.position) { return .ignored }
            return .done(mouse.point(at: table, app))
        }
        if let row = table.row(at: mouse.position) {
            table.select(row)
            tick()
        } else if placement == .side, !table.frame.contains(mouse.position) {
            // A divider is dragged; a click on the list keeps the ticks.
            if let layout = main?.layout, layout.divider(at: mouse.position) == nil { app.close(self) }
            return .ignored
        }
        return .done
    }

    func sessionChanged(_ changes: SessionChanges, _ app: App) {
        if changes.contains(.listGone) { return app.closeAll() }
        if changes.contains(.reloaded) {
            counter.forget()
            source.forgetFolds()
            begin()
        } else {
            receive()
        }
    }

    func closed(_ app: App) {
        counter.cancel()
        keep()
    }

    func spoken(_ app: App) -> Spoken {
        let title = app.main.books.title(of: "Facets of " + session.books.list.name)
        return Spoken(place: .facets, heading: title, content: Spoken.row(of: table))
    }
}
