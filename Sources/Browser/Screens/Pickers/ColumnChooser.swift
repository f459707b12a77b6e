internal import Catalog
internal import Library
internal import TerminalUI

/// The popup that chooses columns: those of the list first, in their order, then all others.
final class ColumnChooser: Screen, TableViewDataSource {
    /// Opens the popup.
    static let opener = ScreenOpener(context: .columns) {
        ColumnChooser($0.main.books.shownColumns, ListColumn.all(of: $0.session.library.store.schema))
    }

    let context = CommandContext.columns
    let placement = Placement.popup

    /// A column, and whether the list shows it.
    private struct Row {
        var choice: ListColumns.Choice
        var isShown: Bool
    }

    /// The table of columns.
    let table = TableView(columns: [
        TableColumn("", width: .fixed(3)), TableColumn("Column", width: .share(1), minimumWidth: 8),
        TableColumn("Width", width: .fixed(5), isRightAligned: true),
    ])
    private var rows: [Row]

    /// Creates a popup of the columns `all`, with those of `shown` visible.
    init(_ shown: [ListColumns.Choice], _ all: [ListColumn] = ListColumn.ofEveryBook) {
        rows = shown.map { Row(choice: $0, isShown: true) }
        for column in all where !shown.contains(where: { $0.column == column }) {
            rows.append(Row(choice: .init(column: column), isShown: false))
        }
        table.dataSource = self
        table.surface = .popup
        table.reloadData()
    }

    /// The columns that are shown.
    var columns: ListColumns {
        var columns = ListColumns([])
        columns.choices = rows.filter(\.isShown).map(\.choice)
        return columns
    }

    /// Shows or hides the current column.
    ///
    /// - Returns: False if it is the only one shown, besides signs.
    func toggle() -> Bool {
        guard let row = table.currentRow else { return false }
        let isLast = columns.choices.count { !$0.column.isSign } == 1
        if rows[row].isShown && !rows[row].choice.column.isSign && isLast { return false }
        rows[row].isShown.toggle()
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
        let column = rows[row].choice.column
        let (width, _) = (rows[row].choice.width ?? current(column) ?? 10).addingReportingOverflow(count)
        rows[row].choice.width =
            width < ListColumns.widths.lowerBound ? nil : min(width, ListColumns.widths.upperBound)
    }

    func heading(_ app: App) -> Heading { Heading(title: "Columns", position: table.positionText) }

    func layout(in area: Rect, _ app: App) { table.frame = popup(in: area).content }

    private func popup(in area: Rect) -> Popup {
        Popup(in: area, contentSize: Size(rows: table.rowCount + 1, columns: 30))
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
        app.main.books.showsCards = false
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
            .init(row.isShown ? "[x]" : "[ ]", style: .strong),
            .init(row.choice.column.label),
            .init(row.choice.width.map(String.init) ?? "auto", style: .secondary),
        ])
    }
}
