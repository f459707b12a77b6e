internal import Glibc
internal import Library
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
    var steps: [UndoStep] = []

    func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int { steps.count }

    func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell {
        let step = steps[indexPath.row]
        let style = step.isUndone ? Style.secondary : .plain
        return TableViewCell([
            .init(Self.localTime(of: step.date), style: .secondary), .init(step.sentence, style: style),
            .init(step.isUndone ? "taken back" : "", style: .secondary),
        ])
    }

    /// A time in UTC (RFC 3339) as the clock on the reader's wall had it, to the minute: "2026-11-21 23:40".
    static func localTime(of date: String) -> String {
        let numbers = date.split { !$0.isASCII || !$0.isNumber }.compactMap { Int32($0) }
        guard numbers.count >= 6 else { return "" }
        var universal = tm()
        (universal.tm_year, universal.tm_mon, universal.tm_mday) = (numbers[0] &- 1900, numbers[1] &- 1, numbers[2])
        (universal.tm_hour, universal.tm_min, universal.tm_sec) = (numbers[3], numbers[4], numbers[5])
        var seconds = timegm(&universal)
        var local = tm()
        localtime_r(&seconds, &local)
        var buffer = [CChar](repeating: 0, count: 32)
        let count = strftime(&buffer, buffer.count, "%Y-%m-%d %H:%M", &local)
        return String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
