import Graphemes
import TerminalUI

extension Canvas {
    /// Creates a canvas of one row.
    init(columns: Int) {
        self.init(size: Size(rows: 1, columns: columns))
    }

    /// The rows, padded with blanks to the width of the canvas.
    var rows: [String] {
        (0..<size.rows).map { row in
            self.row(row).filter { !$0.isContinuation }.map(\.glyph.text).joined()
        }
    }

    /// The highlighted columns of a row as "^", the others as blanks, without trailing blanks.
    func highlights(ofRow row: Int) -> String {
        var line = ""
        for cell in self.row(row) {
            line += cell.style.isHighlighted ? "^" : " "
        }
        while line.last == " " { line.removeLast() }
        return line
    }

    /// Whether each wide character has its second cell, and each second cell its wide character.
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
