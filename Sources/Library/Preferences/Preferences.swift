public import Books
internal import FoundationEssentials
internal import JSON
public import Search

/// The contents of the preferences file: the last position in each catalog.
public struct Preferences: Encodable, Hashable, Sendable {
    /// The version of the file format that this program writes.
    public static let currentVersion = 1

    /// The version of the file format.
    public var version = currentVersion
    /// The path of the catalog that was opened last.
    public var lastCatalog: String?
    /// The searches that were kept, the latest last.
    public private(set) var searches: [Search] = []
    /// What the person has said about looking books up in servers; nil if that was not asked.
    public var lookup: LookupChoice?
    /// What terminals said about pictures when they last showed a catalog, by terminal type.
    public private(set) var terminals: [String: String] = [:]
    /// The state of each catalog, by the path of the catalog.
    private(set) var catalogs: [String: CatalogState] = [:]

    /// The last position in a catalog and its arrangement.
    public struct CatalogState: Hashable, Sendable {
        /// The last position.
        public var place: Place
        /// The arrangement.
        public var arrangement = Arrangement()
        /// A number that increases with each catalog that is left, for finding the oldest states.
        public var turn = 0
    }

    /// A search that was kept.
    public struct Search: Encodable, Hashable, Sendable {
        /// The query.
        public var text: String
        /// The path of the catalog that was searched.
        public var catalog: String
    }

    /// Whether servers may see what is looked up.
    public struct LookupChoice: Encodable, Hashable, Sendable {
        /// The addresses of the servers that were named in the question.
        public var servers: Set<String>
        /// Whether they may be asked.
        public var isAllowed: Bool

        /// Creates a choice.
        public init(servers: Set<String>, isAllowed: Bool) { (self.servers, self.isAllowed) = (servers, isAllowed) }
    }

    /// The maximum number of searches remembered.
    public static let maximumSearchCount = 100

    /// Adds a search as the latest one, in place of the same search before. If there are too many, removes the oldest.
    public mutating func remember(_ search: Search) {
        searches.removeAll { $0 == search }
        searches.append(search)
        searches.removeFirst(max(0, searches.count - Self.maximumSearchCount))
    }

    /// The maximum number of terminal types remembered.
    public static let maximumTerminalCount = 20

    /// Stores what the terminal of a type said about pictures. If there are too many, removes another one.
    public mutating func remember(_ answer: String, of terminal: String) {
        terminals[terminal] = answer
        guard terminals.count > Self.maximumTerminalCount else { return }
        terminals.keys.filter { $0 != terminal }.min().map { terminals[$0] = nil }
    }

    /// The paths of the catalogs, the one that was left last first.
    var recentCatalogs: [String] {
        catalogs.sorted { ($1.value.turn, $0.key) < ($0.value.turn, $1.key) }.map(\.key)
    }

    /// The maximum number of catalogs remembered.
    public static let maximumCatalogCount = 100

    /// Stores the state of the catalog at `path` as the latest one. If there are too many, removes the oldest states.
    public mutating func remember(_ place: CatalogState, in path: String) {
        var place = place
        let last = catalogs.values.map(\.turn).max() ?? 0
        place.turn = last < .max ? last + 1 : last
        catalogs[path] = place
        guard catalogs.count > Self.maximumCatalogCount else { return }
        // Turns may be equal; sorting by path as well makes the order deterministic.
        let others = catalogs.filter { $0.key != path }
            .sorted { ($0.value.turn, $0.key) < ($1.value.turn, $1.key) }
        for (oldest, _) in others.prefix(catalogs.count - Self.maximumCatalogCount) { catalogs[oldest] = nil }
    }

    /// A position in a catalog.
    public struct Place: Encodable, Hashable, Sendable {
        /// The index of the open list: 0 for all books, 1 for favourites, -1 for the screen of all lists.
        public var lastViewedListIndex: Int
        /// The id of the list, which takes precedence if lists were moved; nil on the screen of all lists.
        public var list: String?
        /// The current row, counted from zero.
        public var row: Int
        /// The row at the top of the screen.
        public var scrollOffset: Int
        /// The identity of the current book, if any.
        public var book: String?
        /// The hash of the book's title and authors, if its identity is its ISBN.
        public var hash: String?
        /// The id of the book in its source, if the source is a server that is asked for the rows on the screen.
        public var sourceID: String?
        /// The query of the list; nil for none.
        public var query: String?
        /// The sort order, in the form of `SortOrder.description`; nil for the list order.
        public var sort: String?
        /// The key by which the list is grouped; nil for none.
        public var sections: String?
        /// Whether the detail had the keyboard; nil for false.
        public var isDetailFocused: Bool?

