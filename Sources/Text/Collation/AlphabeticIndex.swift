internal import CText

/// The books of a list in the order of titles or names that begin with the same letter. Sections are in the order of their
/// books.
package struct AlphabeticIndex: Hashable, Comparable, Sendable {
    /// What tells the sections apart; of two the smaller comes first.
    package let number: UInt32

    /// The section of all numbers.
    static let digits = AlphabeticIndex(number: 0)
    /// The section of texts of symbols alone.
    static let symbols = AlphabeticIndex(number: 1)
    /// The section of what begins with a Han character: there are too many for one each.
    static let han = AlphabeticIndex(number: rare - 1)
    /// The section of letters that are in no table.
    static let others = AlphabeticIndex(number: rare)
    /// The section of books without a title or author.
    package static let unknown = AlphabeticIndex(number: .max)

    private static let firstLatin: UInt32 = 2
    private static let firstOther: UInt32 = 0x100
    private static let rare: UInt32 = 0x1_0000

    /// The section of this number, which was that of one.
    package init(number: UInt32) {
        self.number = number
    }

    /// The section of texts that begin with this letter of ASCII, folded; nil for any other byte.
    package init?(ofLetter byte: UInt8) {
        let letter = byte &- UInt8(ascii: "a")
        guard letter < 26 else { return nil }
        number = Self.firstLatin + UInt32(letter)
    }

    /// The section of a book with this sort key. Some nanoseconds.
    package init(ofKey key: UnsafeBufferPointer<UInt8>) {
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

    /// What stands over the section: "A", "0–9", "Ж", "ㄱ", "か", "漢".
    package var title: String {
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

    /// Smaller numbers first.
    package static func < (left: Self, right: Self) -> Bool { left.number < right.number }

    private static func title(of rank: UInt32) -> String {
        if let row = rows.first(where: { $0.rank == rank }) { return String(row.title) }
        // In title case, as the capitals of Georgian are for whole texts.
        return Unicode.Scalar(collation_letter(rank))?.properties.titlecaseMapping ?? ""
    }
}

// Hangul by their initials and kana by their rows, as dictionaries have them.
extension AlphabeticIndex {
    /// The letters that begin a section each, for those up to the next, with their ranks.
    private static let rows: [(rank: UInt32, title: Character)] = {
        // As they are within syllables, and as they are alone. Doubled ones are under the single.
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

    /// The rank behind the last kana.
    private static let rowsEnd = rank(of: 0x3105)

    /// The rank of the letter that stands over the section of the one of this rank.
    private static func heading(of rank: UInt32) -> UInt32 {
        guard let first = rows.first?.rank, rank >= first, rank < rowsEnd else { return rank }
        return rows.last { $0.rank <= rank }?.rank ?? rank
    }

    /// The rank of a letter behind the Latin ones.
    private static func rank(of scalar: Int) -> UInt32 {
        var count = 0
        guard let element = collation_table_lookup(UInt32(scalar), &count), count == 2 else { return 0 }
        return (UInt32(element[0]) - UInt32(COLLATION_OTHER)) << 8 | UInt32(element[1])
    }
}
