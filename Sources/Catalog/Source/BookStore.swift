public import Books
public import Indexing
internal import JSON
internal import Storage
internal import Threading

/// The books of a catalog, read-only for its users except through the edits of its source, which is opened on first
/// access.
public final class BookStore: BookReader {
    package let source: any CatalogSource
    /// The source, if it has an in-memory index.
    public let local: (any LocallyIndexed)?
    /// The source, if it searches and sorts itself.
    public let remote: (any RemotelyQueried)?
    /// The source, if it can be reloaded.
    public let reloadable: (any Reloadable)?
    /// The source, if its books are decoded from records.
    public let recordBacked: (any RecordBacked)?
    /// The source, if its books can be read on any thread.
    public let concurrent: (any ConcurrentlyReadable)?
    /// The source, if it can make columns of fields.
    public let columnBacked: (any ColumnBacked)?
    /// The source, if it is on a server that may require a password.
    public let passwordProtected: (any PasswordProtected)?
    /// Caches of recent books, so that redrawing the screen decodes nothing.
    private var recentBooks = RecentBooks<Book>()
    private var recentSummaries = RecentBooks<BookSummary>()
    private var watch: AnyObject?
    /// Reading the beginning of the file that is to be reloaded.
    private var preparation: BackgroundTask<Bool>?
    /// The fields when data was last received.
    private var knownSchema = Schema.ofEveryBook

    /// Creates a store for `source`, without reading it yet.
    public init(source: any CatalogSource) {
        self.source = source
        local = source.locallyIndexed
        remote = source.remotelyQueried
        reloadable = source.reloadable
        recordBacked = source.recordBacked
        concurrent = source.concurrentlyReadable
        columnBacked = source.columnBacked
        passwordProtected = source.passwordProtected
    }

    /// The display name of the catalog.
    public var name: String { source.name }

    /// Loads enough for the first screen, unless it is loaded already.
    ///
    /// - Throws: `CatalogError` if there is nothing to show.
    public func open() throws(CatalogError) { try source.open() }

    /// Reloads the first books of the catalog; does nothing if the source is not reloadable.
    ///
    /// - Throws: `CatalogError` if reloading fails, in which case the books stay unchanged.
    public func reload() throws(CatalogError) {
        try reloadable?.reload()
        forgetBooks()
    }

    /// Starts to read what `reload()` needs on another thread, so that it does not wait for a slow disk.
    ///
    /// - Parameters:
    ///   - milliseconds: How long to wait for it, the first time.
    ///   - notify: Called on any thread when it is read.
    /// - Returns: Whether it is read, or the source reads no file.
    public func prepareReload(waiting milliseconds: Int, notifying notify: @escaping @Sendable () -> Void) -> Bool {
        let limit = preparation == nil ? milliseconds : 0
        guard let task = preparation ?? startPreparation(notifying: notify) else { return true }
        preparation = task.wait(milliseconds: limit) == nil ? task : nil
        return preparation == nil
    }

    private func startPreparation(notifying notify: @escaping @Sendable () -> Void) -> BackgroundTask<Bool>? {
        guard let prepare = reloadable?.reloadPreparation() else { return nil }
        return BackgroundTask(notifying: notify) { _ in
            prepare()
            return true
        }
    }

    /// Whether a reload that `prepareReload` has postponed waits for what it needs.
    public var isPreparingReload: Bool { preparation != nil }

    /// Whether a reload that `prepareReload` has postponed can go on.
    public var isReloadPrepared: Bool { preparation?.isMade ?? false }

    /// Forgets the books that were decoded, because they were edited or have other positions.
    public func forgetBooks() {
        recentBooks = RecentBooks()
        recentSummaries = RecentBooks()
    }

    /// Whether the catalog can be reloaded now.
    public var canReload: Bool { reloadable?.canReload ?? false }

    /// The fields of the catalog, as far as they are known.
    public var schema: Schema {
        _ = opened
        return recordBacked?.format?.schema ?? .ofEveryBook
    }

