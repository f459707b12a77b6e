/// A page of Markdown in blocks that a screen of text can show.
struct MarkdownPage: Hashable {
    /// A part of the page.
    enum Block: Hashable {
        case heading(level: Int, MarkdownText)
        case paragraph(MarkdownText)
        /// An item of a list: its sign, "•" or "2.", or "" for a further paragraph; and the number of lists around it.
        case item(sign: String, depth: Int, MarkdownText)
        /// The lines of a block of code.
        case code([String])
        /// The rows of a table; the first has the headings.
        case table([[MarkdownText]])
    }

    /// The largest depth of an item; deeper ones are shown at this depth.
    static let maximumDepth = 3

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
