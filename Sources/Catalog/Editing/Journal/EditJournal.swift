internal import JSON
internal import Storage
internal import Threading

/// The file that keeps the edits of a catalog: those that are not saved yet, and earlier ones to be undone.
///
/// Each edit is a line, which is on disk when it is made. Any number of instances share the file: each reads what the others
/// wrote before it writes.
final class EditJournal {
    /// A line.
    enum Entry {
        /// Edits that were made at once.
        case step(Step)
        /// Edits that a command made in the file itself, which has this fingerprint since: they are not to be saved.
        case written(Step, in: RandomAccessInput.Fingerprint)
        /// What precedes is about to become part of the file, which has this fingerprint then, and had the other before.
        case saving(RandomAccessInput.Fingerprint, over: RandomAccessInput.Fingerprint?)
        /// What preceded the line `saving` with this fingerprint is part of the file.
        case saved(RandomAccessInput.Fingerprint)
        /// These edits take the place of all that is not saved: a clash with changes on disk was decided. The steps have
        /// other edits since, without those that the file of the others prevailed over.
        case rebased([CatalogEdit], steps: [Int: [CatalogEdit]] = [:])
    }

    /// Edits that were made at once.
    struct Step: Hashable {
        /// The number of the step; one that undoes or repeats another has the number of that.
        var number: Int
        /// Why the edits were made.
        var kind: Kind
        /// The edits in their order.
        var edits: [CatalogEdit]
        /// Whether the edits are those of the step with this number, or what reverses them, and so are not written again.
        var repeatsStep = false

        enum Kind: String {
            case edit, undo, redo
        }
    }

    /// The numbers that steps can have: others are damaged.
    fileprivate static let stepNumbers = 1...1 << 53

    private var journal: Journal
    private let catalogPath: String
    /// What the heading of the file says of when it was shortened last; nil if it never was, or is not read.
    private var shortening: Int?

    /// The journal at `path` of the catalog at `catalogPath`.
    init(path: String, catalogPath: String) {
        journal = Journal(path: path)
        self.catalogPath = catalogPath
    }

    /// How far a journal was read.
    struct Place: Sendable {
        fileprivate let path: String
        fileprivate let position: Journal.Position
        fileprivate let catalogPath: String
    }

    /// How far it was read.
    var place: Place { Place(path: journal.path, position: journal.position, catalogPath: catalogPath) }

    /// The journal of which `place` has been read.
    init(_ place: Place) {
        journal = Journal(path: place.path, from: place.position)
        catalogPath = place.catalogPath
    }

    /// A journal and what is known of it, for another thread.
    struct Copy: Sendable {
        fileprivate let place: Place
        fileprivate let settledSize: Int?
        fileprivate let isReplaced: Bool
        fileprivate let writtenSteps: Set<Int>
        fileprivate let shortening: Int?
    }

    /// A copy.
    var copy: Copy {
        Copy(
            place: place, settledSize: settledSize, isReplaced: isReplaced, writtenSteps: writtenSteps,
            shortening: shortening)
    }

    /// Creates the journal of a copy, which is in the same file.
    convenience init(_ copy: Copy) {
        self.init(copy.place)
        (settledSize, isReplaced, writtenSteps) = (copy.settledSize, copy.isReplaced, copy.writtenSteps)
        shortening = copy.shortening
    }

    // MARK: - Putting it off

    /// The size of the journal in bytes when it was seen that all of it is saved, and reading it was put off.
    private var settledSize: Int?
    /// What shortens it, if anything does.
    private var shorteningTask: BackgroundTask<Void>?

    /// Whether reading the journal was put off.
    var isPutOff: Bool { settledSize != nil }

    /// Whether it has changed since reading it was put off.
    var hasChanged: Bool {
        settledSize.map { RandomAccessInput.Fingerprint(ofFileAt: journal.path)?.size != $0 } ?? false
    }

