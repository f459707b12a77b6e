internal import JSON

/// A request for a part of a list of books, from a source that is queried for the rows on the screen.
public struct PageRequest: Hashable, Sendable {
    /// A key to sort by.
    public struct SortKey: Hashable, Sendable {
        /// The field, such as `title`.
        public var field: String
        /// Whether the order is descending. Books without a value always come last.
        public var isDescending: Bool

        /// Creates a sort key.
        public init(_ field: String, isDescending: Bool = false) {
            self.field = field
            self.isDescending = isDescending
        }
    }

    /// The beginning of the part.
    public enum Position: Hashable, Sendable {
        /// The row with this number, counted from 0.
        case row(Int)
        /// The page with the book with this id in the source.
        case book(String)
        /// The first row at a letter or number, as typed, or after it, in the order of the first sort key.
        case value(String)
    }

    /// The search in the query language of stacks, or nil for all books.
    public var query: String?
    /// The order, first key first; empty for the order of the source.
    public var sort: [SortKey]
    /// The beginning of the part.
    public var position: Position
    /// The maximum number of rows.
    public var limit: Int
    /// The number of the query, which the rows repeat.
    public var generation: Int

    /// Creates a request for rows.
    public init(
        query: String? = nil, sort: [SortKey] = [], at position: Position, limit: Int, generation: Int
    ) {
        self.query = query
        self.sort = sort
        self.position = position
        self.limit = limit
        self.generation = generation
    }
}

/// The end of a part of a list.
public struct PageEnd: Hashable, Sendable {
    /// The number of books in the whole list, if known.
    public var count: BookTotal?
    /// Whether a part of the server did not answer, so that books may be missing.
    public var isPartial: Bool
    /// The parts of the query, as typed, that the source cannot search for; they were ignored.
    public var ignoredTerms: [String]
    /// The version of the catalog, if the source has any: rows of pages with different versions do not belong together.
    public var version: String?

    /// Creates an end.
    public init(count: BookTotal?, isPartial: Bool = false, ignoredTerms: [String] = [], version: String? = nil) {
        self.count = count
        self.version = version
        self.isPartial = isPartial
        self.ignoredTerms = ignoredTerms
    }
}

/// The operations that a paged source supports.
public struct PagedAbilities: Hashable, Sendable {
    /// The rows at which a part of a list can begin.
    public enum Jump: Hashable, Sendable {
        /// Any row.
        case anywhere
        /// Rows below this number, and those that follow a part that was already loaded.
        case below(Int)
        /// The first row, and those that follow a part that was already loaded.
        case forward
    }

    /// The rows at which a part can begin.
    public var jump: Jump
    /// The fields by which the source sorts in both directions, such as `title`.
    public var sorts: [String]
    /// The maximum number of rows of a part.
    public var pageSize: Int

    /// Creates abilities.
    public init(jump: Jump = .anywhere, sorts: [String] = [], pageSize: Int = 100) {
        self.jump = jump
        self.sorts = sorts
        self.pageSize = pageSize
    }
}

extension PageRequest {
    /// Adds the members of this request to a message.
    func add(to message: inout ObjectWriter) {
        message.add("query", query)
        message.add("sort", .array(sort.map { .array([.string($0.field), JSONValue($0.isDescending ? -1 : 1)]) }))
        switch position {
        case .row(let row): message.add("at", .object([.init(key: "row", value: JSONValue(row))]))
        case .book(let id): message.add("at", .object([.init(key: "book", value: .string(id))]))
        case .value(let text): message.add("at", .object([.init(key: "value", value: .string(text))]))
        }
        message.add("limit", JSONValue(limit))
        message.add("generation", JSONValue(generation))
    }

    /// Parses a request from a message.
    init(in message: JSONValue) throws(ConnectorFailure) {
        query = try message.optionalText("query")
        sort = []
        for key in message["sort"]?.elements ?? [] {
            guard let parts = key.elements, parts.count == 2, let field = parts[0].string, let way = parts[1].integer
            else {
                throw ConnectorFailure(.request, .member, detail: "sort")
            }
            sort.append(SortKey(field, isDescending: way < 0))
        }
        let place = message["at"] ?? .null
        if let id = try place.optionalText("book") {
            position = .book(id)
        } else if let text = try place.optionalText("value") {
            position = .value(text)
        } else {
            position = .row(try place.number("row"))
        }
        limit = try message.number("limit")
        generation = try message.number("generation")
    }
}

extension PageEnd {
    /// Adds the members of this end to a message.
    func add(to message: inout ObjectWriter) {
        message.add(
            "count",
            count.map {
                .object([
                    .init(key: "value", value: JSONValue($0.value)),
                    .init(key: "kind", value: .string($0.kind.rawValue)),
                ])
            })
        message.add("partial", .boolean(isPartial))
        if !ignoredTerms.isEmpty { message.add("ignored", JSONValue(ignoredTerms)) }
        message.add("version", version)
    }

    /// Parses an end from a message.
    init(in message: JSONValue) throws(ConnectorFailure) {
        var total: BookTotal?
        if let count = message["count"], count != .null {
            guard let kind = BookTotal.Kind(rawValue: try count.text("kind")) else {
                throw ConnectorFailure(.request, .member, detail: "count")
            }
            total = BookTotal(try count.number("value"), kind)
        }
        self.init(
            count: total, isPartial: message["partial"]?.boolean ?? false,
            ignoredTerms: message["ignored"] == nil ? [] : try message.texts("ignored"),
            version: try message.optionalText("version"))
    }
}

extension PagedAbilities {
    /// These abilities as an object.
    var json: JSONValue {
        var members: [JSONValue.Member] = []
        switch jump {
        case .anywhere: members.append(.init(key: "jump", value: .string("anywhere")))
        case .below(let row): members.append(.init(key: "jump", value: JSONValue(row)))
        case .forward: members.append(.init(key: "jump", value: .string("forward")))
        }
        members.append(.init(key: "sorts", value: JSONValue(sorts)))
        members.append(.init(key: "pageSize", value: JSONValue(pageSize)))
        return .object(members)
    }

    /// Parses abilities from an object.
    init(in object: JSONValue) throws(ConnectorFailure) {
        switch object["jump"] {
        case .string("anywhere")?: jump = .anywhere
        case .string("forward")?: jump = .forward
        default: jump = .below(try object.number("jump"))
        }
        sorts = try object.texts("sorts")
        pageSize = try object.number("pageSize")
    }
}
