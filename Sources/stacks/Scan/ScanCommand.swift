internal import ArgumentParser

/// The command `stacks scan [CATALOG]`.
struct ScanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan",
        abstract: "Take in the bar codes of books, one after the other.",
        discussion: """
            Reads ISBNs from standard input, one per line: a scanner types the digits of a bar code and Enter. Ten digits, \
            blanks, hyphens and the add-on of a bar code are understood. --mode says what becomes of each book: add puts it into \
            the catalog, which is created if it does not exist; find prints it; shelf=NAME puts it on one of your shelves, and at \
            the end prints the books of the shelf that were not scanned.

            With --sources, or sources that the config file chooses, add looks the details of each book up while the next ones are scanned; what no source knows is \
            added with its ISBN alone. Each book that is said to be added is saved. At the end, codes that are damaged, unknown or \
            scanned twice are listed.

            Exit status: 0 on success; 1 if a code is damaged, or no book has it; 64 for a catalog that cannot be changed, since \
            it is not JSON; 65 or 66 or 75 if it cannot be read; 74 or 77 if it cannot be written.
            """)

    @OptionGroup var catalog: CatalogArgument

    @Option(help: ArgumentHelp("What becomes of the books: add, find or shelf=NAME.", valueName: "mode"))
    var mode = ScanMode.add

    @OptionGroup var sources: LookupSourcesOption

    func validate() throws {
        if catalog.catalog == "-" {
            throw ValidationError("The codes come from standard input. Name a file for the catalog.")
        }
        if mode != .add, sources.sources != nil { throw ValidationError("--sources is for --mode add. Leave it out.") }
    }

    func run() throws {
        let options = CatalogOptions(catalog: catalog.catalog, profile: catalog.profile, copy: catalog.copy)
        let code: Int32
        do throws(CommandError) {
            switch mode {
            case .add: code = try AddingScan(options, sources).run()
            case .find: code = try FindingScan(options, shelf: nil).run()
            case .shelf(let name): code = try FindingScan(options, shelf: name).run()
            }
        } catch {
            code = error.report()
        }
        try exit(with: code)
    }
}

/// What becomes of the books that are scanned.
enum ScanMode: Hashable, ExpressibleByArgument {
    case add, find
    case shelf(String)

    init?(argument: String) {
        switch argument {
        case "add": self = .add
        case "find": self = .find
        case _ where argument.hasPrefix("shelf=") && argument.count > 6: self = .shelf(String(argument.dropFirst(6)))
        default: return nil
        }
    }

    var defaultValueDescription: String { "add" }
}