    /// Puts off reading the journal if its last lines say that all of it is part of the file with this fingerprint: long
    /// journals must not delay a start.
    ///
    /// - Returns: Whether it is put off.
    func putOff(for fingerprint: RandomAccessInput.Fingerprint) -> Bool {
        guard journal.position == .start, let file = try? RandomAccessInput(journal.path),
            let size = ((try? file.fingerprint()) ?? nil)?.size,
            let bytes = try? file.bytes(in: max(0, size - Self.tailCount)..<size), bytes.last == UInt8(ascii: "\n")
        else { return false }
        let lines = bytes.dropLast().split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).suffix(2)
        // What was edited between the two lines is not part of the file.
        guard lines.count == 2, case .saving(fingerprint, over: _)? = lines.first.flatMap({ Entry(line: $0) }),
            case .saved(fingerprint)? = lines.last.flatMap({ Entry(line: $0) })
        else { return false }
        settledSize = size
        return true
    }

    /// Reads what was put off.
    func readPutOff() -> [Entry] {
        settledSize = nil
        return (try? newEntries()) ?? []
    }

    /// The number of bytes in which the last two lines are.
    private static let tailCount = 1 << 10

    /// Whether lines that were read or written are gone: the file was damaged, deleted or replaced meanwhile. What was
    /// known of it is all there is then.
    private(set) var isReplaced = false

    /// Whether the last entries are all entries of a journal that was shortened meanwhile.
    private(set) var isShortened = false

    /// Returns what was written since the last call. Lines that are damaged are skipped.
    func newEntries() throws(FileError) -> [Entry] { entries(of: try journal.newLines()) }

    /// The entries of lines that were not read before.
    private func entries(of lines: [ArraySlice<UInt8>]) -> [Entry] {
        let found = lines.first.flatMap(Self.shortening(inHeading:))
        isShortened = journal.replacement != nil && found != nil && found != shortening
        if found != nil { shortening = found }
        if isShortened { (isReplaced, writtenSteps) = (false, []) }
        if journal.replacement != nil && !isShortened { isReplaced = true }
        // Lines of another file, or those of this one again: they would count twice.
        if isReplaced {
            writtenSteps = []
            return []
        }
        let entries = lines.compactMap { Entry(line: $0) }
        note(entries)
        return entries
    }

    /// The numbers of the steps whose edits are in the file, so that a line that undoes or repeats one can leave them out.
    private(set) var writtenSteps: Set<Int> = []

    private func note(_ entries: [Entry]) {
        for entry in entries {
            switch entry {
            case .step(let step) where step.kind != .undo && !step.repeatsStep: writtenSteps.insert(step.number)
            case .written(let step, in: _): writtenSteps.insert(step.number)
            default: break
            }
        }
    }

    /// Appends the entries that `make` returns for those that other instances wrote meanwhile; they are on disk afterwards.
    func append(_ make: ([Entry]) -> [Entry]) throws(FileError) {
        var isRestored = false
        var written: [Entry] = []
        try journal.append { lines in
            let entries = make(entries(of: lines))
            written = entries
            if case .rebased? = entries.first { isRestored = true }
            let bytes = entries.map(\.line)
            return journal.position.offset == 0 && !bytes.isEmpty ? [heading()] + bytes : bytes
        }
        if isRestored { isReplaced = false }
        if !isReplaced { note(written) }
    }

    /// The first line, for people, and for those who must know that it was shortened.
    private func heading(shortened moment: Int? = nil) -> [UInt8] {
        var writer = ObjectWriter()
        writer.add("catalog", catalogPath)
        writer.add("version", JSONValue(1))
        if let moment { writer.add("shortened", JSONValue(moment)) }
        return writer.ended()
    }

    private static func shortening(inHeading line: ArraySlice<UInt8>) -> Int? {
        // Headings are short, edits are not.
        guard line.count < 1 << 14, let heading = JSONValue(parsing: line), heading["catalog"] != nil else {
            return nil
        }
        return heading["shortened"]?.integer
    }

    // MARK: - Shortening it

    /// The size in bytes above which a journal is shortened, and the size that it has at most then, unless more is not saved.
    private static let longSize = 64 << 20
    private static let shortenedSize = 32 << 20

    /// Takes old steps out of a long journal, so that it does not grow without end: they cannot be undone any more. What is
    /// not saved stays.
    ///
    /// - Parameters:
    ///   - size: The size in bytes that it must exceed.
    ///   - target: The size in bytes that it has at most then, if what is not saved does not need more.
    func shorten(above size: Int = longSize, to target: Int = shortenedSize) throws(FileError) {
        try Journal(path: journal.path).rewrite(above: size) { lines in
            guard let kept = ShortenedJournal(of: lines, to: target) else { return nil }
            return [heading(shortened: WallClock.microseconds)] + kept.lines
        }
    }

    /// Shortens it on another thread, if it is long.
    func shortenInBackground() {
        guard (RandomAccessInput.Fingerprint(ofFileAt: journal.path)?.size ?? 0) > Self.longSize else { return }
        let place = place
        shorteningTask = BackgroundTask { _ in
            // The next save tries again.
            try? EditJournal(place).shorten()
            return ()
        }
    }

    /// Waits until it is shortened.
    func finishShortening() { _ = shorteningTask?.taken() }
}

extension EditJournal {
    /// Journals edits that are about to be made in the file itself, rather than to be saved later.
    ///
    /// - Parameters:
    ///   - fingerprint: That of the file with them.
    ///   - before: That of the file as it is.
    /// - Returns: The number of their step, and whether nothing else is to be saved.
    func append(
        _ edits: [CatalogEdit], writtenIn fingerprint: RandomAccessInput.Fingerprint,
        over before: RandomAccessInput.Fingerprint
    ) throws(FileError) -> (number: Int, isAll: Bool) {
        if putOff(for: before) { journal = Journal(path: journal.path, from: try .init(atEndOf: journal.path)) }
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

    /// Journals that all edits are part of the file, so that the next start need not read them; only if no others have been
    /// made since `append(_:writtenIn:over:)`.
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

    /// Reads a line; fails if it is damaged, or the heading.
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
