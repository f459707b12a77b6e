/// The lines of one step in the journal.
struct StepRecord: Hashable, Sendable {
    /// The sequence number of its first line.
    var id: Int
    /// Its lines, in their order.
    var lines: [JournalEntry]

    /// What it does to other steps, and to which; nil where it does nothing to any.
    var reversal: (kind: Reversal, steps: [Int])? {
        guard let line = lines.first, case .steps(let kind) = line.subject, case .steps(let steps) = line.value else {
            return nil
        }
        return (kind, steps)
    }

    /// Whether it is one that the reader did, and that can be undone: not an undo or a redo.
    var isOwn: Bool { reversal.map { $0.kind == .goBack } ?? true }
}

/// The last steps of a journal, and which of them were undone. All of that is in the lines themselves: an undo names the step
/// it undoes.
struct RecentSteps {
    /// The steps, the last one last.
    let records: [StepRecord]
    /// Whether there are none before them.
    let areAll: Bool
    private let undone: Set<Int>

    /// The steps that the last lines of a journal are.
    init(_ lines: [JournalEntry], areAll: Bool) {
        var records: [StepRecord] = []
        for line in lines {
            if line.step != line.sequence, let last = records.last, last.id == line.step {
                records[records.count - 1].lines.append(line)
            } else {
                records.append(StepRecord(id: line.step, lines: [line]))
            }
        }
        // The first one may have begun before.
        if !areAll && !records.isEmpty { records.removeFirst() }
        self.records = records
        self.areAll = areAll
        undone = Self.undone(in: records)
    }

    /// Whether a step was undone, and not done again.
    func isUndone(_ id: Int) -> Bool { undone.contains(id) }

    /// The step that is undone next.
    var lastDone: StepRecord? { records.last { $0.isOwn && !isUndone($0.id) } }

    /// The steps behind the one at `index` that are to be undone, one after another, for all to be as it was after that one:
    /// where one had undone others, these come next.
    func done(after index: Int) -> [StepRecord] {
        var undone = undone
        return records[(index + 1)...].reversed().filter { record in
            guard record.isOwn, !undone.contains(record.id) else { return false }
            if let reversal = record.reversal { undone.subtract(reversal.steps) }
            return true
        }
    }

    /// The id of the step that is done again next; nil where none can be, as something else was done since the last undo.
    /// `isCertain` is false where that depends on steps before these.
    var nextRedo: (id: Int?, isCertain: Bool) {
        let last = records.lastIndex(where: \.isOwn)
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

    /// What was said of a step last counts.
    private static func undone(in records: [StepRecord]) -> Set<Int> {
        var isUndone: [Int: Bool] = [:]
        for record in records.reversed() {
            guard let reversal = record.reversal else { continue }
            // What a step undid that was undone itself is as it was before.
            if reversal.kind == .goBack && isUndone[record.id] == true { continue }
            for step in reversal.steps where isUndone[step] == nil { isUndone[step] = reversal.kind != .redo }
        }
        return Set(isUndone.filter(\.value).keys)
    }
}
