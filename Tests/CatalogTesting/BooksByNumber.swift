package import Books
internal import Catalog
public import Indexing
package import JSON

extension BookID: ExpressibleByIntegerLiteral {
    /// Creates the id of the book with this number.
    public init(integerLiteral value: UInt32) { self.init(value) }
}

extension BookList {
    /// Creates a list of the books with these numbers, in this order.
    package init(_ numbers: [Int]) { self.init(numbers.map { BookID($0) }) }
}

extension BookIndex {
    /// Returns the keys of the book with this number.
    package func keys(at number: Int) -> MatchKeys { keys(of: BookID(number)) }

    /// Returns the identity of the book with this number.
    package func identity(at number: Int) -> BookIdentity { identity(of: BookID(number)) }
}

extension CatalogSource {
    /// Returns the book with this number, or nil if it does not exist.
    package func book(at number: Int) -> Book? { book(BookID(number)).value }
}

extension RecordBacked {
    /// Returns the record with this number, or nil if it does not exist.
    package func record(at number: Int) -> JSONValue? { record(BookID(number)) }
}

extension BookStore {
    /// Returns the book with this number, or nil if it does not exist.
    package func book(at number: Int) -> Book? { book(BookID(number)).value }
}

extension JSONFileCatalog {
    /// Reads the whole catalog.
    package func readAll() throws {
        try open()
        while readMore() {}
    }
}
