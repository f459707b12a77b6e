public import Books
public import ConnectorProtocol
public import Indexing
public import JSON
internal import Storage

/// What became of the copy of a source that the reader should know of.
public enum MirrorNews: Hashable, Sendable {
    /// It is as the source is now, but these rows are missing from it, or were read with difficulty.
    case defects([MirrorState.SourceDefectCount])
    /// The source has no books.
    case empty(MirrorState)
    /// The source is read for the first time, and its rows are shown as they come.
    case copying
    /// The source ended early; the number of rows until then.
    case incomplete(rows: Int, [MirrorState.SourceDefectCount])
    /// The copy was stopped; the number of rows until then.
    case stopped(rows: Int)
    /// The copy is not made anew, though the source has changed since or is gone.
    case old(MirrorState, isGone: Bool)
    /// The source has less than half the rows that it had before; those of before are shown.
    case smaller(rows: Int, before: Int)
    /// The source could not be read.
    case failed(ConnectorFailure)
}

extension MirrorState {
    /// What the reader should know of a complete copy.
    fileprivate var news: MirrorNews? { rows == 0 ? .empty(self) : defects.isEmpty ? nil : .defects(defects) }
}

/// The copy of a source that is not a JSON file, in lines of JSON. It is shown at once as it is, and made anew when the
/// source has changed; the first copy is shown while it is made.
public final class MirroredCatalog: LocallyIndexed, ConcurrentlyReadable, Reloadable, RecordBacked, Mirrored {
    private let base: JSONFileCatalog
    private let directory: MirrorDirectory
    /// The path of the connector program; nil if there is none.
    private let program: String?
    private let refreshes: MirrorRefresh
    /// What is known of the copy that is shown; nil if it is not complete.
    private var shown: MirrorState?
    /// The fingerprint of the source when it was copied last, or that was tried.
    private var fingerprint: String?
    /// Whether the source is not known to be as the copy that is shown.
    private var isOld = false
    /// The copy that is being made.
    private var copy: SourceCopy?
    /// Whether a complete copy has taken the place of what is shown.
    private var hasNewCopy = false
    /// The copy that is shown while it is made.
    private var isShowingCopy: Bool
    private var news: MirrorNews?
    /// Whether the next copy takes the place of the last one even if it has far fewer rows.
    private var takesAll: Bool
    private var wake: @Sendable () -> Void = {}

    /// Shows a copy.
    ///
    /// - Parameters:
    ///   - base: The copy as a file, which is open.
    ///   - state: What is known of the copy; nil if it is being made.
    ///   - copy: The copy that is being made and shown.
    ///   - program: The path of the connector program; nil if there is none.
    ///   - refreshes: When the copy is made anew.
    ///   - news: What the reader should know of it; nil for what is known of the copy.
    public init(
        _ base: JSONFileCatalog, in directory: MirrorDirectory, state: MirrorState?, copy: SourceCopy? = nil,
        program: String?, refreshes: MirrorRefresh = .whenChanged, news: MirrorNews? = nil
    ) {
        (self.base, self.directory, self.program, self.copy) = (base, directory, program, copy)
        (self.refreshes, shown) = (refreshes, state)
        takesAll = refreshes == .atStart
        let current = sourceFingerprint(of: directory.source)
        fingerprint = copy != nil ? current : refreshes == .atStart ? nil : state?.fingerprint
        isShowingCopy = copy != nil
        self.news = isShowingCopy ? .copying : news ?? state?.news
    }

    /// The display name of the source.
    public var name: String { base.name }

    /// Opens the copy, which is open already.
    public func open() throws(CatalogError) { try base.open() }

    // MARK: - Books

    /// The number of books so far.
    public var count: BookCount { base.count }

    /// The progress of reading.
    public var state: SourceState {
        guard isShowingCopy, case .loading = base.state, let rows = copy?.rows, let total = rows.total else {
            return base.state
        }
        return .loading(fraction: Double(rows.rows) / Double(max(1, total)))
    }

    /// The problems found in the copy so far.
    public var defects: CatalogDefects { base.defects }

    /// The index of the books so far.
    public var index: BookIndex { base.index }

    /// Returns the fields of a book that a row shows.
    public func summary(of id: BookID) -> Slot<BookSummary> { base.summary(of: id) }

    /// Returns the book decoded from its record.
    public func book(_ id: BookID) -> Slot<Book> { base.book(id) }

    /// All books in the order of the source.
    public var all: any RowSource { base.all }

    /// A reader of the books so far.
    public var concurrentReader: any ConcurrentBookReader { base.concurrentReader }

