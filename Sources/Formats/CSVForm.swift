internal import Books
internal import Graphemes

/// Books as comma-separated values (RFC 4180), with a header; lists with "; " between their items.
public struct CSVForm: BookFormatter {
    /// A form of CSV.
    public init() {}

    /// The names of the columns.
    static let header = [
        "id", "title", "authors", "isbn", "pages", "year", "publisher", "language", "series", "subjects",
    ]

    /// Appends what comes before the first book.
    public func begin(_ text: inout [UInt8]) { Self.append(Self.header, to: &text) }

    /// Appends a book, or keeps it until others have come.
    public func append(_ printed: PrintedBook, to text: inout [UInt8]) {
        let book = printed.book
        Self.append(
            [
                printed.knownIdentity.description, book.title, Self.list(book.authors), book.isbn?.text ?? "",
                book.pageCount.map { String($0) } ?? "", book.published.map { String($0.year) } ?? "",
                book.publisher ?? "", Self.list(book.languages), book.series ?? "", Self.list(book.subjects),
            ], to: &text)
    }

    private static func list(_ items: [String]) -> String { items.joined(separator: "; ") }

    /// Appends a line of these fields to `text`.
    static func append(_ fields: [String], to text: inout [UInt8]) {
        for (number, field) in fields.enumerated() {
            if number > 0 { text.append(UInt8(ascii: ",")) }
            // There are no escapes for what could act on a terminal.
            let field = field.sanitized
            if field.utf8.contains(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: ",") }) {
                text += "\"\(field.replacing("\"", with: "\"\""))\"".utf8
            } else {
                text += field.utf8
            }
        }
        text += "\r\n".utf8
    }
}
