/// A saved search.
public struct SavedSearch: Hashable, Sendable, Identifiable {
    /// The id, such as "q1", which stays the same after renaming and is never used again.
    public let id: String
    /// The name given by the user.
    public var name: String
    /// The query as typed.
    public var text: String
    /// The sort order as text; nil for catalog order.
    public var sort: String?

    /// Creates a saved search.
    public init(id: String, name: String, text: String, sort: String? = nil) {
        self.id = id
        self.name = name
        self.text = text
        self.sort = sort
    }
}
