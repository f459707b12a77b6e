internal import ArgumentParser
internal import Books
internal import CSystem
internal import Catalog
internal import Editing
internal import Formats
internal import Glibc
internal import Indexing
internal import JSON
internal import Library
internal import Remote
internal import Shelves
internal import Storage
internal import Text

/// The command `stacks add [CATALOG] FIELD=VALUE...`.
struct AddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add books to a catalog.",
        discussion: """
            A book is given by its fields (title=Emma "authors=Jane Austen" year=1815), by "-", which reads one JSON object \
            per line in native form, with --from by its id or ISBN in another catalog, or with --lookup by its ISBN, for which \
            "stacks lookup" finds the details. Books are added after the last one, in the form of its records. A catalog that \
            does not exist is created.

            Exit status: 0 on success; 1 if a book is not found; 65 if a value does not fit; 74 or 77 if the catalog cannot \
            be written; 75 if another program keeps changing it. On failure, nothing is written; but with --lookup, the \
            books that are found are added.
            """)

    @Argument(
        help: ArgumentHelp(
            "The catalog, and the fields of a book, or -; ISBNs with --lookup.", valueName: "catalog | field=value | -")
    )
    var arguments: [String]

    @Option(
        help: ArgumentHelp("Copy books of this catalog, named by ids or ISBNs.", valueName: "catalog"),
        completion: .file(extensions: ["json", "jsonl", "ndjson"]))
    var from: String?

    @Flag(help: "Look ISBNs up, and add what the sources know of them.")
    var lookup = false

    @OptionGroup var sources: LookupSourcesOption

    @OptionGroup var options: EditOptions

    func validate() throws {
        if lookup, from != nil { throw ValidationError("--lookup and --from both name books by ISBNs. Leave one out.") }
        if !lookup, sources.sources != nil {
            throw ValidationError("--sources is for --lookup. Add it, or leave both out.")
        }
    }

    func run() throws {
        let code: Int32
        do throws(CommandError) {
            if lookup {
                code = try addLookedUp()
            } else {
                code = add(try givenBooks(), arguments.contains("-") && from == nil ? try Self.inputRecords() : [])
            }
        } catch {
            code = error.report()
        }
        try exit(with: code)
    }

    /// Adds what the sources know of ISBNs, as one change.
    private func addLookedUp() throws(CommandError) -> Int32 {
        var isbns = try LookupQuery.all(ofISBNs: arguments)
        // Before there are other threads.
        let termination = TerminationCleanup()
        if let opened = try BookAddition(options: options.catalog).opened() {
            isbns.removeAll { isbn in
                guard let book = opened.book(withISBN: isbn) else { return false }
                printError(CommandMessage.alreadyInCatalog.text(isbn.formatted, book.titleAndAuthors))
                return true
            }
        }
        if isbns.isEmpty { return 0 }
        let queries = isbns.map(LookupQuery.isbn)
        let session = try sources.start()
        queries.forEach { session.add($0) }
        var books: [NewBook] = []
        var problems = LookupProblems()
        for (number, query) in queries.enumerated() {
            let answer = session.answer(to: number)
            books += LookedUpBook.books(of: answer, to: query).map { NewBook($0.book) }
            problems.print(answer, to: query)
        }
        if books.isEmpty { return problems.exitStatus }
        let code = add(books, [], endingBy: termination)
        return code == 0 ? problems.exitStatusAfterSaving : code
    }

    private func add(
        _ books: [NewBook], _ records: [JSONValue], endingBy termination: TerminationCleanup? = nil
    ) -> Int32 {
        let named = catalog.map(options.catalog.with) ?? options.catalog
        return BookAddition(options: named, isDryRun: options.dryRun.isDryRun).run(endingBy: termination) {
            schema throws(CommandError) in try self.books(books, records, of: schema)
        }
    }

    // MARK: - Books

    /// The catalog among the arguments.
    private var catalog: String? {
        from == nil && !lookup ? arguments.first { !FieldAssignment.isAssignment($0) && $0 != "-" } : nil
    }

    /// Returns the books of another catalog.
    private func givenBooks() throws(CommandError) -> [NewBook] { try from.map(copies) ?? [] }

    /// Returns these books, those of records in native form, and the one whose fields are given.
    ///
    /// - Parameter schema: The fields of the catalog to which they are added.
    private func books(
        _ given: [NewBook], _ records: [JSONValue], of schema: Schema
    ) throws(CommandError) -> [NewBook] {
        var books = given + (try Self.books(in: records, of: schema))
        let named = from == nil && !lookup ? arguments.filter(FieldAssignment.isAssignment) : []
        let assignments = try named.map { argument throws(CommandError) in try FieldAssignment(argument, of: schema) }
        if !assignments.isEmpty {
            var book = Book(title: "")
            for assignment in assignments { try assignment.apply(to: &book) }
            if book.title.isEmpty {
                throw CommandError(sentence: CommandMessage.titleNeeded.text(), exitStatus: ExitStatus.badData)
            }
            books.append(NewBook(book))
        }
        if books.isEmpty {
            throw CommandError(sentence: CommandMessage.nothingToSet.text(), exitStatus: ExitStatus.usage)
        }
        return books
    }

    /// Reads the books of another catalog.
    private func copies(from name: String) throws(CommandError) -> [NewBook] {
        let opened = try OpenedLibrary(CatalogRequest(name: name))
        let found = try EditedBooks(arguments, query: nil, in: opened)
        if let unknown = found.unknown.first {
            throw CommandError(
                sentence: unknown.sentenceOfAbsence(in: opened.catalog.shownPath), exitStatus: ExitStatus.nothingFound)
        }
        let store = opened.library.store
        return found.ids.compactMap { id in
            let recorded = store.recordedBook(id)
            guard var book = recorded?.book ?? store.bookAtHand(id) else { return nil }
            // An id of the other catalog is meaningless in this one.
            book.sourceID = nil
            return NewBook(book, unread: recorded?.unread ?? [])
        }
    }

    /// Reads records from standard input, one JSON object per line; lines without one are null.
    private static func inputRecords() throws(CommandError) -> [JSONValue] {
        let bytes = try ImportedFile.bytes(at: "-")
        return bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
            if line.allSatisfy({ $0 <= 0x20 }) { return .object([]) }
            return JSONValue(parsing: line).flatMap { $0.members?.isEmpty == false ? $0 : nil } ?? .null
        }
    }

    /// Returns the books of records in native form, with the catalog's own fields.
    private static func books(in records: [JSONValue], of schema: Schema) throws(CommandError) -> [NewBook] {
        guard let native = ProfileLibrary(directory: nil).profile(named: "native") else { return [] }
        let mapping = native.mapping.with(own: schema.own)
        var books: [NewBook] = []
        for (index, record) in records.enumerated() where record != .object([]) {
            let recorded = mapping.recordedBook(from: record)
            var book = recorded.book
            guard record != .null, !book.title.isEmpty else {
                throw CommandError(
                    sentence: CommandMessage.inputNotABook.text(String(index + 1)), exitStatus: ExitStatus.badData)
            }
            // The id of exported books is the identity, which no catalog stores; their own key is beside it.
            if book.sourceID.flatMap({ BookIdentity($0) })?.key == BookIdentity.Key(of: book) {
                book.sourceID = record["sourceID"]?.string
            }
            books.append(
                NewBook(book, unread: recorded.unread.filter { !PrintedBook.documentedNames.contains($0.key) }))
        }
        return books
    }
}

extension CatalogOptions {
    /// These options for the catalog at `path`.
    fileprivate func with(_ path: String) -> CatalogOptions {
        var options = self
        options.catalog = path
        return options
    }
}
