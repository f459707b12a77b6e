internal import ArgumentParser
internal import Books
internal import Catalog
internal import Editing
internal import Library
internal import Shelves
internal import Text

/// The command `stacks move ID-OR-ISBN --before|--after ID-OR-ISBN`.
struct MoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Move a book to another position in its catalog.",
        discussion: """
            Exit status: 0 on success; 1 if a book is not found; 65 if the records are not in a list; 74 or 77 if the \
            catalog cannot be written; 75 if another program keeps changing it. On failure, nothing is written.
            """)

    @Argument(help: ArgumentHelp("The id or ISBN of a book.", valueName: "id-or-isbn"))
    var name: String

    @Option(help: ArgumentHelp("Move it before this book.", valueName: "id-or-isbn"))
    var before: String?

    @Option(help: ArgumentHelp("Move it after this book.", valueName: "id-or-isbn"))
    var after: String?

    @OptionGroup var options: EditOptions

    func run() throws {
        let code = options.change.run { opened throws(CommandError) in
            guard let neighbour = before ?? after, before == nil || after == nil else {
                throw CommandError(sentence: CommandMessage.moveNeedsTarget.text(), exitStatus: ExitStatus.usage)
            }
            let book = try EditedBooks.only(name, in: opened)
            let other = try EditedBooks.only(neighbour, in: opened)
            let edit = BookEdit(
                .moved, [book], title: opened.library.store.bookAtHand(book)?.title ?? "",
                .single { catalog throws(CatalogEditError) in try catalog.move(book, after: before == nil, other) })
            return CatalogChange.Request(edit: edit) { outcome in
                outcome == nil ? "The book was there already" : "1 book moved"
            }
        }
        try exit(with: code)
    }
}
