public import Books
internal import CSV
internal import Graphemes

/// CSV output (RFC 4180) with a header; lists are joined with "; ".
public struct CSVFormatter: BookFormatter {
    /// Whether the table has columns for user data.
    public let needsUserData: Bool
    private let guardsFormulas: Bool

    /// Creates a CSV formatter.
    ///
    /// - Parameters:
    ///   - includesUserData: Whether to write the columns of user data.
    ///   - guardsFormulas: Whether to guard cells that a spreadsheet would run as formulas.
    public init(includesUserData: Bool = true, guardsFormulas: Bool = false) {
        needsUserData = includesUserData
        self.guardsFormulas = guardsFormulas
    }

    /// The catalog's own fields, with the names of their columns.
    private var own: [(field: BookField, heading: String)] = []

    /// The column names.
    static let header = ["id"] + BookField.inCSV.map(\.heading)
    /// The names of the columns of user data.
    static let userDataHeader =
        ["favourite", "shelves", "status"] + Book.ReadingStatus.allCases.map(CSVTable.dateColumn(of:))
        + [CSVTable.readingsColumn, "rating", "note"]

    /// Takes the catalog's own fields, each of which gets a column.
    public mutating func expect(_ schema: Schema) -> [FieldLoss] {
        var taken = Set(CSVTable.headings)
        own = schema.own.compactMap { field in
            guard let path = field.info.own?.path.description else { return nil }
            var heading = path
            while !taken.insert(heading).inserted { heading = "own." + heading }
            return (field, heading)
        }
        return [.otherValues]
    }

    /// Appends the header.
    public func begin(_ text: inout [UInt8]) {
        let headings =
            Self.header + (needsUserData ? Self.userDataHeader : []) + BookField.laterInCSV.map(\.heading)
            + own.map(\.heading)
        headings.map { CSVField($0) }.write(to: &text)
    }

    /// Appends the row of a book.
    public func append(_ printed: PrintedBook, to text: inout [UInt8]) {
        let book = printed.book
        var fields = [CSVField(printed.knownIdentity.description)]
        fields += BookField.inCSV.map { Self.field(of: $0.field, in: book, isYear: true) }
        if needsUserData { fields += Self.fields(of: printed.userData ?? PrintedUserData()) }
        fields += BookField.laterInCSV.map { Self.field(of: $0.field, in: book) }
        fields += own.map { Self.field(of: $0.field, in: book) }
        fields.write(to: &text, guardsFormulas: guardsFormulas)
    }

    private static func fields(of userData: PrintedUserData) -> [CSVField] {
        let dates = Book.ReadingStatus.allCases.map { userData.statusDates[$0] ?? "" }
        let texts =
            [
                userData.isFavourite ? CSVTable.yes : "",
                QuotedList.text(of: userData.shelves, separator: CSVTable.listSeparator),
                userData.status?.rawValue ?? "",
            ] + dates + [
                ReadingText.text(of: userData.furtherReadings ?? []), userData.rating?.number ?? "",
            ]
        return texts.map { CSVField($0) } + [CSVField(lines: userData.note ?? "")]
    }

    /// Returns the cell of a field.
    ///
    /// - Parameter isYear: Whether only the year of a date is written.
    private static func field(of field: BookField, in book: Book, isYear: Bool = false) -> CSVField {
        switch field.value(in: book) {
        case .date(let date)? where isYear: return CSVField(String(date.year))
        case .list(let items)?: return CSVField(CSVTable.text(of: items, in: field))
        // A text with a semicolon would be read as a list.
        case .text(let text)? where field.isOwn: return CSVField(lines: EscapedList.text(of: [text]))
        case .text(let text)? where field == .description: return CSVField(lines: text)
        case let value?: return CSVField(value.text)
        case nil: return CSVField("")
        }
    }
}

/// The conventions of the table that `CSVFormatter` writes, for the code that reads it.
public enum CSVTable {
    /// The value for true.
    public static let yes = "yes"
    /// The separator between the items of a list.
    public static let listSeparator: Character = ";"
    /// The names of the columns that every table has or can have.
    public static let headings = CSVFormatter.header + CSVFormatter.userDataHeader + BookField.laterInCSV.map(\.heading)