    /// The way the records are read.
    public var format: CatalogFormat? { base.format }

    /// Returns the record of a book as the copy has it.
    public func record(_ id: BookID) -> JSONValue? { base.record(id) }

    // MARK: - Loading

    /// Starts to read the rest, and to bring the copy up to date if the source has changed.
    public func start(waking wake: @escaping @Sendable () -> Void) {
        self.wake = wake
        base.start(waking: wake)
        refreshIfChanged()
        if news != nil { wake() }
    }

    /// Takes over what was read or copied in the background.
    public func receive() -> Bool {
        let hasMore = base.receive()
        refreshIfChanged()
        return hasMore
    }

    /// Makes a new copy if the source has changed since what is shown was copied.
    private func refreshIfChanged() {
        receiveCopy()
        guard copy == nil, !hasNewCopy else { return }
        let current = sourceFingerprint(of: directory.source)
        isOld = shown.map { $0.fingerprint != current } ?? false
        if current != fingerprint { refresh(current) }
    }

    /// Makes a new copy, if it may and can be made.
    private func refresh(_ current: String?) {
        // It is tried once for each state of the source.
        fingerprint = current
        guard refreshes != .never, current != nil else {
            if isOld, news == nil, let shown { news = .old(shown, isGone: current == nil) }
            return
        }
        guard let program else {
            news = .failed(ConnectorFailure(.helper, .noProgram, detail: "stacks-connect"))
            return
        }
        do throws(ConnectorFailure) {
            copy = try SourceCopy(of: directory, with: program, takingAll: takesAll, notifying: wake)
            takesAll = false
        } catch {
            news = .failed(error)
        }
    }

    private func receiveCopy() {
        guard let copy, let outcome = copy.outcome else { return }
        // The file of an incomplete copy is deleted with it, but can be read as long as it is open.
        self.copy = nil
        switch outcome {
        case .complete(let state):
            hasNewCopy = !isShowingCopy
            if isShowingCopy { shown = state }
            news = state.news ?? (news == .copying ? nil : news)
        case .incomplete(let state): news = .incomplete(rows: state.rows, state.defects)
        case .smaller(let rows, let before):
            news = .smaller(rows: rows, before: before)
            // Who asks for it after it was said takes what there is.
            takesAll = true
        case .stopped(let rows): news = .stopped(rows: rows)
        case .failed(let failure): news = .failed(failure)
        }
        isShowingCopy = false
    }

    /// Returns what became of the copy since this was called last, if the reader should know of it.
    public func takeNews() -> MirrorNews? {
        defer { news = nil }
        return news
    }

    /// Waits for the end of the copy that is being made, if there is one.
    public func waitForCopy() {
        if copy == nil { refreshIfChanged() }
        _ = copy?.wait()
        receiveCopy()
    }

    /// When the copy that is shown was made, in seconds since 1970; nil if the source is known to be as it is, or it is
    /// still being made.
    public var dateOfOldCopy: Int? { isOld ? shown?.fetched : nil }

    /// Whether a copy is being made.
    public var isCopying: Bool { copy != nil }

    /// Stops the copy that is being made; what is shown of it stays.
    public func stopCopying() { copy?.cancel() }

    // MARK: - Reloading

    /// Whether the source can be copied again.
    public var canReload: Bool { true }

    /// Whether another copy is there than the one that is shown.
    public var isOutdated: Bool { hasNewCopy || copy == nil && base.isOutdated }

    /// Whether the new copy is to be shown without being asked for: it always is.
    public var reloadsUnasked: Bool { true }

    /// Shows the newest copy; if that is shown already, makes another one.
    public func reload() throws(CatalogError) {
        if !isOutdated, copy == nil { refresh(sourceFingerprint(of: directory.source)) }
        guard !isShowingCopy else { return }
        if hasNewCopy { (shown, isOld) = (directory.state, false) }
        hasNewCopy = false
        try base.reload()
    }

    /// Calls `wake` when the source or the copy changes.
    public func watch(waking wake: @escaping @Sendable () -> Void) -> AnyObject? {
        let database = directory.source + "/metadata.db"
        let isLibrary = RandomAccessInput.Fingerprint(ofFileAt: database) != nil
        let source = FileWatch(isLibrary ? database : directory.source, notifying: wake)
        return Watches([source, base.watch(waking: wake)].compactMap { $0 })
    }
}

/// Several watches that end together.
private final class Watches {
    private let watches: [AnyObject]

    init(_ watches: [AnyObject]) { self.watches = watches }
}
