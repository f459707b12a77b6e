internal import Books
internal import Catalog
internal import Indexing
internal import Library
internal import TerminalUI

/// The books that are selected row by row; commands then act on all of them.
struct RowSelection {
    /// The selected books.
    var books = BookSet()
    /// The first row of a range that ends at the current row.
    var rangeStart: Int?

    /// The maximum number of books that a command changes at once.
    static let maximumTargets = 1_000_000

    /// Returns the rows of the open range that ends at `row`, in a list of `count` books; nil if no range is open.
    func range(to row: Int?, count: Int) -> ClosedRange<Int>? {
        // Rows after the books of the catalog show missing books.
        guard let rangeStart, let row, min(rangeStart, row) < count else { return nil }
        return min(rangeStart, row)...min(max(rangeStart, row), count - 1)
    }
}

/// Selecting rows of the open list.
extension BookListModel {
    /// The rows of the open range.
    var range: ClosedRange<Int>? { rows.selection.range(to: table.currentRow, count: rows.bookRowCount) }

    /// The number of selected books, including the open range.
    var selectedCount: Int {
        let open = range.map { $0.count { !isSelected(atRow: $0) } }
        return rows.selection.books.count + (open ?? 0)
    }

    private func isSelected(atRow row: Int) -> Bool {
        rows.books.id(atRow: row).value.map(rows.selection.books.contains) ?? false
    }

    /// Selects `count` rows from the current one on, or deselects them if the current one is selected, and moves down.
    ///
    /// - Returns: False if the current row is not a book of the catalog.
    func toggleRows(count: Int) -> Bool {
        guard let row = table.currentRow else { return true }
        endRange()
        guard row < rows.bookRowCount else { return false }
        let (end, isBeyond) = row.addingReportingOverflow(max(1, count))
        let selected = row..<min(isBeyond ? .max : end, rows.bookRowCount)
        if isSelected(atRow: row) {
            rows.selection.books.remove(rows: selected, of: rows.books)
        } else {
            rows.selection.books.insert(rows: selected, of: rows.books)
        }
        anchor = nil
        table.moveSelection(by: selected.count)
        return true
    }

    /// Starts a range at the current row, or ends it.
    func toggleRange() {
        if rows.selection.rangeStart != nil {
            endRange()
        } else if currentMissing == nil {
            rows.selection.rangeStart = table.currentRow
        }
    }

    /// Selects the rows of the open range.
    func endRange() {
        if let range { rows.selection.books.insert(rows: Range(range), of: rows.books) }
        rows.selection.rangeStart = nil
    }

    /// Discards the open range.
    func dropRange() { rows.selection.rangeStart = nil }

    /// Selects all rows of the list, or deselects them if all are selected.
    func toggleAll() {
        endRange()
        let all = 0..<rows.bookRowCount
        if all.allSatisfy(isSelected) {
            rows.selection.books.remove(rows: all, of: rows.books)
        } else {
            rows.selection.books.insert(rows: all, of: rows.books)
        }
    }

    /// Returns the keys of the selected books, for finding them after a reload; none if there are too many.
    func keysOfSelectedBooks() -> [MatchKeys] {
        endRange()
        guard rows.selection.books.count <= RowSelection.maximumTargets else { return [] }
        return rows.selection.books.ids.compactMap(library.store.keys)
    }

    /// Selects the books with these keys, and no others.
    func selectBooks(with keys: [MatchKeys]) {
        rows.selection.books = BookSet()
        guard !keys.isEmpty else { return }
        let lookup = BookLookup(of: keys.flatMap(\.all), in: library.store.index)
        for keys in keys {
            if let id = lookup.ids(bestMatching: keys).first { rows.selection.books.insert(id) }
        }
    }
}
