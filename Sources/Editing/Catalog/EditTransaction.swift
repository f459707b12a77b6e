internal import Books
internal import Indexing

/// Edits that are made together: all of them take effect and are recorded in the journal, or none.
///
/// The steps are apart, because the line of the journal is only safe once it is on disk: `begin`, `apply`, the line in
/// `entries`, and then `commit` or `rollBack`.
struct EditTransaction {
    private let catalog: EditedCatalog
    private let kind: EditJournal.Step.Kind
    /// The number of the step that is undone or redone.
    private let known: Int?
    /// Whether the edits refer to the current records, so that none needs to be searched for.
    private var isFresh: Bool
    /// The positions of the books when the transaction was created.
    private let start: BookShift
    /// What is restored if the transaction fails.
    private var before: State
    /// The edits, and what they have become.
    private var (made, applied): ([CatalogEdit], [CatalogEdit]) = ([], [])
    /// The line of the journal, and the outcome.
    private var recorded: (entry: EditJournal.Entry, outcome: EditOutcome)?

    /// The records of a catalog.
    private struct State {
        private let sequence: RecordSequence
        private let missing: [Int: RecordSequence.Piece]
        private let clashes: [EditClash]
        private let shift: BookShift

        init(of catalog: EditedCatalog) {
            (sequence, missing) = (catalog.sequence, catalog.missing)
            (clashes, shift) = (catalog.clashes, catalog.shift)
        }

        func restore(in catalog: EditedCatalog) {
            (catalog.sequence, catalog.missing) = (sequence, missing)
            (catalog.clashes, catalog.shift) = (clashes, shift)
            catalog.noteChangedRecords()
        }
    }

    /// Creates a transaction of a catalog, which nothing else may edit until it ends.
    ///
    /// - Parameters:
    ///   - kind: The reason for the edits.
    ///   - known: The number of the step that is undone or redone; nil for a new step.
    init(of catalog: EditedCatalog, as kind: EditJournal.Step.Kind, of known: Int?) {
        (self.catalog, self.kind, self.known) = (catalog, kind, known)
        isFresh = kind == .edit
        start = catalog.shift
        before = State(of: catalog)
    }

    /// Adopts the edits of other instances; what is restored later includes them.
    mutating func begin(after others: [EditJournal.Entry]) {
        catalog.take(others)
        if !others.isEmpty { isFresh = false }
        before = State(of: catalog)
    }

    /// Returns the current numbers of books; those that others have deleted are left out.
    func current(_ ids: [BookID]) -> [BookID] {
        let moved = catalog.shift.since(start)
        return ids.compactMap { moved($0) }
    }

    /// Applies edits one after another.
    ///
    /// - Throws: `CatalogEditError.changedSince` if one of them conflicts with a change of others.
    mutating func apply(_ edits: [CatalogEdit]) throws(CatalogEditError) {
        made = edits
        let clashCount = catalog.clashes.count
        for edit in edits {
            if let edit = catalog.apply(edit, isFresh: isFresh) {
                applied.append(edit)
            } else if case .reorder = edit {
                throw .changedSince
            }
            if catalog.clashes.count > clashCount { throw .changedSince }
        }
    }

    /// Returns the lines that record the edits; none if they change nothing.
    mutating func entries(in journal: EditJournal) -> [EditJournal.Entry] {
        if applied.isEmpty { return [] }
        // A journal that lost lines gets the unsaved edits again, as they were before this one.
        let restored = journal.isReplaced ? [EditJournal.Entry.rebased(catalog.history.pending)] : []
        let number = known ?? catalog.history.nextNumber
        var step = EditJournal.Step(number: number, kind: kind, edits: applied)
        step.repeatsStep = kind != .edit && journal.writtenSteps.contains(number) && applied == made
        let entry = EditJournal.Entry.step(step)
        recorded = (entry, EditOutcome(of: applied, number: number))
        return restored + [entry]
    }

    /// Ends the transaction of edits that are not kept as unsaved ones.
    ///
    /// - Returns: The outcome, whose step has no number yet; nil if nothing has changed.
    func commit(to direct: inout DirectEdits) -> EditOutcome? {
        if applied.isEmpty { return nil }
        direct.append(applied)
        catalog.noteChangedRecords()
        return EditOutcome(of: applied, number: 0)
    }

    /// Ends the transaction once its lines are on disk. If there are none, nothing has changed.
    ///
    /// - Returns: The outcome; nil if nothing has changed.
    func commit() -> EditOutcome? {
        guard let recorded else {
            rollBack()
            return nil
        }
        catalog.history.take(recorded.entry)
        catalog.noteChangedRecords()
        return recorded.outcome
    }

    /// Restores the records as they were before the edits.
    func rollBack() { before.restore(in: catalog) }
}
