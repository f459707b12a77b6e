internal import CNcurses
internal import Glibc
internal import Graphemes
internal import TerminalUI

/// Converts canvas cells to ncurses cells and adds them to the ncurses screen.
struct CellRenderer {
    private let theme: Theme
    /// The colours that are used.
    let colourDepth: Colour.Depth
    /// The allocated colour pairs; ncurses numbers them from 1.
    private var pairs: [(foreground: Colour?, background: Colour?)] = []
    /// A blank ncurses cell of each style used so far, indexed by style number.
    private var blanks = [cchar_t?](repeating: nil, count: Style.numberLimit)
    private var buffer: [cchar_t] = []
    /// The ncurses cell under each kind of a cell of a picture.
    private var pictureBlanks: [UInt8: cchar_t] = [:]

    /// Initializes the terminal's colours only if it has any and the user wants them, because ncurses then allocates a
    /// table of all pairs and sends a sequence to the terminal.
    ///
    /// - Parameter former: The renderer whose colours are replaced, if any.
    init(theme: Theme, usesColour: Bool, replacing former: CellRenderer? = nil) {
        self.theme = theme
        let depth = usesColour ? Self.depth : .none
        // Cells without a theme colour, above all those of the blank screen at the start, keep the terminal's default
        // colours.
        let isPrepared = depth != .none && start_color() == OK && use_default_colors() == OK
        colourDepth = isPrepared ? depth : .none
        // Erased areas also get the theme's background.
        if isPrepared || former.map({ $0.colourDepth != .none }) == true {
            var blank = blankCell(ofStyle: Style.plain.number)
            wbkgrndset(cn_stdscr(), &blank)
        }
    }

    /// The colour depth according to terminfo.
    static var depth: Colour.Depth {
        switch cn_number("colors") {
        // Without the RGB flag the meaning of the numbers is unknown; with it they are red, green and blue components.
        case 0x100_0000... where cn_flag("RGB"): .direct
        case 256...: .indexed
        // The colour cube of 88-colour terminals has other shades, but the first 16 colours are the same.
        case 16...: .sixteen
        case 8...: .eight
        default: .none
        }
    }

    /// Whether the terminal has colours, and they are wanted.
    var hasColours: Bool { colourDepth != .none }

    /// Adds cells of a row to the screen from `column` on in one call, so that neither the last column nor a wide
    /// grapheme can wrap.
    mutating func draw(_ cells: ArraySlice<Cell>, row: Int, column: Int) {
        // In ncurses, a flag is two cells of one column each; any other wide grapheme is one cell of two columns.
        if self.buffer.count < cells.count { self.buffer = Array(repeating: cchar_t(), count: cells.count) }
        // Move the buffer into a local variable: checking uniqueness and capacity for each cell would cost as much as
        // all the rest.
        var buffer: [cchar_t] = []
        swap(&buffer, &self.buffer)
        var count = 0
        var style = Style.plain.number
        var blank = blankCell(ofStyle: style)
        buffer.withUnsafeMutableBufferPointer { buffer in
            cells.withUnsafeBufferPointer { cells in
                for index in cells.indices {
                    // Read the members in place, which is cheaper than copying the cell.
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
                            // In ncurses, these are two regional indicators of one column each; the terminal joins
                            // them.
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

    /// Puts blanks under the cells of pictures, in the columns from `column` on.
    ///
    /// - Parameter kinds: The kinds of the cells (`PictureOutput.Kind`).
    mutating func drawPictures(_ kinds: ArraySlice<UInt8>, row: Int, column: Int) {
        for (offset, kind) in kinds.enumerated() where kind != PictureOutput.Kind.none {
            var blank = pictureBlank(ofKind: kind)
            mvwadd_wchnstr(cn_stdscr(), Int32(row), Int32(column + offset), &blank, 1)
        }
    }

    /// Returns the blank under a kind of pictures. It differs from any text and from other kinds in its foreground, which a
    /// blank does not show, so that ncurses never takes one for the other: it regards pairs of equal colours as equal. And
    /// ncurses erases no range with no-break spaces, nor moves the cursor by writing them.
    private mutating func pictureBlank(ofKind kind: UInt8) -> cchar_t {
        if let blank = pictureBlanks[kind] { return blank }
        var look = theme.look(of: .picture, at: colourDepth)
        let used = Set(
            (0..<Style.numberLimit).map { theme.look(of: Style(number: $0), at: colourDepth).foreground?.index })
        let unused = (16...UInt8.max).filter { !used.contains($0) }
        look.foreground = Colour(unused[Int(kind)], ofSixteen: 0, ofEight: 0)
        let blank = cn_cell_with_base(cn_blank_cell(Self.attributes(of: look), pair(for: look)), 0xA0)
        pictureBlanks[kind] = blank
        return blank
    }

    private mutating func blankCell(ofStyle number: Int) -> cchar_t {
        if let blank = blanks[number] { return blank }
        let look = theme.look(of: Style(number: number), at: colourDepth)
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

    /// Returns the number of the look's colour pair; 0 is the terminal's default pair.
    private mutating func pair(for look: Theme.Look) -> Int32 {
        if look.foreground == nil && look.background == nil { return 0 }
        func number(_ colour: Colour?) -> Int32 { colour?.number(at: colourDepth).map(Int32.init) ?? -1 }
        let (foreground, background) = (look.foreground, look.background)
        let colours = (foreground, background)
        if let index = pairs.firstIndex(where: { $0 == colours }) { return Int32(index + 1) }
        let pair = Int32(pairs.count + 1)
        // init_pair() does not accept colour numbers above 32767, but direct colours have 24 bits.
        guard init_extended_pair(pair, number(foreground), number(background)) == OK else { return 0 }
        pairs.append(colours)
        return pair
    }
}
