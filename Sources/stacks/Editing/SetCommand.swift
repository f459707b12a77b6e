internal import ArgumentParser
internal import Books
internal import Catalog
internal import Editing
internal import Library
internal import Shelves
internal import Text

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

            field~=s/old/new/ replaces the first match of a regular expression in each book's own value, or in each item of \
            a list; the flag g replaces all matches, and i ignores case. Case and accents count otherwise. $1 and ${name} are \
            groups, and $0 is the match; another character may stand for the slash, and \\/ is one in the pattern. An empty \
            result clears the field, or removes the item. field~=trim removes blanks at the ends and repeated ones; \
            field~=titlecase capitalizes as English titles do.

            --lookup fills the fields that it names, where a book has none, with what other catalogs and library servers know of \
            its ISBN: see "stacks help lookup". The books are saved ten at a time, so that ^c loses little.

            title=, isbn=, id= and identifiers= are refused for several books, which would no longer be told apart, \
            unless --force is given.

            Only the bytes of the changed values are replaced; the rest of the file stays the same. Favourites, shelves and \
            notes follow a book whose title, authors or ISBN change.

            Exit status: 0 on success; 1 if some books are not found (the others are changed); 64 for a malformed pattern, \
            or one title for several books; 65 if a value or a result does not fit; \
            74 or 77 if the catalog cannot be written; 75 if another program keeps changing it. With 64 or more, nothing is \
            written.
            """)

    @Argument(
        help: ArgumentHelp(
            "Ids or ISBNs of books, and the new values of their fields.", valueName: "id-or-isbn | field=value"))
    var arguments: [String] = []

    @Option(help: ArgumentHelp("Look these empty fields up: pages,publisher.", valueName: "fields"))
    var lookup: String?

    @OptionGroup var sources: LookupSourcesOption

    @Flag(help: "Give several books the same title, ISBN, id or identifiers.")
    var force = false

    @OptionGroup var books: EditedBooksOption
    @OptionGroup var options: EditOptions

    func validate() throws {
        if lookup == nil, arguments.isEmpty {
            throw ValidationError("Name the books and the new values of their fields.")
        }
        if let lookup, lookup.allSatisfy({ $0 == "," || $0.isWhitespace }) {
            throw ValidationError("--lookup names the fields to fill. Name some: --lookup pages,publisher")
        }
        if lookup == nil, sources.sources != nil {
            throw ValidationError("--sources is for --lookup. Add it, or leave both out.")
        }
    }

    func run() throws {
        if let lookup { return try exit(with: fill(lookup)) }
        let code = options.change.run { opened throws(CommandError) in
            let names = arguments.filter { !FieldAssignment.isAssignment($0) }
            let assignments = try arguments.filter(FieldAssignment.isAssignment).map { argument throws(CommandError) in
                try FieldAssignment(argument, of: opened.library.store.schema)
            }
            if assignments.isEmpty {
                throw CommandError(sentence: CommandMessage.nothingToSet.text(), exitStatus: ExitStatus.usage)
            }
            let books = try EditedBooks(names, query: self.books.query, in: opened)
            if !force {
                for assignment in assignments { try assignment.check(givenTo: books.ids.count) }
            }
            return set(assignments, of: books, in: opened)
        }
        try exit(with: code)
    }

    /// Looks empty fields up.
    private func fill(_ fields: String) -> Int32 {
        // Before there are other threads.
        let termination = TerminationCleanup()
        do throws(CommandError) {
            if arguments.contains(where: FieldAssignment.isAssignment) {
                throw CommandError(sentence: CommandMessage.lookupOrValues.text(), exitStatus: ExitStatus.usage)
            }
            let lookup = try FieldLookup(fields, options, endingBy: termination)
            return try lookup.run(arguments, query: books.query, in: sources)
        } catch {
            return error.report()
        }
    }

    private func set(
        _ assignments: [FieldAssignment], of books: EditedBooks, in opened: OpenedLibrary
    ) -> CatalogChange.Request {
        let transforms = assignments.map(\.transform)
        let titles = books.ids.lazy.compactMap(opened.library.store.bookAtHand).map { book in
            var book = book
            for transform in transforms { try? transform.apply(to: &book) }
            return book.title
        }
        let title = titles.first { !$0.isEmpty } ?? ""
        let isSetting = transforms.allSatisfy(\.isSetting)
        let edit = BookEdit(.changed, books.ids, title: title, .bulk(.transforming(transforms)))
        return CatalogChange.Request(edit: edit, unknown: books.unknown) { outcome in
            let changedCount = outcome?.bookCount ?? 0
            let rest = books.ids.count - changedCount
            return "\(changedCount.of("book")) changed"
                + (rest > 0 ? ", \(rest.grouped) " + (isSetting ? "had the values already" : "unchanged") : "")
        }
    }
}
