/// Prepares BibTeX for bibutils, and counts the entries. bibutils overlooks fields after a comma without white space,
/// and the sign of a year.
struct BibTeXText {
    /// The number of entries so far.
    private(set) var count = 0
    /// Whether the last entry is not closed yet.
    var isOpen: Bool { depth > 0 }
    /// The entries with an unclosed brace or quotation mark, which contain the start of another entry: their number,
    /// and the position of the first one, counted from 1.
    private(set) var unclosed: (count: Int, first: Int) = (0, 0)
    private var depth = 0
    private var isQuoted = false
    private var isLineStart = true
    private var isType = false
    private var type: [UInt8] = []
    private var previous: UInt8 = 0
    /// The name of the current field, in lower case; nil after the first letter of its value.
    private var field: [UInt8]? = []

    /// The maximum depth of braces; deeper ones are omitted, because bib2xml is recursive.
    private static let maximumDepth = 64
    private static let date = Array("date=".utf8)
    /// The minus sign, because biblatex2xml splits dates at hyphens.
    private static let minus = Array("\u{2212}".utf8)

    /// Returns a part of the text with a blank after each comma between fields, and minus signs before years.
    mutating func prepared(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count + bytes.count / 16)
        for byte in bytes {
            // An entry with unbalanced braces ends where the next entry begins.
            if byte == UInt8(ascii: "@"), isLineStart, depth > 0 { close(&text) }
            if byte == UInt8(ascii: "-"), field == Self.date { text += Self.minus } else { text.append(byte) }
            if byte == UInt8(ascii: "@"), isLineStart || depth == 0 {
                isType = true
                type = []
                depth = 0
                isQuoted = false
            } else if isType {
                addToType(byte)
            } else if depth > 0 {
                noteField(byte)
                if previous != UInt8(ascii: "\\") { noteDepth(byte, &text) }
            }
            if byte == 0x0A || byte == 0x0D { isLineStart = true } else if byte > 0x20 { isLineStart = false }
            previous = previous == UInt8(ascii: "\\") ? 0 : byte
        }
        return text
    }

    /// Ends an open entry, because bib2xml would treat the next one as part of it.
    private mutating func close(_ text: inout [UInt8]) {
        noteUnclosed()
        if isQuoted { text.append(UInt8(ascii: "\"")) }
        text += Array(repeating: UInt8(ascii: "}"), count: min(depth, Self.maximumDepth)) + [0x0A]
    }

    private mutating func noteUnclosed() {
        unclosed = (unclosed.count + 1, unclosed.count == 0 ? max(1, count) : unclosed.first)
    }

    private mutating func addToType(_ byte: UInt8) {
        if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "(") {
            isType = false
            depth = 1
            field = nil
            let name = String(decoding: type, as: UTF8.self).lowercased()
            if !["comment", "string", "preamble"].contains(name) { count += 1 }
        } else if byte > 0x20 {
            type.append(byte)
            if type.count > 32 { isType = false }
        }
    }

    private mutating func noteDepth(_ byte: UInt8, _ text: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "\"") where depth == 1: isQuoted.toggle()
        case UInt8(ascii: "{"):
            depth += 1
            if depth > Self.maximumDepth { text.removeLast() }
        case UInt8(ascii: "}"):
            if depth > Self.maximumDepth { text.removeLast() }
            depth -= 1
            if depth == 0, isQuoted {
                noteUnclosed()
                isQuoted = false
            }
        case UInt8(ascii: ",") where depth == 1 && !isQuoted:
            text.append(UInt8(ascii: " "))
            field = []
        default: break
        }
    }

    private mutating func noteField(_ byte: UInt8) {
        guard let name = field, byte > 0x20 else { return }
        if name.last == UInt8(ascii: "=") {
            // The value may be in quotation marks or braces.
            if byte != UInt8(ascii: "{"), byte != UInt8(ascii: "\"") { field = nil }
        } else {
            field = name.count < 32 ? name + [(0x41...0x5A).contains(byte) ? byte | 0x20 : byte] : nil
        }
    }
}
