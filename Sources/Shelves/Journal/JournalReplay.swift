internal import Storage

/// The result of replaying a journal.
struct JournalReplay: Sendable {
    /// The user data.
    var state = UserDataState()
    /// The highest sequence number so far.
    var sequence = 0
    /// The date of the last line.
    var date = ""
    /// The number of lines that could not be parsed.
    var unreadableLineCount = 0

    /// Replays lines that follow the previous ones or, according to `replacement`, all lines of a replaced journal.
    ///
    /// If the journal was truncated, lines that were replayed before have no effect, and their result is kept. Older
    /// lines of a foreign journal only add missing data. Lines later than all lines replayed before always apply.
    mutating func take(_ lines: [ArraySlice<UInt8>], replacing replacement: Journal.Replacement? = nil) {
        guard let replacement else {
            for line in lines { for entry in read(line) { take(entry) } }
            return
        }
        let lines = lines.flatMap { read($0) }
        let (sequence, date) = (sequence, date)
        let isOlder = { (line: JournalEntry) in line.sequence <= sequence && line.date <= date }
        if replacement == .foreign {
            var other = UserDataState()
            lines.filter(isOlder).forEach { other.apply($0) }
            state.merge(other)
        }
        for line in lines where !isOlder(line) { take(line) }
    }

    /// Replays a line.
    mutating func take(_ line: JournalEntry) {
        state.apply(line)
        if line.isNumbered { sequence = max(sequence, line.sequence) }
        date = line.date
    }

    private mutating func read(_ line: ArraySlice<UInt8>) -> [JournalEntry] {
        let read = JournalEntry.entries(of: line)
        if read.map({ $0.unreadableCount > 0 }) ?? true { unreadableLineCount += 1 }
        return read?.entries ?? []
    }
}
