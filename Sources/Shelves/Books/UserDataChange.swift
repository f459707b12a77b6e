public import Books

/// A change of the user data of one or more books.
public enum UserDataChange: Hashable, Sendable {
    /// Adds the books to the favourites or removes them.
    case favourite(Bool)
    /// Adds the books to a shelf or removes them.
    case shelf(Shelf.ID, Bool)
    /// Adds the books to the shelf with this name, ignoring case; if there is none, it is created in the same step.
    case shelfNamed(String)
    /// Sets the reading status as of a day, such as "2026-11-21" or "2024-03", or of today, and enters it into the
    /// reading log; nil clears the status and what the log says of it.
    case status(Book.ReadingStatus?, on: String? = nil)
    /// Sets how far the reader has come as of a day, or of today; a book that is not being read is from now on.
    case progress(ReadingProgress.Place, on: String? = nil)
    /// Sets the reading status and replaces the reading log.
    case readingLog(Book.ReadingStatus?, ReadingLog)
    /// Sets the rating; nil removes it.
    case rating(StarRating?)
    /// Raises or lowers the rating of each book by half stars, within 0...5. A book without a rating has no stars, and
    /// one without stars is left without a rating.
    case ratingStep(halves: Int)
    /// Sets the note; nil or a blank text removes it.
    case note(String?)
    /// Says that the books of the group with this id are not the same, or takes that back.
    case distinction(String, Bool)
}
