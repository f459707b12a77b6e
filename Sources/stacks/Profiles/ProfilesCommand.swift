internal import ArgumentParser

/// The command `stacks profiles`.
struct ProfilesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "profiles",
        abstract: "List the profiles: where the fields of a book are in catalogs of other formats.",
        discussion: """
            A profile is a small JSON file. Those that come with stacks are found by what a catalog has; yours, in \
            $XDG_CONFIG_HOME/stacks/profiles (~/.config), are for the catalogs that they name, and one with the name of \
            another takes its place. Of several that are for a catalog, the one whose pattern has the most characters \
            besides * and ? is taken.
            """,
        subcommands: [List.self, Show.self, New.self],
        defaultSubcommand: List.self)

    /// The help of `--profile`.
    static let optionHelp: ArgumentHelp =
        "Read the catalog by this profile: its name, or the path of its .json file. \"stacks profiles\" lists them."

    /// Shell completion of `--profile`, besides paths.
    static let optionCompletion = CompletionKind.shellCommand("stacks profiles list 2>/dev/null | cut -d' ' -f1")

    /// The command `stacks profiles list`.
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List all profiles with their labels and where they are from; the word may be left out.")

        func run() throws { try exit(with: ProfileListing().run()) }
    }

    /// The command `stacks profiles show NAME`.
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Print the JSON of a profile, as an example for one of your own.")

        @Argument(
            help: "The name of a profile, or the path of its .json file.", completion: ProfilesCommand.optionCompletion)
        var name: String

        func run() throws { try exit(with: ProfileListing().show(name)) }
    }

    /// The command `stacks profiles new CATALOG`.
    struct New: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "new",
            abstract: "Make a profile for a catalog: proposes where each field is, and asks.",
            discussion: """
                For each field it shows the path that it proposes, the share of the records that have a value there, and \
                three of the values. Enter takes it; another path is looked at and shown in its place; "-" leaves the \
                field out; "?" lists the paths that there are; "q" leaves without saving. Paths that are tried one after \
                another have " | " between them. Behind a path, split "; " says what stands between several authors in \
                one text, and scale 10 which is the highest rating.

                The profile is saved in $XDG_CONFIG_HOME/stacks/profiles (~/.config), and the catalog is read by it from \
                then on.
                """)

        @Argument(
            help: "The catalog; \"-\" is standard input, with --yes.",
            completion: .file(extensions: ["json", "jsonl", "ndjson"]))
        var catalog: String

        @Flag(name: .shortAndLong, help: "Take all that is proposed, and ask nothing.")
        var yes = false

        @Flag(help: "Replace a profile of the same name.")
        var force = false

        @Option(help: "The name of the profile; else it is that of the file.")
        var name: String?

        @Option(help: "Where the records are, \"data.books[*]\", where that is not what is found.")
        var records: String?

        func run() throws {
            let wizard = MappingWizard(catalog: catalog, asks: !yes, replaces: force, name: name, recordPath: records)
            try exit(with: wizard.run())
        }
    }
}
