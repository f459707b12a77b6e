/// A view whose content scrolls vertically in its frame.
public protocol ScrollingView: AnyObject {
    /// The rectangle that the view occupies on the screen.
    var frame: Rect { get }

    /// The line at the top of the frame, counted from zero.
    var topLine: Int { get }

    /// The total number of lines.
    var lineCount: Int { get }

    /// Scrolls by `lines`, down if positive, and stops at either end.
    func scroll(by lines: Int)
}
