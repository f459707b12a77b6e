internal import TerminalUI

/// A screen of rows, of which one is current.
protocol TableScreen: Screen {
    /// The table of the rows.
    var table: TableView { get }
}

extension TableScreen {
    var placement: Placement { .body }

    func layout(in area: Rect, _ app: App) { table.frame = area }

    func draw(on canvas: inout Canvas, _ app: App) -> Position {
        table.draw(on: &canvas, isFocused: app.front === self)
        return table.cursor
    }

    func point(_ mouse: Mouse, _ app: App) -> Response { .done(mouse.point(at: table, app)) }

    func spoken(_ app: App) -> Spoken {
        Spoken(place: context, heading: heading(app).title, content: Spoken.row(of: table))
    }
}
