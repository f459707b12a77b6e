public import Books
public import Indexing
public import JSON
internal import Storage

/// A catalog file with edits that are not saved in it yet. Its books, its index and its records are those after the edits.
///
/// Each edit is in the journal, and so on disk, before it has an effect. The numbers of the books are their positions in the
/// edited catalog: they change when books are added, deleted or moved, but not with their fields.
public final class EditedCatalog: LocallyIndexed, ConcurrentlyReadable, Reloadable, TextBacked, Editable {
    /// The file.
    let base: JSONFileCatalog
    /// The journal of the edits; nil if there is no directory for it.
    private(set) var journal: EditJournal?
    /// What the journal says.
    var history = EditHistory()
    /// The records in their order.
    var sequence = RecordSequence(allOf: 0)
    /// The records of the file that are not in `sequence`, by their number, as they were when they were taken out.
    var missing: [Int: RecordSequence.Piece] = [:]
    /// The index of the edited books, if it is not that of the file, and the parts of segments that it has, by the records
    /// of the file.
    private var edited: (index: BookIndex, slices: [Range<Int>: [IndexSegment]])?
    /// The editor that knows the shape of the records, if one was needed.
    private var knownEditor: CatalogEditor?
    /// Whether all books of the file have been read, so that they can be edited.
    private(set) var isComplete = false
    /// The edits that clash with what others changed in the file.
    public internal(set) var clashes: [EditClash] = []
    /// The number of books that differ from those of the file, and of edits that clash with what others changed there.
    public var unsavedCount: Int { changedCount + clashes.count }
    /// The number of books that differ from those of the file.
    private var changedCount = 0
    /// The save in the background, if any.
    var saving: PendingSave?
    /// Whether another instance has saved the edits, so that the catalog should be reloaded.
    public internal(set) var isSavedElsewhere = false
    /// Whether the edits of the journal are being applied to the file.
    private(set) var isReplaying = false
    /// Counts what became of the records.
    public private(set) var revision = 0
    /// What became of the positions of the books since this was taken.
    public internal(set) var shift = BookShift()

    /// Creates a catalog with the edits in the journal at `journalPath`.
    public init(_ base: JSONFileCatalog, journalPath: String?) {
        self.base = base
        journal = journalPath.map { EditJournal(path: $0, catalogPath: resolvedPath(base.path) ?? base.path) }
    }

    /// Returns the path of the journal of a catalog.
    ///
    /// - Parameter directory: The directory for state that is kept.
    public static func journalPath(of catalog: String, in directory: String?) -> String? {
        guard let directory, let path = resolvedPath(catalog) else { return nil }
        return "\(directory)/edits/\(checksum(of: Array(path.utf8)).hexadecimal).jsonl"
    }

    /// The display name of the catalog.
    public var name: String { base.name }

    /// The path of the file.
    public var path: String { base.path }

    /// Reads the beginning of the file, enough for a screen, and the edits.
    public func open() throws(CatalogError) {
        try base.open()
        takeBase()
    }

    // MARK: - Books

    /// The number of books so far.
    public var count: BookCount { .exactly(index.count) }

    /// The progress of reading.
    public var state: SourceState { base.state }

    /// The problems found in the file so far.
    public var defects: CatalogDefects { base.defects }

    /// The index of the books so far.
    public var index: BookIndex { edited?.index ?? base.index }

    /// Whether the records are those of the file.
    public var isUnchanged: Bool { edited == nil }

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

    // MARK: - Loading

    /// Starts to read the rest of the file in the background.
    public func start(waking wake: @escaping @Sendable () -> Void) { base.start(waking: wake) }

    /// Takes over what was read or saved in the background.
    public func receive() -> Bool {
        let hasMore = base.receive()
        takeBase()
        return hasMore
    }

    /// Applies the edits of the journal as soon as all of the file has been read.
    private func takeBase() {
        guard !isComplete, base.format != nil, !base.state.isLoading else { return }
        isComplete = true
        sequence = RecordSequence(allOf: base.index.count)
        missing = [:]
        knownEditor = nil
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
        rebuildIndex()
    }

    /// Applies the edits of the journal anew.
    func replay() {
        sequence = RecordSequence(allOf: base.index.count)
        missing = [:]
        applyPending()
        revision += 1
        shift = .unknown
    }

