internal import Graphemes

/// A scrolling table that asks its data source for the visible rows.
///
/// It shows rows, keeps the current row and scrolls, and nothing else. Rows are numbered through all sections from
/// zero. A section with a title has a header above its first row; the header of the topmost section stays visible while
/// its rows scroll.
public final class TableView {
    /// The source of the rows.
    public weak var dataSource: (any TableViewDataSource)?
    /// The delegate that is notified of the current row.
    public weak var delegate: (any TableViewDelegate)?
    /// The columns from left to right, line by line. A row has as many lines as its columns say.
    public var columns: [TableColumn] {
        didSet { if columns.lineCount != oldValue.lineCount { clamp() } }
    }
    /// Whether the first row of the frame shows the column headings.
    public var showsHeadings = true {
        didSet { if showsHeadings != oldValue { clamp() } }
    }
    /// The number of screen columns left blank at the right edge.
    public var rightMargin = 0
    /// The background of the table.
    public var surface = Style.Surface.window
    /// Whether headers of sections show the number of their rows.
    public var hasHeaderCounts = true
    /// The figures above the texts of rows, and the width of a row as a tile beside others; nil for rows below each other
    /// without figures.
    public var tiles: Tiles? {
        didSet { if tiles != oldValue { clamp() } }
    }
    /// The text shown if the table has no rows.
    public var placeholder = ""
    /// The rectangle that the table occupies on the screen, including the column headings.
    public var frame: Rect = .empty {
        didSet { if frame != oldValue { clamp() } }
    }

    /// The current row; nil only if the table is empty.
    public private(set) var currentRow: Int?
    /// The row at the top of the screen, below the header of its section if it has one.
    public private(set) var topRow = 0
    var rows = SectionOffsets()

    /// Creates an empty table.
    public init(columns: [TableColumn]) {
        self.columns = columns
    }

    /// The total number of rows in all sections.
    public var rowCount: Int { rows.count }

    /// The number of rows that fit on the screen beside the headers that are visible now.
    public var visibleRowCount: Int { visibleRowCount(from: topRow) }

    /// Asks the data source for the number of rows again, and keeps the current row if it still exists. Linear in the
    /// sections.
    public func reloadData() {
        rows = SectionOffsets()
        if let dataSource {
            let sections = max(0, dataSource.numberOfSections(in: self))
            rows.reserveCapacity(sections)
            for section in 0..<sections {
                rows.appendSection(of: dataSource.tableView(self, numberOfRowsInSection: section))
            }
        }
        select(currentRow ?? 0)
    }

    /// Returns the section of a row and the index within it. O(log sections).
    public func indexPath(forRow row: Int) -> IndexPath {
        let section = rows.section(ofRow: row)
        return IndexPath(row: row - rows.rows(ofSection: section).lowerBound, section: section)
    }

    /// Makes `row`, or the nearest existing row, the current one and scrolls as little as necessary to show it.
    public func select(_ row: Int) {
        currentRow = rowCount == 0 ? nil : min(max(row, 0), rowCount - 1)
        clamp()
        delegate?.tableView(self, didSelectRowAt: currentRow.map(indexPath(forRow:)))
    }

    /// Makes `row` the current one with row `top` at the top of the screen, both clamped to the existing rows.
    public func select(_ row: Int, top: Int) {
        topRow = min(max(top, 0), max(0, rowCount - 1))
        select(row)
    }

    /// Moves to another row, `rows` down if positive.
    public func moveSelection(by rows: Int) {
        select((currentRow ?? 0).addingWithoutOverflow(rows))
    }

    /// Moves to the row that is `lines` lines of the table further down, or up if negative: as many rows, or those of tiles
    /// in the same place of their line. Linear in the sections between.
    public func moveSelection(byLines lines: Int) {
        guard tilesPerLine > 1, let currentRow else { return moveSelection(by: lines) }
        select(row(from: currentRow, byLines: lines))
    }

    /// Moves to the first row of the section that is `count` sections after the current one, or before it if negative,
    /// and shows the whole section if it fits.
    ///
    /// Going back, the start of the current section is the first stop.
    public func selectNextSection(by count: Int) {
        guard let selected = currentRow, let first = rows.sectionStart(count, from: selected) else { return }
        let last = rows.rows(ofSection: rows.section(ofRow: first)).upperBound - 1
        select(first, top: min(max(topRow, firstTop(showing: last, within: height)), first))
    }

    /// Scrolls by `rows`, down if positive, and moves the current row with the text, so that the bar stays at its
    /// screen row as far as headers allow.
    public func scroll(by rows: Int) {
        let rows = wholeLines(of: rows)
        var row = (currentRow ?? 0).addingWithoutOverflow(rows)
        topRow = clampedTop(topRow.addingWithoutOverflow(rows))
        // If more headers are visible now, move the bar, so that no row is skipped unseen.
        if height > 0 { row = min(max(row, topRow), topRow.addingWithoutOverflow(visibleRowCount - 1)) }
        select(row)
    }

