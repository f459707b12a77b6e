internal import Glibc
internal import Library
internal import Shelves
internal import Storage
internal import TerminalUI

/// The screen of all changes of user data and the catalog; Enter goes back to one.
final class HistoryScreen: Screen {
    /// Opens the screen.
    static let opener = ScreenOpener(context: .history) { HistoryScreen($0.session) }

    let context = CommandContext.history
    let placement = Placement.body
    private let table = TableView(columns: HistoryDataSource.columns)
    private let source = HistoryDataSource()
    private let session: Session

    /// The maximum number of changes shown.
    private static let limit = 10_000

    /// Creates the screen of the changes of `session`. Returns nil and shows a message if they cannot be read.
    init?(_ session: Session) {
        self.session = session
        do throws(FileError) {
            source.steps = try session.library.userData.history(limit: Self.limit)
        } catch {
            session.status.say(.historyUnreadable, error.savingSentence)
            return nil
        }
        table.dataSource = source
        table.placeholder = Message.noChanges.text()
        table.reloadData()
        table.select(0, top: 0)
    }

    func heading(_ app: App) -> Heading { Heading(title: "History", position: table.positionText) }

    func layout(in area: Rect, _ app: App) { table.frame = area }

    func draw(on canvas: inout Canvas, _ app: App) -> Position {
        table.draw(on: &canvas, isFocused: app.front === self)
        return table.cursor
    }

    func perform(_ request: CommandRequest, _ app: App) -> Response {
        switch request.command {
        case .move(let motion): motion.apply(to: table, count: request.count)
        case .open:
            guard let row = table.currentRow else { break }
            app.close(self)
            session.goBack(to: source.steps[row])
        case .undo:
            session.undo()
            reload()
        case .redo:
            session.redo()
            reload()
        default: return .ignored
        }
        return .done
    }

    func canPerform(_ command: Command, _ app: App) -> Bool {
        switch command {
        case .open: table.currentRow != nil
        case .undo: source.steps.contains { !$0.isUndone }
        case .redo: source.steps.contains(where: \.isUndone)
        default: true
        }
    }

    private func reload() {
        let row = table.currentRow
        source.steps = (try? session.library.userData.history(limit: Self.limit)) ?? []
        table.reloadData()
        if let row { table.select(row) }
    }

    func point(_ mouse: Mouse, _ app: App) -> Response { .done(mouse.point(at: table, app)) }

    func spoken(_ app: App) -> Spoken { Spoken(place: .history, heading: "History", content: Spoken.row(of: table)) }
}

/// Provides the changes as rows of a table, latest first.
final class HistoryDataSource: TableViewDataSource {
    /// The columns of the cells.
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
            .init(step.isUndone ? "undone" : "", style: .secondary),
        ])
    }

    /// Converts a UTC time (RFC 3339) to local time, to the minute: "2026-11-21 23:40".
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
