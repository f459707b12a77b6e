public import Indexing
public import Threading

/// The columns of the names of a catalog's authors, series and subjects.
public struct NameColumns: Sendable {
    /// The authors.
    public let authors: FieldColumn
    /// The series, without the places of books.
    public let series: FieldColumn
    /// The subjects.
    public let subjects: FieldColumn

    /// The fields, in their order.
    public static let fields: [IndexedTextField] = [.author, .series, .subject]

    /// Creates the names of columns of these fields; they must be of the same books.
    public init(authors: FieldColumn, series: FieldColumn, subjects: FieldColumn) {
        (self.authors, self.series, self.subjects) = (authors, series, subjects)
    }

    /// The number of books.
    public var bookCount: Int { authors.bookCount }
}

extension BookIndex {
    /// Makes the columns of names, and waits for them; by default on the calling thread. Linear in the text.
    public func nameColumns(on pool: ThreadPool = ThreadPool(threadCount: 0)) -> NameColumns? {
        guard let made = columns(of: NameColumns.fields, on: pool).taken(), made.count == 3 else { return nil }
        return NameColumns(authors: made[0], series: made[1], subjects: made[2])
    }
}
