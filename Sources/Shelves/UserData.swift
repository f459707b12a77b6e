internal import Books
internal import CSystem
internal import Glibc
internal import JSON
public import Storage
internal import Threading

/// The user data, separate from catalogs: favourites, shelves, reading status, ratings, notes and saved searches.
///
/// Each change is a line of the journal `history.jsonl`, which is on disk before the call returns, unless changes are
/// saved in the background. Any number of instances and processes may use one journal: each reads the others' changes
/// before it writes, and the later of two changes of one value wins. `shelves.json` is a snapshot of the state at a
/// position of the journal, so that the start need not replay all of it.
public final class UserData {
    /// The directory of the files; nil keeps changes in memory only.
    let directory: String?
    private var journal: Journal?
    let now: @Sendable () -> Timestamp
    /// The state after replaying the journal and `unsaved`.
    var replay = JournalReplay()
    /// The lines that are not written yet: those that are being saved in the background, those that could not be
    /// written and are retried with the next change, and those that have no file.
    var unsaved: [JournalEntry] = []
    /// The changes that are being saved in the background.
    var saving: PendingUserData?
    /// The thread that saves them.
    let savingThread = SerialThread()
    /// Called on any thread when changes were saved in the background; nil if each is on disk before the call returns.
    private(set) var notifySaved: (@Sendable () -> Void)?
    /// The new identities of user data whose intended identities other processes took before it was saved.
    private var renamed: [BookIdentity: BookIdentity] = [:]
    var isLoaded: Bool
    /// Whether the snapshot belongs to a later version, whose files must not be changed.
    private var isReadOnly = false
    /// Members of the snapshot that this version does not know.
    private var unknownMembers: [JSONValue.Member] = []
    /// The checksum of the snapshot that was last read or written.
    private var snapshotSum: UInt64?
    /// The version of the snapshot that was last read or written; 0 if there is none.
    private var snapshotVersion = 0
    /// A notice for the user about files that cannot be read and where they are now.
    public private(set) var notice: String?
    /// A counter that grows with each change by this or another instance, so that views can detect changes.
    public internal(set) var changeCount = 0
    /// The absolute path of the open catalog: edits of others are not undone here.
    public var openCatalog: String?
    /// What the open catalog has now, while earlier versions did not read it; nil if they read the same.
    public var rereading: () -> Rereading? = { nil }
    /// The number of journal lines that the snapshot does not include. Call `saveSnapshot()` if they are thousands or
    /// the program is idle.
    public private(set) var newLineCount = 0

    /// Creates the user data of the files in `directory`, which are not loaded yet; nil keeps changes in memory only.
    public convenience init(directory: String?) {
        self.init(directory: directory, now: { .now })
    }

    /// Creates the user data like `init(directory:)` with `now` as its clock.
    init(directory: String?, now: @escaping @Sendable () -> Timestamp) {
        self.directory = directory
        self.now = now
        isLoaded = directory == nil
        journal = directory.map { Journal(path: $0.journal) }
    }

    /// Whether changes are saved to disk.
    public var isSaved: Bool { directory != nil && !isReadOnly }

    /// Whether any change could not be saved yet.
    public var hasUnsavedChanges: Bool { isSaved && !unsaved.isEmpty && saving == nil }

    /// The path of the journal, if changes are stored.
    public var path: String? { directory?.journal }

    /// Whether the files have been loaded.
    public var isRead: Bool { isLoaded }

    /// The directory of the files, if changes are stored.
    public var filesDirectory: String? { directory }

    /// Whether a file is larger than 1 MB, so that the first screen should not wait for it.
    public var isLarge: Bool {
        guard let directory else { return false }
        return [directory.journal, directory.snapshot].contains { path in
            var status = stat()
            return stat(path, &status) == 0 && status.st_size > 1 << 20
        }
    }

    /// The number of lines read from the journal that could not be parsed; a crash can leave a torn one.
    public var unreadableLineCount: Int { replay.unreadableLineCount }

    /// The user data of books. Holding a copy makes the next change copy all of it.
    public var books: UserDataTable { replay.state.books }