        /// Creates a position in a list.
        public init(
            lastViewedListIndex: Int, list: String? = nil, row: Int, scrollOffset: Int, book: String? = nil,
            hash: String? = nil, sourceID: String? = nil, query: String? = nil, sort: String? = nil,
            sections: String? = nil,
            isDetailFocused: Bool? = nil
        ) {
            (self.lastViewedListIndex, self.list, self.row) = (lastViewedListIndex, list, row)
            (self.scrollOffset, self.book, self.hash, self.query) = (scrollOffset, book, hash, query)
            (self.sort, self.sections, self.isDetailFocused) = (sort, sections, isDetailFocused)
            self.sourceID = sourceID
        }
    }

    /// The arrangement of a catalog; nil values follow the settings.
    public struct Arrangement: Hashable, Sendable {
        /// The share of the list in the width of list and detail, in thousandths.
        public var listShare: Int?
        /// The share of the list in the height of list and detail, in thousandths.
        public var stackedShare: Int?
        /// The width of the lists pane, in columns.
        public var listsWidth: Int?
        /// The columns of the list, in the form of `ListColumns.names`.
        public var columns: [String]?
        /// The form of the list.
        public var form: ListForm?
        /// The bookmarks.
        public var bookmarks: [Bookmark] = []

        /// Creates an arrangement.
        public init(
            listShare: Int? = nil, stackedShare: Int? = nil, listsWidth: Int? = nil, columns: [String]? = nil,
            form: ListForm? = nil, bookmarks: [Bookmark] = []
        ) {
            (self.listShare, self.stackedShare, self.listsWidth) = (listShare, stackedShare, listsWidth)
            (self.columns, self.form, self.bookmarks) = (columns, form, bookmarks)
        }
    }
}

/// A place in a catalog with a letter.
public struct Bookmark: Hashable, Sendable {
    /// The letter, a to z.
    public var letter: Character
    /// The place.
    public var place: Preferences.Place

    /// Creates a bookmark.
    public init(letter: Character, place: Preferences.Place) { (self.letter, self.place) = (letter, place) }
}

extension Preferences {
    private enum CodingKeys: CodingKey { case version, lastCatalog, searches, lookup, terminals, catalogs }

    /// Encodes the contents, without what is empty.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(version, forKey: .version)
        try container.encodeIfPresent(lastCatalog, forKey: .lastCatalog)
        if !searches.isEmpty { try container.encode(searches, forKey: .searches) }
        try container.encodeIfPresent(lookup, forKey: .lookup)
        if !terminals.isEmpty { try container.encode(terminals, forKey: .terminals) }
        try container.encode(catalogs, forKey: .catalogs)
    }
}

extension Preferences.CatalogState: Encodable {
    private enum CodingKeys: CodingKey { case turn }

    /// Encodes the state as members of the catalog's object.
    public func encode(to encoder: any Encoder) throws {
        try place.encode(to: encoder)
        try arrangement.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(turn, forKey: .turn)
    }
}

extension Preferences.Arrangement: Encodable {
    private enum CodingKeys: String, CodingKey {
        case listShare, stackedShare, listsWidth, columns, cards, covers
        case bookmarks = "marks"
    }

    /// Encodes the arrangement as members of the catalog's object.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(listShare, forKey: .listShare)
        try container.encodeIfPresent(stackedShare, forKey: .stackedShare)
        try container.encodeIfPresent(listsWidth, forKey: .listsWidth)
        try container.encodeIfPresent(columns, forKey: .columns)
        // Versions without covers show cards in their place.
        try container.encodeIfPresent(form.map { $0 != .columns }, forKey: .cards)
        if form == .covers { try container.encode(true, forKey: .covers) }
        if bookmarks.isEmpty { return }
        let places = Dictionary(bookmarks.map { (String($0.letter), $0.place) }) { _, last in last }
        try container.encode(places, forKey: .bookmarks)
    }

    /// Creates the arrangement from `value`, the catalog's object; ignores invalid members.
    fileprivate init(_ value: JSONValue) {
        listShare = value["listShare"]?.integer.flatMap { (1...999).contains($0) ? $0 : nil }
        stackedShare = value["stackedShare"]?.integer.flatMap { (1...999).contains($0) ? $0 : nil }
        listsWidth = value["listsWidth"]?.integer.flatMap { (1...100_000).contains($0) ? $0 : nil }
        if case .array(let names) = value["columns"] { columns = names.compactMap(\.string) }
        if case .boolean(let flag) = value["cards"] { form = flag ? .cards : .columns }
        if value["covers"]?.boolean == true { form = .covers }
        for member in value["marks"]?.members ?? [] {
            guard member.key.utf8.count == 1, let letter = member.key.first, letter.isLowercase,
                let place = Preferences.Place(member.value)
            else { continue }
            bookmarks.append(Bookmark(letter: letter, place: place))
        }
    }
}

