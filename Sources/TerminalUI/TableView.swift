internal import Graphemes

/// A scrolling list of rows that it does not own: it asks its data source for those on the screen.
///
/// It shows, selects and scrolls, and nothing else. Rows are numbered through all sections, from zero. A section with a
/// title has a header above its first row; that of the section at the top of the screen stays while its rows scroll.
public final class TableView {
    /// Who knows the rows.
    public weak var dataSource: (any TableViewDataSource)?
    /// Who is told of the selection.
    public weak var delegate: (any TableViewDelegate)?
    /// The columns, from left to right.
    public var columns: [TableColumn]
    /// How many columns, from the left, stand on the selection in a selected row; the rest of it is `selectionRest`.
    public var leadingColumns = Int.max
    /// How many columns of the screen are left blank at its right end.
    public var rightMargin = 0
    /// What it stands on.
    public var surface = Style.Surface.window
    /// The text shown in place of rows where there are none.
    public var placeholder = ""
    /// Where it stands on the screen; the first row of it is the columns' head.
    public var frame: Rect = .empty {
        didSet { if frame != oldValue { clamp() } }
    }

    /// The selected row; nil only where there are no rows.
    public private(set) var selectedRow: Int?
    /// The row at the top of the screen, below the header of its section where that has one.
    public private(set) var topRow = 0
    private var rows = SectionOffsets()

    /// An empty table of these columns.
    public init(columns: [TableColumn]) {
        self.columns = columns
    }

    /// How many rows there are in all sections.
    public var rowCount: Int { rows.count }

    /// How many rows fit on the screen, besides the headers that are on it now.
    public var visibleRowCount: Int { visibleRowCount(from: topRow) }

    /// Asks the data source anew how many rows there are, and keeps the selection where it can. Linear in the sections.
    public func reloadData() {
        rows = SectionOffsets()
        if let dataSource {
            let sections = max(0, dataSource.numberOfSections(in: self))
            rows.reserveCapacity(sections)
            for section in 0..<sections {
                rows.appendSection(of: dataSource.tableView(self, numberOfRowsInSection: section))
            }
        }
        select(selectedRow ?? 0)
    }

    /// The section and row within it of a row; logarithmic in the sections.
    public func indexPath(forRow row: Int) -> IndexPath {
        let section = rows.section(ofRow: row)
        return IndexPath(row: row - rows.rows(ofSection: section).lowerBound, section: section)
    }

    /// Selects a row, or the nearest there is, and scrolls as little as shows it.
    public func select(_ row: Int) {
        selectedRow = rowCount == 0 ? nil : min(max(row, 0), rowCount - 1)
        clamp()
        delegate?.tableView(self, didSelectRowAt: selectedRow.map(indexPath(forRow:)))
    }

    /// Selects a row and puts `top` at the top of the screen, both as far as there are such rows.
    public func select(_ row: Int, top: Int) {
        topRow = min(max(top, 0), max(0, rowCount - 1))
        select(row)
    }

    /// Moves the selection by so many rows, down where positive.
    public func moveSelection(by rows: Int) {
        select((selectedRow ?? 0).addingWithoutOverflow(rows))
    }

    /// Goes to the first row of the section that is so many behind, or before where negative; the beginning of the
    /// section that the selection is in is the first of those before it. Shows the whole section where it fits.
    public func selectNextSection(by count: Int) {
        guard let selected = selectedRow, let first = rows.sectionStart(count, from: selected) else { return }
        let last = rows.rows(ofSection: rows.section(ofRow: first)).upperBound - 1
        select(first, top: min(max(topRow, firstTop(showing: last, within: height)), first))
    }

    /// Moves the selection and the screen by so many rows, down where positive, so that the selection stays where it
    /// is on the screen, as far as headers allow.
    public func scroll(by rows: Int) {
        var row = (selectedRow ?? 0).addingWithoutOverflow(rows)
        topRow = clampedTop(topRow.addingWithoutOverflow(rows))
        // Where more headers are on the screen now, the selection gives way, so that no row is passed unseen.
        if height > 0 { row = min(max(row, topRow), topRow.addingWithoutOverflow(visibleRowCount - 1)) }
        select(row)
    }

