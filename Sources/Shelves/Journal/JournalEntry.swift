/// One change of what is the reader's own, as a line of the journal holds it.
struct JournalEntry: Hashable, Sendable {
    /// Its place among all changes, counted from 1.
    var sequence = 0
    /// The sequence number of the first line of its step: what the reader did at once.
    var step = 0
    /// When it was made, in UTC (RFC 3339). Text: reading a date costs more than all the rest of a line.
    var date = ""
    /// In the first line of a step: how many books it is about, where they are several.
    var bookCount: Int?
    /// What it changes.
    var subject: LineSubject
    /// What that is now.
    var value: LineValue
    /// What it was before.
    var old: LineValue
    /// For a mark: the book it is on, so that the line reads well without its catalog, and the mark can be made again.
    var book: MarkedBook?
    /// What the shelf or saved query that it is about was called then.
    var name: String?

    /// Whether `sequence` can be true: more changes than this nobody makes. Else the number is damage, and must not take
    /// those after it along.
    var isNumbered: Bool { sequence > 0 && sequence < 1 << 52 }
}

extension JournalEntry {
    /// The line that does this one's change backwards; to be numbered.
    var reversed: JournalEntry {
        var line = self
        (line.value, line.old, line.bookCount) = (old, value, nil)
        return line
    }
}
