internal import ArgumentParser
internal import Glibc
internal import Library

/// The command `stacks favourites`.
struct FavouritesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "favourites",
        abstract: "List, add or remove favourites.",
        subcommands: [List.self, Add.self, Remove.self],
        defaultSubcommand: List.self)

    /// The command `stacks favourites list`.
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List your favourites (the default).",
            discussion: """
                In catalog order; favourites that are not in the catalog come last, and in JSON have inCatalog false. The \
                formats are those of "stacks search".

                Exit status: 0 on success; 65 or 74 if the catalog cannot be read to its end.
                """)

        @OptionGroup var options: CatalogOptions

        @Option(help: "Output format.")
        var format = CatalogSearch.Format.table

        @OptionGroup var userData: UserDataOption

        @OptionGroup var safeCSV: SafeCSVOption

        @Option(parsing: .unconditional, help: BrowseCommand.sortHelp, completion: BrowseCommand.sortCompletion)
        var sort: String?

        func validate() throws {
            try safeCSV.validate(with: format.ofExport, tables: "--format csv or goodreads")
        }

        func run() throws {
            let search = CatalogSearch(
                list: NamedList.favourites.name, catalog: options.request, format: format,
                includesUserData: userData.isIncluded, guardsFormulas: safeCSV.guardsFormulas, sort: sort)
            try exit(with: search.run())
        }
    }

    /// The command `stacks favourites add ID-OR-ISBN...`.
    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Add books to your favourites.",
            discussion: FavouritesCommand.discussion(
                "If several books share an ISBN, the first is added; an id is unique."))

        @OptionGroup var options: CatalogOptions

        @Argument(
            help: ArgumentHelp("Ids or ISBNs of books; \"-\" reads them from standard input.", valueName: "id-or-isbn")
        )
        var names: [String]

        func run() throws { try exit(with: FavouriteChange(isFavourite: true, options: options, names: names).run()) }
    }

    /// The command `stacks favourites remove ID-OR-ISBN...`.
    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove books from your favourites.",
            discussion: FavouritesCommand.discussion("If several books share an ISBN, all are removed."))

        @OptionGroup var options: CatalogOptions

        @Argument(
            help: ArgumentHelp("Ids or ISBNs of books; \"-\" reads them from standard input.", valueName: "id-or-isbn")
        )
        var names: [String]

        func run() throws { try exit(with: FavouriteChange(isFavourite: false, options: options, names: names).run()) }
    }

    private static func discussion(_ sentence: String) -> String {
        """
        A book is named by its id, as "stacks search --format json" prints it, or by an ISBN in any form; "-" reads names \
        from standard input, one per line. \(sentence) All changes are one undo step, and saved when the command ends.

        Exit status: 0 on success; 1 if some books are not found (they are listed on standard error, and the others are \
        changed); 74 if the changes cannot be saved (nothing is changed).
        """
    }
}
