public import Books
public import Indexing
internal import JSON

/// An edit of many books that is prepared first, so that it can be cancelled before anything changes.
public final class EditPreparation {
    private enum Work {
        case set(Set<BookField>, (inout Book) -> Void)
        case remove
    }

    private let catalog: EditedCatalog
    private let ids: [BookID]
    private let work: Work
    private let format: RecordFormat
    private var replacements: [CatalogEdit.Replacement] = []
    private var records: [CatalogEdit.PlacedRecord] = []

    private init(
        _ catalog: EditedCatalog, _ ids: [BookID], _ work: Work
    ) throws(CatalogEditError) {
        guard catalog.isComplete else { throw .loading }
        format = try catalog.recordFormat()
        if case .remove = work { try catalog.checkList() }
        (self.catalog, self.work) = (catalog, work)
        // Most selections are in ascending order already.
        self.ids = zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 } ? ids : ids.sorted()
    }

    /// Prepares to set `fields` of books to the values that `change` gives them.
    ///
    /// - Throws: `CatalogEditError` if the catalog cannot be edited.
    public convenience init(
        setting fields: Set<BookField>, of ids: [BookID], in catalog: EditedCatalog,
        _ change: @escaping (inout Book) -> Void
    ) throws(CatalogEditError) {
        try self.init(catalog, ids, .set(fields, change))
    }

    /// Prepares to delete books.
    ///
    /// - Throws: `CatalogEditError` if the catalog cannot be edited.
    public convenience init(removing ids: [BookID], from catalog: EditedCatalog) throws(CatalogEditError) {
        try self.init(catalog, ids, .remove)
    }

    /// Prepares all books.
    ///
    /// - Parameter report: Called now and then with the number of books prepared since the last call; returns whether
    ///   to continue.
    /// - Returns: Whether all books are prepared.
    /// - Throws: `CatalogEditError` for the first value that a record cannot hold.
    @discardableResult
    public func run(reporting report: (Int) -> Bool = { _ in true }) throws(CatalogEditError) -> Bool {
        for start in stride(from: 0, to: ids.count, by: Self.pieceCount) {
            let piece = ids[start..<min(start + Self.pieceCount, ids.count)]
            for id in piece { try prepare(id) }
            if !report(piece.count) { return false }
        }
        return true
    }

    /// The number of books between two reports.
    private static let pieceCount = 64

    private func prepare(_ id: BookID) throws(CatalogEditError) {
        switch work {
        case .set(let fields, let change):
            guard let known = catalog.decodedRecord(of: id) else { throw .recordGone(title: "") }
            let old = known.bytes
            var book = known.book
            change(&book)
            let new = try format.changes(of: old, holding: known.value, setting: fields, to: book).applied(to: old)
            if new != old { replacements.append(.init(position: id.index, old: old, new: new)) }
        case .remove:
            guard let old = catalog.bytes(of: id) else { throw .recordGone(title: "") }
            let isBehindLast = records.last.map { $0.position == id.index - 1 } ?? false
            let neighbour =
                isBehindLast ? records.last?.bytes : id.index > 0 ? catalog.bytes(of: BookID(id.index - 1)) : nil
            records.append(.init(position: id.index, bytes: old, neighbour: neighbour))
        }
    }

    /// The edit, with the positions of the books when the preparation began; empty if nothing changes.
    var edits: [CatalogEdit] { prepared.edits }

    /// The prepared part of the edit.
    public var prepared: PreparedEdit { PreparedEdit(replacements: replacements, records: records) }
}

/// A prepared edit or a part of one.
public struct PreparedEdit: Sendable {
    fileprivate var replacements: [CatalogEdit.Replacement] = []
    fileprivate var records: [CatalogEdit.PlacedRecord] = []

    /// Joins parts in the order of their books.
    public init(joining parts: [PreparedEdit]) {
        for part in parts {
            replacements += part.replacements
            records += part.records
        }
    }

    fileprivate init(replacements: [CatalogEdit.Replacement], records: [CatalogEdit.PlacedRecord]) {
        (self.replacements, self.records) = (replacements, records)
    }

    fileprivate var edits: [CatalogEdit] {
        if !replacements.isEmpty { return [.replace(replacements)] }
        return records.isEmpty ? [] : [.remove(records)]
    }
}

extension EditedCatalog {
    /// Makes an edit that was prepared with copies of this catalog.
    ///
    /// - Parameter isCancelled: Called before the edit is written; returns whether it is cancelled.
    /// - Returns: The outcome; nil if there was nothing to change.
    /// - Throws: `CatalogEditError`; nothing is changed then.
    public func make(
        _ prepared: PreparedEdit, unless isCancelled: () -> Bool
    ) throws(CatalogEditError) -> EditOutcome? {
        let edits = prepared.edits
        return try perform([], unless: isCancelled) { _ in edits }
    }
}
