internal import Books

/// The sort order of a list.
public struct SortOrder: Hashable, Sendable {
    /// The property of a book to sort by.
    public enum Key: String, CaseIterable, Sendable {
        /// Authors sort by the family name of the first, series by name and position.
        case title, author, series, year, pages, rating, added

        /// Whether books are compared by text and not by a number.
        var isText: Bool {
            if case .text? = order { true } else { false }
        }

        /// Whether a user who asks for this key wants the greatest values first: the newest, best or latest.
        var beginsDescending: Bool {
            if case .greatestFirst? = order { true } else { false }
        }

        private var order: BookField.Order? { BookField(queryName: rawValue)?.info.order }
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

    /// Parses keys separated by commas, with "-" before descending ones, such as "year,-title"; "list" or "" is the
    /// list's own order.
    public init?(_ text: String) {
        criteria = []
        if text.isEmpty || text == "list" { return }
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let isReversed = part.hasPrefix("-")
            guard let key = Key(rawValue: String(part.dropFirst(isReversed ? 1 : 0)).lowercased()),
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
