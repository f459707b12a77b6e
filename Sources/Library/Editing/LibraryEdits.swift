internal import Books
public import Catalog
public import Indexing
public import Shelves
public import Storage

/// The reason why an edit of the catalog was not made, or only partly.
public enum LibraryEditError: Error {
    /// The catalog could not be edited; nothing was changed.
    case catalog(CatalogEditError)
    /// The edit was made, but the history of changes could not be written; therefore it cannot be undone yet.
    case history(FileError)
}

/// Editing the catalog; user data follows its books.
extension Library {
    /// Makes an edit and adds it to the history of changes; user data follows books whose title, authors or ISBN
    /// change.
    ///
    /// - Parameters:
    ///   - kind: The kind of edit.
    ///   - ids: The books that are edited; empty for new ones.
    ///   - title: The title of the first book.
    ///   - body: Makes the edit.
    /// - Returns: The outcome; nil if nothing had to be changed.
    public func edit(
        _ kind: CatalogEditStep.Kind, _ ids: [BookID], title: String,
        _ body: (EditedCatalog) throws(CatalogEditError) -> EditOutcome?
    ) throws(LibraryEditError) -> EditOutcome? {
        guard let edited = store.edited else { throw .catalog(store.obstacleToEditing) }
        // The user data must be located before the keys of its books change.
        let before = EditedUserData(kind, ids, of: edited, userData) { located.index }
        let outcome: EditOutcome?
        do throws(CatalogEditError) {
            outcome = try body(edited)
        } catch {
            forgetBooks()
            throw .catalog(error)
        }
        forgetBooks()
        guard let outcome else { return nil }
        let moves = before?.moves(after: outcome, in: edited, catalog: catalogPath) ?? []
        let step = CatalogEditStep(
            kind, number: outcome.number, catalog: catalogPath ?? edited.path, title: title,
            bookCount: outcome.bookCount)
        do throws(FileError) {
            try userData.record(step, moving: moves)
        } catch {
            throw .history(error)
        }
        return outcome
    }

    /// Reverses edits of the catalog, in this order.
    ///
    /// - Returns: The outcome of the last edit; nil if none had an effect.
    /// - Throws: `CatalogEditError`; the edits before the one that failed stay reversed.
    public func reverse(_ reversals: [EditReversal]) throws(CatalogEditError) -> EditOutcome? {
        guard let edited = store.edited, !reversals.isEmpty else { return nil }
        defer { forgetBooks() }
        var outcome: EditOutcome?
        for reversal in reversals {
            outcome = try edited.reverse(reversal.edit.number, redoing: reversal.isRedo) ?? outcome
        }
        return outcome
    }
}
