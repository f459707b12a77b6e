internal import Glibc

/// An object with the spelling of its members, as far as it says more than their values: a string with escapes may have
/// one half of a surrogate pair, which no decoded text has.
public struct SpelledObject: Sendable {
    /// The object.
    public let value: JSONValue
    /// The texts of the members with escapes, by key, without white space between their tokens and harmless for
    /// terminals.
    public let spellings: [String: String]

    /// Creates an object of which no spelling is known.
    public init(_ value: JSONValue) { (self.value, spellings) = (value, [:]) }

    /// Parses JSON text in UTF-8; fails if it is invalid.
    public init?(parsing bytes: some Sequence<UInt8>) {
        let read = JSONReader.reading(bytes) { reader -> SpelledObject? in
            guard reader.peek() != nil, let object = try? SpelledObject(from: &reader), (try? reader.readEnd()) != nil
            else { return nil }
            return object
        }
        guard let read else { return nil }
        self = read
    }

    /// Reads the object at the offset of `reader`.
    public init(from reader: inout JSONReader) throws(JSONSyntaxError) {
        let start = reader.offset
        value = try reader.readValue(depth: 1)
        var found: [String: String] = [:]
        if value.members != nil, Self.hasEscape(start..<reader.offset, in: reader) {
            reader.move(to: start)
            try reader.readObject(depth: 1) { (reader: inout JSONReader, key: Range<Int>) throws(JSONSyntaxError) in
                let start = reader.offset
                try reader.skipValue(depth: 2)
                let range = start..<reader.offset
                guard Self.hasEscape(range, in: reader), let name = JSONValue(parsing: reader.bytes(of: key))?.string,
                    let text = String(validating: Self.compact(reader.bytes(of: range)), as: UTF8.self)
                else { return }
                found[name] = text.harmlessJSON
            }
        }
        spellings = found
    }

    private static func hasEscape(_ range: Range<Int>, in reader: JSONReader) -> Bool {
        memchr(reader.pointer(to: range.lowerBound), Int32(UInt8(ascii: "\\")), range.count) != nil
    }

    /// Returns JSON without the white space outside of its strings.
    private static func compact(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var (isInString, isEscaped) = (false, false)
        for byte in text {
            if !isInString, byte <= 0x20 { continue }
            bytes.append(byte)
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isInString.toggle()
            }
        }
        return bytes
    }
}