    /// Returns the cell of a list: identifiers follow their schemes, and roles their names in parentheses.
    static func text(of items: [FieldValue.Item], in field: BookField) -> String {
        EscapedList.text(
            of: items.map { item in
                switch item.tag {
                case let scheme? where field == .identifiers: "\(scheme):\(item.text)"
                case let role?: "\(item.text) (\(role))"
                // Without the empty pair, the end of the name would be read as a role.
                case nil: field == .contributors && item.text.hasSuffix(")") ? item.text + " ()" : item.text
                }
            })
    }

    /// Returns the row of these fields, with its line break.
    ///
    /// - Parameter guardsFormulas: Whether to guard fields that a spreadsheet would run as formulas.
    public static func row(_ fields: [String], guardsFormulas: Bool = false) -> String {
        var text: [UInt8] = []
        fields.map { CSVField($0) }.write(to: &text, guardsFormulas: guardsFormulas)
        return String(decoding: text, as: UTF8.self)
    }

    /// The name of the column for readings that do not follow from the status and its dates, as `ReadingText`.
    public static let readingsColumn = "readings"

    /// Returns the name of the column for the date of a status.
    public static func dateColumn(of status: Book.ReadingStatus) -> String {
        switch status {
        case .toRead: "toReadDate"
        case .reading: "readingDate"
        case .read: "readDate"
        case .abandoned: "abandonedDate"
        }
    }
}

/// A field of a CSV row.
///
/// The text is sanitized, since CSV has no escapes for characters that could control a terminal.
struct CSVField {
    private let text: String
    /// Whether the text is a formula of this program, which needs no guard.
    private var isFormula = false

    /// Creates a field of one line.
    init(_ text: String) { self.text = text.sanitized }

    private init(kept text: String) { self.text = text }

    /// Creates the formula of a text of digits, which a spreadsheet shows as they are.
    init(digits: String) {
        text = "=\"\(digits)\""
        isFormula = true
    }

    /// Creates a field that keeps the lines and tabs of `text`.
    init(lines text: String) {
        func isKept(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\t") }
        // Nearly all texts are one line.
        guard text.utf8.contains(where: isKept) else {
            self.init(text)
            return
        }
        var kept = ""
        var rest = text[...]
        while let end = rest.utf8.firstIndex(where: isKept) {
            let part = rest[..<end]
            let isPair = rest.utf8[end] == UInt8(ascii: "\n") && part.utf8.last == UInt8(ascii: "\r")
            kept += isPair ? String(part.unicodeScalars.dropLast()).sanitized + "\r" : String(part).sanitized
            kept.unicodeScalars.append(Unicode.Scalar(rest.utf8[end]))
            rest = rest[rest.utf8.index(after: end)...]
        }
        self.init(kept: kept + String(rest).sanitized)
    }

    fileprivate func write(to bytes: inout [UInt8], guardsFormulas: Bool) {
        let isGuarded = !isFormula && FormulaGuard.isNeeded(before: text.utf8, guardsFormulas: guardsFormulas)
        let text = isGuarded ? "'" + text : text
        let isQuoted = text.utf8.contains { byte in
            byte == UInt8(ascii: "\"") || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\n")
        }
        if isQuoted {
            bytes += "\"\(text.replacing("\"", with: "\"\""))\"".utf8
        } else {
            bytes += text.utf8
        }
    }
}

extension [CSVField] {
    /// Appends a row of these fields to `bytes`.
    ///
    /// - Parameter guardsFormulas: Whether to guard fields that a spreadsheet would run as formulas.
    func write(to bytes: inout [UInt8], guardsFormulas: Bool = false) {
        for (number, field) in enumerated() {
            if number > 0 { bytes.append(UInt8(ascii: ",")) }
            field.write(to: &bytes, guardsFormulas: guardsFormulas)
        }
        bytes += "\r\n".utf8
    }
}
