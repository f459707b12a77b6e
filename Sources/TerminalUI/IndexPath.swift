/// A row of a table, given by its section and its index within the section, both counted from zero.
public struct IndexPath: Hashable, Sendable {
    /// The index of the section.
    public var section: Int
    /// The index of the row within its section.
    public var row: Int

    /// Creates the index path of `row` in `section`.
    public init(row: Int, section: Int) {
        self.section = section
        self.row = row
    }
}
