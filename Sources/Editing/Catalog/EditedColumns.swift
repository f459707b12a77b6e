internal import Books
internal import Catalog
internal import Indexing
internal import JSON
internal import Threading

/// The columns of an edited catalog: those of its file, brought up to date with the edits.
final class EditedColumns: Sendable {
    /// The values of a changed record, which lives as long as they are known.
    private struct KnownValues: Sendable {
        let record: ChangedRecord
        let values: ColumnBookValues
    }

    private struct Content {
        /// The columns of the present records that are at hand.
        var columns: [ColumnSource: FieldColumn] = [:]
        /// The number of changes of the records.
        var revision = 0
        /// The values of changed records, which are read once.
        var values: [ColumnSource: [ObjectIdentifier: KnownValues]] = [:]
    }

    private let content = Locked(Content())

    /// The maximum number of changed records that are read at once, which takes a few milliseconds.
    private static let fewRecords = 1000

    /// Forgets the columns, because records have changed.
    func forget() {
        content.withLock { content in
            content.columns = [:]
            content.revision += 1
        }
    }

    /// Forgets all, because the file is another one.
    func forgetAll() {
        forget()
        content.withLock { $0.values = [:] }
    }

    /// Returns the column of the records of `sequence`; nil if it must be made first.
    func column(of source: ColumnSource, _ sequence: RecordSequence, in base: JSONFileCatalog) -> FieldColumn? {
        if let column = content.withLock({ $0.columns[source] }) { return column }
        guard let column = base.column(of: source), let mapping = base.format?.mapping else { return nil }
        let missing = missingRecords(of: source, in: sequence)
        if missing.count > Self.fewRecords { return nil }
        take(missing.map { KnownValues(record: $0, values: $0.columnValues(of: source, by: mapping)) }, of: source)
        return edit(column, of: source, sequence, revision: content.withLock { $0.revision })
    }

    /// Returns a column with the records of `sequence`, whose values are known, and keeps it if these are the present ones.
    private func edit(
        _ column: FieldColumn, of source: ColumnSource, _ sequence: RecordSequence, revision: Int
    ) -> FieldColumn {
        let known = content.withLock { $0.values[source] } ?? [:]
        var used: [ObjectIdentifier: KnownValues] = [:]
        let edited = column.edited(
            by: sequence.pieces.map { piece in
                switch piece {
                case .original(let numbers): return .books(numbers)
                case .changed(let record):
                    let id = ObjectIdentifier(record)
                    used[id] = known[id]
                    return .book(known[id]?.values ?? ColumnBookValues([]))
                }
            })
        content.withLock { content in
            if content.revision != revision { return }
            content.values[source] = used
            content.columns[source] = edited
        }
        return edited
    }

    /// Returns the columns of the records of `sequence` that are at hand.
    func all(of sequence: RecordSequence, in base: JSONFileCatalog) -> [ColumnSource: FieldColumn] {
        var all: [ColumnSource: FieldColumn] = [:]
        for source in base.columnSources { all[source] = column(of: source, sequence, in: base) }
        return all
    }

    private func missingRecords(of source: ColumnSource, in sequence: RecordSequence) -> [ChangedRecord] {
        let known = content.withLock { $0.values[source] } ?? [:]
        return sequence.pieces.compactMap { piece in
            guard case .changed(let record) = piece, known[ObjectIdentifier(record)] == nil else { return nil }
            return record
        }
    }

    private func take(_ read: [KnownValues], of source: ColumnSource) {
        content.withLock { content in
            for values in read { content.values[source, default: [:]][ObjectIdentifier(values.record)] = values }
        }
    }

    /// Starts to make columns: those of the file, and the values of the changed records.
    func makeColumns(
        of sources: [ColumnSource], _ sequence: RecordSequence, in base: JSONFileCatalog,
        notifying notify: @escaping @Sendable () -> Void
    ) -> ColumnTask? {
        guard let task = base.makeColumns(of: sources, notifying: notify), let mapping = base.format?.mapping else {
            return nil
        }
        let missing = sources.map { (source: $0, records: missingRecords(of: $0, in: sequence)) }
            .filter { !$0.records.isEmpty }
        let reading = BackgroundTask<[ColumnSource: [KnownValues]]>(notifying: notify) { isCancelled in
            var read: [ColumnSource: [KnownValues]] = [:]
            for (source, records) in missing {
                if isCancelled() { return nil }
                let values = ThreadPool.shared.map(records.count, by: 256, as: .batch) { numbers in
                    records[numbers].map { record in
                        KnownValues(record: record, values: record.columnValues(of: source, by: mapping))
                    }
                }
                read[source] = values.flatMap(\.self)
            }
            return read
        }
        let revision = content.withLock { $0.revision }
        return ColumnTask(of: sources, [task, reading]) { [self] in
            guard let values = reading.value else { return [:] }
            var columns = task.columns
            for (source, column) in columns {
                take(values[source] ?? [], of: source)
                columns[source] = edit(column, of: source, sequence, revision: revision)
            }
            return columns
        }
    }
}

extension ChangedRecord {
    /// Returns the values of the record in a column.
    fileprivate func columnValues(of source: ColumnSource, by mapping: FieldMapping) -> ColumnBookValues {
        switch source {
        case .own(let field):
            ColumnBookValues(JSONValue(parsing: bytes).map { mapping.columnValues(of: field, in: $0) } ?? [])
        case .lines(let field): ColumnBookValues(of: field, in: IndexedText(segment.text(at: 0)))
        }
    }
}
