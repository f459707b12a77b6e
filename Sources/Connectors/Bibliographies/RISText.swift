/// Prepares RIS for bibutils, which overlooks tags before a single blank and the title CT, and counts the references.
struct RISText {
    /// The number of references so far.
    private(set) var count = 0
    /// The number of references that have an end.
    private var endCount = 0
    private var isOpen = false
    /// Whether the last reference has no end, though the others have theirs; some programs write none at all.
    var isCut: Bool { isOpen && (endCount > 0 || count == 1) }
    /// Whether the reference has a title.
    private var hasTitle = false
    /// The beginning of a line, as long as it may be a tag.
    private var start: [UInt8] = []
    private var isAfterStart = false

    /// The length of "TI  -", or of a tag before more blanks.
    private static let startLength = 8

    /// Returns a part of the text with each tag as "TI  -".
    mutating func prepared(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count + 64)
        for byte in bytes {
            let isLineEnd = byte == 0x0A || byte == 0x0D
            if isAfterStart {
                text.append(byte)
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
            (hasTitle, isOpen) = (false, true)
        case "ER":
            if isOpen { endCount += 1 }
            isOpen = false
        // A title in the words of the format, a city in those of ris2xml.
        case "CT" where !hasTitle:
            tag = "TI"
            hasTitle = true
        case "TI", "T1", "BT": hasTitle = true
        default: break
        }
        return Array("\(tag)  -".utf8)
    }

    /// The tag with which the line begins.
    private var tag: String? {
        guard start.count > 3, start.last == UInt8(ascii: "-"), start[2..<start.count - 1].allSatisfy({ $0 == 0x20 }),
            (0x41...0x5A).contains(start[0]), (0x41...0x5A).contains(start[1]) || (0x30...0x39).contains(start[1])
        else { return nil }
        return String(decoding: start.prefix(2), as: UTF8.self)
    }
}
