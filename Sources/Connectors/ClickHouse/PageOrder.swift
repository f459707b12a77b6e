internal import ConnectorProtocol

/// The order of a list as columns of a table. It is total, because the number of the row in the catalog comes last.
struct PageOrder: Hashable, Sendable {
    /// A column to sort by.
    struct Column: Hashable, Sendable {
        /// The expression.
        let expression: String
        let type: ColumnType
        let isDescending: Bool
    }

    /// The keys, first key first; empty for the order of the catalog.
    let keys: [Key]

    /// A key and its direction.
    struct Key: Hashable, Sendable {
        let key: OrderKey
        let isDescending: Bool
    }

    /// Creates the order of a request.
    ///
    /// - Throws: `ConnectorFailure` for a field that has no order.
    init(_ sort: [PageRequest.SortKey]) throws(ConnectorFailure) {
        var keys: [Key] = []
        for field in sort {
            guard let key = OrderKey(rawValue: field.field) else {
                throw ConnectorFailure(.unsupported, detail: field.field)
            }
            if !keys.contains(where: { $0.key == key }) { keys.append(Key(key: key, isDescending: field.isDescending)) }
        }
        self.keys = keys
    }

    /// Creates the order by one key.
    init(by key: OrderKey, isDescending: Bool) { keys = [Key(key: key, isDescending: isDescending)] }

    /// All orders by one key, in both directions.
    static let stored = OrderKey.allCases.flatMap { key in
        [false, true].map { PageOrder(by: key, isDescending: $0) }
    }

    private static let number = Column(expression: "n", type: .uint64, isDescending: false)

    /// The name of the order among the anchors: a field, after a hyphen if the order is descending, or several.
    var name: String { keys.map { ($0.isDescending ? "-" : "") + $0.key.rawValue }.joined(separator: ",") }

    /// The key, if there is only one; then the order has a table.
    var onlyKey: Key? { keys.count == 1 ? keys[0] : nil }

    /// The columns in the table of this order.
    var tableColumns: [Column] {
        guard let key = onlyKey else { return bookColumns }
        return [
            Column(expression: "unknown", type: .uint8, isDescending: false),
            Column(expression: "key", type: key.key.column.type, isDescending: key.isDescending), Self.number,
        ]
    }

    /// The columns in the table of the books.
    var bookColumns: [Column] {
        keys.flatMap { key in
            [
                Column(expression: key.key.unknown, type: .uint8, isDescending: false),
                Column(
                    expression: key.key.column.name, type: key.key.column.type, isDescending: key.isDescending),
            ]
        } + [Self.number]
    }
}

extension [PageOrder.Column] {
    /// The columns, separated by commas.
    var list: String { map(\.expression).joined(separator: ", ") }

    /// The order, or the reversed one.
    func order(isReversed: Bool = false) -> String {
        map { $0.expression + ($0.isDescending != isReversed ? " DESC" : "") }.joined(separator: ", ")
    }

    /// Returns the condition that a row comes before `values`.
    func isBefore(_ values: [SQLValue]) -> String { comparison(with: values, isBefore: true, includesEqual: false) }

    /// Returns the condition that a row is at `values` or after them.
    func isFrom(_ values: [SQLValue]) -> String { comparison(with: values, isBefore: false, includesEqual: true) }

    /// Returns the condition that a row is at `start` or after it, and before `end`; a missing bound does not count.
    ///
    /// Columns with the same value in both bounds are compared for equality, because the primary index then narrows the
    /// rows by the next column, too.
    func isBetween(_ start: [SQLValue]?, _ end: [SQLValue]?) -> String {
        guard let start, let end else {
            if let start { return isFrom(start) }
            return end.map { isFromBeginning(to: $0) } ?? "1"
        }
        let same = zip(start, end).prefix { $0 == $1 }.count
        let equal = (0..<same).map { "\(self[$0].expression) = \(start[$0].literal)" }
        let rest = Array(self[same...])
        if rest.isEmpty { return "0" }
        let narrowed = [
            rest.comparison(with: [SQLValue](start[same...]), isBefore: false, includesEqual: true),
            rest.comparison(with: [SQLValue](end[same...]), isBefore: true, includesEqual: false),
        ]
        return (equal + narrowed).joined(separator: " AND ")
    }

    /// Returns the condition that a row comes before `end`. Where the first column has its least value there, it is
    /// compared for equality, for the same reason.
    private func isFromBeginning(to end: [SQLValue]) -> String {
        guard let first, first.type == .uint8, !first.isDescending, end.first == .number(0), count > 1 else {
            return isBefore(end)
        }
        return "\(first.expression) = 0 AND " + Array(dropFirst()).isBefore([SQLValue](end.dropFirst()))
    }

    private func comparison(with values: [SQLValue], isBefore: Bool, includesEqual: Bool) -> String {
        var alternatives: [String] = []
        var equal: [String] = []
        for (column, value) in zip(self, values) {
            let isLess = isBefore != column.isDescending
            alternatives.append(
                (equal + ["\(column.expression) \(isLess ? "<" : ">") \(value.literal)"]).joined(separator: " AND "))
            equal.append("\(column.expression) = \(value.literal)")
        }
        if includesEqual { alternatives.append(equal.joined(separator: " AND ")) }
        return "(" + alternatives.joined(separator: " OR ") + ")"
    }
}
