internal import Catalog
internal import Editing
internal import Indexing
internal import Shelves

/// Numbers that change with a library: what was made from one version of it is out of date at another.
public struct LibraryVersion: Hashable, Sendable {
    /// The parts of a library that something can depend on.
    public struct Parts: OptionSet, Sendable {
        /// The bits of the parts.
        public let rawValue: Int

        /// Creates the parts with these bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The books that are loaded.
        public static let books = Parts(rawValue: 1)
        /// The books, once all are loaded: while they are being loaded, they count as none.
        public static let allBooks = Parts(rawValue: 2)
        /// The edits of the catalog that are not saved.
        public static let edits = Parts(rawValue: 4)
        /// The user data.
        public static let userData = Parts(rawValue: 8)
        /// The books to which user data belongs.
        public static let places = Parts(rawValue: 16)
        /// The table of the names of all books.
        public static let names = Parts(rawValue: 32)
    }

    /// The number of times that the books were discarded, because they were edited or loaded again.
    var generation = 0
    /// The number of loaded books; -1 for none yet.
    public internal(set) var bookCount = 0
    /// The number of changes of the edited records.
    var edits = 0
    /// The number of changes of the user data.
    var userData = 0
    /// The number of times that user data came to other books without a change of it.
    var places = 0
    /// The number of times that a table of names became known.
    var names = 0
    /// The day, for what depends on it.
    var day: CalendarDay?

    /// The version of the books alone.
    var ofBooks: LibraryVersion {
        var version = LibraryVersion()
        (version.generation, version.bookCount) = (generation, bookCount)
        return version
    }

    /// Returns the version with at most `count` books, for what depends only on the first ones.
    public func limited(toBooks count: Int) -> LibraryVersion {
        var version = self
        version.bookCount = min(bookCount, count)
        return version
    }

    /// Returns whether only the number of books differs, if anything.
    func differs(onlyInBooksFrom other: LibraryVersion) -> Bool {
        var version = self
        version.bookCount = other.bookCount
        return version == other
    }
}

extension Library {
    /// Returns the present version of some parts; those of others are 0.
    public func version(of parts: LibraryVersion.Parts) -> LibraryVersion {
        var version = LibraryVersion()
        if !parts.isDisjoint(with: [.books, .allBooks]) {
            version.generation = generation
            version.bookCount = parts.contains(.allBooks) && store.state.isLoading ? -1 : store.index.count
        }
        if parts.contains(.edits) { version.edits = store.edited?.revision ?? -1 }
        if parts.contains(.userData) { version.userData = userData.changeCount }
        if parts.contains(.places) { version.places = located.moveCount }
        if parts.contains(.names) { version.names = related.arrivalCount }
        return version
    }
}
