public import CText
private import Glibc

/// A pull parser for JSON in UTF-8 (RFC 8259) that checks the full grammar and decodes only the values that the caller
/// asks for.
///
/// Invalid UTF-8 in strings is accepted and decoded as U+FFFD.
public struct JSONReader {
    /// The maximum nesting depth of arrays and objects.
    public static let maximumDepth = 512
    /// The number of zero bytes that must follow the text. A zero is invalid everywhere in JSON, so parsing stops there
    /// without a bounds check per byte; and strings are scanned 16 bytes at a time.
    public static let paddingCount = 64
    /// The minimum number of readable bytes after the content of a string: the quote and part of the padding.
    public static let stringPaddingCount = 16

    @usableFromInline let text: UnsafePointer<UInt8>
    /// The length of the text in bytes.
    public let count: Int
    /// The offset of the next byte.
    public var offset: Int
    /// Whether the last key contains escapes.
    @inlinable @inline(__always)
    public var isKeyEscaped: Bool { hasEscapes }
    @usableFromInline var hasEscapes = false

    /// Creates a reader of `count` bytes at `text`, which must outlive it and be followed by `paddingCount` zeros,
    /// starting at `offset`.
    @inlinable @inline(__always)
    public init(_ text: UnsafePointer<UInt8>, count: Int, offset: Int = 0) {
        self.text = text
        self.count = count
        self.offset = offset
    }

