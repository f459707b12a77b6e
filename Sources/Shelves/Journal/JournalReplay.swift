internal import Storage

/// What a journal came to, as far as it was read.
struct JournalReplay: Sendable {
    /// What is kept.
    var kept = UserDataState()
    /// The highest sequence number so far.
    var sequence = 0
    /// The date of the last line.
    var date = ""
    /// How many lines could not be read.
    var unreadableLineCount = 0

    /// Takes in lines that follow those before, or, where `replacement` says so, all lines of a journal in their place.
    ///
    /// Of a journal that was cut off, the lines that were read already change nothing: what they came to is kept. Those of
    /// another journal add what is not kept yet, and take away nothing. What is later than all that was read counts.
    mutating func take(_ lines: [ArraySlice<UInt8>], replacing replacement: Journal.Replacement? = nil) {
        guard let replacement else {
            for line in lines { if let line = read(line) { take(line) } }
            return
        }
        let lines = lines.compactMap { read($0) }
        let (sequence, date) = (sequence, date)
        let isOlder = { (line: JournalEntry) in line.sequence <= sequence && line.date <= date }
        if replacement == .foreign {
            var other = UserDataState()
            lines.filter(isOlder).forEach { other.apply($0) }
            kept.merge(other)
        }
        for line in lines where !isOlder(line) { take(line) }
    }

    /// Takes in a line.
    mutating func take(_ line: JournalEntry) {
        kept.apply(line)
        if line.isNumbered { sequence = max(sequence, line.sequence) }
        date = line.date
    }

    private mutating func read(_ line: ArraySlice<UInt8>) -> JournalEntry? {
        let read = JournalEntry(line: line)
        if read == nil { unreadableLineCount += 1 }
        return read
    }
}
