/// The way in which a catalog is stored, which depends on the release of ClickHouse to which it was published.
enum CatalogLayout: Hashable, Sendable {
    /// A table for each order. Every release has them.
    case tables
    /// A projection of the books for each order, and text indexes for phrases. The servers keep both up to date
    /// themselves, and no statement fills them.
    case projections

    /// The first release with text indexes that need no setting. Projections are older.
    private static let firstRelease = (26, 2)
    /// The start of the names of versions with projections.
    private static let mark: Character = "p"
    /// The number of characters in each entry of a text index.
    static let gramLength = 3

    /// The layout for a release such as "26.2.4.23".
    init(forRelease release: String) {
        let numbers = release.split(separator: ".").prefix(2).map { Int($0) ?? 0 }
        self = numbers.count == 2 && (numbers[0], numbers[1]) >= Self.firstRelease ? .projections : .tables
    }

    /// The layout of the catalog with this version.
    init(ofVersion version: String) { self = version.first == Self.mark ? .projections : .tables }

    /// Returns the name of a version from its digits.
    func version(_ digits: String) -> String { self == .projections ? String(Self.mark) + digits : digits }

    /// The clauses of the table of the books after its columns.
    ///
    /// A query by sort keys reads a projection, which the server chooses because the conditions select the fewest rows
    /// there. Each query selects the rows between two anchors, since servers do not read projections in their order.
    var clauses: [String] {
        if self == .tables { return [] }
        let indexes = SearchField.all.columns.map {
            "INDEX grams_\($0) \($0) TYPE text(tokenizer = ngrams(\(Self.gramLength)))"
        }
        let projections = OrderKey.allCases.map { key in
            let columns = PageOrder(by: key, isDescending: false).bookColumns
            return "PROJECTION by_\(key.rawValue) (SELECT n, record, \(key.column.name) ORDER BY \(columns.list))"
        }
        return indexes + projections
    }
}
