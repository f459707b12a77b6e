/// One of the lists that a catalog's books are shown in, by the index that is stored for it.
public enum CatalogList: Int, CaseIterable, Sendable {
    /// All books of the catalog.
    case all = 0
    /// The reader's favourites among them.
    case favourites = 1

    /// The index that stands for the screen of all lists.
    static let listsScreenIndex = -1

    /// What it is called.
    public var name: String {
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

    /// The list of this name, in whatever case; nil where there is none.
    public init?(named name: String) {
        guard let list = Self.allCases.first(where: { $0.name.lowercased() == name.lowercased() }) else { return nil }
        self = list
    }

    /// The list that a stored index means, or the nearest there is; nil for the screen of all lists.
    init?(storedIndex: Int) {
        guard storedIndex >= 0 else { return nil }
        self = Self(rawValue: storedIndex) ?? .favourites
    }
}
