internal import CSystem
public import Graphemes

/// One character cell of the screen: a grapheme and its style.
public struct Cell: Hashable, Sendable {
    /// The grapheme, with the style number and the continuation flag packed above its last combining mark.
    ///
    /// The packing halves the memory of a screen, which is allocated again for each key press.
    @usableFromInline var bits: Grapheme

    @usableFromInline static let styleShift: UInt32 = 21
    @usableFromInline static let continuation: UInt32 = 1 << 31

    /// Creates a cell that shows `glyph` in `style`.
    @usableFromInline
    init(glyph: Grapheme, style: Style, isContinuation: Bool = false) {
        bits = glyph
        bits.tail |= UInt32(style.number) << Cell.styleShift | (isContinuation ? Cell.continuation : 0)
    }

    /// The grapheme; a wide one is stored in the first of its two cells.
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

    /// The style of the grapheme.
    public var style: Style { Style(number: styleNumber) }

    /// The style as a number below `Style.numberLimit`.
    @inlinable
    public var styleNumber: Int { Int(bits.tail >> Cell.styleShift & 0xFF) }

    /// Whether this is the second column of the wide grapheme in the cell to the left.
    @inlinable
    public var isContinuation: Bool { bits.tail & Cell.continuation != 0 }

    /// A space in the plain style.
    public static let blank = Cell(glyph: .space, style: .plain)
}

/// A grid of cells that views draw into, terminals show and tests compare.
///
/// Drawing is clipped to the grid. A wide grapheme that does not fit, or that is half overwritten, is replaced by
/// blanks.
public struct Canvas: Hashable, Sendable {
    /// The height and width in cells.
    public let size: Size
    private var cells: [Cell]
    /// The pictures; nil if there are none, so that text costs nothing more.
    private var pictures: PictureLayer?

    /// Creates a canvas of blank cells.
    public init(size: Size) {
        self.size = size
        cells = Array(repeating: .blank, count: size.rows * size.columns)
    }

    /// The rectangle that covers the whole canvas.
    public var bounds: Rect { Rect(row: 0, column: 0, height: size.rows, width: size.columns) }

    /// Returns the cells of a row from left to right.
    public func row(_ row: Int) -> ArraySlice<Cell> {
        cells[row * size.columns..<(row + 1) * size.columns]
    }

    /// Returns the columns from the first to the last in which a row differs from that of a canvas of the same size, or
    /// nil if the rows are equal.
    ///
    /// The range never splits a wide grapheme. O(width).
    public func changedColumns(ofRow row: Int, since other: Canvas) -> Range<Int>? {
        let columns = changedText(ofRow: row, since: other)
        guard pictures != nil || other.pictures != nil else { return columns }
        let start = row * size.columns
        let parts = PictureLayer.changes(start..<start + size.columns, from: other.pictures, to: pictures)
            .map { $0.lowerBound - start..<$0.upperBound - start }
        guard let columns, let parts else { return columns ?? parts }
        return min(columns.lowerBound, parts.lowerBound)..<max(columns.upperBound, parts.upperBound)
    }

