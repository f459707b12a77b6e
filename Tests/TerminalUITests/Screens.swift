import Graphemes
import TerminalUI

extension Canvas {
    /// A canvas of one row.
    init(columns: Int) {
        self.init(size: Size(rows: 1, columns: columns))
    }

    /// The rows, each filled up to the canvas's width by its blanks.
    var rows: [String] {
        (0..<size.rows).map { row in
            self.row(row).filter { !$0.isContinuation }.map(\.glyph.text).joined()
        }
    }

    /// The columns of a row that are highlighted, as "^" below them; the rest blank, without the blanks at the end.
    func highlights(ofRow row: Int) -> String {
        var line = ""
        for cell in self.row(row) {
            line += cell.style.isHighlighted ? "^" : " "
        }
        while line.last == " " { line.removeLast() }
        return line
    }

    /// Whether each wide glyph has its second column, and each second column its wide glyph.
    var isWhole: Bool {
        (0..<size.rows).allSatisfy { row in
            let cells = Array(self.row(row))
            return cells.indices.allSatisfy { column in
                let isWide = cells[column].glyph.columns == 2
                let isFollowed = column + 1 < cells.count && cells[column + 1].isContinuation
                return isWide == isFollowed && !(column == 0 && cells[column].isContinuation)
            }
        }
    }
}
