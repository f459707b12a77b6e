public import Books
public import Catalog
public import ConnectorProtocol
public import Indexing
public import JSON
public import Remote
internal import Storage

/// A catalog file, or the copy of a library on a server, with unsaved edits. Its books, index and records are those
/// after the edits.
///
/// Each edit is in the journal, and therefore on disk, before it takes effect. The numbers of the books are their
/// positions in the edited catalog: they change when books are added, deleted or moved, but not when fields change.
public final class EditedCatalog: LocallyIndexed, ConcurrentlyReadable, Reloadable, TextBacked {
    /// The file or the server.
    let target: any EditTarget
    /// The journal of the edits; nil if there is no directory for it.
    var journal: EditJournal?
    /// The replayed journal.
    var history = EditHistory()
    /// The records in order.
    var sequence = RecordSequence(allOf: 0) { didSet { columns.forget() } }
    /// The records of the file that are not in `sequence`, by number, in their state at removal.
    var missing: [Int: RecordSequence.Piece] = [:]
    /// The edits that are not kept as unsaved ones; nil if they are.
    var direct: DirectEdits?
    /// What is known of the records: an index, if they are not those of the file, with its parts of segments by ranges
    /// of the file's records, and the number of books that differ.
    private var known = KnownRecords()
    /// Whether the records have changed since that was known.
    private var hasChangedRecords = false
    /// The format of the records, once it was needed.
    private var knownFormat: RecordFormat?
    /// Whether all books of the file have been read, so that they can be edited.
    var isComplete = false
    /// The edits that conflict with changes by others in the file.
    public internal(set) var clashes: [EditClash] = []
    /// The number of books that differ from the file's, plus the number of conflicts.
    public var unsavedCount: Int { knownRecords.changedCount + clashes.count }
    /// The save in the background, if any.
    var saving: PendingSave?
    /// The fields in which changed books differed from the file at the start of the last save, in the order of the
    /// schema.
    public internal(set) var savedFields: [BookField] = []
    /// Whether all books were compared for these fields.
    public internal(set) var areAllSavedFieldsKnown = true
    /// The question for a user and password that ended the last save on a server, if one did.
    public internal(set) var passwordQuestion: CredentialQuestion?
    /// Whether another instance has saved the edits, so that the catalog should be reloaded.
    public internal(set) var isSavedElsewhere = false
    /// Whether the edits of the journal are being applied to the file.
    private(set) var isReplaying = false
    /// Counts the changes of the records.
    public internal(set) var revision = 0
    /// The columns of the edited books.
    let columns = EditedColumns()
    /// The shift of the books' positions since it was last taken.
    public internal(set) var shift = BookShift()

    /// What is known of the edited records.
    struct KnownRecords: Sendable {
        var edited: (index: BookIndex, slices: [Range<Int>: [IndexSegment]])?
        /// The number of books that differ from the file's.
        var changedCount = 0
    }

    /// Creates a catalog of `target` with the edits in `journal`.
    init(of target: any EditTarget, _ journal: EditJournal?) { (self.target, self.journal) = (target, journal) }

    /// Creates a catalog with the edits in the journal at `journalPath`.
    ///
    /// - Parameter isDirect: Whether it has the books of the file, and edits are written to it by `saveDirectly` without
    ///   becoming unsaved edits.
    public convenience init(_ base: JSONFileCatalog, journalPath: String?, isDirect: Bool = false) {
        let journal = journalPath.map { EditJournal(path: $0, catalogPath: resolvedPath(base.path) ?? base.path) }
        self.init(of: EditedFile(fork: base), isDirect ? nil : journal)
        if isDirect { direct = DirectEdits(journal) }
    }

    /// Creates a catalog of a source on a server with the edits in the journal at `journalPath`.
    ///
    /// - Parameter isDirect: Whether it has the books of the server, and edits are sent by `saveDirectly` without
    ///   becoming unsaved edits.
    public convenience init(_ mirror: MirroredCatalog, journalPath: String?, isDirect: Bool = false) {
        let journal = journalPath.map { EditJournal(path: $0, catalogPath: mirror.directory.source) }
        self.init(of: EditedServer(mirror), isDirect ? nil : journal)
        if isDirect { direct = DirectEdits(journal) }
    }

