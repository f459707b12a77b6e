/// The columns of a table on the screen, line by line.
struct ColumnLayout {
    /// The columns from left to right.
    let columns: [TableColumn]
    /// The rectangle of the table.
    let frame: Rect
    /// The number of screen columns left blank at the right edge.
    let rightMargin: Int

    /// A column that fits, with its first screen column and its width.
    struct Place {
        /// The index of the column.
        var index: Int
        /// The first screen column.
        var column: Int
        /// The number of screen columns.
        var width: Int
    }

    /// The places of the columns of all lines.
    var places: [[Place]] { (0..<columns.lineCount).map(places(ofLine:)) }

    /// The indices of the columns that fit.
    var shownColumns: [Int] { (0..<columns.lineCount).flatMap(shownColumns(ofLine:)) }

    /// Returns the place of a column, or nil if it does not fit.
    func place(ofColumn index: Int) -> Place? {
        guard columns.indices.contains(index) else { return nil }
        return places(ofLine: columns[index].line).first { $0.index == index }
    }

    private func shownColumns(ofLine line: Int) -> [Int] {
        var shown = columns.indices.filter { columns[$0].line == line }
        var needed = shown.reduce(indent(ofLine: line)) { $0 + columns[$1].minimumWidth + 1 }
        while needed > frame.width - rightMargin {
            guard let least = shown.compactMap({ columns[$0].priority }).min(),
                let last = shown.lastIndex(where: { columns[$0].priority == least })
            else { break }
            needed -= columns[shown[last]].minimumWidth + 1
            shown.remove(at: last)
        }
        return shown
    }

    /// The blanks before the first column of a line.
    private func indent(ofLine line: Int) -> Int { columns.first { $0.line == line }?.indent ?? 0 }

    /// Returns the columns of a line that fit, after one column for the selection symbol and separated by one blank.
    func places(ofLine line: Int) -> [Place] {
        let shown = shownColumns(ofLine: line)
        let indent = indent(ofLine: line)
        var room = frame.width - rightMargin - 1 - indent - max(0, shown.count - 1)
        var weights = 0
        // The sum of the minimum widths of the remaining columns that share the width.
        var least = 0
        for index in shown {
            switch columns[index].width {
            case .fixed(let width): room -= width
            case .share(let weight):
                weights += weight
                least += columns[index].minimumWidth
            }
        }
        var places: [Place] = []
        var column = frame.column + 1 + indent
        for index in shown {
            let width: Int
            switch columns[index].width {
            case .fixed(let fixed): width = fixed
            case .share(let weight):
                least -= columns[index].minimumWidth
                // The last column receives the remainder of the division, so that the row is filled.
                let share = weight == weights ? room : room * weight / weights
                width = max(0, min(max(share, columns[index].minimumWidth), max(share, room - least)))
                room -= width
                weights -= weight
            }
            places.append(Place(index: index, column: column, width: min(width, frame.endColumn - column)))
            column += width + 1
        }
        return places
    }
}

extension [TableColumn] {
    /// The number of lines that a row needs.
    var lineCount: Int { reduce(1) { Swift.max($0, $1.line + 1) } }
}
