internal import TerminalUI

/// The last mouse press on a row, for detecting double clicks.
struct LastPress {
    private var press: (table: ObjectIdentifier, row: Int, time: Int)?

    /// The maximum time between the presses of a double click, in milliseconds.
    private static let doubleClickTime = 400

    /// Records a press.
    ///
    /// - Returns: Whether it completes a double click on the row.
    mutating func isDouble(with row: Int, of table: TableView, at time: Int) -> Bool {
        let this = ObjectIdentifier(table)
        if let press, press.table == this, press.row == row, (0...Self.doubleClickTime).contains(time - press.time) {
            self.press = nil
            return true
        }
        press = (this, row, time)
        return false
    }
}

extension Mouse {
    /// The number of rows or lines that a step of the wheel scrolls.
    private static let wheelStep = 3

    /// The number of rows that the wheel scrolls; positive is down, nil for other actions.
    var wheelRows: Int? {
        if case .wheel(let steps) = action { steps * Self.wheelStep } else { nil }
    }

    /// Returns the number of rows of `table` that the wheel scrolls; rows of several lines count as such.
    func wheelRows(of table: TableView) -> Int? {
        wheelRows.map { $0.signum() * max(1, Int($0.magnitude) / table.rowHeight) * table.tilesPerLine }
    }

    /// Performs the action in `table`: makes the pressed row current, opens it at a double click, or scrolls.
    func point(at table: TableView, _ app: App) -> Effect {
        guard table.frame.contains(position) else { return .none }
        if let rows = wheelRows(of: table) {
            table.scrollScreen(by: rows)
        } else if case .press = action, let row = table.row(at: position) {
            table.select(row)
            guard app.lastPress.isDouble(with: row, of: table, at: time) else { return .none }
            if let input = app.top.textInput { return input.accepted(app) }
            return app.perform(CommandRequest(command: .open))
        }
        return .none
    }
}
