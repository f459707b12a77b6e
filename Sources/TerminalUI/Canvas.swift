internal import CSystem
public import Graphemes

/// One column of one row: a glyph and how it looks.
public struct Cell: Hashable, Sendable {
    /// The glyph; above its last mark the number of the style, and whether this is a continuation: a screen of cells is half
    /// as large as with members of their own, and made anew for each key.
    @usableFromInline var bits: Grapheme

    @usableFromInline static let styleShift: UInt32 = 21
    @usableFromInline static let continuation: UInt32 = 1 << 31

    /// A cell that shows `glyph` in `style`.
    @usableFromInline
    init(glyph: Grapheme, style: Style, isContinuation: Bool = false) {
        bits = glyph
        bits.tail |= UInt32(style.number) << Cell.styleShift | (isContinuation ? Cell.continuation : 0)
    }

    /// What is shown; a wide glyph stands in the first of its two cells.
    @inlinable
    public internal(set) var glyph: Grapheme {
        get {
            var glyph = bits
            glyph.tail &= Grapheme.mask
            return glyph
        }
        set {
            let rest = bits.tail & ~Grapheme.mask
            bits = newValue
            bits.tail |= rest
        }
    }

    /// How it looks.
    public var style: Style { Style(number: styleNumber) }

    /// The number of its style.
    @inlinable
    public var styleNumber: Int { Int(bits.tail >> Cell.styleShift & 0x7F) }

    /// Whether this is the second column of the wide glyph to the left.
    @inlinable
    public var isContinuation: Bool { bits.tail & Cell.continuation != 0 }

    /// An empty cell.
    public static let blank = Cell(glyph: .space, style: .plain)
}

/// A screen being drawn: a plain grid of cells, which a terminal shows and a test compares.
///
/// Whatever is written is clipped to the grid, and a wide glyph is never left half: one that does not fit, or half of
/// which is written over, leaves blanks.
public struct Canvas: Hashable, Sendable {
    /// Its height and width.
    public let size: Size
    private var cells: [Cell]

    /// A blank canvas.
    public init(size: Size) {
        self.size = size
        cells = Array(repeating: .blank, count: size.rows * size.columns)
    }

    /// The whole of it.
    public var bounds: Rect { Rect(row: 0, column: 0, height: size.rows, width: size.columns) }

    /// The cells of a row, from left to right.
    public func row(_ row: Int) -> ArraySlice<Cell> {
        cells[row * size.columns..<(row + 1) * size.columns]
    }

    /// The columns of a row from the first to the last one in which it differs from that of a canvas of the same size,
    /// no half of a wide glyph left out; nil where it does not. Linear in the width.
    public func changedColumns(ofRow row: Int, since other: Canvas) -> Range<Int>? {
        let start = row * size.columns
        let byteCount = size.columns * MemoryLayout<Cell>.stride
        // As bytes, none of which is without a value: to compare cells would cost more than to draw them.
        return cells.withUnsafeBufferPointer { cells in
            other.cells.withUnsafeBufferPointer { others in
                guard let mine = cells.baseAddress, let its = others.baseAddress else { return nil }
                let prefix = cs_same_prefix(mine + start, its + start, byteCount)
                if prefix == byteCount { return nil }
                let suffix = cs_same_suffix(mine + start, its + start, byteCount)
                var first = start + prefix / MemoryLayout<Cell>.stride
                var end = start + size.columns - suffix / MemoryLayout<Cell>.stride
                if cells[first].isContinuation { first -= 1 }
                if end < start + size.columns, cells[end].isContinuation { end += 1 }
                return first - start..<end - start
            }
        }
    }

    /// The cell at `row` and `column`, both within the canvas.
    public subscript(row: Int, column: Int) -> Cell {
        cells[row * size.columns + column]
    }

    /// Makes every cell of `rect` blank, in `style`.
    public mutating func clear(_ rect: Rect, style: Style = .plain) {
        for row in max(0, rect.row)..<max(0, rect.row, min(rect.endRow, size.rows)) {
            for column in max(0, rect.column)..<max(0, rect.column, min(rect.endColumn, size.columns)) {
                put(Grapheme.space, row: row, column: column, style: style)
            }
        }
    }

