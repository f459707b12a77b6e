/// The lines of a text, wrapped at words to a width in columns; empty text is one empty line.
///
/// A line can end at a blank, at a newline or next to a wide character, and within a word that is wider than the line.
/// Lines are computed lazily, so the cost depends on the lines read.
public struct LineWrapper: Sequence, IteratorProtocol {
    private var width: Int
    private var glyphs: GraphemeSanitizer
    private var isAtEnd = false
    /// The part of the text already read that belongs to the next line.
    private var carried: [Grapheme] = []

    /// Creates the lines of `text` that are at most `width` columns wide; the minimum is 2, the width of a wide
    /// character.
    ///
    /// - Parameter highlights: Ranges of UTF-8 bytes of `text` to highlight, ascending and disjoint.
    public init(_ text: String, width: Int, highlights: [Range<Int>] = []) {
        self.width = Swift.max(2, width)
        glyphs = GraphemeSanitizer(linesOf: text, highlights: highlights)
    }

    /// Makes the next lines at most `width` columns wide.
    public mutating func widen(to width: Int) { self.width = Swift.max(self.width, width) }

    /// Returns the next line without the blanks at which it was broken.
    public mutating func next() -> [Grapheme]? {
        if isAtEnd { return nil }
        var line = carried
        var columns = line.columns
        // The index of the last grapheme before which the line may be broken.
        var lastBreak = line.last?.isBreakable == true ? line.count : 0
        carried = []
        while let glyph = glyphs.next() {
            let isBlank = glyph.isSpace
            if columns + glyph.columns > width {
                guard let first = isBlank ? firstAfterBlanks() : glyph else { break }
                if isBlank || first.isBreakable { lastBreak = line.count }
                carried = Array(line[lastBreak...]) + [first]
                // A word that is wider than a line is broken at the edge.
                if lastBreak == 0 || carried.columns > width {
                    carried = [first]
                } else {
                    line.removeSubrange(lastBreak...)
                }
                while line.last?.isSpace == true { line.removeLast() }
                return line
            }
            if glyph.isBreakable { lastBreak = line.count }
            line.append(glyph)
            columns += glyph.columns
            if isBlank || glyph.isBreakable { lastBreak = line.count }
        }
        isAtEnd = !glyphs.startNextLine()
        return line
    }

    private mutating func firstAfterBlanks() -> Grapheme? {
        while let glyph = glyphs.next() {
            if !glyph.isSpace { return glyph }
        }
        return nil
    }
}

extension [Grapheme] {
    /// The total width in columns.
    public var columns: Int { reduce(0) { $0 + $1.columns } }
}
