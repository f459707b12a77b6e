internal import Books
internal import Catalog
internal import Formats
internal import Library
internal import TerminalUI

/// The record of the current book as librarians read it: leader, tags, indicators and subfields of MARC 21.
final class RecordScreen: TextScreen {
    /// Opens the screen.
    static let opener = ScreenOpener(context: .record) { app in
        let session = app.session
        if session.books.currentBook == nil { session.status.say(.noSuchProperty, "record") }
        guard let (id, book) = session.currentWholeBook else { return nil }
        let record = session.library.store.recordBacked?.record(id)
        return RecordScreen(PrintedBook(book: book, identity: session.library.identity(of: id), record: record))
    }

    let context = CommandContext.record
    let view = TextView()
    private let title: String

    /// Creates the screen of the record of a book.
    private init(_ book: PrintedBook) {
        title = "Record: " + book.book.shownTitle
        view.paragraphs = book.marcFields.map { .init($0.text, label: $0.label) }
    }

    func heading(_ app: App) -> Heading { Heading(title: title, position: view.positionText) }
}
