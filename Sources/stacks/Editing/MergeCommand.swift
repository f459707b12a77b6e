internal import ArgumentParser
internal import Books
internal import Catalog
internal import Editing
internal import Indexing
internal import Library
internal import Shelves
internal import Text

/// The command `stacks merge ID-OR-ISBN...`.
struct MergeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Merge several records into one book.",
        discussion: """
            The first book gets its missing values from the others, in their order; lists are merged. The others are \
            deleted. Favourites, shelves and notes of all go to the first book.

            Exit status: 0 on success; 1 if a book is not found; 65 if a value does not fit; 74 or 77 if the catalog \
            cannot be written; 75 if another program keeps changing it. On failure, nothing is written.
            """)

    @Argument(help: ArgumentHelp("Ids or ISBNs of books; the first is kept.", valueName: "id-or-isbn"))
    var names: [String]

    @OptionGroup var options: EditOptions

    func run() throws {
        let code = options.change.run { opened throws(CommandError) in
            let books = try EditedBooks(names, query: nil, in: opened)
            if let unknown = books.unknown.first {
                throw CommandError(
                    sentence: unknown.sentenceOfAbsence(in: opened.catalog.shownPath),
                    exitStatus: ExitStatus.nothingFound)
            }
            guard books.ids.count > 1 else {
                throw CommandError(sentence: CommandMessage.nothingToMerge.text(), exitStatus: ExitStatus.usage)
            }
            return try merge(books, in: opened)
        }
        try exit(with: code)
    }

    private func merge(
        _ books: EditedBooks, in opened: OpenedLibrary
    ) throws(CommandError) -> CatalogChange.Request {
        let store = opened.library.store
        let known = books.ids.compactMap(store.bookAtHand)
        guard known.count == books.ids.count else {
            throw CatalogEditError.recordGone(title: "").commandError(changing: opened.catalog.shownPath)
        }
        let proposal = MergeProposal(known, in: store.schema, keeping: 0)
        // A book without a title gets that of another one.
        let title = known.map(\.title).first { !$0.isEmpty } ?? ""
        let edit = BookEdit(merging: [proposal.merging(books.ids)], title: title)
        return CatalogChange.Request(edit: edit) { _ in
            "\(books.ids.count.of("book")) merged into “\(title)”"
        }
    }
}