extension Preferences {
    /// The contents of a preferences file.
    public enum Content: Hashable {
        case readable(Preferences)
        /// The file was written by a newer program.
        case newer
        case unreadable
    }

    /// Parses `bytes`, the contents of a preferences file.
    public static func content(of bytes: [UInt8]) -> Content {
        guard let value = JSONValue(parsing: bytes), let version = value["version"]?.integer else { return .unreadable }
        // Newer programs keep the version member, whatever else they change.
        if version > currentVersion { return .newer }
        guard let members = value["catalogs"]?.members else { return .unreadable }
        var preferences = Preferences(lastCatalog: value["lastCatalog"]?.string)
        if case .array(let elements) = value["searches"] {
            for element in elements.suffix(maximumSearchCount) {
                guard let text = element["text"]?.string, let catalog = element["catalog"]?.string else { continue }
                preferences.remember(Search(text: text, catalog: catalog))
            }
        }
        preferences.lookup = value["lookup"].flatMap(LookupChoice.init)
        for member in value["terminals"]?.members ?? [] {
            if let answer = member.value.string { preferences.remember(answer, of: member.key) }
        }
        for member in members {
            guard let place = Place(member.value) else { return .unreadable }
            let arrangement = Arrangement(member.value)
            preferences.catalogs[member.key] = CatalogState(
                place: place, arrangement: arrangement, turn: member.value["turn"]?.integer ?? 0)
        }
        return .readable(preferences)
    }

    /// The contents of the file: readable JSON with sorted keys.
    public var bytes: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Encoding strings and integers cannot fail.
        return ((try? encoder.encode(self)).map(Array.init) ?? []) + [UInt8(ascii: "\n")]
    }
}

extension Preferences.LookupChoice {
    private enum CodingKeys: CodingKey { case servers, isAllowed }

    /// Encodes the choice, with the servers in alphabetical order.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(servers.sorted(), forKey: .servers)
        try container.encode(isAllowed, forKey: .isAllowed)
    }

    /// Fails for anything else than a whole choice: nothing is allowed by a damaged one.
    fileprivate init?(_ value: JSONValue) {
        guard let isAllowed = value["isAllowed"]?.boolean, let servers = value["servers"]?.elements else { return nil }
        self.init(servers: Set(servers.compactMap(\.string)), isAllowed: isAllowed)
    }
}

extension Preferences.Place {
    /// Creates the place of the book with `keys`; its occurrence among duplicates is not stored.
    public init(
        lastViewedListIndex: Int, row: Int, scrollOffset: Int, keys: MatchKeys, sourceID: String? = nil
    ) {
        self.init(
            lastViewedListIndex: lastViewedListIndex, row: row, scrollOffset: scrollOffset,
            book: keys.identifying.description, hash: keys.hash.description, sourceID: sourceID)
    }

    fileprivate init?(_ value: JSONValue) {
        guard let listIndex = value["lastViewedListIndex"]?.integer, let row = value["row"]?.integer,
            let scrollOffset = value["scrollOffset"]?.integer
        else { return nil }
        self.init(
            lastViewedListIndex: listIndex, list: value["list"]?.string, row: row, scrollOffset: scrollOffset,
            book: value["book"]?.string,
            hash: value["hash"]?.string, sourceID: value["sourceID"]?.string, query: value["query"]?.string,
            sort: value["sort"]?.string,
            sections: value["sections"]?.string,
            isDetailFocused: value["isDetailFocused"] == .boolean(true) ? true : nil)
    }

    /// Returns the query, sort order and grouping of the list in a catalog with these fields; invalid ones are ignored.
    public func request(of schema: Schema) -> ListRequest {
        ListRequest(
            query: Query(query ?? "", of: schema), order: sort.flatMap { SortOrder($0, of: schema) } ?? .list,
            grouping: sections.flatMap { SectionKey(rawValue: $0, of: schema) })
    }

    /// Stores a request.
    public mutating func set(_ request: ListRequest) {
        query = request.query.text.isEmpty ? nil : request.query.text
        sort = request.order == .list ? nil : request.order.description
        sections = request.grouping?.rawValue
    }

    /// The keys of the current book; nil if there is none or they are invalid.
    public var keys: MatchKeys? {
        guard let key = book.flatMap(BookIdentity.init)?.key else { return nil }
        return MatchKeys(isbn: key.isISBN ? key : nil, hash: hash.flatMap(BookIdentity.init)?.key ?? key)
    }
}
