/// What one place of the screen shows: a base character with its marks, one or two columns wide.
///
/// Plain data without references, so that a screen of them is copied and compared as bytes.
public struct Glyph: Hashable, Sendable {
    /// The most marks that a glyph keeps; more are dropped. It is what a cell of ncurses holds.
    public static let maximumMarks = 4

    /// The base character: never a control, a format character or one without a width.
    public let base: Unicode.Scalar
    /// How many columns it takes, 1 or 2.
    public let columns: Int8
    /// How many marks it has, 0 to `maximumMarks`.
    public private(set) var markCount: Int8 = 0
    /// Whether it is in a highlight of the text that it is from; a cell's glyph never is, as the style says it there.
    public internal(set) var isHighlighted = false
    /// No byte of a glyph is without a value, so that cells can be compared as bytes.
    private let padding: UInt8 = 0
    private var mark0: UInt32 = 0
    private var mark1: UInt32 = 0
    private var mark2: UInt32 = 0
    private var mark3: UInt32 = 0

    /// A glyph without marks.
    init(base: Unicode.Scalar, columns: Int) {
        self.base = base
        self.columns = Int8(columns)
    }

    /// A character that is printable ASCII.
    init(ascii byte: UInt8) { self.init(base: Unicode.Scalar(byte), columns: 1) }

    /// An empty column.
    public static let space = Glyph(base: " ", columns: 1)
    /// The sign that text was cut.
    public static let ellipsis = Glyph(base: "…", columns: 1)
    /// The sign for what cannot be shown.
    public static let replacement = Glyph(base: "\u{FFFD}", columns: 1)

    /// Whether it is an empty column.
    @inlinable
    public var isSpace: Bool { base == " " && markCount == 0 }

    /// Adds a mark, or drops it where there are enough already.
    mutating func append(mark: Unicode.Scalar) {
        switch markCount {
        case 0: mark0 = mark.value
        case 1: mark1 = mark.value
        case 2: mark2 = mark.value
        case 3: mark3 = mark.value
        default: return
        }
        markCount += 1
    }

    /// The marks' code points, zero where there are fewer than four.
    public var marks: (UInt32, UInt32, UInt32, UInt32) { (mark0, mark1, mark2, mark3) }

    /// Whether it is a flag: a pair of regional indicators, which is two cells to a terminal.
    public var isFlag: Bool { (0x1F1E6...0x1F1FF).contains(mark0) }

    /// Whether a line may be broken before and after it: wide characters are not set apart by spaces.
    public var isBreakable: Bool { columns == 2 && base.value < 0x1F000 }

    /// The glyph as text.
    public var text: String {
        var scalars = String.UnicodeScalarView([base])
        for value in [mark0, mark1, mark2, mark3].prefix(Int(markCount)) {
            if let scalar = Unicode.Scalar(value) { scalars.append(scalar) }
        }
        return String(scalars)
    }
}
