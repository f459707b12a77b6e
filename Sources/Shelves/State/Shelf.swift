/// A shelf of the reader's: a list of books, whatever catalogs they are in.
public struct Shelf: Hashable, Sendable, Identifiable {
    /// What marks know it by: "s1". It stays when the shelf is renamed, and is never given to another one.
    public let id: String
    /// What the reader calls it.
    public var name: String

    /// The shelf of this id and name.
    public init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}
