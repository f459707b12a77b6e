/// A page in the part of Markdown that the guide uses: headings, paragraphs, lists, code between fences, and tables.
///
/// HTML is left out, comments with it.
struct MarkdownPage: Hashable {
    /// A part of the page.
    enum Block: Hashable {
        case heading(level: Int, MarkdownText)
        case paragraph(MarkdownText)
        /// An item of a list: its sign, "•" or "2.", or "" for a further paragraph; and the number of lists around it.
        case item(sign: String, depth: Int, MarkdownText)
        /// The lines between two fences.
        case code([String])
        /// The rows of a table; the first has the headings.
        case table([[MarkdownText]])
    }

    /// The parts, in their order.
    private(set) var blocks: [Block] = []

    /// Reads a page. Linear in the text.
    init(_ text: String) { blocks = MarkdownReader(text).blocks }

    /// The text of the first heading, or "".
    var title: String {
        for case .heading(_, let text) in blocks { return text.text }
        return ""
    }

    /// Returns the page with its links numbered; those that are not `isFollowed` become text.
    func numbered(where isFollowed: (String) -> Bool) -> MarkdownPage {
        var page = self
        var count = 0
        func numbered(_ text: MarkdownText) -> MarkdownText { text.numbered(from: &count, where: isFollowed) }
        page.blocks = blocks.map { block -> Block in
            switch block {
            case .heading(let level, let text): .heading(level: level, numbered(text))
            case .paragraph(let text): .paragraph(numbered(text))
            case .item(let sign, let depth, let text): .item(sign: sign, depth: depth, numbered(text))
            case .code: block
            case .table(let rows): .table(rows.map { $0.map { numbered($0) } })
            }
        }
        return page
    }
}

/// Reads the blocks of a page, line by line.
private struct MarkdownReader {
    /// The blocks that are complete.
    private(set) var blocks: [MarkdownPage.Block] = []
    /// The sign and depth of the item that is being read, if it is one.
    private var item: (sign: String, depth: Int)?
    /// The lines of the paragraph or item that is being read.
    private var lines: [Substring] = []
    /// The depth of the list that an indented paragraph continues, if any.
    private var depthOfList: Int?

    /// Reads `text`.
    init(_ text: String) {
        var rest = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)[...]
        while let line = rest.popFirst() { read(line, &rest) }
        endText()
    }

    private mutating func read(_ line: Substring, _ rest: inout ArraySlice<Substring>) {
        let indent = line.prefix { $0 == " " }.count
        let text = line.dropFirst(indent)
        if text.isEmpty {
            endText()
        } else if let fence = ["```", "~~~"].first(where: { text.hasPrefix($0) }) {
            endText()
            var code: [String] = []
            while let next = rest.popFirst(), !next.drop(while: { $0 == " " }).hasPrefix(fence) {
                code.append(String(next.dropFirst(min(indent, next.prefix { $0 == " " }.count))))
            }
            blocks.append(.code(code))
        } else if text.hasPrefix("<!--") {
            endText()
            var comment = text
            while !comment.contains("-->"), let next = rest.popFirst() { comment = next }
        } else if text.first == "<", let next = text.dropFirst().first, next == "/" || next.isLetter,
            !text.hasPrefix("<http")
        {
            endText()
        } else if text.first == "|" {
            endText()
            readTable(text, &rest)
        } else if let level = Self.level(of: text) {
            endText()
            blocks.append(.heading(level: level, MarkdownText(text.dropFirst(level + 1))))
            depthOfList = nil
        } else if let (sign, start) = Self.item(text) {
            endText()
            let depth = min(3, indent / 2)
            (item, lines) = ((sign, depth), [start])
            depthOfList = depth
        } else if lines.isEmpty, ["---", "***"].contains(where: { text.hasPrefix($0) }) {
            depthOfList = nil
        } else {
            readText(text, isIndented: indent >= 2)
        }
    }

    private mutating func readText(_ text: Substring, isIndented: Bool) {
        if lines.isEmpty {
            if !isIndented { depthOfList = nil }
            item = depthOfList.map { ("", $0) }
        }
        lines.append(text.hasPrefix("> ") ? text.dropFirst(2) : text)
    }

    private mutating func endText() {
        guard !lines.isEmpty else { return }
        let text = MarkdownText(lines.joined(separator: " "))
        if let item {
            blocks.append(.item(sign: item.sign, depth: item.depth, text))
        } else {
            blocks.append(.paragraph(text))
        }
        (item, lines) = (nil, [])
    }

    private mutating func readTable(_ first: Substring, _ rest: inout ArraySlice<Substring>) {
        var rows = [Self.cells(of: first)]
        while let next = rest.first?.drop(while: { $0 == " " }), next.first == "|" {
            rest.removeFirst()
            if rows.count == 1, next.allSatisfy({ "|-: ".contains($0) }) { continue }
            rows.append(Self.cells(of: next))
        }
        let count = rows.map(\.count).max() ?? 0
        blocks.append(
            .table(rows.map { $0 + Array(repeating: MarkdownText(), count: count - $0.count) }))
        depthOfList = nil
    }

    /// Returns the cells of a row. A bar after a backslash is text.
    private static func cells(of row: Substring) -> [MarkdownText] {
        var cells: [String] = []
        var cell = ""
        var isEscaped = false
        for character in row.dropFirst() {
            if character == "|", !isEscaped {
                cells.append(cell)
                cell = ""
            } else {
                if character == "|" { cell.removeLast() }
                cell.append(character)
            }
            isEscaped = character == "\\"
        }
        if cell.contains(where: { !$0.isWhitespace }) { cells.append(cell) }
        return cells.map { MarkdownText($0.trimmed) }
    }

    private static func level(of text: Substring) -> Int? {
        let level = text.prefix { $0 == "#" }.count
        return (1...6).contains(level) && text.dropFirst(level).first == " " ? level : nil
    }

    /// Returns the sign and the text of an item of a list.
    private static func item(_ text: Substring) -> (sign: String, rest: Substring)? {
        let number = text.prefix { $0.isASCII && $0.isNumber }
        let sign = number.isEmpty ? text.prefix(1) : text.prefix(number.count + 1)
        guard text.dropFirst(sign.count).first == " " else { return nil }
        let rest = text.dropFirst(sign.count).drop { $0 == " " }
        if number.isEmpty { return "-*+".contains(sign) ? ("•", rest) : nil }
        return number.count < 4 && (sign.hasSuffix(".") || sign.hasSuffix(")")) ? (String(sign), rest) : nil
    }
}

extension String {
    /// The text without blanks at its ends.
    fileprivate var trimmed: Substring {
        let start = drop { $0 == " " }
        let count = start.reversed().prefix { $0 == " " }.count
        return start.dropLast(count)
    }
}
