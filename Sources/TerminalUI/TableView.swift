/// A scrolling list of rows that it does not own: it asks its data source for those on the screen.
///
/// It shows, selects and scrolls, and nothing else. Rows are numbered through all sections, from zero.
public final class TableView {
    /// Who knows the rows.
    public weak var dataSource: (any TableViewDataSource)?
    /// Who is told of the selection.
    public weak var delegate: (any TableViewDelegate)?
    /// The columns, from left to right.
    public var columns: [TableColumn]
    /// The text shown in place of rows where there are none.
    public var placeholder = ""
    /// Where it stands on the screen; the first row of it is the columns' head.
    public var frame: Rect = .empty {
        didSet { if frame != oldValue { clamp() } }
    }

    /// The selected row; nil only where there are no rows.
    public private(set) var selectedRow: Int?
    /// The row at the top of the screen.
    public private(set) var topRow = 0
    /// For each section the number of its first row, and at the end the number of all rows.
    private var sectionStarts = [0]

    /// An empty table of these columns.
    public init(columns: [TableColumn]) {
        self.columns = columns
    }

    /// How many rows there are in all sections.
    public var rowCount: Int { sectionStarts.last ?? 0 }

    /// How many rows fit on the screen.
    public var visibleRowCount: Int { max(0, frame.height - 1) }

    /// Asks the data source anew how many rows there are, and keeps the selection where it can. Linear in the sections.
    public func reloadData() {
        sectionStarts = [0]
        if let dataSource {
            for section in 0..<dataSource.numberOfSections(in: self) {
                let rows = max(0, dataSource.tableView(self, numberOfRowsInSection: section))
                sectionStarts.append(rowCount.addingWithoutOverflow(rows))
            }
        }
        select(selectedRow ?? 0)
    }

    /// The section and row within it of a row; logarithmic in the sections.
    public func indexPath(forRow row: Int) -> IndexPath {
        var low = 0
        var high = max(1, sectionStarts.count - 1)
        while high - low > 1 {
            let middle = (low + high) / 2
            if sectionStarts[middle] <= row { low = middle } else { high = middle }
        }
        return IndexPath(row: row - sectionStarts[low], section: low)
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

    /// Moves the selection and the screen by so many rows, down where positive, so that the selection stays where it
    /// is on the screen.
    public func scroll(by rows: Int) {
        topRow = topRow.addingWithoutOverflow(rows)
        moveSelection(by: rows)
    }

    /// Scrolls so that the selected row is in the middle.
    public func centreSelection() {
        topRow = (selectedRow ?? 0) - visibleRowCount / 2
        clamp()
    }

    /// The one place where selection and scrolling are brought within the rows and the screen.
    private func clamp() {
        let height = visibleRowCount
        topRow = min(max(topRow, 0), max(0, rowCount - height))
        guard let selected = selectedRow, height > 0 else { return }
        topRow = min(max(topRow, selected - height + 1), selected)
    }

    /// Draws the head of the columns and the rows on the screen.
    public func draw(on canvas: inout Canvas, isFocused: Bool) {
        guard !frame.isEmpty else { return }
        let places = columnPlaces()
        for place in places {
            write(
                TableViewCell.Field(columns[place.index].title, style: .dim), at: place, row: frame.row, on: &canvas)
        }
        if rowCount == 0 {
            canvas.write(
                placeholder, row: frame.row + 1, column: frame.column + 1, width: frame.width - 1, style: .dim)
        }
        guard let dataSource else { return }
        for row in topRow..<min(rowCount, topRow + visibleRowCount) {
            let cell = dataSource.tableView(self, cellForRowAt: indexPath(forRow: row))
            draw(cell, row: row, places: places, isFocused: isFocused, on: &canvas)
        }
    }

    /// Where the cursor belongs: at the beginning of the selected row.
    public var cursor: Position {
        Position(row: frame.row + 1 + (selectedRow ?? topRow) - topRow, column: frame.column)
    }

    private func draw(
        _ cell: TableViewCell, row: Int, places: [ColumnPlace], isFocused: Bool, on canvas: inout Canvas
    ) {
        let screenRow = frame.row + 1 + row - topRow
        let isSelected = row == selectedRow
        let emphasis: Style.Attributes = isSelected ? (isFocused ? .reverse : .bold) : []
        if isSelected {
            canvas.clear(
                Rect(row: screenRow, column: frame.column, height: 1, width: frame.width), style: Style(emphasis))
            canvas.write("▌", row: screenRow, column: frame.column, width: frame.width, style: Style(emphasis))
        }
        for place in places where place.index < cell.fields.count {
            var field = cell.fields[place.index]
            field.style = field.style.adding(emphasis)
            write(field, at: place, row: screenRow, on: &canvas)
        }
    }

    private struct ColumnPlace {
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

    /// The columns that are shown, after one column for the sign of selection and with one blank between them.
    private func columnPlaces() -> [ColumnPlace] {
        let shown = columns.indices.filter { frame.width >= columns[$0].minimumTableWidth }
        var room = frame.width - 1 - max(0, shown.count - 1)
        var weights = 0
        for index in shown {
            switch columns[index].width {
            case .fixed(let width): room -= width
            case .share(let weight): weights += weight
            }
        }
        var places: [ColumnPlace] = []
        var column = frame.column + 1
        for index in shown {
            let width: Int
            switch columns[index].width {
            case .fixed(let fixed): width = fixed
            case .share(let weight):
                // What division leaves over goes to the last, so that the row is filled.
                width = max(0, weight == weights ? room : room * weight / weights)
                room -= width
                weights -= weight
            }
            places.append(ColumnPlace(index: index, column: column, width: min(width, frame.endColumn - column)))
            column += width + 1
        }
        return places
    }
}

extension Int {
    /// The sum, or the nearest number there is.
    fileprivate func addingWithoutOverflow(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other > 0 ? .max : .min) : sum
    }
}
