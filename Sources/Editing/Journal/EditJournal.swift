internal import Glibc
internal import JSON
internal import Storage
internal import Threading

/// The file with the edits of a catalog: the unsaved ones, and earlier ones for undo.
///
/// Each edit is a line, which is on disk when the edit is made. Any number of instances share the file: each reads the
/// others' lines before it writes.
final class EditJournal {
    /// A line of the journal.
    enum Entry {
        /// Edits that were made together.
        case step(Step)
        /// Edits that a command made in the file itself, which has this fingerprint since; they need not be saved.
        case written(Step, in: RandomAccessInput.Fingerprint)
        /// The preceding edits are about to become part of the file, which then has this fingerprint and had the other
        /// one before.
        case saving(RandomAccessInput.Fingerprint, over: RandomAccessInput.Fingerprint?)
        /// The edits before the line `saving` with this fingerprint are part of the file.
        case saved(RandomAccessInput.Fingerprint)
        /// These edits replace all unsaved ones: a conflict with changes on disk was resolved. The steps have new
        /// edits, without those that lost against the file.
        case rebased([CatalogEdit], steps: [Int: [CatalogEdit]] = [:])
        /// These edits, which replace all unsaved ones, are about to be sent to a server whose newest known book has
        /// this number. The server may have any of them until a line `rebased` says which are left.
        case sending([CatalogEdit], newest: Int)
    }

    /// Edits that were made together.
    struct Step: Hashable {
        /// The number of the step; a step that undoes or redoes another one has the same number.
        var number: Int
        /// The reason for the edits.
        var kind: Kind
        /// The edits in order.
        var edits: [CatalogEdit]
        /// Whether the edits are those of the step with this number or their reverse, and therefore not written again.
        var repeatsStep = false

        enum Kind: String {
            case edit, undo, redo
        }
    }

    /// The valid numbers of steps; others are damaged.
    fileprivate static let stepNumbers = 1...1 << 53

    private var journal: Journal
    private let catalogPath: String
    /// The time of the last shortening according to the heading of the file; nil if there was none or it is not read.
    private var shortening: Int?

    /// Creates the journal at `path` of the catalog at `catalogPath`.
    init(path: String, catalogPath: String) {
        journal = Journal(path: path)
        self.catalogPath = catalogPath
    }

    /// Returns the path of the journal of the catalog at `catalogPath`, which need not exist yet; nil if there is no
    /// place for one, since nothing is written to the journal of another catalog.
    ///
    /// The journal of an earlier version keeps its name: while that version still runs, it goes on to use it.
    static func path(ofCatalog catalogPath: String, in directory: String) -> String? {
        let path = "\(directory)/\(hashedName(of: catalogPath)).jsonl"
        if isMissing(path) {
            let earlier = "\(directory)/\(earlierName(of: catalogPath)).jsonl"
            return !isMissing(earlier) && isJournal(earlier, of: catalogPath) ? earlier : path
        }
        return isJournal(path, of: catalogPath) ? path : nil
    }

    private static func isMissing(_ path: String) -> Bool { access(path, F_OK) != 0 && errno == ENOENT }

    /// Returns whether the heading of a journal, unless it is damaged, names this catalog.
    private static func isJournal(_ path: String, of catalogPath: String) -> Bool {
        // What is not a file is refused when it is read; reading a pipe could last for ever.
        guard isRegularFile(path), let file = try? RandomAccessInput(path) else { return true }
        var line: [UInt8] = []
        while let more = try? file.bytes(in: line.count..<line.count + headingSize), !more.isEmpty {
            line += more
            if more.contains(UInt8(ascii: "\n")) { break }
        }
        let heading = JSONValue(parsing: line.prefix { $0 != UInt8(ascii: "\n") })
        return heading?["catalog"]?.string.map { $0 == catalogPath } ?? true
    }

    /// A number of bytes that contains almost every heading.
    private static let headingSize = 4 << 10

    /// Returns whether the journal of a catalog has unsaved edits, or cannot be read.
    static func hasUnsavedEdits(ofCatalog catalogPath: String, in directory: String) -> Bool {
        guard let path = path(ofCatalog: catalogPath, in: directory), !isMissing(path) else { return false }
        let journal = EditJournal(path: path, catalogPath: catalogPath)
        if journal.putOffIfSaved() { return false }
        guard let entries = try? journal.newEntries() else { return true }
        var history = EditHistory()
        for entry in entries { history.take(entry) }
        return !history.pending.isEmpty
    }

