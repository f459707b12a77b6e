internal import CYAZ
internal import ConnectorProtocol
internal import JSON
internal import MARC

/// A file of MARC 21 records in exchange format (ISO 2709), in MARC-8 or UTF-8.
final class MARCConnector: Connector {
    private let input: SourceInput
    let opened = OpenedSource(kind: "marc", profile: "native")
    var version: SourceVersion { input.version }

    /// The largest record. One with all copies of a newspaper has a few hundred kilobytes.
    private static let recordLimit = 1 << 22
    private static let recordEnd: UInt8 = 0x1D

    /// Opens a file whose first record has a valid leader; fails for other files.
    init?(_ input: SourceInput) {
        self.input = input
        let start = input.prefix.drop { Self.isBetweenRecords($0) }
        guard start.count >= 24 else { return nil }
        let leader = Array(start.prefix(24))
        func areDigits(_ range: Range<Int>) -> Bool { leader[range].allSatisfy { (0x30...0x39).contains($0) } }
        guard areDigits(0..<5), areDigits(12..<17) else { return nil }
        // Some programs leave out the numbers of indicators and digits.
        let base = Int(String(decoding: leader[12..<17], as: UTF8.self)) ?? 0
        let end = start.startIndex + base - 1
        let hasDirectory = base % 12 == 1 && start.indices.contains(end) && start[end] == 0x1E
        guard leader[10] == 0x32 || leader[20] == 0x34 || hasDirectory else { return nil }
    }

    /// Whether the byte is a line end, a zero that pads a block, or part of a byte order mark.
    private static func isBetweenRecords(_ byte: UInt8) -> Bool {
        [0x0A, 0x0D, 0x20, 0x00, 0x1A, 0xEF, 0xBB, 0xBF].contains(byte)
    }

    func copy(to rows: RowWriter) throws(ConnectorFailure) -> Bool {
        let source = input.content()
        guard let reader = MARCReader(input.namedEncoding) else { throw ConnectorFailure(.helper, detail: "libyaz") }
        var buffer: [UInt8] = []
        var start = 0
        // The offset in the source of the first byte in the buffer.
        var offset = 0
        var number = 0
        var isAtEnd = false
        // Whether the following bytes belong to a record that is too long.
        var isOverlong = false
        while true {
            while start < buffer.count, Self.isBetweenRecords(buffer[start]) { start += 1 }
            var end = buffer[start...].firstIndex(of: Self.recordEnd)
            if end == nil, !isAtEnd {
                buffer.removeSubrange(..<start)
                offset += start
                start = 0
                let more = try source.read(upTo: 1 << 18)
                isAtEnd = more.isEmpty
                buffer += more
                if buffer.count <= Self.recordLimit { continue }
                // No record end within the maximum length: the bytes are not a record.
                end = buffer.count - 1
            }
            guard start < buffer.count else { break }
            if !isOverlong { number += 1 }
            guard let end else {
                rows.note(.cut, at: .record(number))
                return false
            }
            let record = buffer[start...end]
            rows.place = .offset(offset + start)
            start = end + 1
            if isOverlong || record.count > Self.recordLimit {
                if !isOverlong { rows.note(.tooLarge, at: .record(number)) }
                isOverlong = record.last != Self.recordEnd
                continue
            }
            guard reader.read(record) else {
                rows.note(.malformed, at: .record(number))
                continue
            }
            var isText = true
            try rows.add { isText = reader.record.append(to: &$0) }
            if !isText || reader.isRepaired { rows.note(.encoding, at: .record(number)) }
            if !reader.isWhole { rows.note(.fieldTooLarge, at: .record(number)) }
        }
        if source.isCut { rows.note(.cut, at: .record(number)) }
        return !source.isCut
    }
}

/// Reads records with libyaz.
final class MARCReader {
    private let marc: yaz_marc_t
    private let converter: yaz_iconv_t
    /// Whether the user has named the encoding, so that it is not detected for each record.
    private let isNamed: Bool
    private let text: UnsafeMutablePointer<wrbuf>
    /// The record that was read.
    private(set) var record = MARCRecord()
    /// Whether the record has bytes that are invalid in its encoding.
    private(set) var isRepaired = false
    /// Whether all fields of the record were read.
    private(set) var isWhole = true

