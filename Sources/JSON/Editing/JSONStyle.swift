/// The layout of a JSON text, so that added values look like existing ones.
public struct JSONStyle: Hashable, Sendable {
    /// The bytes between two lines; nil if the value is on one line.
    public var lineBreak: [UInt8]?
    /// The indent of one level of nesting.
    public var indent: [UInt8]
    /// The bytes between a key and its value.
    public var colon: [UInt8]
    /// The bytes between two items on one line.
    public var comma: [UInt8]
    /// Whether arrays of scalars are on one line although objects are not.
    public var hasInlineArrays: Bool
    /// Whether characters outside ASCII are escaped.
    public var escapesNonASCII: Bool
    /// Whether slashes are escaped.
    public var escapesSlashes: Bool
    /// Whether the text contains unescaped non-ASCII characters, and slashes in strings, which show how to write them.
    private var (showsNonASCII, showsSlashes) = (false, false)
    /// Whether the text contains two items on one line, and an array of scalars, which show how to write them.
    private var (showsComma, showsArrays) = (false, false)

    /// Derives the style of `value` in `text`. Unknown properties have the most common values: two spaces of indent, or
    /// one space after a colon and a comma if the text contains white space.
    public init(of value: LocatedValue, in text: [UInt8]) {
        var survey = Survey(text: text)
        survey.visit(value, depth: 0)
        lineBreak = survey.lineBreak
        indent = survey.indent ?? Array("  ".utf8)
        let isSpaced = survey.lineBreak != nil || survey.comma?.count ?? 1 > 1
        colon = survey.colon ?? Array((isSpaced ? ": " : ":").utf8)
        comma = survey.comma ?? Array((isSpaced || colon.count > 1 ? ", " : ",").utf8)
        hasInlineArrays = survey.hasInlineArrays ?? false
        let isASCII = text[value.range].allSatisfy { $0 < 0x80 }
        escapesNonASCII = survey.hasUnicodeEscape && isASCII
        escapesSlashes = survey.hasEscapedSlash
        showsNonASCII = survey.hasUnicodeEscape || !isASCII
        showsSlashes = survey.hasSlash
        (showsComma, showsArrays) = (survey.comma != nil, survey.hasInlineArrays != nil)
    }

    /// Adopts the character escaping and the layout of lists from `other`, the style of a neighbour, if the text does not
    /// show its own.
    public mutating func complete(from other: JSONStyle) {
        if !showsNonASCII, other.showsNonASCII {
            (escapesNonASCII, showsNonASCII) = (other.escapesNonASCII, true)
        }
        if !showsSlashes, other.showsSlashes { (escapesSlashes, showsSlashes) = (other.escapesSlashes, true) }
        if !showsComma, other.showsComma { (comma, showsComma) = (other.comma, true) }
        if !showsArrays, other.showsArrays { (hasInlineArrays, showsArrays) = (other.hasInlineArrays, true) }
    }

    /// Whether the text shows how all characters and lists are written.
    public var isComplete: Bool { showsNonASCII && showsSlashes && showsComma && showsArrays }

    /// The style of a new text: two spaces for each level, and lists of words on one line.
    public init() {
        lineBreak = [0x0A]
        indent = Array("  ".utf8)
        colon = Array(": ".utf8)
        comma = Array(", ".utf8)
        hasInlineArrays = true
        escapesNonASCII = false
        escapesSlashes = false
    }

    /// Looks at a value and its parts until each question is answered.
    private struct Survey {
        let text: [UInt8]
        var lineBreak: [UInt8]?
        var indent: [UInt8]?
        var colon: [UInt8]?
        var comma: [UInt8]?
        var hasInlineArrays: Bool?
        var hasUnicodeEscape = false
        var hasEscapedSlash = false
        var hasSlash = false

        mutating func visit(_ value: LocatedValue, depth: Int) {
            let items = value.items
            if case .scalar = value.content { look(atScalar: value.range) }
            guard let first = items.first else { return }
            let opening = text[value.range.lowerBound + 1..<first.range.lowerBound]
            var isArray = false
            if case .array = value.content { isArray = true }
            if let newline = opening.lastIndex(of: UInt8(ascii: "\n")) {
                let isAfterReturn = newline > opening.startIndex && text[newline - 1] == UInt8(ascii: "\r")
                lineBreak = lineBreak ?? (isAfterReturn ? [0x0D, 0x0A] : [0x0A])
                if indent == nil {
                    let closing = JSONStyle.indent(before: value.range.upperBound - 1, in: text)
                    let inner = text[(newline + 1)...].prefix(first.range.lowerBound - newline - 1)
                    indent = inner.count > closing.count ? Array(inner.dropFirst(closing.count)) : nil
                }
            }
            if isArray, items.allSatisfy({ $0.value.items.isEmpty }), hasInlineArrays == nil {
                hasInlineArrays = !opening.contains(UInt8(ascii: "\n"))
            }
            if items.count > 1 {
                let between = text[first.range.upperBound..<items[1].range.lowerBound]
                if !between.contains(UInt8(ascii: "\n")) { comma = comma ?? Array(between) }
            }
            for item in items {
                if let key = item.key {
                    look(atScalar: key.range)
                    let between = text[key.range.upperBound..<item.value.range.lowerBound]
                    if !between.contains(UInt8(ascii: "\n")) { colon = colon ?? Array(between) }
                }
                visit(item.value, depth: depth + 1)
            }
        }

