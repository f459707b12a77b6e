/// Prepares EndNote XML for endx2xml, and counts the references. endx2xml overlooks references without a line end
/// after them.
struct EndNoteXMLText {
    /// The number of references so far.
    private(set) var count = 0
    /// The number of bytes of the end tag of a reference at the end of the text so far.
    private var matched = 0

    private static let end = Array("</record>".utf8)

    /// Returns a part of the text with a line end after each reference.
    mutating func prepared(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count + bytes.count / 64)
        for byte in bytes {
            text.append(byte)
            guard byte == Self.end[matched] else {
                matched = byte == Self.end[0] ? 1 : 0
                continue
            }
            matched += 1
            if matched == Self.end.count {
                text.append(0x0A)
                count += 1
                matched = 0
            }
        }
        return text
    }
}
