public import Books

/// A change of the user data of one or more books.
public enum UserDataChange: Hashable, Sendable {
    /// Adds the books to the favourites or removes them.
    case favourite(Bool)
    /// Adds the books to a shelf or removes them.
    case shelf(Shelf.ID, Bool)
    /// Sets the reading status as of today; nil clears the status and its dates.
    case status(Book.ReadingStatus?)
    /// Sets the reading status with the date of each status, such as "2026-11-21".
    case datedStatus(Book.ReadingStatus, [Book.ReadingStatus: String])
    /// Sets the rating, clamped to 0...5; nil removes it.
    case rating(Int?)
    /// Sets the note; nil or a blank text removes it.
    case note(String?)
}