    /// The path of the journal.
    var path: String { journal.path }

    /// The directory of the journal.
    var directoryPath: String { journal.directoryPath }

    /// The position up to which a journal was read.
    struct Place: Sendable {
        fileprivate let path: String
        fileprivate let position: Journal.Position
        fileprivate let catalogPath: String
    }

    /// The position up to which the journal was read.
    var place: Place { Place(path: journal.path, position: journal.position, catalogPath: catalogPath) }

    /// Creates a journal that has been read up to `place`.
    init(_ place: Place) {
        journal = Journal(path: place.path, from: place.position)
        catalogPath = place.catalogPath
    }

    /// A journal with its state, for another thread.
    struct Fork: Sendable {
        fileprivate let place: Place
        fileprivate let settledSize: Int?
        fileprivate let isReplaced: Bool
        fileprivate let writtenSteps: Set<Int>
        fileprivate let shortening: Int?
    }

    /// A fork of the journal.
    var fork: Fork {
        Fork(
            place: place, settledSize: settledSize, isReplaced: isReplaced, writtenSteps: writtenSteps,
            shortening: shortening)
    }

    /// Creates the journal of a fork, which uses the same file.
    convenience init(_ fork: Fork) {
        self.init(fork.place)
        (settledSize, isReplaced, writtenSteps) = (fork.settledSize, fork.isReplaced, fork.writtenSteps)
        shortening = fork.shortening
    }

    // MARK: - Putting it off

    /// The size of the journal in bytes when reading it was deferred because everything was saved.
    private var settledSize: Int?
    /// The task that shortens the journal, if there is one.
    private var shorteningTask: BackgroundTask<Void>?

    /// Whether reading the journal is deferred.
    var isPutOff: Bool { settledSize != nil }

    /// Whether the journal has changed since reading it was deferred.
    var hasChanged: Bool {
        settledSize.map { RandomAccessInput.Fingerprint(ofFileAt: journal.path)?.size != $0 } ?? false
    }

