/// The inline text of a Markdown block without its markup, and the links in it.
///
/// It knows what the guide uses: code, emphasis, links, pictures (by their description), addresses in angle brackets and
/// escaped characters.
struct MarkdownText: Hashable {
    /// A link and its place in the text.
    struct Link: Hashable {
        /// What the link leads to: "searching.md#fields".
        var target: String
        /// The text of the link, in UTF-8 bytes of the whole text.
        var range: Range<Int>
        /// The number that the page shows after the link; 0 for none.
        var number = 0
    }

    /// The text without markup, on one line.
    private(set) var text = ""
    /// The links, in their order.
    private(set) var links: [Link] = []

    /// Creates the text of a line or of lines joined by blanks.
    init(_ source: some StringProtocol) {
        var rest = Substring(source)
        while let character = rest.first {
            if appendMarkup(&rest) { continue }
            text.append(character.isWhitespace ? " " : character)
            rest.removeFirst()
        }
    }

    /// Creates an empty text.
    init() {}

    /// Reads the markup at the start of `rest`; returns false if there is none.
    private mutating func appendMarkup(_ rest: inout Substring) -> Bool {
        switch rest.first {
        case "\\": return appendEscaped(&rest)
        case "`": return appendCode(&rest)
        case "[", "!": return appendLink(&rest)
        case "<": return appendAddress(&rest)
        case "*", "_": return appendEmphasis(&rest)
        default: return false
        }
    }

    private mutating func appendEscaped(_ rest: inout Substring) -> Bool {
        guard let next = rest.dropFirst().first, next.isPunctuation || next.isSymbol else { return false }
        text.append(next)
        rest.removeFirst(2)
        return true
    }

    private mutating func appendCode(_ rest: inout Substring) -> Bool {
        let fence = rest.prefix { $0 == "`" }
        var search = rest[fence.endIndex...]
        // A run of another length does not end the code.
        while let start = search.firstIndex(of: "`") {
            let run = search[start...].prefix { $0 == "`" }
            search = search[run.endIndex...]
            guard run.count == fence.count else { continue }
            var code = rest[fence.endIndex..<start]
            if code.count > 2, code.first == " ", code.last == " " { code = code.dropFirst().dropLast() }
            text += code
            rest = search
            return true
        }
        text += fence
        rest = rest[fence.endIndex...]
        return true
    }

    /// Appends `[text](target)`, or the description of a picture.
    private mutating func appendLink(_ rest: inout Substring) -> Bool {
        let isPicture = rest.first == "!"
        let opening = isPicture ? rest.dropFirst() : rest
        guard opening.first == "[", let middle = opening.firstRange(of: "]("),
            let end = opening[middle.upperBound...].firstIndex(of: ")")
        else { return false }
        let label = opening[..<middle.lowerBound].dropFirst()
        // A bracket in between is text, and a later one opens the link.
        if label.contains("[") || label.contains("]") { return false }
        let inner = MarkdownText(label)
        let start = text.utf8.count
        text += inner.text
        if !isPicture {
            let target = opening[middle.upperBound..<end].prefix { $0 != " " }
            links.append(Link(target: String(target), range: start..<text.utf8.count))
        }
        rest = opening[opening.index(after: end)...]
        return true
    }

    /// Appends `<https://…>`.
    private mutating func appendAddress(_ rest: inout Substring) -> Bool {
        guard rest.hasPrefix("<http"), let end = rest.firstIndex(of: ">") else { return false }
        let address = rest[..<end].dropFirst()
        if address.contains(" ") { return false }
        let start = text.utf8.count
        text += address
        links.append(Link(target: String(address), range: start..<text.utf8.count))
        rest = rest[rest.index(after: end)...]
        return true
    }

    /// Appends what stands between two equal runs of `*` or `_`; a lone one, and `_` within a word, is text.
    private mutating func appendEmphasis(_ rest: inout Substring) -> Bool {
        guard let sign = rest.first else { return false }
        let run = rest.prefix { $0 == sign }
        let content = rest[run.endIndex...]
        let isWithinWord = sign == "_" && text.last.map { $0.isLetter || $0.isNumber } == true
        if !isWithinWord, content.first?.isWhitespace == false, let end = content.firstRange(of: run),
            content[..<end.lowerBound].last?.isWhitespace == false,
            sign == "*" || content[end.upperBound...].first.map({ $0.isLetter || $0.isNumber }) != true
        {
            append(MarkdownText(content[..<end.lowerBound]))
            rest = content[end.upperBound...]
        } else {
            text += run
            rest = content
        }
        return true
    }

    /// Appends `other` with its links.
    mutating func append(_ other: MarkdownText) {
        let start = text.utf8.count
        text += other.text
        links += other.links.map { link in
            var link = link
            link.range = link.range.lowerBound + start..<link.range.upperBound + start
            return link
        }
    }

    /// Appends plain text.
    mutating func append(_ plain: String) { text += plain }

    /// Returns the text with a number after each link that `isFollowed`, counted on from `count`; others become text.
    func numbered(from count: inout Int, where isFollowed: (String) -> Bool) -> MarkdownText {
        var result = MarkdownText()
        var end = 0
        for var link in links where isFollowed(link.target) {
            count += 1
            result.text += bytes(end..<link.range.upperBound)
            let length = link.range.count
            end = link.range.upperBound
            link.range = result.text.utf8.count - length..<result.text.utf8.count
            link.number = count
            result.links.append(link)
            // The number stays on the line of the last word.
            result.text += "\u{A0}[\(count)]"
        }
        result.text += bytes(end..<text.utf8.count)
        return result
    }

    /// Returns the text of a link.
    func text(of link: Link) -> String { bytes(link.range) }

    private func bytes(_ range: Range<Int>) -> String {
        String(decoding: text.utf8.dropFirst(range.lowerBound).prefix(range.count), as: UTF8.self)
    }
}
