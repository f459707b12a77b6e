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

        /// Creates a paragraph of `text`.
        public init(_ text: String, label: String = "", style: Style = .plain, highlights: [Range<Int>] = []) {
            self.label = label
            self.text = text
            self.style = style
            self.highlights = highlights
        }
    }

    /// The content. Changing it keeps the scroll position as far as the new content allows; see `scrollToTop()`.
    public var paragraphs: [Paragraph] = [] {
        didSet { if !frame.isEmpty && topLine > 0 { scroll(by: 0) } }
    }

    /// The rectangle that the view occupies on the screen.
    public var frame: Rect = .empty {
        // The number of lines depends on the width.
        didSet { if frame != oldValue && !frame.isEmpty { scroll(by: 0) } }
    }

    /// The style of the labels.
    public var labelStyle = Style.secondary
    /// Whether all labels share one column, instead of adjacent ones only.
    public var alignsAllLabels = false

    /// The line at the top of the frame, counted from zero.
    public private(set) var topLine = 0

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
        return line.label.isEmpty ? text : line.label.sanitized + "  " + text
    }

    /// Scrolls to the first line.
    public func scrollToTop() {
        topLine = 0
    }

    /// Draws the visible lines.
    public func draw(on canvas: inout Canvas) {
        for (offset, line) in lines(upTo: topLine + frame.height).dropFirst(topLine).enumerated() {
            let row = frame.row + offset
            canvas.write(line.label, row: row, column: frame.column, width: frame.width, style: labelStyle)
            canvas.write(
                line.glyphs, row: row, column: frame.column + line.indent, width: frame.width - line.indent,
                style: line.style)
        }
    }

    private struct Line {
        var label: String
        var glyphs: [Grapheme]
        var indent: Int
        var style: Style
    }

    /// Returns the wrapped lines, at most `limit`.
    private func lines(upTo limit: Int) -> [Line] {
        guard frame.width > 0 else { return [] }
        var lines: [Line] = []
        var columnWidth: Int?
        for (index, paragraph) in paragraphs.enumerated() {
            var label = paragraph.label
            var indent = 0
            if label.isEmpty {
                if !alignsAllLabels { columnWidth = nil }
            } else {
                let width = columnWidth ?? self.columnWidth(ofLabelsFrom: index)
                columnWidth = width
                indent = width
                if label.displayColumns + 2 > width {
                    if lines.count < limit {
                        lines.append(Line(label: label, glyphs: [], indent: 0, style: paragraph.style))
                    }
                    label = ""
                    indent = min(2, frame.width / 2)
                }
            }
            var wrapper = LineWrapper(paragraph.text, width: frame.width - indent, highlights: paragraph.highlights)
            while lines.count < limit, let glyphs = wrapper.next() {
                lines.append(Line(label: label, glyphs: glyphs, indent: indent, style: paragraph.style))
                label = ""
            }
            if lines.count >= limit { break }
        }
        return lines
    }

    /// Returns the width of the label column for the labels from `index` up to the next paragraph without one, or for
    /// all labels: the widest label that takes at most half the width, plus two blanks.
    private func columnWidth(ofLabelsFrom index: Int) -> Int {
        let half = frame.width / 2
        let labelled = alignsAllLabels ? paragraphs[...] : paragraphs[index...].prefix { !$0.label.isEmpty }
        let widths = labelled.map { $0.label.displayColumns + 2 }
        return widths.filter { $0 <= half }.max() ?? 0
    }
}
