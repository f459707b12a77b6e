internal import Books
internal import Catalog
internal import Editing
internal import Indexing
internal import Library
internal import Search
internal import Shelves
internal import TerminalUI
internal import Text
internal import Threading

/// The screen of the values of a field with the number of books of each, those that may be one first; they are renamed,
/// merged, split and deleted in all books.
final class ValuesScreen: FilterableScreen, TableScreen {
    /// Opens the screen: with the field of the current facet, or that of the authors.
    static let opener = ScreenOpener(context: .values) { app in
        ValuesScreen(app.session, (app.front as? FacetsScreen)?.currentField ?? .authors)
    }

    let context = CommandContext.values
    let isSpokenWhileFiltering = true
    private(set) var filter = ""
    let table = TableView(columns: ValuesDataSource.columns)
    private let source = ValuesDataSource()
    private var field: BookField
    /// The values as they are in the catalog now; nil while they are counted.
    private var counted: CountedValues?
    private var counting: BackgroundTask<CountedValues>?
    private var grouping: BackgroundTask<[[Int]]>?
    /// The row that becomes current when values are counted again, after a change of one that may be another.
    private var awaitedRow: Int?
    private let session: Session

    /// Starts counting; nil, with a message, if the source cannot be read as a whole.
    private init?(_ session: Session, _ field: BookField) {
        let schema = session.library.store.schema
        self.session = session
        self.field = schema.withSharedValues.contains(field) ? field : .authors
        table.dataSource = source
        count()
        guard session.library.store.local != nil, counting != nil || counted != nil else {
            session.status.say(.needsLocalIndex)
            return nil
        }
    }

    // MARK: - Counting

    private func count() {
        counted = nil
        grouping?.cancel()
        grouping = nil
        counting?.cancel()
        counting = session.library.startCountingValues(of: field, notifying: session.wake)
        counting?.wait(milliseconds: session.settings.timeBudget ?? Session.frame)
        receive()
        showValues()
    }

    /// Takes over what was counted or grouped.
    private func receive() {
        if let values = counting?.value {
            counting = nil
            counted = values
            let text = current?.text
            source.take(values)
            grouping = BackgroundTask(notifying: session.wake) { values.variants(unless: $0) }
            grouping?.wait(milliseconds: session.settings.timeBudget ?? Session.frame)
            showValues(current: text)
        }
        if let sets = grouping?.value {
            grouping = nil
            source.variants = sets
            showValues()
            awaitedRow = nil
        }
    }

    /// Shows the values with all words of `text`.
    func show(matching text: String) {
        filter = text
        showValues()
        table.select(0, top: 0)
    }

    /// - Parameter text: The value that becomes current, if it is shown; by default, the current one stays.
    private func showValues(current text: String? = nil) {
        let text = text ?? current?.text
        let row = table.currentRow
        source.show(matching: FilterWords(filter))
        table.placeholder = placeholder
        table.reloadData()
        if table.rowCount == 0 { return }
        let place = awaitedRow ?? (row == 0 ? 0 : source.row(of: text) ?? row ?? 0)
        table.select(min(place, table.rowCount - 1))
    }

    private var placeholder: String {
        if counting != nil { return Message.countingValues.text() }
        return (filter.isEmpty ? Message.noValuesOfField : .noMatchingValue).text(field.info.label)
    }

    private var current: CountedValues.Value? { table.currentRow.flatMap(source.value) }

    func heading(_ app: App) -> Heading {
        let title = "Values of " + field.info.label
        return Heading(title: filter.isEmpty ? title : title + " / " + filter, position: table.positionText)
    }

    // MARK: - Commands

