internal import Catalog
internal import Indexing

/// Editing on another thread.
extension EditedCatalog {
    /// The catalog with its edits, for editing on another thread.
    public struct Copy: Sendable {
        fileprivate let base: JSONFileCatalog.Copy
        fileprivate let target: any EditTarget.Type
        fileprivate let journal: EditJournal.Copy?
        fileprivate let history: EditHistory
        fileprivate let sequence: RecordSequence
        fileprivate let missing: [Int: RecordSequence.Piece]
        fileprivate let known: KnownRecords
        fileprivate let clashes: [EditClash]
        fileprivate let shift: BookShift
        /// The revision of the copied catalog.
        fileprivate let revision: Int
    }

    /// A copy that shares no mutable state; nil if the file is not completely read or is being saved.
    public var copy: Copy? {
        guard isComplete, saving == nil, let base = base.copy else { return nil }
        return Copy(
            base: base, target: type(of: target), journal: journal?.copy, history: history, sequence: sequence,
            missing: missing,
            known: knownRecords, clashes: clashes, shift: shift, revision: revision)
    }

    /// Creates the catalog of a copy, which writes to the same journal. It cannot be loaded, reloaded or saved.
    public convenience init(_ copy: Copy) {
        self.init(of: copy.target.init(copy: JSONFileCatalog(copy.base)), nil)
        isComplete = true
        take(copy)
        shift = BookShift()
    }

    /// Replaces the edits by those of a copy that was edited on another thread.
    ///
    /// - Parameter original: The copy before it was edited.
    /// - Returns: False if the catalog or the file has changed in the meantime: the edits of the copy are in the
    ///   journal then, like those of another instance.
    public func receive(_ copy: Copy, madeOf original: Copy) -> Bool {
        guard isComplete, saving == nil, original.revision == revision, !copy.shift.isUnknown else { return false }
        let before = shift
        take(copy)
        shift = before
        shift.append(copy.shift)
        revision += 1
        return true
    }

    private func take(_ copy: Copy) {
        journal = copy.journal.map { EditJournal($0) }
        (history, sequence, missing) = (copy.history, copy.sequence, copy.missing)
        (knownRecords, clashes) = (copy.known, copy.clashes)
    }
}
