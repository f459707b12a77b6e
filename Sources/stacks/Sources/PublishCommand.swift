internal import ArgumentParser
internal import Catalog
internal import Formats
internal import Glibc
internal import Library
internal import Storage

/// The command `stacks publish CATALOG TARGET`.
struct PublishCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "publish",
        abstract: "Send books to a server or into a database.",
        discussion: """
            The target is the address of calibre's content server (http://host:8080/?library_id=NAME), the address of a \
            .json or .jsonl file on a server that accepts uploads (WebDAV, S3), the path of an SQLite database, a database of \
            ClickHouse (clickhouse://HOST,HOST2/DATABASE?cluster=NAME), or an index of OpenSearch or Elasticsearch \
            (opensearch+https://HOST/INDEX).

            calibre: missing books, by ISBN or by title and authors, are added; of the others, the values that differ are \
            changed. Nothing is deleted, and values that the catalog does not have stay. A file: it is replaced if it is the \
            version that you last opened or published, otherwise if nobody changes it meanwhile. A database: as "stacks \
            export --format sqlite". ClickHouse and OpenSearch: the catalog replaces the one that was published before; \
            name every host of a cluster of ClickHouse.

            Books that the target already has are not sent: to continue after an interruption, run the command again. Your \
            favourites, shelves, status, ratings and notes are sent only with --with-user-data; calibre lacks these fields.

            Exit status: 0 on success; 1 if the query matches nothing; 64 for an invalid target; 65 if values do not fit; \
            68 if there is no network; 69 if the server refuses, or its books differ at the end; 75 if the target was \
            changed meanwhile; 77 if a password is needed; 73 or 74 if a database cannot be written.
            """)

    @Argument(
        help: "The catalog, a file or an address; \"-\" is standard input.", completion: CatalogOptions.completion)
    var catalog: String

    @Argument(
        help: "The target: an address, the path of a database, or a name from the config file.", completion: .file())
    var target: String

    @Option(help: ProfilesCommand.optionHelp, completion: ProfilesCommand.optionCompletion)
    var profile: String?

    @Option(
        help: ArgumentHelp("Only the books of this list. See them with: stacks lists", valueName: "name"),
        completion: ListsCommand.nameCompletion)
    var list: String?

    // Accept values that begin with a hyphen.
    @Option(parsing: .unconditional, help: "Only the books that match this query. See: stacks help search")
    var query: String?

    @Flag(help: "Also send your favourites, shelves, status, ratings and notes.")
    var withUserData = false

    @Flag(help: "Print what would be sent, and send nothing.")
    var dryRun = false

    @Flag(help: "Replace a file even if it was changed since you opened or published it.")
    var force = false

    @OptionGroup var copy: CopyOptions

    func run() throws {
        // TerminationCleanup must be created before other threads start, so that they inherit its signal mask.
        let termination = TerminationCleanup()
        let request = CatalogRequest(name: catalog, profile: profile, copying: copy.choice)
        var search = CatalogSearch(
            query: query, list: list, catalog: request, format: .jsonl, includesUserData: withUserData)
        let directories = Directories.ofEnvironment()
        let path = CatalogName.path(named: target, in: ConfigFile(in: directories).read()) ?? target
        search.exportForm = JSONFormatter(PublishTarget.hasRoom(path) ? .native : .fields, isArray: false)
        search.output = { source throws(CommandError) in
            let target = try PublishTarget(
                target, from: source, in: directories, isDryRun: dryRun, isForced: force, termination)
            return try target.output()
        }
        try exit(with: search.run())
    }
}
