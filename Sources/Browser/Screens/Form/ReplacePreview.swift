internal import Books
internal import Graphemes
internal import Library
internal import TerminalUI
internal import Threading

/// What a replacement would do: each old text with the new one and the number of books, before it is made.
final class ReplacePreview: TableScreen {
    let context = CommandContext.replacement
    private let source = ReplacePreviewRows()
    let table = TableView(columns: ReplacePreviewRows.columns)
    private let name: String
    private let make: (App) -> Void
    private var task: BackgroundTask<ChangePreview>?
    private var preview: ChangePreview?

    /// Creates the screen of a replacement in a field, which calls `make` when the user confirms it.
    init(in field: BookField, _ task: BackgroundTask<ChangePreview>, make: @escaping (App) -> Void) {
        (self.task, self.make) = (task, make)
        name = field.info.label
        table.dataSource = source
        table.placeholder = Message.collectingChanges.text()
    }

    /// Shows the result of the task, if it has ended.
    func receive(in session: Session, waiting milliseconds: Int = 0) {
        guard let task, let preview = task.wait(milliseconds: milliseconds) else { return }
        (self.task, self.preview) = (nil, preview)
        source.rows = preview.rows
        table.placeholder = preview.failedCount > 0 ? "" : Message.nothingReplaced.text()
        table.reloadData()
        table.select(0, top: 0)
        sayFailure(of: preview, in: session)
    }

    /// Says why books cannot be changed, if some cannot.
    private func sayFailure(of preview: ChangePreview, in session: Session) {
        guard let failure = preview.firstFailure else { return }
        let others = preview.failedCount - 1
        let rest = others > 0 ? ". " + Message.othersFailToo.text(others.of("other book")) : ""
        session.status.say(failure + rest)
    }

    func heading(_ app: App) -> Heading {
        Heading(title: "Replace in \(name)" + summary, position: table.positionText)
    }

    /// The number of books that change, and that of those that do not.
    private var summary: String {
        guard let preview else {
            return task.map { " · \(Int($0.fraction * 100)) %" } ?? ""
        }
        if preview.failedCount > 0 { return " · \(preview.failedCount.of("book")) cannot be changed" }
        var parts = [preview.changedCount.of("book")]
        if preview.unchangedCount > 0 { parts.append("\(preview.unchangedCount.grouped) unchanged") }
        if preview.rowCount > preview.rows.count {
            parts.append("\(preview.rows.count.grouped) of \(preview.rowCount.grouped) replacements shown")
        }
        return " · " + parts.joined(separator: ", ")
    }

    func canPerform(_ command: Command, _ app: App) -> Bool {
        command != .open || preview.map { $0.changedCount > 0 && $0.failedCount == 0 } ?? false
    }

    func perform(_ request: CommandRequest, _ app: App) -> Response {
        switch request.command {
        case .move(let motion): motion.apply(to: table, count: request.count)
        case .open:
            guard let preview else {
                app.session.status.say(.collectingChanges)
                break
            }
            if preview.failedCount > 0 {
                sayFailure(of: preview, in: app.session)
                break
            }
            app.close(self)
            if preview.changedCount > 0 { make(app) }
        default: return .ignored
        }
        return .done
    }

    func sessionChanged(_ changes: SessionChanges, _ app: App) {
        if changes.contains(.background) { receive(in: app.session) }
    }

    func closed(_ app: App) { task?.cancel() }
}

/// Provides the replaced texts as rows of a table, the most frequent first.
final class ReplacePreviewRows: TableViewDataSource {
    /// The columns of the cells.
    static let columns = [
        TableColumn("Old", width: .share(1), minimumWidth: 10),
        TableColumn("New", width: .share(1), minimumWidth: 10),
        TableColumn("Books", width: .fixed(9), priority: 0),
    ]

    /// The replacements. The table must be reloaded when they change.
    var rows: [ChangePreview.Row] = []

    func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int { rows.count }

    func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell {
        let row = rows[indexPath.row]
        func shown(_ text: String) -> TableViewCell.Field {
            text.isEmpty ? .init("(empty)", style: .secondary) : .init(text)
        }
        return TableViewCell([shown(row.old), shown(row.new), .init(row.bookCount.grouped, style: .secondary)])
    }
}