    func perform(_ request: CommandRequest, _ app: App) -> Response {
        switch request.command {
        case .move(let motion): motion.apply(to: table, count: request.count)
        case .selectRow: select()
        case .open: rename(app)
        case .mergeValues: merge(app)
        case .deleteValue: delete(app)
        case .switchPane: showField(by: 1)
        case .previousPane: showField(by: -1)
        case .undo: session.undo()
        case .redo: session.redo()
        case .saveCatalog: session.saveCatalog()
        case .search: app.push(FilterBar(self))
        case .cancel where !filter.isEmpty: show(matching: "")
        case .cancel where !source.selected.isEmpty:
            source.selected = []
            showValues()
        default: return .ignored
        }
        return .done
    }

    func canPerform(_ command: Command, _ app: App) -> Bool {
        switch command {
        case .open, .deleteValue, .selectRow: current != nil && counted != nil
        case .mergeValues: mergedTexts.count > 1 && counted != nil
        case .search: table.rowCount > 0 || !filter.isEmpty
        default: true
        }
    }

    func hintText(of command: Command) -> String? {
        switch command {
        case .cancel where !source.selected.isEmpty && filter.isEmpty: "deselect"
        default: nil
        }
    }

    private func select() {
        guard let current else { return }
        source.selected.formSymmetricDifference([current.text])
        table.reloadData()
        table.moveSelection(by: 1)
    }

    /// Shows the values of another field.
    private func showField(by step: Int) {
        let fields = session.library.store.schema.withSharedValues
        guard let place = fields.firstIndex(of: field) else { return }
        field = fields[(place + step + fields.count) % fields.count]
        source.forget()
        filter = ""
        count()
        table.select(0, top: 0)
    }

    /// The values that become the current one: the selected ones, or those that may be one with it.
    private var mergedTexts: [String] {
        guard let row = table.currentRow, let current else { return [] }
        if source.selected.isEmpty { return source.variants(at: row) }
        return Array(source.selected.union([current.text]))
    }

    private func rename(_ app: App) {
        guard counted != nil, let current, session.isEditable() else { return }
        app.push(
            RenameDialog(current.text, of: field, bookCount: current.bookCount, above: self) { [weak self] items in
                self?.change([current.text: items], Message.renamingValue.text(current.text))
            })
    }

    private func merge(_ app: App) {
        guard let counted, let current, session.isEditable() else { return }
        let others = mergedTexts.filter { $0 != current.text }
        if others.isEmpty { return session.status.say(.nothingToMergeInto, session.keyLabel(of: .selectRow)) }
        let names = Dictionary(uniqueKeysWithValues: others.map { ($0, [current.text]) })
        let count = counted.books(with: Set(others)).count
        let question = Message.mergeValues.text(others.count.of("value"), current.text, count.of("book"))
        ask(question, "merge", names, app)
    }

    private func delete(_ app: App) {
        guard let counted, let current, session.isEditable() else { return }
        let texts = source.selected.isEmpty ? [current.text] : Array(source.selected)
        let names = Dictionary(uniqueKeysWithValues: texts.map { ($0, [String]()) })
        let what = texts.count == 1 ? texts[0] : texts.count.of("value")
        let count = counted.books(with: Set(texts)).count
        ask(Message.deleteValue.text(what, count.of("book")), "delete", names, app)
    }

    private func ask(
        _ question: String, _ verb: String, _ names: [String: [String]], _ app: App
    ) {
        app.push(
            ConfirmDialog(question, below: self, app, verbs: (verb, "keep")) { [weak self] isConfirmed, app in
                if isConfirmed {
                    self?.change(names, Message.changingValues.text(names.count.of("value")))
                } else {
                    app.session.status.say(.valuesKept)
                }
                return .none
            })
    }

    /// Gives values other names in all books.
    private func change(_ names: [String: [String]], _ activity: String) {
        session.receiveEditsOfOthers()
        // The books are those of the last count, which may be another one than when the question was asked.
        guard let counted else { return session.status.say(.valuesChanged) }
        let ids = counted.books(with: Set(names.keys))
        guard let first = ids.first else { return session.status.say(.valuesChanged) }
        let title = session.library.store.bookAtHand(first)?.shownTitle ?? ""
        let transform = FieldTransform(renaming: names, of: field)
        source.selected = []
        awaitedRow = table.currentRow.flatMap { source.variants(at: $0).isEmpty ? nil : $0 }
        if let refusal = session.edit(
            BookEdit(.changed, ids, title: title, .bulk(.transforming([transform]))), activity)
        {
            session.status.say(refusal.sentence)
        }
    }

