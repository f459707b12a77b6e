internal import Catalog
internal import Indexing
public import Search
internal import Threading

/// The distinct names of the authors, series and subjects of a catalog, taken from the columns of these fields in the
/// background when they are first needed.
final class CollectedNames {
    private var known: DistinctNames?
    private var making: (task: BackgroundTask<DistinctNames>, bookCount: Int)?

    /// The maximum number of books whose names are collected without a background task; this takes a few milliseconds.
    private static let fewBooks = 5000

    /// Returns the names of the books of `index`; nil while they are being collected.
    ///
    /// - Parameters:
    ///   - columns: Starts to make the columns of these fields.
    ///   - notify: Called on any thread when they are complete.
    func names(
        of index: BookIndex, from columns: ([IndexedTextField]) -> ColumnTask,
        notifying notify: @escaping @Sendable () -> Void
    ) -> DistinctNames? {
        if let making, making.task.isMade {
            known = making.task.value
            self.making = nil
        }
        if let known, known.bookCount == index.count { return known }
        if let making, making.bookCount == index.count { return nil }
        forget()
        if index.count <= Self.fewBooks {
            known = DistinctNames(of: index)
            return known
        }
        let task = columns(NameColumns.fields)
        making = (
            BackgroundTask(notifying: notify) { isCancelled in
                task.columns(unless: isCancelled).flatMap(NameColumns.init).map(DistinctNames.init)
            }, index.count
        )
        return nil
    }

    /// Discards the names, because the books changed.
    func forget() {
        making?.task.cancel()
        (known, making) = (nil, nil)
    }
}

extension Library {
    /// Returns the distinct names of the authors, series and subjects; nil while the catalog is loading or they are being
    /// collected in the background.
    ///
    /// - Parameter notify: Called on any thread when they are complete.
    public func distinctNames(notifying notify: @escaping @Sendable () -> Void) -> DistinctNames? {
        guard store.local != nil, !store.state.isLoading else { return nil }
        return names.names(of: store.index, from: columnsOfNames, notifying: notify)
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
