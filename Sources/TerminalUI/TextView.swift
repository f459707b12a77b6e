internal import Graphemes

/// A scrolling view of paragraphs, wrapped at words to the width of its frame.
public final class TextView: ScrollingView {
    /// A paragraph with an optional label before it.
    public struct Paragraph: Hashable, Sendable {
        /// The label before the text, or "". Adjacent labels share a column.
        ///
        /// A label of more than half the width has a line to itself above its text, which is slightly indented.
        public var label: String
        /// The text of the paragraph.
        public var text: String
        /// The style of the text.
        public var style: Style
        /// The highlighted ranges of UTF-8 bytes of the text, ascending and disjoint.
        public var highlights: [Range<Int>]
        /// The ranges of UTF-8 bytes of the text that are links, ascending and disjoint; none in a heading.
        public var links: [Range<Int>] = []
        /// Whether the text is below that of the labelled paragraph before it, in the same column.
        public var continuesLabel = false
        /// Whether the text is a heading, which is drawn in capitals with a rule to the right edge.
        public var isHeading = false
        /// A short text at the right edge of the last line, or "". Where the line has no room, it is below; at the end of
        /// the rule of a heading, it is left out.
        public var trailing = ""

        /// Creates a paragraph of `text`.
        public init(_ text: String, label: String = "", style: Style = .plain, highlights: [Range<Int>] = []) {
            self.label = label
            self.text = text
            self.style = style
            self.highlights = highlights
        }

        /// Creates the heading of the paragraphs that follow.
        public static func heading(_ text: String) -> Paragraph {
            var heading = Paragraph(text, style: .strong)
            heading.isHeading = true
            return heading
        }
    }

    /// A link and its place in the wrapped text.
    public struct Link: Hashable, Sendable {
        /// Its number among all links of the paragraphs, from zero.
        public let number: Int
        /// Its text on one line, without no-break spaces.
        public let text: String
        /// The columns that it takes in each of its lines, counted from the left edge of the frame.
        fileprivate let parts: [Part]

        fileprivate struct Part: Hashable, Sendable {
            let line: Int
            let columns: Range<Int>
        }

        /// Its first line, counted from the beginning of the text.
        public var line: Int { parts[0].line }
    }

    /// The content. Changing it keeps the scroll position as far as the new content allows; see `scrollToTop()`. No link is
    /// selected then.
    public var paragraphs: [Paragraph] = [] {
        didSet {
            forgetLines()
            selectedLink = nil
            if !frame.isEmpty && topLine > 0 { scroll(by: 0) }
        }
    }

    /// The rectangle that the view occupies on the screen.
    public var frame: Rect = .empty {
        didSet {
            if frame == oldValue { return }
            // The lines depend on the width.
            if frame.width != oldValue.width { forgetLines() }
            if !frame.isEmpty { scroll(by: 0) }
        }
    }

    /// The style of the labels.
    public var labelStyle = Style.secondary
    /// The surface that the view is drawn on.
    public var surface = Style.Surface.window
    /// Whether all labels share one column, instead of adjacent ones only.
    public var alignsAllLabels = false {
        didSet { forgetLines() }
    }
    /// Whether the last column shows the visible part of a text that does not fit, beside a column of margin. A frame too
    /// narrow for these two columns has neither.
    public var hasScrollMark = false {
        didSet { forgetLines() }
    }

    /// The place of a figure in the text.
    public struct Place: Hashable, Sendable {
        /// The size of the figure.
        public var size: Size
        /// Whether it is at the right of the first lines; otherwise it is above them.
        public var isBeside: Bool

        /// Creates a place.
        public init(size: Size, isBeside: Bool) { (self.size, self.isBeside) = (size, isBeside) }
    }

    /// The place that the text leaves to a figure, which scrolls with it.
    public var figurePlace: Place? {
        didSet {
            if figurePlace == oldValue { return }
            forgetLines()
            if !frame.isEmpty && topLine > 0 { scroll(by: 0) }
        }
    }

