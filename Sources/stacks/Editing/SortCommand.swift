internal import ArgumentParser
internal import Catalog
internal import Editing
internal import Indexing
internal import Library
internal import Search
internal import Shelves

/// The command `stacks sort CATALOG KEY`.
struct SortCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sort",
        abstract: "Sort the books of a catalog in its file.",
        discussion: """
            Books without a value come last, and books with the same value keep their order. Text between the \
            records stays in place.

            Exit status: 0 on success; 65 if the records are not in a list; 74 or 77 if the catalog cannot be written; 75 if \
            another program keeps changing it. On failure, nothing is written.
            """)

    @Argument(
        help: "The catalog: a file, or a name from the config file.",
        completion: .file(extensions: ["json", "jsonl", "ndjson"]))
    var catalog: String

    @Argument(help: BrowseCommand.sortHelp, completion: BrowseCommand.sortCompletion)
    var key: String

    @Option(help: ProfilesCommand.optionHelp, completion: ProfilesCommand.optionCompletion)
    var profile: String?

    @OptionGroup var copy: CopyOptions

    @OptionGroup var dryRun: DryRunOption

    func run() throws {
        let options = CatalogOptions(catalog: catalog, profile: profile, copy: copy)
        let change = CatalogChange(options: options, isDryRun: dryRun.isDryRun)
        let code = change.run { opened throws(CommandError) in
            let request = try BookRequest(query: nil, sort: key).resolved(in: opened.catalog.store.schema)
            let sorted = try BookSelection(request, inListNamed: nil, of: opened.catalog.store) { opened.library }.books
            let order = (0..<sorted.count).map { sorted[$0] }
            let edit = BookEdit(
                .sorted, [], title: "",
                .single { catalog throws(CatalogEditError) in try catalog.sort(into: order) })
            return CatalogChange.Request(edit: edit) { outcome in
                outcome == nil
                    ? "The books were in this order already"
                    : "\(order.count.of("book")) sorted by \(request.order ?? .list)"
            }
        }
        try exit(with: code)
    }
}
