internal import Glibc

/// Escapes the ampersands of an XML document that begin no reference, as in "Q & A" and "?a=1&b=2": libxml2 drops them
/// with what follows, or ends there.
struct AmpersandEscaper {
    /// The end of the last part, if more must be known to tell what it is.
    private var held: [UInt8] = []
    /// Whether the last part ended in a CDATA section, where ampersands stand for themselves.
    private var isInSection = false
    private var escaped: [UInt8] = []

    /// Longer names of entities do not occur.
    private static let maximumNameLength = 32
    private static let (sectionStart, sectionEnd) = (Array("<![CDATA[".utf8), Array("]]>".utf8))

    /// Passes the next part of the document to `body`, in an encoding in which ASCII is as it is.
    ///
    /// - Parameter isLast: Whether no part follows.
    /// - Complexity: O(*n*), where *n* is the length of the part.
    mutating func escape(
        _ part: UnsafeBufferPointer<UInt8>, isLast: Bool = false, _ body: (UnsafeBufferPointer<UInt8>) -> Void
    ) {
        if held.isEmpty, !isInSection, part.index(of: UInt8(ascii: "&"), in: 0..<part.count) == nil,
            part.range(of: Self.sectionStart) == nil, part[...].countOfEnd(beginning: Self.sectionStart) == 0
        {
            return body(part)
        }
        let text = held + part
        held.removeAll(keepingCapacity: true)
        escaped.removeAll(keepingCapacity: true)
        text.withUnsafeBufferPointer { escape($0, isLast: isLast) }
        escaped.withUnsafeBufferPointer(body)
    }

    private mutating func escape(_ text: UnsafeBufferPointer<UInt8>, isLast: Bool) {
        var start = 0
        while start < text.count {
            let mark = isInSection ? Self.sectionEnd : Self.sectionStart
            let found = text.range(of: mark, from: start)
            if !isInSection {
                let end = found?.lowerBound ?? text.count
                while let place = text.index(of: UInt8(ascii: "&"), in: start..<end) {
                    escaped.append(contentsOf: text[start..<place])
                    start = place
                    switch Self.isReference(text[place...]) {
                    case nil where !isLast && found == nil:
                        held = Array(text[place...])
                        return
                    case true: escaped.append(text[place])
                    default: escaped.append(contentsOf: "&amp;".utf8)
                    }
                    start += 1
                }
            }
            guard let found else {
                let heldCount = isLast ? 0 : text[start...].countOfEnd(beginning: mark)
                escaped.append(contentsOf: text[start..<text.count - heldCount])
                held = Array(text.suffix(heldCount))
                return
            }
            escaped.append(contentsOf: text[start..<found.upperBound])
            start = found.upperBound
            isInSection.toggle()
        }
    }

    /// Returns whether an ampersand begins a reference to an entity or a character (XML 1.0, section 4.1); nil if more
    /// bytes must be known.
    private static func isReference(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool? {
        for (index, byte) in text.dropFirst().prefix(maximumNameLength).enumerated() {
            switch byte {
            case UInt8(ascii: ";"): return index > 0
            case UInt8(ascii: "#"): if index > 0 { return false }
            case 0x30...0x39, 0x2D, 0x2E: if index == 0 { return false }
            case 0x41...0x5A, 0x61...0x7A, 0x3A, 0x5F, 0x80...0xFF: break
            default: return false
            }
        }
        return text.count > maximumNameLength ? false : nil
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Returns the first place of these bytes at `start` or behind it.
    fileprivate func range(of bytes: [UInt8], from start: Int = 0) -> Range<Int>? {
        // The first byte of a section's start is that of each element; the second is rare.
        var next = start + 1
        while next < count, let second = index(of: bytes[1], in: next..<count) {
            next = second + 1
            let range = second - 1..<second - 1 + bytes.count
            if range.upperBound <= count, self[range].elementsEqual(bytes) { return range }
        }
        return nil
    }

    /// Returns the first place of a byte in a range.
    fileprivate func index(of byte: UInt8, in range: Range<Int>) -> Int? {
        guard let baseAddress, let found = memchr(baseAddress + range.lowerBound, Int32(byte), range.count) else {
            return nil
        }
        return UnsafeRawPointer(baseAddress).distance(to: UnsafeRawPointer(found))
    }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
    /// Returns how many bytes at the end are the beginning of these bytes, but not all of them.
    fileprivate func countOfEnd(beginning bytes: [UInt8]) -> Int {
        for length in stride(from: Swift.min(bytes.count - 1, count), to: 0, by: -1)
        where suffix(length).elementsEqual(bytes.prefix(length)) {
            return length
        }
        return 0
    }
}