    /// The file, or the copy as a file.
    var base: JSONFileCatalog { target.file }

    /// Whether the books can be edited, as far as that is known: servers other than calibre's take no changes.
    public var takesEdits: Bool { mirror?.kind.map { $0 == Publication.Kind.calibre.rawValue } ?? true }

    /// Whether the books are on a server.
    public var isOnServer: Bool { !target.keepsOrder }

    /// The copy of a source on a server; nil for a file.
    public var mirror: MirroredCatalog? { target.mirror }

    /// The copy of a source on a server, which has abilities of its own.
    public var passwordProtected: (any PasswordProtected)? { mirror }

    /// Returns the path of the journal of a catalog; nil if there is no place for one.
    ///
    /// - Parameters:
    ///   - catalog: The path of a file, or the address of a source on a server.
    ///   - directory: The state directory.
    public static func journalPath(of catalog: String, in directory: String?) -> String? {
        let known = SourceAddress(catalog)?.url ?? resolvedPath(catalog)
        guard let directory, let path = known else { return nil }
        return EditJournal.path(ofCatalog: path, in: directory + "/edits")
    }

    /// Returns whether a catalog that is not open has unsaved edits, or a journal that cannot be read.
    ///
    /// - Parameters:
    ///   - path: The absolute path of a file, or the address of a source on a server.
    ///   - directory: The state directory.
    public static func hasUnsavedEdits(ofCatalog path: String, in directory: String) -> Bool {
        EditJournal.hasUnsavedEdits(ofCatalog: path, in: directory + "/edits")
    }

    /// The display name of the catalog.
    public var name: String { base.name }

    /// The path of the file.
    public var path: String { base.path }

    /// Reads the beginning of the file, enough for a screen, and the edits.
    public func open() throws(CatalogError) {
        try target.reloadable.open()
        takeBase()
    }

    // MARK: - Books

    /// The number of books so far.
    public var count: BookCount { .exactly(index.count) }

    /// The progress of reading.
    public var state: SourceState { target.reloadable.state }

    /// The problems found in the file so far.
    public var defects: CatalogDefects { base.defects }

    /// The index of the books so far.
    public var index: BookIndex { edited?.index ?? base.index }

    /// Whether the records are those of the file.
    public var isUnchanged: Bool { !isComplete || sequence.isAll(of: base.index.count) }

    /// Returns the fields of a book that a row shows.
    public func summary(of id: BookID) -> Slot<BookSummary> {
        if isUnchanged { return base.summary(of: id) }
        guard id.index < sequence.count else { return .gone }
        switch sequence[id.index] {
        case .original(let numbers): return base.summary(of: BookID(numbers.lowerBound))
        case .changed(let record): return .ready(BookSummary(of: record.book))
        }
    }

    /// Returns the book decoded from its record.
    public func book(_ id: BookID) -> Slot<Book> {
        if isUnchanged { return base.book(id) }
        guard id.index < sequence.count else { return .gone }
        switch sequence[id.index] {
        case .original(let numbers): return base.book(BookID(numbers.lowerBound))
        case .changed(let record): return .ready(record.book)
        }
    }

    /// All books in catalog order.
    public var all: any RowSource { BookList(allOf: index.count) }

    /// A reader of the books so far.
    public var concurrentReader: any ConcurrentBookReader {
        isUnchanged ? base.concurrentReader : EditedBookReader(base: base.concurrentReader, sequence: sequence)
    }

    /// Reads books of the file that are not in memory on another thread from now on.
    public func fetch(waiting patience: Int, notifying notify: @escaping @Sendable () -> Void) {
        base.fetch(waiting: patience, notifying: notify)
    }

    /// Whether books of the file are being read on another thread.
    public var isFetching: Bool { base.isFetching }

    // MARK: - Loading