    /// Moves the screen by so many rows, down where positive; the selection stays at its row as long as that is shown.
    public func scrollScreen(by rows: Int) {
        topRow = clampedTop(topRow.addingWithoutOverflow(rows))
        guard let selected = selectedRow, height > 0 else { return }
        select(min(max(selected, topRow), topRow + visibleRowCount - 1))
    }

    /// Scrolls by so many screens, down where positive: what was beyond the edge of the screen is next to the other.
    public func scroll(byPages count: Int) {
        var top = topRow
        var left = count.magnitude
        while left > 0, (0..<rowCount).contains(top) {
            top = count > 0 ? topOfNextPage(from: top) : topOfPreviousPage(from: top)
            left -= 1
        }
        // What is left goes beyond the end, where the last or first row is selected.
        scroll(by: left > 0 ? (count > 0 ? .max : .min) : top - topRow)
    }

    /// Scrolls so that the selected row is in the middle.
    public func centreSelection() {
        guard let selectedRow else { return }
        topRow = firstTop(showing: selectedRow, within: height / 2 + 1)
        clamp()
    }

    /// The one place where selection and scrolling are brought within the rows and the screen.
    private func clamp() {
        topRow = clampedTop(topRow)
        guard let selected = selectedRow, height > 0 else { return }
        topRow = min(max(topRow, firstTop(showing: selected, within: height)), selected)
    }

    /// The nearest row to `top` that can be at the top of the screen without leaving room below the last row.
    private func clampedTop(_ top: Int) -> Int {
        // Headers can only make the last row stand lower, so that only near the end they are asked for.
        if top <= rowCount - height { return max(top, 0) }
        return min(max(top, 0), firstTop(showing: rowCount - 1, within: height))
    }

    /// Draws the head of the columns and the rows on the screen.
    public func draw(on canvas: inout Canvas, isFocused: Bool) {
        guard !frame.isEmpty else { return }
        let places = columnPlaces()
        for place in places {
            write(
                TableViewCell.Field(columns[place.index].title, style: Style(.secondary, on: surface)), at: place,
                row: frame.row,
                on: &canvas)
        }
        if rowCount == 0 {
            let lines = LineWrapper(placeholder, width: frame.width - 2).prefix(max(0, frame.height - 1))
            for (offset, line) in lines.enumerated() {
                canvas.write(
                    line, row: frame.row + 1 + offset, column: frame.column + 1, width: frame.width - 2,
                    style: Style(.secondary, on: surface))
            }
        }
        guard let dataSource else { return }
        for (offset, line) in lines(from: topRow).enumerated() {
            let screenRow = frame.row + 1 + offset
            switch line {
            case .header(let title, let count): drawHeader(title, count: count, row: screenRow, on: &canvas)
            case .row(let row):
                let cell = dataSource.tableView(self, cellForRowAt: indexPath(forRow: row))
                let style = Style(
                    on: row != selectedRow ? surface : isFocused ? .selection : .inactiveSelection)
                drawGround(style.surface, places: places, row: screenRow, on: &canvas)
                drawSign(isSelected: row == selectedRow, isMarked: cell.isMarked, row: screenRow, style, on: &canvas)
                draw(cell, row: screenRow, places: places, surface: style.surface, on: &canvas)
            }
        }
    }

    /// The row that is shown at `position` of the screen; nil where there is none.
    public func row(at position: Position) -> Int? {
        guard frame.contains(position), position.row > frame.row else { return nil }
        let lines = lines(from: topRow)
        let line = position.row - frame.row - 1
        guard line < lines.count, case .row(let row) = lines[line] else { return nil }
        return row
    }

    /// The column whose head is at `position` of the screen; nil where there is none.
    public func column(withHeadAt position: Position) -> Int? {
        guard frame.contains(position), position.row == frame.row else { return nil }
        return columnPlaces().first { ($0.column..<$0.column + $0.width).contains(position.column) }?.index
    }

