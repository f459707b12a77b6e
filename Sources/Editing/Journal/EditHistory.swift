internal import Storage

/// The state that results from the lines of a journal.
struct EditHistory {
    /// The edits that are not part of the file, in order.
    private(set) var pending: [CatalogEdit] = []
    /// The steps by their number.
    private(set) var steps: [Int: [CatalogEdit]] = [:]
    /// The highest number of a step.
    private var lastNumber = 0
    /// The numbers of the steps whose edits are not part of the file, in order.
    private var pendingSteps: [Int] = []
    /// The edits that remain pending after each started save, by the fingerprint that the file has if the save
    /// completed.
    private var begun:
        (
            fingerprint: RandomAccessInput.Fingerprint, before: RandomAccessInput.Fingerprint?, count: Int,
            stepCount: Int
        )?
    /// The number of pending edits that were sent to a server, which may have any of them, and the number of its newest
    /// book before that.
    private(set) var sent: (count: Int, newest: Int)?
    /// The number of pending edits that may be part of the file, because a line of the journal is lost.
    private var lostSaveCount = 0
    /// The step of the last line with one.
    private var lastStep: EditJournal.Step?

    /// Adopts a line.
    ///
    /// - Returns: Whether it is new: a repeated line in a damaged journal has no effect.
    @discardableResult
    mutating func take(_ entry: EditJournal.Entry) -> Bool {
        switch entry {
        case .step(let step):
            guard isNew(step) else { return false }
            pending += edits(of: step)
            lastNumber = max(lastNumber, step.number)
            if step.kind != .undo {
                if !step.repeatsStep { steps[step.number] = step.edits }
                pendingSteps.append(step.number)
            } else if !step.repeatsStep {
                // Others have edited the catalog since: a redo restores what this undo found.
                steps[step.number] = step.edits.reversed().map(\.reversed)
            }
        case .written(let step, in: _):
            guard isNew(step) else { return false }
            lastNumber = max(lastNumber, step.number)
            steps[step.number] = step.edits
        case .saving(let fingerprint, let before): begun = (fingerprint, before, pending.count, pendingSteps.count)
        case .saved(let fingerprint):
            // The line that said which edits were saved is lost; it may be all of them.
            if begun?.fingerprint != fingerprint { lostSaveCount = pending.count }
            complete(fingerprint)
        case .rebased(let edits, let changed):
            (pending, begun, sent, lostSaveCount) = (edits, nil, nil, 0)
            if edits.isEmpty { pendingSteps = [] }
            steps.merge(changed) { $1 }
        case .sending(let edits, let newest):
            (pending, begun, lostSaveCount) = (edits, nil, 0)
            // Those of an earlier attempt may be among them.
            sent = (edits.count, min(newest, sent?.newest ?? newest))
        }
        return true
    }

    /// Returns the edits of a step in this history: those of the step that it undoes or redoes if it has none of its
    /// own.
    func edits(of step: EditJournal.Step) -> [CatalogEdit] {
        guard step.repeatsStep, step.edits.isEmpty, let known = steps[step.number] else { return step.edits }
        return step.kind == .undo ? known.reversed().map(\.reversed) : known
    }

    /// The number of the next step. It is at least the time in microseconds, so that a journal that replaces a deleted
    /// one does not reuse step numbers to which the history of all changes still refers.
    var nextNumber: Int {
        max(lastNumber + 1, WallClock.microseconds)
    }

    /// Records a step, and returns whether it was not read before.
    private mutating func isNew(_ step: EditJournal.Step) -> Bool {
        defer { lastStep = step }
        return step != lastStep && (step.kind != .edit || steps[step.number] != step.edits)
    }

    /// Records that the file has `fingerprint`; if a started save was to produce it, that save completed.
    mutating func complete(_ fingerprint: RandomAccessInput.Fingerprint) {
        guard let begun, begun.fingerprint == fingerprint else { return }
        pending.removeFirst(begun.count)
        pendingSteps.removeFirst(begun.stepCount)
        lostSaveCount = max(0, lostSaveCount - begun.count)
        self.begun = nil
    }

    /// Whether the edits of the step with this number are known.
    func knows(_ number: Int) -> Bool { steps[number] != nil }

    /// Whether the pending edits only reorder all books.
    var isOnlyOrder: Bool { pending.allSatisfy { if case .reorder = $0 { true } else { false } } }

    /// Returns the number of pending edits that may be part of the file with this fingerprint: a save of them was
    /// started, and others have changed the file after it or instead of it.
    func doubtfulCount(in fingerprint: RandomAccessInput.Fingerprint) -> Int {
        if let sent { return sent.count }
        guard let begun, let before = begun.before, before != fingerprint else { return lostSaveCount }
        return max(begun.count, lostSaveCount)
    }
}

/// The outcome of a conflict between edits of a record and changes of others.
struct ClashOutcome {
    /// The bytes of the record before the edits.
    var old: [UInt8]
    /// The edit of the record that the others left; nil if it is unchanged.
    var edit: CatalogEdit?
}

extension EditHistory {
    /// Returns the edits of the pending steps with conflicts, without their edits of the conflicting records; the last
    /// step has the outcome of each conflict instead. Undoing the steps restores the records of the others.
    func steps(after outcomes: [ClashOutcome]) -> [Int: [CatalogEdit]] {
        // The conflicts by the current bytes of their record.
        var open: [[UInt8]: [Int]] = [:]
        for (number, outcome) in outcomes.enumerated() { open[outcome.old, default: []].append(number) }
        var lastSteps: [Int: Int] = [:]
        var changed: [Int: [CatalogEdit]] = [:]
        for step in pendingSteps {
            func take(_ old: [UInt8], _ new: [UInt8]?) -> Bool {
                guard let clash = open[old]?.popLast() else { return false }
                if let new { open[new, default: []].append(clash) }
                lastSteps[clash] = step
                return true
            }
            let before = steps[step] ?? []
            let edits = before.compactMap { edit -> CatalogEdit? in
                switch edit {
                case .replace(let replacements):
                    let rest = replacements.filter { !take($0.old, $0.new) }
                    return rest.isEmpty ? nil : .replace(rest)
                case .remove(let records):
                    let rest = records.filter { !take($0.bytes, nil) }
                    return rest.isEmpty ? nil : .remove(rest)
                case .insert, .move, .reorder: return edit
                }
            }
            if edits != before { changed[step] = edits }
        }
        for (clash, step) in lastSteps.sorted(by: { $0.key < $1.key }) {
            if let edit = outcomes[clash].edit { changed[step, default: []].append(edit) }
        }
        return changed
    }
}
