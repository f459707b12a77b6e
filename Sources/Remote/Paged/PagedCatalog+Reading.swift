public import Books
public import Catalog
internal import Indexing
public import JSON

extension PagedCatalog {
    /// The books of a list that were read.
    public struct ReadBooks {
        /// The books in the order of the list.
        public var books: [Book] = []
        /// The records of the books, if they were asked for.
        public var records: [JSONValue?] = []
        /// Whether the next book could not be read; then the connection has the reason.
        public var isIncomplete = false
    }

    /// The time to wait for the next page, in milliseconds; the connector has its own, shorter limits.
    private static let pageTime = 120_000

    /// Reads the first books of a list, and waits for them.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of books.
    ///   - keepsRecords: Whether to read the records, too.
    ///   - report: Called with the number of books after each page.
    public func books(
        of rows: any RowSource, limit: Int, withRecords keepsRecords: Bool = false, reporting report: (Int) -> Void
    ) -> ReadBooks {
        var result = ReadBooks()
        while result.books.count < limit {
            let row = result.books.count
            if row > 0, row >= rows.rowCount.displayed { break }
            var slot = rows.id(atRow: row)
            while slot == .pending, waitForReply(milliseconds: Self.pageTime) { slot = rows.id(atRow: row) }
            switch slot.flatMap({ book($0) }) {
            case .ready(let book):
                result.books.append(book)
                if keepsRecords { result.records.append(slot.value.flatMap { record($0) }) }
            case .failed, .pending:
                result.isIncomplete = true
                return result
            case .gone: return result
            }
            if row % PagedRows.pageSize == 0 { report(row) }
        }
        return result
    }
}
