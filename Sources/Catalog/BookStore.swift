/// Owns the books of a catalog. They are loaded at the first access, and read-only outside.
public final class BookStore {
    private let source: any BookSource
    private var loaded: (any BookRecords)?
    /// Books that were asked for lately, each in the slot of its index: a screen that is drawn again decodes none again.
    private var recent = noneRecent
    private static let recentCount = 256
    private static let noneRecent = [(index: Int, book: Book)?](repeating: nil, count: recentCount)
    /// By what all books are known; made when it is first needed.
    private var indexes: (identities: IdentityIndex, hashes: IdentityIndex)?

    /// The store of the books of `source`. Reads nothing yet.
    public init(source: any BookSource) {
        self.source = source
    }

    /// What the catalog is called on the screen.
    public var name: String { source.name }

    /// Loads the books now, where they are not loaded yet.
    ///
    /// - Throws: `CatalogError`, where there is nothing to show.
    public func load() throws(CatalogError) {
        if loaded == nil { loaded = try source.load() }
    }

    /// Reads the catalog anew. The books stay as they are where that fails.
    public func reload() throws(CatalogError) {
        loaded = try source.load()
        indexes = nil
        recent = Self.noneRecent
    }

    /// How many books there are; none where the catalog cannot be loaded.
    public var count: Int { records.count }

    /// The book at `index`, from zero to below `count`, in the catalog's order.
    public func book(at index: Int) -> Book {
        let slot = index % Self.recentCount
        if let recent = recent[slot], recent.index == index { return recent.book }
        let book = records.book(at: index)
        recent[slot] = (index, book)
        return book
    }

    /// What of the catalog could not be read.
    public var defects: CatalogDefects { records.defects }

    /// The keys of the book at `index`: what its record alone gives. Constant time.
    public func keys(at index: Int) -> BookKeys { BookKeys(of: book(at: index)) }

    /// The identity of the book at `index`. The first call reads all books.
    public func identity(at index: Int) -> BookIdentity { allIndexes.identities.identity(at: index) }

    /// The identity of the book at `index` as far as it is known without reading other books: of doubles it is the
    /// first's, until all books were read. Constant time.
    public func nearIdentity(at index: Int) -> BookIdentity {
        indexes?.identities.identity(at: index) ?? BookIdentity(key: keys(at: index).identifying)
    }

    /// Where the book with `identity` is, or nil where it is not in the catalog. The first call reads all books.
    public func index(of identity: BookIdentity) -> Int? { allIndexes.identities.index(of: identity) }

    /// Where the books are that have `isbn`, in the catalog's order. The first call reads all books.
    public func indices(withISBN isbn: BookIdentity.Key) -> [Int] { allIndexes.identities.indices(of: isbn) }

    /// Where the books are whose title and authors have this hash, in the catalog's order. The first call reads all
    /// books.
    public func indices(withHash hash: BookIdentity.Key) -> [Int] { allIndexes.hashes.indices(of: hash) }

    private var records: any BookRecords {
        // A failure is not kept: `load()` is still to tell of it.
        try? load()
        return loaded ?? [Book]()
    }

    private var allIndexes: (identities: IdentityIndex, hashes: IdentityIndex) {
        if let indexes { return indexes }
        var keys: [BookIdentity.Key] = []
        var hashes: [BookIdentity.Key] = []
        for index in 0..<count {
            let book = records.book(at: index)
            let bookKeys = BookKeys(of: book)
            hashes.append(bookKeys.hash)
            keys.append(bookKeys.identifying)
        }
        let indexes = (identities: IdentityIndex(keys: keys), hashes: IdentityIndex(keys: hashes))
        self.indexes = indexes
        return indexes
    }
}
