internal import ArgumentParser
internal import Books
internal import Catalog
internal import Graphemes
internal import JSON
internal import Library
internal import Remote
internal import Storage
internal import Text

/// The command `stacks import FILE`.
struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import user data from stacks, Goodreads or StoryGraph, or a list of ISBNs.",
        discussion: """
            From an export of stacks (json, jsonl, csv, goodreads, storygraph or sqlite), all of your data is \
            imported: favourites, shelves, status, readings, rating and note. From a CSV export of Goodreads (My Books, \
            Tools, Import and export): the status with its date, the number of readings, the rating, the shelves, the \
            private notes and the review as a note, and books on a shelf favorites or favourites as favourites. From a \
            CSV export of StoryGraph (Manage account): the same, with the dates of all readings, the rating in half \
            stars, and the tags as shelves. Missing shelves are created. A list has one ISBN per \
            line, and comments after #; its books become favourites, or go to the list given with --list.

            Books are found in the catalog by the id that stacks writes, then by ISBN, then by title and authors, then by \
            title and any author if only one book fits. Books that are not in the catalog are kept, counted separately, \
            and listed as "Not in this catalog". Your existing data is kept unless --replace is given. Reading \
            logs are merged: a reading that both have is one reading, and the status of the later log is kept. \
            Importing a file twice changes nothing. An import is one undo step, with its new shelves. --encoding is that \
            of the file.

            Exit status: 0 on success; 65 if the file is damaged or of another kind (nothing is imported), or if lines of \
            it are invalid (the others are imported); 66 if it does not exist; 74 if nothing can be saved.
            """)

    /// The report's format.
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json
    }

    @Argument(
        help: "The file; \"-\" is standard input.",
        completion: .file(extensions: ["csv", "txt", "json", "jsonl", "db"]))
    var file: String

    @OptionGroup var options: CatalogOptions

    @Option(
        help: ArgumentHelp(
            "Add the books of a list of ISBNs to this list: Favourites, To read, Reading, Read, Abandoned or a shelf.",
            valueName: "name"), completion: ListsCommand.nameCompletion)
    var list = "Favourites"

    @Flag(help: "Overwrite your ratings, status, readings and notes with those in the file.")
    var replace = false

    @Flag(help: "Only report what would change.")
    var dryRun = false

    @Option(help: "Output format of the report.")
    var format = Format.text

    func run() throws {
        try exit(with: importUserData())
    }

    private func importUserData() -> Int32 {
        do throws(CommandError) {
            if file == "-" && options.catalog == "-" {
                throw CommandError(
                    sentence: CommandMessage.standardInputTwice.text("the import"),
                    exitStatus: ExitStatus.usage)
            }
            if list[...].trimmed.isEmpty {
                throw CommandError(
                    sentence: CommandMessage.listNameIsEmpty.text(), exitStatus: ExitStatus.usage)
            }
            // The option is about the file, and not about the catalog.
            let encoding = options.copy.text.encoding
            let file = try ImportedFile(at: file, in: encoding == MirrorState.detection ? nil : encoding)
            if let line = file.foreignLine {
                let message = file.isMostlyUTF8 ? CommandMessage.bytesReadAsWindows1252 : .readAsWindows1252
                printError(message.text(file.shownPath, String(line)))
            }
            if let encoding = file.detectedEncoding {
                printError(Message.sourceReadAs.text(file.shownPath, encoding))
            }
            let imported = try ImportedBooks(file, destination: ImportDestination(named: list))
            var request = options.request
            request.copying.encoding = nil
            let opened = try OpenedLibrary(request)
            let plan = ImportPlan(imported.books, in: opened.library, replaces: replace)
            if plan.changesAnything && !dryRun {
                try opened.save { () throws(FileError) in try plan.apply(from: file.name) }
            }
            imported.problems.forEach(printError)
            let report = ImportReport(
                file: file.shownPath, catalog: opened.catalog.shownPath, bookCount: imported.books.count,
                problemCount: imported.problems.count, omissions: imported.omissions.values,
                unusedColumns: imported.unusedColumns, plan: plan, isDryRun: dryRun, replaces: replace)
            var text: [UInt8] = []
            switch format {
            case .text: text += report.text.utf8
            case .json:
                report.json.writeHarmlessly(to: &text)
                text.append(UInt8(ascii: "\n"))
            }
            if let code = PlainList.write(&text), code != 0 { return code }
            let status = opened.finish()
            return status == 0 && !imported.problems.isEmpty ? ExitStatus.badData : status
        } catch {
            return error.report()
        }
    }
}

