/// A user-perceived character as a terminal shows it: a base character with its combining marks, one or two columns
/// wide.
///
/// It is plain data without references, so that screens of graphemes are copied and compared as bytes. A scalar value
/// takes 21 bits (The Unicode Standard, 3.4); five of them and the flags fill all bits of the 16 bytes.
public struct Grapheme: Hashable, Sendable {
    /// The maximum number of combining marks, which is the capacity of an ncurses cell; further ones are dropped.
    public static let maximumMarks = 4

    /// The base character, 2 bits for the width, 3 bits for the number of marks, and the highlight flag.
    @usableFromInline var head: UInt32
    /// The fourth mark. The bits above it are zero, except in the grapheme of a `Cell`.
    @usableFromInline package var tail: UInt32 = 0
    /// The first three marks.
    @usableFromInline var middle: UInt64 = 0

    /// The bits of a scalar value.
    @usableFromInline package static let mask: UInt32 = 0x1F_FFFF
    private static let oneMark: UInt32 = 1 << 23
    private static let highlight: UInt32 = 1 << 26

    /// Creates a grapheme without marks.
    init(base: Unicode.Scalar, columns: Int) {
        head = base.value | UInt32(columns) << 21
    }

    /// Creates a grapheme from a printable ASCII character.
    package init(ascii byte: UInt8) { self.init(base: Unicode.Scalar(byte), columns: 1) }

    /// A blank, one column wide.
    public static let space = Grapheme(base: " ", columns: 1)
    /// The ellipsis that shows that a text was cut.
    public static let ellipsis = Grapheme(base: "…", columns: 1)
    /// The replacement character, U+FFFD, for characters that cannot be shown.
    public static let replacement = Grapheme(base: "\u{FFFD}", columns: 1)

    /// The base character: never a control or format character or one without a width.
    @inlinable
    public var base: Unicode.Scalar { Unicode.Scalar(head & Grapheme.mask) ?? "\u{FFFD}" }

    /// The width in columns, 1 or 2.
    @inlinable
    public var columns: Int { Int(head >> 21 & 3) }

    /// The number of combining marks, 0 to `maximumMarks`.
    @inlinable
    public var markCount: Int { Int(head >> 23 & 7) }

    /// Whether a highlighted range of the text contains it; always false in a cell, whose style has this flag.
    public package(set) var isHighlighted: Bool {
        get { head & Self.highlight != 0 }
        set { head = newValue ? head | Self.highlight : head & ~Self.highlight }
    }

    /// Whether it is a blank.
    @inlinable
    public var isSpace: Bool { base == " " && markCount == 0 }

    /// Adds a combining mark unless there are `maximumMarks` already.
    mutating func append(mark: Unicode.Scalar) {
        switch markCount {
        case 0..<3: middle |= UInt64(mark.value) << (21 * markCount)
        case 3: tail |= mark.value
        default: return
        }
        head += Self.oneMark
    }

    /// The code points of the combining marks, zero for missing ones.
    @inlinable
    public var marks: (UInt32, UInt32, UInt32, UInt32) {
        let mask = UInt64(Grapheme.mask)
        return (
            UInt32(middle & mask), UInt32(middle >> 21 & mask), UInt32(middle >> 42 & mask), tail & Grapheme.mask
        )
    }

    /// Whether it is a flag: a pair of regional indicators, which takes two cells of a terminal.
    public var isFlag: Bool { (0x1F1E6...0x1F1FF).contains(marks.0) }

    /// Whether a line may be broken before and after it, which holds for wide characters, since no blanks separate
    /// them.
    public var isBreakable: Bool { columns == 2 && base.value < 0x1F000 }

    /// The grapheme as text.
    public var text: String {
        var scalars = String.UnicodeScalarView([base])
        let marks = marks
        for value in [marks.0, marks.1, marks.2, marks.3].prefix(markCount) {
            if let scalar = Unicode.Scalar(value) { scalars.append(scalar) }
        }
        return String(scalars)
    }
}