    /// The shelves in the user's order.
    public var shelves: [Shelf] { replay.state.shelves.entries.map { Shelf(id: $0.id, name: $0.name) } }

    /// The saved searches in the user's order.
    public var queries: [SavedSearch] {
        replay.state.queries.entries.map { SavedSearch(id: $0.id, name: $0.name, text: $0.text ?? "", sort: $0.sort) }
    }

    /// Whether no book has user data.
    public var isEmpty: Bool { replay.state.books.isEmpty }

    /// Whether the reader says of some books that they are not the same. Linear in the books with user data.
    public var hasDistinctions: Bool { replay.state.hasDistinctions }

    /// Returns user data without deleted shelves, and without the books that it is not.
    public func shown(_ bookData: UserBookData) -> UserBookData {
        if bookData.shelves.isEmpty, bookData.distinctions.isEmpty { return bookData }
        var bookData = bookData
        bookData.distinctions = []
        bookData.shelves.formIntersection(replay.state.shelves.entries.map(\.id))
        return bookData
    }

    /// Loads the files, or only the changes of other instances since the last call, which is almost free if there are
    /// none.
    ///
    /// - Throws: `FileError` if they cannot be read; the data known so far is kept.
    public func load() throws(FileError) {
        // Lines that are being written here would be taken for those of others.
        guard let directory, let journal, saving == nil else { return }
        if !isLoaded {
            receive(try UserData.read(directory: directory))
            return
        }
        let lines = try journal.newLines()
        if lines.isEmpty { return }
        receive(lines, replacing: journal.replacement)
    }

    /// Adopts content that was read on another thread. If the files are loaded already, only newer changes are read;
    /// unsaved changes are kept.
    ///
    /// - Returns: Whether the user data is now exactly that of `content`.
    @discardableResult
    public func receive(_ content: Content) -> Bool {
        guard let directory else { return false }
        if isLoaded {
            // An error will be reported with the next change.
            try? load()
            return false
        }
        isLoaded = true
        rebase { take(content, of: directory) }
        changeCount += 1
        return unsaved.isEmpty
    }

    func take(_ content: Content, of directory: String?) {
        replay = content.replay
        journal = directory.map { Journal(path: $0.journal, from: content.position) }
        isReadOnly = content.isReadOnly
        unknownMembers = content.unknownMembers
        snapshotSum = content.snapshotSum
        snapshotVersion = content.snapshotVersion
        notice = content.notice
        newLineCount = content.newLineCount
    }

    /// The present content, without the changes of the files that are not loaded yet.
    var content: Content {
        Content(
            replay: replay, position: journal?.position ?? .start, isReadOnly: isReadOnly,
            unknownMembers: unknownMembers, snapshotSum: snapshotSum, snapshotVersion: snapshotVersion,
            notice: notice, newLineCount: newLineCount)
    }

    private func receive(_ lines: [ArraySlice<UInt8>], replacing replacement: Journal.Replacement?) {
        rebase { replay.take(lines, replacing: replacement) }
        newLineCount += lines.count
        changeCount += 1
    }

    /// Returns the last lines of the journal in at most `count` bytes and whether these are all.
    func lastLines(inBytes count: Int) throws(FileError) -> (lines: [ArraySlice<UInt8>], areAll: Bool) {
        try journal?.lastLines(inBytes: count) ?? ([], true)
    }

    /// The current time.
    var moment: Timestamp { now() }

    /// Today's local date as it enters the data: "2026-11-21".
    public var today: String { now().day }

    /// Loads the files if they are not loaded yet.
    func loadOnce() {
        // If loading fails, the change is kept in memory, and the error is reported when it is saved.
        if !isLoaded { try? load() }
    }

    /// Adds a line to the unsaved ones, with its number and the previous value, and applies it unless it changes
    /// nothing.
    ///
    /// - Parameter step: The step that the line belongs to; nil starts a new one.
    /// - Returns: The id of the step.
    func add(_ line: JournalEntry, at moment: Timestamp, step: Int?) -> Int? {
        var line = line
        line.old = replay.state[line.subject]
        if line.old == line.value { return step }
        line.sequence = (unsaved.last?.sequence ?? replay.sequence) + 1
        line.step = step ?? line.sequence
        line.date = moment.date
        unsaved.append(line)
        replay.state.apply(line)
        return line.step
    }

