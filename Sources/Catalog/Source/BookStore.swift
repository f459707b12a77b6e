public import Books
public import Indexing
public import JSON

/// Owns the books of a catalog. They are loaded at the first access, and read-only outside.
public final class BookStore: BookReader {
    private let source: any CatalogSource
    private var loaded: (any BookRecords)?
    /// The books that were asked for last, so that a screen that is drawn again decodes none of them again.
    private var recent = RecentBooks()
    private var recentHeadings = RecentBooks()
    private var watch: AnyObject?

    /// The store of the books of `source`. Reads nothing yet.
    public init(source: any CatalogSource) {
        self.source = source
    }

    /// What the catalog is called on the screen.
    public var name: String { source.name }

    /// Loads the first books now, where they are not loaded yet.
    ///
    /// - Throws: `CatalogError`, where there is nothing to show.
    public func load() throws(CatalogError) {
        if loaded == nil { loaded = try source.load() }
    }

    /// Reads the catalog anew, its first books. The books stay as they are where that fails.
    public func reload() throws(CatalogError) {
        loaded = try source.load()
        recent = RecentBooks()
        recentHeadings = RecentBooks()
    }

    /// Whether it can be read anew.
    public var canReload: Bool { source.canReload }

    /// Begins to load what is left in the background, and to watch the catalog; `notify` is called on any thread when
    /// there is something to take in or the catalog was changed.
    public func startLoading(notifying notify: @escaping @Sendable () -> Void) {
        records.startLoading(notifying: notify)
        if watch == nil { watch = source.watch(notifying: notify) }
    }

    /// Whether the catalog is another one now than it was when it was loaded.
    public var isChanged: Bool { loaded?.isChanged ?? false }

    /// Takes in what was loaded in the background.
    ///
    /// - Returns: Whether there was anything: more books, or the end.
    public func receive() -> Bool { records.receive() }

    /// Loads the next books on this thread.
    ///
    /// - Returns: Whether there was anything left to load.
    @discardableResult
    public func loadMore() -> Bool {
        if records.progress == nil { return false }
        records.loadMore()
        return true
    }

    /// Loads all books that are left, on several threads, and returns when they are there. Meanwhile `report` is called
    /// on this one, whenever there are more.
    public func loadRest(reporting report: () -> Void = {}) { records.loadRest(reporting: report) }

    /// Waits until what was found is in the cache, where it is to be: to be called before the process ends.
    public func finishKeeping() { records.finishKeeping() }

    /// How far the catalog was loaded; nil where it is wholly.
    public var progress: LoadingProgress? { records.progress }

    /// How many books there are so far; none where the catalog cannot be loaded.
    public var count: Int { records.index.count }

    /// The book at `index`, from zero to below `count`, in the catalog's order; nil where its record is not there any
    /// more, as the file was changed.
    public func book(at index: Int) -> Book? {
        if let book = recent[index] { return book }
        guard let book = records.book(at: index) else { return nil }
        recent[index] = book
        return book
    }

    /// The same with its title, authors and ISBN at least: what a row of a list needs, in a tenth of the time.
    public func heading(at index: Int) -> Book? {
        if let book = recentHeadings[index] { return book }
        guard let book = records.heading(at: index) else { return nil }
        recentHeadings[index] = book
        return book
    }

    /// How the catalog is read; nil where its books come from elsewhere.
    public var format: CatalogFormat? { records.format }

    /// The record of the book at `index` as the catalog has it; nil where it has none, or it is not there any more.
    public func record(at index: Int) -> JSONValue? { records.record(at: index) }

    /// Where in the catalog the record of the book at `index` begins; nil where there are no bytes.
    public func byteOffset(at index: Int) -> Int? { records.byteOffset(at: index) }

    /// The line and column of a byte of the catalog. Linear in the offset.
    public func position(ofByte offset: Int) -> TextPosition? { records.position(ofByte: offset) }

    /// The same of several bytes, for which the text is read once.
    public func positions(ofBytes offsets: [Int]) -> [TextPosition] { records.positions(ofBytes: offsets) }

    /// Where the value at `path`, of names and indices alone, begins in the record of the book at `index`, in bytes.
    public func byteOffset(at index: Int, of path: FieldPath) -> Int? { records.byteOffset(at: index, of: path) }

    /// What of the catalog could not be read.
    public var defects: CatalogDefects { records.defects }

    /// What is known of the books without decoding them.
    public var index: BookIndex { records.index }

    private var records: any BookRecords {
        // A failure is not kept: `load()` is still to tell of it.
        try? load()
        return loaded ?? Self.none
    }

    private static var none: any BookRecords { FixedRecords() }
}

/// A bounded cache of books by their indices. Adjacent books have different slots; of two books with the same slot, the
/// cache keeps the later one.
private struct RecentBooks {
    private var slots: [Int: (index: Int, book: Book)] = [:]
    private static let slotCount = 256

    /// The book at `index`, if the cache has it.
    subscript(index: Int) -> Book? {
        get { slots[index % Self.slotCount].flatMap { $0.index == index ? $0.book : nil } }
        set { slots[index % Self.slotCount] = newValue.map { (index, $0) } }
    }
}
