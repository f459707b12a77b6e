internal import Books
internal import Catalog
internal import Editing
internal import Graphemes
internal import Library
internal import Shelves
internal import Text

/// Fills the empty fields of books with what sources know of their ISBNs. Each part of the books is saved as one change, so
/// that what was looked up is kept if the program is ended.
struct FieldLookup {
    /// A book that lacks a field.
    private struct Wanted {
        /// The id in the catalog.
        let id: BookArgument
        let isbn: ISBN
        /// The book as it is.
        let book: Book
    }

    private let fields: [BookField]
    private let options: EditOptions
    private let termination: TerminationCleanup

    /// The number of books that are saved together.
    private static let partSize = 10
    /// Fields that tell books apart, or that hold in one catalog only.
    private static let excluded: [BookField] = [.isbn, .sourceID, .status, .dateAdded, .rating]

    /// Prepares to look fields up.
    ///
    /// - Parameter names: The names of the fields, separated by commas.
    /// - Throws: `CommandError` for an unknown field, and for those that tell books apart.
    init(_ names: String, _ options: EditOptions, endingBy termination: TerminationCleanup) throws(CommandError) {
        (self.options, self.termination) = (options, termination)
        var fields: [BookField] = []
        for name in names.split(separator: ",").map({ String($0.trimmed) }) {
            let field = Schema.ofEveryBook.field(named: name)
            guard let field, !Self.excluded.contains(field) else {
                let known = Schema.ofEveryBook.fields.filter { !Self.excluded.contains($0) }.map(\.id)
                    .joined(separator: ", ")
                throw CommandError(
                    sentence: CommandMessage.unknownField.text(name.sanitized, known), exitStatus: ExitStatus.usage)
            }
            if !fields.contains(field) { fields.append(field) }
        }
        self.fields = fields
    }

    /// Looks up the books that are named or match the query, and saves what was found.
    ///
    /// - Returns: The exit status.
    func run(
        _ names: [String], query: String?, in sources: LookupSourcesOption
    ) throws(CommandError) -> Int32 {
        let opened = try BookAddition(options: options.catalog).existing()
        let selected = try EditedBooks(names, query: query, in: opened)
        for name in selected.unknown { printError(name.sentenceOfAbsence(in: opened.catalog.shownPath)) }
        let wanted = wanted(selected, in: opened)
        if wanted.isEmpty { return max(PlainList.write("0 books changed.\n"), selected.unknown.isEmpty ? 0 : 1) }
        let session = try sources.start(besides: opened.library.catalogPath)
        wanted.forEach { session.add(.isbn($0.isbn)) }
        var problems = LookupProblems()
        var part: [Wanted] = []
        var found: [Int: Book] = [:]
        var line = ProgressLine("looking up")
        for (number, book) in wanted.enumerated() {
            line.show(number, fraction: Double(number) / Double(wanted.count))
            let answer = session.answer(to: number)
            if answer.found.isEmpty { line.clear() }
            problems.print(answer, to: .isbn(book.isbn))
            if var known = LookedUpBook.books(of: answer, to: .isbn(book.isbn)).first?.book, let key = book.isbn.number
            {
                if let series = book.book.series, series.folded != known.series?.folded { known.seriesPosition = nil }
                if fields.contains(where: { LookedUpBook.lacks($0, book.book) && !LookedUpBook.lacks($0, known) }) {
                    found[key] = known
                    part.append(book)
                } else {
                    line.clear()
                    problems.printWithoutFields(.isbn(book.isbn))
                }
            }
            // The difference of a dry run is one.
            if number < wanted.count - 1, part.count < Self.partSize || options.dryRun.isDryRun { continue }
            line.clear()
            let code = part.isEmpty ? 0 : save(part, found)
            if code != 0 { return code }
            part = []
        }
        let status = found.isEmpty ? problems.exitStatus : problems.exitStatusAfterSaving
        return max(status, selected.unknown.isEmpty ? 0 : ExitStatus.nothingFound)
    }

    /// Returns the selected books that lack a field; says how many have no ISBN.
    private func wanted(_ selected: EditedBooks, in opened: OpenedLibrary) -> [Wanted] {
        var wanted: [Wanted] = []
        var withoutISBN = 0
        for id in selected.ids {
            guard let book = opened.library.store.wholeBook(id) else { continue }
            guard fields.contains(where: { LookedUpBook.lacks($0, book) }) else { continue }
            if let digits = book.isbn?.digits(length: 13) {
                let name = BookArgument(opened.library.identity(of: id).description)
                wanted.append(Wanted(id: name, isbn: ISBN(digits), book: book))
            } else {
                withoutISBN += 1
            }
        }
        if withoutISBN > 0 { printError(CommandMessage.withoutISBN.text(withoutISBN.of("book"))) }
        return wanted
    }

    /// Gives books the values that they lack.
    ///
    /// - Returns: The exit status.
    private func save(_ part: [Wanted], _ found: [Int: Book]) -> Int32 {
        options.change.run(endingBy: termination) { opened throws(CommandError) in
            let books = NamedBooks(part.map(\.id), in: opened.library)
            let ids = part.flatMap { books.ids(of: $0.id) }.sorted()
            let title = ids.first.flatMap(opened.library.store.bookAtHand)?.title ?? ""
            let edit = BookEdit(
                .changed, ids, title: title,
                .bulk(
                    .set(Set(fields)) { [fields] book throws(CatalogEditError) in
                        guard let known = book.isbn?.number.flatMap({ found[$0] }) else { return }
                        for field in fields where LookedUpBook.lacks(field, book) {
                            if let value = field.value(in: known) { field.set(value, in: &book) }
                        }
                    }))
            return CatalogChange.Request(edit: edit) { "\(($0?.bookCount ?? 0).of("book")) changed" }
        }
    }
}
