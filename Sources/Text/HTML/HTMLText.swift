/// Converts HTML, or plain text that may be HTML, to plain text. Linear for any input.
public struct HTMLText {
    private var bytes: [UInt8]
    private var index = 0
    private var lines = PlainTextLines()
    /// The kinds of tags in the text, which decide whether "<" starts a tag and how line feeds are treated.
    private var content = Content()
    private var isPreformatted = false
    /// The open lists, innermost last, as the number of their last item; nil for unnumbered lists.
    private var lists: [Int?] = []
    /// Whether no ">" follows.
    private var hasNoMoreTags = false
    /// Whether quotation marks are ignored, since one is never closed.
    private var isQuotingIgnored = false
    private var isInCData = false
    /// The URL of the open link and the start of its text.
    private var link: (target: [UInt8], start: Int)?

    private struct Content {
        /// Whether the text contains HTML tags.
        var hasTags = false
        /// Whether the text contains tags that begin a paragraph or line; if so, line feeds count as blanks.
        var hasBlocks = false
    }

    /// Returns the paragraphs of `text`, separated by line feeds.
    ///
    /// List items become lines with a bullet or a number, breaks become line feeds and emphasis becomes asterisks.
    /// Links to the web get their URL in parentheses unless it is their text. Scripts, styles, comments and all other
    /// tags are removed, character references are decoded, white space is collapsed and control characters are removed.
    /// Without tags for paragraphs or lines, line feeds end paragraphs. Without any HTML tag, "<" is ordinary text.
    public static func paragraphs(of text: String) -> String {
        var first = Self(text)
        first.look()
        var second = Self(first.bytes)
        second.content = first.content
        second.read()
        return second.lines.text
    }

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    private init(_ text: String) {
        bytes = Array(text.utf8)
        if bytes.allSatisfy({ $0 < 0x7F }) { return }
        // Replace other white space and control characters, so that the rest only has to handle those in ASCII.
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x85, 0x2028, 0x2029: scalars.append("\n")
            case 0xA0: scalars.append(" ")
            case 0x7F...0x9F: break
            default: scalars.append(scalar)
            }
        }
        bytes = Array(String(scalars).utf8)
    }

    /// Detects which kinds of tags the text contains.
    private mutating func look() {
        while let open = bytes[index...].firstIndex(of: UInt8(ascii: "<")) {
            index = open
            guard let tag = readTag() else {
                index = open + 1
                continue
            }
            content.hasTags = content.hasTags || Self.isKnown(tag.name)
            content.hasBlocks = content.hasBlocks || Self.isBlock(tag.name) || tag.name == "br"
            if content.hasBlocks { return }
        }
    }

    private mutating func read() {
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "<"):
                if content.hasTags || isMarkup(at: index), skipComment() { continue }
                if content.hasTags, let tag = readTag() {
                    apply(tag)
                } else {
                    lines.append(bytes[index])
                    index += 1
                }
            case UInt8(ascii: "&"): readReference()
            case UInt8(ascii: "]") where isInCData && bytes[index...].starts(with: "]]>".utf8):
                isInCData = false
                index += 3
            case 0x0A, 0x0D:
                if content.hasBlocks && !isPreformatted { lines.appendBlank() } else { lines.end() }
                index += 1
            case let byte:
                lines.append(byte)
                index += 1
            }
        }
        lines.end()
    }

    /// Returns whether a comment or CDATA section begins at `index`, which does not occur in plain text.
    private func isMarkup(at index: Int) -> Bool {
        bytes[index...].starts(with: "<!--".utf8) || bytes[index...].starts(with: "<![CDATA[".utf8)
    }

    // MARK: Tags

    private struct Tag {
        /// The name in lower case.
        var name: String
        var isEnd: Bool
        /// The byte ranges of the tag and of its attributes in the text.
        var range: Range<Int>
        var attributes: Range<Int>
    }

    /// Reads the tag that begins here; returns nil without reading anything if there is none.
    private mutating func readTag() -> Tag? {
        var cursor = index + 1
        let isEnd = cursor < bytes.count && bytes[cursor] == UInt8(ascii: "/")
        if isEnd { cursor += 1 }
        guard cursor < bytes.count, bytes[cursor].isASCIILetter, !hasNoMoreTags else { return nil }
        let nameStart = cursor
        while cursor < bytes.count, !Self.endsName(bytes[cursor]) { cursor += 1 }
        let nameEnd = cursor
        guard let end = endOfTag(from: nameEnd) else { return nil }
        let range = index..<end
        index = end
        // Names of relevant tags are shorter.
        let name = bytes[nameStart..<min(nameEnd, nameStart + 32)]
        return Tag(
            name: String(decoding: name, as: UTF8.self).lowercased(), isEnd: isEnd, range: range,
            attributes: nameEnd..<end - 1)
    }

    private static func endsName(_ byte: UInt8) -> Bool {
        byte <= 0x20 || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "<")
    }

    /// Returns the index after the ">" of the tag whose attributes begin at `start`, ignoring ">" in quoted values.
    private mutating func endOfTag(from start: Int) -> Int? {
        var cursor = start
        var mayQuote = false
        while !isQuotingIgnored, cursor < bytes.count {
            let byte = bytes[cursor]
            if byte == UInt8(ascii: ">") { return cursor + 1 }
            if mayQuote && (byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")) {
                guard let close = bytes[(cursor + 1)...].firstIndex(of: byte) else { break }
                cursor = close
            }
            if byte > 0x20 { mayQuote = byte == UInt8(ascii: "=") }
            cursor += 1
        }
        // The search to the end of the text happens only once.
        isQuotingIgnored = true
        guard let close = bytes[start...].firstIndex(of: UInt8(ascii: ">")) else {
            hasNoMoreTags = true
            return nil
        }
        return close + 1
    }

    /// Skips the comment or declaration that begins here; returns false if there is none.
    private mutating func skipComment() -> Bool {
        let rest = bytes[index...]
        if rest.starts(with: "<![CDATA[".utf8) {
            isInCData = true
            index += 9
            return true
        }
        if rest.starts(with: "<!--".utf8) {
            skip(
                behind: "-->",
                from: index + (rest.starts(with: "<!-->".utf8) || rest.starts(with: "<!--->".utf8) ? 2 : 4))
            return true
        }
        guard rest.starts(with: "<!".utf8) || rest.starts(with: "<?".utf8), !hasNoMoreTags else { return false }
        guard let close = rest.firstIndex(of: UInt8(ascii: ">")) else {
            hasNoMoreTags = true
            return false
        }
        index = close + 1
        return true
    }

    /// Skips to the position after the next `end`, or to the end of the text.
    private mutating func skip(behind end: StaticString, from start: Int) {
        let count = end.utf8CodeUnitCount
        let end = UnsafeBufferPointer(start: end.utf8Start, count: count)
        var cursor = start
        while let found = bytes[cursor...].firstIndex(of: end[0]), found + count <= bytes.count {
            if bytes[found..<found + count].elementsEqual(end, by: { $0 == $1 || $0.isASCIILetter && $0 | 0x20 == $1 })
            {
                index = found + count
                return
            }
            cursor = found + 1
        }
        index = bytes.count
    }

    private mutating func apply(_ tag: Tag) {
        switch tag.name {
        case "script" where !tag.isEnd: skip(behind: "</script", from: index)
        case "style" where !tag.isEnd: skip(behind: "</style", from: index)
        case "title" where !tag.isEnd: skip(behind: "</title", from: index)
        case "br": lines.end()
        case "a": tag.isEnd ? endLink(before: tag.range.lowerBound) : beginLink(tag)
        case "td", "th": lines.appendBlank()
        case "em", "i", "strong", "b": tag.isEnd ? lines.endEmphasis() : lines.beginEmphasis()
        case "ul", "ol", "menu", "dir":
            lines.end()
            if tag.isEnd {
                _ = lists.popLast()
                lines.prefix = ""
            } else {
                lists.append(tag.name == "ol" ? 0 : nil)
            }
        case "li":
            lines.end()
            lines.prefix = ""
            if !tag.isEnd { beginItem() }
        case "pre":
            lines.end()
            isPreformatted = !tag.isEnd
        default:
            if Self.isBlock(tag.name) { lines.end() }
        }
        // Skip the rest of the end tag.
        if ["script", "style", "title"].contains(tag.name), !tag.isEnd {
            index = bytes[index...].firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 } ?? bytes.count
        }
    }

    private mutating func beginLink(_ tag: Tag) {
        link = target(in: bytes[tag.attributes]).map { ($0, tag.range.upperBound) }
    }

    private mutating func endLink(before end: Int) {
        defer { link = nil }
        guard let (target, start) = link else { return }
        let text = bytes[start..<end]
        if text.contains(target) { return }
        for byte in " (".utf8 { lines.append(byte) }
        for byte in target + [UInt8(ascii: ")")] { lines.append(byte) }
    }

    /// Returns the value of `href` if it is a link to the web.
    private func target(in attributes: ArraySlice<UInt8>) -> [UInt8]? {
        let text = String(decoding: attributes, as: UTF8.self)
        let lowered = text.lowercased()
        // Other letters may change their length in lower case.
        guard lowered.utf8.count == text.utf8.count, let name = lowered.firstRange(of: "href=") else { return nil }
        let offset = lowered.utf8.distance(from: lowered.startIndex, to: name.upperBound)
        var value = text.utf8.dropFirst(offset)
        guard let first = value.first else { return nil }
        let isQuoted = first == UInt8(ascii: "\"") || first == UInt8(ascii: "'")
        if isQuoted { value = value.dropFirst() }
        let end = value.firstIndex { isQuoted ? $0 == first : $0 <= 0x20 } ?? value.endIndex
        let target = String(value[..<end])?.replacing("&amp;", with: "&") ?? ""
        let isWeb = ["http://", "https://"].contains { target.lowercased().hasPrefix($0) }
        // Nobody would read a longer URL, and searching the link's text for it would be slow.
        return isWeb && target.utf8.count <= 2000 && target.utf8.allSatisfy { $0 > 0x20 } ? Array(target.utf8) : nil
    }

    private mutating func beginItem() {
        guard let last = lists.indices.last, let number = lists[last] else {
            lines.prefix = "• "
            return
        }
        lists[last] = number + 1
        lines.prefix = "\(number + 1). "
    }

    /// Returns whether this is an HTML tag that occurs in texts.
    private static func isKnown(_ name: String) -> Bool {
        switch name {
        case "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "br", "cite", "code", "data", "del", "dfn", "em", "font",
            "i", "img", "ins", "kbd", "mark", "q", "ruby", "rb", "rp", "rt", "s", "samp", "script", "small", "span",
            "strike", "strong", "style", "sub", "sup", "td", "th", "time", "title", "tt", "u", "var", "wbr", "meta",
            "link",
            "svg", "iframe", "input", "button", "label", "noscript", "object", "video", "audio", "picture", "source":
            true
        default: isBlock(name)
        }
    }

    /// Returns whether the tag begins and ends a paragraph.
    private static func isBlock(_ name: String) -> Bool {
        switch name {
        case "address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "dir", "div",
            "dl",
            "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "head",
            "header", "hgroup", "hr", "html", "li", "main", "menu", "nav", "ol", "p", "pre", "section", "summary",
            "table",
            "tbody", "tfoot", "thead", "tr", "ul":
            true
        default: false
        }
    }

    // MARK: Character references

    private mutating func readReference() {
        let name = bytes[(index + 1)...].prefix(40)
        if name.first == UInt8(ascii: "#") {
            if readNumericReference() { return }
        } else {
            let letters = name.prefix { $0.isASCIILetter || $0.isASCIIDigit }
            let end = letters.endIndex
            if end < bytes.count, bytes[end] == UInt8(ascii: ";"),
                let value = StaticTable.htmlEntities.value(of: letters)
            {
                append(value)
                index = end + 1
                return
            }
            // Find the longest name that needs no semicolon; none has more than six letters.
            for count in stride(from: min(letters.count, 6), to: 1, by: -1) {
                let value = StaticTable.htmlEntities.value(of: letters.prefix(count))
                if let value, value.first == UInt8(ascii: "!") {
                    append(value)
                    index += 1 + count
                    return
                }
            }
        }
        lines.append(UInt8(ascii: "&"))
        index += 1
    }

    /// Appends the characters of a value in the entity table.
    private mutating func append(_ value: UnsafeBufferPointer<UInt8>) {
        for number in value.drop(while: { $0 == UInt8(ascii: "!") }).split(separator: UInt8(ascii: "+")) {
            if let code = UInt32(String(decoding: number, as: UTF8.self), radix: 16) { append(code) }
        }
    }

    private mutating func readNumericReference() -> Bool {
        var cursor = index + 2
        let isHexadecimal = cursor < bytes.count && bytes[cursor] | 0x20 == UInt8(ascii: "x")
        if isHexadecimal { cursor += 1 }
        let start = cursor
        var code: UInt32 = 0
        while cursor < bytes.count, let digit = Self.value(of: bytes[cursor], isHexadecimal: isHexadecimal) {
            // Stop accumulating beyond the range of Unicode, however many digits follow.
            if code <= 0x10_FFFF { code = code * (isHexadecimal ? 16 : 10) + digit }
            cursor += 1
        }
        guard cursor > start else { return false }
        if cursor < bytes.count, bytes[cursor] == UInt8(ascii: ";") { cursor += 1 }
        index = cursor
        append((0x80...0x9F).contains(code) ? Self.windows1252[Int(code) - 0x80] : code)
        return true
    }

    private static func value(of byte: UInt8, isHexadecimal: Bool) -> UInt32? {
        if byte.isASCIIDigit { return UInt32(byte - UInt8(ascii: "0")) }
        let letter = (byte | 0x20) &- UInt8(ascii: "a")
        return isHexadecimal && letter < 6 ? UInt32(letter) + 10 : nil
    }

    /// The characters of Windows-1252, which HTML assigns to the numbers from 0x80 on.
    private static let windows1252: [UInt32] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,
        0x017D,
        0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153,
        0x9D,
        0x017E, 0x0178,
    ]

    /// Appends the character with this code point, or U+FFFD for an invalid one.
    private mutating func append(_ code: UInt32) {
        switch code {
        case 0xA0, 0x2028, 0x2029: lines.appendBlank()
        case 0x7F...0x9F: break
        default:
            let scalar = code == 0 ? nil : Unicode.Scalar(code)
            for byte in String(scalar ?? "\u{FFFD}").utf8 { lines.append(byte) }
        }
    }
}
