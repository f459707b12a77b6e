public import Books
internal import CSV
internal import Graphemes

/// CSV output (RFC 4180) with a header; lists are joined with "; ".
public struct CSVForm: BookFormatter {
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

    /// The column names.
    static let header = ["id"] + BookField.inCSV.map(\.heading)
    /// The names of the columns of user data.
    static let userDataHeader =
        ["favourite", "shelves", "status"] + Book.ReadingStatus.allCases.map(CSVTable.dateColumn(of:))
        + [CSVTable.readingsColumn, "rating", "note"]

    /// Appends the header.
    public func begin(_ text: inout [UInt8]) {
        (Self.header + (needsUserData ? Self.userDataHeader : [])).map { CSVField($0) }.write(to: &text)
    }

    /// Appends the row of a book.
    public func append(_ printed: PrintedBook, to text: inout [UInt8]) {
        var fields = [CSVField(printed.knownIdentity.description)]
        fields += BookField.inCSV.map { CSVField(Self.text(of: $0.field, in: printed.book)) }
        if needsUserData { fields += Self.fields(of: printed.userData ?? PrintedUserData()) }
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
                ReadingText.text(of: userData.furtherReadings ?? []), userData.rating.map { String($0) } ?? "",
            ]
        return texts.map { CSVField($0) } + [CSVField(lines: userData.note ?? "")]
    }

    /// Returns the text of a cell: the year of a date, and lists with a semicolon between the items.
    private static func text(of field: BookField, in book: Book) -> String {
        switch field.value(in: book) {
        case .date(let date)?: String(date.year)
        case let value?: value.text
        case nil: ""
        }
    }
}

/// The conventions of the table that `CSVForm` writes, for the code that reads it.
public enum CSVTable {
    /// The value for true.
    public static let yes = "yes"
    /// The separator between the items of a list.
    public static let listSeparator: Character = ";"

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

    /// Creates the formula of a text of digits, which a spreadsheet shows as they are.
    init(digits: String) {
        text = "=\"\(digits)\""
        isFormula = true
    }

    /// Creates a field that keeps the lines of `text`.
    init(lines text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        self.text = lines.map { String($0).sanitized }.joined(separator: "\n")
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
