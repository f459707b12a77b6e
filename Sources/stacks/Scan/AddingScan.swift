internal import Books
internal import Catalog
internal import Editing
internal import Graphemes
internal import Library
internal import Storage
internal import Text

/// Adds the books that are scanned to a catalog, with what sources know of them. They are looked up while the next ones are
/// scanned, and each is saved before it is said to be added.
final class AddingScan {
    private let addition: BookAddition
    private let termination: TerminationCleanup
    /// The catalog as it was at the start; nil if it did not exist.
    private let opened: OpenedLibrary?
    private let input: ScannedLines
    private let lookup: LookupSession?
    private var problems = LookupProblems()
    private var report = ScanReport()
    /// The ISBNs that are looked up.
    private var waiting: [ISBN] = []
    /// The ISBNs of the books that are saved now.
    private var saving: [ISBN] = []
    /// The number of those that were looked up before.
    private var answeredCount = 0

    /// The maximum number of books that are saved together.
    private static let batchSize = 100

    /// Opens the catalog, if it exists.
    ///
    /// - Throws: `CommandError` if it cannot be changed.
    init(_ options: CatalogOptions, _ sources: LookupSourcesOption) throws(CommandError) {
        // Before there are other threads.
        termination = TerminationCleanup()
        addition = BookAddition(options: options) { books in
            books.map { "Added “\($0.book.titleAndAuthors.sanitized)”" }.joined(separator: ".\n")
        }
        opened = try addition.opened()
        ScanReport.begin()
        input = ScannedLines()
        lookup = try sources.areNamed ? sources.start(notifying: input.wake) : nil
    }

    /// Takes in the codes of standard input.
    ///
    /// - Returns: The exit status.
    func run() -> Int32 {
        while true {
            let (lines, isAtEnd) = input.take { [self] in hasAnswer }
            for line in lines {
                if let isbn = report.isbn(of: line) { take(isbn) }
            }
            if isAtEnd, let lookup, !waiting.isEmpty, !hasAnswer { lookup.wait(forAnswerTo: answeredCount) }
            let code = addAnswered()
            if code != 0 {
                let names = (saving + waiting).map(\.formatted)
                printError(CommandMessage.notAdded.text(names.joined(separator: ", ")))
                return code
            }
            if isAtEnd, waiting.isEmpty { break }
        }
        return report.end("added", ofUnknown: "Added with the ISBN alone")
    }

    /// Whether the first of the waiting books can be added.
    private var hasAnswer: Bool { !waiting.isEmpty && lookup?.hasAnswer(to: answeredCount) ?? true }

    private func take(_ isbn: ISBN) {
        if let book = opened?.book(withISBN: isbn) {
            return printError(CommandMessage.alreadyInCatalog.text(isbn.formatted, book.titleAndAuthors))
        }
        waiting.append(isbn)
        lookup?.add(.isbn(isbn))
    }

    /// Adds the waiting books to which all sources have answered.
    ///
    /// - Returns: The exit status; 0 if all are saved.
    private func addAnswered() -> Int32 {
        while hasAnswer {
            var books: [NewBook] = []
            saving = []
            while hasAnswer, books.count < Self.batchSize { books.append(NewBook(next())) }
            let code = addition.run(endingBy: termination) { _ in books }
            if code != 0 { return code }
            report.count += books.count
        }
        return 0
    }

    /// Returns the first of the waiting books, as the sources know it.
    private func next() -> Book {
        let isbn = waiting.removeFirst()
        saving.append(isbn)
        let query = LookupQuery.isbn(isbn)
        if let lookup {
            let answer = lookup.answer(to: answeredCount)
            answeredCount += 1
            problems.print(answer, to: query)
            if let found = LookedUpBook.books(of: answer, to: query).first { return found.book }
            report.note(unknown: isbn)
        }
        // A book needs a title.
        return Book(title: isbn.formatted, isbn: isbn)
    }
}