    /// Describes a step that is not saved yet in its first line: the number of books, and the file that it imports.
    func describe(step: Int, bookCount: Int, importing file: String? = nil, ratingStep: Int? = nil) {
        guard let index = unsaved.lastIndex(where: { $0.sequence == step }) else { return }
        if bookCount > 1 { (unsaved[index].bookCount, unsaved[index].ratingStep) = (bookCount, ratingStep) }
        unsaved[index].importedFile = file
    }

    /// Saves the added lines, in the background if that was asked for.
    ///
    /// - Throws: `FileError` if they could not be saved; they are kept in memory then.
    func commit() throws(FileError) {
        changeCount += 1
        renamed = [:]
        unsaved.groupLastStepByField()
        if notifySaved == nil { try save() } else { try startSaving() }
    }

    /// Saves changes in the background from now on. Call `receiveSaved(waiting:)` after each notice.
    ///
    /// - Parameter notify: Called on any thread when changes were saved, or could not be.
    public func saveInBackground(notifying notify: @escaping @Sendable () -> Void) { notifySaved = notify }

    /// Writes the changes that are not written yet, if any, and waits for those that are being saved.
    ///
    /// - Throws: `FileError` if they cannot be written.
    public func save() throws(FileError) {
        finishSaving()
        _ = try write(besidesOthers: true)
    }

    /// Writes the changes that are not written yet.
    ///
    /// - Parameter takesOthers: Whether changes of others in the meantime are adopted; otherwise nothing is written if
    ///   there are any.
    /// - Returns: Whether all are written.
    func write(besidesOthers takesOthers: Bool) throws(FileError) -> Bool {
        guard isSaved, !unsaved.isEmpty else { return true }
        if !isLoaded { try load() }
        guard isSaved, let journal else { return true }
        if needsSnapshot { try raiseSnapshotVersion(to: JournalEntry.neededVersion(of: unsaved)) }
        var isRefused = false
        try journal.append { lines in
            if !lines.isEmpty {
                isRefused = !takesOthers
                if isRefused { return [] }
                receive(lines, replacing: journal.replacement)
            }
            return JournalEntry.lines(of: unsaved)
        }
        if isRefused { return false }
        noteWritten(unsaved.count, upTo: journal.position)
        return true
    }

    /// Whether the lines that are not written yet need a snapshot of a later version.
    var needsSnapshot: Bool {
        snapshotVersion < Snapshot.currentVersion && snapshotVersion < JournalEntry.neededVersion(of: unsaved)
    }

    /// The path of the journal and the position up to which it is known, if changes are stored.
    var journalPlace: (path: String, position: Journal.Position)? { journal.map { ($0.path, $0.position) } }

    /// Notes that the first of the lines that were not written are in the journal, which ends at `position`.
    func noteWritten(_ lineCount: Int, upTo position: Journal.Position) {
        if let journal, journal.position != position { self.journal = Journal(path: journal.path, from: position) }
        if lineCount > 0 {
            let last = unsaved[lineCount - 1]
            (replay.sequence, replay.date) = (last.sequence, last.date)
        }
        newLineCount += lineCount
        unsaved.removeFirst(lineCount)
    }

    /// Whether new user data was saved under other identities because the intended ones were taken in the meantime.
    var hasRenamed: Bool { !renamed.isEmpty }

    /// Returns the identity under which new user data was saved, which differs from `identity` if that was taken in the
    /// meantime.
    func savedName(of identity: BookIdentity) -> BookIdentity { renamed[identity] ?? identity }

    /// Performs `change` on the state without the unsaved lines, then applies these again.
    private func rebase(_ change: () -> Void) {
        if unsaved.isEmpty { return change() }
        for line in unsaved.reversed() { replay.state.apply(line.reversed) }
        var rebasing = Rebase(of: unsaved, from: replay.state)
        change()
        unsaved = rebasing.lines(onto: &replay.state, after: replay.sequence)
        renamed.merge(rebasing.identities) { $1 }
    }

