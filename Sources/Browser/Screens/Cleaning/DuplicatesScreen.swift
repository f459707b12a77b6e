internal import Books
internal import Catalog
internal import Editing
internal import Indexing
internal import Library
internal import Shelves
internal import Storage
internal import TerminalUI
internal import Text

/// The screen of the books that are in the catalog more than once: the groups, and beside them the values of the current
/// one, side by side. Enter merges the books of a group.
final class DuplicatesScreen: FilterableScreen {
    /// Opens the screen.
    static let opener = ScreenOpener(context: .duplicates) { DuplicatesScreen($0.session) }

    let context = CommandContext.duplicates
    let placement = Placement.body
    let isSpokenWhileFiltering = true
    private(set) var filter = ""
    private let review: DuplicateReview
    private let groups = TableView(columns: DuplicateGroupsDataSource.columns)
    private let groupSource: DuplicateGroupsDataSource
    private let fields = TableView(columns: MergeDataSource.columns)
    private let fieldSource: MergeDataSource
    private let preview = TextView()
    /// Whether the values have the keyboard, instead of the groups.
    private var isInFields = false
    private var isWide = true
    private let session: Session

    /// The least width of a window that shows the values beside the groups.
    private static let wideWidth = 76
    /// The least height of the values with the whole text of the current one below them.
    private static let previewHeight = 14

    /// Starts the search; nil, with a message, if the books are not in an index here.
    private init?(_ session: Session) {
        guard let review = DuplicateReview(session) else {
            session.status.say(.needsLocalIndex)
            return nil
        }
        (self.session, self.review) = (session, review)
        groupSource = DuplicateGroupsDataSource(session.library.store)
        fieldSource = MergeDataSource(session.library)
        groups.dataSource = groupSource
        fields.dataSource = fieldSource
        fields.surface = .window
        showGroups()
    }

    // MARK: - Showing

    /// Shows the groups whose books have all words of `text` in a title.
    func show(matching text: String) {
        filter = text
        showGroups()
        groups.select(0, top: 0)
        showFields()
    }

    private func showGroups() {
        let row = groups.currentRow
        groupSource.show(review.groups, matching: FilterWords(filter))
        groups.placeholder = placeholder
        groups.reloadData()
        if let row, groups.rowCount > 0 { groups.select(min(row, groups.rowCount - 1)) }
        showFields()
    }

    private var placeholder: String {
        if !filter.isEmpty { return Message.noMatchingDuplicates.text() }
        return (review.isSearching ? Message.comparingBooks : .noDuplicatesLeft).text()
    }

    /// Shows the values of the current group.
    private func showFields() {
        fieldSource.show(current.flatMap(review.proposal), of: current)
        fields.reloadData()
        if current == nil { isInFields = false }
    }

    private var current: DuplicateGroup? { groups.currentRow.map { groupSource[groups.indexPath(forRow: $0)] } }

    private var title: String {
        let title = "Duplicates" + (current.map { " · " + $0.reason.phrase } ?? "")
        return filter.isEmpty ? title : title + " / " + filter
    }

    func heading(_ app: App) -> Heading {
        let progress = review.fraction.map { " · comparing, \(Int(100 * $0)) %" } ?? ""
        return Heading(title: title + progress, position: groups.positionText)
    }

    func layout(in area: Rect, _ app: App) {
        isWide = area.width >= Self.wideWidth
        (groups.frame, fields.frame, preview.frame) = (.empty, .empty, .empty)
        var values = area
        if isWide {
            let width = area.width * 2 / 5
            groups.frame = Rect(row: area.row, column: area.column, height: area.height, width: width - 1)
            values.column += width
            values.width -= width
        } else if !isInFields {
            groups.frame = area
            return
        }
        let height = values.height < Self.previewHeight ? 0 : values.height / 3
        fields.frame = Rect(
            row: values.row, column: values.column, height: values.height - height, width: values.width)
        preview.paragraphs = height > 0 ? fields.currentRow.map(fieldSource.whole) ?? [] : []
        preview.frame = Rect(
            row: values.row + values.height - height + 1, column: values.column + 1, height: max(0, height - 1),
            width: values.width - 2)
    }

    func draw(on canvas: inout Canvas, _ app: App) -> Position {
        let hasKeyboard = app.front === self
        if !groups.frame.isEmpty { groups.draw(on: &canvas, isFocused: hasKeyboard && !isInFields) }
        if !fields.frame.isEmpty { fields.draw(on: &canvas, isFocused: hasKeyboard && isInFields) }
        if !preview.frame.isEmpty { preview.draw(on: &canvas) }
        return focused.cursor
    }

    private var focused: TableView { isInFields ? fields : groups }

    func spoken(_ app: App) -> Spoken {
        // The progress would be spoken again and again.
        Spoken(place: context, heading: title, content: Spoken.row(of: focused))
    }

    // MARK: - Commands

    func perform(_ request: CommandRequest, _ app: App) -> Response {
        switch request.command {
        case .move(let motion):
            motion.apply(to: focused, count: request.count)
            if !isInFields { showFields() }
        case .switchPane, .previousPane: switchPane()
        // A narrow window shows what is merged before it is.
        case .open where !isWide && !isInFields: switchPane()
        case .open: merge()
        case .otherValue: chooseOther()
        case .mergeAlike: askToMergeAlike(app)
        case .notSame: setDistinct()
        case .undo: session.undo()
        case .redo: session.redo()
        case .saveCatalog: session.saveCatalog()
        case .search: app.push(FilterBar(self))
        case .cancel where !filter.isEmpty: show(matching: "")
        case .cancel where isInFields, .back where isInFields: switchPane()
        case .cancel where review.isSearching:
            review.stop()
            session.status.say(.searchForDuplicatesStopped)
            showGroups()
        default: return .ignored
        }
        return .done
    }

