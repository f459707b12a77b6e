/// Texts within statements of ClickHouse.
enum SQLText {
    /// Returns a literal of these bytes.
    ///
    /// All bytes except ASCII letters, digits and a few harmless signs are written as `\xHH`, which every version of
    /// ClickHouse reads; therefore no byte of a catalog or query can end the literal.
    static func literal(_ bytes: some Sequence<UInt8>) -> String { quoted(bytes, by: "'") }

    /// Returns a literal of a text.
    static func literal(_ text: String) -> String { literal(text.utf8) }

    /// Returns the pattern of LIKE for texts that contain these bytes.
    static func pattern(containing bytes: [UInt8]) -> [UInt8] {
        let (percent, backslash) = (UInt8(ascii: "%"), UInt8(ascii: "\\"))
        let isSpecial: (UInt8) -> Bool = { $0 == percent || $0 == UInt8(ascii: "_") || $0 == backslash }
        return [percent] + bytes.flatMap { isSpecial($0) ? [backslash, $0] : [$0] } + [percent]
    }

    /// Returns the quoted name of a database, table or cluster.
    static func identifier(_ name: String) -> String { quoted(name.utf8, by: "`") }

    private static let digits = Array("0123456789ABCDEF".utf8)

    private static func quoted(_ bytes: some Sequence<UInt8>, by quote: Unicode.Scalar) -> String {
        var text = [UInt8(ascii: quote)]
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: " "), UInt8(ascii: "_"), UInt8(ascii: "-"),
                UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: ":"):
                text.append(byte)
            default:
                text += [UInt8(ascii: "\\"), UInt8(ascii: "x"), digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
            }
        }
        text.append(UInt8(ascii: quote))
        return String(decoding: text, as: UTF8.self)
    }
}

/// A value of a column.
enum SQLValue: Hashable, Sendable {
    /// A number.
    case number(Int)
    /// Bytes, which need not be a valid text.
    case text([UInt8])

    /// The value as a literal.
    var literal: String {
        switch self {
        case .number(let number): "\(number)"
        case .text(let bytes): SQLText.literal(bytes)
        }
    }

    /// The number; nil for a text.
    var number: Int? { if case .number(let number) = self { number } else { nil } }
    /// The bytes; nil for a number.
    var bytes: [UInt8]? { if case .text(let bytes) = self { bytes } else { nil } }
}
