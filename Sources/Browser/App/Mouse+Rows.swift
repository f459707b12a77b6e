internal import TerminalUI

/// A press of a row, to tell whether the next one is a double click.
struct LastPress {
    private var press: (table: ObjectIdentifier, row: Int, time: Int)?

    /// In milliseconds: two presses of a row that are no further apart open it.
    private static let doubleClickTime = 400

    /// Remembers a press.
    ///
    /// - Returns: Whether it is the second of two on the same row, shortly after each other.
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
    /// How many rows or lines a step of the wheel scrolls by.
    private static let wheelStep = 3

    /// By how many rows the wheel scrolls, down where positive; nil if it was not turned.
    var wheelRows: Int? {
        if case .wheel(let steps) = action { steps * Self.wheelStep } else { nil }
    }

    /// Does in `table` what it asks for: selects the row that was pressed, opens it at the second press, scrolls.
    func point(at table: TableView, _ app: App) -> Effect {
        guard table.frame.contains(position) else { return .none }
        if let wheelRows {
            table.scrollScreen(by: wheelRows)
        } else if case .press = action, let row = table.row(at: position) {
            table.select(row)
            guard app.lastPress.isDouble(with: row, of: table, at: time) else { return .none }
            if let input = app.top as? any TextInput { return input.accepted(app) }
            return app.perform(CommandRequest(command: .open))
        }
        return .none
    }
}
