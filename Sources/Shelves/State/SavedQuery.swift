/// A query that the reader keeps, as a list of its own.
public struct SavedQuery: Hashable, Sendable, Identifiable {
    /// What it is known by: "q1". It stays when the query is renamed, and is never given to another one.
    public let id: String
    /// What the reader calls it.
    public var name: String
    /// The query as it is typed.
    public var text: String
    /// The order that its books are shown in, as text; nil for the catalog's.
    public var sort: String?

    /// The query of this id, name, text and order.
    public init(id: String, name: String, text: String, sort: String? = nil) {
        self.id = id
        self.name = name
        self.text = text
        self.sort = sort
    }
}
