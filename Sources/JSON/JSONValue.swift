/// A JSON value that was decoded whole: for the small values within a record, and for the reader's small files on the way
/// to the first screen, where the first use of `JSONDecoder` would take as long as all the rest (0.5 ms, measured).
public enum JSONValue: Hashable, Sendable {
    /// Nothing.
    case null
    /// True or false.
    case boolean(Bool)
    /// A number, as it is written.
    case number(String)
    /// A string, its escapes resolved.
    case string(String)
    /// The elements in the order of the text.
    case array([JSONValue])
    /// The members in the order of the text; the last of several with one key counts.
    case object([Member])

    /// A key with its value.
    public struct Member: Hashable, Sendable {
        /// The key, its escapes resolved.
        public var key: String
        /// The value.
        public var value: JSONValue

        /// The member of this key and value.
        public init(key: String, value: JSONValue) {
            self.key = key
            self.value = value
        }
    }

    /// The value that `bytes`, a JSON text in UTF-8, are; nil where they are not valid JSON.
    public init?(parsing bytes: some Sequence<UInt8>) {
        let value = JSONReader.reading(bytes) { reader -> JSONValue? in
            guard let value = try? reader.readValue(), (try? reader.readEnd()) != nil else { return nil }
            return value
        }
        guard let value else { return nil }
        self = value
    }

    /// The value of a key, where this is an object that has it.
    public subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.key == key }?.value
    }

    /// The members, where this is an object.
    public var members: [Member]? {
        if case .object(let members) = self { members } else { nil }
    }

    /// The text, where this is a string.
    public var string: String? {
        if case .string(let string) = self { string } else { nil }
    }

    /// The number, where this is one that an Int holds.
    public var integer: Int? {
        if case .number(let number) = self { Int(number) } else { nil }
    }

    /// The truth, where this is a boolean.
    package var boolean: Bool? {
        if case .boolean(let boolean) = self { boolean } else { nil }
    }
}

extension JSONValue {
    /// This value as JSON without any blanks (RFC 8259); numbers as they were written.
    public var json: String {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the same to `bytes`, in UTF-8.
    package func write(to bytes: inout [UInt8]) {
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

    private static func write(_ string: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in string.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0x08: bytes += "\\b".utf8
            case 0x09: bytes += "\\t".utf8
            case 0x0A: bytes += "\\n".utf8
            case 0x0C: bytes += "\\f".utf8
            case 0x0D: bytes += "\\r".utf8
            case ..<0x20:
                bytes += byte < 0x10 ? "\\u000".utf8 : "\\u001".utf8
                bytes += String(byte & 0xF, radix: 16).utf8
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}

extension JSONReader {
    /// Reads the value that begins here.
    package mutating func readValue(depth: Int = 0) throws(JSONSyntaxError) -> JSONValue {
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