    /// Starts loading the rest in the background and watching the catalog; `wake` is called on any thread when data has
    /// arrived or the catalog has changed.
    public func start(waking wake: @escaping @Sendable () -> Void) {
        knownSchema = schema
        opened.start(waking: wake)
        if watch == nil { watch = reloadable?.watch(waking: wake) }
    }

    /// Adopts the data that was loaded in the background.
    ///
    /// - Returns: Whether anything changed: more books, another count, or the end of loading.
    public func receive() -> Bool {
        let hasMore = opened.receive()
        let schema = schema
        let hasOtherFields = schema != knownSchema
        knownSchema = schema
        // A server may have sent other values of known books, and books may have fields that were not known.
        if hasMore && remote != nil || hasOtherFields { forgetBooks() }
        return hasMore || hasOtherFields
    }

    /// The loading state of the source.
    public var state: SourceState { opened.state }

    /// The number of books so far; 0 if the catalog cannot be opened.
    public var count: BookCount { opened.count }

    /// The problems found in the catalog so far.
    public var defects: CatalogDefects { opened.defects }

    /// All books in catalog order.
    public var all: any RowSource { opened.all }

    /// Returns a book with all fields.
    public func book(_ id: BookID) -> Slot<Book> {
        if let book = recentBooks[id] { return .ready(book) }
        let book = opened.book(id)
        recentBooks[id] = book.value
        return book
    }

    /// Returns a book with all fields if it is available without waiting.
    public func bookAtHand(_ id: BookID) -> Book? { book(id).value }

    /// Returns a book with all fields, and waits for a disk; nil if it is gone or a server has not sent it.
    public func wholeBook(_ id: BookID) -> Book? { bookAtHand(id) ?? recordedBook(id)?.book }

    /// Reads books that are not in memory on another thread from now on, if the source can; they are pending until then.
    ///
    /// - Parameters:
    ///   - patience: How long to wait for books that are asked for at the same time, in milliseconds.
    ///   - notify: Called on any thread when books have arrived.
    public func fetch(waiting patience: Int, notifying notify: @escaping @Sendable () -> Void) {
        concurrent?.fetch(waiting: patience, notifying: notify)
    }

    /// Whether books are being read on another thread, so that some are not at hand.
    public var isFetching: Bool { concurrent?.isFetching ?? false }

    /// Returns a book with its record; nil if it is gone, or if the source has no records.
    public func recordedBook(_ id: BookID) -> RecordedBook? {
        guard let mapping = recordBacked?.format?.mapping, let record = recordBacked?.spelledRecord(id) else {
            return nil
        }
        var found = mapping.recordedBook(from: record.value)
        found.spellings = record.spellings
        return keys(of: id) == MatchKeys(of: found.book) ? found : nil
    }

    /// Returns the fields of a book that a row shows, in a tenth of the time of the whole book.
    public func summary(of id: BookID) -> Slot<BookSummary> {
        if let summary = recentSummaries[id] { return .ready(summary) }
        let summary = opened.summary(of: id)
        recentSummaries[id] = summary.value
        return summary
    }

    /// The index of the books; empty if the source has none.
    public var index: BookIndex {
        _ = opened
        return local?.index ?? BookIndex()
    }

    /// Returns the keys by which a book is matched, or nil if the book is not available yet.
    public func keys(of id: BookID) -> MatchKeys? {
        if let local { return local.index.keys(of: id) }
        return summary(of: id).value.map { MatchKeys(of: Book($0)) }
    }

    /// The source, opened if possible; an error is dropped, so that `open()` reports it.
    private var opened: any CatalogSource {
        try? source.open()
        return source
    }
}

/// A direct-mapped cache by book, in which books with adjacent numbers never collide.
private struct RecentBooks<Value> {
    private var slots: [Int: (id: BookID, value: Value)] = [:]
    private static var slotCount: Int { 256 }

    /// The cached value of a book, if any.
    subscript(id: BookID) -> Value? {
        get { slots[id.index % Self.slotCount].flatMap { $0.id == id ? $0.value : nil } }
        set { slots[id.index % Self.slotCount] = newValue.map { (id, $0) } }
    }
}
