public import Books

/// The sort order of a list.
public struct SortOrder: Hashable, Sendable {
    /// The property of a book to sort by.
    public enum Key: Hashable, Sendable {
        /// Authors sort by the family name of the first, series by name and position.
        case title, author, series, year, pages, rating, added
        /// A field that only the catalog has; the first value of a list counts.
        case own(BookField)

        /// The properties of every book.
        public static let ofEveryBook: [Key] = [.title, .author, .series, .year, .pages, .rating, .added]

        /// The properties of the books of a catalog.
        public static func all(of schema: Schema) -> [Key] { ofEveryBook + schema.described.map(Key.own) }

        /// The name in options and preferences.
        public var rawValue: String { if case .own(let field) = self { field.id } else { "\(self)" } }

        /// The property of this name; those of every book come first.
        public init?(rawValue name: String, of schema: Schema = .ofEveryBook) {
            if let key = Self.ofEveryBook.first(where: { $0.rawValue == name.lowercased() }) {
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

        private var order: BookField.Order? {
            if case .own(let field) = self { field.info.order } else { BookField(queryName: rawValue)?.info.order }
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
    /// or reversed if it is already the first key.
    public func asking(for key: Key) -> SortOrder {
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
