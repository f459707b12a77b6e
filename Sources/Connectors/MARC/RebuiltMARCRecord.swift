/// A record whose fields are found by their ends, in parts that libyaz reads.
///
/// The fields are in the order of the directory, and each has an end, so that their places are not needed. They are wrong
/// where a program has counted characters instead of bytes. In a record that is longer than the five digits in which
/// ISO 2709 has its length, programs write 99999 as its length, and places that have lost a digit.
struct RebuiltMARCRecord {
    /// Records with the same leader, each with some of the fields.
    private(set) var parts: [[UInt8]] = []
    /// Whether the parts have all fields.
    private(set) var isWhole = true

    /// The largest length of a record in five digits.
    static let limit = 99_999
    private static let (fieldEnd, recordEnd): (UInt8, UInt8) = (0x1E, 0x1D)
    /// The lengths of a leader, and of a tag, a length and a place, of five digits each, in a directory.
    private static let (leaderLength, entryLength) = (24, 13)

    /// The directory of a record.
    private struct Directory {
        /// The tag, the length and the place of each field, as they are written.
        let entries: [ArraySlice<UInt8>]
        /// Where the fields begin.
        let base: Int
        /// The number of digits of a length.
        private let lengthSize: Int
        /// The number of digits of a place.
        private let placeSize: Int

        /// Reads the directory of a record; fails if what follows the leader is none.
        init?(of record: [UInt8]) {
            guard record.count > leaderLength, let base = Self.number(record[12..<17]), base > leaderLength,
                base < record.count, record[base - 1] == fieldEnd
            else { return nil }
            self.base = base
            // The leader says how many digits lengths and places have: four and five, and nothing more.
            let sizes = record[20...22].map { Self.number([$0]) ?? 0 }
            (lengthSize, placeSize) = (sizes[0], sizes[1])
            let size = 3 + sizes.reduce(0, +)
            let bytes = record[leaderLength..<base - 1]
            guard size > 3, bytes.count % size == 0 else { return nil }
            entries = stride(from: bytes.startIndex, to: bytes.endIndex, by: size).map { bytes[$0..<$0 + size] }
        }

        /// The offsets of the fields in the record, each with its end; nil if the directory has other bytes than digits.
        var ranges: [Range<Int>]? {
            var ranges: [Range<Int>] = []
            for entry in entries {
                let numbers = entry.dropFirst(3)
                guard let length = Self.number(numbers.prefix(lengthSize)),
                    let place = Self.number(numbers.dropFirst(lengthSize).prefix(placeSize))
                else { return nil }
                ranges.append(base + place..<base + place + length)
            }
            return ranges
        }

        /// Returns the number of up to nine digits; nil if there are other bytes.
        private static func number(_ digits: some Collection<UInt8>) -> Int? {
            digits.allSatisfy { (0x30...0x39).contains($0) } ? digits.reduce(0) { $0 * 10 + Int($1 - 0x30) } : nil
        }
    }

    /// Whether a field of a record begins or ends elsewhere than its directory says, while the order of the fields is
    /// that of the directory.
    static func hasWrongPlaces(_ record: ArraySlice<UInt8>) -> Bool {
        let record = Array(record)
        guard let ranges = Directory(of: record)?.ranges,
            zip(ranges, ranges.dropFirst()).allSatisfy({ $0.lowerBound < $1.lowerBound })
        else { return false }
        return !ranges.allSatisfy {
            $0.upperBound < record.count && record[$0.lowerBound - 1] == fieldEnd
                && record[$0.upperBound - 1] == fieldEnd
        }
    }

    /// Splits a record including its end; fails if its directory is not one.
    init?(_ record: ArraySlice<UInt8>) {
        let record = Array(record)
        guard let directory = Directory(of: record) else { return nil }
        let tags = directory.entries.map { $0.prefix(3) }
        let fields = record[directory.base...].dropLast().split(
            separator: Self.fieldEnd, omittingEmptySubsequences: false)
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