    /// Writes `text` from `column` on, at most `width` columns of it; text that is longer ends in "…".
    ///
    /// - Parameter highlights: Ranges of the UTF-8 bytes of `text` that stand out, as `GraphemeSanitizer` takes them.
    /// - Returns: How many columns were written. The cost is that of the columns, whatever the length of the text.
    @discardableResult
    public mutating func write(
        _ text: String, row: Int, column: Int, width: Int = .max, style: Style = .plain, highlights: [Range<Int>] = []
    ) -> Int {
        guard (0..<size.rows).contains(row), column >= 0, column < size.columns else { return 0 }
        let room = min(width, size.columns - column)
        guard room > 0 else { return 0 }
        if highlights.isEmpty, let used = writeASCII(text, row: row, column: column, room: room, style: style) {
            return used
        }
        var used = 0
        var cut = 0
        for glyph in GraphemeSanitizer(text, highlights: highlights) {
            let columns = glyph.columns
            if used + columns > room {
                // What stands in the last column gives way to the sign that something is missing.
                return end(row: row, column: column, cut: cut, room: room, style: style)
            }
            put(glyph, row: row, column: column + used, style: style)
            used += columns
            if used < room { cut = used }
        }
        return used
    }

    /// Writes text whose characters are all printable ASCII as far as there is room: nearly all is, and needs no look at
    /// widths and marks.
    ///
    /// - Returns: How many columns were written; nil, and nothing is, where the text is other.
    private mutating func writeASCII(_ text: String, row: Int, column: Int, room: Int, style: Style) -> Int? {
        let written = text.utf8.withContiguousStorageIfAvailable { bytes -> Int? in
            // A mark behind the last one that fits would belong to it.
            let seen = min(bytes.count, room + 1)
            for byte in bytes[..<seen] where byte < 0x20 || byte >= 0x7F { return nil }
            let isCut = bytes.count > room
            let count = isCut ? room - 1 : bytes.count
            guard count > 0 else { return nil }
            let index = row * size.columns + column
            let end = index + count
            cells.withUnsafeMutableBufferPointer { cells in
                if cells[index].isContinuation { cells[index - 1].glyph = .space }
                if end < (row + 1) * size.columns, cells[end].isContinuation {
                    cells[end] = Cell(glyph: .space, style: cells[end].style)
                }
                var cell = Cell(glyph: .space, style: style)
                for place in 0..<count {
                    cell.glyph = Grapheme(ascii: bytes[place])
                    cells[index + place] = cell
                }
            }
            if isCut { put(.ellipsis, row: row, column: column + count, style: style) }
            return isCut ? room : count
        }
        return written ?? nil
    }

    private mutating func end(row: Int, column: Int, cut: Int, room: Int, style: Style) -> Int {
        put(.ellipsis, row: row, column: column + cut, style: style)
        for rest in cut + 1..<max(cut + 1, room) { put(.space, row: row, column: column + rest, style: style) }
        return room
    }

    /// Writes glyphs from `column` on, as many as fit in `width` columns.
    public mutating func write(_ glyphs: [Grapheme], row: Int, column: Int, width: Int, style: Style) {
        guard (0..<size.rows).contains(row), column >= 0 else { return }
        let room = min(width, size.columns - column)
        var used = 0
        for glyph in glyphs {
            if used + glyph.columns > room { break }
            put(glyph, row: row, column: column + used, style: style)
            used += glyph.columns
        }
    }

    /// Writes rows of `other` into `rect`, from the row `first` on, as many as both have.
    public mutating func draw(_ other: Canvas, fromRow first: Int = 0, in rect: Rect) {
        for row in 0..<max(0, min(rect.height, other.size.rows - first)) {
            for (column, cell) in other.row(first + row).enumerated() where !cell.isContinuation {
                let place = (row: rect.row + row, column: rect.column + column)
                guard (0..<size.rows).contains(place.row), place.column >= 0,
                    column + cell.glyph.columns <= rect.width,
                    place.column + cell.glyph.columns <= size.columns
                else { continue }
                put(cell.glyph, row: place.row, column: place.column, style: cell.style)
            }
        }
    }

    private mutating func put(_ glyph: Grapheme, row: Int, column: Int, style: Style) {
        let start = row * size.columns
        let index = start + column
        let end = index + glyph.columns
        if cells[index].isContinuation { cells[index - 1].glyph = .space }
        if end < start + size.columns, cells[end].isContinuation {
            cells[end] = Cell(glyph: .space, style: cells[end].style)
        }
        var (glyph, style) = (glyph, style)
        if glyph.isHighlighted {
            glyph.isHighlighted = false
            style = style.highlighted
        }
        cells[index] = Cell(glyph: glyph, style: style)
        if glyph.columns == 2 {
            cells[index + 1] = Cell(glyph: .space, style: style, isContinuation: true)
        }
    }

    /// The text of a row, without the blanks at its end.
    public func text(ofRow row: Int) -> String {
        var text = ""
        for cell in self.row(row) where !cell.isContinuation { text += cell.glyph.text }
        while text.hasSuffix(" ") { text.removeLast() }
        return text
    }

    /// The text of all rows, a line each.
    public var text: String {
        (0..<size.rows).map(text(ofRow:)).joined(separator: "\n")
    }
}
