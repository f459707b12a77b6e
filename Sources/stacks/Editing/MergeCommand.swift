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
            guard let first = books.ids.first, books.ids.count > 1 else {
                throw CommandError(sentence: CommandMessage.nothingToMerge.text(), exitStatus: ExitStatus.usage)
            }
            return try merge(books, into: first, in: opened)
        }
        try exit(with: code)
    }

    private func merge(
        _ books: EditedBooks, into first: BookID, in opened: OpenedLibrary
    ) throws(CommandError) -> CatalogChange.Request {
        let others = Array(books.ids.dropFirst())
        let known = books.ids.compactMap(opened.library.store.bookAtHand)
        guard known.count == books.ids.count, var book = known.first else {
            throw CatalogEditError.recordGone(title: "").commandError(changing: opened.catalog.shownPath)
        }
        let merged = known.dropFirst()
        for other in merged { book.takeOver(other) }
        let title = book.title
        let edit = BookEdit(
            .merged, books.ids, title: title,
            .single { catalog throws(CatalogEditError) in
                try catalog.merge(others, into: first) { book in for other in merged { book.takeOver(other) } }
            })
        return CatalogChange.Request(edit: edit) { _ in
            "\(books.ids.count.of("book")) merged into “\(title)”"
        }
    }
}

extension Book {
    /// Adds the fields of `other` that this book does not have, and the missing items of lists other than the authors.
    fileprivate mutating func takeOver(_ other: Book) {
        for field in BookField.builtIn where field != .sourceID {
            guard let new = field.value(in: other) else { continue }
            switch (field.value(in: self), new) {
            case (nil, _): field.set(new, in: &self)
            case (.list(let items)?, .list(let more)) where field != .authors:
                let added = more.filter { item in !items.contains { $0.text.lowercased() == item.text.lowercased() } }
                field.set(.list(items + added), in: &self)
            default: break
            }
        }
    }
}
