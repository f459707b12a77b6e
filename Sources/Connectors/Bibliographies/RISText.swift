/// Prepares RIS for bibutils, and counts the references. bibutils overlooks tags before a single blank, the title CT,
/// and tags without a MODS element.
struct RISText {
    /// The number of references so far.
    private(set) var count = 0
    /// The number of references with an end tag.
    private var endCount = 0
    private var isOpen = false
    /// Whether only the last reference has no end tag. Files without any end tag exist, too.
    var isCut: Bool { isOpen && (endCount > 0 || count == 1) }
    /// Whether the reference has a title.
    private var hasTitle = false
    /// The start of a line, as long as it may be a tag.
    private var start: [UInt8] = []
    private var isAfterStart = false
    private var hasAbstract = false
    /// The text to write before the value of a tag that becomes a note. It is written with the first character of the
    /// value, because a tag without a value is no note.
    private var noteStart: [UInt8]?

    /// The maximum length of a tag with its hyphen and blanks, such as "TI  -".
    private static let startLength = 8
    /// The tags that ris2xml drops, with their labels in a note.
    private static let notes = [
        "AN": "Accession number", "CA": "Caption", "DB": "Database", "DP": "Database provider", "L2": "Full text",
        "L3": "Related records", "L4": "Figure", "LB": "Label", "LK": "Link", "OP": "Original publication",
        "RI": "Reviewed item", "RP": "Reprint status", "TA": "Translated author", "TT": "Translated title",
        "Y2": "Accessed",
    ]

    /// Returns a part of the text with each tag as "TI  -".
    mutating func prepared(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count + 64)
        for byte in bytes {
            let isLineEnd = byte == 0x0A || byte == 0x0D
            if isAfterStart {
                if let note = noteStart, byte > 0x20 || isLineEnd {
                    if !isLineEnd { text += note }
                    noteStart = nil
                }
                if noteStart == nil { text.append(byte) }
            } else {
                start.append(byte)
                if isLineEnd || byte == UInt8(ascii: "-") || start.count == Self.startLength {
                    text += end()
                    isAfterStart = true
                }
            }
            if isLineEnd { isAfterStart = false }
        }
        return text
    }

    /// Returns the rest of the text.
    mutating func end() -> [UInt8] {
        defer { start.removeAll(keepingCapacity: true) }
        guard var tag = tag else { return start }
        switch tag {
        case "TY":
            count += 1
            (hasTitle, hasAbstract, isOpen) = (false, false, true)
        case "ER":
            if isOpen { endCount += 1 }
            isOpen = false
        // CT is a title in the RIS specification, but a city for ris2xml.
        case "CT" where !hasTitle:
            tag = "TI"
            hasTitle = true
        case "TI", "T1", "BT": hasTitle = true
        // ris2xml keeps one abstract.
        case "AB", "N2":
            if hasAbstract { tag = "N1" }
            hasAbstract = true
        default:
            if let name = Self.notes[tag] {
                noteStart = Array("N1  - \(name): ".utf8)
                return []
            }
        }
        return Array("\(tag)  -".utf8)
    }

    /// The tag at the start of the line.
    private var tag: String? {
        guard start.count > 3, start.last == UInt8(ascii: "-"), start[2..<start.count - 1].allSatisfy({ $0 == 0x20 }),
            (0x41...0x5A).contains(start[0]), (0x41...0x5A).contains(start[1]) || (0x30...0x39).contains(start[1])
        else { return nil }
        return String(decoding: start.prefix(2), as: UTF8.self)
    }
}
