internal import JSON
internal import Storage

/// The file that keeps the edits of a catalog: those that are not saved yet, and earlier ones to be undone.
///
/// Each edit is a line, which is on disk when it is made. Any number of instances share the file: each reads what the others
/// wrote before it writes.
final class EditJournal {
    /// A line.
    enum Entry {
        /// Edits that were made at once.
        case step(Step)
        /// What precedes is about to become part of the file, which has this fingerprint then, and had the other before.
        case saving(RandomAccessInput.Fingerprint, over: RandomAccessInput.Fingerprint?)
        /// What preceded the line `saving` with this fingerprint is part of the file.
        case saved(RandomAccessInput.Fingerprint)
        /// These edits take the place of all that is not saved: a clash with changes on disk was decided.
        case rebased([CatalogEdit])
    }

    /// Edits that were made at once.
    struct Step: Hashable {
        /// The number of the step, from 1; one that undoes or repeats another has the number of that.
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

    private let journal: Journal
    private let catalogPath: String

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

    // MARK: - Putting it off

    /// The size of the journal in bytes when it was seen that all of it is saved, and reading it was put off.
    private var settledSize: Int?

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

    /// Returns what was written since the last call. Lines that are damaged are skipped.
    func newEntries() throws(FileError) -> [Entry] { entries(of: try journal.newLines()) }

    /// The entries of lines that were not read before.
    private func entries(of lines: [ArraySlice<UInt8>]) -> [Entry] {
        if journal.replacement != nil { isReplaced = true }
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
        for case .step(let step) in entries where step.kind != .undo && !step.repeatsStep {
            writtenSteps.insert(step.number)
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
            return journal.position.offset == 0 && !bytes.isEmpty ? [heading] + bytes : bytes
        }
        if isRestored { isReplaced = false }
        if !isReplaced { note(written) }
    }

    /// The first line, for people.
    private var heading: [UInt8] {
        var writer = ObjectWriter()
        writer.add("catalog", catalogPath)
        writer.add("version", JSONValue(1))
        return writer.ended()
    }
}

extension EditJournal.Entry {
    /// The line of the journal: an object.
    fileprivate var line: [UInt8] {
        var writer = ObjectWriter()
        switch self {
        case .step(let step):
            writer.add(step.kind.rawValue, JSONValue(step.number))
            if !step.repeatsStep { writer.add("changes", .array(step.edits.map(\.json))) }
        case .saving(let fingerprint, let before):
            writer.add("saving", fingerprint.description)
            if let before { writer.add("over", before.description) }
        case .saved(let fingerprint): writer.add("saved", fingerprint.description)
        case .rebased(let edits): writer.add("rebased", .array(edits.map(\.json)))
        }
        return writer.ended()
    }

    /// Reads a line; fails if it is damaged, or the heading.
    fileprivate init?(line: ArraySlice<UInt8>) {
        guard let members = JSONValue(parsing: line)?.members, let first = members.first else { return nil }
        func edits(_ value: JSONValue?) -> [CatalogEdit]? {
            guard let edits = value?.elements?.map(CatalogEdit.init(json:)), !edits.contains(nil) else { return nil }
            return edits.compactMap(\.self)
        }
        switch first.key {
        case "saving", "saved":
            func fingerprint(_ value: JSONValue?) -> RandomAccessInput.Fingerprint? {
                value?.string.flatMap { RandomAccessInput.Fingerprint($0) }
            }
            guard let new = fingerprint(first.value) else { return nil }
            let before = fingerprint(members.last { $0.key == "over" }?.value)
            self = first.key == "saving" ? .saving(new, over: before) : .saved(new)
        case "rebased":
            guard let edits = edits(first.value) else { return nil }
            self = .rebased(edits)
        default:
            guard let kind = EditJournal.Step.Kind(rawValue: first.key), let number = first.value.integer,
                EditJournal.stepNumbers.contains(number)
            else { return nil }
            let changes = members.last { $0.key == "changes" }?.value
            if changes == nil && kind != .edit {
                self = .step(EditJournal.Step(number: number, kind: kind, edits: [], repeatsStep: true))
                return
            }
            guard let edits = edits(changes) else { return nil }
            self = .step(EditJournal.Step(number: number, kind: kind, edits: edits))
        }
    }
}

/// What the lines of a journal come to.
struct EditHistory {
    /// The edits that are not part of the file, in their order.
    private(set) var pending: [CatalogEdit] = []
    /// The steps by their number.
    private(set) var steps: [Int: [CatalogEdit]] = [:]
    /// The highest number of a step.
    private(set) var lastNumber = 0
    /// What is pending after each save that was begun, by the fingerprint that the file has if it was completed.
    private var begun: (fingerprint: RandomAccessInput.Fingerprint, before: RandomAccessInput.Fingerprint?, count: Int)?
    /// The step of the last line with one.
    private var lastStep: EditJournal.Step?

    /// Takes over a line.
    ///
    /// - Returns: Whether it says something new: a line that is there twice, in a damaged journal, has no effect.
    @discardableResult
    mutating func take(_ entry: EditJournal.Entry) -> Bool {
        switch entry {
        case .step(let step):
            guard isNew(step) else { return false }
            pending += edits(of: step)
            lastNumber = max(lastNumber, step.number)
            if step.kind != .undo, !step.repeatsStep { steps[step.number] = step.edits }
        case .saving(let fingerprint, let before): begun = (fingerprint, before, pending.count)
        case .saved(let fingerprint): complete(fingerprint)
        case .rebased(let edits): (pending, begun) = (edits, nil)
        }
        return true
    }

    /// Returns the edits of a step of which this is the history: those of the step that it undoes or repeats if it has none
    /// of its own.
    func edits(of step: EditJournal.Step) -> [CatalogEdit] {
        guard step.repeatsStep, step.edits.isEmpty, let known = steps[step.number] else { return step.edits }
        return step.kind == .undo ? known.reversed().map(\.reversed) : known
    }

    /// Whether a line with this step was not read before; notes it.
    private mutating func isNew(_ step: EditJournal.Step) -> Bool {
        defer { lastStep = step }
        return step != lastStep && (step.kind != .edit || steps[step.number] != step.edits)
    }

    /// Notes that the file has `fingerprint`: if a save was begun that gave it this, that was completed.
    mutating func complete(_ fingerprint: RandomAccessInput.Fingerprint) {
        guard let begun, begun.fingerprint == fingerprint else { return }
        pending.removeFirst(begun.count)
        self.begun = nil
    }

    /// Returns how many pending edits may be part of the file with this fingerprint: a save of them was begun, and others
    /// have changed the file behind it, or instead of it.
    func doubtfulCount(in fingerprint: RandomAccessInput.Fingerprint) -> Int {
        guard let begun, let before = begun.before, before != fingerprint else { return 0 }
        return begun.count
    }
}
