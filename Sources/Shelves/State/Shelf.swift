/// A shelf: a list of books of any catalogs.
public struct Shelf: Hashable, Sendable, Identifiable {
    /// The id that user data refers to, such as "s1", which stays the same after renaming and is never used again.
    public let id: String
    /// The name given by the user.
    public var name: String

    /// Creates a shelf.
    public init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}