    /// The line at the top of the frame, counted from zero.
    public private(set) var topLine = 0
    /// The number of the selected link, if any.
    public var selectedLink: Int?

    /// Creates an empty view.
    public init() {}

    /// Scrolls by `lines`, down if positive, and stops at either end.
    ///
    /// The cost depends on the lines above the bottom of the frame, not on the whole text.
    public func scroll(by lines: Int) {
        let (sum, overflow) = topLine.addingReportingOverflow(lines)
        let wanted = overflow ? (lines > 0 ? Int.max : 0) : max(0, sum)
        if wanted == 0 {
            topLine = 0
            return
        }
        let (end, isBeyond) = wanted.addingReportingOverflow(frame.height)
        let existing = self.lines(upTo: isBeyond ? .max : end).count
        topLine = min(wanted, max(0, existing - frame.height))
    }

    /// Scrolls line `line` to the top, or as near as the end of the text allows.
    public func scroll(toLine line: Int) {
        topLine = 0
        if line > 0 { scroll(by: line) }
    }

    /// The number of lines at the current width. Linear in the text.
    public var lineCount: Int { lines(upTo: .max).count }

    /// Whether the frame is too small for all lines. Wraps only as much as necessary, because a text can have
    /// megabytes.
    public var isScrollable: Bool { lines(upTo: frame.height + 1).count > frame.height }

    /// The line at the top of the frame with its label, or "" if the view is empty.
    public var textOfTopLine: String {
        guard let line = lines(upTo: topLine + 1).dropFirst(topLine).first else { return "" }
        let text = line.glyphs.map(\.text).joined()
        let trailing = line.trailing.map(\.text).joined()
        return [line.label.sanitized, text, trailing].filter { !$0.isEmpty }.joined(separator: "  ")
    }

    /// Returns the first line of the paragraph at `index`; nil if the view is empty. Linear in the text.
    public func line(ofParagraph index: Int) -> Int? { lines(upTo: .max).firstIndex { $0.paragraph >= index } }

    /// The index of the paragraph of the first visible line; 0 if the view is empty. Linear in the lines above.
    public var topParagraph: Int { lines(upTo: topLine + 1).last?.paragraph ?? 0 }

    /// The first line with a highlighted character, if any. Linear in the text.
    public var highlightedLine: Int? {
        lines(upTo: .max).firstIndex { $0.glyphs.contains(where: \.isHighlighted) }
    }

    /// Scrolls as little as possible to make line `line` visible, with a line beside it if there is room.
    public func reveal(line: Int) {
        let margin = frame.height > 2 ? 1 : 0
        if line - margin < topLine {
            scroll(toLine: line - margin)
        } else if line + margin >= topLine + frame.height {
            scroll(by: line + margin + 1 - frame.height - topLine)
        }
    }

    /// Scrolls to the first line.
    public func scrollToTop() {
        topLine = 0
    }

    /// Draws the visible lines.
    public func draw(on canvas: inout Canvas) {
        // The length of the text needs more lines than are visible; they come first, so that they are wrapped once.
        let markedRows = markedRows
        for (offset, line) in lines(upTo: topLine + frame.height).dropFirst(topLine).enumerated() {
            let (row, width) = (frame.row + offset, line.width)
            canvas.write(line.label, row: row, column: frame.column, width: width, style: labelStyle.on(surface))
            canvas.write(
                line.glyphs, row: row, column: frame.column + line.indent, width: width - line.indent,
                style: line.style.on(surface))
            let end = width - line.trailing.columns
            canvas.write(
                line.trailing, row: row, column: frame.column + end, width: line.trailing.columns,
                style: Style(.secondary, on: surface))
            if line.hasRule {
                let ruleEnd = line.trailing.isEmpty ? width : end - 1
                for column in min(line.glyphs.columns + 1, ruleEnd)..<ruleEnd {
                    canvas.write("─", row: row, column: frame.column + column, style: Style(.line, on: surface))
                }
            }
        }
        if let selectedLink, let link = links.first(where: { $0.number == selectedLink }) { draw(link, on: &canvas) }
        for row in markedRows {
            canvas.write("┃", row: row, column: frame.endColumn - 1, style: Style(.line, on: surface))
        }
    }

