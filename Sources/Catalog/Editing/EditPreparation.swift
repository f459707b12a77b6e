public import Books
public import Indexing
internal import JSON

/// An edit of many books that is made ready piece by piece, so that it can be stopped before anything is changed.
public final class EditPreparation {
    private enum Work {
        case set(Set<BookField>, (inout Book) -> Void)
        case remove
    }

    private let catalog: EditedCatalog
    private let ids: [BookID]
    private let work: Work
    private let shapes: CatalogEditor
    /// What the catalog was when it was begun.
    fileprivate let revision: Int
    private var next = 0
    private var replacements: [CatalogEdit.Replacement] = []
    private var records: [CatalogEdit.PlacedRecord] = []

    private init(_ catalog: EditedCatalog, _ ids: [BookID], _ work: Work) throws(CatalogEditError) {
        guard catalog.isComplete else { throw .loading }
        shapes = try catalog.shapes()
        if case .remove = work { try catalog.checkList() }
        (self.catalog, self.work, revision) = (catalog, work, catalog.revision)
        // Most selections ascend already.
        self.ids = zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 } ? ids : ids.sorted()
    }

    /// Prepares to give `fields` of books the values that `change` gives them.
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

    /// The part that is ready, from 0 to 1.
    public var fraction: Double { ids.isEmpty ? 1 : Double(next) / Double(ids.count) }

    /// Makes the next books ready, for about so many milliseconds.
    ///
    /// - Returns: Whether all are ready.
    /// - Throws: `CatalogEditError` with the first value that a record cannot hold.
    public func advance(milliseconds: Int) throws(CatalogEditError) -> Bool {
        let end = ContinuousClock.now + .milliseconds(milliseconds)
        repeat {
            for _ in 0..<16 where next < ids.count {
                try prepare(ids[next])
                next += 1
            }
        } while next < ids.count && ContinuousClock.now < end
        return next == ids.count
    }

    private func prepare(_ id: BookID) throws(CatalogEditError) {
        switch work {
        case .set(let fields, let change):
            guard let (old, known) = catalog.bytesAndBook(of: id) else { throw .recordGone(title: "") }
            var book = known
            change(&book)
            let new = try shapes.changes(of: old, setting: fields, to: book).applied(to: old)
            if new != old { replacements.append(.init(position: id.index, old: old, new: new)) }
        case .remove:
            guard let old = catalog.bytes(of: id) else { throw .recordGone(title: "") }
            let isBehindLast = records.last.map { $0.position == id.index - 1 } ?? false
            let neighbour =
                isBehindLast ? records.last?.bytes : id.index > 0 ? catalog.bytes(of: BookID(id.index - 1)) : nil
            var record = CatalogEdit.PlacedRecord(position: id.index, bytes: old, neighbour: neighbour)
            if ids.count == catalog.index.count { record.surroundings = catalog.surroundings(of: id) }
            records.append(record)
        }
    }

    /// The edit, with the positions that the books had when it was begun; none if nothing changes.
    var edits: [CatalogEdit] {
        if !replacements.isEmpty { return [.replace(replacements)] }
        return records.isEmpty ? [] : [.remove(records)]
    }
}

extension EditedCatalog {
    /// Makes an edit that is ready.
    ///
    /// - Returns: What was done; nil if nothing was to be changed.
    /// - Throws: `CatalogEditError`; nothing is changed then.
    public func make(_ preparation: EditPreparation) throws(CatalogEditError) -> EditOutcome? {
        let edits = preparation.edits
        return try perform([], isFresh: preparation.revision == revision) { _ in edits }
    }
}
