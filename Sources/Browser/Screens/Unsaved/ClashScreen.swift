internal import Books
internal import Editing
internal import Graphemes
internal import JSON
internal import Library
internal import TerminalUI

/// The screen of edits that clash with changes by other programs, of the file or on the server; the user chooses one
/// side for each value.
final class ClashScreen: Screen {
    /// Returns the side whose value is used for a key of a clash.
    typealias Choice = (_ clash: Int, _ keys: [String]) -> JSONMerge.Side

    let context = CommandContext.clashes
    let placement = Placement.body
    private let clashes: [EditClash]
    private let decide: (_ choose: @escaping Choice, App) -> Void
    private let source: ClashDataSource
    private let table: TableView
    private let preview = TextView()
    private static let title = "Conflicts"

    /// Creates the screen of `clashes`; it calls `decide` when a side is chosen for every value.
    ///
    /// - Parameter isOnServer: Whether the others have changed the books on a server.
    init(clashes: [EditClash], isOnServer: Bool = false, decide: @escaping (_ choose: @escaping Choice, App) -> Void) {
        self.clashes = clashes
        self.decide = decide
        source = ClashDataSource(clashes, isOnServer: isOnServer)
        table = TableView(columns: source.columns)
        table.dataSource = source
        table.reloadData()
        table.select(0, top: 0)
    }

    func heading(_ app: App) -> Heading { Heading(title: Self.title, position: table.positionText) }

    // MARK: - Layout

    /// The minimum height of an area with a preview of the current row's values.
    private static let minimumPreviewHeight = 12

    func layout(in area: Rect, _ app: App) {
        let height = area.height < Self.minimumPreviewHeight ? 0 : area.height / 3
        let tableHeight = area.height - height
        table.frame = Rect(row: area.row, column: area.column, height: tableHeight, width: area.width)
        preview.paragraphs = height > 0 ? source.preview(of: table.currentRow ?? 0) : []
        preview.frame =
            height > 0
            ? Rect(row: area.row + tableHeight + 1, column: area.column, height: height - 1, width: area.width)
                .textFrame : .empty
    }

    func draw(on canvas: inout Canvas, _ app: App) -> Position {
        table.draw(on: &canvas, isFocused: app.front === self)
        if !preview.frame.isEmpty { preview.draw(on: &canvas) }
        return table.cursor
    }

    func spoken(_ app: App) -> Spoken {
        Spoken(
            place: context, heading: Self.title,
            content: Spoken.row(of: table) { [table, source] _ in source.words(of: table.currentRow ?? 0) })
    }

    // MARK: - Keys

    func type(_ key: Key, _ app: App) -> Effect? {
        // Enter accepts, as in a dialog.
        guard key == .enter, !app.keys.isAwaitingMore else { return nil }
        save(app)
        return Effect.none
    }

    func perform(_ request: CommandRequest, _ app: App) -> Response {
        switch request.command {
        case .move(let motion): motion.apply(to: table, count: request.count)
        case .chooseMine: choose(.mine)
        case .chooseTheirs: choose(.theirs)
        case .chooseAllMine: chooseAll(.mine)
        case .chooseAllTheirs: chooseAll(.theirs)
        case .saveCatalog: save(app)
        case .cancel, .back, .quit:
            app.close(self)
            app.session.status.say(.nothingSaved)
        default: return .ignored
        }
        return .done
    }

    func point(_ mouse: Mouse, _ app: App) -> Response {
        guard table.frame.contains(mouse.position) else { return .done }
        if let rows = mouse.wheelRows {
            table.scrollScreen(by: rows)
        } else if case .press = mouse.action, let row = table.row(at: mouse.position) {
            table.select(row)
        }
        return .done
    }

    private func choose(_ side: JSONMerge.Side) {
        if let row = table.currentRow { source.choose(side, for: row) }
    }

    private func chooseAll(_ side: JSONMerge.Side) {
        for row in 0..<table.rowCount { source.choose(side, for: row) }
    }

    /// Passes the choices on, if they are complete.
    private func save(_ app: App) {
        let left = source.undecidedCount
        if left > 0 {
            if let row = source.firstUndecidedRow { table.select(row) }
            app.session.status.say(
                .clashesLeft, left.of("choice"), app.session.keyLabel(of: .chooseMine),
                app.session.keyLabel(of: .chooseTheirs))
            return
        }
        app.close(self)
        decide(source.choice, app)
    }
}

/// The clashing edits as rows: each book, followed by the values that both sides changed.
final class ClashDataSource: TableViewDataSource {
    /// The columns of the cells.
    let columns: [TableColumn]

    /// A value, or a whole book, for which a side is chosen.
    private struct Item {
        let clash: Int
        let keys: [String]
        let name: String
        /// The value before the changes, if both sides have one, and the value of each side.
        let texts: (base: String?, mine: String, theirs: String)
        var side: JSONMerge.Side?
    }

    /// A row.
    private enum Row {
        /// A book with the indices of its clashing values.
        case book(title: String, items: Range<Int>)
        /// The value with this index.
        case item(Int)
    }

    private var items: [Item] = []
    private var rows: [Row] = []

    /// The maximum length of a value's text; the user does not need more to choose.
    private static let maximumTextLength = 4000

