internal import Catalog
internal import Graphemes
internal import Library
internal import Shelves
internal import TerminalUI

/// The lists of the catalog, in the whole body or in a pane beside the books.
final class ListsPane {
    /// The table of lists.
    let table = TableView(columns: ListsDataSource.paneColumns)
    /// Called when another list becomes current.
    var selectionChanged: () -> Void = {}
    private let source: ListsDataSource
    private let session: Session
    private var place = Place.alone
    /// Whether the rows are put into groups or out of them, without a change of the current one.
    private var isRegrouping = false

    /// Creates the pane with the lists of `session`.
    init(_ session: Session) {
        self.session = session
        source = ListsDataSource(library: session.library, bindings: session.bindings)
        table.hasHeaderCounts = false
        table.dataSource = source
        table.delegate = self
        table.reloadData()
    }

    /// The current list; nil in the row that opens a group.
    var current: NamedList? { table.currentRow.flatMap(source.list) }

    /// Makes `list` current.
    func select(_ list: NamedList) {
        if case .tidyUp = list.kind, !source.isTidyUpOpen { toggleTidyUp() }
        if let row = source.row(of: list) { table.select(row) }
    }

    /// Makes the row of `list` current, or while its group is closed the row that opens it.
    func follow(_ list: NamedList) {
        if let row = source.row(of: list) ?? source.tidyUpRow { table.select(row) }
    }

    /// Opens or closes the group of what is to be tidied up. Its books are counted from then on.
    private func toggleTidyUp() {
        source.isTidyUpOpen.toggle()
        session.countTidyUp()
        table.reloadData()
    }

    /// The text of the bars.
    var heading: Heading { Heading(title: "Lists", position: table.positionText) }

    /// Where the lists are.
    enum Place {
        /// In the whole body.
        case alone
        /// Beside the preview of the current list.
        case besidePreview
        /// In a pane beside the open list.
        case besideList
    }

    /// Sets the frame and the columns.
    func layout(in rect: Rect, _ place: Place) {
        self.place = place
        if source.isGrouped != (place != .besideList) {
            source.isGrouped.toggle()
            // The rows stay the same, so that no other list is opened.
            isRegrouping = true
            table.reloadData()
            isRegrouping = false
        }
        table.columns = place == .besideList ? ListsDataSource.paneColumns : source.columns(in: rect.width, place)
        table.frame = rect
        table.rightMargin = place == .alone ? 0 : 1
    }

    /// Draws the lists and, if they have the whole body, the format of the catalog below them.
    func draw(on canvas: inout Canvas, isFocused: Bool) {
        table.draw(on: &canvas, isFocused: isFocused)
        let rect = table.frame
        guard place == .alone, let format = session.library.store.recordBacked?.format else { return }
        let lines = Array(LineWrapper(format.sentence, width: rect.width - 2).prefix(2))
        // The height includes the column headings, those of two groups, and a blank row.
        guard table.rowCount + 4 + lines.count <= rect.height else { return }
        for (index, line) in lines.enumerated() {
            canvas.write(
                line, row: rect.endRow - lines.count + index, column: rect.column + 1, width: rect.width - 2,
                style: .secondary)
        }
    }

    /// Performs the command, if it acts on lists.
    func perform(_ request: CommandRequest, _ app: App) -> Response {
        switch request.command {
        case .move(let motion): motion.apply(to: table, count: request.count)
        case .open where table.currentRow != nil && table.currentRow == source.tidyUpRow: toggleTidyUp()
        case .moveList(let step):
            // With a built-in list, the keys scroll the detail.
            guard let list = current, list.isUserList else { return .ignored }
            session.move(list, by: min(max(step.rows(count: request.count), -10_000), 10_000))
            table.reloadData()
            select(list)
        case .renameList:
            if let list = currentUserList { app.push(InputDialog(.rename(list))) }
        case .deleteList:
            if let list = currentUserList { app.push(ConfirmDialog(deleting: list, below: app.top, app)) }
        default: return .ignored
        }
        return .done
    }

    /// The current list, if the user created it. Returns nil and shows a message otherwise.
    private var currentUserList: NamedList? {
        if let list = current, list.isUserList { return list }
        if current == nil { sayGroup() } else { session.status.say(.builtInList) }
        return nil
    }

    /// Says that the row is that of a group, and how it is opened.
    func sayGroup() { session.status.say(.groupOfLists, session.keyLabel(of: .open)) }

    /// The pane as text for a screen reader.
    var spoken: Spoken {
        Spoken(place: .lists, heading: heading.title, content: Spoken.row(of: table))
    }
}

extension ListsPane: TableViewDelegate {
    func tableView(_ tableView: TableView, didSelectRowAt indexPath: IndexPath?) {
        if !isRegrouping { selectionChanged() }
    }
}

extension TableView {
    /// The current row and the number of rows: "2/11".
    var positionText: String { "\(positionOfRow)/\(rowCount.grouped)" }

    /// The number of the current row, counted from one.
    var positionOfRow: String { (currentRow.map { $0 + 1 } ?? 0).grouped }
}

extension ScrollingView {
    /// Whether the frame is too small for all lines.
    var isScrollable: Bool { lineCount > frame.height }

    /// The visible lines, if not all are visible: "1-20/90"; else "".
    var positionText: String {
        let end = min(lineCount, topLine + frame.height)
        return end - topLine < lineCount ? "\(topLine + 1)-\(end)/\(lineCount)" : ""
    }
}
