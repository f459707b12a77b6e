internal import Books
internal import Glibc
internal import JSON
public import Storage

/// What is the reader's own, apart from the catalogs it is about: favourites, shelves, reading status, ratings, notes and
/// saved queries.
///
/// Each change is a line of the journal `history.jsonl`, and on the disk before the call returns. Any number of instances and
/// processes may change one journal: each takes in what others did before it writes, and of two changes to one thing the
/// later counts. `shelves.json` says what the journal came to, up to a place in it, so that the start need not read it all.
public final class UserData {
    /// Where the files are; nil where there are none.
    private let directory: String?
    private var journal: Journal?
    private let now: () -> Timestamp
    /// What the journal, and after it `unsaved`, came to.
    private(set) var ledger = JournalReplay()
    /// The lines that could not be written yet, or that there is no place for. They are tried again with the next change.
    private(set) var unsaved: [JournalEntry] = []
    /// What new marks are called now whose names others took before they were saved.
    private var renamed: [BookIdentity: BookIdentity] = [:]
    private var isLoaded: Bool
    /// Whether the snapshot is a later version's, which must find its files as it left them.
    private var isReadOnly = false
    /// What the snapshot has that is unknown here.
    private var unknownMembers: [JSONValue.Member] = []
    /// The checksum of the snapshot that was read or written last.
    private var snapshotSum: UInt64?
    /// What the reader must know: what cannot be read, and where it is now.
    public private(set) var notice: String?
    /// Grows with every change, own or others', so that views know when to look again.
    public private(set) var changeCount = 0
    /// How many lines the journal has that the snapshot does not know. Where they are thousands, or nobody waits for anything,
    /// it is time for `saveSnapshot()`.
    public private(set) var newLineCount = 0

    /// What is in the files in `directory`, which is to be loaded; with nil there is nothing yet, and changes are kept in
    /// memory only.
    public convenience init(directory: String?) {
        self.init(directory: directory, now: { .now })
    }

    /// The same, where time is what `now` says.
    init(directory: String?, now: @escaping () -> Timestamp) {
        self.directory = directory
        self.now = now
        isLoaded = directory == nil
        journal = directory.map { Journal(path: $0.journal) }
    }

    /// Whether there is a place to save it in.
    public var isSaved: Bool { directory != nil && !isReadOnly }

    /// The path of the journal; nil where there is none.
    public var path: String? { directory?.journal }

    /// Whether the files were read.
    public var isRead: Bool { isLoaded }

    /// The directory of the files; nil where there is none.
    public var filesDirectory: String? { directory }

    /// Whether the files are so large that the first screen should not wait for them.
    public var isLarge: Bool {
        guard let directory else { return false }
        return [directory.journal, directory.snapshot].contains { path in
            var status = stat()
            return stat(path, &status) == 0 && status.st_size > 1 << 20
        }
    }

    /// How many lines of the journal could not be read, of those that were read at all. One may be torn by a crash.
    public var unreadableLineCount: Int { ledger.unreadableLineCount }

    /// The marks. A copy that is held costs as much as all of them with the next change.
    public var marks: Marks { ledger.kept.marks }

    /// The shelves in the reader's order.
    public var shelves: [Shelf] { ledger.kept.shelves.entries.map { Shelf(id: $0.id, name: $0.name) } }

    /// The saved queries in the reader's order.
    public var queries: [SavedQuery] {
        ledger.kept.queries.entries.map { SavedQuery(id: $0.id, name: $0.name, text: $0.text ?? "", sort: $0.sort) }
    }

    /// Whether there are no marks at all.
    public var isEmpty: Bool { ledger.kept.marks.isEmpty }

    /// A mark without the shelves that were deleted.
    public func shown(_ mark: UserBookData) -> UserBookData {
        if mark.shelves.isEmpty { return mark }
        var mark = mark
        mark.shelves.formIntersection(ledger.kept.shelves.entries.map(\.id))
        return mark
    }

    /// Takes in what is on the disk, and, where that was done before, what others wrote since: that costs next to nothing
    /// where they wrote nothing.
    ///
    /// - Throws: `FileError`, where it cannot be read; what is known already stays.
    public func load() throws(FileError) {
        guard let directory, let journal else { return }
        if !isLoaded {
            receive(try UserData.read(directory: directory))
            return
        }
        let lines = try journal.newLines()
        if lines.isEmpty { return }
        receive(lines, replacing: journal.replacement)
    }

    /// Takes in what was read on another thread. Changes that were made meanwhile are not lost: what is loaded already stays,
    /// and is only brought up to date.
    ///
    /// - Returns: Whether the marks are those of `content` now, and no others.
    @discardableResult
    public func receive(_ content: Content) -> Bool {
        guard let directory else { return false }
        if isLoaded {
            // What cannot be read now is told with the next change.
            try? load()
            return false
        }
        isLoaded = true
        rebase {
            ledger = content.ledger
            journal = Journal(path: directory.journal, from: content.position)
        }
        isReadOnly = content.isReadOnly
        unknownMembers = content.unknownMembers
        snapshotSum = content.snapshotSum
        notice = content.notice
        newLineCount = content.newLineCount
        changeCount += 1
        return unsaved.isEmpty
    }

    private func receive(_ lines: [ArraySlice<UInt8>], replacing replacement: Journal.Replacement?) {
        rebase { ledger.take(lines, replacing: replacement) }
        newLineCount += lines.count
        changeCount += 1
    }

