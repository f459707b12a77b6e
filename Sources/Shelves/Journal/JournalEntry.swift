/// One change of user data, stored as a line of the journal.
struct JournalEntry: Hashable, Sendable {
    /// The position among all changes, counted from 1.
    var sequence = 0
    /// The sequence number of the first line of the same undo step.
    var step = 0
    /// The time of the change in UTC (RFC 3339), kept as text, since parsing a date costs more than the rest of the
    /// line.
    var date = ""
    /// The number of books of the step, if there are several; only in its first line.
    var bookCount: Int?
    /// The name of the file whose import the step is; only in its first line. Earlier versions skip it and show the
    /// changes.
    var importedFile: String?
    /// The number of half stars by which the ratings of several books were changed; nil but for the first line of such
    /// a step.
    var ratingStep: Int?
    /// The subject that the line changes.
    var subject: LineSubject
    /// The new value.
    var value: LineValue
    /// The previous value.
    var old: LineValue
    /// The book of a change of user data, so that the line is readable without its catalog and the change can be
    /// redone.
    var book: StoredBook?
    /// The name of the shelf or saved search at that time.
    var name: String?

    /// Whether `sequence` is plausible: a number of 2^52 or more is damage, and later lines must not continue from it.
    var isNumbered: Bool { sequence > 0 && sequence < 1 << 52 }
}

extension JournalEntry {
    /// Whether the line removes user data of a book, which needs no description of the book.
    var takesAway: Bool { subject.field.map { value == $0.nothing } ?? false }

    /// The line that reverses this change, without a sequence number.
    var reversed: JournalEntry {
        var line = self
        (line.value, line.old) = (old, value)
        (line.bookCount, line.importedFile, line.ratingStep) = (nil, nil, nil)
        return line
    }
}
