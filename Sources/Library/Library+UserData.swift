public import Books
internal import Catalog
internal import Editing
public import Indexing
public import Shelves
public import Storage
internal import Threading

extension Library {
    // MARK: - Reading

    /// Returns the identity of a book. Linear in its index if the source has an in-memory index.
    public func identity(of id: BookID) -> BookIdentity {
        if let local = store.local { return local.index.identity(of: id) }
        return BookIdentity(key: (store.keys(of: id) ?? MatchKeys(of: Book(title: ""))).identifying)
    }

    /// Returns the identities under which a server's book may have user data; a server cannot tell the occurrences of
    /// one key apart.
    private func remoteIdentities(of id: BookID) -> [BookIdentity] {
        (store.keys(of: id)?.all ?? []).map { BookIdentity(key: $0) }.filter { userData.books[$0] != nil }
    }

    /// Returns the user data of a book for the screen, without waiting; nil also while it is being located in the
    /// background.
    public func shownUserData(of id: BookID) -> UserBookData? { located.isAtHand ? userData(of: id) : nil }

    /// Returns the user data of a book, if any, locating all user data first if necessary.
    public func userData(of id: BookID) -> UserBookData? {
        if userData.books.isEmpty { return nil }
        if store.local == nil {
            return remoteIdentities(of: id).first.flatMap { userData.books[$0] }.map(userData.shown)
        }
        return located.userData(of: id)
    }

    /// The user data of all books that are not in the catalog, in a stable order.
    public var missingUserData: [(identity: BookIdentity, bookData: UserBookData)] {
        if userData.books.isEmpty { return [] }
        var missing: [(identity: BookIdentity, bookData: UserBookData)] = []
        located.index.forEachMissing { missing.append(($0, $1)) }
        return missing
    }

    /// The directories in which changes of the user data and of the books are saved.
    public var directoriesOfChanges: [String] {
        [userData.filesDirectory, store.edited?.journalDirectory].compactMap(\.self)
    }

    // MARK: - Locating

    /// Starts to locate the user data in the background, unless it takes less than a frame or was done before.
    public func startLocatingUserData(notifying notify: @escaping @Sendable () -> Void) {
        located.start(notifying: notify)
    }

    // MARK: - Changes

    /// Applies a change to the books `ids` and to the user data `missing` of books that are not in the catalog, and
    /// writes it to disk.
    ///
    /// - Throws: `FileError` if it cannot be saved; it is kept in memory and saved with the next change that succeeds.
    public func apply(_ change: UserDataChange, to ids: [BookID], missing: [BookIdentity] = []) throws(FileError) {
        located.locateInAllBooks()
        // A mark is never left out because a disk is slow.
        let books = ids.compactMap { id in store.wholeBook(id).map { (id, $0) } }
        let targets = books.map { id, book in
            UserDataTarget(
                book: book, identity: identity(of: id),
                identities: store.local == nil ? remoteIdentities(of: id) : located.identities(of: id),
                catalog: catalogPath)
        }
        let before = version(of: .userData)
        let identities = try userData.apply(change, to: targets + missing.map(UserDataTarget.init(absent:)))
        located.take(identities.prefix(books.count), of: books.map(\.0), after: before, hasMissing: !missing.isEmpty)
    }

    /// Takes over a change that was made on another thread, waiting for its end if necessary.
    ///
    /// - Returns: The outcome; nil if the change was stopped and nothing was changed.
    public func receive(_ change: BulkChange) -> BulkChange.Outcome? {
        guard let product = change.taken() else { return nil }
        userData.receive(product.fork)
        var isLocated = true
        if let (before, after) = product.catalog, let edited = store.edited {
            isLocated = edited.receive(after, madeOf: before)
            if !isLocated { _ = edited.receiveEdits() }
            forgetBooks()
            // Deallocating a hundred thousand edited records takes longer than a frame.
            BackgroundThread.keep(before, milliseconds: 1000)
        }
        if isLocated { located.take(product.resolver) }
        return product.outcome
    }
}
