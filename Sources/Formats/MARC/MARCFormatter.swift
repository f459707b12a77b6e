internal import Books

/// Records of MARC 21 in exchange format (ISO 2709), in UTF-8.
///
/// A field has at most 9,999 bytes, and a record 99,999: texts that are too long are cut, and fields that do not fit are
/// left out. MARCXML has room for both.
struct MARCFormatter: BookFormatter {
    let needsUserData = false
    let needsRecords = true

    private static let fieldLimit = 9_999
    private static let recordLimit = 99_999
    private static let (subfieldMark, fieldEnd, recordEnd): (UInt8, UInt8, UInt8) = (0x1F, 0x1E, 0x1D)

    func expect(_ schema: Schema) -> [FieldLoss] { MARCText.losses(in: schema) }

    func append(_ printed: PrintedBook, to text: inout [UInt8]) {
        let record = MARCText(printed)
        var (directory, data): ([UInt8], [UInt8]) = ([], [])
        for field in record.fields {
            let bytes = Self.bytes(of: field)
            let count = 24 + directory.count + 12 + 1 + data.count + bytes.count + 1
            guard count <= Self.recordLimit else { continue }
            directory += Self.ascii(field.tag, 3) + bytes.count.padded(4).utf8 + data.count.padded(5).utf8
            data += bytes
        }
        let base = 24 + directory.count + 1
        var leader = Array(record.unicodeLeader.utf8.prefix(24))
        leader.replaceSubrange(0..<5, with: (base + data.count + 1).padded(5).utf8)
        // Two indicators, and codes of two characters: the mark and the letter.
        leader.replaceSubrange(10..<17, with: ("22" + base.padded(5)).utf8)
        leader.replaceSubrange(20..<24, with: "4500".utf8)
        text += leader + directory + [Self.fieldEnd] + data + [Self.recordEnd]
    }

    /// Returns the bytes of a field with its end.
    private static func bytes(of field: MARCText.Field) -> [UInt8] {
        var bytes = field.isControl ? [] : ascii(field.first, 1) + ascii(field.second, 1)
        for subfield in field.subfields {
            if !field.isControl { bytes += [subfieldMark] + ascii(subfield.code, 1) }
            // Control characters would end fields, or act on a terminal; line ends are in some notes.
            bytes += subfield.text.utf8.filter { $0 >= 0x20 && $0 != 0x7F || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
        }
        if bytes.count >= fieldLimit {
            var count = fieldLimit - 1
            // Not within a character.
            while bytes[count] & 0xC0 == 0x80 { count -= 1 }
            bytes.removeSubrange(count...)
        }
        return bytes + [fieldEnd]
    }

    /// Returns a text of exactly `count` characters of ASCII.
    private static func ascii(_ text: String, _ count: Int) -> [UInt8] {
        let bytes = text.utf8.prefix(count).map { (0x20..<0x7F).contains($0) ? $0 : 0x20 }
        return bytes + repeatElement(0x20, count: count - bytes.count)
    }
}
