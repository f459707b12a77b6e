public import Books

/// The sort order of a list.
public struct SortOrder: Hashable, Sendable {
    /// The property of a book to sort by.
    public enum Key: Hashable, Sendable {
        /// Authors sort by the family name of the first, series by name and position.
        case title, author, series, year, pages, rating, added
        /// The reader's own rating, the last day on which the book was finished, and the reading status: that of the
        /// reader, else that of the catalog.
        case mine, read, status
        /// No order; each number gives another one, which lasts while books are not added or removed.
        case random(seed: UInt32)
        /// A field that only the catalog has; the first value of a list counts.
        case own(BookField)

        /// The properties of every book.
        public static let ofEveryBook: [Key] = [.title, .author, .series, .year, .pages, .rating, .added]

        /// The properties that depend on the reader's data.
        public static let ofReader: [Key] = [.mine, .read, .status]

        /// The properties of the books of a catalog, with one order of chance.
        public static func all(of schema: Schema) -> [Key] {
            ofEveryBook + ofReader + [.random(seed: 0)] + schema.described.map(Key.own)
        }

        /// The name in options and preferences: "title", "random:42".
        public var rawValue: String { if case .random(let seed) = self { "\(name):\(seed)" } else { name } }

        /// The name without the number of an order of chance: "title", "random".
        public var name: String {
            switch self {
            case .own(let field): field.id
            case .random: "random"
            default: "\(self)"
            }
        }

        /// An order of chance that is a new one at each call.
        public static var anyOrder: Key { .random(seed: .random(in: 0...UInt32.max)) }

        /// The property of this name; those of every book come first. "random" without a number is a new order each time.
        public init?(rawValue name: String, of schema: Schema = .ofEveryBook) {
            let parts = name.lowercased().split(separator: ":", omittingEmptySubsequences: false)
            if parts == ["random"] {
                self = .anyOrder
            } else if parts.count == 2, parts[0] == "random", let seed = UInt32(parts[1]) {
                self = .random(seed: seed)
            } else if let key = (Self.ofEveryBook + Self.ofReader).first(where: { $0.rawValue == name.lowercased() }) {
                self = key
            } else if let field = schema.ownField(named: name) {
                self = .own(field)
            } else {
                return nil
            }
        }

        /// Whether books are compared by text and not by a number.
        var isText: Bool {
            if case .text? = order { true } else { false }
        }

        /// Whether a user who asks for this key wants the greatest values first: the newest, best or latest.
        var beginsDescending: Bool {
            if case .greatestFirst? = order { true } else { false }
        }

        /// Whether the order depends on the reader's data.
        var needsUserData: Bool { Self.ofReader.contains(self) }

        private var order: BookField.Order? {
            switch self {
            case .own(let field): field.info.order
            case .mine, .read: .greatestFirst
            case .status, .random: .number
            case .title, .author, .series, .year, .pages, .rating, .added: BookField(queryName: name)?.info.order
            }
        }
    }

    /// A sort key and its direction.
    public struct Criterion: Hashable, Sendable {
        /// The property to sort by.
        public var key: Key
        /// Whether the order is descending; unknown values always come last.
        public var isReversed: Bool

        /// Creates a criterion.
        public init(_ key: Key, isReversed: Bool = false) {
            self.key = key
            self.isReversed = isReversed
        }
    }

    /// The criteria, each of which breaks the ties of those before it; empty for the list's own order.
    public var criteria: [Criterion]

    /// Creates an order from `criteria`.
    public init(_ criteria: [Criterion] = []) {
        self.criteria = criteria
    }

    /// The list's own order.
    public static let list = SortOrder()

    /// Whether the order depends on the reader's data.
    public var needsUserData: Bool { criteria.contains(where: \.key.needsUserData) }

    /// Whether the order depends on chance.
    var isRandom: Bool { criteria.contains { if case .random = $0.key { true } else { false } } }

    /// The fields that only the catalog has by which the order sorts.
    public var ownFields: Set<BookField> {
        Set(criteria.compactMap { if case .own(let field) = $0.key { field } else { nil } })
    }

    /// Parses keys separated by commas, with "-" before descending ones, such as "year,-title"; "list" or "" is the
    /// list's own order.
    ///
    /// - Parameter schema: The fields of the catalog.
    public init?(_ text: String, of schema: Schema = .ofEveryBook) {
        criteria = []
        if text.isEmpty || text == "list" { return }
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let isReversed = part.hasPrefix("-")
            guard let key = Key(rawValue: String(part.dropFirst(isReversed ? 1 : 0)), of: schema),
                !criteria.contains(where: { $0.key == key })
            else { return nil }
            criteria.append(Criterion(key, isReversed: isReversed))
        }
    }
}

extension SortOrder: CustomStringConvertible {
    /// The order in the syntax of `init(_:)`: "title", "year,-title", or "list".
    public var description: String {
        criteria.isEmpty
            ? "list" : criteria.map { ($0.isReversed ? "-" : "") + $0.key.rawValue }.joined(separator: ",")
    }
}

extension SortOrder {
    /// Returns the order after the user requests `key`: sorted by that key only, in the direction that it begins with,
    /// or reversed if it is already the first key. An order of chance is another one each time.
    public func asking(for key: Key) -> SortOrder {
        if case .random = key { return SortOrder([Criterion(.anyOrder)]) }
        guard let first = criteria.first, first.key == key else {
            return SortOrder([Criterion(key, isReversed: key.beginsDescending)])
        }
        var order = self
        order.criteria[0].isReversed.toggle()
        return order
    }

    /// Returns the order after the user adds `key` as a further one: appended, or reversed if it is already present.
    public func asking(forFurther key: Key) -> SortOrder {
        var order = self
        if let position = criteria.firstIndex(where: { $0.key == key }) {
            order.criteria[position].isReversed.toggle()
        } else {
            order.criteria.append(Criterion(key, isReversed: key.beginsDescending))
        }
        return order
    }
}
