public import Books
public import Catalog
internal import Storage
internal import Threading

/// Looks up an ISBN in the catalogs that the config names, so that a new book can use their data.
///
/// The first lookup opens and reads the catalogs in the background; they stay open for later ones.
public final class ISBNLookup {
    /// A catalog to search.
    public struct NamedCatalog: Hashable, Sendable {
        /// The name in the config.
        public var name: String
        /// The path of the file.
        public var path: String

        /// Creates a catalog called `name` at `path`.
        public init(name: String, path: String) {
            (self.name, self.path) = (name, path)
        }
    }

    /// A book with the ISBN.
    public struct FoundBook: Hashable, Sendable {
        /// The name of its catalog in the config.
        public var catalog: String
        /// The book, without the id of its catalog.
        public var book: Book
    }

    /// A catalog that could not be read.
    public struct Problem: Hashable, Sendable {
        /// The name in the config.
        public var catalog: String
        /// The error message.
        public var sentence: String
    }

    /// The books found so far.
    public struct Results: Hashable, Sendable {
        /// The ISBN that is looked up.
        public var isbn: ISBN
        /// The books in the order of the config and of their catalogs.
        public var books: [FoundBook] = []
        /// The catalogs that were skipped.
        public var problems: [Problem] = []
        /// Whether the lookup has ended.
        public var isComplete = false
    }

    private struct Arrivals {
        var results: Results
        var isNew = false
    }

    /// The maximum number of books that a lookup returns.
    public static let maximumCount = 5

    private let catalogs: [LookupCatalog]
    private let browsedPath: String
    /// The results of the latest lookup.
    private var arrivals: Locked<Arrivals>?
    private var task: BackgroundTask<Void>?

    /// Returns the path of the last copy of a catalog that is not a JSON file, and the name of the profile for its
    /// records; nil if there is no copy. Takes the path of the catalog; called on any thread.
    public typealias Copies = @Sendable (String) -> (path: String, profile: String?)?

    /// Creates a lookup in `catalogs` except the one at `browsedPath`; opens none of them yet.
    ///
    /// - Parameters:
    ///   - cache: The cache with the indexes of catalogs.
    ///   - profiles: The known profiles.
    ///   - copies: Returns the copies of catalogs that are not JSON files.
    public init(
        in catalogs: [NamedCatalog], browsing browsedPath: String, cache: IndexCache?, profiles: ProfileLibrary,
        copies: @escaping Copies = { _ in nil }
    ) {
        self.catalogs = catalogs.map { LookupCatalog($0, cache: cache, profiles: profiles, copies: copies) }
        self.browsedPath = browsedPath
    }

    /// Starts looking up an ISBN in the background and cancels the previous lookup. An invalid ISBN is not found.
    ///
    /// - Parameter notify: Called on any thread when there are results to `take()`.
    public func lookUp(_ isbn: ISBN, notifying notify: @escaping @Sendable () -> Void) {
        cancel()
        let arrivals = Locked(Arrivals(results: Results(isbn: isbn)))
        self.arrivals = arrivals
        @Sendable func add(_ change: (inout Results) -> Void) {
            arrivals.change { arrivals in
                change(&arrivals.results)
                arrivals.isNew = true
            }
            notify()
        }
        guard let key = BookIdentity.Key(isbn: isbn) else { return add { $0.isComplete = true } }
        task = BackgroundTask { [catalogs, browsedPath] isCancelled in
            // A file with two names is read only once.
            var seen: Set<String> = [resolvedPath(browsedPath) ?? browsedPath]
            var count = 0
            for catalog in catalogs where seen.insert(resolvedPath(catalog.path) ?? catalog.path).inserted {
                if isCancelled() { return nil }
                let result = catalog.books(with: key, atMost: Self.maximumCount - count)
                if isCancelled() { return nil }
                switch result {
                case .success([]): break
                case .success(let books):
                    count += books.count
                    add { $0.books += books.map { FoundBook(catalog: catalog.name, book: $0) } }
                case .failure(let error):
                    add { $0.problems.append(Problem(catalog: catalog.name, sentence: error.sentence)) }
                }
                if count == Self.maximumCount { break }
            }
            add { $0.isComplete = true }
            return ()
        }
    }

    /// Stops the lookup and discards its results.
    public func cancel() {
        task?.cancel()
        task = nil
        arrivals = nil
    }

    /// Returns what the latest lookup has found so far, or nil if there is nothing new since the last call.
    public func take() -> Results? {
        arrivals?.withLock { arrivals in
            defer { arrivals.isNew = false }
            return arrivals.isNew ? arrivals.results : nil
        }
    }
}
