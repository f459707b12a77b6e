internal import ArgumentParser

/// The command `stacks search QUERY [CATALOG]`.
struct SearchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Print the books that a query finds, the best matches first.",
        discussion: """
            Words must all be in a book's title, authors, series, subjects or ISBN, in any order; case and diacritics do \
            not matter. "exact phrase", -excluded, one | other, (groups), /regular expression/; and in fields: title:, \
            author:, subject:, series:, publisher:, isbn:, language:, pages:>500, year:1990..2000, rating:>=4, added:2024, \
            fiction:yes, status:reading, is:favourite, on:SHELF, has:description. The README says all of it. An empty \
            query finds all books.

            table: title, author, year and pages on a terminal, else title, a tab, authors. The other formats are those of \
            "stacks export"; json and jsonl have the identity of each book as id.

            Ends with 0 where something was found, with 1 where nothing was; with 65 or 74 where the catalog could not be \
            read to its end: what was found before comes first.
            """)

    @Argument(help: "What is looked for, in quotes where it has blanks.")
    var query: String

    @OptionGroup var options: CatalogArgument

    @Option(help: "Output format.")
    var format = CatalogSearch.Format.table

    @OptionGroup var userData: UserDataOption

    // Accept values that begin with a hyphen, for a better error message than the parser's.
    @Option(parsing: .unconditional, help: ArgumentHelp("Print so many books at most.", valueName: "number"))
    var limit: Int?

    @Option(parsing: .unconditional, help: BrowseCommand.sortHelp, completion: BrowseCommand.sortCompletion)
    var sort: String?

    func validate() throws {
        if let limit, limit < 0 { throw ValidationError("--limit is a number from 0 on, not \(limit).") }
    }

    func run() throws {
        let search = CatalogSearch(
            query: query, catalog: options.catalog, profile: options.profile, format: format,
            includesUserData: userData.isIncluded, limit: limit, sort: sort)
        try exit(with: search.run())
    }

    /// The options that take a value.
    private static let valueOptions = ["--profile", "--format", "--limit", "--sort"]

    /// Moves the query and the catalog of a search after all options and "--", so that a query may begin with an
    /// exclusion: `stacks search -king`. Arguments of other commands are returned unchanged.
    static func arrangedArguments(_ arguments: [String]) -> [String] {
        guard arguments.first == configuration.commandName else { return arguments }
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
                // Leave the missing value to the argument parser.
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
