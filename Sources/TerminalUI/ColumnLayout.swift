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
        for index in shown { if case .fixed(let width) = columns[index].width { room -= width } }
        var weights = shown.reduce(0) { $0 + (columns[$1].weight ?? 0) }
        let least = leastWidths(of: shown, in: room)
        // The sum of the least widths of the remaining columns that share the room.
        var reserved = least.values.reduce(0, +)
        var places: [Place] = []
        var column = frame.column + 1 + indent
        for index in shown {
            let width: Int
            switch columns[index].width {
            case .fixed(let fixed): width = fixed
            case .share(let weight):
                let floor = least[index] ?? 0
                reserved -= floor
                // The last column receives the remainder of the division, so that the row is filled.
                let share = weight == weights ? room : room * weight / weights
                let most = room - reserved
                width = most < floor ? max(0, share, most) : min(max(share, floor), most)
                room -= width
                weights -= weight
            }
            places.append(Place(index: index, column: column, width: min(width, frame.endColumn - column)))
            column += width + 1
        }
        return places
    }

    /// Returns the least widths of the columns among `shown` that share `room`: the minimum widths, which grow to the
    /// comfortable ones as far as there is room.
    private func leastWidths(of shown: [Int], in room: Int) -> [Int: Int] {
        let sharing = shown.filter { columns[$0].weight != nil }
        var least = Dictionary(uniqueKeysWithValues: sharing.map { ($0, columns[$0].minimumWidth) })
        var rest = max(0, room - least.values.reduce(0, +))
        let largestFirst = sharing.sorted { (columns[$1].weight ?? 0, $0) < (columns[$0].weight ?? 0, $1) }
        for index in largestFirst {
            let column = columns[index]
            let more = min(rest, max(0, column.comfortableWidth - column.minimumWidth))
            least[index] = column.minimumWidth + more
            rest -= more
        }
        return least
    }
}

extension [TableColumn] {
    /// The number of lines that a row needs.
    var lineCount: Int { reduce(1) { Swift.max($0, $1.line + 1) } }
}
