internal import Catalog
internal import FoundationEssentials

/// One change of the reader's marks, as a line of the journal holds it.
struct FavouriteLine: Encodable, Hashable {
    /// What was changed.
    enum Kind: String, Encodable {
        case favourite
    }

    /// Its place among all changes, counted from 1.
    var sequence: Int
    /// When it was made, in UTC (RFC 3339). Text: reading a date costs more than all the rest of a line.
    var date: String
    /// What was changed.
    var kind: Kind
    /// Whether the mark is there now.
    var value: Bool
    /// The identity of the book.
    var book: String
    /// The other keys that the book's record gives, by which it is found again in another catalog.
    var isbn: String?
    /// See `isbn`.
    var hash: String
    /// What the book is called, so that the mark reads well without its catalog.
    var title: String
    /// See `title`.
    var authors: [String]

    private enum CodingKeys: String, CodingKey {
        case sequence = "seq"
        case date = "at"
        case kind = "change"
        case value, book, isbn, hash, title, authors
    }

    /// The change of the mark on `book` to `value`; its sequence number is given when it is written.
    init(_ kind: Kind, to value: Bool, of book: Book, identity: BookIdentity) {
        sequence = 0
        date = Date().ISO8601Format()
        self.kind = kind
        self.value = value
        self.book = identity.description
        let keys = BookKeys(of: book)
        isbn = keys.isbn?.description
        hash = keys.hash.description
        title = book.title
        authors = book.authors
    }
}

extension FavouriteLine {
    /// The change that a line of the journal holds; nil where it is none, as a torn one.
    init?(line: ArraySlice<UInt8>) {
        guard let value = JSONValue(parsing: line), let sequence = value["seq"]?.integer,
            let kind = value["change"]?.string.flatMap(Kind.init), let isSet = value["value"]?.boolean,
            let book = value["book"]?.string
        else { return nil }
        self.sequence = sequence
        self.kind = kind
        self.value = isSet
        self.book = book
        date = value["at"]?.string ?? ""
        isbn = value["isbn"]?.string
        hash = value["hash"]?.string ?? ""
        title = value["title"]?.string ?? ""
        authors = value["authors"]?.names ?? []
    }

    /// The change as a line of the journal: JSON with sorted keys, without a newline.
    var line: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Encoding strings and numbers cannot fail.
        return (try? encoder.encode(self)).map(Array.init) ?? []
    }
}