    /// The cell of the selected row; nil where there are no rows.
    public var selectedCell: TableViewCell? {
        guard let selectedRow else { return nil }
        return dataSource?.tableView(self, cellForRowAt: indexPath(forRow: selectedRow))
    }

    /// Where the cursor belongs: at the beginning of the selected row.
    public var cursor: Position {
        let line = selectedRow.flatMap { lines(from: topRow).firstIndex(of: .row($0)) } ?? 0
        return Position(row: frame.row + 1 + line, column: frame.column)
    }

    /// What a column of a row that stands on `surface` stands on.
    private func surface(ofColumn place: ColumnPlace, on surface: Style.Surface) -> Style.Surface {
        surface == .selection && place.number >= leadingColumns ? .selectionRest : surface
    }

    private func drawGround(
        _ surface: Style.Surface, places: [ColumnPlace], row: Int, on canvas: inout Canvas
    ) {
        guard surface != .window else { return }
        let rest = places.first { self.surface(ofColumn: $0, on: surface) != surface }?.column ?? frame.endColumn
        canvas.clear(
            Rect(row: row, column: frame.column, height: 1, width: rest - frame.column), style: Style(on: surface))
        canvas.clear(
            Rect(row: row, column: rest, height: 1, width: frame.endColumn - rest), style: Style(on: .selectionRest))
    }

    /// Draws what is before the first column: the three signs differ without colour.
    private func drawSign(
        isSelected: Bool, isMarked: Bool, row: Int, _ style: Style, on canvas: inout Canvas
    ) {
        guard isSelected || isMarked else { return }
        let sign = isSelected ? (isMarked ? "◆" : "▌") : "▪"
        canvas.write(sign, row: row, column: frame.column, width: frame.width, style: style)
    }

    private func draw(
        _ cell: TableViewCell, row: Int, places: [ColumnPlace], surface: Style.Surface, on canvas: inout Canvas
    ) {
        for place in places where place.index < cell.fields.count {
            var field = cell.fields[place.index]
            field.style = field.style.on(self.surface(ofColumn: place, on: surface))
            write(field, at: place, row: row, on: &canvas)
        }
    }

    /// Draws the title of a section, and at the right how many rows it has, where that leaves the title half the width.
    private func drawHeader(_ title: String, count: Int, row: Int, on canvas: inout Canvas) {
        let count = count.grouped
        var room = frame.width - rightMargin - 1
        if 2 * (room - count.utf8.count - 1) >= frame.width {
            room -= count.utf8.count + 1
            canvas.write(
                count, row: row, column: frame.endColumn - rightMargin - count.utf8.count, style: .secondary)
        }
        canvas.write(title, row: row, column: frame.column + 1, width: room, style: .strong)
    }

    private struct ColumnPlace {
        /// How many columns are shown left of it.
        var number: Int
        var index: Int
        var column: Int
        var width: Int
    }

    private func write(_ field: TableViewCell.Field, at place: ColumnPlace, row: Int, on canvas: inout Canvas) {
        var column = place.column
        if columns[place.index].isRightAligned {
            column += max(0, place.width - field.text.displayColumns)
        }
        canvas.write(
            field.text, row: row, column: column, width: place.column + place.width - column, style: field.style,
            highlights: field.highlights)
    }

    /// The columns that there is room for, by their priority; the others need not be filled.
    public var shownColumns: [Int] {
        var shown = Array(columns.indices)
        var needed = shown.reduce(0) { $0 + columns[$1].minimumWidth + 1 }
        while needed > frame.width - rightMargin {
            guard let least = shown.compactMap({ columns[$0].priority }).min(),
                let last = shown.lastIndex(where: { columns[$0].priority == least })
            else { break }
            needed -= columns[shown[last]].minimumWidth + 1
            shown.remove(at: last)
        }
        return shown
    }

