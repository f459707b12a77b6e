internal import Glibc
public import Storage

extension EditedCatalog {
    /// Makes the unsaved edits those of the catalog at `path`, which is a copy of the file and was not opened yet.
    ///
    /// They become the only unsaved edits there: a deleted catalog with this path may have left others.
    /// - Parameter journalPath: The path of the journal of that catalog.
    /// - Throws: `FileError`; the edits are still those of this catalog then.
    public func moveEdits(toCatalogAt path: String, journalPath: String) throws(FileError) {
        readJournalNow()
        _ = receiveEdits()
        let (edits, steps) = (history.pending, history.steps)
        guard !edits.isEmpty || access(journalPath, F_OK) == 0 else { return }
        let target = EditJournal(path: journalPath, catalogPath: resolvedPath(path) ?? path)
        try target.append { _ in [.rebased(edits, steps: steps)] }
        if edits.isEmpty { return }
        // If this fails, the edits are in both journals, and nothing is lost.
        try? journal?.append { others in
            take(others)
            // Another instance has made more edits meanwhile.
            if !others.isEmpty { return [] }
            history.take(.rebased([]))
            return [.rebased([])]
        }
    }
}
