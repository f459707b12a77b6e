/// The layout of the lines below the column headings.
extension TableView {
    enum Line: Hashable {
        case header(section: Int, title: String, count: Int)
        /// A line of rows that are beside each other, which is one row except for tiles.
        case rows(Range<Int>, line: Int)
    }

    /// The number of lines below the column headings.
    var height: Int { max(0, frame.height - (showsHeadings ? 1 : 0)) }

    /// The screen row of the first line below the column headings.
    var firstScreenRow: Int { frame.row + (showsHeadings ? 1 : 0) }

    /// The number of screen lines that a row takes: those of its columns, and a blank one below a tile, as far as the table
    /// has room for them.
    public var rowHeight: Int { max(1, min(columns.lineCount + (tiles == nil ? 0 : 1), height)) }

    /// Returns the lines of the screen if row `top` is at its top: rows, with a header before those of each section
    /// that has a title. The topmost section always shows its header. The last row may be cut off.
    func lines(from top: Int) -> [Line] {
        var lines: [Line] = []
        let (height, rowHeight, step) = (height, rowHeight, tilesPerLine)
        var next = top
        while next < rowCount, lines.count < height {
            let section = rows.section(ofRow: next)
            let sectionRows = rows.rows(ofSection: section)
            if let title = title(ofSection: section) {
                let count = dataSource?.tableView(self, countForHeaderInSection: section) ?? sectionRows.count
                lines.append(.header(section: section, title: title, count: count))
            }
            while next < sectionRows.upperBound, lines.count < height {
                let shown = next..<min(next + step, sectionRows.upperBound)
                for line in 0..<min(rowHeight, height - lines.count) { lines.append(.rows(shown, line: line)) }
                next = shown.upperBound
            }
            next = max(next, sectionRows.upperBound)
        }
        return lines
    }

    /// Returns the number of whole rows on the screen if row `top` is at its top.
    func visibleRowCount(from top: Int) -> Int {
        var (headers, short) = (0, 0)
        let lines = lines(from: top)
        for line in lines {
            switch line {
            case .header: headers += 1
            // The last line of a section may have fewer tiles than others.
            case .rows(let shown, line: rowHeight - 1): short += tilesPerLine - shown.count
            case .rows: break
            }
        }
        return max(0, (height - headers) / rowHeight * tilesPerLine - short)
    }

    func topOfNextPage(from top: Int) -> Int {
        top.addingWithoutOverflow(max(1, visibleRowCount(from: top)))
    }

    /// Returns the top row of the previous page; negative if a whole page would start before the first row.
    func topOfPreviousPage(from top: Int) -> Int {
        let first = firstTop(showing: top - 1, within: height)
        return first > 0 ? min(first, top - 1) : min(0, top - max(1, visibleRowCount(from: 0)))
    }

    /// Returns the smallest top row that shows row `last` within the first `height` lines.
    func firstTop(showing last: Int, within height: Int) -> Int {
        var room = height
        var end = last + 1
        let step = tilesPerLine
        while end > 0 {
            let section = rows.section(ofRow: end - 1)
            let start = rows.rows(ofSection: section).lowerBound
            if title(ofSection: section) != nil { room -= 1 }
            let fitting = max(0, room) / rowHeight
            // A header without a row below it is useless at the top.
            if fitting == 0 { return end }
            let lineCount = (end - start + step - 1) / step
            if lineCount >= fitting { return start + (lineCount - fitting) * step }
            room -= lineCount * rowHeight
            end = start
        }
        return 0
    }

    /// Returns the title of a section, or nil if it has none or the screen is too low for a row below it.
    private func title(ofSection section: Int) -> String? {
        height < rowHeight + 1 ? nil : dataSource?.tableView(self, titleForHeaderInSection: section)
    }
}

/// Rows as tiles beside each other.
extension TableView {
    /// The tiles of a table.
    public struct Tiles: Hashable, Sendable {
        /// The width of a tile in screen columns, with its sign and a margin.
        public var width: Int
        /// The size of the figure above the texts, in cells.
        public var figure: Size

        /// Creates tiles.
        public init(width: Int, figure: Size) { (self.width, self.figure) = (width, figure) }
    }

    /// The number of rows in a line.
    public var tilesPerLine: Int { tiles.map { max(1, frame.width / max(1, $0.width)) } ?? 1 }

    /// The lines of a row that its figure takes.
    var figureHeight: Int { tiles?.figure.rows ?? 0 }

    /// Returns the rectangle of a line of the tile with this number in its line.
    func tileRect(_ number: Int, screenRow: Int) -> Rect {
        guard let tiles else { return Rect(row: screenRow, column: frame.column, height: 1, width: frame.width) }
        return Rect(
            row: screenRow, column: frame.column + number * tiles.width, height: 1,
            width: min(tiles.width - 1, frame.width))
    }

    /// Returns the first row of the line of `row`: lines begin anew in each section.
    func lineStart(ofRow row: Int) -> Int {
        let step = tilesPerLine
        guard step > 1, rowCount > 0 else { return row }
        let row = min(row, rowCount - 1)
        let start = rows.rows(ofSection: rows.section(ofRow: row)).lowerBound
        return row - (row - start) % step
    }

    /// Whether the current row is the first one of its line.
    public var isFirstInLine: Bool { currentRow.map { lineStart(ofRow: $0) == $0 } ?? true }

    /// Returns a number of rows as that of whole lines, away from zero.
    func wholeLines(of count: Int) -> Int {
        let step = tilesPerLine
        guard step > 1, count % step != 0, count.magnitude < Int.max / 2 else { return count }
        return (count / step + count.signum()) * step
    }

    /// Returns the row that is `count` lines below `row`, or above it if negative, in the same place of its line as far as
    /// that line goes; the first or last row if there are not so many lines.
    func row(from row: Int, byLines count: Int) -> Int {
        let step = tilesPerLine
        var (row, left) = (row, count)
        let place = (row - rows.rows(ofSection: rows.section(ofRow: row)).lowerBound) % step
        while true {
            let section = rows.rows(ofSection: rows.section(ofRow: row))
            let line = (row - section.lowerBound) / step
            let lastLine = (section.count - 1) / step
            let (target, isBeyond) = line.addingReportingOverflow(left)
            if !isBeyond, (0...lastLine).contains(target) {
                return min(section.lowerBound + target * step + place, section.upperBound - 1)
            }
            if left > 0 {
                guard section.upperBound < rowCount else { return rowCount - 1 }
                left -= lastLine - line + 1
                let next = rows.rows(ofSection: rows.section(ofRow: section.upperBound))
                row = min(next.lowerBound + place, next.upperBound - 1)
                if left == 0 { return row }
            } else {
                guard section.lowerBound > 0 else { return 0 }
                left += line + 1
                let former = rows.rows(ofSection: rows.section(ofRow: section.lowerBound - 1))
                let start = former.lowerBound + (former.count - 1) / step * step
                row = min(start + place, former.upperBound - 1)
                if left == 0 { return row }
            }
        }
    }

    /// Draws the figures of the tiles whose first line is `row`.
    func drawFigures(of cells: [TableViewCell], row: Int, on canvas: inout Canvas) {
        guard let tiles else { return }
        for (number, cell) in cells.enumerated() {
            let tile = tileRect(number, screenRow: row)
            let rect = Rect(
                row: row, column: tile.column + 1, height: tiles.figure.rows,
                width: min(tiles.figure.columns, tile.width - 1))
            cell.figure?.draw(in: rect, clippedTo: frame, on: &canvas)
        }
    }
}
