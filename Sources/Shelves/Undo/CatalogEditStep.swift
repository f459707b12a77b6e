public import Storage

/// An edit of a catalog, as the history of all changes names it. The edit itself is in the journal of the catalog.
public struct CatalogEditStep: Hashable, Sendable {
    /// The kind of an edit.
    public enum Kind: String, Hashable, Sendable {
        case changed = "bookChanged"
        case added = "bookAdded"
        case deleted = "bookDeleted"
        case moved = "bookMoved"
        case merged = "booksMerged"
        case sorted = "catalogSorted"
    }

    /// The kind of the edit.
    public var kind: Kind
    /// The number of the edit in the journal of the catalog.
    public var number: Int
    /// The absolute path of the catalog.
    public var catalog: String
    /// The title of the first book.
    public var title: String
    /// The number of books.
    public var bookCount: Int

    /// Creates a step.
    public init(_ kind: Kind, number: Int, catalog: String, title: String, bookCount: Int) {
        (self.kind, self.number, self.catalog) = (kind, number, catalog)
        (self.title, self.bookCount) = (title, bookCount)
    }
}

extension UserData {
    /// Records an edit of a catalog, and moves the user data of its books to their current keys, as one undo step.
    ///
    /// - Throws: `FileError`; see `apply(_:to:)`.
    public func record(_ edit: CatalogEditStep, moving moves: [UserDataMove] = []) throws(FileError) {
        loadOnce()
        let moment = moment
        var header = JournalEntry(
            subject: .edit(edit.kind, catalog: edit.catalog), value: .number(edit.number), old: .nothing)
        header.name = edit.title
        header.bookCount = edit.bookCount
        var step = add(header, at: moment, step: nil)
        for entry in imports(of: moves) {
            var target = entry.target
            for change in entry.changes {
                target = target.with(identities: make(change, to: target, at: moment, step: &step))
            }
        }
        try commit()
    }

    /// The edits of the open catalog that the next undo or redo reverses, in this order.
    ///
    /// - Throws: `FileError` if the journal cannot be read.
    public func editsToReverse(redoing isRedo: Bool) throws(FileError) -> [EditReversal] {
        guard let record = try stepToReverse(redoing: isRedo) else { return [] }
        return try reversals(of: record, redoing: isRedo)
    }

    /// The edits of the open catalog that `goBack(to:)` reverses, in this order.
    ///
    /// - Throws: `FileError` if the journal cannot be read.
    public func editsToReverse(goingBackTo step: UndoStep) throws(FileError) -> [EditReversal] {
        var reversals: [EditReversal] = []
        for record in try records(after: step) { reversals += try self.reversals(of: record, redoing: false) }
        return reversals
    }

    private func reversals(of record: StepRecord, redoing isRedo: Bool) throws(FileError) -> [EditReversal] {
        if let edit = record.edit { return [EditReversal(edit: edit, isRedo: isRedo)] }
        guard let reversal = record.reversal, reversal.kind == .goBack else { return [] }
        // Undoing a revert redoes the steps that the revert undid.
        var reversals: [EditReversal] = []
        for id in isRedo ? reversal.steps : reversal.steps.reversed() {
            let undone = try recentSteps { steps -> (StepRecord?, Bool) in
                let record = steps.records.last { $0.id == id }
                return (record, record != nil)
            }
            if let undone { reversals += try self.reversals(of: undone, redoing: !isRedo) }
        }
        return reversals
    }
}

/// An edit of a catalog to undo or redo.
public struct EditReversal: Hashable, Sendable {
    /// The edit.
    public let edit: CatalogEditStep
    /// Whether the edit is redone.
    public let isRedo: Bool
}

extension StepRecord {
    /// The edit of a catalog, if the step is one.
    var edit: CatalogEditStep? {
        guard let line = lines.first, case .edit(let kind, let catalog) = line.subject,
            case .number(let number) = line.value
        else { return nil }
        return CatalogEditStep(
            kind, number: number, catalog: catalog, title: line.name ?? "", bookCount: line.bookCount ?? 1)
    }
}
