public import Books
public import Indexing
internal import JSON

/// Owns the books of a catalog. The source is opened at the first access, and the books are read-only outside.
public final class BookStore: BookReader {
    private let source: any CatalogSource
    /// The source, if its books are known by an index in memory.
    public let local: (any LocallyIndexed)?
    /// The source, if it searches and sorts itself.
    public let remote: (any RemotelyQueried)?
    /// The source, if it can be read again.
    public let reloadable: (any Reloadable)?
    /// The source, if its books were made of records.
    public let recordBacked: (any RecordBacked)?
    /// The books that were asked for last, so that a screen that is drawn again decodes none of them again.
    private var recentBooks = RecentBooks<Book>()
    private var recentSummaries = RecentBooks<BookSummary>()
    private var watch: AnyObject?

    /// The store of the books of `source`. Reads nothing yet.
    public init(source: any CatalogSource) {
        self.source = source
        local = source as? any LocallyIndexed
        remote = source as? any RemotelyQueried
        reloadable = source as? any Reloadable
        recordBacked = source as? any RecordBacked
    }

    /// What the catalog is called on the screen.
    public var name: String { source.name }

    /// Reads as much as the first screen needs, unless that was done.
    ///
    /// - Throws: `CatalogError`, if there is nothing to show.
    public func open() throws(CatalogError) { try source.open() }

    /// Reads the catalog again, its first books; the books stay as they are if that fails. Does nothing if the source cannot
    /// be read again.
    public func reload() throws(CatalogError) {
        try reloadable?.reload()
        recentBooks = RecentBooks()
        recentSummaries = RecentBooks()
    }

    /// Whether the catalog can be read again.
    public var canReload: Bool { reloadable?.canReload ?? false }

    /// Starts to load what is left in the background, and to watch the catalog; `wake` is called on any thread when there is
    /// something to receive or the catalog was changed.
    public func start(waking wake: @escaping @Sendable () -> Void) {
        opened.start(waking: wake)
        if watch == nil { watch = reloadable?.watch(waking: wake) }
    }

    /// Takes over what was loaded in the background.
    ///
    /// - Returns: Whether there was anything: more books, other counts, the end.
    public func receive() -> Bool { opened.receive() }

    /// How far the source has come.
    public var state: SourceState { opened.state }

    /// How many books there are so far; none if the catalog cannot be opened.
    public var count: BookCount { opened.count }

    /// What of the catalog could not be read so far.
    public var defects: CatalogDefects { opened.defects }

    /// All books in the catalog's order.
    public var all: any RowSource { opened.all }

    /// The whole book.
    public func book(_ id: BookID) -> Slot<Book> {
        if let book = recentBooks[id] { return .ready(book) }
        let book = opened.book(id)
        recentBooks[id] = book.value
        return book
    }

    /// The whole book, if it is at hand.
    public func bookAtHand(_ id: BookID) -> Book? { book(id).value }

    /// What a row shows of a book: there in a tenth of the time of a whole book.
    public func summary(of id: BookID) -> Slot<BookSummary> {
        if let summary = recentSummaries[id] { return .ready(summary) }
        let summary = opened.summary(of: id)
        recentSummaries[id] = summary.value
        return summary
    }

    /// What is known of the books without asking for each; empty if the source has no index.
    public var index: BookIndex {
        _ = opened
        return local?.index ?? BookIndex()
    }

    /// The keys by which a book is known again; nil if the book is not there yet.
    public func keys(of id: BookID) -> MatchKeys? {
        if let local { return local.index.keys(of: id) }
        return summary(of: id).value.map { MatchKeys(of: Book($0)) }
    }

    /// The source, opened if it can be. A failure is not kept: `open()` is still to tell of it.
    private var opened: any CatalogSource {
        try? source.open()
        return source
    }
}

/// A bounded cache by book. Books with neighbouring numbers have different places; of two books with the same place, the
/// cache keeps the later one.
private struct RecentBooks<Value> {
    private var places: [Int: (id: BookID, value: Value)] = [:]
    private static var placeCount: Int { 256 }

    /// The value of a book, if the cache has it.
    subscript(id: BookID) -> Value? {
        get { places[id.index % Self.placeCount].flatMap { $0.id == id ? $0.value : nil } }
        set { places[id.index % Self.placeCount] = newValue.map { (id, $0) } }
    }
}
