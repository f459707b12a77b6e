internal import ArgumentParser
internal import Books
internal import Catalog
internal import Indexing
internal import Library
internal import Shelves

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
        let code = options.change.run { opened, editor throws(CommandError) in
            let books = try EditedBooks(names, query: nil, in: opened)
            if let unknown = books.unknown.first {
                throw CommandError(
                    sentence: unknown.sentenceOfAbsence(in: opened.catalog.shownPath),
                    exitStatus: ExitStatus.nothingFound)
            }
            guard let first = books.ids.first, books.ids.count > 1 else {
                throw CommandError(sentence: Message.nothingToMerge.text(), exitStatus: ExitStatus.usage)
            }
            return try merge(Array(books.ids.dropFirst()), into: first, in: opened, with: editor)
        }
        try exit(with: code)
    }

    private func merge(
        _ others: [BookID], into first: BookID, in opened: OpenedLibrary, with editor: CatalogEditor
    ) throws(CommandError) -> CatalogChange.Result {
        do throws(CatalogEditError) {
            guard let old = editor.book(first) else { throw .recordGone(title: "") }
            var book = old
            for other in others {
                guard let other = editor.book(other) else { throw .recordGone(title: "") }
                book.takeOver(other)
            }
            let fields = BookField.allCases.filter { $0.value(in: book) != $0.value(in: old) }
            try editor.set(Set(fields), of: first, to: book)
            try editor.remove(others)
            let userDataMoves = UserDataMoves(in: opened.library)
            let sentence = "\((others.count + 1).of("book")) merged into “\(book.title)”"
            return CatalogChange.Result(
                kind: .merged, sentence: sentence, title: book.title, bookCount: others.count + 1,
                moves: userDataMoves.moves(ofMerged: [first] + others, to: book))
        } catch {
            throw error.commandError(changing: opened.catalog.shownPath)
        }
    }
}

extension Book {
    /// Adds the fields of `other` that this book does not have, and the missing items of lists other than the authors.
    fileprivate mutating func takeOver(_ other: Book) {
        for field in BookField.allCases where field != .sourceID {
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
