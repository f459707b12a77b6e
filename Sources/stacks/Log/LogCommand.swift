internal import ArgumentParser
internal import Books
internal import Formats
internal import Library
internal import Shelves
internal import Storage
internal import Text

/// The command `stacks log [ID-OR-ISBN] [CATALOG]`.
struct LogCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "Print your reading log, or enter readings of a book.",
        discussion: """
            Without a book, prints your readings of all books, the latest first, including books that are not in the \
            catalog. With a book, prints its readings with their numbers, the earliest first; with options for days, \
            pages or --remove, changes them and confirms what was entered.

            Days are in the past: yesterday, "last sunday", "12 mar", 2024-03-12; or only a month or a year: "march \
            2024", 2024-03, 2019. The options change the current reading, or the latest one of a book that is read or \
            abandoned, or begin a new one. --again enters a further reading of a book that is read. All changes are one \
            undo step.

            On a terminal the output is a table; else each line has the start, the end, read or abandoned, \
            the progress, the id, the title and the authors, separated by tabs; with a book, line 2 is \
            reading 2. csv has the same columns. json is an array of objects with id, title, authors, \
            start, end, outcome and progress; jsonl is the same without the array.

            Exit status: 0 on success; 1 if the book or the reading is not found; 64 if a day is invalid, is in the future \
            or does not fit the log; 65 or 74 if the catalog cannot be read to its end; 74 if nothing can be saved.
            """)

    /// The output format.
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json, jsonl, csv
    }

    @Argument(help: ArgumentHelp("The id of a book, or an ISBN.", valueName: "id-or-isbn"))
    var name: String?

    @OptionGroup var options: CatalogArgument

    @Option(help: ArgumentHelp("You began the book on this day.", valueName: "day"))
    var started: String?

    @Option(help: ArgumentHelp("You finished it on this day.", valueName: "day"))
    var finished: String?

    @Option(help: ArgumentHelp("You abandoned it on this day.", valueName: "day"))
    var abandoned: String?

    @Option(help: ArgumentHelp("You put it on your list to read on this day.", valueName: "day"))
    var toRead: String?

    @Option(help: ArgumentHelp("You have reached this page.", valueName: "number"))
    var page: Int?

    @Option(help: ArgumentHelp("You have read this much of it, from 0 to 100 %.", valueName: "number"))
    var percent: Int?

    @Option(help: ArgumentHelp("The day of --page or --percent, if it was not today.", valueName: "day"))
    var on: String?

    @Flag(help: "Enter the days as a further reading.")
    var again = false

    @Option(help: ArgumentHelp("Remove the reading with this number.", valueName: "number"))
    var remove: Int?

    @Option(help: "Output format.")
    var format = Format.text

    @OptionGroup var safeCSV: SafeCSVOption

    func validate() throws {
        try safeCSV.validate(with: format == .csv ? .csv : nil, tables: "--format csv")
        if finished != nil && abandoned != nil {
            throw ValidationError("--finished and --abandoned exclude each other. Enter one reading at a time.")
        }
        if page != nil && percent != nil { throw ValidationError("--page and --percent exclude each other.") }
        if let page, page < 1 { throw ValidationError("--page needs a number from 1.") }
        if let percent, !(0...100 ~= percent) { throw ValidationError("--percent needs a number from 0 to 100.") }
        if on != nil && !hasProgress { throw ValidationError("--on needs --page or --percent.") }
        if again && !hasReading {
            throw ValidationError("--again needs a day, as --started or --finished.")
        }
        if remove != nil && (hasReading || toRead != nil) {
            throw ValidationError("--remove cannot be combined with days or progress.")
        }
        if changesLog && book == nil {
            throw ValidationError("Name the book to log: stacks log ID --finished yesterday")
        }
    }

    /// The book; nil if the only argument names a catalog, as in `stacks log books.json`.
    private var book: String? {
        guard let name else { return nil }
        return options.catalog == nil && BookArgument(name).key == nil ? nil : name
    }

    private var request: CatalogRequest {
        var request = options.request
        if book == nil, let name { request.name = name }
        return request
    }

    private var hasProgress: Bool { page != nil || percent != nil }

    /// Whether the options are about a reading.
    private var hasReading: Bool { [started, finished, abandoned].contains { $0 != nil } || hasProgress }

    private var changesLog: Bool { hasReading || toRead != nil || remove != nil }

    func run() throws {
        try exit(with: log())
    }

    private var output: LogOutput { LogOutput(format, guardsFormulas: safeCSV.guardsFormulas) }

    private func log() -> Int32 {
        do throws(CommandError) {
            let opened = try OpenedLibrary(request)
            guard let book else {
                let code = PlainList.write(output.text(of: opened.library.identifiedBooks))
                return code == 0 ? opened.finish() : code
            }
            let name = BookArgument(book)
            guard let logged = opened.library.identifiedBook(named: name) else {
                printError(name.sentenceOfAbsence(in: opened.catalog.shownPath))
                let code = opened.finish()
                return code == 0 ? ExitStatus.nothingFound : code
            }
            let answer = changesLog ? try change(logged.book, in: opened) : output.text(of: logged)
            let code = PlainList.write(answer)
            return code == 0 ? opened.finish() : code
        } catch {
            return error.report()
        }
    }

    /// Enters what the options say.
    ///
    /// - Returns: The answer.
    private func change(_ book: LoggedBook, in opened: OpenedLibrary) throws(CommandError) -> String {
        var (status, log) = (book.status, book.log)
        let answer: String
        if let remove {
            guard log.readings.indices.contains(remove - 1) else {
                throw CommandError(
                    sentence: CommandMessage.noSuchReading.text(book.title, log.readings.count.of("reading")),
                    exitStatus: ExitStatus.nothingFound)
            }
            answer = "removed the reading " + ReadingSentence(log.readings[remove - 1]).days
            status = log.remove(at: remove - 1, status: status)
        } else {
            if let page, let pageCount = book.pageCount, page > pageCount {
                throw CommandError(
                    sentence: CommandMessage.pageBeyondEnd.text(book.title, pageCount.of("page")),
                    exitStatus: ExitStatus.usage)
            }
            let entry = try entry(today: opened.library.userData.today)
            do throws(ReadingEntry.Problem) {
                (status, log) = try entry.entered(in: log, status: status)
            } catch {
                throw CommandError(sentence: error.sentence(of: book.title), exitStatus: ExitStatus.usage)
            }
            answer = entry.sentence
        }
        if status == book.status && log == book.log { return "\(book.title): nothing to change.".harmlessLine }
        try opened.save { () throws(FileError) in
            try opened.library.setLog(log, status: status, at: book.place)
        }
        return "\(book.title): \(answer).".harmlessLine
    }

    private func entry(today text: String) throws(CommandError) -> ReadingEntry {
        let today = CalendarDay(text) ?? CalendarDay(number: 0)
        func day(_ typed: String?) throws(CommandError) -> String? {
            guard let typed else { return nil }
            do throws(DayInput.Problem) {
                return try DayInput(typed, today: today).text
            } catch {
                throw CommandError(sentence: error.phrase, exitStatus: ExitStatus.usage)
            }
        }
        var entry = ReadingEntry()
        entry.toRead = try day(toRead)
        entry.start = try day(started)
        entry.end = try day(finished ?? abandoned)
        entry.outcome = finished != nil ? .finished : abandoned != nil ? .abandoned : nil
        entry.isAgain = again
        let place = page.map { ReadingProgress.Place.page($0) } ?? percent.map { .percent($0) }
        if let place { entry.progress = ReadingProgress(place, on: try day(on) ?? text) }
        return entry
    }
}
