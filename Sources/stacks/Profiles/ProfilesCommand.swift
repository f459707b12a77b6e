internal import ArgumentParser
internal import Storage

/// The command `stacks profiles`.
struct ProfilesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "profiles",
        abstract: "List or make profiles, which map the fields of a catalog to those of a book.",
        discussion: """
            A profile is a small JSON file. Built-in profiles are detected by the fields of a catalog. Your own, in \
            $XDG_CONFIG_HOME/stacks/profiles (~/.config), apply to the catalogs that they name; one with the name of a \
            built-in profile replaces it. If several match a catalog, the one whose pattern has the most characters \
            besides * and ? applies.
            """,
        subcommands: [List.self, Show.self, New.self],
        defaultSubcommand: List.self)

    /// The help of `--profile`.
    static let optionHelp: ArgumentHelp =
        "Use this profile: a name, or the path of a .json file. List them with: stacks profiles"

    /// Shell completion of `--profile`, besides paths.
    static let optionCompletion = CompletionKind.shellCommand("stacks profiles list 2>/dev/null | cut -d' ' -f1")

    /// The command `stacks profiles list`.
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List all profiles with their labels and origins (the default).")

        func run() throws { try exit(with: ProfileListing().run()) }
    }

    /// The command `stacks profiles show NAME`.
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Print the JSON of a profile, for example as a start for your own.")

        @Argument(
            help: "The name of a profile, or the path of its .json file.", completion: ProfilesCommand.optionCompletion)
        var name: String

        func run() throws { try exit(with: ProfileListing().show(name)) }
    }

    /// The command `stacks profiles new CATALOG`.
    struct New: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "new",
            abstract: "Make a profile for a catalog: proposes a path for each field, and asks.",
            discussion: """
                For each field it shows the proposed path, the share of records with a value there, and three of the \
                values. Enter accepts; or type another path; "-" skips the field; "?" lists the paths; "q" quits without \
                saving. Separate alternative paths with " | ". After a path, split "; " gives the separator of several \
                authors in one text, and scale 10 the highest rating.

                The profile is saved in $XDG_CONFIG_HOME/stacks/profiles (~/.config), and used for the catalog from then \
                on.
                """)

        @Argument(
            help: "The catalog; \"-\" is standard input, with --yes.",
            completion: CatalogOptions.completion)
        var catalog: String

        @Flag(name: .shortAndLong, help: "Accept all proposals without asking.")
        var yes = false

        @Flag(help: "Replace a profile of the same name.")
        var force = false

        @Option(help: "The name of the profile; by default that of the file.")
        var name: String?

        @Option(
            help: ArgumentHelp(
                "The path of the records, if it is not detected: \"data.books[*]\".", valueName: "path"))
        var records: String?

        @OptionGroup var text: EncodingOption

        func run() throws {
            let source = CatalogName(catalog, in: ConfigFile(in: Directories.ofEnvironment()).read())
            let wizard = MappingWizard(
                catalog: source.path, passwords: source.passwords, encoding: text.encoding, asks: !yes, replaces: force,
                name: name,
                recordPath: records)
            try exit(with: wizard.run())
        }
    }
}
