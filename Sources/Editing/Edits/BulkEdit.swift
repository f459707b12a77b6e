public import Books
public import Indexing
internal import JSON

/// An edit of any number of books, each of them in the same way.
public enum BulkEdit: Sendable {
    /// Sets these fields to the values that the function gives them, which throws if one gets none. The function gets
    /// books with title, authors, ISBN and these fields alone.
    case set(Set<BookField>, @Sendable (inout Book) throws(CatalogEditError) -> Void)
    /// Deletes the books.
    case delete
}

/// A bulk edit that was prepared for some books, so that it can be cancelled before anything changes.
public struct PreparedEdit: Sendable {
    private var replacements: [CatalogEdit.Replacement] = []
    private var records: [CatalogEdit.PlacedRecord] = []

    /// Joins parts in the order of their books.
    public init(joining parts: [PreparedEdit]) {
        for part in parts {
            replacements += part.replacements
            records += part.records
        }
    }

    /// The edits, with the positions of the books when they were prepared; none if nothing changes.
    fileprivate var edits: [CatalogEdit] {
        if !replacements.isEmpty { return [.replace(replacements)] }
        return records.isEmpty ? [] : [.remove(records)]
    }

    fileprivate mutating func set(
        _ fields: Set<BookField>, of id: BookID, through reader: inout EditedRecordReader, _ format: RecordFormat,
        _ change: (inout Book) throws(CatalogEditError) -> Void
    ) throws(CatalogEditError) {
        guard let known = reader.record(of: id) else { throw .recordGone(title: "") }
        let old = known.bytes
        var book = known.book
        try change(&book)
        let new = try format.changes(of: old, holding: known.value, setting: fields, to: book).applied(to: old)
        if new != old { replacements.append(.init(position: id.index, old: old, new: new)) }
    }

    fileprivate mutating func delete(_ id: BookID, in catalog: EditedCatalog) throws(CatalogEditError) {
        guard let old = catalog.bytes(of: id) else { throw .recordGone(title: "") }
        let isBehindLast = records.last.map { $0.position == id.index - 1 } ?? false
        let neighbour =
            isBehindLast ? records.last?.bytes : id.index > 0 ? catalog.bytes(of: BookID(id.index - 1)) : nil
        records.append(.init(position: id.index, bytes: old, neighbour: neighbour))
    }
}

extension EditedCatalog {
    /// The number of books between two reports.
    private static let reportedCount = 64

    /// Prepares a bulk edit of books, whose numbers ascend.
    ///
    /// - Parameter report: Called now and then with the number of books prepared since the last call; returns whether
    ///   to continue.
    /// - Returns: The edit; nil if it was not continued.
    /// - Throws: `CatalogEditError` if the catalog cannot be edited, or for the first value that is none or that a record
    ///   cannot hold.
    public func prepare(
        _ edit: BulkEdit, of ids: ArraySlice<BookID>, reporting report: (Int) -> Bool = { _ in true }
    ) throws(CatalogEditError) -> PreparedEdit? {
        guard isComplete else { throw .loading }
        let format = try recordFormat()
        var prepared = PreparedEdit(joining: [])
        let isWhole: Bool
        switch edit {
        case .set(let fields, let change):
            guard var reader = EditedRecordReader(of: self, with: fields) else { throw .loading }
            isWhole = try forEachPart(of: ids, reporting: report) { id throws(CatalogEditError) in
                try prepared.set(fields, of: id, through: &reader, format, change)
            }
        case .delete:
            try checkList()
            isWhole = try forEachPart(of: ids, reporting: report) { id throws(CatalogEditError) in
                try prepared.delete(id, in: self)
            }
        }
        return isWhole ? prepared : nil
    }

    /// - Returns: Whether it was continued to the end.
    private func forEachPart(
        of ids: ArraySlice<BookID>, reporting report: (Int) -> Bool,
        _ body: (BookID) throws(CatalogEditError) -> Void
    ) throws(CatalogEditError) -> Bool {
        for start in stride(from: ids.startIndex, to: ids.endIndex, by: Self.reportedCount) {
            let part = ids[start..<min(start + Self.reportedCount, ids.endIndex)]
            for id in part { try body(id) }
            if !report(part.count) { return false }
        }
        return true
    }

    /// Makes an edit that was prepared with copies of this catalog.
    ///
    /// - Parameter isCancelled: Called before the edit is written; returns whether it is cancelled.
    /// - Returns: The outcome; nil if there was nothing to change.
    /// - Throws: `CatalogEditError`; nothing is changed then.
    public func make(
        _ prepared: PreparedEdit, unless isCancelled: () -> Bool
    ) throws(CatalogEditError) -> EditOutcome? {
        try perform([], unless: isCancelled) { _ in prepared.edits }
    }

    /// Returns the edits of books, as they are now.
    func edits(_ edit: BulkEdit, of ids: [BookID]) throws(CatalogEditError) -> [CatalogEdit] {
        try prepare(edit, of: ids.sorted()[...])?.edits ?? []
    }
}
