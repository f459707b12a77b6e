public import Books
public import Indexing
public import JSON
public import Storage
internal import Threading

/// A catalog in a JSON file or from a pipe: records in an array, in an object or one per line, or a single record. It
/// never writes the file; an `EditedCatalog` does.
public final class JSONFileCatalog: LocallyIndexed, ConcurrentlyReadable, Reloadable, TextBacked {
    /// The path as given; "-" is standard input.
    public var path: String { loader.path }
    /// The file name without directories.
    public let name: String

    private var loader: JSONFileLoader
    /// What was opened in the background for the next reload.
    private let prepared = Locked<JSONFileLoader.Opening?>(nil)
    private(set) var records: JSONFileRecords? { didSet { fetchRecords() } }
    /// How long to wait for books that are read on another thread, in milliseconds, and the function that announces them.
    private var fetching: (patience: Int, notify: @Sendable () -> Void)?

    /// Creates a catalog for the file at `path`, without reading it yet.
    ///
    /// - Parameters:
    ///   - cache: The cache that stores the index.
    ///   - profile: The profile to read the file with; nil to detect one of `library`.
    ///   - firstBookCount: The number of books to read before the first screen, if the file has as many.
    ///   - known: Facts about the records that are known before the file is read.
    ///   - source: The path of the source that the file is a copy of; nil if it is not a copy.
    ///   - isFound: Whether `profile` belongs to the kind of that source, rather than chosen by the user.
    public init(
        path: String, cache: IndexCache? = nil, profile: Profile? = nil,
        library: ProfileLibrary = ProfileLibrary(directory: nil), firstBookCount: Int = 100,
        known: KnownRecords = .nothing, copyOf source: String? = nil, profileIsFound isFound: Bool = false
    ) {
        loader = JSONFileLoader(
            path: path, cache: cache, profile: profile, library: library, firstBookCount: firstBookCount)
        (loader.known, loader.knownPath, loader.isProfileFound) = (known, source, isFound)
        name = fileName(of: source ?? RandomAccessInput.shownPath(path))
    }

    /// The file as it was read to its end, for other threads.
    package struct Fork: Sendable {
        fileprivate let loader: JSONFileLoader
        fileprivate let name: String
        fileprivate let file: RandomAccessInput
        fileprivate let index: BookIndex
        fileprivate let format: CatalogFormat
        fileprivate let mapped: MappedFile?
    }

    /// A fork; nil before the file is read to its end.
    package var fork: Fork? {
        guard let records, let format = records.format, !records.state.isLoading else { return nil }
        var loader = loader
        // The index is kept by the original.
        loader.cache = nil
        return Fork(
            loader: loader, name: name, file: records.file, index: records.index, format: format,
            mapped: records.mapped)
    }

    /// Creates the catalog of a fork.
    package init(_ fork: Fork) {
        (loader, name) = (fork.loader, fork.name)
        records = JSONFileRecords(
            fork.file, fork.index.segments, format: fork.format, cache: nil, mapped: fork.mapped)
    }

    /// Reads the file at `temporaryPath`, where it is being written; once complete, it is at `path`.
    public func follow(_ growth: GrowingFile, at temporaryPath: String) { loader.growing = (temporaryPath, growth) }

    /// Reads the beginning of the file, enough for a screen.
    ///
    /// - Throws: `CatalogError` if the file cannot be read or is not a catalog.
    public func open() throws(CatalogError) {
        if records == nil { records = try loader.load() }
    }

    // MARK: - Books

    /// The number of books read so far.
    public var count: BookCount { .exactly(index.count) }

    /// The progress of reading.
    public var state: SourceState { records?.state ?? .ready }

    /// The problems found in the file so far.
    public var defects: CatalogDefects { records?.defects ?? CatalogDefects() }

    /// The index of the books read so far.
    public var index: BookIndex { records?.index ?? BookIndex() }

    /// Returns the fields of a book that a row shows.
    public func summary(of id: BookID) -> Slot<BookSummary> {
        records(with: id)?.summary(of: id) ?? .gone
    }

    /// Returns the book decoded from its record.
    public func book(_ id: BookID) -> Slot<Book> { records(with: id)?.book(id) ?? .gone }

    /// Reads books that are not in memory on another thread from now on.
    public func fetch(waiting patience: Int, notifying notify: @escaping @Sendable () -> Void) {
        fetching = (patience, notify)
        fetchRecords()
    }

    private func fetchRecords() {
        if let fetching { records?.fetch(waiting: fetching.patience, notifying: fetching.notify) }
    }

    /// Whether books are being read on another thread.
    public var isFetching: Bool { records?.isFetching ?? false }

    /// Returns the records if the book is one of them.
    private func records(with id: BookID) -> JSONFileRecords? {
        records.flatMap { id.index < $0.index.count ? $0 : nil }
    }

    /// All books in the order of their records.
    public var all: any RowSource { BookList(allOf: index.count) }

    /// A reader of the books located so far.
    public var concurrentReader: any ConcurrentBookReader {
        if let records { records.reader } else { InMemoryCatalog.Reader(books: []) }
    }

    // MARK: - Loading

    /// Starts to read the rest of the file in the background.
    public func start(waking wake: @escaping @Sendable () -> Void) { records?.startLoading(notifying: wake) }

    /// Adopts the books that the background threads have read.
    public func receive() -> Bool { records?.receive() ?? false }

