internal import ConnectorProtocol
internal import JSON

/// A total order of the books of an index: the sort keys, then a field that is different for each book.
struct OpenSearchOrder: Hashable {
    /// A key.
    struct Key: Hashable {
        /// The field of the index.
        var name: String
        /// Whether the order is descending.
        var isDescending: Bool
        /// Whether the field has dates, whose sort values are milliseconds.
        var isDate: Bool
    }

    /// The keys; empty for the order of the last field alone.
    var keys: [Key]
    /// The field that breaks ties: `_id`, or `_shard_doc` within a point in time of Elasticsearch.
    var tiebreaker: String

    /// Returns the order for a search.
    ///
    /// - Parameter isReversed: Whether to start with the last book. Books without a value are last in both directions
    ///   of a key, and therefore first in the reversed order.
    func clause(reversed isReversed: Bool) -> JSONValue {
        let clauses = keys.map { key in
            json([
                key.name: json([
                    "order": .string(key.isDescending != isReversed ? "desc" : "asc"),
                    "missing": .string(isReversed ? "_first" : "_last"),
                    // Of several values, the same one counts in both directions.
                    "mode": .string("min"),
                ])
            ])
        }
        return .array(clauses + [json([tiebreaker: .string(isReversed ? "desc" : "asc")])])
    }
}

/// A book in the answer to a search.
struct OpenSearchHit {
    /// The id in the index.
    var id: String
    /// The values that the order compares.
    var place: [JSONValue]
    /// The record; empty unless it was requested.
    var source: JSONValue

    /// Reads a hit.
    init?(_ hit: JSONValue) {
        guard let id = hit["_id"]?.string else { return nil }
        self.id = id
        place = hit["sort"]?.elements ?? []
        let stored = hit["_source"] ?? .object([])
        source = .object((stored.members ?? []).filter { $0.key != OpenSearchLayout.member })
    }

    /// The record with the id of the book: its own, or else that of the index.
    var row: JSONValue {
        if source["id"]?.string != nil { return source }
        // A number as an id is the same text for stacks.
        if let number = source["id"]?.integer { return source.withID(String(number)) }
        return source.withID(id)
    }
}
