internal import Books
internal import Catalog
internal import Library

/// What the user does with the catalog itself: adding, changing, deleting and moving its books, and saving it.
struct CatalogActions {
    /// What they are done in.
    let session: Session

    /// The number of books that are compared for the form; of more, all fields count as different.
    private static let comparedCount = 1000

    /// Does what was asked for, if it changes the catalog.
    func perform(_ request: CommandRequest, _ app: App) -> Response {
        switch request.command {
        case .addBook: add(app)
        case .editBook: edit(app)
        case .editRecord, .deleteBook, .moveBook, .saveCatalog: session.status.say(.editingNotReady)
        default: return .ignored
        }
        return .done
    }

    private func add(_ app: App) {
        app.push(BookForm(title: "Add a book", books: []) { _, _ in Message.editingNotReady.text() })
    }

    private func edit(_ app: App) {
        guard let targets = BookActions(session: session).targets() else { return }
        guard targets.missing.isEmpty else { return session.status.say(.notEditable) }
        let books = targets.books.prefix(Self.comparedCount).compactMap(session.library.store.bookAtHand)
        app.push(
            BookForm(title: "Edit \(targets.name)", books: books, bookCount: targets.count) { _, _ in
                Message.editingNotReady.text()
            })
    }
}
