internal import Books

/// The description of a book beside its user data, and the keys to find it again. It does not change; all entries and
/// records about a book share one, since a change of many books copies them often.
final class StoredBook: Sendable {
    /// The title of the book when the data was created.
    let title: String
    /// The authors of the book when the data was created.
    let authors: [String]
    /// The keys that match the book in other catalogs.
    let keys: MatchKeys
    /// The path of the catalog in which the user data was created; nil in journals of early versions.
    let catalog: String?
    /// The book's key in this catalog.
    let sourceID: String?

    /// Creates a description.
    init(title: String, authors: [String], keys: MatchKeys, catalog: String? = nil, sourceID: String? = nil) {
        self.title = title
        self.authors = authors
        self.keys = keys
        self.catalog = catalog
        self.sourceID = sourceID
    }
}

extension StoredBook: Hashable {
    /// Returns whether both have the same members.
    static func == (left: StoredBook, right: StoredBook) -> Bool {
        left === right
            || (left.title == right.title && left.authors == right.authors && left.keys == right.keys
                && left.catalog == right.catalog && left.sourceID == right.sourceID)
    }

    /// Hashes the keys and the title.
    func hash(into hasher: inout Hasher) {
        hasher.combine(keys)
        hasher.combine(title)
    }
}
