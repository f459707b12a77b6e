/// The inline text of a Markdown block without its markup, and the links in it.
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

    /// Makes the text from UTF-8 byte `start` to the end a link.
    mutating func addLink(to target: String, from start: Int) {
        links.append(Link(target: target, range: start..<text.utf8.count))
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
