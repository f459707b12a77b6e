internal import Graphemes
internal import TerminalUI

/// A page of the guide as paragraphs for a window of some width.
struct GuideText {
    /// A link and the paragraph that has it.
    struct PlacedLink {
        /// The link; its range is that in the paragraph.
        var link: MarkdownText.Link
        /// The text of the link.
        var text: String
        /// The index of the paragraph.
        var paragraph: Int
    }

    /// The paragraphs.
    private(set) var paragraphs: [TextView.Paragraph] = []
    /// The links, in their order.
    private(set) var links: [PlacedLink] = []
    /// The paragraphs of the headings by their names in links: "more-keys".
    private(set) var headings: [String: Int] = [:]
    /// The paragraphs and levels of all headings, in their order.
    private var levels: [(paragraph: Int, level: Int)] = []
    /// The first paragraph of each block.
    private var blockStarts: [Int] = []
    private let width: Int

    /// The sign of an item of a list without numbers.
    static let bullet = "•"
    private static let gap = 2

    /// Creates the paragraphs of `page` for `width` columns; of those parts only that contain all `words`,
    /// each below its heading.
    init(_ page: MarkdownPage, width: Int, matching words: FilterWords = FilterWords("")) {
        self.width = width
        let blocks = words.isEmpty ? page.blocks : Self.blocks(of: page, matching: words)
        for (index, block) in blocks.enumerated() {
            if index > 0, Self.isApart(block, from: blocks[index - 1]) { paragraphs.append(.init("")) }
            blockStarts.append(paragraphs.count)
            append(block)
        }
    }

    /// A paragraph as a place that texts of other widths have, too.
    struct Place {
        fileprivate var block = 0
        fileprivate var offset = 0
    }

    /// Returns the place of the paragraph at `index`.
    func place(ofParagraph index: Int) -> Place {
        guard let block = blockStarts.lastIndex(where: { $0 <= index }) else { return Place() }
        return Place(block: block, offset: index - blockStarts[block])
    }

    /// Returns the paragraph at a place, which a text of another width gave, or the nearest one of the same block.
    func paragraph(at place: Place) -> Int {
        guard blockStarts.indices.contains(place.block) else { return 0 }
        let ends = blockStarts.dropFirst() + [paragraphs.count]
        let (start, end) = (blockStarts[place.block], ends[ends.startIndex + place.block])
        return max(start, min(start + place.offset, end - 1))
    }

    /// Returns the paragraphs in words, one line each.
    ///
    /// - Parameter heading: The name of the heading whose section is wanted; nil for the whole page.
    func spoken(ofSection heading: String?) -> [String] {
        var range = paragraphs.indices
        if let heading, let start = headings[heading], let own = levels.first(where: { $0.paragraph == start }) {
            let next = levels.first { $0.paragraph > start && $0.level <= own.level }
            range = start..<(next?.paragraph ?? range.upperBound)
        }
        return paragraphs[range].map { paragraph in
            var paragraph = paragraph
            // Signs would be read out before each item.
            if paragraph.label.hasSuffix(Self.bullet) { paragraph.label = "" }
            // Nor do the blanks between columns help.
            paragraph.text = paragraph.text.split(separator: " ").joined(separator: " ")
            return paragraph.spoken
        }.filter { !$0.isEmpty }
    }

    /// Whether an empty line separates two blocks.
    private static func isApart(_ block: MarkdownPage.Block, from previous: MarkdownPage.Block) -> Bool {
        switch (previous, block) {
        case (.item, .item(let sign, _, _)): sign.isEmpty
        case (.heading(let level, _), .heading): level == 1
        case (.heading(let level, _), _): level == 1
        default: true
        }
    }

    // MARK: - Blocks

