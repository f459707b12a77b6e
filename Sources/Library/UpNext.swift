internal import Books
internal import Catalog
internal import Indexing
internal import Search
internal import Shelves
internal import Threading

/// What a reader has to do with books, from which the next ones follow.
struct UpNextInput: Sendable {
    /// A book with the day of its status, "2026-11-21", if it is known.
    typealias Dated = (book: BookID, date: String?)

    /// The books.
    var index: BookIndex
    /// The books by their names, if they are known already.
    var names: BooksByName?
    /// The columns that have the names, if these are needed and not known.
    var columns: ColumnTask?
    /// The books that were read or are being read.
    var begun: [Dated] = []
    /// The books to read.
    var toRead: [Dated] = []
    /// The status of the books that have one in the user data, which overrides the catalog.
    var statuses: [BookID: Book.ReadingStatus] = [:]
}

/// The books to read next: the next unread one of each series begun, the series read most recently first, and then those
/// to read, the oldest first. Days that are unknown come last, in the order of the catalog.
struct UpNext: Sendable {
    /// The books.
    let books: [BookID]
    /// The books as a list, which is made once.
    let list: BookList
    /// The names that were collected for it, if they were needed.
    fileprivate(set) var names: BooksByName?

    /// Finds the books. Linear in the books of the input and of their series; unless the names are known, also in the
    /// catalog.
    init(_ input: UpNextInput) {
        let names =
            input.begun.isEmpty
            ? input.names
            : input.names ?? input.columns.flatMap { BooksByName($0) } ?? BooksByName(of: input.index)
        self.names = names
        var books = names.map { Self.nextOfSeries(in: input, $0) } ?? []
        let isListed = Set(books)
        books += input.toRead.filter { !isListed.contains($0.book) }.sorted { first, second in
            (first.date ?? "~", first.book) < (second.date ?? "~", second.book)
        }.map(\.book)
        (self.books, list) = (books, BookList(books))
    }

    private static func nextOfSeries(in input: UpNextInput, _ names: BooksByName) -> [BookID] {
        var days: [BooksByName.Name: String] = [:]
        for (book, date) in input.begun {
            if let name = names.seriesName(of: book) { days[name] = max(days[name] ?? "", date ?? "") }
        }
        let next = days.compactMap { name, day -> (day: String, book: BookID)? in
            let books = names.books(of: name)
            let found = SeriesProgress.next(
                in: books.map { book in
                    let facts = input.index.facts(at: book.index)
                    return (facts.position, input.statuses[book] ?? facts.traits.status)
                })
            return found.map { (day, books[$0]) }
        }
        return next.sorted { ($1.day, $0.book) < ($0.day, $1.book) }.map(\.book)
    }
}

extension Library {
    /// The maximum number of books with a status, and of books, among which the list is found without a background task.
    private static let (fewWithStatus, fewBooks) = (1000, 5000)

    /// The number of books up next, also of those before the last change; nil while they are found in the background. In a
    /// small catalog they are found at once.
    var countUpNext: Int? {
        if let known = upNext.latest { return known.books.count }
        guard located.isAtHand, store.index.count <= Self.fewBooks else { return nil }
        return booksUpNext(waiting: 0) {}?.count
    }

    /// Takes over the books up next that were found in the background.
    ///
    /// - Returns: Whether there were any.
    public func receiveUpNext() -> Bool {
        let hasChanged = upNext.receive()
        takeNamesOfUpNext()
        return hasChanged
    }

    /// Lets related books use the names that were collected for the books up next, once.
    private func takeNamesOfUpNext() {
        guard let names = upNext.latest?.names, let version = upNext.made.version else { return }
        upNext.latest?.names = nil
        related.take(names, at: version.ofBooks)
    }

    /// Returns the books up next, waiting until they are found.
    func booksUpNext() -> BookList {
        let known = booksUpNext(waiting: 0) {}
        return known ?? UpNext(upNextInput).list
    }

    /// Returns the books up next, waiting at most `milliseconds`; nil if they are not found by then, or if the catalog is
    /// still loading.
    ///
    /// - Parameter notify: Called on any thread when they are found later.
    func booksUpNext(waiting milliseconds: Int, notifying notify: @escaping @Sendable () -> Void) -> BookList? {
        if store.state.isLoading { return nil }
        // The places are part of the version, and locating the user data can change them.
        if !userData.books.isEmpty { _ = located.index }
        let found = upNext.value(for: version(of: [.books, .userData, .places]), waiting: milliseconds) {
            let input = upNextInput
            let isSmall =
                input.index.count <= Self.fewBooks && input.begun.count + input.toRead.count <= Self.fewWithStatus
            return isSmall
                ? BackgroundTask(made: UpNext(input)) : BackgroundTask(notifying: notify) { _ in UpNext(input) }
        }
        takeNamesOfUpNext()
        return found?.list
    }

    /// What the books up next follow from. Linear in the books with a status.
    private var upNextInput: UpNextInput {
        var input = UpNextInput(index: store.index, names: related.knownTable(at: version(of: .books)))
        for status in Book.ReadingStatus.allCases {
            let books = books(with: status)
            for book in books where store.local != nil { input.statuses[book] = status }
            let dated = books.map { ($0, userData(of: $0)?.statusDates[status]) }
            switch status {
            // A server does not tell the books of a series.
            case .read, .reading: if store.local != nil { input.begun += dated }
            case .toRead: input.toRead += dated
            case .abandoned: break
            }
        }
        if input.names == nil, !input.begun.isEmpty { input.columns = columnsOfNames(BooksByName.fields) }
        return input
    }
}