    // MARK: - Changes

    func sessionChanged(_ changes: SessionChanges, _ app: App) {
        if changes.contains(.reloaded) { return count() }
        if changes.contains(.background) { receive() }
    }

    func closed(_ app: App) {
        counting?.cancel()
        grouping?.cancel()
    }
}

/// Provides the values as rows of a table: those that may be one in a section before all of them.
final class ValuesDataSource: TableViewDataSource {
    /// The sets of values that may be one, as numbers of the values.
    var variants: [[Int]] = []
    /// The selected values.
    var selected: Set<String> = []
    private var values: [CountedValues.Value] = []
    private var normalized: [String] = []
    /// The numbers of the values of each row of each section, and the set of the row in the first one.
    private var alike: [(number: Int, set: Int)] = []
    private var all: [Int] = []

    /// The columns of the cells.
    static let columns = [
        TableColumn("Value", width: .share(1), minimumWidth: 12),
        TableColumn("Books", width: .fixed(9), priority: 1, isRightAligned: true),
    ]

    /// Takes new values, whose variants are not known yet.
    func take(_ counted: CountedValues) {
        forgetRows()
        (values, variants) = (counted.values, [])
        normalized = values.map(\.text.folded)
    }

    /// Forgets all values, because those of another field follow.
    func forget() {
        (values, normalized, variants, selected) = ([], [], [], [])
        forgetRows()
    }

    private func forgetRows() { (alike, all) = ([], []) }

    /// Shows the values that match. The table must be reloaded then.
    func show(matching words: FilterWords) {
        all = words.isEmpty ? Array(values.indices) : values.indices.filter { words.match(folded: normalized[$0]) }
        let matching = Set(all)
        alike = variants.enumerated().filter { words.isEmpty || !matching.isDisjoint(with: $0.element) }
            .flatMap { set, numbers in numbers.map { ($0, set) } }
    }

    /// The value of a row.
    func value(at row: Int) -> CountedValues.Value? { number(at: row).map { values[$0] } }

    /// The texts of the values that may be one with that of a row; none outside their section.
    func variants(at row: Int) -> [String] {
        alike.indices.contains(row) ? variants[alike[row].set].map { values[$0].text } : []
    }

    /// The row of a value among all of them, if it is shown.
    func row(of text: String?) -> Int? {
        guard let text else { return nil }
        return all.firstIndex { values[$0].text == text }.map { $0 + alike.count }
    }

    private func number(at row: Int) -> Int? {
        if row < alike.count { return alike[row].number }
        return all.indices.contains(row - alike.count) ? all[row - alike.count] : nil
    }

    func numberOfSections(in tableView: TableView) -> Int { alike.isEmpty ? 1 : 2 }

    func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int {
        alike.isEmpty || section == 1 ? all.count : alike.count
    }

    func tableView(_ tableView: TableView, titleForHeaderInSection section: Int) -> String? {
        alike.isEmpty ? nil : section == 0 ? "May be one" : "All values"
    }

    func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell {
        let isAlike = !alike.isEmpty && indexPath.section == 0
        let number = isAlike ? alike[indexPath.row].number : all[indexPath.row]
        let value = values[number]
        let isOther = isAlike && indexPath.row > 0 && alike[indexPath.row - 1].set == alike[indexPath.row].set
        let text = value.text.onOneLine
        return TableViewCell(
            [
                .init((isOther ? "  = " : "") + text, spoken: isOther ? "or " + text : nil),
                .init(value.bookCount.grouped, style: .secondary, spoken: value.bookCount.of("book")),
            ], isSelected: selected.contains(value.text))
    }
}
