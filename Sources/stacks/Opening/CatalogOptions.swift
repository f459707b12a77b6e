internal import ArgumentParser
internal import Catalog
internal import Formats
internal import Remote

/// The options for the catalog of a command whose arguments do not name it.
struct CatalogOptions: ParsableArguments {
    /// Shell completion of a catalog: files with the usual extensions of supported formats.
    static let completion = CompletionKind.file(extensions: [
        "json", "jsonl", "ndjson", "csv", "tsv", "db", "sqlite", "sqlite3", "mrc", "marc", "xml", "opds", "bib", "ris",
        "enw", "gz", "zst",
    ])

    @Option(
        help: "The catalog, a file or an address; by default the one that stacks would open.",
        completion: CatalogOptions.completion)
    var catalog: String?

    @Option(help: ProfilesCommand.optionHelp, completion: ProfilesCommand.optionCompletion)
    var profile: String?

    @OptionGroup var copy: CopyOptions

    /// The catalog to open.
    var request: CatalogRequest { CatalogRequest(name: catalog, profile: profile, copying: copy.choice) }
}

extension CatalogOptions {
    /// The options for a catalog that an argument names.
    init(catalog: String?, profile: String?, copy: CopyOptions) {
        self.init()
        self.catalog = catalog
        self.profile = profile
        self.copy = copy
    }
}

/// The catalog of a command as its last argument, with its options.
struct CatalogArgument: ParsableArguments {
    @Argument(
        help: "The catalog, a file or an address; \"-\" is standard input. By default the one that stacks would open.",
        completion: CatalogOptions.completion)
    var catalog: String?

    @Option(help: ProfilesCommand.optionHelp, completion: ProfilesCommand.optionCompletion)
    var profile: String?

    @OptionGroup var copy: CopyOptions

    /// The catalog to open.
    var request: CatalogRequest { CatalogRequest(name: catalog, profile: profile, copying: copy.choice) }
}

/// The options for copying a catalog that is not JSON again.
struct CopyOptions: ParsableArguments {
    @Flag(help: "Open the last copy of a catalog that is not JSON as it is.")
    var offline = false

    @Flag(help: "Copy a catalog that is not JSON again, even if it has not changed or has far fewer rows.")
    var refresh = false

    @OptionGroup var text: EncodingOption

    /// How the catalog is copied.
    var choice: CopyChoice {
        CopyChoice(refreshes: offline ? .never : refresh ? .atStart : .whenChanged, encoding: text.encoding)
    }

    func validate() throws {
        if offline && refresh { throw ValidationError("--offline and --refresh exclude each other. Leave one out.") }
    }
}

/// The option for the encoding of a file.
struct EncodingOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The encoding of a table, a bibliography or MARC, such as windows-1251 (see iconv -l), or auto to detect it; "
                + "kept with its copy.",
            valueName: "name"))
    var encoding: String?

    func validate() throws {
        if let encoding, encoding != MirrorState.detection, !CopyChoice.isEncoding(encoding) {
            throw ValidationError(
                "unknown encoding “\(encoding)”. Name one of iconv -l, such as windows-1251, or auto to detect it.")
        }
    }
}

/// The option for tables that are opened in a spreadsheet.
struct SafeCSVOption: ParsableArguments {
    @Flag(
        name: .customLong("safe-csv"),
        help: "Put ' before each cell of a CSV table that a spreadsheet would run as a formula.")
    var guardsFormulas = false

    /// Checks that the format is a table.
    ///
    /// - Throws: `ValidationError` if the option is given for another format.
    func validate(with format: ExportFormat?, tables: String) throws {
        if guardsFormulas && format?.isTable != true {
            throw ValidationError("--safe-csv needs a CSV table. Add \(tables), or leave it out.")
        }
    }
}

/// The option to leave out user data.
struct UserDataOption: ParsableArguments {
    @Flag(help: "Leave out your favourites, shelves, status, rating and notes.")
    var withoutUserData = false

    /// Whether user data is printed.
    var isIncluded: Bool { !withoutUserData }
}
