internal import CNcurses
internal import Glibc
internal import Graphemes
internal import TerminalUI

/// Puts cells on the screen of ncurses.
struct CellRenderer {
    private let theme: Theme
    private let depth: Colour.Depth
    /// The pairs of colours in use; ncurses numbers them from 1.
    private var pairs: [(foreground: Colour, background: Colour)] = []
    /// An empty cell of each style that was used, by the number of the style.
    private var blanks = [cchar_t?](repeating: nil, count: Style.numberLimit)
    private var buffer: [cchar_t] = []

    /// Prepares the terminal's colours, where it has them, they are wanted and the theme names any: it takes a table of
    /// all pairs, and a sequence to the terminal.
    init(theme: Theme, usesColour: Bool) {
        self.theme = theme
        let depth = usesColour && theme.hasColours ? Self.depth : .none
        // Where cells have no colours of ours, above all before the first screen, they are to have the terminal's.
        let isPrepared = depth != .none && start_color() == OK && use_default_colors() == OK
        self.depth = isPrepared ? depth : .none
        // What is erased has the theme's ground, too.
        if isPrepared {
            var blank = blankCell(ofStyle: Style.plain.number)
            wbkgrndset(cn_stdscr(), &blank)
        }
    }

    /// How many colours the terminal says that it has.
    private static var depth: Colour.Depth {
        switch cn_number("colors") {
        // Without the flag nobody knows what the numbers mean; with it, they are shares of red, green and blue.
        case 0x100_0000... where cn_flag("RGB"): .direct
        case 256...: .indexed
        // Among 88 the cube has other shades, and the first sixteen are the same.
        case 16...: .sixteen
        case 8...: .eight
        default: .none
        }
    }

    /// Puts cells of a row on the screen from `column` on, all at once: neither the last column nor a wide glyph can wrap
    /// then.
    mutating func draw(_ cells: ArraySlice<Cell>, row: Int, column: Int) {
        // A flag has two cells to ncurses and two columns, another wide glyph one cell and two columns.
        if self.buffer.count < cells.count { self.buffer = Array(repeating: cchar_t(), count: cells.count) }
        // Taken out while it is written to: to see with each cell whether it is shared, and whether there is room, would
        // cost as much as all the rest.
        var buffer: [cchar_t] = []
        swap(&buffer, &self.buffer)
        var count = 0
        var style = Style.plain.number
        var blank = blankCell(ofStyle: style)
        buffer.withUnsafeMutableBufferPointer { buffer in
            cells.withUnsafeBufferPointer { cells in
                for index in cells.indices {
                    // In place: to copy a cell costs more than to read what is needed of it.
                    if cells[index].isContinuation { continue }
                    if cells[index].styleNumber != style {
                        style = cells[index].styleNumber
                        blank = blankCell(ofStyle: style)
                    }
                    let base = wchar_t(bitPattern: cells[index].glyph.base.value)
                    if cells[index].glyph.markCount == 0 {
                        buffer[count] = cn_cell_with_base(blank, base)
                    } else {
                        let marks = cells[index].glyph.marks
                        if cells[index].glyph.isFlag {
                            // Two indicators of one column each to ncurses; the terminal joins them.
                            buffer[count] = cn_cell_with_base(blank, base)
                            count += 1
                            buffer[count] = cn_cell_with_base(blank, wchar_t(bitPattern: marks.0))
                        } else {
                            buffer[count] = cn_cell_with_text(
                                blank, base, wchar_t(bitPattern: marks.0), wchar_t(bitPattern: marks.1),
                                wchar_t(bitPattern: marks.2), wchar_t(bitPattern: marks.3))
                        }
                    }
                    count += 1
                }
            }
        }
        mvwadd_wchnstr(cn_stdscr(), Int32(row), Int32(column), buffer, Int32(count))
        swap(&buffer, &self.buffer)
    }

    private mutating func blankCell(ofStyle number: Int) -> cchar_t {
        if let blank = blanks[number] { return blank }
        let look = theme.look(of: Style(number: number), at: depth)
        let blank = cn_blank_cell(Self.attributes(of: look), pair(for: look))
        blanks[number] = blank
        return blank
    }

    private static func attributes(of look: Theme.Look) -> attr_t {
        var attributes = attr_t()
        if look.attributes.contains(.bold) { attributes |= cn_bold() }
        if look.attributes.contains(.dim) { attributes |= cn_dim() }
        if look.attributes.contains(.reverse) { attributes |= cn_reverse() }
        if look.attributes.contains(.underline) { attributes |= cn_underline() }
        return attributes
    }

    /// The number of the look's pair of colours; that of the terminal's own is 0.
    private mutating func pair(for look: Theme.Look) -> Int32 {
        guard let foreground = look.foreground, let background = look.background,
            let foregroundNumber = foreground.number(at: depth), let backgroundNumber = background.number(at: depth)
        else { return 0 }
        let colours = (foreground, background)
        if let index = pairs.firstIndex(where: { $0 == colours }) { return Int32(index + 1) }
        let pair = Int32(pairs.count + 1)
        // Not init_pair(), which takes no number above 32767: direct colours have 24 bits.
        guard init_extended_pair(pair, Int32(foregroundNumber), Int32(backgroundNumber)) == OK else { return 0 }
        pairs.append(colours)
        return pair
    }
}