    private func readJournal() {
        if let journal, let fingerprint = base.fingerprint, journal.isPutOff || journal.putOff(for: fingerprint) {
            return
        }
        // What cannot be read now is read before the next edit.
        for entry in (try? journal?.newEntries()) ?? [] { history.take(entry) }
        if let fingerprint = base.fingerprint { history.complete(fingerprint) }
    }

    /// Reads the journal if that was put off, since all of it was saved; what others edited since is applied.
    func readJournalNow() {
        guard isComplete, let journal, journal.isPutOff else { return }
        takeAll(journal.readPutOff())
    }

    /// Whether there are edits that are not saved, known before all of the file has been read.
    public var hasPendingEdits: Bool {
        if !isComplete { readJournal() }
        return !history.pending.isEmpty
    }

    // MARK: - Reloading

    /// Whether the file can be read again, unlike a pipe.
    public var canReload: Bool { base.canReload }

    /// Whether the file has changed since it was opened.
    public var isOutdated: Bool { saving == nil && base.isOutdated }

    /// Reads the beginning of the file again, and applies the edits to it when it has been read.
    public func reload() throws(CatalogError) {
        try base.reload()
        forgetBase()
        takeBase()
    }

    private func forgetBase() {
        (isComplete, edited, missing, knownEditor) = (false, nil, [:], nil)
        sequence = RecordSequence(allOf: 0)
        (clashes, changedCount, isSavedElsewhere) = ([], 0, false)
        revision += 1
        shift = .unknown
    }

    /// Reads all of the file again, and applies the edits to it.
    func reloadCompletely() throws(CatalogError) {
        try base.reload()
        forgetBase()
        base.readRest()
        takeBase()
    }

    /// Watches the file for changes; nil for a pipe.
    public func watch(waking wake: @escaping @Sendable () -> Void) -> AnyObject? { base.watch(waking: wake) }

    // MARK: - Records

    /// The way the records are read.
    public var format: CatalogFormat? { base.format }

    /// Returns the record of a book.
    public func record(_ id: BookID) -> JSONValue? { bytes(of: id).flatMap { JSONValue(parsing: $0) } }

    /// Returns the bytes of the record of a book; nil if it is gone.
    public func bytes(of id: BookID) -> [UInt8]? {
        guard isUnchanged || id.index < sequence.count else { return nil }
        let piece = isUnchanged ? .original(id.index..<id.index + 1) : sequence[id.index]
        return bytes(of: piece)
    }

    /// A record that was read.
    struct DecodedRecord {
        var bytes: [UInt8]
        var value: JSONValue
        var book: Book
    }

    /// Returns the record of a book; nil if it is gone.
    func decodedRecord(of id: BookID) -> DecodedRecord? {
        guard isUnchanged || id.index < sequence.count, let text = base.text() else { return nil }
        func decoded(_ bytes: [UInt8]?) -> DecodedRecord? {
            guard let bytes, let value = JSONValue(parsing: bytes) else { return nil }
            return DecodedRecord(bytes: bytes, value: value, book: text.reader.decoder.mapping.book(from: value))
        }
        if !isUnchanged, case .changed(let record) = sequence[id.index] { return decoded(record.bytes) }
        guard case .original(let numbers) = isUnchanged ? .original(id.index..<id.index + 1) : sequence[id.index],
            let range = text.rangeAsIndexed(of: BookID(numbers.lowerBound)),
            let record = decoded(try? text.bytes(in: range)),
            // The file may have been written since it was indexed.
            MatchKeys(of: record.book) == index.keys(of: id)
        else { return nil }
        return record
    }

    /// Returns what stands around the record of a book in the file; nil if it does not stand there as in the edited catalog.
    func surroundings(of id: BookID) -> RecordSurroundings? {
        guard index.count == base.index.count, let text = base.text() else { return nil }
        if !isUnchanged, case .changed(let record) = sequence[id.index], record.origin != id.index { return nil }
        if !isUnchanged, case .original(let numbers) = sequence[id.index], numbers.lowerBound != id.index { return nil }
        return text.surroundings(of: id, hasLines: (try? shapes())?.hasLines ?? false)
    }

    /// Returns the bytes of the record in a piece of one.
    func bytes(of piece: RecordSequence.Piece) -> [UInt8]? {
        switch piece {
        case .original(let numbers): ((try? base.text()?.record(BookID(numbers.lowerBound))) ?? nil)?.bytes
        case .changed(let record): record.bytes
        }
    }

