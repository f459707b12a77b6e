internal import ArgumentParser
internal import Books
internal import Glibc
internal import Library
internal import Storage
internal import Text

/// The command `stacks lookup ISBN...`.
struct LookupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lookup",
        abstract: "Look books up in other catalogs and in library servers.",
        discussion: """
            Prints each value with the names of its sources, the best one first: an ISBN is one book, a title may be several. \
            The sources are names of the config file and of the servers that "stacks sources targets" lists. Without --sources, \
            those that the config file chooses are asked ([lookup] sources), or else its catalogs on this machine are searched, \
            and nothing is sent to a server.

            All sources are asked at once, and a server for at most one book a second. json is an array of objects, one for each book, \
            described in the guide.

            Exit status: 0 if each book is found; 1 if one is not; 64 for a wrong ISBN or an unknown source; 65 or 66 or 69 if a \
            source cannot be read, and no other one has the book.
            """)

    /// The output format.
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json
    }

    @Argument(help: ArgumentHelp("ISBNs, of 10 or 13 digits, with or without hyphens.", valueName: "isbn"))
    var isbns: [String] = []

    @Option(help: "Look up a title instead of ISBNs.")
    var title: String?

    @Option(help: "The author of the title.")
    var author: String?

    @OptionGroup var sources: LookupSourcesOption

    @Option(help: "Output format: text or json.")
    var format = Format.text

    func validate() throws {
        if isbns.isEmpty == (title == nil) {
            throw ValidationError("Name the ISBNs of books, or a title with --title.")
        }
        if let title, !title.contains(where: { $0.isLetter || $0.isNumber }) {
            throw ValidationError("The title has neither letters nor digits. Name some of its words.")
        }
        if title == nil, author != nil { throw ValidationError("--author narrows --title. Name a title, too.") }
    }

    func run() throws {
        let code: Int32
        do throws(CommandError) {
            code = try print()
        } catch {
            code = error.report()
        }
        try exit(with: code)
    }

    private func print() throws(CommandError) -> Int32 {
        var queries = try LookupQuery.all(ofISBNs: isbns).map(LookupQuery.isbn)
        if let title { queries.append(.title(title, author: author ?? "")) }
        let lookup = try sources.start()
        for query in queries { lookup.add(query) }
        var printer = LookupPrinter(format)
        for (number, query) in queries.enumerated() {
            let code = printer.print(lookup.answer(to: number), to: query)
            if code != 0 { return code }
        }
        return printer.end()
    }
}

/// The option `--sources` of commands that look books up.
struct LookupSourcesOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The sources, separated by commas: names of the config file, or of library servers.", valueName: "names"))
    var sources: String?

    /// Whether sources are named, here or in the config file.
    var areNamed: Bool {
        sources != nil || ConfigFile(in: Directories.ofEnvironment()).read().lookupSources?.isEmpty == false
    }

    /// Starts the threads that look books up in the sources.
    ///
    /// - Parameters:
    ///   - other: The path of a catalog that is no source unless it is named.
    ///   - notify: Called on any thread for each answer of a source.
    /// - Throws: `CommandError` if there is no source, or an unknown one.
    func start(
        besides other: String? = nil, notifying notify: @escaping @Sendable () -> Void = {}
    ) throws(CommandError) -> LookupSession {
        let directories = Directories.ofEnvironment()
        let config = ConfigFile(in: directories).read()
        let names = sources.map { $0.split(separator: ",").map { $0.trimmed }.filter { !$0.isEmpty } }
        let all = try LookupSource.all(named: names, besides: other, in: config, directories)
        return LookupSession(in: all, notifying: notify)
    }
}

extension LookupQuery {
    /// Returns the ISBNs that are typed, each of thirteen digits and once.
    ///
    /// - Throws: `CommandError` for one that is not valid.
    static func all(ofISBNs texts: [String]) throws(CommandError) -> [ISBN] {
        var found: [ISBN] = []
        for text in texts {
            guard let digits = ISBN(text).digits(length: 13) else {
                throw CommandError(sentence: CommandMessage.notAnISBN.text(text), exitStatus: ExitStatus.usage)
            }
            let isbn = ISBN(digits)
            if !found.contains(isbn) { found.append(isbn) }
        }
        return found
    }
}
