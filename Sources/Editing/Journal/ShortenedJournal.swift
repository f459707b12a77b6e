internal import Storage

/// The lines that remain when a journal is shortened: the last ones, and the unsaved ones before them.
struct ShortenedJournal {
    /// The lines, without the heading.
    private(set) var lines: [[UInt8]] = []
    /// The state that results from the lines.
    private var known = EditHistory()

    /// Creates the remaining lines of a journal; nil if no line can be removed.
    ///
    /// - Parameters:
    ///   - all: All lines of the journal.
    ///   - size: The maximum number of bytes of the last lines.
    init?(of all: [ArraySlice<UInt8>], to size: Int) {
        let start = Self.start(of: all, to: size)
        var history = EditHistory()
        var pending = PendingLines()
        for (number, line) in all[..<start].enumerated() {
            guard let entry = EditJournal.Entry(line: line) else { continue }
            if history.take(entry) { pending.take(entry, at: number) }
        }
        // The heading is not an entry.
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
            // The step that it reverses or redoes, and to which it refers by number, is removed.
            step.edits = history.edits(of: step)
            step.repeatsStep = false
            entry = .step(step)
            kept = entry.line
        }
        known.take(entry)
        lines.append(kept)
    }

    /// Returns the first of the last lines. It is not within a save.
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
    /// The numbers of the lines.
    private(set) var numbers: [Int] = []
    /// The started save, and the number of lines that it saves.
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
                // In a damaged journal, they may be saved.
                numbers.append(number)
            }
            begun = nil
        case .sending: (numbers, begun) = ([number], nil)
        case .rebased(let edits, steps: _): (numbers, begun) = (edits.isEmpty ? [] : [number], nil)
        }
    }
}
