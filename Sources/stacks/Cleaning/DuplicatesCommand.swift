internal import ArgumentParser

/// The command `stacks duplicates [CATALOG]`.
struct DuplicatesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "duplicates",
        abstract: "Print the books that are in a catalog more than once.",
        discussion: """
            Certain: equal records, and books with an ISBN, the title and the volume in common. Likely: books with only an \
            ISBN in common, which the volumes of a set may have, too; books with the same title and authors; and books \
            whose title and authors differ in their spelling only. Books with the same title and authors, but another \
            ISBN, year or language, are other editions: they come last, and are no duplicates.

            text has the id of each book, by which it can be named: stacks merge ID ID --catalog FILE. json is an array of \
            objects, one for each group, with certainty, reason, and books, described in the guide. The certain groups are \
            printed before the others are sought.

            Exit status: 0 if there are duplicates; 1 if there are none; 65 or 74 if the catalog cannot be read to its end; \
            75 if it changed while it was read.
            """)

    /// The output format.
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json
    }

    @OptionGroup var options: CatalogArgument

    @Option(help: "Output format: text or json.")
    var format = Format.text

    func run() throws {
        try exit(with: CatalogDuplicates(catalog: options.request, format: format).run())
    }
}
