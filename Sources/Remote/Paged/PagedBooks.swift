internal import Books
internal import Indexing
internal import JSON

/// The books of a paged source that were loaded, and the identifiers of those that may be needed again.
struct PagedBooks {
    /// A loaded book.
    struct Entry {
        /// The record as the source has it.
        var record: JSONValue
        /// The book that it describes.
        var book: Book
        /// When the entry was last needed, as a count of uses.
        var lastUse: Int
    }

    /// The maximum number of loaded books, and of identifiers before those that nobody needs are dropped.
    private static let (limit, idLimit) = (4096, 32_768)
    /// The number of identifiers after which to look again for those that nobody needs.
    private var nextLimit = idLimit

    /// The ids in the source. A book keeps its identifier while somebody may refer to it, so that a selected book can be
    /// found again after it was unloaded.
    private var sourceIDs: [BookID: String] = [:]
    private var ids: [String: BookID] = [:]
    /// The number of identifiers so far; none is given twice.
    private var idCount = 0
    /// The identifiers that were given for an id in the source.
    private var named: Set<BookID> = []
    private var entries: [BookID: Entry] = [:]
    private var useCount = 0

    /// The mapping from records to books.
    var mapping: FieldMapping?

    /// Loads a record.
    ///
    /// - Returns: The identifier of its book.
    mutating func load(_ record: JSONValue) -> BookID {
        let book = mapping?.book(from: record) ?? Book(title: "")
        // A source must give ids; without one, equal books are the same.
        let id = knownID(ofSourceID: book.sourceID ?? "\(MatchKeys(of: book).identifying)")
        useCount += 1
        entries[id] = Entry(record: record, book: book, lastUse: useCount)
        if entries.count > Self.limit { unloadOldest() }
        return id
    }

    /// The loaded book, if it is loaded.
    mutating func entry(_ id: BookID) -> Entry? {
        guard let entry = entries[id] else { return nil }
        useCount += 1
        entries[id]?.lastUse = useCount
        return entry
    }

    /// The id of a book in the source; nil for an unknown identifier.
    func sourceID(of id: BookID) -> String? { sourceIDs[id] }

    /// The number of identifiers that are kept.
    var keptCount: Int { sourceIDs.count }

    /// Drops identifiers if there are many: those of books that are not loaded, were not named by their id in the source,
    /// and are not needed otherwise.
    mutating func dropIDs(unless isNeeded: (BookID) -> Bool) {
        guard sourceIDs.count > nextLimit else { return }
        for (id, sourceID) in sourceIDs where entries[id] == nil && !named.contains(id) && !isNeeded(id) {
            sourceIDs[id] = nil
            ids[sourceID] = nil
        }
        // If most are needed, they are not gone through again for each page.
        nextLimit = max(Self.idLimit, 2 * sourceIDs.count)
    }

    /// Unloads all books; their identifiers stay valid.
    mutating func unload() { entries = [:] }

    /// Returns the identifier of the book with an id in the source, which need not be loaded.
    mutating func id(ofSourceID sourceID: String) -> BookID {
        let id = knownID(ofSourceID: sourceID)
        named.insert(id)
        return id
    }

    private mutating func knownID(ofSourceID sourceID: String) -> BookID {
        if let id = ids[sourceID] { return id }
        let id = BookID(idCount)
        idCount += 1
        (sourceIDs[id], ids[sourceID]) = (sourceID, id)
        return id
    }

    /// Unloads the quarter that was not needed for the longest time.
    private mutating func unloadOldest() {
        let uses = entries.values.map(\.lastUse).sorted()
        let oldest = uses[uses.count / 4]
        entries = entries.filter { $0.value.lastUse > oldest }
    }
}
