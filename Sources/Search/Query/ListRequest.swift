public import Books

/// A request for the contents of a list: filter, order and grouping.
public struct ListRequest: Hashable, Sendable {
    /// The query that filters the list.
    public var query: Query
    /// The sort order.
    public var order: SortOrder
    /// The property to group by, if any.
    public var grouping: SectionKey?

    /// Creates a request; by default, for the whole list in its own order.
    public init(query: Query = Query(""), order: SortOrder = .list, grouping: SectionKey? = nil) {
        (self.query, self.order, self.grouping) = (query, order, grouping)
    }

    /// Whether the result depends on user data.
    public var needsUserData: Bool {
        query.needsUserData || grouping == .status || order.needsUserData
    }

    /// The fields whose columns the request needs: those that only the catalog has, and the series for its gaps.
    public var columnFields: Set<BookField> {
        var fields = query.columnFields.union(order.ownFields)
        if case .own(let field)? = grouping { fields.insert(field) }
        return fields
    }

    /// Returns the request with the names that its words have in a catalog with these fields.
    public func resolved(in schema: Schema) -> ListRequest {
        if query.schema == schema { return self }
        return ListRequest(
            query: Query(query.text, of: schema), order: SortOrder(order.description, of: schema) ?? order,
            grouping: grouping.flatMap { SectionKey(rawValue: $0.rawValue, of: schema) })
    }

    /// Whether the request is for the whole list in its own order and without sections.
    public var isPlain: Bool { query.expression == .everything && order == .list && grouping == nil }
}
