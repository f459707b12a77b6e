public import Books
public import Indexing
internal import Text

/// The reading logs of all books with user data at one time, for a computation in the background.
public struct ReadingLogs: Sendable {
    private let books: UserDataTable
    private let resolver: UserDataResolver?

    /// Takes the logs of `userData`. While they are held, a change copies all user data.
    ///
    /// - Parameter resolver: The books of the user data, if they are known; otherwise they are looked for, which takes
    ///   longer.
    public init(_ userData: UserData, at resolver: UserDataResolver?) {
        books = userData.books
        self.resolver = resolver
    }

    /// Calls `body` with each log that has readings, its book in `index`, nil for a book that is not in the catalog, and
    /// the reader's status of the book.
    public func forEach(
        in index: BookIndex, _ body: (_ book: BookID?, _ log: ReadingLog, _ status: Book.ReadingStatus?) -> Void
    ) {
        let resolver = resolver ?? UserDataResolver(of: books, in: index)
        for id in resolver.books {
            let identities = resolver.identities(of: id)
            let records = identities.compactMap { books[$0] }
            guard var log = records.first?.readingLog else { continue }
            for record in records.dropFirst() { log.merge(record.readingLog) }
            if !log.readings.isEmpty { body(id, log, records.firstMade(\.status)) }
        }
        for identity in resolver.orphans {
            if let record = books[identity], !record.readingLog.readings.isEmpty {
                body(nil, record.readingLog, record.status)
            }
        }
    }
}
