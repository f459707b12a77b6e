internal import Books
public import Indexing

extension JSONFileCatalog: ColumnBacked {
    /// Returns a column, if it was made.
    public func column(of source: ColumnSource) -> FieldColumn? {
        guard let records, !records.state.isLoading else { return nil }
        return records.column(of: source)
    }

    /// Starts making columns from the records and from the index.
    public func makeColumns(
        of sources: [ColumnSource], notifying notify: @escaping @Sendable () -> Void
    ) -> ColumnTask? {
        guard let records, !records.state.isLoading else { return nil }
        return records.makeColumns(of: sources, notifying: notify)
    }

    /// The sources of columns that are usually made.
    package var columnSources: [ColumnSource] {
        let names: [IndexedTextField] = [.author, .series, .subject]
        return names.map(ColumnSource.lines) + (format?.mapping.own ?? []).map(ColumnSource.own)
    }

    /// Adopts columns of the books, which were made elsewhere.
    package func adopt(_ columns: [ColumnSource: FieldColumn]) {
        guard let records, let format else { return }
        for (source, column) in columns where column.bookCount == index.count {
            records.columns.take(column, of: source, readAs: format)
        }
    }
}

extension JSONFileRecords {
    /// Returns a column, if it was made.
    func column(of source: ColumnSource) -> FieldColumn? {
        guard let format, let column = columns.column(of: source, readAs: format), column.bookCount == count else {
            return nil
        }
        return column
    }

    /// Starts making columns.
    func makeColumns(of sources: [ColumnSource], notifying notify: @escaping @Sendable () -> Void) -> ColumnTask? {
        // A field is used for the first time: others may have been missed in the few records that were looked at.
        if sources.contains(where: { if case .own = $0 { true } else { false } }) {
            learnMoreFields(notifying: notify)
        }
        return format.map { columns.task(of: sources, from: reader, readAs: $0, notifying: notify) }
    }
}
