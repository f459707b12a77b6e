internal import ArgumentParser

/// The command `stacks search QUERY [CATALOG]`.
struct SearchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Print the books that match a query, best matches first.",
        discussion: """
            All words must be in the title, authors, series, subjects or ISBN, in any order; case and diacritics are \
            ignored. Also "exact phrase", -excluded, one | other, (groups), /regular expression/, and fields: title:, \
            author:, subject:, series:, publisher:, isbn:, language:, pages:>500, year:1990..2000, rating:>=4, added:2024, \
            fiction:yes, status:reading, is:favourite, on:SHELF, note:lent, has:description. An empty query \
            matches all books.

            The whole syntax: man 7 stacks-search.

            table: title, author, year and pages on a terminal, else title, tab, authors. The other formats are those of \
            "stacks export"; json and jsonl include the id of each book.

            Exit status: 0 on success; 1 if no book matches; 65 or 74 if the catalog cannot be read to its end (matches \
            before that are printed).
            """)

    @Argument(help: "The query, in quotation marks if it contains spaces.")
    var query: String

    @OptionGroup var options: CatalogArgument

    @Option(help: "Output format.")
    var format = CatalogSearch.Format.table

    @OptionGroup var userData: UserDataOption

    @OptionGroup var safeCSV: SafeCSVOption

    // Accept values that begin with a hyphen, because the error message here is better than the parser's.
    @Option(parsing: .unconditional, help: ArgumentHelp("Print at most this many books.", valueName: "number"))
    var limit: Int?

    @Option(parsing: .unconditional, help: BrowseCommand.sortHelp, completion: BrowseCommand.sortCompletion)
    var sort: String?

    func validate() throws {
        try safeCSV.validate(with: format.ofExport, tables: "--format csv or goodreads")
        if let limit, limit < 0 { throw ValidationError("--limit needs a number from 0 up, not \(limit).") }
    }

    func run() throws {
        let search = CatalogSearch(
            query: query, catalog: options.request, format: format,
            includesUserData: userData.isIncluded, guardsFormulas: safeCSV.guardsFormulas, limit: limit, sort: sort)
        try exit(with: search.run())
    }

    /// The options with values, by command, for commands whose arguments may begin with a hyphen.
    private static let valueOptions = [
        "search": ["--profile", "--encoding", "--format", "--limit", "--sort"], "sort": ["--profile", "--encoding"],
    ]

    /// Moves the arguments of `stacks search` and `stacks sort` after all options and "--", so that a query may begin
    /// with an exclusion (`stacks search -king`) and a sort key with a minus sign. Arguments of other commands are
    /// returned unchanged.
    static func arrangedArguments(_ arguments: [String]) -> [String] {
        guard let valueOptions = arguments.first.flatMap({ valueOptions[$0] }) else { return arguments }
        var options: [String] = []
        var others: [String] = []
        var rest = arguments.dropFirst()
        while let argument = rest.popFirst() {
            if argument == "--" {
                others += rest
                break
            }
            if argument.hasPrefix("--") || argument == "-h" {
                options.append(argument)
                guard valueOptions.contains(argument) else { continue }
                // The argument parser reports the missing value.
                guard let value = rest.popFirst() else { return arguments }
                options.append(value)
            } else {
                others.append(argument)
            }
        }
        return arguments.prefix(1) + options + (others.isEmpty ? [] : ["--"] + others)
    }
}

extension CatalogSearch.Format: ExpressibleByArgument {}