    /// Creates the rows of `clashes`.
    ///
    /// - Parameter isOnServer: Whether the others have changed the books on a server.
    init(_ clashes: [EditClash], isOnServer: Bool) {
        let place = isOnServer ? "on the server" : "on disk"
        columns = [
            TableColumn("Book or field", width: .share(2), minimumWidth: 10),
            TableColumn("Mine", width: .share(3), minimumWidth: 8),
            TableColumn(
                isOnServer ? "Server (theirs)" : "File (theirs)", width: .share(3), minimumWidth: 8),
        ]
        for (number, clash) in clashes.enumerated() {
            let title = clash.mine?.title ?? clash.old.title
            let shown = title.isEmpty ? "(no title)" : title
            let start = items.count
            for conflict in clash.conflicts where clash.kind == .changed {
                items.append(
                    Item(
                        clash: number, keys: conflict.keys, name: conflict.keys.joined(separator: "."),
                        texts: (
                            Self.text(of: conflict.base, ifMissing: "(none)"), Self.text(of: conflict.mine),
                            Self.text(of: conflict.theirs)
                        )))
            }
            if items.count > start {
                rows.append(.book(title: shown, items: start..<items.count))
                rows += (start..<items.count).map(Row.item)
            } else {
                items.append(Item(clash: number, keys: [], name: shown, texts: Self.texts(of: clash.kind, place)))
                rows.append(.item(start))
            }
        }
    }

    private static func texts(of kind: EditClash.Kind, _ place: String) -> (base: String?, mine: String, theirs: String)
    {
        switch kind {
        case .changed: (nil, "changed here", "changed \(place)")
        case .deletedThere: (nil, "changed here", "deleted \(place)")
        case .deletedHere: (nil, "deleted here", "changed \(place)")
        }
    }

    private static func text(of value: JSONValue?, ifMissing missing: String = "(removed)") -> String {
        guard let value else { return missing }
        let text = value.string ?? value.json
        return text.isEmpty ? "(empty)" : String(text.prefix(maximumTextLength))
    }

    // MARK: - Choosing

    /// Chooses a side for a row; for that of a book, for all its values.
    func choose(_ side: JSONMerge.Side, for row: Int) {
        switch rows[row] {
        case .book(_, let numbers): for number in numbers { items[number].side = side }
        case .item(let number): items[number].side = side
        }
    }

    /// The number of values without a side.
    var undecidedCount: Int { items.count { $0.side == nil } }

    /// The first row of a value without a side.
    var firstUndecidedRow: Int? {
        rows.firstIndex { row in
            if case .item(let number) = row { items[number].side == nil } else { false }
        }
    }

    /// The chosen sides. A key without a row belongs to a book that has a row.
    var choice: ClashScreen.Choice {
        var sides: [Int: [[String]: JSONMerge.Side]] = [:]
        for item in items { sides[item.clash, default: [:]][item.keys] = item.side }
        return { [sides] clash, keys in sides[clash]?[keys] ?? sides[clash]?[[]] ?? .theirs }
    }

    // MARK: - Rows

    func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int { rows.count }

    func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell {
        switch rows[indexPath.row] {
        case .book(let title, let numbers):
            return TableViewCell([
                .init(title, style: .strong), .init("changed on both sides", style: .secondary),
                .init(progress(of: numbers), style: .secondary),
            ])
        case .item(let number):
            let item = items[number]
            return TableViewCell([
                .init(item.keys.isEmpty ? item.name : "  " + item.name, style: item.keys.isEmpty ? .strong : .plain),
                field(item.texts.mine, isChosen: item.side == .mine, isOther: item.side == .theirs),
                field(item.texts.theirs, isChosen: item.side == .theirs, isOther: item.side == .mine),
            ])
        }
    }

    private func progress(of numbers: Range<Int>) -> String {
        "\(numbers.count { items[$0].side != nil }) of \(numbers.count.of("value")) chosen"
    }

    private func field(_ text: String, isChosen: Bool, isOther: Bool) -> TableViewCell.Field {
        .init((isChosen ? "[x] " : "[ ] ") + text, style: isChosen ? .strong : isOther ? .secondary : .plain)
    }

    /// Returns a row in words, for screen readers.
    func words(of row: Int) -> [String] {
        guard rows.indices.contains(row) else { return [] }
        switch rows[row] {
        case .book(let title, let numbers):
            return [title, "changed on both sides", progress(of: numbers)].map(\.sanitized)
        case .item(let number):
            let item = items[number]
            var words = [item.name, "mine: " + item.texts.mine, "theirs: " + item.texts.theirs].map {
                $0.clipped(to: Self.spokenColumns).text
            }
            switch item.side {
            case .mine: words.append("mine chosen")
            case .theirs: words.append("theirs chosen")
            case nil: words.append("not chosen")
            }
            return words
        }
    }

    /// The maximum length of a value in words, in columns.
    private static let spokenColumns = 200

    /// Returns the full values of a row; for that of a book, what its values were before.
    func preview(of row: Int) -> [TextView.Paragraph] {
        guard rows.indices.contains(row) else { return [] }
        switch rows[row] {
        case .book(_, let numbers):
            return numbers.compactMap { number in
                items[number].texts.base.map {
                    .init($0, label: items[number].name + " before", style: .secondary)
                }
            }
        case .item(let number):
            let (base, mine, theirs) = items[number].texts
            let known = base.map { [TextView.Paragraph($0, label: "Before", style: .secondary)] } ?? []
            return known + [.init(mine, label: "Mine"), .init(theirs, label: "Theirs")]
        }
    }
}
