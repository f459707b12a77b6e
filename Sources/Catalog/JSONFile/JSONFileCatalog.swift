public import Books
public import Indexing
public import JSON
internal import Storage

/// A catalog in a JSON file, or coming through a pipe: records in an array, in an object or one a line, or one record. The
/// file is only ever read.
public final class JSONFileCatalog: LocallyIndexed, Reloadable, TextBacked {
    /// The file's path, as it was given; "-" is standard input.
    public var path: String { loader.path }
    /// The file's name without its directories.
    public let name: String

    private let loader: JSONFileLoader
    private var records: JSONFileRecords?

    /// The catalog in the file at `path`, whose index is kept in `cache`. It is read by `profile`, or by one of `library` that
    /// is found by what the file has. Reads nothing yet.
    ///
    /// - Parameter firstBookCount: How many books the first screen waits for, if there are so many.
    public init(
        path: String, cache: IndexCache? = nil, profile: Profile? = nil,
        library: ProfileLibrary = ProfileLibrary(directory: nil), firstBookCount: Int = 100
    ) {
        loader = JSONFileLoader(
            path: path, cache: cache, profile: profile, library: library, firstBookCount: firstBookCount)
        name = fileName(of: RandomAccessInput.shownPath(path))
    }

    /// Reads the beginning of the file, enough for a screen.
    public func open() throws(CatalogError) {
        if records == nil { records = try loader.load() }
    }

    // MARK: - The books

    /// How many were read so far.
    public var count: BookCount { .exactly(index.count) }

    /// How far the file was read.
    public var state: SourceState { records?.state ?? .ready }

    /// What of the file could not be read so far.
    public var defects: CatalogDefects { records?.defects ?? CatalogDefects() }

    /// What is known of the books so far.
    public var index: BookIndex { records?.index ?? BookIndex() }

    /// What a row shows of a book.
    public func summary(of id: BookID) -> Slot<BookSummary> {
        records(with: id)?.summary(of: id).map(Slot.ready) ?? .gone
    }

    /// The whole book, decoded from its record.
    public func book(_ id: BookID) -> Slot<Book> { records(with: id)?.book(id).map(Slot.ready) ?? .gone }

    /// The records, if one of them is the book's.
    private func records(with id: BookID) -> JSONFileRecords? {
        records.flatMap { id.index < $0.index.count ? $0 : nil }
    }

    /// The books in the order of their records.
    public var all: any RowSource { BookList(allOf: index.count) }

    // MARK: - Reading on

    /// Starts to read what is left in the background.
    public func start(waking wake: @escaping @Sendable () -> Void) { records?.startLoading(notifying: wake) }

    /// Takes over what was read in the background.
    public func receive() -> Bool { records?.receive() ?? false }

    /// Reads the next books on this thread.
    ///
    /// - Returns: Whether there was anything left to read.
    @discardableResult
    public func readMore() -> Bool {
        guard let records, records.state.isLoading else { return false }
        records.loadMore()
        return true
    }

    /// Reads all books that are left, on several threads, and returns when they are there. Meanwhile `report` is called on
    /// this one, whenever there are more.
    public func readRest(reporting report: () -> Void = {}) { records?.loadRest(reporting: report) }

    /// Waits until the index is in the cache, if it is to be there: to be called before the process ends.
    public func finishKeepingIndex() { records?.finishKeeping() }

    // MARK: - Reading again

    /// Whether it can be read again: what came through a pipe is gone.
    public var canReload: Bool { !RandomAccessInput.isPipe(path) }

    /// Whether the file is another one now than when it was opened.
    public var isOutdated: Bool { records?.isOutdated ?? false }

    /// Reads the beginning of the file again.
    public func reload() throws(CatalogError) { records = try loader.load() }

    /// Watches the file; what comes through a pipe does not change.
    public func watch(waking wake: @escaping @Sendable () -> Void) -> AnyObject? {
        canReload ? FileWatch(path, notifying: wake) : nil
    }

    // MARK: - Records

    /// How the records are read.
    public var format: CatalogFormat? { records?.format }

    /// The record of a book as it stands in the file.
    public func record(_ id: BookID) -> JSONValue? { records(with: id)?.record(id) }

    /// The lines and columns at which records, or values in them, begin; that of its record for a value that is not there.
    public func positions(of places: [RecordPlace]) -> [TextPosition] { records?.positions(of: places) ?? [] }
}
