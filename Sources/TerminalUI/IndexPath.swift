/// Which row of which section of a table, both counted from zero.
public struct IndexPath: Hashable, Sendable {
    /// The section.
    public var section: Int
    /// The row within the section.
    public var row: Int

    /// The path to `row` of `section`.
    public init(row: Int, section: Int) {
        self.section = section
        self.row = row
    }
}
