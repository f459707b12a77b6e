/// What one place of the screen shows: a base character with its marks, one or two columns wide.
///
/// Plain data without references, so that a screen of them is copied and compared as bytes. A character is a number of 21
/// bits (The Unicode Standard, 3.4): five of them and what else there is to say fill 16 bytes, all of which have a value.
public struct Grapheme: Hashable, Sendable {
    /// The most marks that a glyph keeps; more are dropped. It is what a cell of ncurses holds.
    public static let maximumMarks = 4

    /// The base, then, in 2 bits, the columns, in 3 bits how many marks there are, and whether it is highlighted.
    @usableFromInline var head: UInt32
    /// The fourth mark. The bits above it are zero, but in the glyph of a cell.
    @usableFromInline package var tail: UInt32 = 0
    /// The first three marks.
    @usableFromInline var middle: UInt64 = 0

    /// The bits of a character.
    @usableFromInline package static let mask: UInt32 = 0x1F_FFFF
    private static let oneMark: UInt32 = 1 << 23
    private static let highlight: UInt32 = 1 << 26

    /// A glyph without marks.
    init(base: Unicode.Scalar, columns: Int) {
        head = base.value | UInt32(columns) << 21
    }

    /// A character that is printable ASCII.
    package init(ascii byte: UInt8) { self.init(base: Unicode.Scalar(byte), columns: 1) }

    /// An empty column.
    public static let space = Grapheme(base: " ", columns: 1)
    /// The sign that text was cut.
    public static let ellipsis = Grapheme(base: "…", columns: 1)
    /// The sign for what cannot be shown.
    public static let replacement = Grapheme(base: "\u{FFFD}", columns: 1)

    /// The base character: never a control, a format character or one without a width.
    @inlinable
    public var base: Unicode.Scalar { Unicode.Scalar(head & Grapheme.mask) ?? "\u{FFFD}" }

    /// How many columns it takes, 1 or 2.
    @inlinable
    public var columns: Int { Int(head >> 21 & 3) }

    /// How many marks it has, 0 to `maximumMarks`.
    @inlinable
    public var markCount: Int { Int(head >> 23 & 7) }

    /// Whether it is in a highlight of the text that it is from; a cell's glyph never is, as the style says it there.
    public package(set) var isHighlighted: Bool {
        get { head & Self.highlight != 0 }
        set { head = newValue ? head | Self.highlight : head & ~Self.highlight }
    }

    /// Whether it is an empty column.
    @inlinable
    public var isSpace: Bool { base == " " && markCount == 0 }

    /// Adds a mark, or drops it where there are enough already.
    mutating func append(mark: Unicode.Scalar) {
        switch markCount {
        case 0..<3: middle |= UInt64(mark.value) << (21 * markCount)
        case 3: tail |= mark.value
        default: return
        }
        head += Self.oneMark
    }

    /// The marks' code points, zero where there are fewer than four.
    @inlinable
    public var marks: (UInt32, UInt32, UInt32, UInt32) {
        let mask = UInt64(Grapheme.mask)
        return (
            UInt32(middle & mask), UInt32(middle >> 21 & mask), UInt32(middle >> 42 & mask), tail & Grapheme.mask
        )
    }

    /// Whether it is a flag: a pair of regional indicators, which is two cells to a terminal.
    public var isFlag: Bool { (0x1F1E6...0x1F1FF).contains(marks.0) }

    /// Whether a line may be broken before and after it: wide characters are not set apart by spaces.
    public var isBreakable: Bool { columns == 2 && base.value < 0x1F000 }

    /// The glyph as text.
    public var text: String {
        var scalars = String.UnicodeScalarView([base])
        let marks = marks
        for value in [marks.0, marks.1, marks.2, marks.3].prefix(markCount) {
            if let scalar = Unicode.Scalar(value) { scalars.append(scalar) }
        }
        return String(scalars)
    }
}
