/// The format of an export file.
public enum ExportFormat: String, CaseIterable, Sendable {
    case json, jsonl, records, csv, goodreads, storygraph, calibre, bibtex, csl, sqlite, marc, marcxml, mods, ris, opds,
        html

    /// The file name extensions of the format, the usual one first.
    public var endings: [String] {
        switch self {
        case .json: [".json"]
        case .jsonl: [".jsonl", ".ndjson"]
        case .records: [".records.json"]
        case .csv: [".csv"]
        case .goodreads: [".goodreads.csv"]
        case .storygraph: [".storygraph.csv"]
        case .calibre: [".calibre.csv"]
        case .bibtex: [".bib", ".bibtex"]
        case .csl: [".csl.json", ".csl"]
        case .sqlite: [".db", ".sqlite", ".sqlite3"]
        case .marc: [".mrc", ".marc"]
        case .marcxml: [".marcxml", ".marc.xml"]
        case .mods: [".mods", ".mods.xml"]
        case .ris: [".ris"]
        case .opds: [".opds", ".atom"]
        case .html: [".html", ".htm"]
        }
    }

    /// The name of the format.
    public var label: String {
        switch self {
        case .json: "JSON"
        case .jsonl: "JSON Lines"
        case .records: "records"
        case .csv: "CSV"
        case .goodreads: "Goodreads CSV"
        case .storygraph: "StoryGraph CSV"
        case .calibre: "calibre CSV"
        case .bibtex: "BibTeX"
        case .csl: "CSL-JSON"
        case .sqlite: "SQLite database"
        case .marc: "MARC 21"
        case .marcxml: "MARCXML"
        case .mods: "MODS"
        case .ris: "RIS"
        case .opds: "OPDS feed"
        case .html: "HTML page"
        }
    }

    /// Whether the connector program makes the file, from rows in the form of `jsonl`.
    public var needsConnector: Bool { self == .sqlite }

    /// Whether an existing file is updated; such a format cannot be written to a pipe or terminal.
    public var keepsExisting: Bool { self == .sqlite }

    /// Whether the format has a place for user data.
    public var hasUserData: Bool {
        switch self {
        case .json, .jsonl, .csv, .goodreads, .storygraph, .calibre, .bibtex, .csl, .sqlite, .html: true
        case .records, .marc, .marcxml, .mods, .ris, .opds: false
        }
    }

    /// Whether the format is a table in CSV.
    public var isTable: Bool {
        switch self {
        case .csv, .goodreads, .storygraph, .calibre: true
        case .json, .jsonl, .records, .bibtex, .csl, .sqlite, .marc, .marcxml, .mods, .ris, .opds, .html: false
        }
    }

    /// Whether the format is only for books with user data.
    public var isOnlyForUserData: Bool { self == .goodreads || self == .storygraph }

    /// Creates the format of a file by its extension, ignoring case; the longest matching extension wins.
    public init?(fileName: String) {
        let name = fileName.lowercased()
        let matches = Self.allCases.compactMap { format in
            format.endings.filter(name.hasSuffix).map(\.count).max().map { (format: format, length: $0) }
        }
        guard let match = matches.max(by: { $0.length < $1.length }) else { return nil }
        self = match.format
    }

    /// Returns a formatter.
    ///
    /// - Parameters:
    ///   - includesUserData: Whether the formatter receives user data; without it, `csv` omits the columns.
    ///   - guardsFormulas: Whether tables guard cells that a spreadsheet would run as formulas.
    ///   - title: The heading of a page; nil for a general one.
    public func formatter(
        includesUserData: Bool, guardsFormulas: Bool = false, title: String? = nil
    ) -> any BookFormatter {
        switch self {
        case .json: JSONFormatter(isArray: true)
        case .jsonl, .sqlite: JSONFormatter(isArray: false)
        case .records: JSONFormatter(.records, isArray: true)
        case .csv: CSVFormatter(includesUserData: includesUserData, guardsFormulas: guardsFormulas)
        case .goodreads: GoodreadsFormatter(guardsFormulas: guardsFormulas)
        case .storygraph: StoryGraphFormatter(guardsFormulas: guardsFormulas)
        case .calibre: CalibreFormatter(guardsFormulas: guardsFormulas)
        case .bibtex: BibTeXFormatter()
        case .csl: JSONFormatter(.csl, isArray: true)
        case .marc: MARCFormatter()
        case .marcxml: MARCXMLFormatter()
        case .mods: MODSFormatter()
        case .ris: RISFormatter()
        case .opds: OPDSFormatter()
        case .html: HTMLFormatter(title: title, includesUserData: includesUserData)
        }
    }
}
