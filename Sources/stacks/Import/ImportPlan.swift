internal import Books
internal import Catalog
internal import Indexing
internal import Library
internal import Search
internal import Shelves
internal import Storage

/// The changes that an import makes to the user data.
struct ImportPlan {
    /// The imported values of one book.
    fileprivate struct Entry {
        var target: UserDataTarget
        /// Whether the catalog contains the book.
        var isInCatalog: Bool
        /// The existing user data.
        var bookData: UserBookData?
        var isFavourite = false
        var status: Book.ReadingStatus?
        var readingLog = ReadingLog()
        var rating: StarRating?
        var note: String?
        /// The names of the shelves.
        var shelves: [String] = []
    }

    /// The identification of a book: in the catalog, or by its user data.
    private enum Owner: Hashable {
        case book(BookID)
        case userData(BookIdentity)
    }

    /// The number of changes of each kind.
    struct Counts: Hashable {
        /// The number of imported values of each kind.
        var favourites = 0, statuses = 0, readings = 0, ratings = 0, notes = 0, shelvings = 0
        /// The number of existing values that differ from the file and are kept.
        var kept = 0
        /// The number of changed books.
        var books = 0

        /// The counts of imported values by kind, in words; without zero counts.
        var nouns: [String] {
            let nouns = [
                (favourites, favourites.of("favourite")),
                (statuses, statuses == 1 ? "1 status" : "\(statuses.grouped) statuses"),
                (readings, readings.of("reading")), (ratings, ratings.of("rating")), (notes, notes.of("note")),
                (shelvings, shelvings == 1 ? "1 shelf entry" : "\(shelvings.grouped) shelf entries"),
            ]
            return nouns.filter { $0.0 > 0 }.map(\.1)
        }
    }

    private let library: Library
    private var entries: [Entry] = []
    /// The number of books in the file that the catalog contains.
    private(set) var matchCount = 0
    /// The books in the file that the catalog does not contain.
    private(set) var unmatched: [ImportedBook] = []
    /// The number of changes of each kind to books of the catalog.
    private(set) var counts = Counts()
    /// The number of changes of each kind to books that the catalog does not contain.
    private(set) var countsOfUnmatched = Counts()
    /// The names of the shelves to create, in file order.
    private(set) var newShelves: [String] = []
    private var changes: [(target: UserDataTarget, changes: [UserDataChange], shelves: [String])] = []

    /// Plans the import of a file's books into `library`.
    ///
    /// - Parameter replaces: Whether to replace existing values that differ.
    init(_ books: [ImportedBook], in library: Library, replaces: Bool) {
        self.library = library
        collect(books)
        let existing = Set(library.userData.shelves.map { Query.shelfKey(of: $0.name) })
        var new: Set<String> = []
        for entry in entries { add(entry, replaces: replaces) }
        for name in changes.flatMap(\.shelves) {
            let key = Query.shelfKey(of: name)
            if !existing.contains(key) && new.insert(key).inserted { newShelves.append(name) }
        }
    }

    private mutating func collect(_ books: [ImportedBook]) {
        let shelves = library.userData
        let matches = Self.matches(of: books, in: library.store.index)
        let targets = UserDataTargets(in: library)
        var identities: [BookIdentity.Key: BookIdentity] = [:]
        for (identity, bookData) in shelves.books {
            for key in [identity.key] + bookData.keys.all {
                identities[key] = min(identity, identities[key] ?? identity)
            }
        }
        var numbers: [Owner: Int] = [:]
        for (book, match) in zip(books, matches) {
            let owner: Owner
            var entry: Entry
            if let id = match, let target = targets.target(id) {
                matchCount += 1
                owner = .book(id)
                entry = Entry(target: target, isInCatalog: true, bookData: targets.userData(of: id))
            } else {
                unmatched.append(book)
                let stored = book.identity.flatMap { shelves.books[$0] == nil ? nil : $0 }
                let known = stored ?? book.keys.lazy.compactMap { identities[$0] }.first
                let identity = known ?? book.identity ?? BookIdentity(key: MatchKeys(of: book.book).identifying)
                owner = .userData(identity)
                let target = UserDataTarget(
                    book: book.book, identity: identity, identities: known.map { [$0] } ?? [], catalog: nil)
                entry = Entry(target: target, isInCatalog: false, bookData: known.flatMap { shelves.books[$0] })
            }
            if let number = numbers[owner] {
                entries[number].take(book)
            } else {
                numbers[owner] = entries.count
                entry.take(book)
                entries.append(entry)
            }
        }
    }

    /// Returns the book of `index` that matches each of `books`: by its identity, by one of its keys, or else by title
    /// and author if only one book has them.
    private static func matches(of books: [ImportedBook], in index: BookIndex) -> [BookID?] {
        let finder = BookLookup(of: books.flatMap { $0.keys + [$0.identity?.key].compactMap(\.self) }, in: index)
        var matches = books.map { $0.identity.flatMap(finder.id(of:)) ?? id(of: $0.keys, by: finder) }
        let others = books.indices.filter { matches[$0] == nil && !books[$0].isTitleMadeUp }
        let wanted = others.map { number in
            TitleLookup.Wanted(
                titles: [books[number].book.title] + books[number].otherTitles, authors: books[number].book.authors)
        }
        for (number, id) in zip(others, TitleLookup.books(wanted, in: index)) { matches[number] = id }
        return matches
    }

