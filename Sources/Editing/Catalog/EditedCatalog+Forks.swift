internal import Catalog
internal import Indexing

/// Editing on another thread.
extension EditedCatalog {
    /// The catalog with its edits, for editing on another thread.
    public struct Fork: Sendable {
        fileprivate let base: JSONFileCatalog.Fork
        fileprivate let target: any EditTarget.Type
        fileprivate let journal: EditJournal.Fork?
        fileprivate let history: EditHistory
        fileprivate let sequence: RecordSequence
        fileprivate let missing: [Int: RecordSequence.Piece]
        fileprivate let known: KnownRecords
        fileprivate let clashes: [EditClash]
        fileprivate let shift: BookShift
        /// The revision of the forked catalog.
        fileprivate let revision: Int
    }

    /// A fork that shares no mutable state; nil if the file is not completely read or is being saved.
    public var fork: Fork? {
        guard isComplete, saving == nil, let base = base.fork else { return nil }
        return Fork(
            base: base, target: type(of: target), journal: journal?.fork, history: history, sequence: sequence,
            missing: missing,
            known: knownRecords, clashes: clashes, shift: shift, revision: revision)
    }

    /// Creates the catalog of a fork, which writes to the same journal. It cannot be loaded, reloaded or saved.
    public convenience init(_ fork: Fork) {
        self.init(of: fork.target.init(fork: JSONFileCatalog(fork.base)), nil)
        isComplete = true
        take(fork)
        shift = BookShift()
    }

    /// Replaces the edits by those of a fork that was edited on another thread.
    ///
    /// - Parameter original: The fork before it was edited.
    /// - Returns: False if the catalog or the file has changed in the meantime: the edits of the fork are in the
    ///   journal then, like those of another instance.
    public func receive(_ fork: Fork, madeOf original: Fork) -> Bool {
        guard isComplete, saving == nil, original.revision == revision, !fork.shift.isUnknown else { return false }
        let before = shift
        take(fork)
        shift = before
        shift.append(fork.shift)
        revision += 1
        return true
    }

    private func take(_ fork: Fork) {
        journal = fork.journal.map { EditJournal($0) }
        (history, sequence, missing) = (fork.history, fork.sequence, fork.missing)
        (knownRecords, clashes) = (fork.known, fork.clashes)
    }
}
