public import Books
public import Catalog
public import ConnectorProtocol
internal import Glibc
public import Indexing
public import JSON
internal import Storage
internal import Threading

/// The copy of a source that is not a JSON file, in JSON Lines. It is shown at once and updated when the source has
/// changed; the first copy is shown while it is made.
public final class MirroredCatalog: LocallyIndexed, ConcurrentlyReadable, Reloadable, RecordBacked, PasswordProtected {
    /// The copy as a file; not opened before the beginning of the first copy is there.
    package var base: JSONFileCatalog
    var isBaseOpen = true
    package let directory: MirrorDirectory
    private let use: DirectoryUse?
    package let access: SourceAccess
    /// The state of the displayed copy; nil if it is not complete.
    var shown: MirrorState?
    var next: NextCopy
    /// Whether the displayed copy is not known to be up to date.
    var isOld = false
    /// The running copy.
    var copy: Download?
    /// The newer copy that can replace the displayed one.
    var newCopy: NewCopy?
    /// Whether the running copy is displayed.
    var isShowingCopy: Bool
    /// The first copy while its beginning is not open.
    var first: FirstDownload?
    /// What makes the catalog of the first copy.
    private let make: FirstDownload.Maker?
    var report = Report()
    private var wake: @Sendable () -> Void = {}

    /// What became of copying.
    struct Report {
        /// What the reader was not told yet.
        var news: MirrorNews?
        /// Whether the reader was told that a copy is being made, and not what became of it.
        var isProgressTold = false
        var problem: MirrorNews?
        var smallerSource: SmallerSource?
        var failure: ConnectorFailure?
    }

    /// The time and manner of the next copy.
    struct NextCopy {
        /// The fingerprint of the source at the last copy or attempt.
        var fingerprint: String?
        /// The time of the next request to the server, in seconds since 1970.
        var time = 0
        /// Whether it replaces the last copy even if it has far fewer rows.
        var takesAll: Bool
        /// Whether the user requested the running copy.
        var isAsked = false
    }

    enum NewCopy {
        /// The beginning of the first copy.
        case first(JSONFileCatalog)
        /// A complete copy, which has replaced the last one.
        case complete
        /// A copy that ended early, which is shown because there is no complete one.
        case partial(Download, MirrorNews)
    }

    /// Creates the catalog of a copy.
    ///
    /// - Parameters:
    ///   - base: The open file of the copy.
    ///   - state: The state of the copy; nil if it is being made.
    ///   - copy: The running copy, if it is shown.
    ///   - access: The way copies are made.
    ///   - news: News for the user; nil for those in the state of the copy.
    ///   - failure: The reason why the copy was not updated, if that was tried.
    public init(
        _ base: JSONFileCatalog, in directory: MirrorDirectory, state: MirrorState?, copy: Download? = nil,
        by access: SourceAccess, news: MirrorNews? = nil, failure: ConnectorFailure? = nil
    ) {
        (self.base, self.directory, self.access, self.copy, make) = (base, directory, access, copy, nil)
        (shown, report.failure, use) = (state, failure, DirectoryUse(of: directory))
        let isForced = access.refreshes == .atStart
        let isOutdated = isForced || state?.isOfOlderReader == true || state?.isIn(access.encoding) == false
        let current = sourceFingerprint(of: directory.source)
        next = NextCopy(
            fingerprint: copy != nil ? current : isOutdated ? nil : state?.fingerprint,
            time: isOutdated ? 0 : state.map { $0.checked + MirrorState.trustedTime } ?? .max, takesAll: isForced)
        isShowingCopy = copy != nil
        report.news = isShowingCopy ? .copying : news ?? state?.news
    }

    /// Shows a source of which there is no copy: nothing, until the beginning of the first one is there.
    ///
    /// - Parameters:
    ///   - first: The first copy.
    ///   - make: What makes the catalog of another first copy, if this one fails.
    public init(
        opening first: FirstDownload, in directory: MirrorDirectory, by access: SourceAccess,
        catalog make: @escaping FirstDownload.Maker
    ) {
        // Until then there is only its name.
        (base, isBaseOpen, self.first, copy) = (make("json", nil), false, first, first.copy)
        (self.directory, self.access, self.make, shown) = (directory, access, make, nil)
        use = DirectoryUse(of: directory)
        next = NextCopy(fingerprint: sourceFingerprint(of: directory.source), time: .max, takesAll: false)
        isShowingCopy = false
        report.news = connectingHost.map(MirrorNews.connecting)
    }

