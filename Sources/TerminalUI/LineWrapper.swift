public import Graphemes

/// The lines of a text that is wrapped at words to a width in columns; text without any is one empty line.
///
/// A line ends at a blank, at a newline, between wide characters (which are not set apart by blanks), or, where a word
/// is wider than a line, within it. Reading is lazy: the cost is that of the lines taken.
public struct LineWrapper: Sequence, IteratorProtocol {
    private let width: Int
    private var glyphs: GraphemeSanitizer
    private var isAtEnd = false
    /// What belongs to the next line already.
    private var carried: [Grapheme] = []

    /// The lines of `text` that are at most `width` columns wide, at least 2, as a wide character needs.
    ///
    /// - Parameter highlights: Ranges of the UTF-8 bytes of `text`, as `GraphemeSanitizer` takes them.
    public init(_ text: String, width: Int, highlights: [Range<Int>] = []) {
        self.width = Swift.max(2, width)
        glyphs = GraphemeSanitizer(linesOf: text, highlights: highlights)
    }

    /// The next line, without the blanks at which it was broken.
    public mutating func next() -> [Grapheme]? {
        if isAtEnd { return nil }
        var line = carried
        var columns = line.columns
        // The line may be broken before the glyph at this index.
        var lastBreak = line.last?.isBreakable == true ? line.count : 0
        carried = []
        while let glyph = glyphs.next() {
            let isBlank = glyph.isSpace
            if columns + glyph.columns > width {
                guard let first = isBlank ? firstAfterBlanks() : glyph else { break }
                if isBlank || first.isBreakable { lastBreak = line.count }
                carried = Array(line[lastBreak...]) + [first]
                // A word that is wider than a line is broken within.
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
    /// How many columns the glyphs take.
    public var columns: Int { reduce(0) { $0 + $1.columns } }
}
