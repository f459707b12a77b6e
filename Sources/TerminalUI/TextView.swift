internal import Graphemes

/// Paragraphs, wrapped at words to the width of its frame, that scroll.
public final class TextView: ScrollingView {
    /// A paragraph, with a label before it or without.
    public struct Paragraph: Hashable, Sendable {
        /// What stands before the text, in a column that it shares with the labels of the paragraphs around it; "" for
        /// none. One that takes more than half of the width stands above its text, which is indented a little then.
        public var label: String
        /// The text.
        public var text: String
        /// How the text looks.
        public var style: Style
        /// What of the text stands out: ranges of its UTF-8 bytes, ascending and apart.
        public var highlights: [Range<Int>]

        /// A paragraph of `text`.
        public init(_ text: String, label: String = "", style: Style = .plain, highlights: [Range<Int>] = []) {
            self.label = label
            self.text = text
            self.style = style
            self.highlights = highlights
        }
    }

    /// What is shown. With another content the view stays at its line, as far as there is one: see `scrollToTop()`.
    public var paragraphs: [Paragraph] = [] {
        didSet { if !frame.isEmpty && topLine > 0 { scroll(by: 0) } }
    }

    /// Where it stands on the screen.
    public var frame: Rect = .empty {
        // In another width the text has another number of lines.
        didSet { if frame != oldValue && !frame.isEmpty { scroll(by: 0) } }
    }

    /// The line at the top, counted from zero.
    public private(set) var topLine = 0

    /// A view without text.
    public init() {}

    /// Scrolls by so many lines, down where positive, and stops where the text ends.
    ///
    /// The cost is that of the lines above the end of the screen, not of the whole text.
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

    /// Puts the line at the top that has this number, as far as the text goes on below it.
    public func scroll(toLine line: Int) {
        topLine = 0
        if line > 0 { scroll(by: line) }
    }

    /// How many lines the text has at this width. Linear in the text.
    public var lineCount: Int { lines(upTo: .max).count }

    /// The text of the line at the top, with its label; "" where there is none.
    public var textOfTopLine: String {
        guard let line = lines(upTo: topLine + 1).dropFirst(topLine).first else { return "" }
        let text = line.glyphs.map(\.text).joined()
        return line.label.isEmpty ? text : line.label.sanitized + "  " + text
    }

    /// Goes to the first line.
    public func scrollToTop() {
        topLine = 0
    }

    /// Draws the lines on the screen.
    public func draw(on canvas: inout Canvas) {
        for (offset, line) in lines(upTo: topLine + frame.height).dropFirst(topLine).enumerated() {
            let row = frame.row + offset
            canvas.write(line.label, row: row, column: frame.column, width: frame.width, style: .secondary)
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

    /// The first lines of the wrapped text, at most `limit`.
    private func lines(upTo limit: Int) -> [Line] {
        guard frame.width > 0 else { return [] }
        var lines: [Line] = []
        var columnWidth: Int?
        for (index, paragraph) in paragraphs.enumerated() {
            var label = paragraph.label
            var indent = 0
            if label.isEmpty {
                columnWidth = nil
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

    /// How wide the column is in which the labels from `index` up to the next paragraph without one stand, with the blanks
    /// behind them: as the widest of those that take no more than half of the width.
    private func columnWidth(ofLabelsFrom index: Int) -> Int {
        let half = frame.width / 2
        let widths = paragraphs[index...].prefix { !$0.label.isEmpty }.map { $0.label.displayColumns + 2 }
        return widths.filter { $0 <= half }.max() ?? 0
    }
}