    /// The rectangle of the figure on the screen, some of which may be outside of the frame.
    public var figureRect: Rect? {
        figurePlace.map { place in
            Rect(
                row: frame.row - topLine,
                column: frame.column + (place.isBeside ? textWidth - place.size.columns : 0),
                height: place.size.rows, width: place.size.columns)
        }
    }

    private struct Line {
        /// The index of its paragraph.
        var paragraph: Int
        /// The width that it may have.
        var width: Int
        var label: String
        var glyphs: [Grapheme]
        var indent: Int
        var style: Style
        var hasRule = false
        /// The text at the right edge.
        var trailing: [Grapheme] = []
    }

    // MARK: - Links

    /// Whether the text has links. Linear in the paragraphs.
    public var hasLinks: Bool { paragraphs.contains { !$0.links.isEmpty } }

    /// The links that can be seen, in the order of the text. The first access after a change is linear in the text.
    public var links: [Link] {
        if let placedLinks { return placedLinks }
        let links = hasLinks ? placeLinks() : []
        placedLinks = links
        return links
    }

    /// Returns the link at a position on the screen; nil if none is there.
    public func link(at position: Position) -> Link? {
        guard frame.contains(position) else { return nil }
        let (line, column) = (topLine + position.row - frame.row, position.column - frame.column)
        return links.first { $0.parts.contains { $0.line == line && $0.columns.contains(column) } }
    }

    /// Returns whether the first line of `link` is in the frame.
    public func shows(_ link: Link) -> Bool { (topLine..<topLine + frame.height).contains(link.line) }

    private func placeLinks() -> [Link] {
        let lines = lines(upTo: .max)
        let linesOfParagraphs = Dictionary(grouping: lines.indices) { lines[$0].paragraph }
        var links: [Link] = []
        var number = 0
        for (index, paragraph) in paragraphs.enumerated() where !paragraph.links.isEmpty {
            let bytes = Array(paragraph.text.utf8)
            for range in paragraph.links {
                let text = String(decoding: bytes[range], as: UTF8.self)
                let start = Self.glyphCount(of: String(decoding: bytes[..<range.lowerBound], as: UTF8.self))
                let glyphs = start..<start + Self.glyphCount(of: text)
                let parts = Self.parts(of: glyphs, in: lines, linesOfParagraphs[index] ?? [])
                // A name without a visible character has no place.
                if !parts.isEmpty {
                    links.append(Link(number: number, text: text.replacing("\u{A0}", with: " "), parts: parts))
                }
                number += 1
            }
        }
        return links
    }

    /// Returns the places of a range of glyphs of a paragraph, whose blanks are not counted, because those at which a line
    /// is broken are not drawn.
    ///
    /// - Parameter numbers: The lines of the paragraph.
    private static func parts(of glyphs: Range<Int>, in lines: ArraySlice<Line>, _ numbers: [Int]) -> [Link.Part] {
        var count = 0
        return numbers.compactMap { number in
            var column = lines[number].indent
            var columns: Range<Int>?
            for glyph in lines[number].glyphs {
                if !glyph.isBlank {
                    if glyphs.contains(count) { columns = (columns?.lowerBound ?? column)..<column + glyph.columns }
                    count += 1
                }
                column += glyph.columns
            }
            return columns.map { Link.Part(line: number, columns: $0) }
        }
    }

    /// The number of glyphs other than blanks that a text has in this view.
    private static func glyphCount(of text: String) -> Int {
        var (count, wrapper) = (0, LineWrapper(text, width: .max / 2))
        while let glyphs = wrapper.next() { count += glyphs.map(\.withoutNoBreakSpace).count { !$0.isBlank } }
        return count
    }