    /// The last lines of the journal in at most so many bytes, and whether these are all.
    func lastLines(inBytes count: Int) throws(FileError) -> (lines: [JournalEntry], areAll: Bool) {
        guard let journal else { return ([], true) }
        let (lines, areAll) = try journal.lastLines(inBytes: count)
        return (lines.compactMap(JournalEntry.init(line:)), areAll)
    }

    /// The present time.
    var moment: Timestamp { now() }

    /// Loads, unless that was done.
    func loadOnce() {
        // Without it a change is kept in memory, and the reader is told when it is to be saved.
        if !isLoaded { try? load() }
    }

    /// Adds a line to those that are to be saved, numbered and with what was before, and makes its change; unless that would
    /// change nothing.
    ///
    /// - Parameter step: The step that it is one more line of; nil for the first.
    /// - Returns: The sequence number that its step has.
    func add(_ line: JournalEntry, at moment: Timestamp, step: Int?) -> Int? {
        var line = line
        line.old = ledger.kept[line.subject]
        if line.old == line.value { return step }
        line.sequence = (unsaved.last?.sequence ?? ledger.sequence) + 1
        line.step = step ?? line.sequence
        line.date = moment.date
        unsaved.append(line)
        ledger.kept.apply(line)
        return line.step
    }

    /// Says in the first line of a step of how many books it is, before it is saved.
    func setBookCount(_ count: Int, ofStep step: Int) {
        guard count > 1, let index = unsaved.lastIndex(where: { $0.sequence == step }) else { return }
        unsaved[index].bookCount = count
    }

    /// Saves what was added.
    ///
    /// - Throws: `FileError`, where it could not be; it is kept in memory then.
    func commit() throws(FileError) {
        changeCount += 1
        renamed = [:]
        try save()
    }

    /// Writes the changes that could not be written before, where there are any.
    ///
    /// - Throws: `FileError`, where they could not be written again.
    public func save() throws(FileError) {
        guard isSaved, !unsaved.isEmpty else { return }
        if !isLoaded { try load() }
        guard isSaved, let journal else { return }
        try journal.append { lines in
            if !lines.isEmpty { receive(lines, replacing: journal.replacement) }
            return unsaved.map(\.bytes)
        }
        if let last = unsaved.last { (ledger.sequence, ledger.date) = (last.sequence, last.date) }
        newLineCount += unsaved.count
        unsaved = []
    }

    /// What a new mark is called that was to be called `identity` when its change was made.
    func savedName(of identity: BookIdentity) -> BookIdentity { renamed[identity] ?? identity }

    /// Changes what is below the unsaved lines, which are taken away before, and made again after.
    private func rebase(_ change: () -> Void) {
        if unsaved.isEmpty { return change() }
        for line in unsaved.reversed() { ledger.kept.apply(line.reversed) }
        var rebasing = Rebase(of: unsaved, from: ledger.kept)
        change()
        unsaved = rebasing.lines(onto: &ledger.kept, after: ledger.sequence)
        renamed.merge(rebasing.identities) { $1 }
    }

    /// Writes the snapshot anew, where the journal has grown since, merged with what others appended. To be called when nobody
    /// waits for anything, at the end, and when the journal has grown long.
    ///
    /// - Throws: `FileError`; the snapshot is the old one then.
    public func saveSnapshot() throws(FileError) {
        guard let directory, let journal else { return }
        try load()
        // It says what the journal says, and no more.
        try save()
        guard isSaved, newLineCount > 0 else { return }
        let file = AtomicFile(path: directory.snapshot)
        var isWritten = false
        // Once more where there was a damaged one, which is out of the way then.
        for _ in 1...2 where isSaved && !isWritten {
            try file.update { current in
                if let current, !prepare(toReplace: current, of: file) { return nil }
                let bytes = Snapshot(
                    kept: ledger.kept, position: journal.position, sequence: ledger.sequence, date: ledger.date,
                    unknownMembers: unknownMembers
                ).bytes
                snapshotSum = SnapshotReading.checksum(in: bytes)
                isWritten = true
                return bytes
            }
        }
        if isWritten { newLineCount = 0 }
    }

    /// Looks at the snapshot that is there, which others may have written, before it is replaced.
    ///
    /// - Returns: Whether it may be.
    private func prepare(toReplace current: [UInt8], of file: AtomicFile) -> Bool {
        if let sum = SnapshotReading.checksum(in: current), sum == snapshotSum { return true }
        switch SnapshotReading(current) {
        case .intact(let snapshot):
            // One that came from elsewhere may know what is in no line of this journal.
            if let journal, journal.position.head != snapshot.position.head { ledger.kept.merge(snapshot.kept) }
            ledger.kept.mergeUnknown(snapshot.kept)
            unknownMembers = snapshot.unknownMembers
            return true
        case .newer:
            isReadOnly = true
            notice = Content.noticeOfLaterVersion(file.path)
            changeCount += 1
            return false
        case .damaged:
            // Its bytes stay: a link stays the way to them, and is not followed with new ones.
            guard let aside = try? file.moveAside() else { return false }
            notice = Content.noticeOfDamage(file.path, aside: aside)
            changeCount += 1
            return false
        }
    }
}

extension String {
    /// The path of the journal in the directory of this path.
    var journal: String { self + "/history.jsonl" }

    /// The path of the snapshot in the directory of this path.
    var snapshot: String { self + "/shelves.json" }
}
