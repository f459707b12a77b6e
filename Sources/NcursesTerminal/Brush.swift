internal import CNcurses
internal import Glibc
internal import TerminalUI

/// Puts cells on the screen of ncurses.
struct Brush {
    private let hasColour: Bool
    private let theme = Theme.terminal
    /// The pairs of colours in use; ncurses numbers them from 1.
    private var pairs: [(foreground: Colour, background: Colour)] = []
    private var buffer: [cchar_t] = []

    /// Prepares the terminal's colours where it has them and they are wanted.
    init(usesColour: Bool) {
        hasColour = usesColour && has_colors() && start_color() == OK && use_default_colors() == OK
    }

    /// Puts the cells of a row on the screen, all at once: neither the last column nor a wide glyph can wrap then.
    mutating func draw(_ cells: ArraySlice<Cell>, row: Int) {
        buffer.removeAll(keepingCapacity: true)
        var style = Style.plain
        var blank = blankCell(of: style)
        for cell in cells where !cell.isContinuation {
            if cell.style != style {
                style = cell.style
                blank = blankCell(of: style)
            }
            append(cell.glyph, to: blank)
        }
        mvwadd_wchnstr(cn_stdscr(), Int32(row), 0, buffer, Int32(buffer.count))
    }

    private mutating func append(_ glyph: Glyph, to blank: cchar_t) {
        let base = wchar_t(bitPattern: glyph.base.value)
        let marks = glyph.marks
        if glyph.isFlag {
            // Two indicators of one column each to ncurses; the terminal joins them.
            buffer.append(cn_cell_with_text(blank, base, 0, 0, 0, 0))
            buffer.append(cn_cell_with_text(blank, wchar_t(bitPattern: marks.0), 0, 0, 0, 0))
        } else {
            buffer.append(
                cn_cell_with_text(
                    blank, base, wchar_t(bitPattern: marks.0), wchar_t(bitPattern: marks.1),
                    wchar_t(bitPattern: marks.2), wchar_t(bitPattern: marks.3)))
        }
    }

    private mutating func blankCell(of style: Style) -> cchar_t {
        let look = theme.look(of: style)
        return cn_blank_cell(Self.attributes(of: look), pair(for: look))
    }

    private static func attributes(of look: Theme.Look) -> attr_t {
        var attributes = attr_t()
        if look.attributes.contains(.bold) { attributes |= cn_bold() }
        if look.attributes.contains(.dim) { attributes |= cn_dim() }
        if look.attributes.contains(.reverse) { attributes |= cn_reverse() }
        if look.attributes.contains(.underline) { attributes |= cn_underline() }
        return attributes
    }

    private mutating func pair(for look: Theme.Look) -> Int32 {
        guard hasColour, look.foreground != .standard || look.background != .standard else { return 0 }
        let colours = (look.foreground, look.background)
        if let index = pairs.firstIndex(where: { $0 == colours }) { return Int32(index + 1) }
        pairs.append(colours)
        let pair = Int32(pairs.count)
        // The terminal's own colour is -1, and black 0.
        init_pair(Int16(pair), Int16(look.foreground.rawValue) - 1, Int16(look.background.rawValue) - 1)
        return pair
    }
}
