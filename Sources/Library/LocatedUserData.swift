internal import Books
internal import Catalog
internal import Indexing
internal import Shelves
internal import Threading

/// The books of a catalog to which user data belongs. They are located on demand, again after changes from elsewhere,
/// and in the background if there is much user data or the catalog is large.
final class LocatedUserData {
    private let userData: UserData
    private let store: BookStore
    /// The located user data by the version of the user data; none before it was needed.
    private var located = Cached<UserDataByList>()
    /// The number of times that user data may have come to other books without a change of the user data.
    private(set) var moveCount = 0
    /// The background task that locates user data, of this version.
    private var locating: (resolver: BackgroundTask<UserDataResolver>, version: LibraryVersion)?

    /// The maximum number of books with user data, and of books, that are located within a frame.
    private static let fewRecords = 2000
    private static let fewBooks = 50_000

    /// Creates the locations of `userData` among the books of `store`.
    init(_ userData: UserData, in store: BookStore) { (self.userData, self.store) = (userData, store) }

    /// The version of the user data.
    private var version: LibraryVersion {
        var version = LibraryVersion()
        version.userData = userData.changeCount
        return version
    }

    // MARK: - Reading

    /// Whether all user data is located, or can be located within a frame.
    var isAtHand: Bool {
        guard userData.isRead else { return false }
        let isFew = store.index.count <= Self.fewBooks && hasFewRecords
        return located.latest != nil || userData.books.isEmpty || isFew
    }

    /// Whether all user data can be examined within a frame.
    var hasFewRecords: Bool { userData.books.count <= Self.fewRecords }

    /// All user data with its books, located first if necessary.
    var index: UserDataIndex { current.index }

    /// The locations of the user data, if they are up to date.
    var currentResolver: UserDataResolver? {
        hasNewBooks ? nil : located[version]?.index.resolver
    }

    /// Returns the user data of a book, if any, locating all user data first if necessary.
    func userData(of id: BookID) -> UserBookData? {
        current.index.userData(of: id)
    }

    /// Returns the identities of the user data of a book, best match first.
    func identities(of id: BookID) -> [BookIdentity] {
        current.index.identities(of: id)
    }

    /// Returns the books of a list and the identities of its books that are not in the catalog.
    func members(of list: NamedList) -> UserDataByList.Members {
        _ = current
        return located.latest?.members(of: list) ?? UserDataByList.Members()
    }

    // MARK: - Locating

    /// The user data, located again if it has changed since the last time.
    private var current: UserDataByList {
        located[version] ?? put(at: userData.resolver(in: store.index))
    }

    /// Takes over locations of the current user data that were found elsewhere.
    func take(_ resolver: UserDataResolver) { _ = put(at: resolver) }

    private func put(at resolver: UserDataResolver) -> UserDataByList {
        let new = UserDataByList(UserDataIndex(userData, at: resolver))
        located[version] = new
        moveCount += 1
        return new
    }

    /// Locates user data among the books that were loaded since the last time.
    ///
    /// - Returns: Whether user data may be on other books now.
    private func extend() -> Bool {
        guard located.latest?.extend(to: store.index) == true else { return false }
        moveCount += 1
        return true
    }

    /// Starts to locate the user data in the background, unless it takes less than a frame or was done before.
    func start(notifying notify: @escaping @Sendable () -> Void) {
        if userData.isRead && !isAtHand && locating == nil { locateInBackground(notifying: notify) }
    }

    /// Whether books were loaded since the user data was located.
    private var hasNewBooks: Bool { located.latest.map { $0.bookCount < store.index.count } ?? false }

    /// Takes over the user data that was located in the background, and locates user data among the books loaded since
    /// the last time, in the background if there is much of it.
    ///
    /// - Returns: Whether user data may be on other books now.
    func receive(notifying notify: @escaping @Sendable () -> Void) -> Bool {
        var isChanged = false
        if let (resolver, version) = locating, resolver.isMade {
            locating = nil
            if let resolver = resolver.value, version == self.version {
                take(resolver)
                isChanged = true
            } else {
                // The user data changed in the meantime.
                start(notifying: notify)
            }
        }
        guard hasNewBooks, locating == nil else { return isChanged }
        // Extending in place avoids a copy of all user data.
        if hasFewRecords { return extend() || isChanged }
        locateInBackground(notifying: notify)
        return isChanged
    }

    private func locateInBackground(notifying notify: @escaping @Sendable () -> Void) {
        let known = located.latest.map(\.index.resolver)
        let resolver = known.flatMap { $0.isComplete ? $0 : nil } ?? userData.resolver(in: BookIndex())
        let index = store.index
        let found = BackgroundTask(notifying: notify) { _ in
            var resolver = resolver
            resolver.extend(to: index)
            return resolver
        }
        locating = (found, version)
    }

    // MARK: - Changes

    /// Locates the user data among all books that are loaded, because a change needs it.
    func locateInAllBooks() {
        _ = current
        if hasNewBooks { _ = extend() }
    }

    /// Updates the user data of `books`, whose identities are `identities` in the same order, after a change.
    ///
    /// - Parameters:
    ///   - before: The version of the user data before the change.
    ///   - hasMissing: Whether user data of books that are not in the catalog changed, too.
    func take(
        _ identities: ArraySlice<[BookIdentity]>, of books: [BookID], after before: LibraryVersion, hasMissing: Bool
    ) {
        guard located[before] != nil else { return }
        located.latest?.take(identities, of: books)
        if hasMissing { located.latest?.forgetLists() }
        located.keep(for: version)
    }

    /// Discards the locations, because books were edited or moved.
    func forget() {
        (located, locating) = (Cached(), nil)
        moveCount += 1
    }
}
