private import CSystem
private import Glibc

/// A cursor over JSON text in UTF-8 (RFC 8259) that checks the grammar in full and decodes only what is asked for.
///
/// Bytes in strings that are not UTF-8 are let pass, and become U+FFFD when the string is decoded.
struct JSONReader {
    /// How deep arrays and objects may be nested.
    static let maximumDepth = 512

    private let bytes: UnsafeBufferPointer<UInt8>
    /// The offset of the next byte.
    private(set) var offset: Int

    /// A reader of `bytes`, which must outlive it, from `offset` on.
    init(_ bytes: UnsafeBufferPointer<UInt8>, offset: Int = 0) {
        self.bytes = bytes
        self.offset = offset
    }

    /// The next byte after blanks, or nil at the end.
    mutating func peek() -> UInt8? {
        skipWhitespace()
        return offset < bytes.count ? bytes[offset] : nil
    }

    /// Reads the value that begins here, checks it and passes over it.
    mutating func skipValue(depth: Int = 0) throws(JSONFault) {
        guard let first = peek() else { throw JSONFault(.unexpectedEnd, at: offset) }
        switch first {
        case UInt8(ascii: "\""): try skipString()
        case UInt8(ascii: "{"):
            try readObject(depth: depth) { reader, _ throws(JSONFault) in
                try reader.skipValue(depth: depth + 1)
            }
        case UInt8(ascii: "["):
            try readArray(depth: depth) { reader throws(JSONFault) in
                try reader.skipValue(depth: depth + 1)
            }
        case UInt8(ascii: "t"): try skipLiteral("true")
        case UInt8(ascii: "f"): try skipLiteral("false")
        case UInt8(ascii: "n"): try skipLiteral("null")
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try skipNumber()
        case UInt8(ascii: "+"): throw JSONFault(.malformedNumber, at: offset)
        default: throw JSONFault(.unexpectedCharacter, at: offset)
        }
    }

    /// Reads the array that begins here; `element` is called where each element begins and must read it.
    mutating func readArray(
        depth: Int, _ element: (inout JSONReader) throws(JSONFault) -> Void
    ) throws(JSONFault) {
        try enter(depth: depth)
        if peek() == UInt8(ascii: "]") {
            offset += 1
            return
        }
        while true {
            skipWhitespace()
            try element(&self)
            if try !hasMore(before: UInt8(ascii: "]")) { return }
        }
    }

    /// Reads the object that begins here; `member` is called after each key, where its value begins, and must read it.
    mutating func readObject(
        depth: Int, _ member: (inout JSONReader, Range<Int>) throws(JSONFault) -> Void
    ) throws(JSONFault) {
        try enter(depth: depth)
        if peek() == UInt8(ascii: "}") {
            offset += 1
            return
        }
        while true {
            guard let quote = peek() else { throw JSONFault(.unexpectedEnd, at: offset) }
            guard quote == UInt8(ascii: "\"") else { throw JSONFault(.unexpectedCharacter, at: offset) }
            let start = offset
            try skipString()
            let key = start..<offset
            guard let colon = peek() else { throw JSONFault(.unexpectedEnd, at: offset) }
            guard colon == UInt8(ascii: ":") else { throw JSONFault(.unexpectedCharacter, at: offset) }
            offset += 1
            skipWhitespace()
            try member(&self, key)
            if try !hasMore(before: UInt8(ascii: "}")) { return }
        }
    }

    /// Checks that nothing but blanks follows.
    mutating func readEnd() throws(JSONFault) {
        if peek() != nil { throw JSONFault(.trailingContent, at: offset) }
    }

    private mutating func enter(depth: Int) throws(JSONFault) {
        if depth >= Self.maximumDepth { throw JSONFault(.tooDeep, at: offset) }
        offset += 1
    }

    /// Passes over the comma, or the bracket that ends the array or object.
    private mutating func hasMore(before end: UInt8) throws(JSONFault) -> Bool {
        guard let byte = peek() else { throw JSONFault(.unexpectedEnd, at: offset) }
        guard byte == end || byte == UInt8(ascii: ",") else { throw JSONFault(.unexpectedCharacter, at: offset) }
        offset += 1
        return byte != end
    }

    private mutating func skipWhitespace() {
        while offset < bytes.count {
            switch bytes[offset] {
            case 0x20, 0x09, 0x0A, 0x0D: offset += 1
            default: return
            }
        }
    }

    private mutating func skipLiteral(_ literal: StaticString) throws(JSONFault) {
        let start = offset
        for index in 0..<literal.utf8CodeUnitCount {
            guard start + index < bytes.count else { throw JSONFault(.unexpectedEnd, at: start + index) }
            guard bytes[start + index] == literal.utf8Start[index] else {
                throw JSONFault(.unexpectedCharacter, at: start + index)
            }
        }
        offset = start + literal.utf8CodeUnitCount
    }

