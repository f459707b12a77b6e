internal import Catalog
internal import Indexing
internal import Library
internal import Search
internal import Shelves
internal import Storage
internal import TerminalUI
internal import Threading

/// The screen of the listed books' values and their counts; opening a value lists its books.
final class FacetsScreen: FilterableScreen {
    /// Opens the screen.
    static let opener = ScreenOpener(context: .facets) { FacetsScreen($0.session) }

    let context = CommandContext.facets
    let placement = Placement.body
    let isSpokenWhileFiltering = true
    private let table = TableView(columns: FacetsDataSource.columns)
    private let source: FacetsDataSource
    /// The count in progress.
    private var count: BackgroundTask<Facets>?
    /// The number of books in the latest count.
    private var bookCount = 0
    /// The maximum number of values per facet that are counted.
    private var limit = Facets.standardLimit
    private let session: Session

    /// The maximum number of values per facet that a filter searches.
    private static let filterLimit = 100_000

    /// Counts the values of the listed books of `session`, in the background if that takes longer than a frame.
    init(_ session: Session) {
        self.session = session
        source = FacetsDataSource(store: session.library.store) { [library = session.library] key in
            library.userData.shelves.first { Query.shelfKey(of: $0.name) == key }?.name
        }
        table.dataSource = source
        table.placeholder = "Counting ..."
        begin()
        table.select(0, top: 0)
    }

    private func begin() {
        count?.cancel()
        let (library, model) = (session.library, session.books)
        bookCount = model.rows.list.count
        count = library.store.index.countFacets(
            of: model.rows.list, userData: library.userDataFilter, limit: limit, notifying: session.wake)
        _ = count?.wait(milliseconds: model.timeBudget)
        receive()
    }

    /// Shows a finished count, and counts again if the list has changed since.
    private func receive() {
        if let facets = count?.value {
            count = nil
            source.facets = facets
            showRows()
        }
        // While a catalog is loading or a search is running, every batch would start another count.
        let isSettled = !session.library.store.state.isLoading && session.books.progress == nil
        if count == nil && isSettled && bookCount != session.books.rows.list.count { begin() }
    }

    private func showRows() {
        table.placeholder = filter.isEmpty ? Message.nothingToCount.text() : Message.noValueContains.text(filter)
        table.reloadData()
    }

    func heading(_ app: App) -> Heading {
        let title = app.main.books.title(of: "Facets of " + session.books.list.name)
        return Heading(
            title: filter.isEmpty ? title : title + " · values with “\(filter)”", position: table.positionText)
    }

    func layout(in area: Rect, _ app: App) { table.frame = area }

    func draw(on canvas: inout Canvas, _ app: App) -> Position {
        table.draw(on: &canvas, isFocused: true)
        return table.cursor
    }

    // MARK: - Filtering

    var filter: String { source.filter }

    /// Shows the values that contain all words of `text`.
    func show(matching text: String) {
        source.filter = text
        if !text.isEmpty && limit < Self.filterLimit {
            limit = Self.filterLimit
            begin()
        }
        showRows()
        table.select(0, top: 0)
    }

    // MARK: - Commands

    func perform(_ request: CommandRequest, _ app: App) -> Response {
        switch request.command {
        case .move(let motion): motion.apply(to: table, count: request.count)
        case .open: narrow(excluding: false, app)
        case .exclude: narrow(excluding: true, app)
        case .search: app.push(FilterBar(self))
        case .cancel where !filter.isEmpty: show(matching: "")
        default: return .ignored
        }
        return .done
    }

    func canPerform(_ command: Command, _ app: App) -> Bool {
        switch command {
        case .open, .exclude: table.currentRow != nil
        case .search: source.facets != nil && (table.rowCount > 0 || !filter.isEmpty)
        default: true
        }
    }

    /// Narrows the list to the books with the current value, or to those without it.
    private func narrow(excluding isExcluded: Bool, _ app: App) {
        guard let current = table.currentRow, let facets = source.facets else { return }
        let row = source.row(at: table.indexPath(forRow: current))
        let query = row.value?.query(in: session.library.store) ?? facets.unknownQuery(of: row.facet)
        let isNegative = query.hasPrefix("-")
        let part = isExcluded ? (isNegative ? String(query.dropFirst()) : Query.text(excluding: query)) : query
        app.close(self)
        app.main.listResults(to: session.books.request.query.text(narrowedBy: part), isSameList: true, app)
    }

    func point(_ mouse: Mouse, _ app: App) -> Response { .done(mouse.point(at: table, app)) }

    func sessionChanged(_ changes: SessionChanges, _ app: App) {
        if changes.contains(.listGone) { return app.closeAll() }
        if changes.contains(.reloaded) { begin() } else { receive() }
    }

    func closed(_ app: App) {
        count?.cancel()
        count = nil
    }

    func spoken(_ app: App) -> Spoken {
        // The bar repeats the count.
        let row = Spoken.row(of: table) { Array(Spoken.words(of: $0).prefix(2)) }
        return Spoken(place: .facets, heading: heading(app).title, content: row)
    }
}