    /// How wide a column is on the screen; nil where there is no room for it.
    public func shownWidth(ofColumn index: Int) -> Int? {
        columnPlaces().first { $0.index == index }?.width
    }

    /// The columns that are shown, after one column for the sign of selection and with one blank between them.
    private func columnPlaces() -> [ColumnPlace] {
        let shown = shownColumns
        var room = frame.width - rightMargin - 1 - max(0, shown.count - 1)
        var weights = 0
        // What columns that share have at least, from the one at hand on.
        var least = 0
        for index in shown {
            switch columns[index].width {
            case .fixed(let width): room -= width
            case .share(let weight):
                weights += weight
                least += columns[index].minimumWidth
            }
        }
        var places: [ColumnPlace] = []
        var column = frame.column + 1
        for index in shown {
            let width: Int
            switch columns[index].width {
            case .fixed(let fixed): width = fixed
            case .share(let weight):
                least -= columns[index].minimumWidth
                // What division leaves over goes to the last, so that the row is filled.
                let share = weight == weights ? room : room * weight / weights
                width = max(0, min(max(share, columns[index].minimumWidth), max(share, room - least)))
                room -= width
                weights -= weight
            }
            places.append(
                ColumnPlace(
                    number: places.count, index: index, column: column, width: min(width, frame.endColumn - column)))
            column += width + 1
        }
        return places
    }
}

/// What stands where on the screen below the head of the columns.
extension TableView {
    private enum Line: Hashable {
        case header(title: String, count: Int)
        case row(Int)
    }

    /// How many lines the screen has below the head of the columns.
    private var height: Int { max(0, frame.height - 1) }

    /// The lines of the screen while `top` is the row at its top: rows, and before those of a section with a title its
    /// header, so that the header of the section at the top is always there.
    private func lines(from top: Int) -> [Line] {
        var lines: [Line] = []
        var next = top
        while next < rowCount, lines.count < height {
            let section = rows.section(ofRow: next)
            let sectionRows = rows.rows(ofSection: section)
            if let title = title(ofSection: section) { lines.append(.header(title: title, count: sectionRows.count)) }
            lines += sectionRows[next...].prefix(height - lines.count).map(Line.row)
            next = sectionRows.upperBound
        }
        return lines
    }

    /// How many rows fit on the screen while `top` is the row at its top.
    private func visibleRowCount(from top: Int) -> Int {
        var count = height
        for case .header in lines(from: top) { count -= 1 }
        return count
    }

    private func topOfNextPage(from top: Int) -> Int {
        top.addingWithoutOverflow(max(1, visibleRowCount(from: top)))
    }

    /// The row at the top of the page before, or as far before the first row as a whole page would go.
    private func topOfPreviousPage(from top: Int) -> Int {
        let first = firstTop(showing: top - 1, within: height)
        return first > 0 ? min(first, top - 1) : min(0, top - max(1, visibleRowCount(from: 0)))
    }

    /// The first row with which at the top `last` is within the first `height` lines.
    private func firstTop(showing last: Int, within height: Int) -> Int {
        var room = height
        var end = last + 1
        while end > 0 {
            let section = rows.section(ofRow: end - 1)
            let start = rows.rows(ofSection: section).lowerBound
            if title(ofSection: section) != nil { room -= 1 }
            // A header alone has no use at the top.
            if room <= 0 { return end }
            if end - start >= room { return end - room }
            room -= end - start
            end = start
        }
        return 0
    }

    /// The title of a section; nil where it has none, and where there is no room for a row below it.
    private func title(ofSection section: Int) -> String? {
        height < 2 ? nil : dataSource?.tableView(self, titleForHeaderInSection: section)
    }
}

extension Int {
    /// The number, which is not negative, with its thousands set apart by commas: 1,000,000.
    fileprivate var grouped: String {
        var digits = String(self)
        var end = digits.utf8.count - 3
        while end > 0 {
            digits.insert(",", at: digits.index(digits.startIndex, offsetBy: end))
            end -= 3
        }
        return digits
    }
}
