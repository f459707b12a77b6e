/// The form in which a list shows books.
public enum ListForm: Hashable, Sendable {
    /// A row of columns for each.
    case columns
    /// A card of two or three lines for each.
    case cards
    /// A grid of covers.
    case covers
}
