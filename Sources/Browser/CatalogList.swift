/// One of the lists that a catalog's books are shown in, by the index that is stored for it.
enum CatalogList: Int, CaseIterable {
    /// All books of the catalog.
    case all = 0
    /// The reader's favourites among them.
    case favourites = 1

    /// The index that stands for the screen of all lists.
    static let listsScreenIndex = -1

    /// What it is called.
    var name: String {
        switch self {
        case .all: "All books"
        case .favourites: "Favourites"
        }
    }

    /// What is said in place of its books where it has none, to a reader who has `favouriteKey` for favourites.
    func placeholder(favouriteKey: String) -> String {
        switch self {
        case .all: "This catalog has no books."
        case .favourites: "No favourites yet: \(favouriteKey) on a book makes it one."
        }
    }

    /// The list that a stored index means, or the nearest there is; nil for the screen of all lists.
    init?(storedIndex: Int) {
        guard storedIndex >= 0 else { return nil }
        self = Self(rawValue: storedIndex) ?? .favourites
    }
}
