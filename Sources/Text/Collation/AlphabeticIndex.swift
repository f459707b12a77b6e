internal import CText

/// A section of an alphabetic index, such as all titles or names that begin with the same letter. Sections are ordered
/// like their books.
public struct AlphabeticIndex: Hashable, Comparable, Sendable {
    /// A number that identifies the section; sections are in ascending order of it.
    public let number: UInt32

    /// The section of all numbers.
    static let digits = AlphabeticIndex(number: 0)
    /// The section of texts that consist of symbols only.
    static let symbols = AlphabeticIndex(number: 1)
    /// The section of all Han characters, which are too many for a section each.
    static let han = AlphabeticIndex(number: rare - 1)
    /// The section of letters that are missing from the collation table.
    static let others = AlphabeticIndex(number: rare)
    /// The section of books without a title or author.
    public static let unknown = AlphabeticIndex(number: .max)

    private static let firstLatin: UInt32 = 2
    private static let firstOther: UInt32 = 0x100
    private static let rare: UInt32 = 0x1_0000

    /// Creates a section from its number.
    public init(number: UInt32) {
        self.number = number
    }

    /// Creates the section of a normalized ASCII letter; fails for any other byte.
    public init?(ofLetter byte: UInt8) {
        let letter = byte &- UInt8(ascii: "a")
        guard letter < 26 else { return nil }
        number = Self.firstLatin + UInt32(letter)
    }

    /// Creates the section of a book with this sort key. Takes nanoseconds.
    public init(ofKey key: UnsafeBufferPointer<UInt8>) {
        guard let first = key.first else {
            self = .unknown
            return
        }
        switch Int(first) {
        case ..<Int(COLLATION_SYMBOLS): self = .digits
        case Int(COLLATION_SYMBOLS): self = .symbols
        case ..<Int(COLLATION_OTHER): number = Self.firstLatin + (UInt32(first) - UInt32(COLLATION_LATIN)) / 2
        case ..<Int(COLLATION_HAN):
            let rank = UInt32(first) - UInt32(COLLATION_OTHER)
            number = Self.firstOther + Self.heading(of: rank << 8 | (key.count > 1 ? UInt32(key[1]) : 0))
        case ..<Int(COLLATION_RARE): self = .han
        default: self = .others
        }
    }

    /// The heading of the section: "A", "0–9", "Ж", "ㄱ", "か", "漢".
    public var title: String {
        switch self {
        case .digits: "0–9"
        case .symbols: "#"
        case .han: "漢"
        case .others: "…"
        case .unknown: "Unknown"
        default:
            number < Self.firstOther
                ? String(
                    Character(Unicode.Scalar(UInt8(ascii: "A") + UInt8(truncatingIfNeeded: number - Self.firstLatin))))
                : Self.title(of: number - Self.firstOther)
        }
    }

    /// Returns whether `left` comes first.
    public static func < (left: Self, right: Self) -> Bool { left.number < right.number }

    private static func title(of rank: UInt32) -> String {
        if let row = rows.first(where: { $0.rank == rank }) { return String(row.title) }
        // Use title case, since the upper-case letters of Georgian are only for text entirely in capitals.
        return Unicode.Scalar(collation_letter(rank))?.properties.titlecaseMapping ?? ""
    }
}

// Hangul by leading consonant and kana by row of the syllabary, as in dictionaries.
extension AlphabeticIndex {
    /// The letters that head a section of several letters, in order, with their ranks.
    private static let rows: [(rank: UInt32, title: Character)] = {
        // The consonants within syllables and on their own; doubled consonants belong to the single ones.
        let initials = zip(
            [
                0x1100, 0x1102, 0x1103, 0x1105, 0x1106, 0x1107, 0x1109, 0x110B, 0x110C, 0x110E, 0x110F, 0x1110, 0x1111,
                0x1112,
            ],
            "ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ" as String)
        let kana = "あかさたなはまやらわ".unicodeScalars
        return initials.map { (rank: rank(of: $0), title: $1) }
            + kana.map { (rank: rank(of: Int($0.value)), title: Character($0)) }
    }()

    /// The rank after the last kana.
    private static let rowsEnd = rank(of: 0x3105)

    /// Returns the rank of the letter that heads the section of the letter with `rank`.
    private static func heading(of rank: UInt32) -> UInt32 {
        guard let first = rows.first?.rank, rank >= first, rank < rowsEnd else { return rank }
        return rows.last { $0.rank <= rank }?.rank ?? rank
    }

    /// Returns the rank of a letter after the Latin ones.
    private static func rank(of scalar: Int) -> UInt32 {
        var count = 0
        guard let element = collation_table_lookup(UInt32(scalar), &count), count == 2 else { return 0 }
        return (UInt32(element[0]) - UInt32(COLLATION_OTHER)) << 8 | UInt32(element[1])
    }
}