    private mutating func skipNumber() throws(JSONFault) {
        if bytes[offset] == UInt8(ascii: "-") { offset += 1 }
        if offset < bytes.count, bytes[offset] == UInt8(ascii: "0") {
            offset += 1
            if offset < bytes.count, isDigit(bytes[offset]) { throw JSONFault(.malformedNumber, at: offset) }
        } else {
            try skipDigits()
        }
        if offset < bytes.count, bytes[offset] == UInt8(ascii: ".") {
            offset += 1
            try skipDigits()
        }
        if offset < bytes.count, bytes[offset] | 0x20 == UInt8(ascii: "e") {
            offset += 1
            if offset < bytes.count, bytes[offset] == UInt8(ascii: "+") || bytes[offset] == UInt8(ascii: "-") {
                offset += 1
            }
            try skipDigits()
        }
    }

    private mutating func skipDigits() throws(JSONFault) {
        guard offset < bytes.count else { throw JSONFault(.unexpectedEnd, at: offset) }
        guard isDigit(bytes[offset]) else { throw JSONFault(.malformedNumber, at: offset) }
        while offset < bytes.count, isDigit(bytes[offset]) { offset += 1 }
    }

    private func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    private mutating func skipString() throws(JSONFault) {
        offset += 1
        while offset < bytes.count, let base = bytes.baseAddress {
            offset += scan_plain_string(base + offset, bytes.count - offset)
            guard offset < bytes.count else { break }
            switch bytes[offset] {
            case UInt8(ascii: "\""):
                offset += 1
                return
            case UInt8(ascii: "\\"): try skipEscape()
            default: throw JSONFault(.controlCharacterInString, at: offset)
            }
        }
        throw JSONFault(.unexpectedEnd, at: offset)
    }

    private mutating func skipEscape() throws(JSONFault) {
        guard offset + 1 < bytes.count else { throw JSONFault(.unexpectedEnd, at: bytes.count) }
        switch bytes[offset + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            offset += 2
        case UInt8(ascii: "u"):
            for index in offset + 2..<offset + 6 {
                guard index < bytes.count else { throw JSONFault(.unexpectedEnd, at: bytes.count) }
                guard hexValue(bytes[index]) != nil else { throw JSONFault(.malformedEscape, at: offset) }
            }
            offset += 6
        default: throw JSONFault(.malformedEscape, at: offset)
        }
    }

    private func hexValue(_ byte: UInt8) -> UInt16? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}

extension JSONReader {
    /// Reads the string that begins here. Lone surrogates and bytes that are not UTF-8 become U+FFFD.
    mutating func readString() throws(JSONFault) -> String {
        let start = offset
        try skipString()
        return text(of: start..<offset)
    }

    /// The text of a string that was read at `range`, quotes included.
    func text(of range: Range<Int>) -> String {
        let content = UnsafeBufferPointer(rebasing: bytes[range.lowerBound + 1..<range.upperBound - 1])
        guard content.contains(UInt8(ascii: "\\")) else { return String(decoding: content, as: UTF8.self) }
        var units: [UInt8] = []
        units.reserveCapacity(content.count)
        var index = 0
        while index < content.count {
            guard content[index] == UInt8(ascii: "\\") else {
                units.append(content[index])
                index += 1
                continue
            }
            switch content[index + 1] {
            case UInt8(ascii: "b"): units.append(0x08)
            case UInt8(ascii: "f"): units.append(0x0C)
            case UInt8(ascii: "n"): units.append(0x0A)
            case UInt8(ascii: "r"): units.append(0x0D)
            case UInt8(ascii: "t"): units.append(0x09)
            case UInt8(ascii: "u"):
                let scalar = escapedScalar(in: content, at: &index)
                units.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
                continue
            case let other: units.append(other)
            }
            index += 2
        }
        return String(decoding: units, as: UTF8.self)
    }

    /// The scalar of the "\u" escape at `index`, which is moved behind it, and behind the second half of a pair.
    private func escapedScalar(in content: UnsafeBufferPointer<UInt8>, at index: inout Int) -> Unicode.Scalar {
        let first = escapedUnit(in: content, at: index) ?? 0xFFFD
        index += 6
        if UTF16.isLeadSurrogate(first), let second = escapedUnit(in: content, at: index),
            UTF16.isTrailSurrogate(second)
        {
            index += 6
            let value = 0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00)
            return Unicode.Scalar(value) ?? "\u{FFFD}"
        }
        return Unicode.Scalar(UInt32(first)) ?? "\u{FFFD}"
    }

    private func escapedUnit(in content: UnsafeBufferPointer<UInt8>, at index: Int) -> UInt16? {
        guard index + 6 <= content.count, content[index] == UInt8(ascii: "\\"), content[index + 1] == UInt8(ascii: "u")
        else { return nil }
        var unit: UInt16 = 0
        for byte in content[index + 2..<index + 6] { unit = unit << 4 | (hexValue(byte) ?? 0) }
        return unit
    }

    /// The bytes of a number that was read at `range`, as text.
    func numberText(of range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    /// Whether the key that was read at `range`, quotes included, is `name`.
    func isKey(_ range: Range<Int>, _ name: StaticString) -> Bool {
        let content = bytes[range.lowerBound + 1..<range.upperBound - 1]
        if content.count == name.utf8CodeUnitCount {
            guard let base = bytes.baseAddress else { return false }
            return memcmp(base + content.startIndex, name.utf8Start, content.count) == 0
        }
        // Only with escapes is a longer text the same key.
        return content.count > name.utf8CodeUnitCount && content.contains(UInt8(ascii: "\\"))
            && text(of: range) == "\(name)"
    }
}
