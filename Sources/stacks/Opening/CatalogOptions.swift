internal import ArgumentParser

/// The catalog of a command whose arguments are not a catalog.
struct CatalogOptions: ParsableArguments {
    /// Shell completion of a catalog: the files that can be opened, by their usual names.
    static let completion = CompletionKind.file(extensions: [
        "json", "jsonl", "ndjson", "csv", "tsv", "db", "sqlite", "sqlite3", "mrc", "marc", "xml", "opds", "bib", "ris",
        "enw", "gz", "zst",
    ])

    @Option(
        help: "The catalog; by default the one that stacks would open.",
        completion: CatalogOptions.completion)
    var catalog: String?

    @Option(help: ProfilesCommand.optionHelp, completion: ProfilesCommand.optionCompletion)
    var profile: String?

    /// The catalog to open.
    var request: CatalogRequest { CatalogRequest(name: catalog, profile: profile) }
}

/// The catalog of a command as its last argument.
struct CatalogArgument: ParsableArguments {
    @Argument(
        help: "The catalog; \"-\" is standard input. By default the one that stacks would open.",
        completion: CatalogOptions.completion)
    var catalog: String?

    @Option(help: ProfilesCommand.optionHelp, completion: ProfilesCommand.optionCompletion)
    var profile: String?

    /// The catalog to open.
    var request: CatalogRequest { CatalogRequest(name: catalog, profile: profile) }
}

/// The choice whether a command prints user data.
struct UserDataOption: ParsableArguments {
    @Flag(help: "Leave out your favourites, shelves, status, rating and notes.")
    var withoutUserData = false

    /// Whether user data is printed.
    var isIncluded: Bool { !withoutUserData }
}