    /// The byte at the end of a directory.
    private static let fieldMark: UInt8 = 0x1E

    /// Creates a reader of records in an encoding that the user has named, or else in MARC-8 or UTF-8; fails if libyaz has
    /// no memory.
    init?(_ encoding: TextEncoding? = nil) {
        guard let marc = yaz_marc_create(), let text = wrbuf_alloc(),
            let converter = yaz_iconv_open("utf-8", encoding?.name ?? "marc-8")
        else { return nil }
        isNamed = encoding != nil
        self.marc = marc
        self.converter = converter
        self.text = text
        yaz_marc_subfield_str(marc, "\u{1F}")
        yaz_marc_endline_str(marc, "\u{1E}")
    }

    deinit {
        yaz_marc_destroy(marc)
        yaz_iconv_close(converter)
        wrbuf_destroy(text)
    }

    /// Reads a record including its end.
    ///
    /// - Returns: Whether it is a record.
    func read(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.count > 25 else { return false }
        let leader = Array(bytes.prefix(24))
        guard let parts = parts(of: bytes) else { return false }
        // Some programs write UTF-8 without declaring it in the leader.
        if isNamed { return convert(parts, leader, by: converter) }
        let isUTF8 = bytes.withUnsafeBufferPointer(JSONText.isUTF8)
        isRepaired = leader[9] == UInt8(ascii: "a") && !isUTF8
        // Escape sequences for scripts such as Chinese are ASCII.
        let isEscaped = bytes.contains(0x1B) && bytes.withUnsafeBufferPointer(JSONText.isASCII)
        let isMARC8 = leader[9] != UInt8(ascii: "a") && (!isUTF8 || isEscaped)
        guard convert(parts, leader, by: isMARC8 ? converter : nil) else { return false }
        if isMARC8, record.emptyCount > 0 {
            // libyaz drops text with a wrong escape sequence; unconverted, at least its letters are readable.
            let emptyCount = record.emptyCount
            guard convert(parts, leader, by: nil) else { return false }
            if record.emptyCount < emptyCount {
                isRepaired = true
            } else {
                return convert(parts, leader, by: converter)
            }
        }
        return true
    }

    /// Returns records that libyaz reads, with all fields of a record that has not lost any.
    private func parts(of bytes: ArraySlice<UInt8>) -> [[UInt8]]? {
        isWhole = true
        if bytes.count > RebuiltMARCRecord.limit {
            let rebuilt = RebuiltMARCRecord(bytes)
            isWhole = rebuilt?.isWhole ?? true
            return rebuilt?.parts
        }
        // Otherwise libyaz would read a part of one field as the next one.
        if RebuiltMARCRecord.hasWrongPlaces(bytes), let rebuilt = RebuiltMARCRecord(bytes), rebuilt.isWhole {
            return rebuilt.parts
        }
        // The actual end takes precedence over a wrong length.
        var copy = Array(bytes)
        copy.replaceSubrange(0..<5, with: RebuiltMARCRecord.digits(copy.count))
        // libyaz accepts directories that end anywhere.
        let base = Int(String(decoding: copy[12..<17], as: UTF8.self)) ?? 0
        guard base > 24, base < copy.count, copy[base - 1] == Self.fieldMark else { return nil }
        return [copy]
    }

    private func convert(_ parts: [[UInt8]], _ leader: [UInt8], by converter: yaz_iconv_t?) -> Bool {
        record.removeAll()
        record.setLeader(leader)
        return parts.allSatisfy { add($0, by: converter) } && !record.fields.isEmpty
    }

    /// Adds the fields of a record.
    private func add(_ bytes: [UInt8], by converter: yaz_iconv_t?) -> Bool {
        yaz_marc_reset(marc)
        yaz_marc_iconv(marc, converter)
        let length = bytes.withUnsafeBytes { yaz_marc_read_iso2709(marc, $0.baseAddress, Int32($0.count)) }
        guard length > 0 else { return false }
        wrbuf_rewind(text)
        guard yaz_marc_write_line(marc, text) == 0, let start = text.pointee.buf else { return false }
        let written = UnsafeBufferPointer(
            start: UnsafeRawPointer(start).assumingMemoryBound(to: UInt8.self), count: text.pointee.pos)
        record.addLines(written)
        return true
    }
}
