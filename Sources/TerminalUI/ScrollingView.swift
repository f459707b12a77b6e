/// Something whose lines scroll in its frame.
public protocol ScrollingView: AnyObject {
    /// Where it stands on the screen.
    var frame: Rect { get }

    /// The line at the top, counted from zero.
    var topLine: Int { get }

    /// How many lines there are.
    var lineCount: Int { get }

    /// Scrolls by so many lines, down where positive, and stops where they end.
    func scroll(by lines: Int)
}
