internal import Books

/// What a line of the journal changes.
enum LineSubject: Hashable, Sendable {
    /// Part of the mark of this name.
    case mark(BookIdentity, MarkField)
    /// Part of a shelf or saved query.
    case entry(ListKind, String, EntryField)
    /// Nothing: it says what the lines of its step do to other steps.
    case steps(Reversal)
}

/// A part of a mark.
enum MarkField: Hashable, Sendable {
    case favourite
    case shelf(Shelf.ID)
    case status, rating, note

    /// What a mark says there that does not say anything.
    var nothing: LineValue {
        switch self {
        case .favourite, .shelf: .flag(false)
        case .status, .rating, .note: .nothing
        }
    }
}

/// Which of the reader's lists of lists.
enum ListKind: Hashable, Sendable {
    case shelves, queries
}

/// A part of a shelf or saved query.
enum EntryField: Hashable, Sendable {
    /// Whether it is there, with all that it is.
    case existence
    case name
    /// Its place in the reader's order.
    case index
    /// What a saved query asks for, and in which order.
    case query
}

/// What a step does to others.
enum Reversal: String, Hashable, Sendable {
    case undo, redo, goBack
}

/// A value in a line of the journal.
enum LineValue: Hashable, Sendable {
    case nothing
    case flag(Bool)
    case number(Int)
    case text(String)
    case status(Book.ReadingStatus, [Book.ReadingStatus: String])
    case entry(ListEntry)
    case query(String, sort: String?)
    case steps([Int])
}

/// A shelf or saved query with its place in the reader's order.
struct ListEntry: Hashable, Sendable {
    var index: Int
    var name: String
    var text: String?
    var sort: String?
}
