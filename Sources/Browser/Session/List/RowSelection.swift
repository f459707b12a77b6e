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
    /// Whether the command that runs changes the selected books.
    var use = Use.unasked

    /// Whether a command changes the selected books.
    enum Use {
        /// It does if the list shows them all; it asks otherwise.
        case unasked
        /// It does, as the user has confirmed.
        case confirmed
        /// It changes the current book instead.
        case passedOver
    }

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
            select(selected)
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
        if let range { select(Range(range)) }
        rows.selection.rangeStart = nil
    }

    /// Discards the open range.
    func dropRange() { rows.selection.rangeStart = nil }

    /// Selects all rows of the list, or deselects them if all are selected.
    func toggleAll() {
        endRange()
        let all = 0..<rows.bookRowCount
        if isTooLong(all) { return select(all) }
        if all.allSatisfy(isSelected) {
            rows.selection.books.remove(rows: all, of: rows.books)
        } else {
            select(all)
        }
    }

    /// The maximum number of rows of a server that can be selected at once.
    private static let remoteRowLimit = 2000

    private func isTooLong(_ range: Range<Int>) -> Bool {
        !(rows.books is BookList) && range.count > Self.remoteRowLimit
    }

    /// Selects rows, and says so if some of them are not loaded.
    private func select(_ range: Range<Int>) {
        if isTooLong(range) { return status.say(.tooManyRows, Self.remoteRowLimit.grouped) }
        rows.selection.books.insert(rows: range, of: rows.books)
        let missing = range.count { rows.books.id(atRow: $0).value == nil }
        if missing > 0 { status.say(.rowsNotSelected, missing.of("row")) }
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
