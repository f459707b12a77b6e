internal import ArgumentParser
internal import Glibc
internal import Library

/// The command `stacks favourites`.
struct FavouritesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "favourites",
        abstract: "Print your favourites, or add and remove some.",
        subcommands: [List.self, Add.self, Remove.self],
        defaultSubcommand: List.self)

    /// The command `stacks favourites list`.
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Print your favourites; the word may be left out.",
            discussion: """
                In the catalog's order, and last those that are not in the catalog, with what was kept of them: JSON says \
                of these that inCatalog is false. The formats are those of "stacks search".

                Ends with 0; with 65 or 74 where the catalog could not be read to its end.
                """)

        @OptionGroup var options: CatalogOptions

        @Option(help: "Output format.")
        var format = CatalogSearch.Format.table

        @OptionGroup var userData: UserDataOption

        @Option(parsing: .unconditional, help: BrowseCommand.sortHelp, completion: BrowseCommand.sortCompletion)
        var sort: String?

        func run() throws {
            let search = CatalogSearch(
                list: NamedList.favourites.name, catalog: options.catalog, profile: options.profile, format: format,
                includesUserData: userData.isIncluded, sort: sort)
            try exit(with: search.run())
        }
    }

    /// The command `stacks favourites add ID-OR-ISBN...`.
    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Make books favourites.",
            discussion: FavouritesCommand.discussion(
                "Of several books with one ISBN the first becomes a favourite; an id is that of one book."))

        @OptionGroup var options: CatalogOptions

        @Argument(
            help: ArgumentHelp("Ids of books, or ISBNs; \"-\" reads them from standard input.", valueName: "id-or-isbn")
        )
        var names: [String]

        func run() throws { try exit(with: FavouriteChange(isFavourite: true, options: options, names: names).run()) }
    }

    /// The command `stacks favourites remove ID-OR-ISBN...`.
    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Make books favourites no longer.",
            discussion: FavouritesCommand.discussion("Of several books with one ISBN none is a favourite any more."))

        @OptionGroup var options: CatalogOptions

        @Argument(
            help: ArgumentHelp("Ids of books, or ISBNs; \"-\" reads them from standard input.", valueName: "id-or-isbn")
        )
        var names: [String]

        func run() throws { try exit(with: FavouriteChange(isFavourite: false, options: options, names: names).run()) }
    }

    private static func discussion(_ sentence: String) -> String {
        """
        A book is named by its id, as "stacks search --format json" prints it, or by an ISBN in any form; "-" reads names \
        from standard input, one a line. \(sentence) All of it is one step of undo, and on the disk when this ends.

        Names that no book has are told on standard error, one a line; the others are done all the same, and the exit code \
        is 1. Ends with 74 where it cannot be saved, and nothing is changed then.
        """
    }
}
