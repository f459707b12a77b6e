internal import Books

/// What is kept of a book beside the reader's marks on it: what it is called, and by what it is found again.
struct MarkedBook: Hashable, Sendable {
    /// Its title.
    var title: String
    /// Its authors.
    var authors: [String]
    /// Its keys, by which it is found in other catalogs.
    var keys: MatchKeys
    /// The path of the catalog that it was marked in.
    var catalog: String?
    /// The key that this catalog has for it.
    var sourceID: String?
}
