internal import Books
internal import Catalog
internal import Indexing
internal import Library
internal import Shelves

/// A book with its readings.
struct LoggedBook {
    /// The id that commands accept.
    var id: BookIdentity
    /// The title as it is shown.
    var title: String
    /// The authors.
    var authors: [String]
    /// The ISBN as the catalog has it.
    var isbn: String?
    /// Whether the catalog contains the book.
    var isInCatalog: Bool
    /// The reading status.
    var status: Book.ReadingStatus?
    /// The readings, and the day on which the book became one to read.
    var log: ReadingLog
    /// The number of pages, if it is known.
    var pageCount: Int?
    /// The target of changes.
    var target: UserDataTarget
}

/// The readings of the books of a library, also of those that the catalog does not contain.
struct LibraryLog {
    private let library: Library
    private let index: UserDataIndex

    /// Locates the readings of a library. Linear in the catalog.
    init(of library: Library) {
        self.library = library
        index = UserDataIndex(library.userData, in: library.store.index)
    }

    /// The books with readings, in catalog order; those that are not in the catalog come last.
    var books: [LoggedBook] {
        var ids: [BookID] = []
        var missing: [LoggedBook] = []
        index.forEachBook { id, bookData in if !bookData.readingLog.readings.isEmpty { ids.append(id) } }
        index.forEachMissing { identity, bookData in
            if !bookData.readingLog.readings.isEmpty { missing.append(LoggedBook(missing: identity, bookData)) }
        }
        let identities = IdentityTable(of: ids, in: library.store.index)
        return ids.compactMap { book($0, identities[$0]) } + missing
    }

    /// Returns the first book with a name; nil if neither the catalog nor the user data has one.
    func book(named name: BookArgument) -> LoggedBook? {
        let named = NamedBooks([name], in: library)
        if let id = named.ids(of: name).first {
            return book(id, IdentityTable(of: [id], in: library.store.index)[id])
        }
        return named.missingUserData(of: name).first.flatMap { identity in
            library.userData.books[identity].map { LoggedBook(missing: identity, $0) }
        }
    }

    private func book(_ id: BookID, _ identity: BookIdentity) -> LoggedBook? {
        guard let book = library.store.bookAtHand(id) else { return nil }
        let bookData = index.userData(of: id)
        return LoggedBook(
            id: identity, title: book.shownTitle, authors: book.authors, isbn: book.isbn?.text, isInCatalog: true,
            status: bookData?.status, log: bookData?.readingLog ?? ReadingLog(),
            pageCount: book.pageCount,
            target: UserDataTarget(
                book: book, identity: identity, identities: index.identities(of: id), catalog: library.catalogPath))
    }
}

extension LoggedBook {
    /// Creates a book that is not in the catalog.
    fileprivate init(missing identity: BookIdentity, _ bookData: UserBookData) {
        let book = Book(title: bookData.title, authors: bookData.authors)
        self.init(
            id: identity, title: book.shownTitle, authors: book.authors, isbn: nil, isInCatalog: false,
            status: bookData.status, log: bookData.readingLog, target: UserDataTarget(absent: identity))
    }
}