    /// Returns the book that matches one of `keys`, tried in order; of several books with one ISBN, the one with a
    /// matching title is preferred.
    private static func id(of keys: [BookIdentity.Key], by finder: BookLookup) -> BookID? {
        for key in keys {
            let found = finder.ids(matching: MatchKeys(isbn: nil, hash: key), by: .hash)
            if let best = found.first(where: { keys.contains(finder.keys(of: $0).hash) }) ?? found.first { return best }
        }
        return nil
    }

    private mutating func add(_ entry: Entry, replaces: Bool) {
        var changes: [UserDataChange] = []
        var counts = entry.isInCatalog ? self.counts : countsOfUnmatched
        defer { if entry.isInCatalog { self.counts = counts } else { countsOfUnmatched = counts } }
        func decide<Value: Equatable>(
            _ value: Value?, over old: Value?, _ count: WritableKeyPath<Counts, Int>, _ change: UserDataChange
        ) {
            guard let value, value != old else { return }
            if old != nil && !replaces {
                counts.kept += 1
            } else {
                counts[keyPath: count] += 1
                changes.append(change)
            }
        }
        if entry.isFavourite, entry.bookData?.isFavourite != true {
            counts.favourites += 1
            changes.append(.favourite(true))
        }
        Self.decideReadings(entry, replaces: replaces, &changes, &counts)
        decide(entry.rating, over: entry.bookData?.rating, \.ratings, .rating(entry.rating))
        decide(entry.note, over: entry.bookData?.note, \.notes, .note(entry.note))
        let ids = entry.bookData?.shelves ?? []
        let present = Set(library.userData.shelves.filter { ids.contains($0.id) }.map { Query.shelfKey(of: $0.name) })
        let shelves = entry.shelves.filter { !present.contains(Query.shelfKey(of: $0)) }
        counts.shelvings += shelves.count
        if changes.isEmpty && shelves.isEmpty { return }
        counts.books += 1
        self.changes.append((entry.target, changes, shelves))
    }

    /// Adds the change of the status and of the reading log, in which the readings of both are merged.
    ///
    /// Of two statuses, the one whose log goes on later is taken, so that the order of imports does not matter; the
    /// existing one if that is not certain.
    private static func decideReadings(
        _ entry: Entry, replaces: Bool, _ changes: inout [UserDataChange], _ counts: inout Counts
    ) {
        let (old, oldLog) = (entry.bookData?.status, entry.bookData?.readingLog ?? ReadingLog())
        guard entry.status != nil || !entry.readingLog.isEmpty else { return }
        var status = entry.status ?? old
        var log = oldLog
        if replaces {
            log.replace(with: entry.readingLog)
        } else {
            if let old, status != old, !entry.readingLog.isLater(than: oldLog) {
                status = old
                counts.kept += 1
                // Without any day, the status is all that the file says.
                if entry.readingLog.lastDay == nil { return }
            }
            log.merge(entry.readingLog)
        }
        guard status != old || log != oldLog else { return }
        if status != old || log.toRead != oldLog.toRead { counts.statuses += 1 }
        let changed = log.readings.count { !oldLog.readings.contains($0) }
        counts.readings += max(changed, log.readings.count - oldLog.readings.count)
        changes.append(.readingLog(status, log))
    }

    /// Whether the import changes anything.
    var changesAnything: Bool { !changes.isEmpty }

    /// Applies the changes as one undo step, which creates the new shelves, too.
    ///
    /// - Parameter file: The name of the imported file, which the history shows.
    /// - Throws: `FileError` if they could not be saved.
    func apply(from file: String) throws(FileError) {
        let existing = library.userData.shelves.map { (Query.shelfKey(of: $0.name), UserDataChange.shelf($0.id, true)) }
        let new = newShelves.map { (Query.shelfKey(of: $0), UserDataChange.shelfNamed($0)) }
        let shelvings = Dictionary(existing + new, uniquingKeysWith: { first, _ in first })
        let imports = changes.map { entry in
            UserDataImport(
                target: entry.target,
                changes: entry.changes + entry.shelves.compactMap { shelvings[Query.shelfKey(of: $0)] })
        }
        try library.userData.apply(imports, from: file)
    }
}

extension ImportPlan.Entry {
    /// Adds the values of `book` that earlier records of the same book lack.
    fileprivate mutating func take(_ book: ImportedBook) {
        isFavourite = isFavourite || book.isFavourite
        status = status ?? book.status
        readingLog.merge(book.readingLog)
        rating = rating ?? book.rating
        note = note ?? book.note
        for name in book.shelves {
            // A shelf with the name of a built-in list could not be named apart from it.
            switch ImportDestination(listNamed: name) {
            case .favourites: isFavourite = true
            case .status(let named): status = status ?? named
            case .shelf:
                let isKnown = shelves.contains { Query.shelfKey(of: $0) == Query.shelfKey(of: name) }
                if !isKnown { shelves.append(name) }
            }
        }
    }
}

extension ReadingLog {
    /// The last day of the log; nil if no day is known.
    fileprivate var lastDay: String? {
        let days = readings.flatMap { [$0.start, $0.end].compactMap(\.self) + $0.progress.map(\.day) }
        return (days + [toRead].compactMap(\.self)).max()
    }

    /// Whether the last day is certainly after the last day of another log.
    fileprivate func isLater(than other: ReadingLog) -> Bool {
        guard let lastDay, let other = other.lastDay else { return false }
        return Self.isDay(lastDay, after: other)
    }
}
