internal import Catalog
internal import Indexing
public import Search
internal import Threading

extension Library {
    /// The maximum number of books whose names are collected without a background task; this takes a few milliseconds.
    private static let fewNamedBooks = 5000

    /// Returns the distinct names of the authors, series and subjects; nil while the catalog is loading or they are being
    /// collected in the background.
    ///
    /// - Parameter notify: Called on any thread when they are complete.
    public func distinctNames(notifying notify: @escaping @Sendable () -> Void) -> DistinctNames? {
        guard store.local != nil, !store.state.isLoading else { return nil }
        let index = store.index
        return names.value(for: version(of: .books)) {
            if index.count <= Self.fewNamedBooks { return BackgroundTask(made: DistinctNames(of: index)) }
            let task = columnsOfNames(NameColumns.fields)
            return BackgroundTask(notifying: notify) { isCancelled in
                task.columns(unless: isCancelled).flatMap(NameColumns.init).map(DistinctNames.init)
            }
        }
    }

    /// Starts to make columns of names, which the catalog keeps.
    func columnsOfNames(_ fields: [IndexedTextField]) -> ColumnTask {
        store.columnBacked?.makeColumns(of: fields.map(ColumnSource.lines), notifying: {})
            ?? ColumnTask(of: fields, in: store.index)
    }
}

extension NameColumns {
    /// Creates the names of columns; fails if one is missing.
    fileprivate init?(_ columns: [ColumnSource: FieldColumn]) {
        guard let authors = columns[.lines(.author)], let series = columns[.lines(.series)],
            let subjects = columns[.lines(.subject)]
        else { return nil }
        self.init(authors: authors, series: series, subjects: subjects)
    }
}

extension BooksByName {
    /// Waits for the columns of names and creates the table of them; fails if the work is cancelled.
    init?(_ task: ColumnTask, unless isCancelled: () -> Bool = { false }) {
        guard let columns = task.columns(unless: isCancelled), let authors = columns[.lines(.author)],
            let series = columns[.lines(.series)]
        else { return nil }
        self.init(authors: authors, series: series)
    }
}

extension ColumnTask {
    /// Waits for the columns; nil if the work is cancelled.
    fileprivate func columns(unless isCancelled: () -> Bool) -> [ColumnSource: FieldColumn]? {
        wait(unless: isCancelled)
        return isCancelled() ? nil : columns
    }
}
