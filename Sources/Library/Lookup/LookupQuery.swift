public import Books
internal import Search
internal import Text

/// What is looked up in other catalogs.
public enum LookupQuery: Hashable, Sendable {
    /// A valid ISBN of thirteen digits.
    case isbn(ISBN)
    /// A title, and an author or "".
    case title(String, author: String)

    /// The query for catalogs and servers.
    public var text: String {
        switch self {
        case .isbn(let isbn): return "isbn:" + isbn.text
        case .title(let title, let author):
            func terms(_ field: Query.TextField, _ text: String) -> [String] {
                // Initials would have to be words of the record.
                let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
                let long = words.filter { $0.count { $0.isLetter || $0.isNumber } > 1 }
                return (long.isEmpty ? words : long).map { "\(field.rawValue):\(Query.quoted($0))" }
            }
            return (terms(.title, title) + terms(.author, author)).joined(separator: " ")
        }
    }

    /// The name for messages.
    public var name: String {
        switch self {
        case .isbn(let isbn): isbn.formatted
        case .title(let title, ""): "“\(title)”"
        case .title(let title, let author): "“\(title)” by \(author)"
        }
    }

    /// Whether a book that a server sent is one of those that were asked for.
    public func matches(_ book: Book) -> Bool {
        guard case .isbn(let isbn) = self else { return true }
        return ([book.isbn].compactMap(\.self) + book.otherISBNs).contains { $0.number == isbn.number }
    }
}
