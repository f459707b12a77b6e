internal import Library
internal import Shelves
internal import Storage
internal import TerminalUI

/// The screen of all changes of user data and the catalog; Enter goes back to one.
final class HistoryScreen: FilterableScreen, TableScreen {
    /// Opens the screen.
    static let opener = ScreenOpener(context: .history) { HistoryScreen($0.session) }

    let context = CommandContext.history
    let isSpokenWhileFiltering = true
    private(set) var filter = ""
    let table = TableView(columns: [])
    private let source: HistoryDataSource
    /// All changes, latest first.
    private var steps: [UndoStep] = []
    private let session: Session

    /// The maximum number of changes shown.
    private static let limit = 10_000

    /// Creates the screen of the changes of `session`. Returns nil and shows a message if they cannot be read.
    init?(_ session: Session) {
        self.session = session
        source = HistoryDataSource(HistoryDates(today: session.today))
        do throws(FileError) {
            steps = try session.library.userData.history(limit: Self.limit)
        } catch {
            session.status.say(.historyUnreadable, error.savingSentence)
            return nil
        }
        table.dataSource = source
        show(matching: "")
    }

    /// Shows the changes with all words of `text` in their sentence or date.
    func show(matching text: String) {
        filter = text
        showSteps()
        table.select(0, top: 0)
    }

    private func showSteps() {
        source.steps = source.steps(of: steps, matching: filter)
        table.columns = source.columns
        table.placeholder = (filter.isEmpty ? Message.noChanges : .noMatchingChange).text()
        table.reloadData()
    }

    func heading(_ app: App) -> Heading {
        Heading(title: filter.isEmpty ? "History" : "History / " + filter, position: table.positionText)
    }

    func perform(_ request: CommandRequest, _ app: App) -> Response {
        switch request.command {
        case .move(let motion): motion.apply(to: table, count: request.count)
        case .open:
            guard let row = table.currentRow else { break }
            app.close(self)
            session.goBack(to: source.steps[row])
        case .undo: reload(current: session.undo())
        case .redo: reload(current: session.redo())
        case .search: app.push(FilterBar(self))
        case .cancel where !filter.isEmpty: show(matching: "")
        default: return .ignored
        }
        return .done
    }

    func canPerform(_ command: Command, _ app: App) -> Bool {
        switch command {
        case .open: table.currentRow != nil
        case .search: !steps.isEmpty
        case .undo: steps.contains { !$0.isUndone }
        case .redo: steps.contains(where: \.isUndone)
        default: true
        }
    }

    /// Updates the changes, also after those of another instance and those that were made in the background.
    func sessionChanged(_ changes: SessionChanges, _ app: App) { if changes.contains(.lists) { reload() } }

    /// Reads the changes again; `step` becomes the current one if it is shown, else the current one stays current.
    private func reload(current step: UndoStep? = nil) {
        let row = table.currentRow
        let ids = [step?.id, row.map { source.steps[$0].id }]
        steps = (try? session.library.userData.history(limit: Self.limit)) ?? []
        showSteps()
        let found = ids.lazy.compactMap { id in self.source.steps.firstIndex { $0.id == id } }.first
        if let row = found ?? row { table.select(row) }
    }

    func spoken(_ app: App) -> Spoken { Spoken(place: .history, heading: "History", content: Spoken.row(of: table)) }
}

/// Provides the changes as rows of a table, latest first.
final class HistoryDataSource: TableViewDataSource {
    /// The changes. The table must be reloaded when they change.
    var steps: [UndoStep] = []
    private let dates: HistoryDates

    /// Creates a source without changes.
    init(_ dates: HistoryDates) { self.dates = dates }

    /// The columns of the cells; the first is as wide as the dates, which are longer in another year.
    var columns: [TableColumn] {
        let width = steps.map { dates.text(of: $0.date).count }.max() ?? 0
        return [
            TableColumn("When", width: .fixed(max(16, width)), priority: 0),
            TableColumn("What", width: .share(1), minimumWidth: 20),
            TableColumn("", width: .fixed(11), priority: 1),
        ]
    }

    /// Returns the changes with all words of `text` in their sentence or date.
    func steps(of steps: [UndoStep], matching text: String) -> [UndoStep] {
        let words = FilterWords(text)
        if words.isEmpty { return steps }
        return steps.filter { words.match("\(dates.text(of: $0.date)) \($0.sentence)") }
    }

    func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int { steps.count }

    func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell {
        let step = steps[indexPath.row]
        let style = step.isUndone ? Style.secondary : .plain
        return TableViewCell([
            .init(dates.text(of: step.date), style: .secondary), .init(step.sentence, style: style),
            .init(step.isUndone ? "undone" : "", style: .secondary),
        ])
    }
}
