internal import ConnectorProtocol
internal import JSON

/// The supported text encodings.
enum TextEncoding: String {
    case utf8 = "UTF-8"
    case utf16LittleEndian = "UTF-16LE"
    case utf16BigEndian = "UTF-16BE"
    case windows1252 = "Windows-1252"
    case gb18030 = "GB18030"

    /// Detects the encoding from the start of a text, and the length of its byte order mark.
    static func detect(in prefix: [UInt8]) -> (encoding: TextEncoding, markLength: Int) {
        if prefix.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
        if prefix.starts(with: [0xFF, 0xFE]) { return (.utf16LittleEndian, 2) }
        if prefix.starts(with: [0xFE, 0xFF]) { return (.utf16BigEndian, 2) }
        // Without a mark: mostly Latin text has a zero in every other byte.
        let sample = prefix.prefix(1024)
        if sample.count >= 4 {
            let zeros = sample.indices.filter { sample[$0] == 0 }
            let odd = zeros.count { $0 % 2 == 1 }
            if zeros.count * 10 >= sample.count * 3 {
                if odd * 10 >= zeros.count * 9 { return (.utf16LittleEndian, 0) }
                if odd * 10 <= zeros.count { return (.utf16BigEndian, 0) }
            }
        }
        // The prefix may end within a character.
        let whole = prefix.count < 4 ? prefix[...] : prefix.dropLast(prefix.reversed().prefix(3).count { $0 >= 0x80 })
        if whole.withUnsafeBufferPointer(JSONText.isUTF8) { return (.utf8, 0) }
        return (isChinese(prefix) ? .gb18030 : .windows1252, 0)
    }

    /// Returns whether the bytes above ASCII are pairs, and most pairs encode one of the 3755 common characters of GB
    /// 2312. In Windows-1252, these bytes are single, between ASCII letters.
    private static func isChinese(_ text: [UInt8]) -> Bool {
        var (pairs, common) = (0, 0)
        var index = 0
        while index < text.count {
            let lead = text[index]
            index += 1
            if lead < 0x80 { continue }
            // The text may continue after the prefix.
            guard index < text.count else { break }
            let trail = text[index]
            index += 1
            guard lead > 0x80, lead < 0xFF, trail >= 0x40, trail != 0x7F, trail < 0xFF else { return false }
            // Punctuation and full-width letters do not decide.
            if (0xA1...0xA3).contains(lead) { continue }
            pairs += 1
            if (0xB0...0xD7).contains(lead), trail >= 0xA1 { common += 1 }
        }
        return pairs > 1 && common * 10 >= pairs * 8
    }

    /// Returns the start of a text as UTF-8 without its byte order mark, for detection; Windows-1252 is unchanged.
    static func decoded(_ prefix: [UInt8]) -> [UInt8] {
        let (encoding, markLength) = detect(in: prefix)
        let bytes = prefix.dropFirst(markLength)
        switch encoding {
        case .utf8, .windows1252: return Array(bytes)
        case .gb18030:
            let text = ConvertedText(PrefixedBytes(Array(bytes)), from: encoding)
            return (try? text.read(upTo: prefix.count * 2)) ?? Array(bytes)
        case .utf16LittleEndian, .utf16BigEndian:
            let units = utf16Units(bytes, isBigEndian: encoding == .utf16BigEndian)
            return Array(String(decoding: units, as: UTF16.self).utf8)
        }
    }

    /// Returns the text in `source` as UTF-8; Windows-1252 is unchanged. The source starts after the byte order mark.
    func decoded(_ source: any ByteSource) -> any ByteSource {
        switch self {
        case .utf8, .windows1252: source
        case .gb18030: ConvertedText(source, from: self)
        case .utf16LittleEndian: UTF16Text(source, isBigEndian: false)
        case .utf16BigEndian: UTF16Text(source, isBigEndian: true)
        }
    }
}

/// Converts UTF-16 to UTF-8.
final class UTF16Text: ByteSource {
    private let source: any ByteSource
    private let isBigEndian: Bool
    private var rest: [UInt8] = []
    private var converted: ArraySlice<UInt8> = []
    private var isAtEnd = false
    private var endsWithinUnit = false

    var isCut: Bool { source.isCut || endsWithinUnit }

    /// Creates a stream of the text in `source`, which starts after the byte order mark.
    init(_ source: any ByteSource, isBigEndian: Bool) {
        self.source = source
        self.isBigEndian = isBigEndian
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ConnectorFailure) -> Int {
        while converted.isEmpty {
            if isAtEnd { return 0 }
            try convert()
        }
        let count = min(converted.count, buffer.count)
        buffer.copyBytes(from: converted.prefix(count))
        converted = converted.dropFirst(count)
        return count
    }

    private func convert() throws(ConnectorFailure) {
        let added = try source.read(upTo: 1 << 16)
        isAtEnd = added.isEmpty
        let bytes = rest + added
        var units = utf16Units(bytes[...], isBigEndian: isBigEndian)
        rest = Array(bytes.suffix(bytes.count % 2))
        if isAtEnd {
            endsWithinUnit = !rest.isEmpty
        } else if let last = units.last, UTF16.isLeadSurrogate(last) {
            // The second half of the surrogate pair is in the next part.
            units.removeLast()
            rest = Array(bytes.suffix(bytes.count % 2 + 2))
        }
        converted = Array(String(decoding: units, as: UTF16.self).utf8)[...]
    }
}

/// Returns the UTF-16 code units of pairs of bytes; an odd byte at the end is ignored.
func utf16Units(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> [UInt16] {
    var units: [UInt16] = []
    units.reserveCapacity(bytes.count / 2)
    var index = bytes.startIndex
    while index + 1 < bytes.endIndex {
        let first = UInt16(bytes[index])
        let second = UInt16(bytes[index + 1])
        units.append(isBigEndian ? first << 8 | second : second << 8 | first)
        index += 2
    }
    return units
}
