internal import Books
internal import Indexing
internal import JSON

/// The books of a paged source that were loaded, and the identifiers of all that ever were.
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

    /// The maximum number of loaded books.
    private static let limit = 4096

    /// The ids in the source by number of identifier. A book keeps its identifier while the catalog is open, so that
    /// a selected book can be found again after it was unloaded.
    private var sourceIDs: [String] = []
    private var numbers: [String: UInt32] = [:]
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
        let id = id(ofSourceID: book.sourceID ?? "\(MatchKeys(of: book).identifying)")
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
    func sourceID(of id: BookID) -> String? { sourceIDs.indices.contains(id.index) ? sourceIDs[id.index] : nil }

    /// Unloads all books; their identifiers stay valid.
    mutating func unload() { entries = [:] }

    /// Returns the identifier of the book with an id in the source, which need not be loaded.
    mutating func id(ofSourceID sourceID: String) -> BookID {
        if let number = numbers[sourceID] { return BookID(number) }
        let id = BookID(sourceIDs.count)
        sourceIDs.append(sourceID)
        numbers[sourceID] = id.number
        return id
    }

    /// Unloads the quarter that was not needed for the longest time.
    private mutating func unloadOldest() {
        let uses = entries.values.map(\.lastUse).sorted()
        let oldest = uses[uses.count / 4]
        entries = entries.filter { $0.value.lastUse > oldest }
    }
}
