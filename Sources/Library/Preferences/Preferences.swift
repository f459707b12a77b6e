public import Books
internal import FoundationEssentials
internal import JSON
public import Search

/// Where the reader was, catalog by catalog: the content of the preferences file.
public struct Preferences: Encodable, Hashable {
    /// The form of the file that this program writes.
    public static let currentVersion = 1

    /// The form of the file.
    public var version = currentVersion
    /// The path of the catalog that was opened last.
    public var lastCatalog: String?
    /// Where the reader was in each catalog, by the path of the catalog.
    private(set) var catalogs: [String: CatalogState] = [:]

    /// Where the reader was in one catalog.
    public struct CatalogState: Hashable {
        /// The place in the catalog.
        public var place: Place
        /// How the reader arranged it.
        public var arrangement = Arrangement()
        /// A number that is the greater, the later the reader left it.
        public var turn = 0
    }

    /// How many catalogs are remembered.
    public static let maximumCatalogCount = 100

    /// Remembers where the reader was in the catalog at `path`, as the last one; those that were left longest ago are
    /// forgotten where they are too many.
    public mutating func remember(_ place: CatalogState, in path: String) {
        var place = place
        let last = catalogs.values.map(\.turn).max() ?? 0
        place.turn = last < .max ? last + 1 : last
        catalogs[path] = place
        guard catalogs.count > Self.maximumCatalogCount else { return }
        // Sorted by path as well: turns may be equal, and a dictionary has no order.
        let others = catalogs.filter { $0.key != path }
            .sorted { ($0.value.turn, $0.key) < ($1.value.turn, $1.key) }
        for (oldest, _) in others.prefix(catalogs.count - Self.maximumCatalogCount) { catalogs[oldest] = nil }
    }

    /// A place in a catalog.
    public struct Place: Encodable, Hashable {
        /// The index of the list that was showing, 0 for all books and 1 for favourites; -1 for the screen of all lists.
        public var lastViewedListIndex: Int
        /// The id of that list, which decides where lists were moved since; nil on the screen of all lists.
        public var list: String?
        /// The selected row, counted from zero.
        public var row: Int
        /// The row at the top of the screen.
        public var scrollOffset: Int
        /// The identity of the selected book; nil where there was none.
        public var book: String?
        /// The hash of its title and authors, where its identity is its ISBN.
        public var hash: String?
        /// What the list was searched for; nil for nothing.
        public var query: String?
        /// How it was ordered, as `SortOrder` writes it; nil for the list's own order.
        public var sort: String?
        /// By what it stood in sections; nil for none.
        public var sections: String?
        /// Whether the detail had the keyboard; nil where it had not.
        public var isDetailFocused: Bool?

        /// A place in a list.
        public init(
            lastViewedListIndex: Int, list: String? = nil, row: Int, scrollOffset: Int, book: String? = nil,
            hash: String? = nil, query: String? = nil, sort: String? = nil, sections: String? = nil,
            isDetailFocused: Bool? = nil
        ) {
            (self.lastViewedListIndex, self.list, self.row) = (lastViewedListIndex, list, row)
            (self.scrollOffset, self.book, self.hash, self.query) = (scrollOffset, book, hash, query)
            (self.sort, self.sections, self.isDetailFocused) = (sort, sections, isDetailFocused)
        }
    }

    /// How the reader arranged a catalog; what is nil, as stacks does of itself.
    public struct Arrangement: Hashable {
        /// The share of the list of books beside the detail, in thousandths.
        public var listShare: Int?
        /// The same above the detail.
        public var stackedShare: Int?
        /// The width of the pane of lists, in columns.
        public var listsWidth: Int?
        /// The columns of the list, as `ListColumns` writes them.
        public var columns: [String]?
        /// The places that the reader gave letters.
        public var bookmarks: [Bookmark] = []

        /// An arrangement; what is nil, as stacks does of itself.
        public init(
            listShare: Int? = nil, stackedShare: Int? = nil, listsWidth: Int? = nil, columns: [String]? = nil,
            bookmarks: [Bookmark] = []
        ) {
            (self.listShare, self.stackedShare, self.listsWidth) = (listShare, stackedShare, listsWidth)
            (self.columns, self.bookmarks) = (columns, bookmarks)
        }
    }
}

/// A place to which the reader gave a letter.
public struct Bookmark: Hashable {
    /// The letter, a to z.
    public var letter: Character
    /// The place.
    public var place: Preferences.Place

    /// A place with a letter.
    public init(letter: Character, place: Preferences.Place) { (self.letter, self.place) = (letter, place) }
}

extension Preferences.CatalogState: Encodable {
    private enum CodingKeys: CodingKey { case turn }

