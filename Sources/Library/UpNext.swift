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
    /// The names that were collected for it, if they were needed.
    let names: BooksByName?

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
        self.books = books
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

/// The list of the books to read next: found at once in a small catalog, otherwise in the background.
final class UpNextList {
    /// The state for which a list is valid.
    private struct Basis: Hashable {
        var bookCount: Int
        var changeCount: Int
    }

    private var known: (basis: Basis, list: BookList)?
    private var making: (basis: Basis, task: BackgroundTask<UpNext>)?
    /// The names that were collected in the background and not taken yet.
    private var names: BooksByName?

    /// The maximum number of books with a status, and of books, among which the list is found without a background task.
    fileprivate static let (fewMarked, fewBooks) = (1000, 5000)

    /// The number of books, also of those before the last change; nil if it was never found.
    var count: Int? { known?.list.count }

    /// Takes over the list that was found in the background.
    ///
    /// - Returns: The names that were collected for it, or nil if there is nothing new.
    func receive() -> (hasChanged: Bool, names: BooksByName?) {
        guard let making, making.task.isMade else { return (false, nil) }
        self.making = nil
        guard let found = making.task.value else { return (false, nil) }
        known = (making.basis, BookList(found.books))
        return (true, found.names)
    }

    /// Returns the list, waiting at most `milliseconds` for it; nil if it is not known by then.
    ///
    /// - Parameters:
    ///   - input: Returns what it follows from.
    ///   - notify: Called on any thread when it is known later.
    func books(
        bookCount: Int, changeCount: Int, waiting milliseconds: Int, notifying notify: @escaping @Sendable () -> Void,
        _ input: () -> UpNextInput
    ) -> BookList? {
        let basis = Basis(bookCount: bookCount, changeCount: changeCount)
        if let known, known.basis == basis { return known.list }
        if making?.basis != basis {
            making?.task.cancel()
            let input = input()
            if bookCount <= Self.fewBooks && input.begun.count + input.toRead.count <= Self.fewMarked {
                making = (basis, BackgroundTask(made: UpNext(input)))
            } else {
                making = (basis, BackgroundTask(notifying: notify) { _ in UpNext(input) })
            }
        }
        making?.task.wait(milliseconds: milliseconds)
        guard making?.task.isMade == true else { return nil }
        names = receive().names ?? names
        return known?.basis == basis ? known?.list : nil
    }

    /// Returns the names that were collected for a list, once.
    func takeNames() -> BooksByName? {
        defer { names = nil }
        return names
    }

    /// Discards the list, because the books or the places of the user data changed.
    func forget() {
        making?.task.cancel()
        (known, making, names) = (nil, nil, nil)
    }
}

extension Library {
    /// The number of books up next; nil while they are found in the background. In a small catalog they are found at
    /// once.
    var countUpNext: Int? {
        if let count = upNext.count { return count }
        guard located.isAtHand, store.index.count <= UpNextList.fewBooks else { return nil }
        return booksUpNext(waiting: 0) {}?.count
    }

    /// Takes over the books up next that were found in the background.
    ///
    /// - Returns: Whether there were any.
    public func receiveUpNext() -> Bool {
        let (hasChanged, names) = upNext.receive()
        if let names { related.take(names) }
        return hasChanged
    }

    /// Returns the books up next, waiting until they are found.
    func booksUpNext() -> BookList {
        let known = booksUpNext(waiting: 0) {}
        return known ?? BookList(UpNext(upNextInput).books)
    }

    /// Returns the books up next, waiting at most `milliseconds`; nil if they are not found by then, or if the catalog is
    /// still loading.
    ///
    /// - Parameter notify: Called on any thread when they are found later.
    func booksUpNext(waiting milliseconds: Int, notifying notify: @escaping @Sendable () -> Void) -> BookList? {
        if store.state.isLoading { return nil }
        let found = upNext.books(
            bookCount: store.index.count, changeCount: userData.changeCount, waiting: milliseconds, notifying: notify
        ) { upNextInput }
        if let names = upNext.takeNames() { related.take(names) }
        return found
    }

    /// What the books up next follow from. Linear in the books with a status.
    private var upNextInput: UpNextInput {
        var input = UpNextInput(index: store.index, names: related.knownTable(of: store.index))
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
