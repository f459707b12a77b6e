internal import ArgumentParser

/// The command `stacks export [CATALOG]`.
struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Export books to other programs.",
        discussion: """
            json: an array of books in the native fields, one per line; your favourites, shelves, status, rating and note \
            are in the member userData. jsonl: the same without the array. csv: a table with a header (RFC 4180). bibtex: \
            for BibTeX and BibLaTeX. csl: CSL-JSON for citeproc, Zotero and pandoc. goodreads: a table as Goodreads exports \
            it, of the books that have user data. All formats are UTF-8; "stacks import" reads json, jsonl, csv and \
            goodreads.

            Without --list, all books of the catalog are exported. With --list and without --query, books that are not in \
            the catalog come last; goodreads always has them unless there is a query.

            Exit status: 0 on success; 1 if the query matches nothing; 65 or 74 if the catalog cannot be read to its end \
            (the books before are exported); 74 if standard output cannot be written.
            """)

    /// The output format.
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case json, jsonl, csv, goodreads, bibtex, csl

        /// The corresponding format of a search.
        var ofSearch: CatalogSearch.Format {
            switch self {
            case .json: .json
            case .jsonl: .jsonl
            case .csv: .csv
            case .goodreads: .goodreads
            case .bibtex: .bibtex
            case .csl: .csl
            }
        }
    }

    @OptionGroup var options: CatalogArgument

    @Option(
        help: ArgumentHelp("Only the books of this list. See them with: stacks lists", valueName: "name"),
        completion: ListsCommand.nameCompletion)
    var list: String?

    @Option(help: "Output format.")
    var format = Format.json

    @OptionGroup var userData: UserDataOption

    // Accept values that begin with a hyphen.
    @Option(parsing: .unconditional, help: "Only the books that match this query. See: stacks help search")
    var query: String?

    @Option(parsing: .unconditional, help: BrowseCommand.sortHelp, completion: BrowseCommand.sortCompletion)
    var sort: String?

    func validate() throws {
        if format == .goodreads && userData.withoutUserData {
            throw ValidationError(
                "--format goodreads writes only user data. Leave out --without-user-data, or use --format csv.")
        }
    }

    func run() throws {
        let search = CatalogSearch(
            query: query, list: list, catalog: options.catalog, profile: options.profile, format: format.ofSearch,
            includesUserData: userData.isIncluded, sort: sort)
        try exit(with: search.run())
    }
}
