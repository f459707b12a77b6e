internal import ArgumentParser
internal import Books
internal import Catalog
internal import Library
internal import Shelves

/// The command `stacks move ID-OR-ISBN --before|--after ID-OR-ISBN`.
struct MoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Move a book to another position in its catalog.",
        discussion: """
            Exit status: 0 on success; 1 if a book is not found; 74 or 77 if the catalog cannot be written; 75 if another \
            program keeps changing it. On failure, nothing is written.
            """)

    @Argument(help: ArgumentHelp("The id or ISBN of a book.", valueName: "id-or-isbn"))
    var name: String

    @Option(help: ArgumentHelp("Move it before this book.", valueName: "id-or-isbn"))
    var before: String?

    @Option(help: ArgumentHelp("Move it after this book.", valueName: "id-or-isbn"))
    var after: String?

    @OptionGroup var options: EditOptions

    func run() throws {
        let code = options.change.run { opened, editor throws(CommandError) in
            guard let target = before ?? after, before == nil || after == nil else {
                throw CommandError(sentence: Message.moveNeedsTarget.text(), exitStatus: ExitStatus.usage)
            }
            try CatalogChange.requireOrder(of: opened)
            let book = try EditedBooks.only(name, in: opened)
            let other = try EditedBooks.only(target, in: opened)
            do throws(CatalogEditError) {
                try editor.move(book, after: before == nil, other)
            } catch {
                throw error.commandError(changing: opened.catalog.shownPath)
            }
            return CatalogChange.Result(
                kind: .moved, sentence: editor.isEmpty ? "The book was there already" : "1 book moved",
                title: editor.book(book)?.title ?? "",
                moves: editor.isEmpty
                    ? [] : UserDataMoves(in: opened.library).moves(ofMoved: book, after: before == nil, other))
        }
        try exit(with: code)
    }
}
