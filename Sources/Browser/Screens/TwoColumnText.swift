internal import TerminalUI

/// Groups of labelled paragraphs that scroll; in a wide window, what does not fit otherwise is in two columns.
final class TwoColumnText: ScrollingView {
    /// All paragraphs; empty ones separate the groups.
    private(set) var paragraphs: [TextView.Paragraph] = []
    private let left = TextView()
    private let right = TextView()

    /// The narrowest frame that has two columns.
    private static let minimumWidth = 110
    private static let gap = 4

    /// Creates an empty view.
    init() {
        for view in [left, right] {
            view.labelStyle = .strong
            view.alignsAllLabels = true
        }
    }

    /// The rectangle that the view occupies on the screen.
    var frame: Rect = .empty {
        didSet { if frame != oldValue { arrange() } }
    }

    var topLine: Int { left.topLine }

    var lineCount: Int { left.lineCount }

    /// The line at the top of the first column.
    var textOfTopLine: String { left.textOfTopLine }

    /// Shows `paragraphs` from the first on.
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

    /// Splits the paragraphs between the columns, so that the first is as long as the second or a little longer.
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
        for end in breaks {
            left.paragraphs = Array(paragraphs[..<end])
            right.paragraphs = Array(paragraphs[min(end + 1, paragraphs.count)...])
            if left.lineCount >= right.lineCount { break }
        }
        // Both scroll to the same line at the end too.
        let padding = left.lineCount - right.lineCount
        if !right.paragraphs.isEmpty && padding > 0 {
            right.paragraphs += Array(repeating: .init(""), count: padding)
        }
    }
}
