public import Catalog
public import Shelves

/// Undoing edits of the catalog.
extension Library {
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
