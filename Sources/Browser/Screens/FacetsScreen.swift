internal import Catalog
internal import Library
internal import Search
internal import Storage
internal import TerminalUI
internal import Threading

/// The values that the listed books have, to list those with one.
final class FacetsScreen: Screen {
    /// Opens it.
    static let opener = ScreenOpener(context: .facets) { FacetsScreen($0.session) }

    let context = CommandContext.facets
    let placement = Placement.body
    private let table = TableView(columns: FacetsDataSource.columns)
    private let source: FacetsDataSource
    /// The count of them, while it goes on.
    private var count: BackgroundTask<Facets>?
    private let session: Session

    /// The values of what is listed in `session`, counted in the background if that takes longer than a frame.
    init(_ session: Session) {
        self.session = session
        source = FacetsDataSource(store: session.library.store)
        table.dataSource = source
        table.placeholder = "Counting ..."
        table.reloadData()
        let (library, model) = (session.library, session.books)
        let count = library.store.index.countFacets(
            of: model.rows.list, userData: library.userDataFilter, notifying: session.wake)
        self.count = count
        _ = count.wait(milliseconds: model.timeBudget)
        receive()
        table.select(0, top: 0)
    }

    private func receive() {
        guard let facets = count?.value else { return }
        count = nil
        source.facets = facets
        table.placeholder = "There are no books to count."
        table.reloadData()
    }

    func heading(_ app: App) -> Heading {
        Heading(title: app.main.books.title(of: "Facets of " + session.books.list.name), position: table.positionText)
    }

    func layout(in area: Rect, _ app: App) { table.frame = area }

    func draw(on canvas: inout Canvas, _ app: App) -> Position {
        table.draw(on: &canvas, isFocused: true)
        return table.cursor
    }

    func perform(_ request: CommandRequest, _ app: App) -> Response {
        switch request.command {
        case .move(let motion): motion.apply(to: table, count: request.count)
        case .open: narrow(excluding: false, app)
        case .exclude: narrow(excluding: true, app)
        default: return .ignored
        }
        return .done
    }

    /// Lists those of the books that have the selected value, or those that do not.
    private func narrow(excluding isExcluded: Bool, _ app: App) {
        guard let selected = table.currentRow else { return }
        let row = source.row(at: table.indexPath(forRow: selected))
        let query = row.value?.query(in: session.library.store) ?? row.facet.unknownQuery
        let isNegative = query.hasPrefix("-")
        let part = isExcluded ? (isNegative ? String(query.dropFirst()) : Query.text(excluding: query)) : query
        app.close(self)
        let text = [session.books.request.query.text, part].filter { !$0.isEmpty }.joined(separator: " ")
        app.main.goOn(to: text, isSameList: true, app)
    }

    func point(_ mouse: Mouse, _ app: App) -> Response { .done(mouse.point(at: table, app)) }

    func sessionChanged(_ changes: SessionChanges, _ app: App) {
        if changes.contains(.listGone) { app.closeAll() } else { receive() }
    }

    func closed(_ app: App) {
        count?.cancel()
        count = nil
    }

    func spoken(_ app: App) -> Spoken {
        // The bar only looks.
        let row = Spoken.row(of: table) { Array(Spoken.words(of: $0).prefix(2)) }
        return Spoken(place: .facets, heading: heading(app).title, content: row)
    }
}

/// Gives a table the values that the books of a list have, in a section for each kind, with counts and bars.
final class FacetsDataSource: TableViewDataSource {
    /// The columns that its cells fill.
    static let columns = [
        TableColumn("Value", width: .share(2), minimumWidth: 15),
        TableColumn("Books", width: .fixed(11), isRightAligned: true),
        TableColumn("", width: .fixed(barWidth), priority: 0),
    ]

    /// How many columns the longest bar has.
    private static let barWidth = 20

    /// A row of the table.
    struct Row {
        /// The value; nil for the books without one.
        var value: FacetValue?
        var facet: Facet
        var count: Int
    }

    /// What was counted. The table must be reloaded when it changes.
    var facets: Facets? {
        didSet {
            names = [:]
            sections = Facet.allCases.compactMap { facet in
                guard let counts = facets?[facet], !counts.values.isEmpty else { return nil }
                var rows = counts.values.map { Row(value: $0, facet: facet, count: $0.count) }
                if counts.unknownCount > 0 { rows.append(Row(facet: facet, count: counts.unknownCount)) }
                return (facet, rows, counts.distinctCount)
            }
        }
    }

    private var sections: [(facet: Facet, rows: [Row], distinctCount: Int)] = []
    /// The names of values that were on the screen, by section and row.
    private var names: [IndexPath: String] = [:]
    private let store: BookStore

    /// A data source for the values of books in `store`.
    init(store: BookStore) {
        self.store = store
    }

    /// The row at `indexPath`.
    func row(at indexPath: IndexPath) -> Row { sections[indexPath.section].rows[indexPath.row] }

    func numberOfSections(in tableView: TableView) -> Int { sections.count }

    func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int { sections[section].rows.count }

    func tableView(_ tableView: TableView, titleForHeaderInSection section: Int) -> String? {
        let (facet, rows, distinctCount) = sections[section]
        let shownCount = rows.count { $0.value != nil }
        let rest = distinctCount > shownCount ? ", the first \(shownCount.grouped) of \(distinctCount.grouped)" : ""
        return facet.label + rest
    }

    func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell {
        let row = row(at: indexPath)
        // The longest bar is that of what most books have.
        let share = Double(row.count) / Double(sections[indexPath.section].rows.reduce(1) { max($0, $1.count) })
        return TableViewCell([
            .init(name(of: row, at: indexPath), style: row.value == nil ? .secondary : .plain),
            .init(row.count.grouped),
            .init(Bar.text(fraction: share, width: Self.barWidth)),
        ])
    }

    private func name(of row: Row, at indexPath: IndexPath) -> String {
        if let known = names[indexPath] { return known }
        let name = row.value?.name(in: store) ?? row.facet.absenceName
        names[indexPath] = name
        return name
    }
}

extension Facet {
    /// What its values are called together.
    fileprivate var label: String {
        switch self {
        case .author: "Authors"
        case .subject: "Subjects"
        case .language: "Languages"
        case .decade: "Decades"
        case .series: "Series"
        case .fiction: "Kinds"
        case .status: "Status"
        }
    }
}
