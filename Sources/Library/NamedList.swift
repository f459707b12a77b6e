public import Books

/// One of the lists that a catalog's books are shown in: its own, and those of the reader.
public struct NamedList: Sendable {
    /// What its books have in common.
    public enum Kind: Hashable, Sendable {
        /// Nothing: they are all books of the catalog.
        case all
        /// They are favourites.
        case favourites
        /// The books with this reading status.
        case status(Book.ReadingStatus)
        /// They are on the shelf with this id.
        case shelf(String)
        /// The saved query with this id finds them.
        case query(String)
    }

    /// What its books have in common.
    public let kind: Kind
    /// What it is called.
    public let name: String

    /// A list of books that have `kind` in common.
    public init(_ kind: Kind, name: String) {
        self.kind = kind
        self.name = name
    }

    /// All books.
    public static let all = NamedList(.all, name: "All books")
    /// The favourites.
    public static let favourites = NamedList(.favourites, name: "Favourites")

    /// The books with a status.
    static func status(_ status: Book.ReadingStatus) -> NamedList {
        NamedList(.status(status), name: status.shown)
    }

    /// The index that stands for the screen of all lists, where the others are counted from 0.
    public static let listsScreenIndex = -1

    /// What it is known by, whatever it is called and wherever it stands among the lists.
    public var id: String {
        switch kind {
        case .all: "all"
        case .favourites: "favourites"
        case .status(let status): "status:" + status.rawValue
        case .shelf(let id): "shelf:" + id
        case .query(let id): "query:" + id
        }
    }

    /// Whether the reader made it, and can call it something else, move it and delete it.
    public var isReadersOwn: Bool {
        switch kind {
        case .all, .favourites, .status: false
        case .shelf, .query: true
        }
    }
}

extension NamedList: Hashable {
    /// Whether both are the same list, whatever they are called.
    public static func == (left: NamedList, right: NamedList) -> Bool { left.kind == right.kind }

    /// Puts what the list is known by into `hasher`.
    public func hash(into hasher: inout Hasher) { hasher.combine(kind) }
}
