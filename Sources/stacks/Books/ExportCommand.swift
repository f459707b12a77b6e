public import ArgumentParser
public import Formats
internal import Library
internal import Storage
internal import Text

/// The command `stacks export [CATALOG]`.
struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Export books to other programs.",
        discussion: """
            json: an array of books in the native fields, one per line, followed by what else the catalog has of each; \
            your favourites, shelves, status, readings, rating and note are in the member userData. jsonl: the same \
            without the array. records: an array of the catalog's records as they are. csv: a table with a header (RFC \
            4180). bibtex: for BibTeX and BibLaTeX. csl: CSL-JSON for citeproc, Zotero and pandoc. goodreads, \
            storygraph: a table like those that Goodreads and StoryGraph export, with the books that have user data. \
            calibre: a table like calibre's CSV catalogs. marc: MARC 21 in exchange format (ISO 2709), marcxml: in XML; \
            records of MARC go out as they came, but for what was changed. mods: MODS 3.7. ris: for reference managers. \
            opds: an acquisition feed of OPDS 1.2. These five have no user data, and open in stacks again. html: one page to \
            read, search, sort and print in a browser, without a network; covers are in it if they are files beside the \
            catalog. \
            What a format cannot keep is named on standard error. All formats are UTF-8; "stacks import" reads json, \
            jsonl, csv, goodreads, storygraph and sqlite.

            stacks-connect makes sqlite: a database that opens in stacks again, with tables of books, people, subjects, \
            identifiers, shelves and readings; it needs --output. If the database exists, only the rows of changed \
            books change; books that are gone are deleted, other tables and columns are kept.

            With --safe-csv, a cell of a table that begins with = + - @, a tab or a line break gets an apostrophe before \
            it, so that spreadsheets show it as text instead of running it as a formula. stacks removes the apostrophe \
            when it reads a table.

            With --output, the file appears when it is complete, and replaces an existing one.

            Without --list, all books of the catalog are exported. With --list and without --query, books that are \
            not in the catalog come last; goodreads and storygraph always have them unless there is a query.

            Exit status: 0 on success; 1 if the query matches nothing (no file is written); 65 or 74 if the catalog \
            cannot be read to its end (the books before are exported, but not into a database that exists); 73 if \
            the file cannot be created or is not a database of stacks; 74 if standard output cannot be written; 75 \
            if another program uses the database.
            """)

    @OptionGroup var options: CatalogArgument

    @Option(
        help: ArgumentHelp("Only the books of this list. See them with: stacks lists", valueName: "name"),
        completion: ListsCommand.nameCompletion)
    var list: String?

    @Option(help: "Output format.")
    var format = ExportFormat.json

    @Option(
        help: ArgumentHelp("Write to this file, once it is complete, instead of standard output.", valueName: "file"),
        completion: .file())
    var output: String?

    @OptionGroup var userData: UserDataOption

    @OptionGroup var safeCSV: SafeCSVOption

    // Accept values that begin with a hyphen.
    @Option(parsing: .unconditional, help: "Only the books that match this query. See: stacks help search")
    var query: String?

    @Option(parsing: .unconditional, help: BrowseCommand.sortHelp, completion: BrowseCommand.sortCompletion)
    var sort: String?

    func validate() throws {
        if format.isOnlyForUserData && userData.withoutUserData {
            throw ValidationError(
                "--format \(format.rawValue) writes only user data. Leave out --without-user-data, or use --format csv."
            )
        }
        try safeCSV.validate(with: format, tables: "--format csv, goodreads, storygraph or calibre")
        if output == "" { throw ValidationError("--output needs the name of a file.") }
        if file == nil, format.keepsExisting {
            throw ValidationError("--format \(format.rawValue) needs a file. Add --output books.db")
        }
    }

    /// The path of the file; nil for standard output.
    private var file: String? { output == "-" ? nil : output }

    func run() throws {
        // Signals must be blocked before other threads are started.
        let termination = format.needsConnector ? TerminationCleanup() : nil
        let includesUserData = userData.isIncluded && format.hasUserData
        var search = CatalogSearch(
            query: query, list: list, catalog: options.request, format: .jsonl,
            includesUserData: includesUserData, sort: sort)
        search.exportForm = format.formatter(
            includesUserData: includesUserData, guardsFormulas: safeCSV.guardsFormulas, title: list)
        search.formatLabel = format.label
        search.output = { catalog throws(CommandError) in
            guard let path = file.map({ expandedPath($0) }) else { return StandardOutput() }
            try BundledCatalog.checkOutput(path)
            if let target = resolvedPath(path), target == resolvedPath(catalog) {
                throw CommandError(
                    sentence: CommandMessage.outputIsCatalog.text(abbreviatedPath(path)), exitStatus: ExitStatus.usage)
            }
            if let termination {
                return try ConnectedOutput(path, in: Directories.ofEnvironment(), termination: termination)
            }
            return try FileOutput(path)
        }
        try exit(with: search.run())
    }
}

extension ExportFormat: ExpressibleByArgument {}
