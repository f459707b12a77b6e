internal import Books
internal import Catalog
internal import Indexing
internal import Library
internal import Search
internal import Shelves
internal import TerminalUI

/// The picker of a title, author, series, subject or list to go to, by some of its letters in their order.
final class JumpPicker: Picker, TableViewDataSource, TableViewDelegate {
    /// Opens the picker.
    static let opener = ScreenOpener(context: .jump) { JumpPicker($0.session) }

    let context = CommandContext.jump
    let prompt = "›"
    let verb = "go"
    var editor = LineEditor()
    /// The targets that match, the best first.
    let table = TableView(columns: [
        TableColumn("Kind", width: .fixed(7), priority: 1),
        TableColumn("Name", width: .share(3), minimumWidth: 12),
        TableColumn("Books", width: .share(2), minimumWidth: 12, priority: 0, isRightAligned: true),
    ])
    private let session: Session
    private let finder: JumpFinder
    private let preview: JumpPreview
    private var frame = Popup(in: .empty, contentSize: Size(rows: 0, columns: 0))
    /// The column of the line between the targets and the preview; nil without a preview.
    private var divider: Int?

    /// The width of the contents from which there is a preview.
    private static let widthWithPreview = 90

    /// Creates a picker in the catalog of `session`.
    init(_ session: Session) {
        self.session = session
        finder = JumpFinder(session)
        preview = JumpPreview(session)
        table.dataSource = self
        table.delegate = self
        table.surface = .popup
        preview.view.surface = .popup
        showTargets(keepingRow: false)
    }

    var title: String {
        let count = finder.isComplete || finder.matchCount > 0 ? " (\(finder.matchCount.grouped))" : ""
        return finder.loaded == nil ? "Jump" + count : "Jump to a list or a book on the screen" + count
    }

    /// The largest useful size; the window may have less.
    var size: Size { Size(rows: 24, columns: 132) }

    // MARK: - Layout

    func layout(in area: Rect, _ app: App) {
        frame = Popup(in: area, contentSize: size)
        let content = frame.content.droppingFirstRows(1)
        guard content.width >= Self.widthWithPreview else {
            divider = nil
            table.frame = content
            return
        }
        let width = content.width * 11 / 20
        divider = content.column + width + 1
        table.frame = Rect(row: content.row, column: content.column, height: content.height, width: width)
        preview.view.frame = Rect(
            row: content.row, column: content.column + width + 3, height: content.height,
            width: content.width - width - 3)
        showPreview()
    }

    func draw(on canvas: inout Canvas, _ app: App) -> Position {
        frame.draw(title, on: &canvas)
        let line = frame.content
        editor.draw(
            on: &canvas, row: line.row, column: line.column, width: line.width, prompt: prompt, surface: .popup,
            isFocused: true)
        table.draw(on: &canvas, isFocused: true)
        if let divider {
            let style = Style(.line, on: .popup)
            for row in table.frame.row..<table.frame.endRow {
                canvas.write("│", row: row, column: divider, style: style)
            }
            preview.view.draw(on: &canvas)
        }
        return editor.cursor(row: line.row, column: line.column, width: line.width, prompt: prompt)
    }

    func keyHints(_ app: App) -> [KeyHint]? {
        let hints = table.currentRow == nil ? [] : [KeyHint(.enter, verb), KeyHint(.tab, "filter")]
        return hints + (table.rowCount > 1 ? [.arrows("move")] : []) + [KeyHint(.escape, "close")]
    }

    // MARK: - Finding

    func edited(_ app: App) {
        finder.find(editor.text)
        showTargets(keepingRow: false)
    }

    func sessionChanged(_ changes: SessionChanges, _ app: App) {
        if changes.contains(.reloaded) { finder.find(editor.text) }
        guard changes.contains(.reloaded) || finder.receive(typed: editor.text) else { return showPreview() }
        showTargets(keepingRow: true)
    }

    func closed(_ app: App) {
        finder.stop()
        preview.stop()
    }