    /// Scrolls by `rows`, down if positive, and keeps the current row as long as it stays visible.
    public func scrollScreen(by rows: Int) {
        topRow = clampedTop(topRow.addingWithoutOverflow(wholeLines(of: rows)))
        guard let selected = currentRow, height > 0 else { return }
        select(min(max(selected, topRow), topRow + visibleRowCount - 1))
    }

    /// Scrolls by `count` pages, down if positive; the row beyond one edge of the screen moves to the opposite edge.
    public func scroll(byPages count: Int) {
        var top = topRow
        var left = count.magnitude
        while left > 0, (0..<rowCount).contains(top) {
            top = count > 0 ? topOfNextPage(from: top) : topOfPreviousPage(from: top)
            left -= 1
        }
        // The remaining pages go past the end: move to the last or first row.
        scroll(by: left > 0 ? (count > 0 ? .max : .min) : top - topRow)
    }

    /// An edge of the screen, or its middle.
    public enum ScreenPlace: Hashable, Sendable {
        case top, middle, bottom
    }

    /// Scrolls the current row to a place on the screen, as far as there are rows.
    public func scrollSelection(to place: ScreenPlace) {
        guard let currentRow else { return }
        switch place {
        case .top: topRow = lineStart(ofRow: currentRow)
        case .middle:
            let lines = max(height / 2 + (rowHeight + 1) / 2, rowHeight + 1)
            topRow = firstTop(showing: currentRow, within: min(lines, height))
        case .bottom: topRow = firstTop(showing: currentRow, within: height)
        }
        clamp()
    }

    /// Makes the row at a place on the screen the current one, without scrolling.
    public func select(at place: ScreenPlace) {
        let last = max(0, min(visibleRowCount, rowCount - topRow) - 1)
        switch place {
        case .top: select(topRow)
        case .middle: select(topRow + last / 2)
        case .bottom: select(topRow + last)
        }
    }

    /// The only function that clamps the current row and the scroll position.
    private func clamp() {
        topRow = clampedTop(topRow)
        guard let selected = currentRow, height > 0 else { return }
        topRow = min(max(topRow, firstTop(showing: selected, within: height)), lineStart(ofRow: selected))
    }

    /// Returns the row nearest to `top` that can be at the top of the screen without blank lines below the last row.
    private func clampedTop(_ top: Int) -> Int {
        // Headers can only push the last row down, so they matter only near the end.
        if top <= rowCount - height / rowHeight * tilesPerLine { return lineStart(ofRow: max(top, 0)) }
        return min(lineStart(ofRow: max(top, 0)), firstTop(showing: rowCount - 1, within: height))
    }

    /// Draws the column headings and the visible rows.
    public func draw(on canvas: inout Canvas, isFocused: Bool) {
        guard !frame.isEmpty else { return }
        let places = columnLayout.places
        if showsHeadings {
            for place in places.joined() {
                write(
                    TableViewCell.Field(columns[place.index].title, style: Style(.secondary, on: surface)), at: place,
                    row: frame.row, on: &canvas)
            }
        }
        if rowCount == 0 {
            let lines = LineWrapper(placeholder, width: frame.width - 2).prefix(height)
            for (offset, line) in lines.enumerated() {
                canvas.write(
                    line, row: firstScreenRow + offset, column: frame.column + 1, width: frame.width - 2,
                    style: Style(.secondary, on: surface))
            }
        }
        guard let dataSource else { return }
        var cells: [TableViewCell] = []
        for (offset, line) in lines(from: topRow).enumerated() {
            let screenRow = firstScreenRow + offset
            switch line {
            case .header(let section, let title, let count):
                let summary = dataSource.tableView(self, summaryForHeaderInSection: section)
                drawHeader(title, count: count, summary: summary ?? "", row: screenRow, on: &canvas)
            case .rows(let shown, let number):
                if number == 0 {
                    cells = shown.map { dataSource.tableView(self, cellForRowAt: indexPath(forRow: $0)) }
                    drawFigures(of: cells, row: screenRow, on: &canvas)
                }
                for (row, cell) in zip(shown, cells) {
                    draw(
                        cell, isCurrent: row == currentRow, isFocused: isFocused, line: number,
                        in: tileRect(row - shown.lowerBound, screenRow: screenRow), places, on: &canvas)
                }
            }
        }
    }

