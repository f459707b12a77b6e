internal import ArgumentParser

/// The command `stacks export [CATALOG]`.
struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write the books of a list for other programs.",
        discussion: """
            json is an array of books, one a line, in the native fields, and jsonl the same without the array; csv has a \
            header (RFC 4180); bibtex is for BibTeX and BibLaTeX, csl for citeproc and all that reads CSL-JSON, as Zotero \
            and pandoc do. All are UTF-8. Without --list all books of the catalog are written; with it the marks on books \
            that are not in the catalog come last, unless there is a query.

            Ends with 0; with 1 where a query finds nothing; with 65 or 74 where the catalog could not be read to its end: \
            what was read comes first; with 74 where standard output cannot be written.
            """)

    /// The output format.
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case json, jsonl, csv, bibtex, csl

        /// The corresponding format of a search.
        var ofSearch: CatalogSearch.Format {
            switch self {
            case .json: .json
            case .jsonl: .jsonl
            case .csv: .csv
            case .bibtex: .bibtex
            case .csl: .csl
            }
        }
    }

    @OptionGroup var options: CatalogArgument

    @Option(
        help: ArgumentHelp("The list: \"stacks lists\" has their names.", valueName: "name"),
        completion: ListsCommand.nameCompletion)
    var list: String?

    @Option(help: "The form of the books.")
    var format = Format.json

    // Accept values that begin with a hyphen.
    @Option(parsing: .unconditional, help: "Only the books that a query finds: see \"stacks help search\".")
    var query: String?

    @Option(parsing: .unconditional, help: BrowseCommand.sortHelp, completion: BrowseCommand.sortCompletion)
    var sort: String?

    func run() throws {
        let search = CatalogSearch(
            query: query, list: list, catalog: options.catalog, profile: options.profile, format: format.ofSearch,
            sort: sort)
        try exit(with: search.run())
    }
}