/// The result of an import or of a dry run.
struct ImportReport {
    /// The name of the imported file.
    let file: String
    /// The name of the catalog.
    let catalog: String
    /// The number of books in the file.
    let bookCount: Int
    /// The number of invalid lines in the file.
    let problemCount: Int
    /// The values that are left out.
    let omissions: [ImportOmissions.Values]
    /// The columns that are left out.
    let unusedColumns: [String]
    /// The changes.
    let plan: ImportPlan
    /// Whether the changes were only reported.
    let isDryRun: Bool
    /// Whether existing values of the user were replaced.
    let replaces: Bool

    /// The report as text.
    var text: String {
        let (counts, unmatched) = (plan.counts, plan.countsOfUnmatched)
        var text = "\(file): \(bookCount.of("book")), \(plan.matchCount.grouped) in \(catalog).\n".harmlessText
        if !plan.changesAnything { text += "Nothing to change.\n" }
        if counts.books > 0 {
            text += isDryRun ? "Would import" : "Imported"
            text += " \(counts.nouns.joined(separator: ", ")) for \(counts.books.of("book")).\n"
        }
        if unmatched.books > 0 {
            text += isDryRun ? "Would keep" : "Kept"
            text +=
                " \(unmatched.nouns.joined(separator: ", ")) for \(unmatched.books.of("book")) not in this catalog.\n"
        }
        if !plan.newShelves.isEmpty { text += "New shelves: \(plan.newShelves.listed.sanitized).\n" }
        for line in linesOfOmissions { text += line + "\n" }
        let differing = counts.kept + unmatched.kept
        if differing > 0 {
            text +=
                "Left \(differing.of("value")) of yours unchanged; --replace overwrites them with those in the file.\n"
        }
        if !plan.unmatched.isEmpty {
            text += "\nNot in this catalog:\n"
            for book in plan.unmatched {
                text +=
                    "  \(book.book.shownTitle)\(book.book.authors.isEmpty ? "" : ", " + book.book.authors.listed)"
                    .harmlessLine
            }
        }
        return text
    }

    /// The report as JSON.
    var json: JSONValue {
        func number(_ key: String, _ number: Int) -> JSONValue.Member {
            .init(key: key, value: .number(String(number)))
        }
        func members(of counts: ImportPlan.Counts) -> [JSONValue.Member] {
            [
                number("changedBooks", counts.books), number("favourites", counts.favourites),
                number("statuses", counts.statuses), number("readings", counts.readings),
                number("ratings", counts.ratings), number("notes", counts.notes), number("shelvings", counts.shelvings),
                number("kept", counts.kept),
            ]
        }
        let unmatched = plan.unmatched.map { book in
            JSONValue.object([
                number("line", book.line), .init(key: "title", value: .string(book.book.title)),
                .init(key: "authors", value: .array(book.book.authors.map { .string($0) })),
                .init(key: "isbn", value: book.book.isbn.map { .string($0.text) } ?? .null),
            ])
        }
        let books: [JSONValue.Member] = [
            .init(key: "file", value: .string(file)), .init(key: "catalog", value: .string(catalog)),
            .init(key: "dryRun", value: .boolean(isDryRun)), number("books", bookCount),
            number("invalidLines", problemCount), number("inCatalog", plan.matchCount),
            number("notInCatalog", plan.unmatched.count),
        ]
        let shelves: [JSONValue.Member] = [
            .init(key: "ofUnmatched", value: .object(members(of: plan.countsOfUnmatched))),
            .init(key: "newShelves", value: .array(plan.newShelves.map { .string($0) })),
            .init(key: "unmatched", value: .array(unmatched)),
        ]
        return .object(books + members(of: plan.counts) + membersOfOmissions + shelves)
    }
}

extension String {
    /// This line made safe for a terminal, with its line feed.
    fileprivate var harmlessText: String { String(dropLast()).harmlessLine }
}