    /// Starts reading the rest of the file in the background.
    public func start(waking wake: @escaping @Sendable () -> Void) { target.reloadable.start(waking: wake) }

    /// Adopts the data that was read or saved in the background.
    public func receive() -> Bool {
        let hasMore = target.reloadable.receive()
        takeBase()
        return hasMore
    }

    /// Adopts what was read of the file, without asking a server whether it has changed.
    public func receiveFile() {
        _ = base.receive()
        takeBase()
    }

    /// Applies the edits of the journal once the whole file has been read.
    private func takeBase() {
        guard !isComplete, target.isRead else { return }
        if let mirror, takesEdits, !mirror.settleFirstCopy() { return }
        isComplete = true
        sequence = RecordSequence(allOf: base.index.count)
        missing = [:]
        knownFormat = nil
        guard journal != nil else { return }
        readJournal()
        applyPending()
    }

    /// Applies the edits of the journal to the records of the file.
    private func applyPending() {
        clashes = []
        let doubtfulCount = base.fingerprint.map(history.doubtfulCount(in:)) ?? 0
        isReplaying = true
        for (number, edit) in history.pending.enumerated() { _ = apply(edit, isDoubtful: number < doubtfulCount) }
        isReplaying = false
        noteChangedRecords()
    }

    /// Applies the edits of the journal again.
    func replay() {
        sequence = RecordSequence(allOf: base.index.count)
        missing = [:]
        applyPending()
        revision += 1
        shift = .unknown
    }

    private func readJournal() {
        if let journal, journal.isPutOff || journal.putOffIfSaved() { return }
        // An unreadable journal is read before the next edit.
        for entry in (try? journal?.newEntries()) ?? [] { history.take(entry) }
        if let fingerprint = base.fingerprint { history.complete(fingerprint) }
    }

    /// Reads the journal if that was deferred because everything was saved, and applies newer edits.
    func readJournalNow() {
        guard isComplete, let journal, journal.isPutOff else { return }
        takeAll(journal.readPutOff())
    }

    /// Whether there are unsaved edits; known before the whole file has been read.
    public var hasPendingEdits: Bool {
        if !isComplete { readJournal() }
        return !history.pending.isEmpty
    }

    // MARK: - Reloading

    /// Whether the file can be read again, unlike a pipe.
    public var canReload: Bool { target.reloadable.canReload }

    /// Whether the file has changed since it was opened.
    public var isOutdated: Bool { saving == nil && target.reloadable.isOutdated }

    /// Whether the newer copy of a server is shown automatically.
    public var reloadsUnasked: Bool { target.reloadable.reloadsUnasked }

    /// Returns what reads the parts of files that the next reload needs.
    public func reloadPreparation() -> (@Sendable () -> Void)? { target.reloadable.reloadPreparation() }

    /// Rereads the beginning of the file; the edits are applied once the whole file has been read.
    public func reload() throws(CatalogError) {
        try target.reloadable.reload()
        forgetBase()
        takeBase()
    }

    private func forgetBase() {
        (isComplete, missing, knownFormat) = (false, [:], nil)
        sequence = RecordSequence(allOf: 0)
        showFile()
        (clashes, isSavedElsewhere) = ([], false)
        revision += 1
        shift = .unknown
    }

    /// Rereads the whole file, and applies the edits to it.
    func reloadCompletely() throws(CatalogError) {
        try target.reloadable.reload()
        forgetBase()
        base.readRest()
        takeBase()
    }

    /// Watches the file for changes; nil for a pipe.
    public func watch(waking wake: @escaping @Sendable () -> Void) -> AnyObject? {
        target.reloadable.watch(waking: wake)
    }

    // MARK: - Records

    /// The way the records are read.
    public var format: CatalogFormat? { base.format }

    /// Returns the record of a book.
    public func record(_ id: BookID) -> JSONValue? { bytes(of: id).flatMap { JSONValue(parsing: $0) } }

    /// Returns the record of a book with its spelling.
    public func spelledRecord(_ id: BookID) -> SpelledObject? { bytes(of: id).flatMap { SpelledObject(parsing: $0) } }

