internal import Books
internal import Graphemes

/// CSV output (RFC 4180) with a header; lists are joined with "; ".
public struct CSVForm: BookFormatter {
    /// Creates a CSV formatter.
    public init() {}

    /// The column names.
    static let header = [
        "id", "title", "authors", "isbn", "pages", "year", "publisher", "language", "series", "subjects",
    ]

    /// Appends the header.
    public func begin(_ text: inout [UInt8]) { Self.append(Self.header, to: &text) }

    /// Appends the row of a book.
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
            // Sanitize the fields, since CSV has no escapes for characters that could control a terminal.
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
