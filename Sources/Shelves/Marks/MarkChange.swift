public import Books

/// Something that the reader does to the marks of one or more books.
public enum MarkChange: Hashable, Sendable {
    /// Makes them favourites, or no longer.
    case favourite(Bool)
    /// Puts them on a shelf, or takes them off it.
    case shelf(Shelf.ID, Bool)
    /// Says how far the reader has come with them, as of today; with nil nothing is said of it any more, nor of the dates.
    case status(Book.ReadingStatus?)
    /// Rates them, from 0 to 5: what is beyond is taken for the nearest; with nil they are not rated.
    case rating(Int?)
    /// Writes a note on them; with nil, or a blank one, there is none.
    case note(String?)
}
