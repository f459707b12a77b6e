internal import Glibc
internal import Graphemes
internal import Storage
internal import TerminalUI

/// A drawing as lines of text, with colour and emphasis where they are wanted.
enum ANSIText {
    /// Whether standard output is a terminal that knows colours, and the reader wants them (https://no-color.org).
    static var isWanted: Bool {
        guard isatty(STDOUT_FILENO) == 1, environmentValue("NO_COLOR") == nil, let type = environmentValue("TERM")
        else {
            return false
        }
        return type != "dumb"
    }

    /// The rows of `canvas`, a line each, without the blanks at their ends.
    static func text(of canvas: Canvas, isColoured: Bool) -> String {
        var text = ""
        for row in 0..<canvas.size.rows {
            if isColoured { text += painted(canvas.row(row)) } else { text += canvas.text(ofRow: row) }
            text += "\n"
        }
        return text
    }

    private static func painted(_ cells: ArraySlice<Cell>) -> String {
        var text = ""
        var current = ""
        let end = cells.lastIndex { !$0.glyph.isSpace || $0.isContinuation }.map { $0 + 1 } ?? cells.startIndex
        for cell in cells[..<end] where !cell.isContinuation {
            // Of a blank nobody sees the colour.
            let attributes = cell.glyph.isSpace ? current : attributes(of: cell.style.role)
            if attributes != current {
                text += "\u{1B}[\(attributes.isEmpty ? "0" : current.isEmpty ? attributes : "0;" + attributes)m"
                current = attributes
            }
            text += cell.glyph.text
        }
        return current.isEmpty ? text : text + "\u{1B}[0m"
    }

    /// What the sequence SGR of ECMA-48 has for a role: colours are the terminal's own, so that its reader can read them.
    private static func attributes(of role: Style.Role) -> String {
        switch role {
        case .plain, .secondary: ""
        case .strong, .sign, .warning: "1"
        case .line: "2"
        case .chart: "36"
        }
    }
}