    /// Returns the line and column of records in the file; those that are not there have none.
    public func positions(of places: [RecordLocation]) -> [TextPosition] { base.positions(of: places) }

    /// Returns an editor of the file, which knows nothing of edits that are not saved.
    public func editor() throws(CatalogEditError) -> CatalogEditor { try base.editor() }

    /// The editor that knows the shape of the records.
    func shapes() throws(CatalogEditError) -> CatalogEditor {
        if let knownEditor { return knownEditor }
        let editor = try base.editor()
        knownEditor = editor
        return editor
    }

    // MARK: - Edited records

    /// Makes the index of the edited books. Linear in the pieces.
    func rebuildIndex() {
        changedCount = sequence.unsavedCount(of: base.index.count)
        if sequence.isAll(of: base.index.count) {
            edited = nil
            return
        }
        var index = BookIndex()
        var used: [Range<Int>: [IndexSegment]] = [:]
        for piece in sequence.pieces {
            switch piece {
            case .original(let numbers):
                let segments = edited?.slices[numbers] ?? base.index.segments(of: numbers)
                used[numbers] = segments
                for segment in segments { index.append(segment) }
            case .changed(let record): index.append(record.segment)
            }
        }
        edited = (index, used)
    }

    /// Takes over that the file has the edited records now.
    func adoptSaved(_ segments: [IndexSegment]?, _ fingerprint: RandomAccessInput.Fingerprint) {
        knownEditor = nil
        guard let segments, base.defects.isEmpty, base.adopt(segments, of: fingerprint) else {
            // What follows is read as if the file had been opened now.
            try? reloadCompletely()
            return
        }
        sequence = RecordSequence(allOf: base.index.count)
        (edited, missing, changedCount) = (nil, [:], 0)
    }

    /// Notes that books got other positions.
    func note(_ edit: CatalogEdit) {
        revision += 1
        shift.append(edit)
    }

    /// Returns what became of the positions of the books since this was called last.
    public func takeShift() -> BookShift {
        defer { shift = BookShift() }
        return shift
    }

    // MARK: - On another thread

    /// The catalog with its edits as they are, to be edited on another thread.
    public struct Copy: Sendable {
        fileprivate let base: JSONFileCatalog.Copy
        fileprivate let journal: EditJournal.Copy?
        fileprivate let history: EditHistory
        fileprivate let sequence: RecordSequence
        fileprivate let missing: [Int: RecordSequence.Piece]
        fileprivate let edited: (index: BookIndex, slices: [Range<Int>: [IndexSegment]])?
        fileprivate let clashes: [EditClash]
        fileprivate let changedCount: Int
        fileprivate let shift: BookShift
        /// The revision of the catalog that it was made of.
        fileprivate let revision: Int
    }

    /// A copy, in which nothing is shared that changes; nil if the file is not read to its end, or is being saved.
    public var copy: Copy? {
        guard isComplete, saving == nil, let base = base.copy else { return nil }
        return Copy(
            base: base, journal: journal?.copy, history: history, sequence: sequence, missing: missing, edited: edited,
            clashes: clashes, changedCount: changedCount, shift: shift, revision: revision)
    }

    /// Creates the catalog of a copy, which writes the same journal. It cannot be loaded, reloaded or saved.
    public init(_ copy: Copy) {
        base = JSONFileCatalog(copy.base)
        isComplete = true
        take(copy)
        shift = BookShift()
    }

    /// Replaces the edits by those of a copy that was edited elsewhere.
    ///
    /// - Parameter original: The copy before it was edited.
    /// - Returns: False if the catalog, or the file, has changed since: the edits of the copy are in the journal then, like
    ///   those of another instance.
    public func receive(_ copy: Copy, madeOf original: Copy) -> Bool {
        guard isComplete, saving == nil, original.revision == revision, !copy.shift.isUnknown else { return false }
        let before = shift
        take(copy)
        shift = before
        shift.append(copy.shift)
        revision += 1
        return true
    }

    private func take(_ copy: Copy) {
        journal = copy.journal.map { EditJournal($0) }
        (history, sequence, missing, edited) = (copy.history, copy.sequence, copy.missing, copy.edited)
        (clashes, changedCount) = (copy.clashes, copy.changedCount)
    }

    /// Waits until the index is kept.
    public func finishKeepingIndex() { base.finishKeepingIndex() }

    /// Waits until a long journal is shortened.
    public func finishShorteningJournal() { journal?.finishShortening() }
}
