/// A record that is longer than the five digits in which ISO 2709 has its length, in parts that libyaz reads.
///
/// Programs write 99999 as its length, and places in the directory that have lost a digit. The fields are in the order of
/// the directory, and each has an end, so that their places are not needed.
struct LongMARCRecord {
    /// Records with the same leader, each with some of the fields.
    private(set) var parts: [[UInt8]] = []
    /// Whether the parts have all fields.
    private(set) var isWhole = true

    /// The largest length of a record in five digits.
    static let limit = 99_999
    private static let (fieldEnd, recordEnd): (UInt8, UInt8) = (0x1E, 0x1D)
    /// The lengths of a leader, and of a tag, a length and a place, of five digits each, in a directory.
    private static let (leaderLength, entryLength) = (24, 13)

    /// Splits a record including its end; fails if its directory is not one.
    init?(_ record: ArraySlice<UInt8>) {
        let record = Array(record)
        guard record.count > Self.leaderLength,
            let base = Int(String(decoding: record[12..<17], as: UTF8.self)), base > Self.leaderLength,
            base < record.count, record[base - 1] == Self.fieldEnd
        else { return nil }
        let directory = record[Self.leaderLength..<base - 1]
        // The leader says how many digits lengths and places have: four and five, and nothing more.
        let size = 3 + (20...22).reduce(0) { $0 + ((0x30...0x39).contains(record[$1]) ? Int(record[$1] - 0x30) : 0) }
        guard size > 3, directory.count % size == 0 else { return nil }
        let tags = stride(from: directory.startIndex, to: directory.endIndex, by: size).map { record[$0..<$0 + 3] }
        let fields = record[base...].dropLast().split(separator: Self.fieldEnd, omittingEmptySubsequences: false)
        // An end of a field within a field would give those after it wrong tags. The last one is followed by nothing.
        guard fields.count <= tags.count + 1 else { return nil }
        isWhole = fields.count == tags.count + 1
        var part: [(tag: ArraySlice<UInt8>, text: ArraySlice<UInt8>)] = []
        var length = Self.leaderLength + 2
        for (tag, text) in zip(tags, fields) {
            let added = Self.entryLength + text.count + 1
            if Self.leaderLength + 2 + added > Self.limit {
                isWhole = false
                continue
            }
            if length + added > Self.limit {
                parts.append(Self.record(part, leader: record[..<Self.leaderLength]))
                part.removeAll()
                length = Self.leaderLength + 2
            }
            part.append((tag, text))
            length += added
        }
        if !part.isEmpty { parts.append(Self.record(part, leader: record[..<Self.leaderLength])) }
        if parts.isEmpty { return nil }
    }

    private static func record(
        _ fields: [(tag: ArraySlice<UInt8>, text: ArraySlice<UInt8>)], leader: ArraySlice<UInt8>
    ) -> [UInt8] {
        var directory: [UInt8] = []
        var text: [UInt8] = []
        for field in fields {
            directory += Array(field.tag) + digits(field.text.count + 1) + digits(text.count)
            text += field.text + [fieldEnd]
        }
        var record = Array(leader) + directory + [fieldEnd]
        record.replaceSubrange(12..<17, with: digits(record.count))
        record.replaceSubrange(20..<23, with: "550".utf8)
        record += text + [recordEnd]
        record.replaceSubrange(0..<5, with: digits(record.count))
        return record
    }

    /// Returns a number below 100,000 in five digits.
    static func digits(_ number: Int) -> [UInt8] {
        let digits = String(number)
        return Array((String(repeating: "0", count: 5 - digits.count) + digits).utf8)
    }
}
