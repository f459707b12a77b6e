internal import Storage

/// The lines of a journal that are kept when it is shortened: the last ones, and of those before them what is not saved.
struct ShortenedJournal {
    /// The lines, without the heading.
    private(set) var lines: [[UInt8]] = []
    /// What the lines come to.
    private var known = EditHistory()

    /// Creates the rest of a journal; nil if nothing can be taken out.
    ///
    /// - Parameters:
    ///   - all: All lines of the journal.
    ///   - size: The number of bytes that the last lines have at most.
    init?(of all: [ArraySlice<UInt8>], to size: Int) {
        let start = Self.start(of: all, to: size)
        var history = EditHistory()
        var pending = PendingLines()
        for (number, line) in all[..<start].enumerated() {
            guard let entry = EditJournal.Entry(line: line) else { continue }
            if history.take(entry) { pending.take(entry, at: number) }
        }
        // The heading is no entry.
        if pending.numbers.count >= start - 1 { return nil }
        for number in pending.numbers { keep(all[number], of: history) }
        for line in all[start...] {
            keep(line, of: history)
            if let entry = EditJournal.Entry(line: line) { history.take(entry) }
        }
    }

    private mutating func keep(_ line: ArraySlice<UInt8>, of history: EditHistory) {
        guard var entry = EditJournal.Entry(line: line) else { return }
        var kept = Array(line)
        if case .step(var step) = entry, step.repeatsStep, !known.knows(step.number) {
            // The step that it reverses or repeats, of which it has only the number, is taken out.
            step.edits = history.edits(of: step)
            step.repeatsStep = false
            entry = .step(step)
            kept = entry.line
        }
        known.take(entry)
        lines.append(kept)
    }

    /// Returns the first of the last lines. It does not stand within a save.
    private static func start(of all: [ArraySlice<UInt8>], to size: Int) -> Int {
        var rest = all.reduce(0) { $0 + $1.count + 1 }
        var isBetweenSaves = true
        var start = 0
        for (number, line) in all.enumerated() {
            if isBetweenSaves {
                start = number
                if rest <= size { return start }
            }
            rest -= line.count + 1
            if line.starts(with: #"{"saving":"#.utf8) { isBetweenSaves = false }
            if line.starts(with: #"{"saved":"#.utf8) { isBetweenSaves = true }
        }
        return isBetweenSaves ? all.count : start
    }
}

/// The lines whose edits are not saved.
private struct PendingLines {
    /// Their numbers.
    private(set) var numbers: [Int] = []
    /// The save that was begun, and how many of them are saved by it.
    private var begun: (fingerprint: RandomAccessInput.Fingerprint, count: Int)?

    mutating func take(_ entry: EditJournal.Entry, at number: Int) {
        switch entry {
        case .step: numbers.append(number)
        case .written: break
        case .saving(let fingerprint, over: _): begun = (fingerprint, numbers.count)
        case .saved(let fingerprint):
            if let begun, begun.fingerprint == fingerprint {
                numbers.removeFirst(begun.count)
            } else if !numbers.isEmpty {
                // In a damaged journal, it says that they may be saved.
                numbers.append(number)
            }
            begun = nil
        case .rebased(let edits, steps: _): (numbers, begun) = (edits.isEmpty ? [] : [number], nil)
        }
    }
}
