internal import ConnectorProtocol
internal import JSON
internal import Threading

/// A sorted list of the books of an index, for one request.
///
/// Rows near either end are requested by their number. Others follow a known row, because servers refuse numbers above
/// 10,000: the known rows are those of the parts so far, and each ten-thousandth on the way to one.
final class OpenSearchList {
    private let snapshot: OpenSearchSnapshot
    private let client: EngineClient
    private let query: JSONValue?
    private let order: OpenSearchOrder
    private let known: Known
    /// The number of books, once it is known.
    private(set) var count: BookTotal?
    /// Whether a part of the index did not answer.
    private(set) var isPartial = false

    /// The greatest sum of `from` and `size` (index.max_result_window), and the number of rows of a step.
    private static let window = 10_000
    private static let placeLimit = 4096

    /// What requests for the list have found so far, which all threads share.
    final class Known: Sendable {
        fileprivate struct State {
            var count: BookTotal?
            /// The places of known rows in the order.
            var places: [Int: [JSONValue]] = [:]
        }

        fileprivate let state = Locked(State())
        /// Whether a request is on its way to an unknown row; others then continue from where it arrives.
        fileprivate let walk = Turn()
    }

    /// Creates a list in a state of an index, for the requests of `client`.
    init(_ query: JSONValue?, _ order: OpenSearchOrder, in snapshot: OpenSearchSnapshot, _ client: EngineClient) {
        (self.query, self.order, self.snapshot, self.client) = (query, order, snapshot, client)
        known = snapshot.lists.list("\(query?.json ?? "")\(order.clause(reversed: false).json)") { Known() }
        count = known.state.withLock { $0.count }
    }

    /// The state of the index has expired.
    struct Expired: Error {}

    /// Returns the books from a row on.
    ///
    /// - Throws: `EngineError`, or `Expired`.
    func hits(from first: Int, limit: Int) throws -> [OpenSearchHit] {
        if first + limit <= Self.window {
            return keep(try search(from: first, size: limit, reversed: false, isWhole: true), from: first)
        }
        if count == nil { _ = try search(from: 0, size: 0, reversed: false, isWhole: false) }
        let total = count?.value ?? 0
        guard first < total else { return [] }
        let size = min(limit, total - first)
        if total - first <= Self.window {
            let hits = try search(from: total - first - size, size: size, reversed: true, isWhole: true)
            return keep(hits.reversed(), from: first)
        }
        if let place = try place(before: first, total: total) {
            return keep(try search(after: place, size: size, reversed: false, isWhole: true), from: first)
        }
        return []
    }

    /// Returns the place of the row before `row` in the order, from where the rows up to it are walked in steps.
    private func place(before row: Int, total: Int) throws -> [JSONValue]? {
        let target = row - 1
        if let place = known.state.withLock({ $0.places[target] }) { return place }
        try known.walk.take(unless: client.context.isCancelled)
        defer { known.walk.end() }
        var (position, place, isBackward) = start(near: target, total: total)
        if place == nil {
            // A row that can be requested by its number, from either end.
            let number = isBackward ? total - 1 - position : position
            let hits = try search(from: number, size: 1, reversed: isBackward, isWhole: false)
            guard let hit = hits.first else { return nil }
            place = hit.place
            keep(hit.place, at: position)
        }
        while position != target, let from = place {
            let size = min(Self.window, abs(target - position))
            let hits = try search(after: from, size: size, reversed: isBackward, isWhole: false)
            guard hits.count == size, let last = hits.last else { return nil }
            position += isBackward ? -size : size
            place = last.place
            keep(last.place, at: position)
        }
        return place
    }

    /// Returns the row from which to walk to `target`: the nearest of the known rows, or else of those that can be
    /// requested by their number; its place if it is known; and whether it is behind the target.
    private func start(near target: Int, total: Int) -> (row: Int, place: [JSONValue]?, isBackward: Bool) {
        known.state.withLock { state in
            let below = state.places.keys.filter { $0 <= target }.max() ?? min(target, Self.window - 1)
            let above = state.places.keys.filter { $0 > target }.min() ?? (total - Self.window)
            let isBackward = above > target && above - target < target - below
            let row = isBackward ? above : below
            return (row, state.places[row], isBackward)
        }
    }

    private func keep(_ place: [JSONValue], at row: Int) { known.state.withLock { $0.places[row] = place } }

    /// Returns the number of the row of a book; nil if it is not in the list or too far from its beginning.
    ///
    /// - Parameter steps: The maximum number of steps in which it is looked for among the books with an equal first key.
    func row(of id: JSONValue, steps: Int) throws -> Int? {
        let found = try search(from: 0, size: 1, reversed: false, isWhole: false, narrowedBy: [id]).first
        guard let found else { return nil }
        var (before, group) = (0, [] as [JSONValue])
        if let key = order.keys.first, let value = found.place.first {
            // The sort value of a book without one depends on the type of the field.
            let exists = json(["exists": json(["field": .string(key.name)])])
            let isKnown = try total(narrowedBy: [id, exists]) > 0
            let (preceding, equal) = Self.neighbours(of: isKnown ? value : nil, by: key, exists)
            before = try total(narrowedBy: [preceding])
            group = [equal]
        }
        var place: [JSONValue]?
        for _ in 0..<steps {
            let hits = try search(
                from: 0, size: Self.window, reversed: false, isWhole: false, narrowedBy: group, after: place)
            if let offset = hits.firstIndex(where: { $0.id == found.id }) { return before + offset }
            guard hits.count == Self.window, let last = hits.last else { return nil }
            before += hits.count
            place = last.place
        }
        return nil
    }

