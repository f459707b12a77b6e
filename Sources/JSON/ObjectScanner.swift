/// Parses lines that are JSON objects, member by member.
///
/// Most lines are plain, without escapes and with few values other than strings. They are decoded only as far as
/// needed, which takes a fifth of the time; other lines are decoded completely.
public struct ObjectScanner {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var offset = 0

    /// The bytes of a key or string without escapes, inside the line.
    public typealias Text = UnsafeBufferPointer<UInt8>

    /// Folds the members of the object in `line` with `add`.
    ///
    /// - Parameter start: The initial result.
    /// - Returns: The result, or nil if the line is not an object.
    @inline(__always)
    public static func reading<Result>(
        _ line: UnsafeBufferPointer<UInt8>, into start: Result,
        _ add: (inout Result, ScannedKey, ScannedValue) -> Void
    ) -> Result? {
        var scanner = ObjectScanner(bytes: line)
        var result = start
        if scanner.scanMembers({ add(&result, $0, $1) }) { return result }
        guard let members = JSONValue(parsing: line)?.members else { return nil }
        result = start
        for member in members { ScannedKey.with(member.key) { add(&result, $0, .value(member.value)) } }
        return result
    }

    private init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// - Returns: Whether the line is a plain object; if not, `add` may have been called for some members nevertheless.
    @inline(__always)
    private mutating func scanMembers(_ add: (ScannedKey, ScannedValue) -> Void) -> Bool {
        guard take("{") else { return false }
        if take("}") { return offset == bytes.count }
        repeat {
            guard let key = scanText(), take(":"), let value = scanValue() else { return false }
            add(ScannedKey(bytes: key), value)
        } while take(",")
        return take("}") && offset == bytes.count
    }

    @inline(__always)
    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard offset < bytes.count, bytes[offset] == UInt8(ascii: character) else { return false }
        offset += 1
        return true
    }

    @inline(__always)
    private mutating func scanValue() -> ScannedValue? {
        guard offset < bytes.count else { return nil }
        switch bytes[offset] {
        case UInt8(ascii: "\""): return scanText().map(ScannedValue.text)
        case UInt8(ascii: "["): return scanTexts().map(ScannedValue.texts)
        default: return scanOther().map(ScannedValue.value)
        }
    }

    @inline(never)
    private mutating func scanOther() -> JSONValue? {
        switch bytes[offset] {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): scanNumber()
        case UInt8(ascii: "t"): scanLiteral("true") ? .boolean(true) : nil
        case UInt8(ascii: "f"): scanLiteral("false") ? .boolean(false) : nil
        case UInt8(ascii: "n"): scanLiteral("null") ? .null : nil
        case UInt8(ascii: "{"): scanObject()
        default: nil
        }
    }

    @inline(__always)
    private mutating func scanText() -> Text? {
        guard take("\"") else { return nil }
        let start = offset
        while offset < bytes.count {
            let byte = bytes[offset]
            if byte == UInt8(ascii: "\"") {
                offset += 1
                return Text(rebasing: bytes[start..<offset - 1])
            }
            if byte == UInt8(ascii: "\\") || byte < 0x20 { return nil }
            offset += 1
        }
        return nil
    }

    private mutating func scanNumber() -> JSONValue? {
        let start = offset
        while offset < bytes.count, bytes[offset] &- UInt8(ascii: "0") < 10 { offset += 1 }
        // JSON forbids leading zeros; the other forms of numbers are left to `JSONReader`.
        if offset - start > 1 && bytes[start] == UInt8(ascii: "0") { return nil }
        return .number(String(decoding: Text(rebasing: bytes[start..<offset]), as: UTF8.self))
    }

    private mutating func scanLiteral(_ literal: StaticString) -> Bool {
        let count = literal.utf8CodeUnitCount
        guard offset + count <= bytes.count else { return false }
        for index in 0..<count where bytes[offset + index] != literal.utf8Start[index] { return false }
        offset += count
        return true
    }

    private mutating func scanTexts() -> [String]? {
        guard take("[") else { return nil }
        if take("]") { return [] }
        var texts: [String] = []
        repeat {
            guard let text = scanText() else { return nil }
            texts.append(String(decoding: text, as: UTF8.self))
        } while take(",")
        return take("]") ? texts : nil
    }

    private mutating func scanObject() -> JSONValue? {
        guard take("{") else { return nil }
        if take("}") { return .object([]) }
        var members: [JSONValue.Member] = []
        repeat {
            guard let key = scanText(), take(":"), let value = scanValue() else { return nil }
            members.append(JSONValue.Member(key: String(decoding: key, as: UTF8.self), value: value.json))
        } while take(",")
        return take("}") ? .object(members) : nil
    }
}

/// A key of an object, in place in its line.
public struct ScannedKey {
    /// The UTF-8 bytes of the key.
    public let bytes: ObjectScanner.Text

    /// Creates a key of these bytes.
    public init(bytes: ObjectScanner.Text) { self.bytes = bytes }

    /// Calls `body` with `text` as a key.
    public static func with(_ text: String, _ body: (ScannedKey) -> Void) {
        var text = text
        text.withUTF8 { body(ScannedKey(bytes: $0)) }
    }

    /// The key as a string.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Returns whether the key equals `known`.
    @inline(__always)
    public static func ~= (known: StaticString, key: ScannedKey) -> Bool {
        let count = known.utf8CodeUnitCount
        guard key.bytes.count == count else { return false }
        for index in 0..<count where key.bytes[index] != known.utf8Start[index] { return false }
        return true
    }
}

/// A value of an object, decoded only as far as needed.
public enum ScannedValue {
    /// A string, in place in its line.
    case text(ObjectScanner.Text)
    /// An array of strings.
    case texts([String])
    /// Any other value, or a decoded one.
    case value(JSONValue)

    /// The text of a string; nil for other values.
    public var string: String? {
        switch self {
        case .text(let bytes): String(decoding: bytes, as: UTF8.self)
        case .texts: nil
        case .value(let value): value.string
        }
    }

    /// The strings of an array that contains nothing else.
    public var texts: [String]? {
        switch self {
        case .text: nil
        case .texts(let texts): texts
        case .value(let value): value.strings
        }
    }

    /// The decoded value.
    public var json: JSONValue {
        switch self {
        case .text(let bytes): .string(String(decoding: bytes, as: UTF8.self))
        case .texts(let texts): JSONValue(texts)
        case .value(let value): value
        }
    }

    /// The value of a number if it fits an Int; nil for other values.
    public var integer: Int? { if case .value(let value) = self { value.integer } else { nil } }

    /// The value of a Boolean; nil for other values.
    public var boolean: Bool? { if case .value(let value) = self { value.boolean } else { nil } }
}
