internal import ArgumentParser
internal import Books
internal import Catalog
internal import Indexing
internal import Library
internal import Text

/// The books that a command changes: named by ids or ISBNs, or selected by a query.
struct EditedBooks {
    /// The books in the order in which they were named or found, without duplicates.
    let ids: [BookID]
    /// The names for which there is no book.
    let unknown: [BookArgument]

    /// Finds the books called `names` and those that match `query`.
    ///
    /// - Throws: `CommandError` if neither is given, or if names are given and no book is found.
    init(_ names: [String], query: String?, in opened: OpenedLibrary) throws(CommandError) {
        if names.isEmpty && query == nil {
            throw CommandError(sentence: CommandMessage.booksOrQuery.text(), exitStatus: ExitStatus.usage)
        }
        let arguments = names.map { BookArgument($0) }
        let library = opened.library
        var ids: [BookID] = []
        var unknown: [BookArgument] = []
        if !arguments.isEmpty {
            let found = NamedBooks(arguments, in: library)
            for name in arguments {
                let books = found.ids(of: name)
                if books.isEmpty { unknown.append(name) }
                ids += books
            }
        }
        if let query {
            let request = BookRequest(query: query, sort: nil)
            let selection = try BookSelection(request, inListNamed: nil, of: library.store) { library }
            ids += (0..<selection.books.count).map { selection.books[$0] }
        }
        if let name = unknown.first, ids.isEmpty {
            throw CommandError(
                sentence: name.sentenceOfAbsence(in: opened.catalog.shownPath), exitStatus: ExitStatus.nothingFound)
        }
        var known: Set<BookID> = []
        self.ids = ids.filter { known.insert($0).inserted }
        self.unknown = unknown
    }

    /// Returns the first of the books.
    func first(in opened: OpenedLibrary) -> Book? { ids.first.flatMap(opened.library.store.bookAtHand) }

    /// Returns the only book called `name`.
    ///
    /// - Throws: `CommandError` if there is none, or several.
    static func only(_ name: String, in opened: OpenedLibrary) throws(CommandError) -> BookID {
        let argument = BookArgument(name)
        let ids = NamedBooks([argument], in: opened.library).ids(of: argument)
        guard let first = ids.first else {
            throw CommandError(
                sentence: argument.sentenceOfAbsence(in: opened.catalog.shownPath), exitStatus: ExitStatus.nothingFound)
        }
        if ids.count > 1 {
            throw CommandError(
                sentence: CommandMessage.ambiguousBook.text(ids.count.grouped, name), exitStatus: ExitStatus.usage)
        }
        return first
    }
}

/// The options of all commands that change a catalog.
struct EditOptions: ParsableArguments {
    @OptionGroup var catalog: CatalogOptions

    @OptionGroup var dryRun: DryRunOption

    /// The change that the options specify.
    var change: CatalogChange { CatalogChange(options: catalog, isDryRun: dryRun.isDryRun) }
}

/// The option to print a change instead of making it.
struct DryRunOption: ParsableArguments {
    @Flag(name: .customLong("dry-run"), help: "Print what would change as a unified diff, and write nothing.")
    var isDryRun = false
}

/// The option that selects the books by a query.
struct EditedBooksOption: ParsableArguments {
    @Option(parsing: .unconditional, help: "All books that match this query.")
    var query: String?
}
