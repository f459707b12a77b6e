internal import Books
internal import Catalog
internal import Indexing
internal import Library
internal import Shelves
internal import TerminalUI

/// Showing the book of a change that was undone or redone.
extension BookListModel {
    /// Makes the book current if the open list has it. If several books have its keys, the nearest one is taken.
    ///
    /// Linear in the size of the catalog.
    func show(_ book: UndoStep.ChangedBook) {
        // Moving would extend the range that is being selected.
        if rows.selection.rangeStart != nil { return }
        if let number = rows.missing.firstIndex(where: { $0.identity == book.identity }) {
            return move(to: number + rows.bookRowCount)
        }
        guard library.store.remote == nil else { return }
        let lookup = BookLookup(of: [book.identity.key] + book.keys.all, in: library.store.index)
        let ids = lookup.id(of: book.identity).map { [$0] } ?? lookup.ids(bestMatching: book.keys)
        if let row = rows.list.row(ofOneOf: ids, nearestTo: table.currentRow ?? 0) { move(to: row) }
    }

    private func move(to row: Int) {
        if row == table.currentRow { return }
        stay()
        table.select(row)
        // Rows that are still being sorted or searched must not leave it.
        if progress != nil { anchor = ScrollAnchor(id: currentBook, offset: row - table.topRow) }
    }
}