    /// Reads the next books on the calling thread.
    ///
    /// - Returns: Whether there was more to read.
    @discardableResult
    public func readMore() -> Bool {
        guard let records, records.state.isLoading else { return false }
        records.loadMore()
        return true
    }

    /// Reads all remaining books on several threads and returns when they are complete; meanwhile calls `report` on the
    /// calling thread whenever books have arrived.
    public func readRest(reporting report: () -> Void = {}) { records?.loadRest(reporting: report) }

    /// Waits until the index is stored in the cache; to be called before the process exits.
    public func finishKeepingIndex() { records?.finishKeeping() }

    // MARK: - Reloading

    /// Whether the file can be read again, unlike a pipe.
    public var canReload: Bool { !RandomAccessInput.isPipe(path) }

    /// The state of the file when it was opened; nil for a pipe.
    package var fingerprint: RandomAccessInput.Fingerprint? { records?.fingerprint }

    /// Whether the file has changed since it was opened, or its index is damaged.
    public var isOutdated: Bool { records.map { $0.isOutdated || $0.isIndexDamaged } ?? false }

    /// Returns what opens the file for the next reload, and reads its index or its beginning.
    public func reloadPreparation() -> (@Sendable () -> Void)? {
        { [loader, prepared, isDamaged = records?.isIndexDamaged ?? false] in
            let opening = loader.prepare(withoutIndex: isDamaged)
            prepared.change { $0 = opening }
        }
    }

    /// A damaged index is made again, since books may be missing.
    public var reloadsUnasked: Bool { records?.isIndexDamaged ?? false }

    /// Rereads the beginning of the file.
    ///
    /// - Throws: `CatalogError` if the file cannot be read or is not a catalog any more.
    public func reload() throws(CatalogError) {
        loader.growing = nil
        var opening = prepared.change { $0.take() }
        if records?.isIndexDamaged == true, opening?.hasIndex != false { opening = loader.prepare(withoutIndex: true) }
        records = try loader.load(opening)
    }

    /// Reads the beginning of the file at `temporaryPath`, up to the length in `growth`.
    ///
    /// - Throws: `CatalogError` if the file cannot be read or is not a catalog.
    package func reload(following growth: GrowingFile, at temporaryPath: String) throws(CatalogError) {
        loader.growing = (temporaryPath, growth)
        records = try loader.load()
    }

    /// Watches the file for changes; nil for a pipe.
    public func watch(waking wake: @escaping @Sendable () -> Void) -> AnyObject? {
        canReload ? FileWatch(path, notifying: wake) : nil
    }

    // MARK: - Records

    /// The way the records are read.
    public var format: CatalogFormat? { records?.format }

    /// Returns the record of a book as it is in the file.
    public func record(_ id: BookID) -> JSONValue? { records(with: id)?.record(id) }

    /// Returns the record of a book as the file spells it.
    public func spelledRecord(_ id: BookID) -> SpelledObject? { records(with: id)?.reader.spelledRecord(id) }

    /// Whether a file with this name has one record per line.
    package static func hasLines(inFileNamed path: String) -> Bool {
        path.hasSuffix(".jsonl") || path.hasSuffix(".ndjson")
    }

    /// A loader that opens other files in the same way, on any thread, and reads only their first book.
    package var siblings: JSONFileLoader {
        JSONFileLoader(path: path, profile: loader.profile, library: loader.library, firstBookCount: 1)
    }

    /// Adopts the index of the file that has replaced this one.
    ///
    /// - Returns: False if another file has replaced it since; nothing is adopted then.
    package func adopt(_ segments: [IndexSegment], of fingerprint: RandomAccessInput.Fingerprint) -> Bool {
        guard let records, let format = records.format, let file = try? loader.input(),
            (try? file.fingerprint()) == fingerprint
        else { return false }
        self.records = JSONFileRecords(
            file, segments, format: format, cache: loader.cache, mapped: records.mapped)
        return true
    }

    /// Reads books from the complete file that has replaced a growing one from now on, with the same index.
    ///
    /// - Returns: False if the growing file is not read to its end, or if a third one has replaced the complete one.
    package func settle() -> Bool {
        guard let records, let fingerprint = records.file.fingerprintAtEnd, let file = try? loader.input(),
            (try? file.fingerprint()) == fingerprint, let settled = records.settled(in: file, cache: loader.cache)
        else { return false }
        loader.growing = nil
        self.records = settled
        return true
    }

    /// Whether the index is cached for the next start and the file has no known problems.
    package var keepsIndex: Bool {
        guard loader.cache != nil, let records else { return false }
        return records.state == .ready && records.problems.areNone && !records.isIndexDamaged
    }

    /// Caches the index of the file that has replaced this one.
    package func keepIndex(_ segments: [JoinedSegment], of fingerprint: RandomAccessInput.Fingerprint) {
        guard let cache = loader.cache, let format, let file = try? loader.input() else { return }
        let content = IndexCache.Content(
            format: format.key, segments: segments, problems: .none, positions: ProblemPositions(),
            mapped: records?.mapped)
        cache.keep(content, of: file, fingerprint: fingerprint)
    }

    /// The file and a reader of its records; nil before it is opened.
    package var content: (file: RandomAccessInput, reader: RecordReader)? { records.map { ($0.file, $0.reader) } }

    /// Returns the line and column of records, or of values in them; for a missing value, the position of its record.
    public func positions(of places: [RecordLocation]) -> [TextPosition] { records?.positions(of: places) ?? [] }
}