        private mutating func look(atScalar range: Range<Int>) {
            guard text[range].first == UInt8(ascii: "\"") else { return }
            var index = range.lowerBound + 1
            while index < range.upperBound - 1 {
                if text[index] == UInt8(ascii: "\\") {
                    index += 1
                    // Control characters are escaped in every file.
                    if text[index...].starts(with: "u00".utf8) {
                        if text[index + 3] >= UInt8(ascii: "8") { hasUnicodeEscape = true }
                    } else if text[index] == UInt8(ascii: "u") {
                        hasUnicodeEscape = true
                    }
                    if text[index] == UInt8(ascii: "/") { hasEscapedSlash = true }
                }
                if text[index] == UInt8(ascii: "/") { hasSlash = true }
                index += 1
            }
        }
    }

    /// Returns the blanks and tabs directly before `offset`: the indent of a bracket that begins its line.
    public static func indent(before offset: Int, in text: [UInt8]) -> ArraySlice<UInt8> {
        var start = offset
        while start > 0, text[start - 1] == UInt8(ascii: " ") || text[start - 1] == UInt8(ascii: "\t") { start -= 1 }
        return text[start..<offset]
    }
}

extension JSONStyle {
    /// Appends `value` to `bytes` in this style.
    ///
    /// - Parameter margin: The indent of the line on which the value begins.
    public func write(_ value: JSONValue, margin: [UInt8], to bytes: inout [UInt8]) {
        switch value {
        case .null, .boolean, .number: value.write(to: &bytes)
        case .string(let string): write(string, to: &bytes)
        case .array(let elements):
            let isInline = hasInlineArrays && elements.allSatisfy(\.isScalar)
            writeItems(elements.count, "[", "]", isInline: isInline, margin: margin, to: &bytes) {
                index, inner, bytes in
                write(elements[index], margin: inner, to: &bytes)
            }
        case .object(let members):
            writeItems(members.count, "{", "}", isInline: false, margin: margin, to: &bytes) { index, inner, bytes in
                write(members[index], margin: inner, to: &bytes)
            }
        }
    }

    /// Appends a member of an object.
    func write(_ member: JSONValue.Member, margin: [UInt8], to bytes: inout [UInt8]) {
        write(member.key, to: &bytes)
        bytes += colon
        write(member.value, margin: margin, to: &bytes)
    }

    private func writeItems(
        _ count: Int, _ opening: Unicode.Scalar, _ closing: Unicode.Scalar, isInline: Bool, margin: [UInt8],
        to bytes: inout [UInt8], _ write: (Int, [UInt8], inout [UInt8]) -> Void
    ) {
        bytes.append(UInt8(ascii: opening))
        let lineBreak = count > 0 && !isInline ? self.lineBreak : nil
        let inner = lineBreak == nil ? margin : margin + indent
        for index in 0..<count {
            if index > 0 { bytes += lineBreak == nil ? comma : [UInt8(ascii: ",")] }
            if let lineBreak { bytes += lineBreak + inner }
            write(index, inner, &bytes)
        }
        if let lineBreak { bytes += lineBreak + margin }
        bytes.append(UInt8(ascii: closing))
    }

    private func write(_ string: String, to bytes: inout [UInt8]) {
        var plain: [UInt8] = []
        JSONValue.write(string, to: &plain)
        if escapesSlashes, plain.contains(UInt8(ascii: "/")) {
            plain = plain.flatMap { $0 == UInt8(ascii: "/") ? [UInt8(ascii: "\\"), $0] : [$0] }
        }
        guard escapesNonASCII, !plain.allSatisfy({ $0 < 0x80 }) else {
            bytes += plain
            return
        }
        for unit in String(decoding: plain, as: UTF8.self).utf16 {
            if unit < 0x80 {
                bytes.append(UInt8(unit))
            } else {
                let digits = String(unit, radix: 16)
                bytes += "\\u".utf8
                bytes += String(repeating: "0", count: 4 - digits.count).utf8
                bytes += digits.utf8
            }
        }
    }
}

extension JSONValue {
    fileprivate var isScalar: Bool {
        switch self {
        case .array, .object: false
        case .null, .boolean, .number, .string: true
        }
    }
}
