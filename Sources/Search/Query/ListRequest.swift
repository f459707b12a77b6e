/// What is asked of a list: which of its books, in which order and in which sections.
public struct ListRequest: Hashable, Sendable {
    /// What is looked for.
    public var query: Query
    /// How it is ordered.
    public var order: SortOrder
    /// By what it is in sections; nil for none.
    public var grouping: SectionKey?

    /// A request for the list as it is, unless something else is said.
    public init(query: Query = Query(""), order: SortOrder = .list, grouping: SectionKey? = nil) {
        (self.query, self.order, self.grouping) = (query, order, grouping)
    }

    /// Whether the reader's marks decide what is shown, and how.
    public var asksForMarks: Bool { query.asksForMarks || grouping == .status }

    /// Whether it is for the list as it is.
    public var isPlain: Bool { query.expression == .everything && order == .list && grouping == nil }
}