    /// Shows what was found.
    ///
    /// - Parameter keepingRow: Whether the row that the reader moved to stays current.
    private func showTargets(keepingRow: Bool) {
        let (row, target) = (table.currentRow ?? 0, shownTarget)
        recent = [:]
        table.placeholder = finder.isComplete ? Message.noJumpTarget.text() : Message.searching.text()
        table.reloadData()
        let isMoved = keepingRow && row > 0
        table.select(
            isMoved ? target.flatMap(finder.targets.firstIndex(of:)) ?? row : 0, top: isMoved ? table.topRow : 0)
        shownTarget = current
        showPreview()
    }

    /// The target in the current row at the last look.
    private var shownTarget: JumpFinder.Target?

    /// The target in the current row.
    private var current: JumpFinder.Target? {
        table.currentRow.flatMap { $0 < finder.targets.count ? finder.targets[$0] : nil }
    }

    private func showPreview() {
        // While candidates arrive, the first row changes too often.
        guard divider != nil, finder.isComplete || table.currentRow != 0 else { return }
        preview.show(current, of: finder)
    }

    func tableView(_ tableView: TableView, didSelectRowAt indexPath: IndexPath?) {
        shownTarget = current
        showPreview()
    }

    // MARK: - Rows

    /// The cells of the visible rows.
    private var recent: [Int: TableViewCell] = [:]

    func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int { finder.targets.count }

    func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell {
        if let cell = recent[indexPath.row] { return cell }
        let cell = cell(for: finder.targets[indexPath.row])
        if !session.library.store.isFetching { recent[indexPath.row] = cell }
        return cell
    }

    private func cell(for target: JumpFinder.Target) -> TableViewCell {
        let (kind, name, rest): (String, String, String)
        switch target {
        case .list(let list, let count): (kind, name, rest) = ("list", list.name, count.map { $0.of("book") } ?? "…")
        case .candidate(let candidate) where candidate.kind == .title:
            let book = finder.loaded?.bookAtHand(candidate.book) ?? session.library.store.bookAtHand(candidate.book)
            (kind, name) = ("title", book?.shownTitle ?? finder.name(of: candidate))
            rest = book?.shownAuthors ?? ""
        case .candidate(let candidate):
            (kind, name, rest) = ("\(candidate.kind)", finder.name(of: candidate), candidate.bookCount.of("book"))
        }
        return TableViewCell([
            .init(kind, style: .secondary),
            .init(name, highlights: finder.pattern.matches(in: name)),
            .init(rest, style: .secondary),
        ])
    }

    // MARK: - Going

    /// Goes to the current target.
    func accepted(_ app: App) -> Effect {
        guard let target = current else { return .none }
        app.close(self)
        let model = session.books
        switch target {
        case .list(let list, _):
            session.history.leave(model.historyEntry)
            app.main.openList(list, app)
            app.savePlace()
        case .candidate(let candidate) where candidate.kind == .title:
            app.main.goToBook(finder.book(of: candidate), app)
        case .candidate(let candidate): app.main.listResults(to: finder.query(of: candidate), app)
        }
        return .none
    }

    /// Filters the open list by the current target.
    func complete(_ app: App) {
        guard let target = current else { return }
        let part: String?
        switch target {
        case .list(let list, _): part = session.library.filter(ofBooksIn: list)
        case .candidate(let candidate): part = finder.query(of: candidate)
        }
        guard let part else { return session.status.say(.noFilterOfList) }
        app.close(self)
        app.main.listResults(to: session.books.request.query.text(narrowedBy: part), isSameList: true, app)
    }
}

extension Library {
    /// Returns the query for the books of a list; nil if no query finds them.
    fileprivate func filter(ofBooksIn list: NamedList) -> String? {
        switch list.kind {
        case .all, .upNext: nil
        case .favourites: "is:favourite"
        case .status(let status): "status:\(status.rawValue)"
        case .shelf: Query.text(ofShelfNamed: list.name)
        case .query, .tidyUp: query(of: list).map { $0.text.contains("|") ? "(\($0.text))" : $0.text }
        }
    }
}

extension MainScreen {
    /// Makes a book current in the open list, or in all books if it is not listed.
    func goToBook(_ id: BookID, _ app: App) {
        let model = session.books
        session.history.leave(model.historyEntry)
        focus = .list
        if let row = model.rows.books.row(of: id) {
            model.stay()
            model.table.select(row)
            return
        }
        openList(.all, as: ListRequest(), app)
        model.anchor = ScrollAnchor(id: id, offset: model.table.frame.height / 2)
        model.refill()
    }
}
