internal import ArgumentParser
internal import Books
internal import Editing
internal import Library
internal import Shelves

/// The command `stacks delete ID-OR-ISBN...`.
struct DeleteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete books from a catalog.",
        discussion: """
            If several books share an ISBN, all are deleted; an id is unique. Favourites, shelves and notes are kept: they \
            return when the book does.

            Exit status: 0 on success; 1 if some books are not found (the others are deleted); 65 if the records are not in \
            a list, or the rest would not be a catalog; 74 or 77 if the catalog cannot be written; 75 if another program \
            keeps changing it. With 65 or more, nothing is written.
            """)

    @Argument(help: ArgumentHelp("Ids or ISBNs of books.", valueName: "id-or-isbn"))
    var names: [String] = []

    @OptionGroup var books: EditedBooksOption
    @OptionGroup var options: EditOptions

    func run() throws {
        let code = options.change.run { opened throws(CommandError) in
            let books = try EditedBooks(names, query: self.books.query, in: opened)
            let edit = BookEdit(.deleted, books.ids, title: books.first(in: opened)?.title ?? "", .bulk(.delete))
            return CatalogChange.Request(edit: edit, unknown: books.unknown) { _ in
                "\(books.ids.count.of("book")) deleted"
            }
        }
        try exit(with: code)
    }
}