    /// Calls `body` with a reader of a padded copy of `bytes`.
    public static func reading<Result>(
        _ bytes: some Sequence<UInt8>, _ body: (inout JSONReader) throws -> Result
    ) rethrows -> Result {
        var padded = Array(bytes)
        let count = padded.count
        padded.append(contentsOf: repeatElement(0, count: paddingCount))
        return try padded.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { preconditionFailure("an array with padding has an address") }
            var reader = JSONReader(base, count: count)
            return try body(&reader)
        }
    }

    /// Skips white space and returns the next byte, or nil at the end.
    @inlinable @inline(__always)
    public mutating func peek() -> UInt8? {
        skipWhitespace()
        let byte = text[offset]
        return byte != 0 || offset < count ? byte : nil
    }

    /// The next byte, possibly white space; zero at the end.
    @inlinable @inline(__always)
    public var byte: UInt8 { text[offset] }

    /// Returns a pointer to the byte at `offset`; all bytes after it, including the padding, may be read.
    @inlinable @inline(__always)
    public func pointer(to offset: Int) -> UnsafePointer<UInt8> { text + offset }

    /// Moves the reader to `offset`.
    @inlinable @inline(__always)
    public mutating func move(to offset: Int) { self.offset = offset }

    /// Checks and skips the next value.
    public mutating func skipValue(depth: Int = 0) throws(JSONSyntaxError) {
        skipWhitespace()
        switch text[offset] {
        case UInt8(ascii: "\""): try skipString()
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try skipNumber()
        case UInt8(ascii: "{"):
            try readObject(depth: depth) { reader, _ throws(JSONSyntaxError) in
                try reader.skipValue(depth: depth + 1)
            }
        case UInt8(ascii: "["):
            try readArray(depth: depth) { reader throws(JSONSyntaxError) in
                try reader.skipValue(depth: depth + 1)
            }
        case UInt8(ascii: "t"): try skipLiteral("true")
        case UInt8(ascii: "f"): try skipLiteral("false")
        case UInt8(ascii: "n"): try skipLiteral("null")
        case UInt8(ascii: "+"): throw JSONSyntaxError(.malformedNumber, at: offset)
        default: throw syntaxErrorHere(.unexpectedCharacter)
        }
    }

    // Inlined like the small steps below: a call would cost more than the work it does.
    /// Reads the next value, an array; calls `element` at the start of each element, which it must read.
    @inlinable @inline(__always)
    public mutating func readArray(
        depth: Int, _ element: (inout JSONReader) throws(JSONSyntaxError) -> Void
    ) throws(JSONSyntaxError) {
        try enter(depth: depth)
        skipWhitespace()
        if text[offset] == UInt8(ascii: "]") {
            offset += 1
            return
        }
        repeat {
            skipWhitespace()
            try element(&self)
        } while try hasMore(before: UInt8(ascii: "]"))
    }

    /// Reads the next value, an object; calls `member` at the start of the value of each member, which it must read.
    @inlinable @inline(__always)
    public mutating func readObject(
        depth: Int, _ member: (inout JSONReader, Range<Int>) throws(JSONSyntaxError) -> Void
    ) throws(JSONSyntaxError) {
        try enter(depth: depth)
        skipWhitespace()
        if text[offset] == UInt8(ascii: "}") {
            offset += 1
            return
        }
        repeat {
            let key = try readKey()
            try member(&self, key)
        } while try hasMore(before: UInt8(ascii: "}"))
    }

    /// Reads a key and the colon after it, up to the start of the value.
    ///
    /// - Returns: The byte range of the key, including its quotes.
    @inlinable @inline(__always)
    public mutating func readKey() throws(JSONSyntaxError) -> Range<Int> {
        skipWhitespace()
        guard text[offset] == UInt8(ascii: "\"") else { throw syntaxErrorHere(.unexpectedCharacter) }
        let start = offset
        offset += 1
        offset += scan_plain_string(text + offset)
        hasEscapes = text[offset] != UInt8(ascii: "\"")
        if hasEscapes { try skipRestOfString() } else { offset += 1 }
        let key = Range(uncheckedBounds: (start, offset))
        skipWhitespace()
        guard text[offset] == UInt8(ascii: ":") else { throw syntaxErrorHere(.unexpectedCharacter) }
        offset += 1
        skipWhitespace()
        return key
    }

    /// Checks that only white space follows.
    public mutating func readEnd() throws(JSONSyntaxError) {
        if peek() != nil { throw JSONSyntaxError(.trailingContent, at: offset) }
    }

    /// Returns the error for the next byte, or `unexpectedEnd` at the end of the text.
    @usableFromInline @inline(never)
    func syntaxErrorHere(_ reason: JSONSyntaxError.Reason) -> JSONSyntaxError {
        JSONSyntaxError(offset < count ? reason : .unexpectedEnd, at: min(offset, count))
    }

    /// Skips the opening bracket of an array or object.
    @inlinable @inline(__always)
    public mutating func enter(depth: Int) throws(JSONSyntaxError) {
        if depth >= Self.maximumDepth { throw JSONSyntaxError(.tooDeep, at: offset) }
        offset += 1
    }

    /// Skips the comma after an element or member, or the closing bracket `end`.
    ///
    /// - Returns: Whether it was a comma.
    @inlinable @inline(__always)
    public mutating func hasMore(before end: UInt8) throws(JSONSyntaxError) -> Bool {
        skipWhitespace()
        let byte = text[offset]
        guard byte == UInt8(ascii: ",") || byte == end else { throw syntaxErrorHere(.unexpectedCharacter) }
        offset += 1
        return byte != end
    }

    @inlinable @inline(__always)
    mutating func skipWhitespace() {
        // Most tokens follow the previous one directly or after one blank.
        if text[offset] > 0x20 { return }
        if text[offset] == 0x20 && text[offset + 1] > 0x20 { offset += 1 } else { skipWhitespaceRun() }
    }

    @usableFromInline @inline(never)
    mutating func skipWhitespaceRun() {
        while true {
            switch text[offset] {
            case 0x20, 0x0A, 0x0D, 0x09: offset += 1
            default: return
            }
        }
    }

    private mutating func skipLiteral(_ literal: StaticString) throws(JSONSyntaxError) {
        for index in 0..<literal.utf8CodeUnitCount {
            guard text[offset] == literal.utf8Start[index] else { throw syntaxErrorHere(.unexpectedCharacter) }
            offset += 1
        }
    }

    @inline(__always)
    private mutating func skipNumber() throws(JSONSyntaxError) {
        if text[offset] == UInt8(ascii: "-") { offset += 1 }
        if text[offset] == UInt8(ascii: "0") {
            offset += 1
            if isDigit(text[offset]) { throw JSONSyntaxError(.malformedNumber, at: offset) }
        } else {
            try skipDigits()
        }
        if text[offset] == UInt8(ascii: ".") {
            offset += 1
            try skipDigits()
        }
        if text[offset] | 0x20 == UInt8(ascii: "e") {
            offset += 1
            if text[offset] == UInt8(ascii: "+") || text[offset] == UInt8(ascii: "-") { offset += 1 }
            try skipDigits()
        }
    }

    @inline(__always)
    private mutating func skipDigits() throws(JSONSyntaxError) {
        guard isDigit(text[offset]) else { throw syntaxErrorHere(.malformedNumber) }
        repeat { offset += 1 } while isDigit(text[offset])
    }

    @inline(__always)
    private func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    /// Checks and skips the next value, a string.
    ///
    /// - Returns: Whether the string has no escapes.
    @inlinable @inline(__always) @discardableResult
    public mutating func skipString() throws(JSONSyntaxError) -> Bool {
        offset += 1
        offset += scan_plain_string(text + offset)
        if text[offset] == UInt8(ascii: "\"") {
            offset += 1
            return true
        }
        try skipRestOfString()
        return false
    }

    /// Skips the rest of a string from its first escape or invalid byte on.
    @usableFromInline @inline(never)
    mutating func skipRestOfString() throws(JSONSyntaxError) {
        while text[offset] != UInt8(ascii: "\"") {
            guard text[offset] == UInt8(ascii: "\\") else { throw syntaxErrorHere(.controlCharacterInString) }
            try skipEscape()
            offset += scan_plain_string(text + offset)
        }
        offset += 1
    }

    private mutating func skipEscape() throws(JSONSyntaxError) {
        switch text[offset + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            offset += 2
        case UInt8(ascii: "u"):
            for index in offset + 2..<offset + 6 where hexValue(text[index]) == nil {
                throw index < count
                    ? JSONSyntaxError(.malformedEscape, at: offset) : JSONSyntaxError(.unexpectedEnd, at: count)
            }
            offset += 6
        default:
            throw offset + 1 < count
                ? JSONSyntaxError(.malformedEscape, at: offset) : JSONSyntaxError(.unexpectedEnd, at: count)
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
    /// Decodes the next value, a string; lone surrogates and invalid UTF-8 become U+FFFD.
    mutating func readString() throws(JSONSyntaxError) -> String {
        let start = offset
        try skipString()
        return string(of: start..<offset)
    }

    /// Returns the bytes in `range`.
    @inlinable
    public func bytes(of range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: text + range.lowerBound, count: range.count)
    }

    /// Returns the decoded text of the string whose bytes, including the quotes, are in `range`.
    public func string(of range: Range<Int>) -> String {
        let content = bytes(of: range.lowerBound + 1..<range.upperBound - 1)
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

    /// Returns the scalar of the "\u" escape at `index` and moves `index` past it, or past the second half of a
    /// surrogate pair.
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

    /// Returns the text of the number in `range`.
    func numberText(of range: Range<Int>) -> String {
        String(decoding: bytes(of: range), as: UTF8.self)
    }
}
