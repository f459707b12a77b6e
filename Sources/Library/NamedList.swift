public import Books

/// One of the lists in the sidebar: built-in, a shelf or a saved search.
public struct NamedList: Sendable {
    /// The criterion that the books of a list share.
    public enum Kind: Hashable, Sendable {
        /// All books of the catalog.
        case all
        /// The favourites.
        case favourites
        /// The books with this reading status.
        case status(Book.ReadingStatus)
        /// The books to read next.
        case upNext
        /// The books on the shelf with this id.
        case shelf(String)
        /// The results of the saved search with this id.
        case query(String)
        /// The results of a search for what is to be tidied up.
        case tidyUp(TidyUpSearch)
    }

    /// The criterion that the books share.
    public let kind: Kind
    /// The display name.
    public let name: String

    /// Creates a list.
    public init(_ kind: Kind, name: String) {
        self.kind = kind
        self.name = name
    }

    /// All books of the catalog.
    public static let all = NamedList(.all, name: "All books")
    /// The favourites.
    public static let favourites = NamedList(.favourites, name: "Favourites")
    /// The next unread book of each series begun, and then the books to read.
    public static let upNext = NamedList(.upNext, name: "Up next")

    /// Returns the list of books with a reading status.
    static func status(_ status: Book.ReadingStatus) -> NamedList {
        NamedList(.status(status), name: status.shown)
    }

    /// The index of the screen of all lists; the lists themselves are counted from 0.
    public static let listsScreenIndex = -1

    /// The stable id, independent of the name and position.
    public var id: String {
        switch kind {
        case .all: "all"
        case .favourites: "favourites"
        case .status(let status): "status:" + status.rawValue
        case .upNext: "up-next"
        case .shelf(let id): "shelf:" + id
        case .query(let id): "query:" + id
        case .tidyUp(let search): "tidy-up:" + search.rawValue
        }
    }

    /// Whether the user created the list, and can rename, move and delete it.
    public var isUserList: Bool {
        switch kind {
        case .all, .favourites, .status, .upNext, .tidyUp: false
        case .shelf, .query: true
        }
    }
}

extension NamedList: Hashable {
    /// Whether both are the same list, regardless of their names.
    public static func == (left: NamedList, right: NamedList) -> Bool { left.kind == right.kind }

    /// Hashes the criterion only.
    public func hash(into hasher: inout Hasher) { hasher.combine(kind) }
}
