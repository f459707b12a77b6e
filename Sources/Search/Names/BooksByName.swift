public import Books
public import Indexing
internal import Text
internal import Threading

/// The books of a catalog by the names of their authors and of their series, so that those of one name are found without
/// a search through all. Immutable.
///
/// It lists the books of each name in the columns of these fields: four bytes for each author and series of a book, and for
/// each name.
public struct BooksByName: Sendable {
    /// The kinds of names.
    public enum Kind: CaseIterable, Sendable {
        case author, series
    }

    /// A name in its normalized form.
    public struct Name: Hashable, Sendable {
        fileprivate var kind: Kind
        fileprivate var folded: [UInt8]

        /// The name of the first author of a book, or of its series without the place; nil if the book has none.
        public init?(_ kind: Kind, of book: Book) {
            let name: String? =
                switch kind {
                case .author: book.authors.first { !$0.isFoldedToNothing }
                case .series: book.series.map(SeriesName.name)
                }
            guard let name else { return nil }
            self.init(kind, folded: [UInt8](folding: name))
        }

        fileprivate init?(_ kind: Kind, folded: [UInt8]) {
            if folded.isEmpty { return nil }
            (self.kind, self.folded) = (kind, folded)
        }
    }

    /// The books of the names of one kind.
    private struct Books: Sendable {
        let column: FieldColumn
        /// The books of all names, one after the other.
        let books: [UInt32]
        /// The start of each name in `books`, followed by the end of the last one.
        let starts: [UInt32]

        init(_ column: FieldColumn) {
            self.column = column
            let (numbers, entries, valueCount) = (column.numbers, ColumnEntries(of: column), column.valueCount)
            var starts = [UInt32](repeating: 0, count: valueCount + 1)
            for number in numbers where number != 0 {
                entries.forEachValue(of: Int(number) - 1) { starts[$0 + 1] += 1 }
            }
            for value in 0..<valueCount { starts[value + 1] += starts[value] }
            let total = Int(starts[valueCount])
            var next = starts
            books = [UInt32](unsafeUninitializedCapacity: total) { books, count in
                for (book, number) in numbers.enumerated() where number != 0 {
                    entries.forEachValue(of: Int(number) - 1) { value in
                        books.initializeElement(at: Int(next[value]), to: UInt32(truncatingIfNeeded: book))
                        next[value] += 1
                    }
                }
                count = total
            }
            self.starts = starts
        }

        /// Returns the books of a name in catalog order.
        func books(of folded: [UInt8]) -> [BookID] {
            guard let value = column.value(folded: folded) else { return [] }
            return books[Int(starts[value])..<Int(starts[value + 1])].map { BookID($0) }
        }
    }

    private let authors: Books
    private let series: Books

    /// Creates the table from the columns of both fields, which are of the same books. Linear in the books.
    public init(authors: FieldColumn, series: FieldColumn) {
        (self.authors, self.series) = (Books(authors), Books(series))
    }

    /// The fields of the columns.
    public static let fields: [IndexedTextField] = [.author, .series]

    /// Collects the names of an index on the calling thread. Linear in the text.
    public init?(of index: BookIndex) {
        guard let made = index.columns(of: Self.fields, on: ThreadPool(threadCount: 0)).taken(), made.count == 2 else {
            return nil
        }
        self.init(authors: made[0], series: made[1])
    }

    /// The number of books in the index.
    public var bookCount: Int { authors.column.bookCount }

    /// Returns the books of a name in catalog order: those with the author among theirs, or those of the series. Linear
    /// in the books found, and logarithmic in the names.
    public func books(of name: Name) -> [BookID] {
        switch name.kind {
        case .author: authors.books(of: name.folded)
        case .series: series.books(of: name.folded)
        }
    }

    /// Returns the name of the series of a book in the index, or nil if it has none.
    public func seriesName(of id: BookID) -> Name? {
        series.column.values(ofBook: id.index).first.flatMap { value in
            Name(.series, folded: Array(series.column.folded(ofValue: value)))
        }
    }
}
