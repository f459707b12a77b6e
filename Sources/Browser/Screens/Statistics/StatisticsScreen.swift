internal import Books
internal import Catalog
internal import Indexing
internal import Library
internal import Search
internal import Storage
internal import TerminalUI
internal import Threading

/// The screen of statistics of the listed books, as charts.
final class StatisticsScreen: Screen {
    /// Opens the screen.
    static let opener = ScreenOpener(context: .statistics) { StatisticsScreen($0.session) }

    let context = CommandContext.statistics
    let placement = Placement.body
    /// The drawing, scrolled.
    private let view = DrawingView()
    /// The charts; nil until the first count ends.
    private var charts: StatisticsCharts?
    /// The reader's statistics; nil while they are counted, or if there are none.
    private var reading: ReadingCharts?
    /// The count in progress.
    private var count: BackgroundTask<Statistics>?
    /// The number of books in the latest count.
    private var bookCount = 0
    /// The number of the catalog's own fields in the latest count.
    private var columnCount = 0
    private let session: Session

    /// Counts the listed books of `session`, in the background if that takes longer than a frame.
    init(_ session: Session) {
        self.session = session
        begin()
        _ = count?.wait(milliseconds: session.books.timeBudget)
        receive()
    }

    /// The columns of the fields that only this catalog has; those that are still being made are missing.
    private var columns: FieldColumns {
        let (library, fields) = (session.library, session.library.store.schema.described)
        if fields.isEmpty { return [:] }
        return library.columns(of: Set(fields), notifying: session.wake) ?? library.columnsAtHand()
    }

    /// Starts counting the listed books.
    private func begin() {
        count?.cancel()
        let (library, model) = (session.library, session.books)
        bookCount = model.rows.list.count
        let columns = columns
        columnCount = columns.count
        count = library.store.index.countStatistics(
            of: model.rows.list, userData: library.userDataFilter, columns: columns, notifying: session.wake)
        show()
    }

    /// Shows a finished count or the progress, and counts again if the list has changed since.
    private func receive() {
        if let counted = count?.value {
            count = nil
            charts = StatisticsCharts(counted, in: session.library.store)
        }
        // While a catalog is loading or a search is running, every batch would start another count.
        let isSettled = !session.library.store.state.isLoading && session.books.progress == nil
        let isOutdated = bookCount != session.books.rows.list.count || columnCount != columns.count
        if count == nil && isSettled && isOutdated { begin() } else { show() }
    }

    private func show() {
        reading = session.readingCharts
        if let charts {
            view.drawing = { [reading] in StatisticsPage(charts, reading: reading, width: $0).drawn() }
            return
        }
        let text = progressText
        view.drawing = { width in
            var canvas = Canvas(size: Size(rows: 1, columns: width))
            canvas.write(text, row: 0, column: 0)
            return canvas
        }
    }

    private var progressText: String { "Counting ... \(Int((count?.fraction ?? 0) * 100)) %" }

    func heading(_ app: App) -> Heading {
        Heading(
            title: app.main.books.title(of: "Statistics of " + session.books.list.name), position: view.positionText)
    }

    func layout(in area: Rect, _ app: App) {
        view.frame = area.textFrame
        // The drawing may have become shorter.
        view.scroll(by: 0)
    }

    func draw(on canvas: inout Canvas, _ app: App) -> Position {
        view.draw(on: &canvas)
        return Position(row: view.frame.row, column: view.frame.column)
    }

    func perform(_ request: CommandRequest, _ app: App) -> Response {
        switch request.command {
        case .move(let motion): motion.apply(to: view, count: request.count)
        case .scrollDetail(let step): view.scroll(by: step.rows(count: request.count))
        case .setGoal: app.push(GoalDialog(session, above: self))
        case .undo: session.undo()
        case .redo: session.redo()
        default: return .ignored
        }
        return .done
    }

    func canPerform(_ command: Command, _ app: App) -> Bool { command != .move(.down) || view.isScrollable }

    func point(_ mouse: Mouse, _ app: App) -> Response {
        if let rows = mouse.wheelRows { view.scroll(by: rows) }
        return .done
    }

    func sessionChanged(_ changes: SessionChanges, _ app: App) {
        if changes.contains(.listGone) { return app.closeAll() }
        if changes.contains(.reloaded) { begin() }
        if !changes.isDisjoint(with: [.background, .lists]) { receive() }
    }

    func closed(_ app: App) { count?.cancel() }

    func spoken(_ app: App) -> Spoken {
        Spoken(
            place: .statistics, heading: heading(app).title,
            content: .text(
                charts?.spoken(after: reading) ?? [progressText], topLine: view.textOfTopLine, speaksChangesOnly: false)
        )
    }
}
