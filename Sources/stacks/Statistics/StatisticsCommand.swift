internal import ArgumentParser

/// The command `stacks stats [CATALOG]`.
struct StatisticsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Show statistics of a catalog as charts.",
        discussion: """
            Decades, pages, languages, the most frequent authors, subjects and series, fiction, reading status, ratings, \
            and how many books have each field. Your own status and rating take precedence over those of the catalog. \
            Charts without data are left out and named.

            If you keep a reading log or have a goal, your own reading comes first, whatever the list and the query: \
            the goal of the year, books and pages a month, and a calendar of the days of twelve months.

            --year prints a year of your reading instead: the books and pages of each month, the best rated, the longest \
            and the fastest books, and the authors you read most.

            text is as wide as the terminal, else 80 columns, in colour on a terminal unless NO_COLOR is set. json is one \
            object, described in the guide. --svg writes the charts as a picture, light or dark as its viewer prefers, \
            and prints nothing unless --format is given too; "-" is standard output.

            Exit status: 0 on success; 1 if no book matches the query or nothing was read in the year; 65 or 74 if the catalog cannot be read to its end \
            (the books before are counted); 74 if standard output or the picture cannot be written.
            """)

    @OptionGroup var options: CatalogArgument

    @Option(help: ArgumentHelp("Only the books of this list. See them with: stacks lists", valueName: "name"))
    var list: String?

    // Accept values that begin with a hyphen.
    @Option(parsing: .unconditional, help: "Only the books that match this query. See: stacks help search")
    var query: String?

    @Option(help: "Output format: text or json.")
    var format: CatalogStatistics.Format?

    @Option(
        help: ArgumentHelp("Write the charts to this file, as an SVG picture.", valueName: "file"),
        completion: .file(extensions: ["svg"]))
    var svg: String?

    @Option(help: ArgumentHelp("What you read in this year, instead of the catalog.", valueName: "year"))
    var year: Int?

    func validate() throws {
        if let year {
            guard 1000...9999 ~= year else { throw ValidationError("--year needs a year of four digits, as 2026.") }
            if list != nil || query != nil || svg != nil {
                throw ValidationError("--year cannot be combined with --list, --query or --svg. Leave one of them out.")
            }
        }
        if svg == "" { throw ValidationError("--svg needs a file name.") }
        if svg == "-" && format != nil {
            throw ValidationError("--svg - and --format both write to standard output. Name a file for the picture.")
        }
    }

    func run() throws {
        if let year {
            return try exit(with: YearReview(catalog: options.request, year: year, format: format).run())
        }
        let statistics = CatalogStatistics(
            catalog: options.request, list: list, query: query, format: format, picture: svg)
        try exit(with: statistics.run())
    }
}

extension CatalogStatistics.Format: ExpressibleByArgument {}
