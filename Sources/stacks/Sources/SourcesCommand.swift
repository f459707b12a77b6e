internal import ArgumentParser
internal import Storage

/// The command `stacks sources`.
struct SourcesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sources",
        abstract: "List, refresh or forget the copies of catalogs that are not JSON.",
        discussion: """
            stacks copies such a catalog into $XDG_CACHE_HOME/stacks/remote (~/.cache) when it is first opened, and \
            again when it has changed. For a catalog that stays on its server, the pages seen last are kept there. \
            Both can be deleted at any time.

            Exit status: 0 on success; 66 if there is no such source; 65 if it cannot be read; 74 if the copy cannot be \
            written.
            """,
        subcommands: [List.self, Refresh.self, Forget.self, Targets.self],
        defaultSubcommand: List.self)

    /// The command `stacks sources list`.
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the sources with their kind, number of rows or pages, and their date (the default).")

        func run() throws { try exit(with: SourceCopies().list()) }
    }

    /// The command `stacks sources refresh SOURCE`.
    struct Refresh: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "refresh",
            abstract: "Copy a source again, even if it has far fewer rows than before.")

        @Argument(
            help: "The source: a file, a directory, an address, or a name from the config file.", completion: .file())
        var source: String

        func run() throws { try exit(with: SourceCopies().refresh(source)) }
    }

    /// The command `stacks sources forget SOURCE`.
    struct Forget: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "forget",
            abstract: "Delete the copy or pages of a source. The source itself stays as it is.")

        @Argument(
            help: "The source: a file, a directory, an address, or a name from the config file.", completion: .file())
        var source: String

        func run() throws { try exit(with: SourceCopies().forget(source)) }
    }

    /// The command `stacks sources targets`.
    struct Targets: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "targets",
            abstract: "List the library servers that open by name, as in: stacks loc",
            discussion: """
                Each line has the name, the library, whether stacks was tested with the server, its address, and the \
                public document that the address is from. A catalog of the same name in the config file replaces it.
                """)

        func run() throws {
            try exit(
                with: PlainList.write(
                    LibraryTargets().text(overriddenBy: ConfigFile(in: Directories.ofEnvironment()).read().catalogs)))
        }
    }
}
