public import Books
public import Catalog
internal import Indexing
public import Search
internal import Threading

/// The columns of the fields that queries need, which are made when they are first needed.
final class OwnFieldColumns {
    private var making: ColumnTask?
    /// The fields whose columns could not be made, so that this is not tried again and again.
    private var failed: Set<BookField> = []

    /// The interval between notices of progress in milliseconds.
    private static let noticeInterval = 100
    private let notify = Locked<@Sendable () -> Void>({})

    /// The part that is made of the columns that are being made, from 0 to 1; nil if none are.
    var fraction: Double? { making?.fraction }

    /// Returns the columns of `fields`; nil while they are being made. A source that cannot make them has none.
    ///
    /// - Parameters:
    ///   - milliseconds: The time to wait for them.
    ///   - notify: Called on any thread when they are there; nil for the function of the last call that had one.
    func columns(
        of fields: Set<BookField>, in store: BookStore, waiting milliseconds: Int,
        notifying notify: (@Sendable () -> Void)? = nil
    ) -> FieldColumns? {
        if let notify { self.notify.withLock { $0 = notify } }
        if let found = columns(of: fields, in: store) { return found }
        if milliseconds > 0 { _ = making?.wait(milliseconds: milliseconds) }
        return columns(of: fields, in: store)
    }

    private func columns(of fields: Set<BookField>, in store: BookStore) -> FieldColumns? {
        guard let source = store.columnBacked, !fields.isEmpty else { return [:] }
        receive(in: store)
        var found: FieldColumns = [:]
        for field in fields { found[field] = source.column(of: ColumnSource(of: field)) }
        let missing = fields.filter { found[$0] == nil && !failed.contains($0) }
        if missing.isEmpty { return found }
        // The columns of books that are still being read would lack the others.
        if store.state.isLoading { return nil }
        // Columns that are wanted while others are being made follow these, so that two lists never stop each other.
        if making == nil {
            let sources = store.schema.fieldsWithColumns.filter(missing.contains).map(ColumnSource.init)
            // A field of another state of the catalog has no values.
            if sources.count < missing.count { return found }
            guard let task = source.makeColumns(of: sources, notifying: { [notify] in notify.withLock { $0 }() }) else {
                return nil
            }
            making = task
            // So that the progress is seen to move.
            BackgroundThread.start { [notify] in
                while !task.wait(milliseconds: Self.noticeInterval) { notify.withLock { $0 }() }
            }
        }
        return nil
    }

    /// Takes over the columns that were made in the background.
    func receive(in store: BookStore) {
        guard let task = making, task.isMade else { return }
        making = nil
        task.take()
        for field in store.schema.fieldsWithColumns {
            let source = ColumnSource(of: field)
            if task.sources.contains(source), store.columnBacked?.column(of: source) == nil { failed.insert(field) }
        }
    }

    /// Stops making columns.
    func stop() {
        making?.cancel()
        (making, failed) = (nil, [])
    }
}

extension Library {
    /// Returns the columns of fields that queries need; nil while they are being made in the background.
    ///
    /// - Parameters:
    ///   - milliseconds: The time to wait for them.
    ///   - notify: Called on any thread when they are there.
    public func columns(
        of fields: Set<BookField>, waiting milliseconds: Int = 0,
        notifying notify: (@Sendable () -> Void)? = nil
    ) -> FieldColumns? {
        ownColumns.columns(of: fields, in: store, waiting: milliseconds, notifying: notify)
    }

    /// Returns the columns of fields that queries need that need not be made.
    public func columnsAtHand() -> FieldColumns {
        guard let source = store.columnBacked, !store.state.isLoading else { return [:] }
        ownColumns.receive(in: store)
        var found: FieldColumns = [:]
        for field in store.schema.fieldsWithColumns { found[field] = source.column(of: ColumnSource(of: field)) }
        return found
    }

    /// The part that is made of the columns that are being made, from 0 to 1; nil if none are.
    public var fractionOfColumns: Double? { ownColumns.fraction }

    /// Stops making columns.
    public func stopMakingColumns() { ownColumns.stop() }
}

extension BookStore {
    /// Returns the columns of fields that queries need, waiting until they are made; none while the catalog is
    /// loading.
    public func columnsNow(of fields: Set<BookField>) -> FieldColumns {
        guard let source = columnBacked, !fields.isEmpty else { return [:] }
        source.waitForColumns(of: schema.fieldsWithColumns.filter(fields.contains).map(ColumnSource.init))
        var found: FieldColumns = [:]
        for field in fields { found[field] = source.column(of: ColumnSource(of: field)) }
        return found
    }
}

extension Schema {
    /// The fields whose columns queries may need: the catalog's own ones, and the series for its gaps.
    fileprivate var fieldsWithColumns: [BookField] { own + [.series] }
}
