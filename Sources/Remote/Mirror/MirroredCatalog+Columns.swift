public import Catalog
public import Indexing

extension MirroredCatalog: ColumnBacked {
    /// Returns a column of the copy, if it was made.
    public func column(of source: ColumnSource) -> FieldColumn? { base.column(of: source) }

    /// Starts making columns of the copy.
    public func makeColumns(
        of sources: [ColumnSource], notifying notify: @escaping @Sendable () -> Void
    ) -> ColumnTask? {
        base.makeColumns(of: sources, notifying: notify)
    }
}
