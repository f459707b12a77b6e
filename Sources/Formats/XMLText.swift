/// Writes XML, one element per line.
struct XMLText {
    /// The text so far, in UTF-8.
    private(set) var bytes: [UInt8] = []
    private var depth = 0

    /// Appends the declaration of an XML document and the output of `write` to `text`.
    static func begin(_ text: inout [UInt8], _ write: (inout XMLText) -> Void) {
        text += "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".utf8
        append(to: &text, write)
    }

    /// Appends the output of `write` to `text`, in place.
    ///
    /// - Parameter depth: The number of open elements around the output.
    static func append(to text: inout [UInt8], depth: Int = 0, _ write: (inout XMLText) -> Void) {
        var xml = XMLText()
        xml.depth = depth
        swap(&xml.bytes, &text)
        write(&xml)
        swap(&xml.bytes, &text)
    }

    /// Starts an element with child elements.
    mutating func open(_ name: StaticString, _ attributes: [(StaticString, String)] = []) {
        begin(name, attributes)
        append(">\n")
        depth += 1
    }

    /// Ends an element.
    mutating func close(_ name: StaticString) {
        depth -= 1
        indent()
        append("</")
        append(name)
        append(">\n")
    }

    /// Writes an element with a text, unless the text is nil or empty.
    mutating func add(_ name: StaticString, _ attributes: [(StaticString, String)], _ text: String?) {
        guard let text, !text.isEmpty else { return }
        begin(name, attributes)
        append(">")
        append(escaping: text)
        append("</")
        append(name)
        append(">\n")
    }

    /// Writes an element with a text and no attributes, unless the text is nil or empty.
    mutating func add(_ name: StaticString, _ text: String?) { add(name, [], text) }

    /// Writes an element with a text, even if the text is empty.
    mutating func add(always name: StaticString, _ attributes: [(StaticString, String)], _ text: String) {
        if text.isEmpty { add(empty: name, attributes) } else { add(name, attributes, text) }
    }

    /// Writes an element without content.
    mutating func add(empty name: StaticString, _ attributes: [(StaticString, String)]) {
        begin(name, attributes)
        append("/>\n")
    }

    private mutating func begin(_ name: StaticString, _ attributes: [(StaticString, String)]) {
        indent()
        append("<")
        append(name)
        for (key, value) in attributes {
            append(" ")
            append(key)
            append("=\"")
            append(escaping: value)
            append("\"")
        }
    }

    private mutating func indent() { bytes.append(contentsOf: repeatElement(0x20, count: depth * 2)) }

    private mutating func append(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends a text with character references for markup and terminal control characters; omits characters that XML
    /// does not allow.
    private mutating func append(escaping text: String) {
        var text = text
        text.withUTF8 { utf8 in
            if utf8.allSatisfy(Self.isPlain) { return bytes.append(contentsOf: utf8) }
            for scalar in String(decoding: utf8, as: UTF8.self).unicodeScalars { append(escaping: scalar) }
        }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x20..<0x7F).contains(byte) && byte != UInt8(ascii: "<") && byte != UInt8(ascii: "&")
            && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: ">")
    }

    private mutating func append(escaping scalar: Unicode.Scalar) {
        switch scalar {
        case "<": append("&lt;")
        case ">": append("&gt;")
        case "&": append("&amp;")
        case "\"": append("&quot;")
        case "\n": bytes.append(0x0A)
        case "\t", "\r": append(referenceTo: scalar)
        case "\u{0}"..<" ", "\u{FFFE}", "\u{FFFF}": break
        case "\u{7F}"..."\u{9F}", "\u{200E}", "\u{200F}", "\u{2028}"..."\u{202E}", "\u{2066}"..."\u{2069}":
            append(referenceTo: scalar)
        default: bytes.append(contentsOf: String(scalar).utf8)
        }
    }

    private mutating func append(referenceTo scalar: Unicode.Scalar) {
        bytes.append(contentsOf: "&#x\(String(scalar.value, radix: 16, uppercase: true));".utf8)
    }
}
