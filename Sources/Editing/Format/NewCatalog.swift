public import Books
internal import Catalog
public import JSON

/// A book to be added to a catalog.
public struct NewBook: Sendable {
    /// The book.
    public var book: Book
    /// What it has beside the fields of a book, and is written as it is: members of its record in another catalog.
    public var unread: [JSONValue.Member]

    /// Creates a book to be added.
    public init(_ book: Book, unread: [JSONValue.Member] = []) { (self.book, self.unread) = (book, unread) }

    /// The record in the native format.
    fileprivate var record: JSONValue { book.newRecord.completed(with: unread) }
}

/// A catalog that does not exist yet, in the native format.
public enum NewCatalog {
    /// Returns the text of a new catalog of `books`, with one book per line if the file name requires it.
    public static func text(of books: [NewBook], inFileNamed path: String) -> [UInt8] {
        if JSONFileCatalog.hasLines(inFileNamed: path) {
            return Array(books.map { $0.record.json + "\n" }.joined().utf8)
        }
        let indent = Array("  ".utf8)
        var bytes = Array("[".utf8)
        for (number, book) in books.enumerated() {
            bytes += Array((number > 0 ? ",\n" : "\n").utf8) + indent
            JSONStyle().write(book.record, margin: indent, to: &bytes)
        }
        return bytes + Array((books.isEmpty ? "]\n" : "\n]\n").utf8)
    }
}

extension Book {
    /// The record of this book in the native format, with the key of the catalog as its id, and without unknown fields.
    var newRecord: JSONValue {
        guard case .object(let members) = nativeRecord(identity: BookIdentity(key: BookIdentity.Key(of: self))) else {
            return .null
        }
        let id = sourceID.map { [JSONValue.Member(key: "id", value: .string($0))] } ?? []
        return .object(id + members.filter { $0.key != "id" && $0.key != "sourceID" && !$0.value.isBlank })
    }
}
