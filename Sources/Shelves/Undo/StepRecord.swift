/// The journal lines of one step.
struct StepRecord: Hashable, Sendable {
    /// The sequence number of the first line.
    var id: Int
    /// The first change of each of the step's lines in the journal, or all changes if they are not saved yet.
    var lines: [JournalEntry]
    /// The lines as they are in the journal; empty if they are not saved yet.
    var texts: [ArraySlice<UInt8>] = []

    /// All changes of the step in order.
    var changes: [JournalEntry] {
        texts.isEmpty ? lines : texts.flatMap { JournalEntry.entries(of: $0)?.entries ?? [] }
    }

    /// The reversal of other steps by this one, with their ids; nil if it reverses none.
    var reversal: (kind: Reversal, steps: [Int])? {
        guard let line = lines.first, case .steps(let kind) = line.subject, case .steps(let steps) = line.value else {
            return nil
        }
        return (kind, steps)
    }

    /// Whether the step is a change by the user that can be undone, not an undo or redo, or an edit of another catalog
    /// than the one at `catalog`.
    func isOwn(in catalog: String?) -> Bool {
        if let edit { return edit.catalog == catalog }
        return reversal.map { $0.kind == .goBack } ?? true
    }
}

/// The most recent steps of a journal with their undo state, which follows from the lines alone, since an undo names
/// the steps that it affects.
struct RecentSteps {
    /// The steps, most recent last.
    let records: [StepRecord]
    /// Whether these are all steps of the journal.
    let areAll: Bool
    private let undone: Set<Int>
    /// The path of the open catalog, whose edits are among the steps that can be undone.
    private let catalog: String?

    /// Groups the last lines of a journal and the unsaved entries into steps.
    init(_ texts: [ArraySlice<UInt8>], unsaved: [JournalEntry] = [], areAll: Bool, catalog: String? = nil) {
        self.catalog = catalog
        var records: [StepRecord] = []
        func add(_ line: JournalEntry, _ text: ArraySlice<UInt8>?) {
            if line.step == line.sequence || records.last?.id != line.step {
                records.append(StepRecord(id: line.step, lines: []))
            }
            records[records.count - 1].lines.append(line)
            if let text { records[records.count - 1].texts.append(text) }
        }
        for text in texts { if let line = JournalEntry.first(of: text) { add(line, text) } }
        for line in unsaved { add(line, nil) }
        // The first step may be incomplete.
        if !areAll && !records.isEmpty { records.removeFirst() }
        self.records = records
        self.areAll = areAll
        undone = Self.undone(in: records)
    }

    /// Returns whether a step is undone and not redone.
    func isUndone(_ id: Int) -> Bool { undone.contains(id) }

    /// Whether a step is a change that can be undone here.
    func isOwn(_ record: StepRecord) -> Bool { record.isOwn(in: catalog) }

    /// The step that the next undo affects.
    var lastDone: StepRecord? { records.last { isOwn($0) && !isUndone($0.id) } }

    /// Returns the steps to undo, in this order, to restore the state after the step at `index`; steps that become
    /// effective again by this are undone next.
    func done(after index: Int) -> [StepRecord] {
        var undone = undone
        return records[(index + 1)...].reversed().filter { record in
            guard isOwn(record), !undone.contains(record.id) else { return false }
            if let reversal = record.reversal { undone.subtract(reversal.steps) }
            return true
        }
    }

    /// The id of the step that the next redo affects; nil if something else was done since the last undo. `isCertain`
    /// is false if the answer depends on earlier steps.
    var nextRedo: (id: Int?, isCertain: Bool) {
        let last = records.lastIndex(where: isOwn)
        var steps: [Int] = []
        for record in records[(last.map { $0 + 1 } ?? 0)...] {
            guard let reversal = record.reversal else { continue }
            if reversal.kind == .undo {
                steps += reversal.steps
            } else {
                steps.removeAll(where: reversal.steps.contains)
            }
        }
        return (steps.last, last != nil || areAll)
    }

    /// For each step the most recent undo or redo counts.
    private static func undone(in records: [StepRecord]) -> Set<Int> {
        var isUndone: [Int: Bool] = [:]
        for record in records.reversed() {
            guard let reversal = record.reversal else { continue }
            // A revert that was itself undone no longer counts.
            if reversal.kind == .goBack && isUndone[record.id] == true { continue }
            for step in reversal.steps where isUndone[step] == nil { isUndone[step] = reversal.kind != .redo }
        }
        return Set(isUndone.filter(\.value).keys)
    }
}