    /// Returns the number of books whose first key comes before a value.
    ///
    /// - Throws: `EngineError`, or `Expired`.
    func rowCount(before value: JSONValue) throws -> Int {
        guard let key = order.keys.first else { return 0 }
        let exists = json(["exists": json(["field": .string(key.name)])])
        return try total(narrowedBy: [Self.neighbours(of: value, by: key, exists).before])
    }

    /// Returns the queries for the books whose first key is before a value, and for those with this value; nil stands
    /// for no value.
    private static func neighbours(
        of value: JSONValue?, by key: OpenSearchOrder.Key, _ exists: JSONValue
    ) -> (before: JSONValue, equal: JSONValue) {
        func not(_ query: JSONValue) -> JSONValue { json(["bool": json(["must_not": .array([query])])]) }
        func both(_ queries: JSONValue...) -> JSONValue { json(["bool": json(["filter": .array(queries)])]) }
        guard let value else { return (exists, not(exists)) }
        func range(_ relation: String) -> JSONValue {
            var bound = [JSONValue.Member(key: relation, value: value)]
            if key.isDate { bound.append(.init(key: "format", value: .string("epoch_millis"))) }
            return json(["range": json([key.name: .object(bound)])])
        }
        // Of several values, the least one counts.
        let equal = both(range("gte"), range("lte"), not(range("lt")))
        return (key.isDescending ? both(exists, not(range("lte"))) : range("lt"), equal)
    }

    private func keep(_ hits: [OpenSearchHit], from first: Int) -> [OpenSearchHit] {
        known.state.withLock { state in
            if state.places.count > Self.placeLimit {
                state.places = state.places.filter { ($0.key + 1).isMultiple(of: Self.window) }
            }
            if let last = hits.last { state.places[first + hits.count - 1] = last.place }
            if let start = hits.first { state.places[first] = start.place }
        }
        return hits
    }

    // MARK: - Searches

    private func search(
        from first: Int, size: Int, reversed: Bool, isWhole: Bool, narrowedBy filters: [JSONValue] = [],
        after place: [JSONValue]? = nil
    ) throws -> [OpenSearchHit] {
        var body = [
            JSONValue.Member(key: "size", value: JSONValue(size)),
            JSONValue.Member(key: "sort", value: order.clause(reversed: reversed)),
            JSONValue.Member(key: "query", value: narrowed(by: filters)),
            JSONValue.Member(key: "_source", value: .boolean(isWhole)),
            // In an unchanging state, the number is counted once for each list.
            JSONValue.Member(
                key: "track_total_hits", value: .boolean(filters.isEmpty && (count == nil || !snapshot.isFixed))),
        ]
        if let place {
            body.append(.init(key: "search_after", value: .array(place)))
        } else {
            body.append(.init(key: "from", value: JSONValue(first)))
        }
        guard let answer = try snapshot.search(body, by: client) else { throw Expired() }
        if filters.isEmpty, !note(answer) { throw Expired() }
        return (answer["hits"]?["hits"]?.elements ?? []).compactMap(OpenSearchHit.init)
    }

    private func search(
        after place: [JSONValue], size: Int, reversed: Bool, isWhole: Bool
    ) throws -> [OpenSearchHit] {
        try search(from: 0, size: size, reversed: reversed, isWhole: isWhole, after: place)
    }

    private func total(narrowedBy filters: [JSONValue]) throws -> Int {
        let body = [
            JSONValue.Member(key: "size", value: JSONValue(0)),
            JSONValue.Member(key: "query", value: narrowed(by: filters)),
            JSONValue.Member(key: "track_total_hits", value: .boolean(true)),
        ]
        guard let answer = try snapshot.search(body, by: client) else { throw Expired() }
        return answer["hits"]?["total"]?["value"]?.asCount ?? 0
    }

    private func narrowed(by filters: [JSONValue]) -> JSONValue {
        let all = (query.map { [$0] } ?? []) + filters
        if all.isEmpty { return json(["match_all": .object([])]) }
        return all.count == 1 ? all[0] : json(["bool": json(["filter": .array(all)])])
    }

    /// Notes the number of books and whether all parts of the index answered.
    ///
    /// - Returns: Whether the number is still the one that is known; otherwise the rows have other numbers, too.
    private func note(_ answer: JSONValue) -> Bool {
        let failed = answer["_shards"]?["failed"]?.integer ?? 0
        isPartial = failed > 0 || answer["timed_out"]?.boolean ?? false
        // Before version 7, it is a number.
        if let total = answer["hits"]?["total"], let value = total["value"]?.asCount ?? total.asCount {
            let isExact = total["relation"]?.string != "gte" && !isPartial
            if isExact, let count, count.kind == .exact, count.value != value { return false }
            count = BookTotal(value, isExact ? .exact : .atLeast)
        }
        if isPartial, let value = count?.value { count = BookTotal(value, .atLeast) }
        if count != nil { known.state.withLock { $0.count = count } }
        return true
    }
}
