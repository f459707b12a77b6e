/// A decoded JSON value.
///
/// It is used for small values in records and for small user files at start-up, where the first use of `JSONDecoder`
/// would take as long as everything else (0.5 ms, measured).
public enum JSONValue: Hashable, Sendable {
    /// The JSON null.
    case null
    /// A Boolean.
    case boolean(Bool)
    /// A number in its original spelling.
    case number(String)
    /// A string with its escapes decoded.
    case string(String)
    /// The elements in text order.
    case array([JSONValue])
    /// The members in text order; if a key occurs more than once, its last member counts.
    case object([Member])

    /// A member of an object.
    public struct Member: Hashable, Sendable {
        /// The key with its escapes decoded.
        public var key: String
        /// The value.
        public var value: JSONValue

        /// Creates a member.
        public init(key: String, value: JSONValue) {
            self.key = key
            self.value = value
        }
    }

    /// Parses JSON text in UTF-8; fails if it is invalid.
    public init?(parsing bytes: some Sequence<UInt8>) {
        let value = JSONReader.reading(bytes) { reader -> JSONValue? in
            guard let value = try? reader.readValue(), (try? reader.readEnd()) != nil else { return nil }
            return value
        }
        guard let value else { return nil }
        self = value
    }

    /// The value of a key of this object.
    public subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.key == key }?.value
    }

    /// The elements, if this is an array.
    public var elements: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The members of this object; nil for other values.
    public var members: [Member]? {
        if case .object(let members) = self { members } else { nil }
    }

    /// The text of this string; nil for other values.
    public var string: String? {
        if case .string(let string) = self { string } else { nil }
    }

    /// The value of this number if it fits an Int; nil for other values.
    public var integer: Int? {
        if case .number(let number) = self { Int(number) } else { nil }
    }

    /// The value of this Boolean; nil for other values.
    public var boolean: Bool? {
        if case .boolean(let boolean) = self { boolean } else { nil }
    }
}

extension JSONValue {
    /// This value as JSON without white space (RFC 8259); numbers keep their spelling.
    public var json: String {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends this value to `bytes` as JSON without white space, in UTF-8.
    public func write(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes += "null".utf8
        case .boolean(let boolean): bytes += (boolean ? "true" : "false").utf8
        case .number(let number): bytes += number.utf8
        case .string(let string): Self.write(string, to: &bytes)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                element.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                Self.write(member.key, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.value.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    /// Appends `string` to `bytes` as a JSON string in UTF-8; only what RFC 8259 demands is escaped.
    static func write(_ string: String, to bytes: inout [UInt8]) {
        var string = string
        string.withUTF8 { write($0, to: &bytes) }
    }

    /// Appends text in UTF-8 as a JSON string.
    static func write(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        var start = 0
        for (index, byte) in text.enumerated() where needsEscape(byte) {
            // What stands between two escapes is copied at once.
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<index]))
            bytes.append(UInt8(ascii: "\\"))
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
            case 0x08: bytes.append(UInt8(ascii: "b"))
            case 0x09: bytes.append(UInt8(ascii: "t"))
            case 0x0A: bytes.append(UInt8(ascii: "n"))
            case 0x0C: bytes.append(UInt8(ascii: "f"))
            case 0x0D: bytes.append(UInt8(ascii: "r"))
            default:
                bytes += byte < 0x10 ? "u000".utf8 : "u001".utf8
                bytes += String(byte & 0xF, radix: 16).utf8
            }
            start = index + 1
        }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
        bytes.append(UInt8(ascii: "\""))
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }
}

extension JSONReader {
    /// Decodes the next value.
    public mutating func readValue(depth: Int = 0) throws(JSONSyntaxError) -> JSONValue {
        switch peek() {
        case UInt8(ascii: "\""): return .string(try readString())
        case UInt8(ascii: "["):
            var elements: [JSONValue] = []
            try readArray(depth: depth) { reader throws(JSONSyntaxError) in
                elements.append(try reader.readValue(depth: depth + 1))
            }
            return .array(elements)
        case UInt8(ascii: "{"):
            var members: [JSONValue.Member] = []
            try readObject(depth: depth) { reader, key throws(JSONSyntaxError) in
                let value = try reader.readValue(depth: depth + 1)
                members.append(JSONValue.Member(key: reader.string(of: key), value: value))
            }
            return .object(members)
        case let first:
            let start = offset
            try skipValue(depth: depth)
            switch first {
            case UInt8(ascii: "t"): return .boolean(true)
            case UInt8(ascii: "f"): return .boolean(false)
            case UInt8(ascii: "n"): return .null
            default: return .number(numberText(of: start..<offset))
            }
        }
    }
}