    /// Draws the visible part of a link as selected.
    private func draw(_ link: Link, on canvas: inout Canvas) {
        let lines = lines(upTo: topLine + frame.height)
        for part in link.parts where (topLine..<lines.endIndex).contains(part.line) {
            let line = lines[part.line]
            var column = line.indent
            let glyphs = line.glyphs.filter { glyph in
                defer { column += glyph.columns }
                return part.columns.contains(column)
            }
            canvas.write(
                glyphs, row: frame.row + part.line - topLine, column: frame.column + part.columns.lowerBound,
                width: part.columns.count, style: line.style.on(.selection))
        }
    }

    // MARK: - Scroll mark

    /// The minimum width of a frame with a scroll mark.
    private static let minimumWidthWithMark = 12
    /// The maximum number of lines that are wrapped to find the length of the text. The length of longer texts is
    /// estimated.
    private static let countedLines = 1000

    private var hasRoomForMark: Bool { hasScrollMark && frame.width >= Self.minimumWidthWithMark }

    /// The width of the text.
    private var textWidth: Int { hasRoomForMark ? frame.width - 2 : frame.width }

    /// The rows of the scroll mark; empty if all lines are visible.
    private var markedRows: Range<Int> {
        guard hasRoomForMark, frame.height > 0 else { return 0..<0 }
        let count = estimatedLineCount
        let hidden = count - frame.height
        guard hidden > 0 else { return 0..<0 }
        let length = max(1, frame.height * frame.height / count)
        let room = frame.height - length
        // At either end of the frame only if the text is at this end, too.
        let offset = topLine == 0 ? 0 : topLine >= hidden ? room : max(1, min(room - 1, topLine * room / hidden))
        return frame.row + offset..<frame.row + offset + length
    }

    /// The number of lines of the text, estimated if it is long.
    private var estimatedLineCount: Int {
        let count = lines(upTo: Self.countedLines).count
        if count < Self.countedLines { return count }
        let bytes = paragraphs.reduce(0) { $0 + $1.text.utf8.count }
        return max(count, topLine + frame.height, bytes / max(1, textWidth))
    }

    // MARK: - Wrapping

    /// The first lines, wrapped up to `limit`; nil if they have to be wrapped again.
    private var wrapped: (lines: [Line], limit: Int)?
    /// The links of the wrapped text; nil if they have to be placed again.
    private var placedLinks: [Link]?

    private func forgetLines() { (wrapped, placedLinks) = (nil, nil) }

    /// Returns the wrapped lines, at most `limit`. Those of most texts are kept until the text or its width changes.
    private func lines(upTo limit: Int) -> ArraySlice<Line> {
        if let wrapped, wrapped.limit >= limit || wrapped.lines.count < wrapped.limit {
            return wrapped.lines.prefix(limit)
        }
        let lines = wrap(upTo: limit)
        if min(limit, lines.count) <= Self.countedLines { wrapped = (lines, limit) }
        return lines.prefix(limit)
    }

