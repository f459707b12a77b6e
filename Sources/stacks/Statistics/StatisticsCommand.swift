internal import ArgumentParser

/// The command `stacks stats [CATALOG]`.
struct StatisticsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Show what a catalog is like as charts.",
        discussion: """
            Books per decade, numbers of pages, languages, the authors, subjects and series that most books have, how much \
            is fiction, how far you have come, and how many books have each field. Your own status and rating go before \
            those of the catalog. What no book has is left out and said.

            text is as wide as the terminal, else 80 columns, in colour on a terminal unless NO_COLOR is set. json is one \
            object; the README has its shape. --svg writes the same charts as a picture that stands alone, light or dark \
            as its reader has it, and prints nothing, unless there is a --format, too; "-" is standard output.

            Ends with 0; with 1 where a query finds nothing; with 65 or 74 where the catalog could not be read to its end: \
            what was read is counted; with 74 where standard output or the picture cannot be written.
            """)

    @OptionGroup var options: CatalogArgument

    @Option(help: ArgumentHelp("Only the books of a list: \"stacks lists\" has their names.", valueName: "name"))
    var list: String?

    // Accept values that begin with a hyphen.
    @Option(parsing: .unconditional, help: "Only the books that a query finds: see \"stacks help search\".")
    var query: String?

    @Option(help: "The form of what is printed: text or json.")
    var format: CatalogStatistics.Format?

    @Option(
        help: ArgumentHelp("Write the charts as a picture to this file.", valueName: "file"),
        completion: .file(extensions: ["svg"]))
    var svg: String?

    func validate() throws {
        if svg == "" { throw ValidationError("--svg needs the name of a file.") }
        if svg == "-" && format != nil {
            throw ValidationError("--svg - and --format both write to standard output: name a file for the picture.")
        }
    }

    func run() throws {
        let statistics = CatalogStatistics(
            catalog: options.catalog, profile: options.profile, list: list, query: query, format: format, picture: svg)
        try exit(with: statistics.run())
    }
}

extension CatalogStatistics.Format: ExpressibleByArgument {}
