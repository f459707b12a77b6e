public import Catalog
public import Indexing

extension EditedCatalog: ColumnBacked {
    /// Returns a column of the edited books, if that of the file was made.
    public func column(of source: ColumnSource) -> FieldColumn? {
        if state.isLoading { return nil }
        return isUnchanged ? base.column(of: source) : columns.column(of: source, sequence, in: base)
    }

    /// Starts making columns of the edited books.
    public func makeColumns(
        of sources: [ColumnSource], notifying notify: @escaping @Sendable () -> Void
    ) -> ColumnTask? {
        if state.isLoading { return nil }
        if isUnchanged { return base.makeColumns(of: sources, notifying: notify) }
        return columns.makeColumns(of: sources, sequence, in: base, notifying: notify)
    }
}
