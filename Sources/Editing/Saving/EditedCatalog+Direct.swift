internal import Catalog
public import Storage

/// The outcome of writing or sending edits that are not kept as unsaved ones.
public struct DirectSave: Sendable {
    /// The number of the step in the journal, for undo; nil if it cannot be undone, or nothing has changed.
    public var number: Int?
    /// The reason why it cannot be undone, if that is worth reporting.
    public var obstacle: UndoObstacle?
    /// The changes that the server did not make.
    public var refusals: [ServerRefusal] = []
}

/// The reason why edits cannot be undone.
public enum UndoObstacle: Sendable {
    /// They are too large for the journal.
    case tooLarge
    /// The journal cannot be written.
    case journal(FileError)
}

/// Editing the file or the server itself, beside the unsaved edits.
extension EditedCatalog {
    /// Writes the edits to the file, or sends them to the server, and records them in the journal.
    ///
    /// - Parameters:
    ///   - isUndoable: Whether to record them.
    ///   - report: Called while the edits are sent, with what deletes the files for that if the program has to end.
    /// - Returns: Nil if others have changed the file since it was read; nothing is written then.
    /// - Throws: `CatalogEditError`; nothing is written then, unless the server has taken some of the edits.
    public func saveDirectly(
        isUndoable: Bool, reporting report: (SendingProgress, _ cleanUp: @escaping @Sendable () -> Void) -> Void
    ) throws(CatalogEditError) -> DirectSave? {
        guard let direct else { throw .notKept }
        if direct.isEmpty { return DirectSave() }
        let journal = isUndoable && !direct.areTooLarge ? direct.journal : nil
        return try target.save(direct, of: self, in: journal, reporting: report)
    }

    /// Writes direct edits to the file.
    func write(_ direct: DirectEdits, _ journal: EditJournal?) throws(CatalogEditError) -> DirectSave? {
        let arrangement = try arrangement()
        if arrangement.isEmpty { return DirectSave() }
        let before = arrangement.fingerprint
        var saved: RandomAccessInput.Fingerprint?
        var step: (number: Int, isAll: Bool)?
        var journalError: FileError?
        let isWritten: Bool
        do throws(CatalogEditError) {
            isWritten = try arrangement.replacement.write(unless: { false }) { new throws(FileError) in
                saved = new
                do throws(FileError) {
                    step = try journal?.append(direct.edits, writtenIn: new, over: before)
                } catch {
                    journalError = error
                    // A user without permission to write the journal may still change the catalog.
                    if !error.isForbidden { throw error }
                }
            }
        } catch {
            if let journalError, !journalError.isForbidden { throw .journal(journalError) }
            throw error
        }
        guard isWritten, let saved else { return nil }
        // Small files are read as fast as their index.
        if base.keepsIndex, arrangement.size >= IndexCache.minimumSize, let segments = arrangement.segments() {
            base.keepIndex(segments, of: saved)
        }
        var outcome = DirectSave(number: step?.number)
        outcome.obstacle = direct.areTooLarge ? .tooLarge : journalError.map(UndoObstacle.journal)
        // If this fails, the next start reads the whole journal instead.
        if step?.isAll == true { try? journal?.settle(saved, over: before) }
        // If this fails, the next change tries again.
        if step != nil { try? journal?.shorten() }
        return outcome
    }
}