    private mutating func append(_ block: MarkdownPage.Block) {
        switch block {
        case .heading(let level, let text):
            let name = Self.name(ofHeading: text.text)
            if headings[name] == nil { headings[name] = paragraphs.count }
            levels.append((paragraphs.count, level))
            append(text) { level == 2 ? .heading($0) : .init($0, style: .strong) }
        case .paragraph(let text): append(text) { .init($0) }
        case .item(let sign, let depth, let text):
            let label = String(repeating: "  ", count: depth) + (sign.isEmpty ? " " : sign)
            append(text) { .init($0, label: label) }
        case .code(let lines):
            for line in lines { paragraphs.append(.init(line, label: "  ", style: .secondary)) }
        case .table(let rows): append(rows)
        }
    }

    private mutating func append(_ text: MarkdownText, as paragraph: (String) -> TextView.Paragraph) {
        for link in text.links {
            links.append(PlacedLink(link: link, text: text.text(of: link), paragraph: paragraphs.count))
        }
        paragraphs.append(paragraph(text.text))
    }

    /// Appends a table: in columns if they fit, else the first cell of each row before the others.
    private mutating func append(_ rows: [[MarkdownText]]) {
        guard let head = rows.first else { return }
        let widths = head.indices.map { column in rows.map { $0[column].text.displayColumns }.max() ?? 0 }
        let fits = widths.reduce(Self.gap * (widths.count - 1), +) <= width
        let isLabelled = !fits && rows.allSatisfy { $0[0].links.isEmpty }
        for (number, row) in rows.enumerated() {
            let isHead = number == 0
            // The names of columns mean nothing in rows without columns.
            if isHead, row.allSatisfy(\.text.isEmpty) || !fits && !isLabelled { continue }
            // A label is not wrapped, and would be cut off.
            let hasLabel = isLabelled && row[0].text.displayColumns <= width
            let text = fits ? Self.aligned(row, widths) : Self.joined(hasLabel ? row.dropFirst() : row[...])
            append(text) { words in
                if fits { return .init(words, style: isHead ? .secondary : .plain) }
                let label = hasLabel ? row[0].text : isLabelled ? "" : Self.bullet
                return .init(words, label: label, style: isHead ? .secondary : .plain)
            }
        }
    }

    private static func aligned(_ row: [MarkdownText], _ widths: [Int]) -> MarkdownText {
        var text = MarkdownText()
        for (cell, width) in zip(row, widths) {
            text.append(cell)
            text.append(String(repeating: " ", count: width - cell.text.displayColumns + gap))
        }
        return text
    }

    private static func joined(_ cells: ArraySlice<MarkdownText>) -> MarkdownText {
        var text = MarkdownText()
        for cell in cells where !cell.text.isEmpty {
            if !text.text.isEmpty { text.append("\u{A0}— ") }
            text.append(cell)
        }
        return text
    }

    /// Returns the name of a heading in links: lowercase, with hyphens for blanks and without punctuation.
    static func name(ofHeading text: String) -> String {
        String(
            text.lowercased().compactMap { character -> Character? in
                if character == " " { return "-" }
                return character.isLetter || character.isNumber || "-_".contains(character) ? character : nil
            })
    }

    // MARK: - Filter

    /// Returns the parts that contain all `words`: whole sections whose heading does, else paragraphs, items, code and
    /// the rows of tables, below their heading.
    private static func blocks(of page: MarkdownPage, matching words: FilterWords) -> [MarkdownPage.Block] {
        func matches(_ texts: [String]) -> Bool { words.match(texts.joined(separator: " ")) }
        var found: [MarkdownPage.Block] = []
        var heading: MarkdownPage.Block?
        var isWhole = false
        for block in page.blocks {
            var part: MarkdownPage.Block? = block
            switch block {
            case .heading(_, let text):
                isWhole = matches([text.text])
                heading = block
                if !isWhole { continue }
                heading = nil
            case _ where isWhole: break
            case .paragraph(let text), .item(_, _, let text): if !matches([text.text]) { part = nil }
            case .code(let lines): if !matches(lines) { part = nil }
            case .table(let rows):
                let matching = rows.dropFirst().filter { matches($0.map(\.text)) }
                part = matching.isEmpty ? nil : .table(rows.prefix(1) + matching)
            }
            guard let part else { continue }
            if let above = heading { found.append(above) }
            heading = nil
            found.append(part)
        }
        return found
    }
}
