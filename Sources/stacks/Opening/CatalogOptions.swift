internal import ArgumentParser

/// Which catalog a command is about, where its arguments are something else.
struct CatalogOptions: ParsableArguments {
    @Option(
        help: "The catalog; without it the same one as would be browsed.",
        completion: .file(extensions: ["json", "jsonl", "ndjson"]))
    var catalog: String?

    @Option(help: ProfilesCommand.optionHelp, completion: ProfilesCommand.optionCompletion)
    var profile: String?
}

/// Which catalog a command is about, as its last argument.
struct CatalogArgument: ParsableArguments {
    @Argument(
        help: "The catalog; \"-\" is standard input. Without it the same one as would be browsed.",
        completion: .file(extensions: ["json", "jsonl", "ndjson"]))
    var catalog: String?

    @Option(help: ProfilesCommand.optionHelp, completion: ProfilesCommand.optionCompletion)
    var profile: String?
}
