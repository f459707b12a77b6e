extension MARCRecord {
    /// The bytes that are written before subfields and after fields; the text cannot contain them.
    private static let (subfieldMark, fieldMark): (UInt8, UInt8) = (0x1F, 0x1E)

    /// Adds the fields that libyaz writes as lines after the leader, such as "245 10 ␟a Emma /␞".
    public mutating func addLines(_ text: UnsafeBufferPointer<UInt8>) {
        // The leader ends in a line end, whatever ends the other fields.
        var start = text.prefix(64).firstIndex(of: 0x0A).map { $0 + 1 } ?? 0
        while start < text.count {
            let end = text[start...].firstIndex(of: Self.fieldMark) ?? text.count
            while start < end, text[start] == 0x0A { start += 1 }
            addLine(UnsafeBufferPointer(rebasing: text[start..<end]))
            start = end + 1
        }
    }

    private mutating func addLine(_ field: UnsafeBufferPointer<UInt8>) {
        // Comments of libyaz are in parentheses.
        guard field.count > 4, field[3] == 0x20, field[0] != UInt8(ascii: "(") else { return }
        guard var start = field[4...].firstIndex(of: Self.subfieldMark) else {
            beginField(tag: (field[0], field[1], field[2]))
            beginSubfield(0)
            append(UnsafeBufferPointer(rebasing: field[4...]))
            return
        }
        beginField(
            tag: (field[0], field[1], field[2]), first: start > 4 ? field[4] : 0x20, second: start > 5 ? field[5] : 0x20
        )
        while start < field.count {
            let end = field[(start + 1)...].firstIndex(of: Self.subfieldMark) ?? field.count
            var part = field[(start + 1)..<end]
            start = end
            guard let code = part.first else { continue }
            beginSubfield(code)
            // A blank follows each code.
            part = part.dropFirst()
            if part.first == 0x20 { part = part.dropFirst() }
            append(UnsafeBufferPointer(rebasing: part))
        }
    }
}