    /// Defers reading the journal if its last lines say that all of it was saved: a long journal must not delay the
    /// start.
    ///
    /// It does not matter whether others have replaced the file since: saved edits are not made again.
    ///
    /// - Returns: Whether reading is deferred.
    func putOffIfSaved() -> Bool {
        guard journal.position == .start, let file = try? RandomAccessInput(journal.path),
            let size = ((try? file.fingerprint()) ?? nil)?.size,
            let bytes = try? file.bytes(in: max(0, size - Self.tailCount)..<size), bytes.last == UInt8(ascii: "\n")
        else { return false }
        let lines = bytes.dropLast().split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).suffix(2)
        // Edits between the two lines are not part of the file.
        guard lines.count == 2, case .saving(let saving, over: _)? = lines.first.flatMap({ Entry(line: $0) }),
            case .saved(saving)? = lines.last.flatMap({ Entry(line: $0) })
        else { return false }
        settledSize = size
        return true
    }

    /// Reads the journal if that was deferred.
    func readPutOff() -> [Entry] {
        settledSize = nil
        return (try? newEntries()) ?? []
    }

    /// The number of bytes that contain the last two lines.
    private static let tailCount = 1 << 10

    /// Whether lines that were read or written are gone: the file was damaged, deleted or replaced in the meantime. The
    /// known edits are all that remains then.
    private(set) var isReplaced = false

    /// Whether the last entries are all entries of a journal that was shortened in the meantime.
    private(set) var isShortened = false

    /// Returns the entries written since the last call. Damaged lines are skipped.
    func newEntries() throws(FileError) -> [Entry] { entries(of: try journal.newLines()) }

    /// Returns the entries of lines that were not read before.
    private func entries(of lines: [ArraySlice<UInt8>]) -> [Entry] {
        let found = lines.first.flatMap(Self.shortening(inHeading:))
        isShortened = journal.replacement != nil && found != nil && found != shortening
        if found != nil { shortening = found }
        if isShortened { (isReplaced, writtenSteps) = (false, []) }
        if journal.replacement != nil && !isShortened { isReplaced = true }
        // Lines of another file, or of this one again, would count twice.
        if isReplaced {
            writtenSteps = []
            return []
        }
        let entries = lines.compactMap { Entry(line: $0) }
        note(entries)
        return entries
    }

    /// The numbers of the steps whose edits are in the file, so that a line that undoes or redoes one can omit them.
    private(set) var writtenSteps: Set<Int> = []

    private func note(_ entries: [Entry]) {
        for entry in entries {
            switch entry {
            case .step(let step) where step.repeatsStep: break
            // A redo after it has other edits than the step.
            case .step(let step) where step.kind == .undo: writtenSteps.remove(step.number)
            case .step(let step): writtenSteps.insert(step.number)
            case .written(let step, in: _): writtenSteps.insert(step.number)
            case .saving, .saved, .rebased, .sending: break
            }
        }
    }

    /// Appends the entries that `make` returns; `make` receives the entries that other instances have written in the
    /// meantime. The entries are on disk afterwards.
    func append(_ make: ([Entry]) -> [Entry]) throws(FileError) {
        var isRestored = false
        var written: [Entry] = []
        try journal.append { lines in
            let entries = make(entries(of: lines))
            written = entries
            switch entries.first {
            case .rebased?, .sending?: isRestored = true
            case nil, .step?, .written?, .saving?, .saved?: break
            }
            let bytes = entries.map(\.line)
            return journal.position.offset == 0 && !bytes.isEmpty ? [heading()] + bytes : bytes
        }
        if isRestored { isReplaced = false }
        if !isReplaced { note(written) }
    }

    /// The first line: an explanation for users, and the time of the last shortening.
    private func heading(shortened moment: Int? = nil) -> [UInt8] {
        var writer = ObjectWriter()
        writer.add("catalog", catalogPath)
        writer.add("version", JSONValue(1))
        if let moment { writer.add("shortened", JSONValue(moment)) }
        return writer.ended()
    }

    private static func shortening(inHeading line: ArraySlice<UInt8>) -> Int? {
        // Headings are short, and edits are not.
        guard line.count < 1 << 14, let heading = JSONValue(parsing: line), heading["catalog"] != nil else {
            return nil
        }
        return heading["shortened"]?.integer
    }

    // MARK: - Shortening it

    /// The size in bytes above which a journal is shortened, and its maximum size afterwards, unless the unsaved edits
    /// are larger.
    private static let longSize = 64 << 20
    private static let shortenedSize = 32 << 20

    /// Removes old steps from a long journal, which can no longer be undone then. Unsaved edits are kept.
    ///
    /// - Parameters:
    ///   - size: The size in bytes that the journal must exceed.
    ///   - target: The maximum size in bytes afterwards, unless the unsaved edits are larger.
    func shorten(above size: Int = longSize, to target: Int = shortenedSize) throws(FileError) {
        try Journal(path: journal.path).rewrite(above: size) { lines in
            guard let kept = ShortenedJournal(of: lines, to: target) else { return nil }
            return [heading(shortened: WallClock.microseconds)] + kept.lines
        }
    }

    /// Shortens the journal on another thread, if it is long.
    func shortenInBackground() {
        guard (RandomAccessInput.Fingerprint(ofFileAt: journal.path)?.size ?? 0) > Self.longSize else { return }
        let place = place
        shorteningTask = BackgroundTask { _ in
            // If this fails, the next save tries again.
            try? EditJournal(place).shorten()
            return ()
        }
    }

    /// Waits until the journal is shortened.
    func finishShortening() { _ = shorteningTask?.taken() }
}

extension EditJournal {
    /// Records edits that are about to be made in the file itself, rather than saved later.
    ///
    /// - Parameters:
    ///   - fingerprint: The fingerprint of the file with the edits.
    ///   - before: The fingerprint of the current file.
    /// - Returns: The number of their step, and whether there are no other unsaved edits.
    func append(
        _ edits: [CatalogEdit], writtenIn fingerprint: RandomAccessInput.Fingerprint,
        over before: RandomAccessInput.Fingerprint
    ) throws(FileError) -> (number: Int, isAll: Bool) {
        if putOffIfSaved() { journal = Journal(path: journal.path, from: try .init(atEndOf: journal.path)) }
        var history = EditHistory()
        var number = 0
        try append { others in
            for entry in others { history.take(entry) }
            history.complete(before)
            number = history.nextNumber
            return [.written(Step(number: number, kind: .edit, edits: edits), in: fingerprint)]
        }
        return (number, history.pending.isEmpty)
    }

