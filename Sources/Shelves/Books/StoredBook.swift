internal import Books

/// The data stored beside a book's user data: its description and the keys to find it again.
struct StoredBook: Hashable, Sendable {
    /// The title.
    var title: String
    /// The authors.
    var authors: [String]
    /// The keys that match the book in other catalogs.
    var keys: MatchKeys
    /// The path of the catalog in which the user data was created.
    var catalog: String?
    /// The book's key in this catalog.
    var sourceID: String?
}
