internal import Shelves
internal import TerminalUI

/// Gives a table the changes that the reader made, the last first.
final class HistoryDataSource: TableViewDataSource {
    /// The columns that its cells fill.
    static let columns = [
        TableColumn("When", width: .fixed(16), priority: 0),
        TableColumn("What", width: .share(1), minimumWidth: 20),
        TableColumn("", width: .fixed(11), priority: 1),
    ]

    /// The changes. The table must be reloaded when they change.
    var steps: [Step] = []

    func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int { steps.count }

    func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell {
        let step = steps[indexPath.row]
        let style = step.isUndone ? Style.secondary : .plain
        // Of "2026-11-21T23:40:00Z" to the minute.
        let date = String(step.date.prefix(16)).replacing("T", with: " ")
        return TableViewCell([
            .init(date, style: .secondary), .init(step.sentence, style: style),
            .init(step.isUndone ? "taken back" : "", style: .secondary),
        ])
    }
}