    private func changedText(ofRow row: Int, since other: Canvas) -> Range<Int>? {
        let start = row * size.columns
        let byteCount = size.columns * MemoryLayout<Cell>.stride
        // Compare bytes, since every byte of a cell is initialized: comparing cell by cell costs more than drawing
        // them.
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

    /// The cell at `row` and `column`, which must both be inside the canvas.
    public subscript(row: Int, column: Int) -> Cell {
        cells[row * size.columns + column]
    }

    /// Whether a cell shows a part of a picture.
    public var hasPictures: Bool { pictures != nil }

    /// Returns the part of a picture in the cell at `row` and `column`, which must both be inside the canvas.
    public func picture(row: Int, column: Int) -> PicturePart? { pictures?[row * size.columns + column] }

    /// Draws `picture` with its top left corner at `row` and `column`, clipped to `clip` and the canvas.
    ///
    /// Its cells are blanks in the style `picture`. Whatever is drawn over one of them later removes the picture there.
    public mutating func draw(_ picture: Picture, row: Int, column: Int, clippedTo clip: Rect) {
        for partRow in 0..<picture.size.rows {
            for partColumn in 0..<picture.size.columns {
                let position = Position(row: row + partRow, column: column + partColumn)
                guard bounds.contains(position), clip.contains(position) else { continue }
                put(
                    PicturePart(picture: picture, row: partRow, column: partColumn), row: position.row,
                    column: position.column)
            }
        }
    }

    /// Fills `rect` with blank cells in `style`.
    public mutating func clear(_ rect: Rect, style: Style = .plain) {
        for row in max(0, rect.row)..<max(0, rect.row, min(rect.endRow, size.rows)) {
            for column in max(0, rect.column)..<max(0, rect.column, min(rect.endColumn, size.columns)) {
                put(Grapheme.space, row: row, column: column, style: style)
            }
        }
    }

    /// Writes at most `width` columns of `text`, starting at `column`; longer text is cut and ends in "…".
    ///
    /// - Parameter highlights: Ranges of UTF-8 bytes of `text` to highlight, ascending and disjoint.
    /// - Returns: The number of columns written. The cost depends on the columns written, not on the length of the
    ///   text.
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
                // The ellipsis replaces the grapheme in the last column.
                return end(row: row, column: column, cut: cut, room: room, style: style)
            }
            put(glyph, row: row, column: column + used, style: style)
            used += columns
            if used < room { cut = used }
        }
        return used
    }

    /// Writes the visible part of text that is printable ASCII, without computing widths and combining marks. Nearly
    /// all text is ASCII.
    ///
    /// - Returns: The number of columns written, or nil without writing anything if the text needs the general path.
    private mutating func writeASCII(_ text: String, row: Int, column: Int, room: Int, style: Style) -> Int? {
        let written = text.utf8.withContiguousStorageIfAvailable { bytes -> Int? in
            // A combining mark right after the last character that fits would belong to it.
            let seen = min(bytes.count, room + 1)
            for byte in bytes[..<seen] where byte < 0x20 || byte >= 0x7F { return nil }
            let isCut = bytes.count > room
            let count = isCut ? room - 1 : bytes.count
            guard count > 0 else { return nil }
            let index = row * size.columns + column
            let end = index + count
            if pictures != nil { removePictures(index..<end) }
            cells.withUnsafeMutableBufferPointer { cells in
                if cells[index].isContinuation { cells[index - 1].glyph = .space }
                if end < (row + 1) * size.columns, cells[end].isContinuation {
                    cells[end] = Cell(glyph: .space, style: cells[end].style)
                }
                var cell = Cell(glyph: .space, style: style)
                for offset in 0..<count {
                    cell.glyph = Grapheme(ascii: bytes[offset])
                    cells[index + offset] = cell
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

    /// Writes as many of `glyphs` as fit in `width` columns, starting at `column`.
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

    /// Copies the rows of `other` from row `first` on into `rect`, clipped to both.
    public mutating func draw(_ other: Canvas, fromRow first: Int = 0, in rect: Rect) {
        for row in 0..<max(0, min(rect.height, other.size.rows - first)) {
            for (column, cell) in other.row(first + row).enumerated() where !cell.isContinuation {
                let position = (row: rect.row + row, column: rect.column + column)
                guard (0..<size.rows).contains(position.row), position.column >= 0,
                    column + cell.glyph.columns <= rect.width,
                    position.column + cell.glyph.columns <= size.columns
                else { continue }
                put(cell.glyph, row: position.row, column: position.column, style: cell.style)
                if let part = other.pictures?[(first + row) * other.size.columns + column] {
                    put(part, row: position.row, column: position.column)
                }
            }
        }
    }

    private mutating func put(_ part: PicturePart, row: Int, column: Int) {
        put(.space, row: row, column: column, style: .picture)
        if pictures == nil { pictures = PictureLayer(cellCount: cells.count) }
        pictures?.set(part, at: row * size.columns + column)
    }

    private mutating func removePictures(_ indices: Range<Int>) {
        pictures?.remove(indices)
        // Canvases that look the same are equal.
        if pictures?.isEmpty == true { pictures = nil }
    }

    private mutating func put(_ glyph: Grapheme, row: Int, column: Int, style: Style) {
        let start = row * size.columns
        let index = start + column
        let end = index + glyph.columns
        if pictures != nil { removePictures(index..<end) }
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

    /// Returns the text of a row without trailing blanks.
    public func text(ofRow row: Int) -> String {
        var text = ""
        for cell in self.row(row) where !cell.isContinuation { text += cell.glyph.text }
        while text.hasSuffix(" ") { text.removeLast() }
        return text
    }

    /// The text of all rows, separated by newlines.
    public var text: String {
        (0..<size.rows).map(text(ofRow:)).joined(separator: "\n")
    }
}