    /// The reason why the displayed books are not all of the source; nil if they are, or during the first copy.
    public var problem: MirrorNews? { report.problem }

    /// The most recent copy of the source, if it has far fewer rows than the displayed one.
    public var smallerSource: SmallerSource? { report.smallerSource }

    /// The reason why the most recent attempt to query or copy the source failed; nil if it succeeded or none was made.
    public var failure: ConnectorFailure? { report.failure }

    /// The display name of the source.
    public var name: String { base.name }

    /// Does nothing, because the copy is already open.
    public func open() throws(CatalogError) { if isBaseOpen { try base.open() } }

    // MARK: - Books

    /// The number of books so far.
    public var count: BookCount { base.count }

    /// The progress of reading.
    public var state: SourceState {
        if first != nil { return .loading(fraction: nil) }
        guard isShowingCopy, case .loading = base.state, let fraction = copy?.rows?.fraction else {
            return base.state
        }
        return .loading(fraction: fraction)
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

    /// Reads books of the copy that are not in memory on another thread from now on.
    public func fetch(waiting patience: Int, notifying notify: @escaping @Sendable () -> Void) {
        base.fetch(waiting: patience, notifying: notify)
    }

    /// Whether books of the copy are being read on another thread.
    public var isFetching: Bool { base.isFetching }

    /// The way the records are read.
    public var format: CatalogFormat? { base.format }

    /// Returns the record of a book as the copy has it.
    public func record(_ id: BookID) -> JSONValue? { base.record(id) }

    /// Returns the record of a book as the copy spells it.
    public func spelledRecord(_ id: BookID) -> SpelledObject? { base.spelledRecord(id) }

    // MARK: - Loading

    /// Starts reading the rest, and updating the copy if the source has changed.
    public func start(waking wake: @escaping @Sendable () -> Void) {
        self.wake = wake
        base.start(waking: wake)
        first?.notify(wake)
        refreshIfChanged()
        if report.news != nil { wake() }
    }

    /// Adopts the data that was read or copied in the background.
    public func receive() -> Bool {
        let hasMore = base.receive()
        refreshIfChanged()
        return hasMore
    }

    /// Starts a new copy if the source has changed since the displayed one.
    private func refreshIfChanged() {
        receiveFirstCopy()
        receiveCopy()
        guard copy == nil, newCopy == nil else { return }
        if directory.isRemote {
            askServerIfDue()
            return
        }
        let current = sourceFingerprint(of: directory.source)
        isOld = shown.map { $0.fingerprint != current } ?? false
        if current != next.fingerprint { refresh(current) }
    }

    /// Asks the server whether the source has changed, if the last answer has expired.
    private func askServerIfDue() {
        // Far fewer rows are copied again only if the reader asks for them.
        guard let shown, report.smallerSource == nil else { return }
        let now = time(nil)
        if shown.isDue { isOld = true }
        guard next.time <= now || shown.checked > now else { return }
        if access.refreshes == .never {
            if isOld, next.time != .max, report.news == nil { report.news = .old(shown, isGone: false) }
            next.time = .max
        } else {
            makeCopy()
        }
    }

    /// Starts a new copy, if that is allowed and possible.
    func refresh(_ current: String?) {
        if directory.isRemote { return makeCopy() }
        // Only one attempt is made for each state of the source.
        next.fingerprint = current
        guard access.refreshes != .never, current != nil else {
            if isOld, report.news == nil, let shown { report.news = .old(shown, isGone: current == nil) }
            return
        }
        makeCopy()
    }

    func makeCopy() {
        next.time = time(nil) + MirrorState.trustedTime
        guard let program = access.program else {
            report.news = .failed(ConnectorFailure(.helper, .noProgram, detail: "stacks-connect"))
            return
        }
        do throws(ConnectorFailure) {
            if !isBaseOpen, let make {
                let first = try FirstDownload(of: directory, by: access, with: program, opening: make)
                (self.first, copy, report.problem) = (first, first.copy, nil)
                first.notify(wake)
                return
            }
            copy = try Download(
                of: directory, by: access, with: program, takingAll: next.takesAll, notifying: wake)
            (next.takesAll, report.smallerSource) = (false, nil)
        } catch {
            report.news = .failed(error)
        }
    }

    /// Takes over that the beginning of the first copy is open, or cannot be opened.
    private func receiveFirstCopy() {
        guard let outcome = first?.outcome else { return }
        first = nil
        switch outcome {
        case .opened(let catalog): newCopy = .first(catalog)
        // The copy tells why.
        case .failed: break
        case .unreadable(let error):
            copy = nil
            (report.news, report.problem) = (.unreadable(error), .unreadable(error))
        }
    }

    private func receiveCopy() {
        // What has come of the first copy is shown before it is said what became of it.
        if case .first? = newCopy { return }
        guard let copy, first == nil, let outcome = copy.outcome else { return }
        // The file of an incomplete copy is deleted with it, but can be read while it is open.
        self.copy = nil
        defer { next.isAsked = false }
        let isFirst = shown == nil
        switch outcome {
        case .complete(let state):
            if isShowingCopy { (shown, report.problem) = (state, nil) } else { newCopy = .complete }
            let news = report.news?.isOfProgress == true ? nil : report.news
            report.news =
                state.newsOfCopy ?? news ?? (report.isProgressTold ? .copied(rowCount: state.rows) : nil)
            report.failure = nil
        case .unchanged(let state):
            (shown, isOld, report.failure) = (state, false, nil)
            if next.isAsked || report.isProgressTold { report.news = .unchanged }
        case .incomplete(let state):
            let incomplete = MirrorNews.incomplete(
                state.defects, shown.map { .copy(of: $0.fetched) } ?? .rows(state.rows))
            report.news = incomplete
            if isFirst, !isShowingCopy, state.rows > 0 { newCopy = .partial(copy, incomplete) }
        case .smaller(let smaller):
            report.news = .smaller(smaller)
            // A further request after this message accepts the smaller source.
            (report.smallerSource, next.takesAll) = (smaller, true)
        case .stopped(let rows):
            let remainder = isBaseOpen ? MirrorNews.Remainder.rows(isShowingCopy ? rows : index.count) : .nothing
            report.news = .stopped(shown.map { .copy(of: $0.fetched) } ?? remainder)
        case .failed(let failure): note(failure)
        }
        if isFirst, shown == nil, newCopy == nil { report.problem = report.news }
        isShowingCopy = false
    }

    private func note(_ failure: ConnectorFailure) {
        report.failure = failure
        if failure.kind == .auth, let question = access.signIn.openQuestion {
            report.news = .passwordNeeded(question, copied: shown?.fetched)
        } else if directory.isRemote, let shown {
            report.news = .unreachable(failure, copied: shown.fetched)
            // The server is asked again as soon as it wants to be asked.
            if let seconds = failure.retryAfter { next.time = time(nil) + max(1, seconds) }
        } else {
            report.news = .failed(failure)
        }
    }

    /// Goes on with the file of a first copy that was shown while it was written: others may replace it now.
    ///
    /// - Returns: False if another one has replaced it already; that is being read then.
    package func settleFirstCopy() -> Bool {
        if base.fingerprint != nil || base.settle() { return true }
        if (try? base.reload()) != nil { base.start(waking: wake) }
        return false
    }

    /// When the server is to be asked again, in seconds since 1970; nil if it is not, or is being asked.
    public var nextCheck: Int? {
        guard directory.isRemote, shown != nil, copy == nil, newCopy == nil, report.smallerSource == nil,
            access.refreshes != .never
        else { return nil }
        return next.time
    }

    /// Returns the news about the copy since the last call, if the user should know them.
    public func takeNews() -> MirrorNews? {
        defer { report.news = nil }
        if let news = report.news { report.isProgressTold = news.isOfProgress }
        return report.news
    }

    /// Waits until the running copy, if any, has ended.
    public func waitForCopy() {
        if copy == nil { refreshIfChanged() }
        _ = copy?.wait()
        receiveCopy()
    }

    /// The time at which the displayed copy was made, in seconds since 1970; nil if the source is known to be
    /// unchanged, or the copy is still running.
    public var dateOfOldCopy: Int? { isOld ? shown?.fetched : nil }

    /// The transfer rate of the running copy over the network, if it uses one and the rate is known.
    public var rate: TransferRate? { copy?.rate }

    /// The directory of the calibre library that this is a copy of; nil if it is a copy of another source, such as a
    /// compressed database without its files.
    public var libraryDirectory: String? {
        guard !directory.isRemote, (shown?.kind ?? copy?.opened?.kind) == "calibre" else { return nil }
        let database = "/metadata.db"
        let source = directory.source
        if source.hasSuffix(database) { return String(source.dropLast(database.count)) }
        // Files of books are not below another file, so that a library that is only a database has no links.
        return source
    }

    /// Whether a copy is running.
    public var isCopying: Bool { copy != nil }

    /// Stops the running copy; the displayed part of it stays.
    public func stopCopying() { copy?.cancel() }

    /// Stops the copy.
    public func stopConnecting() { stopCopying() }
}
