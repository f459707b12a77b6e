public import Books
public import Indexing

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

    /// Calls `body` with each log that has readings and its book in `index`, nil for a book that is not in the catalog.
    public func forEach(in index: BookIndex, _ body: (_ book: BookID?, _ log: ReadingLog) -> Void) {
        let resolver = resolver ?? UserDataResolver(of: books, in: index)
        for id in resolver.books {
            let identities = resolver.identities(of: id)
            guard let first = identities.first, var log = books[first]?.readingLog else { continue }
            for identity in identities.dropFirst() {
                if let other = books[identity]?.readingLog { log.merge(other) }
            }
            if !log.readings.isEmpty { body(id, log) }
        }
        for identity in resolver.orphans {
            if let log = books[identity]?.readingLog, !log.readings.isEmpty { body(nil, log) }
        }
    }
}