    func canPerform(_ command: Command, _ app: App) -> Bool {
        switch command {
        case .open where !isWide && !isInFields: current != nil
        case .open, .otherValue, .mergeAlike, .notSame: current.map { $0.reason != .editions } ?? false
        case .switchPane: current != nil
        case .search: review.groups.count > 0
        default: true
        }
    }

    func hintText(of command: Command) -> String? {
        switch command {
        case .open where !isWide && !isInFields: "compare"
        case .cancel where isInFields: "groups"
        case .cancel where review.isSearching: "stop"
        default: nil
        }
    }

    func point(_ mouse: Mouse, _ app: App) -> Response {
        if case .press = mouse.action {
            if fields.frame.contains(mouse.position) { isInFields = current != nil }
            if groups.frame.contains(mouse.position) { isInFields = false }
        }
        let table = fields.frame.contains(mouse.position) ? fields : groups
        if let rows = mouse.wheelRows(of: table) {
            if table.frame.contains(mouse.position) { table.scrollScreen(by: rows) }
        } else if case .press = mouse.action, let row = table.row(at: mouse.position) {
            table.select(row)
            // A double click must not merge what was only looked at.
            if table === fields, app.lastPress.isDouble(with: row, of: table, at: mouse.time) { chooseOther() }
        }
        if !isInFields { showFields() }
        return .done
    }

    private func switchPane() {
        isInFields = !isInFields && current != nil
        if isInFields { fields.select(fields.currentRow ?? 0) }
    }

    /// Takes the next value of the current field; in the groups, goes to the fields first.
    private func chooseOther() {
        guard let current, current.reason != .editions else { return }
        if !isInFields { return switchPane() }
        guard let row = fields.currentRow else { return }
        review.choose(in: current) { proposal in
            if let number = fieldSource.choice(at: row) { proposal.chooseNext(at: number) } else { proposal.keepNext() }
        }
        fieldSource.update(review.proposal(for: current))
        fields.reloadData()
        fields.select(row)
    }

    /// Whether the groups are those of the books as they are now, which other instances and changes that are still made may
    /// have changed; shows a message if not.
    private var isUpToDate: Bool {
        guard session.awaitBulkChange() else {
            session.sayBusy()
            return false
        }
        session.receiveEditsOfOthers()
        session.takeShift()
        if !review.follow() { return true }
        showGroups()
        session.status.say(.duplicatesChanged)
        return false
    }

    private func merge() {
        guard isUpToDate, let current else { return }
        if current.reason == .editions { return session.status.say(.editionsAreNoDuplicates) }
        guard session.isEditable() else { return }
        guard let edit = review.edit(merging: [current]) else { return session.status.say(.booksGone) }
        make(edit, current.books.count)
    }

    private func make(_ edit: BookEdit, _ count: Int) {
        isInFields = false
        if let refusal = review.make(edit, Message.merging.text(count.of("record"))) {
            session.status.say(refusal.sentence)
        }
    }

    private func askToMergeAlike(_ app: App) {
        guard isUpToDate, let current, current.reason != .editions, session.isEditable() else { return }
        let version = review.version
        let alike = review.groups.filter { $0.reason == current.reason }
        let bookCount = alike.reduce(0) { $0 + $1.books.count }
        let question = Message.mergeAlike.text(
            alike.count.of("group"), current.reason.phrase, bookCount.of("record"), alike.count.of("book"),
            review.droppedValueCount(of: alike).of("value"))
        app.push(
            ConfirmDialog(question, below: self, app, verbs: ("merge", "keep")) { [weak self] isConfirmed, app in
                guard isConfirmed else {
                    app.session.status.say(.nothingMerged)
                    return .none
                }
                guard let self, isUpToDate else { return .none }
                // What was asked is not what would be merged now.
                guard version == review.version, let edit = review.edit(merging: alike) else {
                    app.session.status.say(.duplicatesChanged)
                    return .none
                }
                make(edit, bookCount)
                return .none
            })
    }

    private func setDistinct() {
        guard isUpToDate, let current, current.reason != .editions else { return }
        let title = session.library.store.bookAtHand(current.books[0])?.shownTitle ?? ""
        let key = session.keyLabel(of: .undo)
        session.change(saying: Message.notSame.text(current.books.count.of("book"), title, key)) {
            () throws(FileError) in
            try review.setDistinct(current)
        }
    }

    // MARK: - Changes

    func sessionChanged(_ changes: SessionChanges, _ app: App) {
        if review.receive(changes) { showGroups() }
    }

    func closed(_ app: App) { review.stop() }
}

extension DuplicateGroup.Reason {
    /// Why the books of a group are in it, in the title bar.
    fileprivate var phrase: String {
        switch self {
        case .sameRecord: "equal records"
        case .sameISBNAndTitle: "same ISBN and title"
        case .sameISBN: "same ISBN"
        case .sameTitle: "same title and authors"
        case .similarTitle: "similar titles"
        case .editions: "other editions"
        }
    }
}
