internal import Books
internal import Catalog
internal import Formats
internal import Library
internal import TerminalUI

/// The record of the current book as librarians read it: leader, tags, indicators and subfields of MARC 21.
final class RecordScreen: Screen {
    /// Opens the screen.
    static let opener = ScreenOpener(context: .record) { app in
        let session = app.session
        guard let id = session.books.currentBook, let book = session.library.store.bookAtHand(id) else {
            session.status.say(.noSuchProperty, "record")
            return nil
        }
        let record = session.library.store.recordBacked?.record(id)
        return RecordScreen(PrintedBook(book: book, identity: session.library.identity(of: id), record: record))
    }

    let context = CommandContext.record
    let placement = Placement.body
    private let view = TextView()
    private let title: String

    /// Creates the screen of the record of a book.
    private init(_ book: PrintedBook) {
        title = "Record: " + book.book.shownTitle
        view.paragraphs = book.marcFields.map { .init($0.text, label: $0.label) }
    }

    func heading(_ app: App) -> Heading { Heading(title: title, position: view.positionText) }

    func layout(in area: Rect, _ app: App) { view.frame = area.textFrame }

    func draw(on canvas: inout Canvas, _ app: App) -> Position {
        view.draw(on: &canvas)
        return Position(row: view.frame.row, column: view.frame.column)
    }

    func perform(_ request: CommandRequest, _ app: App) -> Response {
        guard case .move(let motion) = request.command else { return .ignored }
        motion.apply(to: view, count: request.count)
        return .done
    }

    func canPerform(_ command: Command, _ app: App) -> Bool { command != .move(.down) || view.isScrollable }

    func point(_ mouse: Mouse, _ app: App) -> Response {
        if let rows = mouse.wheelRows { view.scroll(by: rows) }
        return .done
    }

    func spoken(_ app: App) -> Spoken {
        Spoken(
            place: context, heading: title,
            content: .text(view.paragraphs.map(\.spoken), topLine: view.textOfTopLine, speaksChangesOnly: false))
    }
}
