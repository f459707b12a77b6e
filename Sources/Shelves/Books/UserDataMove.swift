public import Books
public import Storage

/// User data that follows its book, which is described otherwise now.
public struct UserDataMove: Sendable {
    /// The identities of the user data, best match first.
    public var identities: [BookIdentity]
    /// The book as it is now.
    public var book: Book
    /// The identity that the book has now.
    public var identity: BookIdentity
    /// The path of the book's catalog.
    public var catalog: String?

    /// Creates a move of the user data with these identities to `book`, which has `identity` now; by default it is the
    /// first with its keys.
    public init(identities: [BookIdentity], book: Book, identity: BookIdentity? = nil, catalog: String?) {
        (self.identities, self.book, self.catalog) = (identities, book, catalog)
        self.identity = identity ?? BookIdentity(key: BookIdentity.Key(of: book))
    }
}

extension UserData {
    /// Moves user data to the current keys of its books as one undo step; when this method returns, either all of it is
    /// on disk or nothing.
    ///
    /// - Throws: `FileError`; see `apply(_:to:)`.
    public func move(_ moves: [UserDataMove]) throws(FileError) {
        loadOnce()
        try apply(imports(of: moves))
    }

    /// Returns the changes that move user data.
    func imports(of moves: [UserDataMove]) -> [UserDataImport] {
        var removals: [UserDataImport] = []
        var settings: [UserDataImport] = []
        for move in moves {
            let held = move.identities.compactMap { books[$0] }
            guard var bookData = merged(move.identities.filter { books[$0] != nil }) else { continue }
            // Of a book that several become, no note is lost.
            var notes: [String] = []
            for note in held.compactMap(\.note) where !notes.contains(note) { notes.append(note) }
            if notes.count > 1 { bookData.note = notes.joined(separator: "\n\n") }
            for identity in move.identities {
                guard let held = books[identity] else { continue }
                removals.append(UserDataImport(target: UserDataTarget(absent: identity), changes: held.removals))
            }
            let target = UserDataTarget(
                book: move.book, identity: move.identity, identities: [], catalog: move.catalog)
            settings.append(UserDataImport(target: target, changes: bookData.settings))
        }
        // Duplicates may swap their identities: release all identities before assigning the first one.
        return removals + settings
    }
}

extension UserBookData {
    /// The changes that set all data of the record.
    fileprivate var settings: [UserDataChange] {
        var changes: [UserDataChange] = shelves.sorted().map { .shelf($0, true) }
        if isFavourite { changes.append(.favourite(true)) }
        if status != nil || !readingLog.isEmpty { changes.append(.readingLog(status, readingLog)) }
        if let rating { changes.append(.rating(rating)) }
        if let note { changes.append(.note(note)) }
        return changes + distinctions.sorted().map { .distinction($0, true) }
    }

    /// The changes that remove all data of the record.
    fileprivate var removals: [UserDataChange] {
        var changes: [UserDataChange] = shelves.sorted().map { .shelf($0, false) }
        if isFavourite { changes.append(.favourite(false)) }
        if status != nil || !readingLog.isEmpty { changes.append(.readingLog(nil, ReadingLog())) }
        if rating != nil { changes.append(.rating(nil)) }
        if note != nil { changes.append(.note(nil)) }
        return changes + distinctions.sorted().map { .distinction($0, false) }
    }
}
