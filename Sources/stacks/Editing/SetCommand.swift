internal import ArgumentParser
internal import Books
internal import Catalog
internal import Indexing
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
            queries or of the native format: title, authors, isbn, year, pages, series, subjects …

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
        let code = options.change.run { opened, editor throws(CommandError) in
            let names = arguments.filter { !FieldAssignment.isAssignment($0) }
            let assignments = try arguments.filter(FieldAssignment.isAssignment).map { argument throws(CommandError) in
                try FieldAssignment(argument)
            }
            if assignments.isEmpty {
                throw CommandError(sentence: Message.nothingToSet.text(), exitStatus: ExitStatus.usage)
            }
            let books = try EditedBooks(names, query: self.books.query, in: opened)
            return try set(assignments, of: books, in: opened, with: editor)
        }
        try exit(with: code)
    }

    private func set(
        _ assignments: [FieldAssignment], of books: EditedBooks, in opened: OpenedLibrary, with editor: CatalogEditor
    ) throws(CommandError) -> CatalogChange.Result {
        let fields = Set(assignments.map(\.field))
        var changed: [BookID: Book] = [:]
        var (changedCount, title) = (0, "")
        do throws(CatalogEditError) {
            for id in books.ids {
                guard let old = editor.book(id) else { throw .recordGone(title: "") }
                var book = old
                for assignment in assignments { assignment.apply(to: &book) }
                if try editor.set(fields, of: id, to: book) { changedCount += 1 }
                if title.isEmpty { title = book.title }
                if MatchKeys(of: old) != MatchKeys(of: book) { changed[id] = book }
            }
        } catch {
            throw error.commandError(changing: opened.catalog.shownPath)
        }
        let rest = books.ids.count - changedCount
        let sentence =
            "\(changedCount.of("book")) changed" + (rest > 0 ? ", \(rest.grouped) had the values already" : "")
        return CatalogChange.Result(
            kind: .changed, sentence: sentence, title: title,
            moves: UserDataMoves(in: opened.library).moves(ofChanged: changed), unknown: books.unknown)
    }
}
