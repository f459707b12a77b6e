/// By what the books of a list are ordered.
public struct SortOrder: Hashable, Sendable {
    /// What of a book counts.
    public enum Key: String, CaseIterable, Sendable {
        /// Of authors the family name of the first, of series the name and then the place in it.
        case title, author, series, year, pages, rating, added
    }

    /// A key and its direction.
    public struct Criterion: Hashable, Sendable {
        /// What counts.
        public var key: Key
        /// Whether the greatest comes first. What is unknown comes last either way.
        public var isReversed: Bool

        /// By `key`.
        public init(_ key: Key, isReversed: Bool = false) {
            self.key = key
            self.isReversed = isReversed
        }
    }

    /// The keys: each decides where those before it are the same. None for the list's own order.
    public var criteria: [Criterion]

    /// The order by `criteria`.
    public init(_ criteria: [Criterion] = []) {
        self.criteria = criteria
    }

    /// The order of the list itself.
    public static let list = SortOrder()

    /// The order that `text` says: names of keys with commas between them, "-" before those that are reversed, "year,-title"; "list" or nothing
    /// for the list's own. Nil where it says none.
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
    /// The order as it is written: "title", "year,-title"; "list" for the list's own.
    public var description: String {
        criteria.isEmpty
            ? "list" : criteria.map { ($0.isReversed ? "-" : "") + $0.key.rawValue }.joined(separator: ",")
    }
}

extension SortOrder {
    /// This order after the reader asked for `key`: by it, or, where it was the first already, the other way round. The
    /// others go.
    public func asking(for key: Key) -> SortOrder {
        guard let first = criteria.first, first.key == key else { return SortOrder([Criterion(key)]) }
        var order = self
        order.criteria[0].isReversed.toggle()
        return order
    }

    /// This order after the reader asked for a further `key`: with it last, or, where it was there already, that the other
    /// way round.
    public func asking(forFurther key: Key) -> SortOrder {
        var order = self
        if let place = criteria.firstIndex(where: { $0.key == key }) {
            order.criteria[place].isReversed.toggle()
        } else {
            order.criteria.append(Criterion(key))
        }
        return order
    }
}