    /// Wraps at most `limit` lines, and one more for a trailing text that has no room.
    private func wrap(upTo limit: Int) -> [Line] {
        let textWidth = textWidth
        guard textWidth > 0 else { return [] }
        var lines = linesOfFigure
        var columnWidth: Int?
        for (index, paragraph) in paragraphs.enumerated() {
            var label = paragraph.label
            var indent = 0
            if label.isEmpty {
                if paragraph.continuesLabel {
                    indent = columnWidth.map { $0 > 0 ? $0 : min(2, textWidth / 2) } ?? 0
                } else if !alignsAllLabels {
                    columnWidth = nil
                }
            } else {
                let width = columnWidth ?? self.columnWidth(ofLabelsFrom: index)
                columnWidth = width
                indent = width
                if label.displayColumns + 2 > width {
                    if lines.count < limit {
                        lines.append(
                            Line(
                                paragraph: index, width: self.width(ofLine: lines.count), label: label, glyphs: [],
                                indent: 0, style: paragraph.style))
                    }
                    label = ""
                    indent = min(2, textWidth / 2)
                }
            }
            let text = paragraph.isHeading ? paragraph.text.uppercased() : paragraph.text
            let start = lines.count
            var width = self.width(ofLine: lines.count)
            var wrapper = LineWrapper(text, width: width - indent, highlights: paragraph.highlights)
            while lines.count < limit, let glyphs = wrapper.next() {
                let drawn = glyphs.map(\.withoutNoBreakSpace)
                lines.append(
                    Line(
                        paragraph: index, width: width, label: label, glyphs: drawn, indent: indent,
                        style: paragraph.style))
                label = ""
                width = self.width(ofLine: lines.count)
                wrapper.widen(to: width - indent)
            }
            if paragraph.isHeading && lines.count > start { lines[lines.count - 1].hasRule = true }
            // The last line of a paragraph may be beyond the limit.
            if !paragraph.trailing.isEmpty, lines.count > start, wrapper.next() == nil {
                end(&lines, with: paragraph.trailing, indent)
            }
            if lines.count >= limit { break }
        }
        return lines
    }

    /// The blank lines of a figure above the text, and one below it.
    private var linesOfFigure: [Line] {
        guard let figurePlace, !figurePlace.isBeside else { return [] }
        let blank = Line(paragraph: 0, width: textWidth, label: "", glyphs: [], indent: 0, style: .plain)
        return Array(repeating: blank, count: figurePlace.size.rows + 1)
    }

    /// Returns the width that a line may have, beside the figure if there is one.
    private func width(ofLine number: Int) -> Int {
        guard let figurePlace, figurePlace.isBeside, number <= figurePlace.size.rows else { return textWidth }
        return max(1, textWidth - figurePlace.size.columns - Self.figureMargin)
    }

    /// The columns between the text and a figure beside it.
    private static let figureMargin = 2

    /// The minimum length of the rule between a heading and the text at its end.
    private static let minimumRule = 3

    /// Puts the trailing text of a paragraph at the end of its last line, or below it where that has no room.
    private func end(_ lines: inout [Line], with trailing: String, _ indent: Int) {
        guard let last = lines.last else { return }
        var wrapper = LineWrapper(trailing, width: last.width - indent)
        guard let glyphs = wrapper.next().map({ $0.map(\.withoutNoBreakSpace) }) else { return }
        // A blank on each side of the rule, or two blanks.
        let gap = last.hasRule ? Self.minimumRule + 2 : 2
        if last.indent + last.glyphs.columns + gap + glyphs.columns <= last.width {
            lines[lines.count - 1].trailing = glyphs
        } else if !last.hasRule {
            lines.append(
                Line(
                    paragraph: last.paragraph, width: last.width, label: "", glyphs: [], indent: indent,
                    style: last.style, trailing: glyphs))
        }
    }

    /// Returns the width of the label column for the labels from `index` up to the next paragraph without one, or for
    /// all labels: the widest label that takes at most half the width, plus two blanks.
    private func columnWidth(ofLabelsFrom index: Int) -> Int {
        let half = textWidth / 2
        let labelled =
            alignsAllLabels ? paragraphs[...] : paragraphs[index...].prefix { !$0.label.isEmpty || $0.continuesLabel }
        let widths = labelled.lazy.filter { !$0.label.isEmpty }.map { $0.label.displayColumns + 2 }
        return widths.filter { $0 <= half }.max() ?? 0
    }
}

extension Grapheme {
    fileprivate var isBlank: Bool { base == " " && markCount == 0 }

    /// A blank in place of a no-break space, which only keeps words on one line.
    fileprivate var withoutNoBreakSpace: Grapheme {
        guard base == "\u{A0}", markCount == 0 else { return self }
        var blank = Grapheme.space
        blank.isHighlighted = isHighlighted
        return blank
    }
}