    /// Returns the bytes of the record of a book, or nil if it is gone.
    public func bytes(of id: BookID) -> [UInt8]? {
        guard isUnchanged || id.index < sequence.count else { return nil }
        let piece = isUnchanged ? .original(id.index..<id.index + 1) : sequence[id.index]
        return bytes(of: piece)
    }

    /// Returns the bytes of the record in a piece with one record.
    func bytes(of piece: RecordSequence.Piece) -> [UInt8]? {
        switch piece {
        case .original(let numbers): ((try? CatalogText(base)?.record(BookID(numbers.lowerBound))) ?? nil)?.bytes
        case .changed(let record): record.bytes
        }
    }

    /// Returns the line and column of records in the file, for records that it contains.
    public func positions(of places: [RecordLocation]) -> [TextPosition] { base.positions(of: places) }

    /// Returns the format of the records.
    func recordFormat() throws(CatalogEditError) -> RecordFormat {
        // More of the catalog's own fields may have become known.
        if let knownFormat, knownFormat.mapping.own == base.format?.mapping.own { return knownFormat }
        let format = try RecordFormat(of: base)
        knownFormat = format
        return format
    }

    // MARK: - Edited records

    /// Notes that `sequence` has changed, so that the index is made again when it is needed.
    func noteChangedRecords() { hasChangedRecords = true }

    /// What is known of the records now.
    var knownRecords: KnownRecords {
        get {
            if hasChangedRecords { examineRecords() }
            return known
        }
        set { (known, hasChangedRecords) = (newValue, false) }
    }

    private var edited: (index: BookIndex, slices: [Range<Int>: [IndexSegment]])? { knownRecords.edited }

    /// Notes that the records are those of the file.
    private func showFile() {
        knownRecords = KnownRecords()
        columns.forgetAll()
    }

    /// Makes the index of the edited books. Linear in the pieces.
    private func examineRecords() {
        hasChangedRecords = false
        known.changedCount = sequence.unsavedCount(of: base.index.count)
        // Only the text between the records may differ, if a book was moved away and back.
        if known.changedCount == 0, target.keepsOrder, !sequence.hasGaps(of: base.index.count) {
            known.changedCount = 1
        }
        if sequence.isAll(of: base.index.count) {
            known.edited = nil
            return
        }
        var index = BookIndex()
        var used: [Range<Int>: [IndexSegment]] = [:]
        for piece in sequence.pieces {
            switch piece {
            case .original(let numbers):
                let segments = known.edited?.slices[numbers] ?? base.index.segments(of: numbers)
                used[numbers] = segments
                for segment in segments { index.append(segment) }
            case .changed(let record): index.append(record.segment)
            }
        }
        known.edited = (index, used)
    }

    /// Adopts the saved file, which now contains the edited records.
    func adoptSaved(_ segments: [IndexSegment]?, _ fingerprint: RandomAccessInput.Fingerprint) {
        knownFormat = nil
        let edited = columns.all(of: sequence, in: base)
        guard let segments, base.defects.isEmpty, base.adopt(segments, of: fingerprint) else {
            // Reload as if the file had just been opened.
            try? reloadCompletely()
            return
        }
        base.adopt(edited)
        sequence = RecordSequence(allOf: base.index.count)
        missing = [:]
        showFile()
    }

    /// Records that positions of books have changed.
    func note(_ edit: CatalogEdit) {
        revision += 1
        shift.append(edit)
    }

    /// Returns the shift of the books' positions since the last call.
    public func takeShift() -> BookShift {
        defer { shift = BookShift() }
        return shift
    }

    // MARK: - Background work

    /// Waits until the index is cached.
    public func finishKeepingIndex() { base.finishKeepingIndex() }

    /// The directory of the journal of the edits; nil if they are not kept, or cannot be made.
    public var journalDirectory: String? { takesEdits ? journal?.directoryPath : nil }

    /// Waits until a long journal is shortened.
    public func finishShorteningJournal() { journal?.finishShortening() }
}
