internal import CSystem

/// The graphemes of a text, made safe to show; catalog text reaches the screen only through this type.
///
/// The result contains no control, format (Cf), surrogate or unassigned characters. Control characters, bidirectional
/// controls and characters of unknown width become U+FFFD. Invisible characters, variation selectors, skin tones and
/// the parts that a zero-width joiner adds to an emoji are dropped, since terminals disagree about their width; a blank
/// follows the first part if it is narrow, so that every joined emoji is two columns wide. Combining marks stay with
/// their base, at most `Grapheme.maximumMarks`. Reading is lazy: the cost depends on the graphemes read, not on the
/// length of the text.
public struct GraphemeSanitizer: Sequence, IteratorProtocol {
    private var scalars: String.UnicodeScalarView.Iterator
    private var pending: Unicode.Scalar?
    /// Whether a blank is next, which makes a joined emoji two columns wide.
    private var isBlankPending = false
    private let endsAtNewline: Bool
    private let hasHighlights: Bool
    /// The highlights that do not end before the next grapheme.
    private var highlights: ArraySlice<Range<Int>>
    /// With highlights only: the number of bytes read and the start offset of the grapheme.
    private var readBytes = 0
    private var glyphStart = 0

    /// Creates the graphemes of `text`. Their widths are those of the C library and require a UTF-8 locale.
    ///
    /// - Parameter highlights: Ranges of UTF-8 bytes of `text`, ascending and disjoint; each grapheme that overlaps one
    ///   is highlighted.
    public init(_ text: String, highlights: [Range<Int>] = []) {
        self.init(text, highlights: highlights, endsAtNewline: false)
    }

    /// Creates the graphemes of the first line of `text`; `startNextLine()` continues with the next line.
    package init(linesOf text: String, highlights: [Range<Int>] = []) {
        self.init(text, highlights: highlights, endsAtNewline: true)
    }

    private init(_ text: String, highlights: [Range<Int>], endsAtNewline: Bool) {
        scalars = text.unicodeScalars.makeIterator()
        self.endsAtNewline = endsAtNewline
        self.highlights = highlights[...]
        hasHighlights = !highlights.isEmpty
    }

    /// Continues after the newline that ended the line; returns false at the end of the text.
    package mutating func startNextLine() -> Bool {
        guard endsAtNewline, pending == "\n" else { return false }
        pending = nil
        return true
    }

    /// Returns the next grapheme.
    public mutating func next() -> Grapheme? {
        if !hasHighlights { return nextGlyph() }
        glyphStart = position
        guard var glyph = nextGlyph() else { return nil }
        while let first = highlights.first, first.isEmpty || first.upperBound <= glyphStart { highlights.removeFirst() }
        if let first = highlights.first { glyph.isHighlighted = first.lowerBound < position }
        return glyph
    }

    /// The number of bytes before the next grapheme; counted only if there are highlights.
    private var position: Int { readBytes - (pending.map(UTF8.width) ?? 0) }

    private mutating func nextGlyph() -> Grapheme? {
        if isBlankPending {
            isBlankPending = false
            return .space
        }
        while let scalar = take() {
            if scalar.value >= 0x20 && scalar.value < 0x7F {
                return withMarks(Grapheme(base: scalar, columns: 1))
            }
            if endsAtNewline && isNewline(scalar) { return nil }
            switch Self.role(of: scalar) {
            case .base(let columns): return withMarks(Grapheme(base: scalar, columns: columns))
            case .mark:
                // Unicode shows a combining mark without a base on a dotted circle (The Unicode Standard, 2.11).
                pending = scalar
                return withMarks(Grapheme(base: "\u{25CC}", columns: 1))
            case .regionalIndicator: return flag(first: scalar)
            case .forbidden: return .replacement
            case .dropped: if hasHighlights { glyphStart = position }
            }
        }
        return nil
    }

    private mutating func take() -> Unicode.Scalar? {
        guard let scalar = pending else {
            let scalar = scalars.next()
            if hasHighlights { count(scalar) }
            return scalar
        }
        pending = nil
        return scalar
    }

    // Not inlined: inlining slows texts without highlights, which are nearly all, by a tenth.
    @inline(never)
    private mutating func count(_ scalar: Unicode.Scalar?) {
        readBytes += scalar.map(UTF8.width) ?? 0
    }

