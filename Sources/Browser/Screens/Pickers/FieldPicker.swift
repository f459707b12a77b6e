internal import Books
internal import Catalog
internal import Library
internal import Search
internal import TerminalUI
internal import Text

/// The picker of the field by which the list is sorted or grouped: those with keys of their own, and those that only the
/// catalog has.
final class FieldPicker: Picker, TableViewDataSource {
    /// A field that can be chosen.
    private enum Choice {
        case sort(SortOrder.Key)
        case section(SectionKey)

        var label: String {
            switch self {
            case .sort(let key): key.label
            case .section(let key): key.label
            }
        }

        var field: BookField? {
            switch self {
            case .sort(.own(let field)), .section(.own(let field)): field
            case .sort, .section: nil
            }
        }
    }

    let context = CommandContext.fields
    let title: String
    let verb: String
    let prompt = ">"
    var size: Size { Size(rows: min(16, table.rowCount + 3), columns: 44) }
    var editor = LineEditor()
    let table = TableView(columns: [
        TableColumn("Field", width: .share(1), minimumWidth: 10),
        TableColumn("", width: .fixed(12), priority: 0),
    ])
    private let choices: [Choice]
    private var found: [Choice] = []

    private init(_ title: String, _ verb: String, _ choices: [Choice]) {
        (self.title, self.verb, self.choices) = (title, verb, choices)
        table.dataSource = self
        table.surface = .popup
        table.placeholder = Message.noMatch.text()
        find()
    }

    /// Creates the picker of the field to sort by.
    static func ofOrders(_ app: App) -> FieldPicker {
        let store = app.session.library.store
        let keys = SortOrder.Key.all(of: store.schema).filter { store.remote?.sortKeys?.contains($0) ?? true }
        return FieldPicker("Sort by a field", "sort", ofOwnFirst(keys.map(Choice.sort)))
    }

    /// Creates the picker of the field to group by.
    static func ofSections(_ app: App) -> FieldPicker {
        let own = app.session.library.store.schema.described.map(SectionKey.own)
        return FieldPicker("Group by a field", "group", ofOwnFirst((SectionKey.ofEveryBook + own).map(Choice.section)))
    }

    /// Fields without keys come first.
    private static func ofOwnFirst(_ choices: [Choice]) -> [Choice] {
        choices.filter { $0.field != nil } + choices.filter { $0.field == nil }
    }

    func edited(_ app: App) { find() }

    /// Sorts or groups by the current field.
    func accepted(_ app: App) -> Effect {
        guard let row = table.currentRow, found.indices.contains(row) else { return .none }
        app.close(self)
        switch found[row] {
        case .sort(let key): app.session.books.sort(by: key)
        case .section(let key): app.session.books.section(by: key)
        }
        return .none
    }

    private func find() {
        let words = words
        found = choices.filter { words.match($0.label + " " + ($0.field?.id ?? "")) }
        table.reloadData()
        table.select(0, top: 0)
    }

    func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int { found.count }

    func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell {
        let choice = found[indexPath.row]
        return TableViewCell([
            .init(choice.label.prefix(1).uppercased() + choice.label.dropFirst()),
            .init(
                choice.field.map { $0.info.kind == .boolean ? "yes or no" : "\($0.info.kind)" } ?? "", style: .secondary
            ),
        ])
    }
}