    /// Writes the snapshot if the journal has grown since, including lines by other instances. Call it when the program
    /// is idle, at the end, and when the journal has grown long.
    ///
    /// - Throws: `FileError`; the old snapshot is kept.
    public func saveSnapshot() throws(FileError) {
        finishSaving()
        guard let directory, let journal else { return }
        try load()
        // The snapshot must not contain more than the journal.
        try save()
        guard isSaved, newLineCount > 0 else { return }
        if try writeSnapshot(to: directory.snapshot, upTo: journal.position) { newLineCount = 0 }
    }

    /// Prepares for a step of `count` changes. A step of several changes needs a snapshot that says so.
    /// Writing it before the step saves `save()` from reverting and reapplying all changes of the step around it.
    ///
    /// If it fails, saving the step fails too and reports the error.
    func prepareForStep(of count: Int) {
        if count < 2 { return }
        if isSaved, unsaved.isEmpty, snapshotVersion < Snapshot.commonVersion {
            try? raiseSnapshotVersion(to: Snapshot.commonVersion)
        }
        unsaved.reserveCapacity(unsaved.count + count)
        replay.state.reserveCapacity(forMore: count)
    }

    /// Replaces a missing snapshot, or one of an earlier version, by one of the saved changes in this version.
    private func raiseSnapshotVersion(to version: Int) throws(FileError) {
        guard let directory, let journal else { return }
        var failure: FileError?
        rebase {
            do throws(FileError) {
                if try writeSnapshot(to: directory.snapshot, upTo: journal.position, in: version) { newLineCount = 0 }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }

    /// Writes the state as the snapshot of the journal up to `position`.
    ///
    /// - Parameter version: The version of the format that is needed at least.
    /// - Returns: Whether it was written; not if a later version of the program owns the file.
    private func writeSnapshot(
        to path: String, upTo position: Journal.Position, in version: Int = Snapshot.commonVersion
    ) throws(FileError) -> Bool {
        let file = AtomicFile(path: path)
        var isWritten = false
        // Try again after a damaged snapshot has been renamed.
        for _ in 1...2 where isSaved && !isWritten {
            try file.update { current in
                if let current, !prepare(toReplace: current, of: file) { return nil }
                // The version never falls: the journal still has the lines that needed it.
                let isNew = snapshotVersion == Snapshot.currentVersion || replay.state.isOfCurrentVersion
                let version = isNew ? Snapshot.currentVersion : version
                let bytes = Snapshot(
                    state: replay.state, position: position, sequence: replay.sequence, date: replay.date,
                    unknownMembers: unknownMembers, version: version
                ).bytes
                snapshotSum = SnapshotReading.checksum(in: bytes)
                snapshotVersion = version
                isWritten = true
                return bytes
            }
        }
        return isWritten
    }

    /// Checks the existing snapshot, which others may have written, before it is replaced.
    ///
    /// - Returns: Whether it may be replaced.
    private func prepare(toReplace current: [UInt8], of file: AtomicFile) -> Bool {
        if let sum = SnapshotReading.checksum(in: current), sum == snapshotSum { return true }
        switch SnapshotReading(current) {
        case .intact(let snapshot):
            // A snapshot of another journal may contain data that is missing from this one.
            if let journal, journal.position.head != snapshot.position.head { replay.state.merge(snapshot.state) }
            replay.state.mergeUnknown(snapshot.state)
            unknownMembers = snapshot.unknownMembers
            // Another instance may have raised it.
            snapshotVersion = max(snapshotVersion, snapshot.version)
            return true
        case .newer:
            isReadOnly = true
            notice = Content.noticeOfLaterVersion(file.path)
            changeCount += 1
            return false
        case .damaged:
            // Keep the damaged bytes: renaming moves a symbolic link, so that new content is not written through it.
            guard let aside = try? file.moveAside() else { return false }
            notice = Content.noticeOfDamage(file.path, aside: aside)
            changeCount += 1
            return false
        }
    }
}

extension String {
    /// The path of the journal in the directory with this path.
    var journal: String { self + "/history.jsonl" }

    /// The path of the snapshot in the directory with this path.
    var snapshot: String { self + "/shelves.json" }
}