    /// Returns whether `scalar` begins a newline, which then stays pending for `startNextLine()`.
    private mutating func isNewline(_ scalar: Unicode.Scalar) -> Bool {
        // CR LF is one newline; a lone CR is an ordinary control character.
        if scalar == "\r" { pending = take() }
        if scalar == "\n" { pending = scalar }
        return (scalar == "\r" || scalar == "\n") && pending == "\n"
    }

    private mutating func withMarks(_ base: Grapheme) -> Grapheme {
        var glyph = base
        while let scalar = take() {
            if scalar.value < 0x300 {
                guard scalar.value == 0xAD else {
                    pending = scalar
                    return glyph
                }
                continue
            }
            if scalar.value == 0x200D {
                dropEmojiTail(of: glyph)
                continue
            }
            if (0x1F3FB...0x1F3FF).contains(scalar.value) && Self.isEmoji(glyph.base) { continue }
            switch Self.role(of: scalar) {
            case .mark: glyph.append(mark: scalar)
            case .dropped: continue
            default:
                pending = scalar
                return glyph
            }
        }
        return glyph
    }

    /// After a zero-width joiner an emoji continues the previous one (UAX #29, GB11). In other scripts the joiner only
    /// selects a form, so the character after it must be kept.
    private mutating func dropEmojiTail(of glyph: Grapheme) {
        guard Self.isEmoji(glyph.base), let next = take() else { return }
        if Self.isEmoji(next) { isBlankPending = glyph.columns == 1 } else { pending = next }
    }

    private mutating func flag(first: Unicode.Scalar) -> Grapheme {
        guard let second = take() else { return .replacement }
        guard case .regionalIndicator = Self.role(of: second) else {
            pending = second
            return .replacement
        }
        var glyph = Grapheme(base: first, columns: 2)
        glyph.append(mark: second)
        return glyph
    }

    private enum Role {
        case base(columns: Int)
        case mark, regionalIndicator, forbidden, dropped
    }

    private static func role(of scalar: Unicode.Scalar) -> Role {
        let value = scalar.value
        switch value {
        case 0x00...0x1F, 0x7F...0x9F: return .forbidden
        // Embeddings, overrides and isolates reorder the text after them, up to the end of the line.
        case 0x202A...0x202E, 0x2066...0x2069: return .forbidden
        // Line and paragraph separators are not allowed within a row.
        case 0x2028, 0x2029: return .forbidden
        // Other format characters: soft hyphen, joiners, directional marks, byte-order mark, annotations, tags and
        // more.
        case 0xAD, 0x61C, 0x180E, 0x200B...0x200F, 0x2060...0x2065, 0x206A...0x206F, 0xFEFF, 0xFFF9...0xFFFB,
            0x1BCA0...0x1BCA3, 0x1D173...0x1D17A, 0x13430...0x1343F, 0xE0000...0xE0FFF:
            return .dropped
        // Format characters with a width, which enclose the digits after them.
        case 0x600...0x605, 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD: return .forbidden
        case 0x180B...0x180D, 0x180F, 0xFE00...0xFE0F: return .dropped
        case 0x1F1E6...0x1F1FF: return .regionalIndicator
        default: break
        }
        switch cs_columns(value) {
        case 0: return .mark
        case 1: return .base(columns: 1)
        case 2: return .base(columns: 2)
        default: return .forbidden
        }
    }

    private static func isEmoji(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x1F000...0x1FAFF, 0x2190...0x2BFF, 0x3030, 0x303D, 0x3297, 0x3299, 0xA9, 0xAE: return true
        default: return false
        }
    }
}

extension String {
    /// This text made safe for a terminal or a line of output; see `GraphemeSanitizer`. Linear.
    public var sanitized: String {
        if isPrintableASCII { return self }
        var result = ""
        for glyph in GraphemeSanitizer(self) { result += glyph.text }
        return result
    }

    /// Whether all characters are printable ASCII, as in nearly all texts; each is one column wide.
    private var isPrintableASCII: Bool {
        for byte in utf8 where byte < 0x20 || byte >= 0x7F { return false }
        return true
    }

    /// The width in columns. Linear.
    public var displayColumns: Int {
        if isPrintableASCII { return utf8.count }
        var columns = 0
        for glyph in GraphemeSanitizer(self) { columns += glyph.columns }
        return columns
    }
}
