internal import Catalog
internal import Library
internal import TerminalUI

/// The popup that chooses columns: those of the list first, in their order, then all others. A column that is hidden
/// keeps its place.
final class ColumnChooser: Screen, TableViewDataSource {
    /// Opens the popup.
    static let opener = ScreenOpener(context: .columns) {
        ColumnChooser(
            $0.main.books.placedColumns, ListColumn.all(of: $0.session.library.store.schema),
            sortedBy: $0.main.books.sortedColumns)
    }

    let context = CommandContext.columns
    let placement = Placement.popup

    /// The table of columns.
    let table = TableView(columns: [
        TableColumn("", width: .fixed(3)), TableColumn("Column", width: .share(1), minimumWidth: 8),
        TableColumn("Width", width: .fixed(5), isRightAligned: true),
    ])
    private var rows: [ListColumns.Choice]
    private let sorted: [ListColumn]

    /// Creates a popup of the columns `all`, after those of `placed`; a list that is sorted by `sorted` shows these even
    /// if they are hidden.
    init(
        _ placed: [ListColumns.Choice], _ all: [ListColumn] = ListColumn.ofEveryBook, sortedBy sorted: [ListColumn] = []
    ) {
        self.sorted = sorted
        rows = placed
        for column in all where !placed.contains(where: { $0.column == column }) {
            rows.append(.init(column: column, isHidden: true))
        }
        table.dataSource = self
        table.surface = .popup
        table.reloadData()
    }

    /// The columns in their order, those that are hidden included.
    var columns: ListColumns {
        var columns = ListColumns([])
        columns.choices = rows
        return columns
    }

    /// Shows or hides the current column.
    ///
    /// - Returns: False if it is the only one shown, besides signs.
    func toggle() -> Bool {
        guard let row = table.currentRow else { return false }
        let isLast = rows.count { !$0.isHidden && !$0.column.isSign } == 1
        if !rows[row].isHidden && !rows[row].column.isSign && isLast { return false }
        rows[row].isHidden.toggle()
        return true
    }

    /// Moves the current column by `count` positions; positive is to the right.
    func move(by count: Int) {
        guard let row = table.currentRow else { return }
        let target = min(max(0, row.addingReportingOverflow(count).partialValue), rows.count - 1)
        rows.insert(rows.remove(at: row), at: target)
        table.select(target)
    }

    /// Widens the current column by `count` columns of text; without a set width, from its width on the screen,
    /// `current`. A width below the minimum becomes automatic.
    func resize(by count: Int, from current: (ListColumn) -> Int?) {
        guard let row = table.currentRow else { return }
        let column = rows[row].column
        let (width, _) = (rows[row].width ?? current(column) ?? 10).addingReportingOverflow(count)
        rows[row].width =
            width < ListColumns.widths.lowerBound ? nil : min(width, ListColumns.widths.upperBound)
    }

    func heading(_ app: App) -> Heading { Heading(title: "Columns", position: table.positionText) }

    func layout(in area: Rect, _ app: App) { table.frame = popup(in: area).content }

    private func popup(in area: Rect) -> Popup {
        let width = rows.contains(where: isShownAsSorted) ? 42 : 30
        return Popup(in: area, contentSize: Size(rows: table.rowCount + 1, columns: width))
    }

    func draw(on canvas: inout Canvas, _ app: App) -> Position {
        if let body = app.main.layout?.body { popup(in: body).draw("Columns", on: &canvas) }
        table.draw(on: &canvas, isFocused: true)
        return table.cursor
    }

    func perform(_ request: CommandRequest, _ app: App) -> Response {
        let count = min(request.count ?? 1, 1000)
        switch request.command {
        case .move(let motion):
            motion.apply(to: table, count: request.count)
            return .done
        case .toggleColumn, .open:
            if !toggle() { app.session.status.say(.lastColumn) }
        case .moveColumn(let step): move(by: step.rows(count: count))
        case .resizeColumn(let resizing):
            resize(by: resizing == .narrower ? -count : count) { app.main.books.shownWidth(of: $0) }
        default: return .ignored
        }
        app.main.books.columns = columns
        app.main.books.chosenForm = .columns
        table.reloadData()
        return .done
    }

    func point(_ mouse: Mouse, _ app: App) -> Response { .done(mouse.point(at: table, app)) }

    func closed(_ app: App) { app.savePlace() }

    func spoken(_ app: App) -> Spoken {
        let row = Spoken.row(of: table) { cell in
            let words = Spoken.words(of: cell)
            return [words[0] == "[x]" ? "shown" : "hidden"] + words.dropFirst()
        }
        return Spoken(place: .columns, heading: "Columns", content: row)
    }

    func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int { rows.count }

    func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell {
        let row = rows[indexPath.row]
        return TableViewCell([
            .init(row.isHidden ? "[ ]" : "[x]", style: .strong),
            .init(row.column.label + (isShownAsSorted(row) ? " (shown while sorted)" : "")),
            .init(row.width.map(String.init) ?? "auto", style: .secondary),
        ])
    }

    /// Whether the list shows the column only because it is sorted by it.
    private func isShownAsSorted(_ row: ListColumns.Choice) -> Bool { row.isHidden && sorted.contains(row.column) }
}
