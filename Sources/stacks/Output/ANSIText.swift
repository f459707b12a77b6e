internal import Glibc
internal import Graphemes
internal import Storage
internal import TerminalUI

/// Formats a canvas as lines of text, with colours and attributes if wanted.
enum ANSIText {
    /// Whether standard output is a terminal with colours and the user wants them (https://no-color.org).
    static var isWanted: Bool {
        guard isatty(STDOUT_FILENO) == 1, environmentValue("NO_COLOR") == nil, let type = environmentValue("TERM")
        else {
            return false
        }
        return type != "dumb"
    }

    /// Returns the rows of `canvas` as lines without trailing blanks.
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
            // A space has no visible text colour.
            let attributes = cell.glyph.isSpace ? current : attributes(of: cell.style.role)
            if attributes != current {
                text += "\u{1B}[\(attributes.isEmpty ? "0" : current.isEmpty ? attributes : "0;" + attributes)m"
                current = attributes
            }
            text += cell.glyph.text
        }
        return current.isEmpty ? text : text + "\u{1B}[0m"
    }

    /// Returns the SGR parameters (ECMA-48) of a role; the colours are those of the terminal's palette, which its user
    /// can read.
    private static func attributes(of role: Style.Role) -> String {
        switch role {
        case .plain, .secondary, .read, .reading, .picture: ""
        case .strong, .sign, .warning: "1"
        case .line: "2"
        case .chart: "36"
        }
    }
}
