/// Writes JSON strings from bytes in place, without creating Swift strings.
public enum JSONText {
    /// The encoding of the bytes of a string.
    public enum Encoding {
        /// UTF-8.
        case valid
        /// Invalid UTF-8, decoded as Windows-1252.
        case windows1252
    }

    /// Appends `text` as a JSON string; text that is not UTF-8 is read as Windows-1252.
    @discardableResult
    public static func append(_ text: UnsafeBufferPointer<UInt8>, to json: inout [UInt8]) -> Encoding {
        json.append(UInt8(ascii: "\""))
        var encoding = Encoding.valid
        if isPlain(text) { json.append(contentsOf: text) } else { encoding = appendSpecial(text, to: &json) }
        json.append(UInt8(ascii: "\""))
        return encoding
    }

    /// Appends a key or other short text as a JSON string.
    public static func append(_ text: String, to json: inout [UInt8]) {
        var text = text
        text.withUTF8 { _ = append($0, to: &json) }
    }

    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// Returns whether the bytes are ASCII without quotation marks, backslashes and control characters; checks eight at
    /// a time.
    @inline(__always)
    private static func isPlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        let raw = UnsafeRawBufferPointer(text)
        var index = 0
        while index + 8 <= raw.count {
            let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            let quotes = word ^ (ones &* 0x22)
            let backslashes = word ^ (ones &* 0x5C)
            // A byte that is zero, or less than a blank, borrows from its high bit.
            let special =
                ((quotes &- ones) & ~quotes) | ((backslashes &- ones) & ~backslashes) | (word &- ones &* 0x20) | word
            if special & highBits != 0 { return false }
            index += 8
        }
        while index < raw.count {
            let byte = raw[index]
            if byte < 0x20 || byte >= 0x80 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return false }
            index += 1
        }
        return true
    }

    /// Returns whether the bytes are ASCII; checks eight at a time.
    public static func isASCII(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        let raw = UnsafeRawBufferPointer(text)
        var index = 0
        while index + 8 <= raw.count {
            if raw.loadUnaligned(fromByteOffset: index, as: UInt64.self) & highBits != 0 { return false }
            index += 8
        }
        while index < raw.count {
            if raw[index] >= 0x80 { return false }
            index += 1
        }
        return true
    }

    @inline(never)
    private static func appendSpecial(_ text: UnsafeBufferPointer<UInt8>, to json: inout [UInt8]) -> Encoding {
        let isValid = isUTF8(text)
        var start = 0
        for index in text.indices where isSpecial(text[index]) || !isValid && text[index] >= 0x80 {
            json.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<index]))
            start = index + 1
            appendEscaped(text[index], to: &json)
        }
        json.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
        return isValid ? .valid : .windows1252
    }

    @inline(__always)
    private static func isSpecial(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    /// Appends a special character as its escape, or a byte of Windows-1252.
    private static func appendEscaped(_ byte: UInt8, to json: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "\""): json.append(contentsOf: "\\\"".utf8)
        case UInt8(ascii: "\\"): json.append(contentsOf: "\\\\".utf8)
        case 0x0A: json.append(contentsOf: "\\n".utf8)
        case 0x0D: json.append(contentsOf: "\\r".utf8)
        case 0x09: json.append(contentsOf: "\\t".utf8)
        case ..<0x20:
            json.append(contentsOf: byte < 0x10 ? "\\u000".utf8 : "\\u001".utf8)
            json.append(contentsOf: String(byte & 0xF, radix: 16).utf8)
        default: json.append(contentsOf: String(windows1252: byte).utf8)
        }
    }

    /// Returns whether the bytes are valid UTF-8.
    public static func isUTF8(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        isASCII(text) || String(validating: text, as: UTF8.self) != nil
    }

    /// Whether a text has at least as many characters of UTF-8 beyond ASCII as errors: then these are single wrong bytes.
    /// In a text in Chinese, Japanese or Korean of another encoding there are four errors for one such character or more,
    /// elsewhere far more. Linear.
    public static func isMostlyUTF8(_ text: some Sequence<UInt8>) -> Bool {
        var parser = Unicode.UTF8.ForwardParser()
        var bytes = text.makeIterator()
        var (characters, errors) = (0, 0)
        while true {
            switch parser.parseScalar(from: &bytes) {
            case .valid(let encoded): if encoded.count > 1 { characters += 1 }
            case .error: errors += 1
            case .emptyInput: return characters > 0 && characters >= errors
            }
        }
    }
}

extension String {
    /// Decodes a byte of Windows-1252.
    public init(windows1252 byte: UInt8) {
        let scalar =
            (0x80..<0xA0).contains(byte) ? Self.windows1252[Int(byte) - 0x80] : UInt32(byte)
        self = Unicode.Scalar(scalar).map { String($0) } ?? "\u{FFFD}"
    }

    /// The characters 0x80 to 0x9F according to the WHATWG Encoding Standard.
    private static let windows1252: [UInt32] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,
        0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
        0x0153, 0x9D, 0x017E, 0x0178,
    ]
}
