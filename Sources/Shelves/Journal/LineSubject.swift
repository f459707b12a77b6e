internal import Books

/// The subject of a change in the journal.
enum LineSubject: Hashable, Sendable {
    /// A field of the user data with this identity.
    case book(BookIdentity, UserDataField)
    /// A field of a shelf or saved search.
    case entry(ListKind, String, EntryField)
    /// The number of books that the reader wants to read in a year; nothing if it is not set.
    case goal(year: Int)
    /// No data: the first line of an undo, redo or revert step, which names the steps that it affects.
    case steps(Reversal)
    /// The first line of a step that edits the catalog at this path, without user data; the value is the number of the
    /// edit in the journal of that catalog.
    case edit(CatalogEditStep.Kind, catalog: String)

    /// The changed field of a book's user data; nil for other subjects.
    var field: UserDataField? { if case .book(_, let field) = self { field } else { nil } }
}

/// A field of a book's user data.
enum UserDataField: Hashable, Sendable {
    case favourite
    case shelf(Shelf.ID)
    case status, rating, note
    case distinction(String)

    /// The value of an empty field.
    var nothing: LineValue {
        switch self {
        case .favourite, .shelf, .distinction: .flag(false)
        case .status, .rating, .note: .nothing
        }
    }
}

/// The user's two kinds of lists: shelves and saved searches.
enum ListKind: Hashable, Sendable {
    case shelves, queries
}

/// A field of a shelf or saved search.
enum EntryField: Hashable, Sendable {
    /// The existence of the entry, with all its fields.
    case existence
    case name
    /// The index in the user's order.
    case index
    /// The query and the sort order of a saved search.
    case query
}

/// The effect of a step on other steps.
enum Reversal: String, Hashable, Sendable {
    case undo, redo, goBack
}

/// A value in a line of the journal.
enum LineValue: Hashable, Sendable {
    case nothing
    case flag(Bool)
    case number(Int)
    case rating(StarRating)
    case text(String)
    // Indirect, since these values would make each entry of the journal twice as large.
    indirect case status(Book.ReadingStatus?, ReadingLog)
    indirect case entry(ListEntry)
    indirect case query(String, sort: String?)
    case steps([Int])
}

/// A shelf or saved search with its index in the user's order.
struct ListEntry: Hashable, Sendable {
    var index: Int
    var name: String
    var text: String?
    var sort: String?
}
