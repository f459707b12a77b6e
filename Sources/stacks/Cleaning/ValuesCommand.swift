internal import ArgumentParser

/// The command `stacks values FIELD [CATALOG]`.
struct ValuesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "values",
        abstract: "Print the values of a field, and rename them.",
        discussion: """
            Prints the values of authors, series, subjects, publishers, languages, or a field that only this catalog has, with \
            the number of books of each. First come the values that may be one: they differ in case, accents, punctuation, \
            blanks or one letter of a word, and names in the order of their parts or in initials.

            --rename 'A=B' changes the value A to B in all books that have it, and may be repeated: several values become one. \
            'A=B; C' makes two values of one in a list, and 'A=' deletes it. A is spelt as it is printed. Only the \
            bytes of the changed values are replaced, and all is one change, which can be undone.

            json is an array of objects, one for each value, with value, books and variants, described in the guide.

            Exit status: 0 if there are values; 1 if there are none, or none with this name; 64 for a field without values \
            that books share; 65 if a value does not fit; 74 or 77 if the catalog cannot be read or written; 75 if it keeps \
            changing. With 64 or more, nothing is written.
            """)

    /// The output format.
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json
    }

    @Argument(help: "The field, by its name in queries or in the native format: author, series, subject, publisher …")
    var field: String

    @OptionGroup var options: CatalogArgument

    @Option(
        help: ArgumentHelp(
            "Rename a value in all books; may be repeated.", valueName: "old=new"))
    var rename: [String] = []

    @OptionGroup var dryRun: DryRunOption

    @Option(help: "Output format: text or json.")
    var format = Format.text

    func validate() throws {
        if !rename.isEmpty, format == .json {
            throw ValidationError("--format json prints values, and --rename changes them. Leave one out.")
        }
        if rename.isEmpty, dryRun.isDryRun {
            throw ValidationError("--dry-run shows what --rename would change. Name a value with --rename 'OLD=NEW'.")
        }
    }

    func run() throws {
        if rename.isEmpty {
            return try exit(with: CatalogValues(catalog: options.request, fieldName: field, format: format).run())
        }
        let catalog = CatalogOptions(catalog: options.catalog, profile: options.profile, copy: options.copy)
        let change = CatalogChange(options: catalog, isDryRun: dryRun.isDryRun)
        let code = change.run { opened throws(CommandError) in
            try ValueRenaming(rename, ofFieldNamed: field, in: opened).request
        }
        try exit(with: code)
    }
}
