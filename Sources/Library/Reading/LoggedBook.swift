public import Books
internal import Catalog
public import Indexing
internal import Shelves
public import Storage

/// A book with its readings.
public struct LoggedBook: Hashable, Sendable {
    /// Where a book is.
    public enum Place: Hashable, Sendable {
        /// The catalog contains it.
        case catalog(BookID)
        /// Only the user data with this identity does.
        case missing(BookIdentity)
    }

    /// Where the book is.
    public var place: Place
    /// The title as it is shown.
    public var title: String
    /// The authors.
    public var authors: [String]
    /// The ISBN as the catalog has it.
    public var isbn: String?
    /// The number of pages, if it is known.
    public var pageCount: Int?
    /// The reader's rating.
    public var rating: StarRating?
    /// The reading status.
    public var status: Book.ReadingStatus?
    /// The readings, and the day on which the book became one to read.
    public var log: ReadingLog

    /// Whether the catalog contains the book.
    public var isInCatalog: Bool { if case .catalog = place { true } else { false } }
}

/// A reading with its book.
public struct LoggedReading: Hashable, Sendable {
    /// The book.
    public var book: LoggedBook
    /// The index of the reading in the log of the book.
    public var index: Int
    /// The reading.
    public var reading: Reading { book.log.readings[index] }

    /// The text that the log is searched in: title, authors, days and outcome.
    public var searchText: String {
        ([book.title, reading.start ?? "", reading.end ?? "", ReadingSentence(reading).state] + book.authors)
            .joined(separator: "\n")
    }
}

extension [LoggedBook] {
    /// The readings of all books, the latest first; readings without a day come last.
    public var latestReadings: [LoggedReading] {
        let readings = flatMap { book in book.log.readings.indices.map { LoggedReading(book: book, index: $0) } }
        // Stable, and without the days that only order the readings of one book.
        return readings.map { ($0, $0.reading.lastDay) }.enumerated()
            .sorted { first, second in
                let (one, other) = (first.element.1, second.element.1)
                return one == other ? first.offset < second.offset : one > other
            }
            .map(\.element.0)
    }
}

extension Reading {
    /// The last day that is known; "" if there is none.
    fileprivate var lastDay: String { [start, end, progress.last?.day].compactMap(\.self).max() ?? "" }
}

extension Library {
    /// Whether the user data is read and located, or can be located within a frame.
    public var hasLocatedUserData: Bool { located.isAtHand }

    /// The books with readings: those of the catalog in its order, then those that it does not contain. Locates the user
    /// data first if necessary.
    public var loggedBooks: [LoggedBook] {
        var books: [LoggedBook] = []
        located.index.forEachBook { id, bookData in
            if !bookData.readingLog.readings.isEmpty { books += [loggedBook(id, bookData)].compactMap(\.self) }
        }
        located.index.forEachMissing { identity, bookData in
            if !bookData.readingLog.readings.isEmpty { books.append(LoggedBook(missing: identity, bookData)) }
        }
        return books
    }

    /// Returns a book with its readings, if any; nil if its record cannot be read now and it has no user data.
    public func loggedBook(at place: LoggedBook.Place) -> LoggedBook? {
        switch place {
        case .catalog(let id): loggedBook(id, userData(of: id))
        case .missing(let identity): userData.books[identity].map { LoggedBook(missing: identity, $0) }
        }
    }

    private func loggedBook(_ id: BookID, _ bookData: UserBookData?) -> LoggedBook? {
        // A record that is not read yet, or cannot be, does not take the readings away.
        let stored = bookData.map { Book(title: $0.title, authors: $0.authors) }
        guard let book = store.bookAtHand(id) ?? stored else { return nil }
        return LoggedBook(
            place: .catalog(id), title: book.shownTitle, authors: book.authors, isbn: book.isbn?.text,
            pageCount: book.pageCount, rating: bookData?.rating, status: bookData?.status,
            log: bookData?.readingLog ?? ReadingLog())
    }

    /// Sets the status and the readings of a logged book.
    ///
    /// - Throws: `FileError`; see `apply(_:to:missing:)`.
    public func setLog(
        _ log: ReadingLog, status: Book.ReadingStatus?, at place: LoggedBook.Place
    ) throws(FileError) {
        switch place {
        case .catalog(let id): try apply(.readingLog(status, log), to: [id])
        case .missing(let identity): try apply(.readingLog(status, log), to: [], missing: [identity])
        }
    }
}

extension LoggedBook {
    /// Creates a book that is not in the catalog.
    fileprivate init(missing identity: BookIdentity, _ bookData: UserBookData) {
        let book = Book(title: bookData.title, authors: bookData.authors)
        self.init(
            place: .missing(identity), title: book.shownTitle, authors: book.authors, rating: bookData.rating,
            status: bookData.status, log: bookData.readingLog)
    }
}
