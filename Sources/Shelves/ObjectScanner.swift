internal import Catalog

/// Reads lines that are JSON objects, a member at a time. Most lines are plain: without escapes, and nested no deeper than a
/// list of texts. They take a third of the time that decoding the whole value takes; the others are decoded whole.
struct ObjectScanner {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var offset = 0

    /// Makes something of the members of the object that `line` is, one after another.
    ///
    /// - Parameter start: What nothing was added to yet.
    /// - Returns: What `add` made of it; nil where the line is no object.
    static func reading<Result>(
        _ line: UnsafeBufferPointer<UInt8>, into start: Result, _ add: (inout Result, String, JSONValue) -> Void
    ) -> Result? {
        var scanner = ObjectScanner(bytes: line)
        var result = start
        if scanner.scanMembers({ add(&result, $0, $1) }) { return result }
        guard let members = JSONValue(parsing: line)?.members else { return nil }
        result = start
        for member in members { add(&result, member.key, member.value) }
        return result
    }

    private init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// - Returns: Whether the line is a plain object; where not, some members may have been given all the same.
    private mutating func scanMembers(_ add: (String, JSONValue) -> Void) -> Bool {
        guard take("{") else { return false }
        if take("}") { return offset == bytes.count }
        repeat {
            guard let key = scanText(), take(":"), let value = scanValue() else { return false }
            add(key, value)
        } while take(",")
        return take("}") && offset == bytes.count
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard offset < bytes.count, bytes[offset] == UInt8(ascii: character) else { return false }
        offset += 1
        return true
    }

    private mutating func scanValue() -> JSONValue? {
        guard offset < bytes.count else { return nil }
        switch bytes[offset] {
        case UInt8(ascii: "\""): return scanText().map(JSONValue.string)
        case UInt8(ascii: "0")...UInt8(ascii: "9"): return scanNumber()
        case UInt8(ascii: "t"): return scanLiteral("true") ? .boolean(true) : nil
        case UInt8(ascii: "f"): return scanLiteral("false") ? .boolean(false) : nil
        case UInt8(ascii: "n"): return scanLiteral("null") ? .null : nil
        case UInt8(ascii: "["): return scanTexts()
        case UInt8(ascii: "{"): return scanObject()
        default: return nil
        }
    }

    private mutating func scanText() -> String? {
        guard take("\"") else { return nil }
        let start = offset
        while offset < bytes.count {
            let byte = bytes[offset]
            if byte == UInt8(ascii: "\"") {
                let text = String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<offset]), as: UTF8.self)
                offset += 1
                return text
            }
            if byte == UInt8(ascii: "\\") || byte < 0x20 { return nil }
            offset += 1
        }
        return nil
    }

    private mutating func scanNumber() -> JSONValue? {
        let start = offset
        while offset < bytes.count, bytes[offset] &- UInt8(ascii: "0") < 10 { offset += 1 }
        // A leading zero is no JSON; what else a number may have in it is left to those who know.
        if offset - start > 1 && bytes[start] == UInt8(ascii: "0") { return nil }
        return .number(String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<offset]), as: UTF8.self))
    }

    private mutating func scanLiteral(_ literal: StaticString) -> Bool {
        let count = literal.utf8CodeUnitCount
        guard offset + count <= bytes.count else { return false }
        for index in 0..<count where bytes[offset + index] != literal.utf8Start[index] { return false }
        offset += count
        return true
    }

    private mutating func scanTexts() -> JSONValue? {
        guard take("[") else { return nil }
        if take("]") { return .array([]) }
        var texts: [JSONValue] = []
        repeat {
            guard let text = scanText() else { return nil }
            texts.append(.string(text))
        } while take(",")
        return take("]") ? .array(texts) : nil
    }

    private mutating func scanObject() -> JSONValue? {
        guard take("{") else { return nil }
        if take("}") { return .object([]) }
        var members: [JSONValue.Member] = []
        repeat {
            guard let key = scanText(), take(":"), let value = scanValue() else { return nil }
            members.append(JSONValue.Member(key: key, value: value))
        } while take(",")
        return take("}") ? .object(members) : nil
    }
}

/// Writes a JSON object, a member at a time, without blanks.
struct ObjectWriter {
    private(set) var bytes: [UInt8]

    /// A writer of an object that comes after `bytes`.
    init(after bytes: [UInt8] = []) {
        self.bytes = bytes
        self.bytes.append(UInt8(ascii: "{"))
    }

    /// Adds a member; with nil there is none.
    mutating func add(_ key: String, _ value: JSONValue?) {
        guard let value else { return }
        if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
        JSONValue.string(key).write(to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        value.write(to: &bytes)
    }

    /// The bytes with the object ended.
    consuming func ended() -> [UInt8] {
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }
}

extension JSONValue {
    /// The value of a text that may be missing.
    init?(_ text: String?) {
        guard let text else { return nil }
        self = .string(text)
    }

    /// The array of these texts.
    init(_ texts: [String]) { self = .array(texts.map(JSONValue.string)) }

    /// A whole number.
    init(_ number: Int) { self = .number(String(number)) }

    /// The texts, where this is an array of nothing else.
    var texts: [String]? {
        guard case .array(let elements) = self else { return nil }
        var texts: [String] = []
        texts.reserveCapacity(elements.count)
        for element in elements {
            guard let text = element.string else { return nil }
            texts.append(text)
        }
        return texts
    }

    /// The numbers, where this is an array of nothing else.
    var integers: [Int]? {
        guard case .array(let elements) = self else { return nil }
        let integers = elements.compactMap(\.integer)
        return integers.count == elements.count ? integers : nil
    }
}