    /// Draws a line of a row in the rectangle of that line: its fields, and the bar and sign of the current row.
    private func draw(
        _ cell: TableViewCell, isCurrent: Bool, isFocused: Bool, line: Int, in rect: Rect,
        _ places: [[ColumnLayout.Place]], on canvas: inout Canvas
    ) {
        // The line below a tile stays blank.
        guard places.indices.contains(line) else { return }
        // The figure keeps its own colours.
        let hasBar = isCurrent && line >= figureHeight
        let ground = Self.barSurface(isFocused: isFocused)
        if hasBar {
            canvas.clear(
                Rect(row: rect.row, column: rect.column + 1, height: 1, width: rect.width - 1), style: Style(on: ground)
            )
        }
        drawSign(isCurrent: isCurrent, isSelected: cell.isSelected && line == 0, at: rect, on: &canvas)
        for var place in places[line] where place.index < cell.fields.count {
            var field = cell.fields[place.index]
            field.style = field.style.on(hasBar ? ground : surface)
            place.column += rect.column - frame.column
            write(field, at: place, row: rect.row, on: &canvas)
        }
    }

    /// Returns the row that is drawn at a screen position, if any.
    public func row(at position: Position) -> Int? {
        guard frame.contains(position), position.row >= firstScreenRow else { return nil }
        let lines = lines(from: topRow)
        let line = position.row - firstScreenRow
        guard line < lines.count, case .rows(let shown, _) = lines[line] else { return nil }
        return shown.enumerated().first { tileRect($0.offset, screenRow: position.row).contains(position) }?.element
    }

    /// Returns the index of the column whose heading is at a screen position, if any.
    public func column(withHeadAt position: Position) -> Int? {
        guard showsHeadings, frame.contains(position), position.row == frame.row else { return nil }
        return columnLayout.places(ofLine: 0).first { ($0.column..<$0.column + $0.width).contains(position.column) }?
            .index
    }

    /// The cell of the current row; nil if the table is empty.
    public var selectedCell: TableViewCell? {
        guard let currentRow else { return nil }
        return dataSource?.tableView(self, cellForRowAt: indexPath(forRow: currentRow))
    }

    /// The position for the terminal's cursor: the beginning of the current row.
    public var cursor: Position {
        for (offset, line) in lines(from: topRow).enumerated() {
            guard let currentRow, case .rows(let shown, line: 0) = line, shown.contains(currentRow) else { continue }
            let rect = tileRect(currentRow - shown.lowerBound, screenRow: firstScreenRow + offset)
            return Position(row: rect.row, column: rect.column)
        }
        return Position(row: firstScreenRow, column: frame.column)
    }

    private static func barSurface(isFocused: Bool) -> Style.Surface { isFocused ? .selection : .inactiveSelection }

    /// Draws the symbol before the first column: current, selected and both have different shapes, not only colours.
    ///
    /// It stands beside the bar, not on it: on the bar, ▌ would have the colour of the window in some themes, and look
    /// like the end of the bar.
    private func drawSign(isCurrent: Bool, isSelected: Bool, at rect: Rect, on canvas: inout Canvas) {
        guard isCurrent || isSelected else { return }
        let sign = isCurrent ? (isSelected ? "◆" : "▌") : "▪"
        canvas.write(sign, row: rect.row, column: rect.column, width: rect.width, style: Style(.sign, on: surface))
    }

    /// Draws a section's title, and its number of rows and what is said of them at the right, each if this leaves the
    /// title half the width.
    private func drawHeader(_ title: String, count: Int, summary: String, row: Int, on canvas: inout Canvas) {
        var room = frame.width - rightMargin - 1
        let texts = (hasHeaderCounts ? [count.grouped] : []) + [summary]
        var end = frame.endColumn - rightMargin
        for text in texts where !text.isEmpty && 2 * (room - text.displayColumns - 1) >= frame.width {
            end -= text.displayColumns
            canvas.write(text, row: row, column: end, style: .secondary)
            room = end - frame.column - 2
            // A wider gap sets the two apart.
            end -= 2
        }
        canvas.write(title, row: row, column: frame.column + 1, width: room, style: .strong)
    }

    private func write(_ field: TableViewCell.Field, at place: ColumnLayout.Place, row: Int, on canvas: inout Canvas) {
        var column = place.column
        if columns[place.index].isRightAligned {
            column += max(0, place.width - field.text.displayColumns)
        }
        canvas.write(
            field.text, row: row, column: column, width: place.column + place.width - column, style: field.style,
            highlights: field.highlights)
    }

    /// The indices of the columns that fit, by priority; the fields of the others can be left empty.
    public var shownColumns: [Int] { columnLayout.shownColumns }

    /// Returns the width of a column on the screen, or nil if it does not fit.
    public func shownWidth(ofColumn index: Int) -> Int? { columnLayout.place(ofColumn: index)?.width }

    private var columnLayout: ColumnLayout {
        var frame = frame
        if let tiles { frame.width = min(frame.width, tiles.width - 1) }
        return ColumnLayout(columns: columns, frame: frame, rightMargin: rightMargin)
    }
}

extension Int {
    /// This non-negative number with thousands separators, such as 1,000,000.
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