    /// Writes it as members of the object of a catalog.
    public func encode(to encoder: any Encoder) throws {
        try place.encode(to: encoder)
        try arrangement.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(turn, forKey: .turn)
    }
}

extension Preferences.Arrangement: Encodable {
    private enum CodingKeys: String, CodingKey {
        case listShare, stackedShare, listsWidth, columns
        case bookmarks = "marks"
    }

    /// Writes it as members of the object of a catalog.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(listShare, forKey: .listShare)
        try container.encodeIfPresent(stackedShare, forKey: .stackedShare)
        try container.encodeIfPresent(listsWidth, forKey: .listsWidth)
        try container.encodeIfPresent(columns, forKey: .columns)
        if bookmarks.isEmpty { return }
        let places = Dictionary(bookmarks.map { (String($0.letter), $0.place) }) { _, last in last }
        try container.encode(places, forKey: .bookmarks)
    }

    /// The arrangement that `value`, the object of a catalog, holds; what nobody can read is as if it were not there.
    fileprivate init(_ value: JSONValue) {
        listShare = value["listShare"]?.integer.flatMap { (1...999).contains($0) ? $0 : nil }
        stackedShare = value["stackedShare"]?.integer.flatMap { (1...999).contains($0) ? $0 : nil }
        listsWidth = value["listsWidth"]?.integer.flatMap { (1...100_000).contains($0) ? $0 : nil }
        if case .array(let names) = value["columns"] { columns = names.compactMap(\.string) }
        for member in value["marks"]?.members ?? [] {
            guard member.key.utf8.count == 1, let letter = member.key.first, letter.isLowercase,
                let place = Preferences.Place(member.value)
            else { continue }
            bookmarks.append(Bookmark(letter: letter, place: place))
        }
    }
}

extension Preferences {
    /// What a preferences file holds.
    public enum Content: Hashable {
        case readable(Preferences)
        /// It was written by a newer program.
        case newer
        case unreadable
    }

    /// What `bytes`, the content of a preferences file, hold.
    public static func content(of bytes: [UInt8]) -> Content {
        guard let value = JSONValue(parsing: bytes), let version = value["version"]?.integer else { return .unreadable }
        // Newer programs keep the version, whatever else they change.
        if version > currentVersion { return .newer }
        guard let members = value["catalogs"]?.members else { return .unreadable }
        var preferences = Preferences(lastCatalog: value["lastCatalog"]?.string)
        for member in members {
            guard let place = Place(member.value) else { return .unreadable }
            let arrangement = Arrangement(member.value)
            preferences.catalogs[member.key] = CatalogState(
                place: place, arrangement: arrangement, turn: member.value["turn"]?.integer ?? 0)
        }
        return .readable(preferences)
    }

    /// The file's content: JSON that a person can read, with sorted keys.
    public var bytes: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Encoding strings and integers cannot fail.
        return ((try? encoder.encode(self)).map(Array.init) ?? []) + [UInt8(ascii: "\n")]
    }
}

extension Preferences.Place {
    /// The place of the book with `keys`, whose identity may be that of one of its doubles.
    public init(lastViewedListIndex: Int, row: Int, scrollOffset: Int, keys: MatchKeys) {
        self.init(
            lastViewedListIndex: lastViewedListIndex, row: row, scrollOffset: scrollOffset,
            book: keys.identifying.description, hash: keys.hash.description)
    }

    fileprivate init?(_ value: JSONValue) {
        guard let listIndex = value["lastViewedListIndex"]?.integer, let row = value["row"]?.integer,
            let scrollOffset = value["scrollOffset"]?.integer
        else { return nil }
        self.init(
            lastViewedListIndex: listIndex, list: value["list"]?.string, row: row, scrollOffset: scrollOffset,
            book: value["book"]?.string,
            hash: value["hash"]?.string, query: value["query"]?.string, sort: value["sort"]?.string,
            sections: value["sections"]?.string,
            isDetailFocused: value["isDetailFocused"] == .boolean(true) ? true : nil)
    }

    /// What was asked of the list; of what nobody can read nothing.
    public var request: ListRequest {
        get {
            ListRequest(
                query: Query(query ?? ""), order: sort.flatMap(SortOrder.init) ?? .list,
                grouping: sections.flatMap(SectionKey.init))
        }
        set {
            query = newValue.query.text.isEmpty ? nil : newValue.query.text
            sort = newValue.order == .list ? nil : newValue.order.description
            sections = newValue.grouping?.rawValue
        }
    }

    /// The keys of the selected book; nil where there was none, or nobody can read them.
    public var keys: MatchKeys? {
        guard let key = book.flatMap(BookIdentity.init)?.key else { return nil }
        return MatchKeys(isbn: key.isISBN ? key : nil, hash: hash.flatMap(BookIdentity.init)?.key ?? key)
    }
}
