internal import TerminalUI

/// A scrolling view of groups of labelled paragraphs; text that does not fit is in two columns if the window is wide.
final class TwoColumnText: ScrollingView {
    /// All paragraphs; empty ones separate the groups.
    private(set) var paragraphs: [TextView.Paragraph] = []
    private let left = TextView()
    private let right = TextView()

    /// The minimum width of a frame with two columns.
    private static let minimumWidth = 110
    private static let gap = 4

    /// Creates an empty view.
    init() {
        for view in [left, right] {
            view.labelStyle = .strong
            view.alignsAllLabels = true
        }
    }

    /// The frame of the view.
    var frame: Rect = .empty {
        didSet { if frame != oldValue { arrange() } }
    }

    var topLine: Int { left.topLine }

    var lineCount: Int { left.lineCount }

    /// The line at the top of the first column.
    var textOfTopLine: String { left.textOfTopLine }

    /// Shows `paragraphs`, scrolled to the top.
    func show(_ paragraphs: [TextView.Paragraph]) {
        self.paragraphs = paragraphs
        arrange()
        left.scrollToTop()
        right.scrollToTop()
    }

    func scroll(by lines: Int) {
        left.scroll(by: lines)
        right.scroll(toLine: left.topLine)
    }

    /// Draws the visible lines.
    func draw(on canvas: inout Canvas) {
        left.draw(on: &canvas)
        right.draw(on: &canvas)
    }

    /// Distributes the groups over the columns, so that these are of about the same length.
    private func arrange() {
        left.frame = frame
        left.paragraphs = paragraphs
        right.paragraphs = []
        guard frame.width >= Self.minimumWidth, left.lineCount > frame.height else { return }
        let width = (frame.width - Self.gap) / 2
        left.frame = Rect(row: frame.row, column: frame.column, height: frame.height, width: width)
        right.frame = Rect(
            row: frame.row, column: frame.endColumn - width, height: frame.height, width: width)
        let breaks = paragraphs.indices.filter { paragraphs[$0] == .init("") } + [paragraphs.count]
        var differences: [(end: Int, lines: Int)] = []
        for end in breaks {
            divide(at: end)
            differences.append((end, abs(left.lineCount - right.lineCount)))
            if left.lineCount >= right.lineCount { break }
        }
        guard let best = differences.min(by: { $0.lines < $1.lines }) else { return }
        divide(at: best.end)
        guard !right.paragraphs.isEmpty else { return }
        // With equal lengths, both columns scroll to the same last line.
        let shorter = left.lineCount < right.lineCount ? left : right
        shorter.paragraphs += Array(repeating: .init(""), count: best.lines)
    }

    /// Gives the paragraphs before the empty one at `end` to the first column, and those after it to the second.
    private func divide(at end: Int) {
        left.paragraphs = Array(paragraphs[..<end])
        right.paragraphs = Array(paragraphs[min(end + 1, paragraphs.count)...])
    }
}