    /// Records that all edits are part of the file, so that the next start need not read them; only if no others have
    /// been made since `append(_:writtenIn:over:)`.
    func settle(
        _ fingerprint: RandomAccessInput.Fingerprint, over before: RandomAccessInput.Fingerprint
    ) throws(FileError) {
        try append { others in
            others.isEmpty ? [.saving(fingerprint, over: before), .saved(fingerprint)] : []
        }
    }
}

extension EditJournal.Entry {
    /// The line of the journal: an object.
    var line: [UInt8] {
        var writer = ObjectWriter()
        switch self {
        case .step(let step):
            writer.add(step.kind.rawValue, JSONValue(step.number))
            if !step.repeatsStep { writer.add("changes", each: step.edits) { $0.append(to: &$1) } }
        case .saving(let fingerprint, let before):
            writer.add("saving", fingerprint.description)
            if let before { writer.add("over", before.description) }
        case .saved(let fingerprint): writer.add("saved", fingerprint.description)
        case .written(let step, let fingerprint):
            writer.add(step.kind.rawValue, JSONValue(step.number))
            writer.add("in", fingerprint.description)
            writer.add("changes", each: step.edits) { $0.append(to: &$1) }
        case .sending(let edits, let newest):
            writer.add("sending", each: edits) { $0.append(to: &$1) }
            writer.add("newest", JSONValue(newest))
        case .rebased(let edits, let steps):
            writer.add("rebased", each: edits) { $0.append(to: &$1) }
            if steps.isEmpty { break }
            writer.add("steps", each: steps.sorted { $0.key < $1.key }) { step, bytes in
                ObjectWriter.append(to: &bytes) { writer in
                    writer.add("edit", JSONValue(step.key))
                    writer.add("changes", each: step.value) { $0.append(to: &$1) }
                }
            }
        }
        return writer.ended()
    }

    /// Parses a line; fails for a damaged line and for the heading.
    init?(line: ArraySlice<UInt8>) {
        guard let members = JSONValue(parsing: line)?.members, let first = members.first else { return nil }
        func edits(_ value: JSONValue?) -> [CatalogEdit]? {
            guard let edits = value?.elements?.map(CatalogEdit.init(json:)), !edits.contains(nil) else { return nil }
            return edits.compactMap(\.self)
        }
        func fingerprint(_ value: JSONValue?) -> RandomAccessInput.Fingerprint? {
            value?.string.flatMap { RandomAccessInput.Fingerprint($0) }
        }
        func step(_ members: [JSONValue.Member]) -> EditJournal.Step? {
            guard let first = members.first, let kind = EditJournal.Step.Kind(rawValue: first.key),
                let number = first.value.integer, EditJournal.stepNumbers.contains(number)
            else { return nil }
            let changes = members.last { $0.key == "changes" }?.value
            if changes == nil && kind != .edit {
                return EditJournal.Step(number: number, kind: kind, edits: [], repeatsStep: true)
            }
            guard let edits = edits(changes) else { return nil }
            return EditJournal.Step(number: number, kind: kind, edits: edits)
        }
        switch first.key {
        case "saving", "saved":
            guard let new = fingerprint(first.value) else { return nil }
            let before = fingerprint(members.last { $0.key == "over" }?.value)
            self = first.key == "saving" ? .saving(new, over: before) : .saved(new)
        case "sending":
            guard let edits = edits(first.value),
                let newest = members.last(where: { $0.key == "newest" })?.value.integer
            else { return nil }
            self = .sending(edits, newest: newest)
        case "rebased":
            guard let edits = edits(first.value) else { return nil }
            let steps =
                members.last { $0.key == "steps" }?.value.elements?.compactMap { $0.members.flatMap(step) } ?? []
            self = .rebased(edits, steps: Dictionary(steps.map { ($0.number, $0.edits) }) { $1 })
        default:
            guard let step = step(members) else { return nil }
            if let place = members.last(where: { $0.key == "in" })?.value {
                guard let file = fingerprint(place) else { return nil }
                self = .written(step, in: file)
            } else {
                self = .step(step)
            }
        }
    }
}
