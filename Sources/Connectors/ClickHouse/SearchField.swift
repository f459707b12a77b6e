internal import Search

/// The fields of words, as bits of the column `fields` of the tokens.
struct SearchField: OptionSet {
    let rawValue: UInt8

    static let title = SearchField(rawValue: 1)
    static let author = SearchField(rawValue: 2)
    static let series = SearchField(rawValue: 4)
    static let subject = SearchField(rawValue: 8)
    static let isbn = SearchField(rawValue: 16)
    static let publisher = SearchField(rawValue: 32)

    /// The fields with words, each with the column of the normalized texts, if it has one.
    private static let table: [(field: Query.TextField, bit: SearchField, column: String?)] = [
        (.title, .title, "title"), (.author, .author, "authors"), (.series, .series, "series"),
        (.subject, .subject, "subjects"), (.publisher, .publisher, "publisher"), (.isbn, .isbn, nil),
    ]

    /// The fields in which words without a field are searched for.
    static let anywhere = SearchField(table.filter(\.field.isAnywhere).map(\.bit))
    /// All fields.
    static let all = SearchField(table.map(\.bit))
    /// The fields with a column, in its order.
    static let withColumns = table.filter { $0.column != nil }.map(\.bit)

    /// Creates a set from its bits.
    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The field or fields of a pattern; nil for one without words, such as languages.
    init?(_ field: Query.TextField?) {
        guard let field else {
            self = .anywhere
            return
        }
        guard let row = Self.table.first(where: { $0.field == field }) else { return nil }
        self = row.bit
    }

    /// The columns of the books with the normalized texts of these fields.
    var columns: [String] { Self.table.filter { contains($0.bit) }.compactMap(\.column) }
}
