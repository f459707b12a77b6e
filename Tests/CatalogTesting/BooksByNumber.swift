package import Books
internal import Catalog
public import Indexing
package import JSON

extension BookID: ExpressibleByIntegerLiteral {
    /// The book with this number.
    public init(integerLiteral value: UInt32) { self.init(value) }
}

extension BookList {
    /// The books with these numbers, in this order.
    package init(_ numbers: [Int]) { self.init(numbers.map { BookID($0) }) }
}

extension BookIndex {
    /// The keys of the book with this number.
    package func keys(at number: Int) -> MatchKeys { keys(of: BookID(number)) }

    /// The identity of the book with this number.
    package func identity(at number: Int) -> BookIdentity { identity(of: BookID(number)) }
}

extension CatalogSource {
    /// The book with this number; nil if it is not there.
    package func book(at number: Int) -> Book? { book(BookID(number)).value }
}

extension RecordBacked {
    /// The record with this number; nil if it is not there.
    package func record(at number: Int) -> JSONValue? { record(BookID(number)) }
}

extension BookStore {
    /// The book with this number; nil if it is not there.
    package func book(at number: Int) -> Book? { book(BookID(number)).value }
}

extension JSONFileCatalog {
    /// Reads it to its end.
    package func readAll() throws {
        try open()
        while readMore() {}
    }
}
