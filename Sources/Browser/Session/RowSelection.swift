internal import Books
internal import Catalog
internal import Indexing
internal import Library
internal import TerminalUI

/// The books that the reader chose row by row; commands then act on all of them.
struct RowSelection {
    /// The books that were chosen.
    var books = BookSet()
    /// The row where a range begins whose end is the current row.
    var rangeStart: Int?

    /// The most books that something is done with at once.
    static let maximumTargets = 1_000_000

    /// The rows from where a range began to `row`, in a list of `count` books; nil if none began.
    func range(to row: Int?, count: Int) -> ClosedRange<Int>? {
        // Behind the books of the catalog stand marks on others.
        guard let rangeStart, let row, min(rangeStart, row) < count else { return nil }
        return min(rangeStart, row)...min(max(rangeStart, row), count - 1)
    }
}

/// Choosing rows of the open list.
extension BookListModel {
    /// The rows of the range that is being chosen.
    var range: ClosedRange<Int>? { rows.selection.range(to: table.currentRow, count: rows.bookRowCount) }

    /// How many books are chosen, with the range that is being chosen.
    var chosenCount: Int {
        let open = range.map { $0.count { !isChosen(atRow: $0) } }
        return rows.selection.books.count + (open ?? 0)
    }

    private func isChosen(atRow row: Int) -> Bool {
        rows.books.id(atRow: row).value.map(rows.selection.books.contains) ?? false
    }

    /// Chooses so many rows from the current one on, or, if that is chosen, takes them out; and goes on.
    ///
    /// - Returns: False if the current row is no book of the catalog.
    func toggleRows(count: Int) -> Bool {
        guard let row = table.currentRow else { return true }
        endRange()
        guard row < rows.bookRowCount else { return false }
        let (end, isBeyond) = row.addingReportingOverflow(max(1, count))
        let chosen = row..<min(isBeyond ? .max : end, rows.bookRowCount)
        if isChosen(atRow: row) {
            rows.selection.books.remove(rows: chosen, of: rows.books)
        } else {
            rows.selection.books.insert(rows: chosen, of: rows.books)
        }
        anchor = nil
        table.moveSelection(by: chosen.count)
        return true
    }

    /// Begins a range at the current row, or ends it.
    func toggleRange() {
        if rows.selection.rangeStart != nil {
            endRange()
        } else if currentMissing == nil {
            rows.selection.rangeStart = table.currentRow
        }
    }

    /// Chooses the rows of the range that was begun.
    func endRange() {
        if let range { rows.selection.books.insert(rows: Range(range), of: rows.books) }
        rows.selection.rangeStart = nil
    }

    /// Forgets the range that was begun.
    func dropRange() { rows.selection.rangeStart = nil }

    /// Chooses all rows of the list, or none if all are chosen.
    func toggleAll() {
        endRange()
        let all = 0..<rows.bookRowCount
        if all.allSatisfy(isChosen) {
            rows.selection.books.remove(rows: all, of: rows.books)
        } else {
            rows.selection.books.insert(rows: all, of: rows.books)
        }
    }

    /// The keys of the chosen books, if they are few enough to be found again after a reload.
    func keysOfChosenBooks() -> [MatchKeys] {
        endRange()
        guard rows.selection.books.count <= RowSelection.maximumTargets else { return [] }
        return rows.selection.books.ids.compactMap(library.store.keys)
    }

    /// Chooses the books with these keys, and no others.
    func chooseBooks(with keys: [MatchKeys]) {
        rows.selection.books = BookSet()
        guard !keys.isEmpty else { return }
        let lookup = BookLookup(of: keys.flatMap(\.all), in: library.store.index)
        for keys in keys {
            if let id = lookup.ids(bestMatching: keys).first { rows.selection.books.insert(id) }
        }
    }
}
