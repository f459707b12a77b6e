internal import ArgumentParser
internal import Books
internal import Catalog
internal import Editing
internal import Library
internal import Shelves

/// The command `stacks set ID-OR-ISBN... FIELD=VALUE...`.
struct SetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Change fields of books in a catalog.",
        discussion: """
            field=value sets a value, field= clears it, and for lists field+=value adds items and field-=value removes \
            them; items are separated by semicolons, and \\; is a semicolon in an item. Fields have the names of \
            queries or of the native format: title, authors, isbn, year, pages, series, subjects …; those that only this \
            catalog has are set in the same way: location=Study price=4.5.

            Only the bytes of the changed values are replaced; the rest of the file stays the same. Favourites, shelves and \
            notes follow a book whose title, authors or ISBN change.

            Exit status: 0 on success; 1 if some books are not found (the others are changed); 65 if a value does not fit; \
            74 or 77 if the catalog cannot be written; 75 if another program keeps changing it. With 65 or more, nothing is \
            written.
            """)

    @Argument(
        help: ArgumentHelp(
            "Ids or ISBNs of books, and the new values of their fields.", valueName: "id-or-isbn | field=value"))
    var arguments: [String]

    @OptionGroup var books: EditedBooksOption
    @OptionGroup var options: EditOptions

    func run() throws {
        let code = options.change.run { opened throws(CommandError) in
            let names = arguments.filter { !FieldAssignment.isAssignment($0) }
            let assignments = try arguments.filter(FieldAssignment.isAssignment).map { argument throws(CommandError) in
                try FieldAssignment(argument, of: opened.library.store.schema)
            }
            if assignments.isEmpty {
                throw CommandError(sentence: Message.nothingToSet.text(), exitStatus: ExitStatus.usage)
            }
            let books = try EditedBooks(names, query: self.books.query, in: opened)
            return set(assignments, of: books, in: opened)
        }
        try exit(with: code)
    }

    private func set(
        _ assignments: [FieldAssignment], of books: EditedBooks, in opened: OpenedLibrary
    ) -> CatalogChange.Request {
        let fields = Set(assignments.map(\.field))
        let change: @Sendable (inout Book) -> Void = { book in
            for assignment in assignments { assignment.apply(to: &book) }
        }
        let titles = books.ids.lazy.compactMap(opened.library.store.bookAtHand).map { book in
            var book = book
            change(&book)
            return book.title
        }
        let title = titles.first { !$0.isEmpty } ?? ""
        let edit = BookEdit(.changed, books.ids, title: title, .bulk(.set(fields, change)))
        return CatalogChange.Request(edit: edit, unknown: books.unknown) { outcome in
            let changedCount = outcome?.bookCount ?? 0
            let rest = books.ids.count - changedCount
            return "\(changedCount.of("book")) changed"
                + (rest > 0 ? ", \(rest.grouped) had the values already" : "")
        }
    }
}
