/// The source of events, with the terminal's functions other than output.
public protocol EventSource: AnyObject {
    /// Waits for events without using the processor.
    ///
    /// - Parameter milliseconds: The time limit; nil waits without limit.
    /// - Returns: All pending events, oldest first; never empty, since a wait without events returns `timeOut`.
    func waitForEvents(milliseconds: Int?) -> [Event]

    /// Ends the current or next wait with the event `wakeUp`; may be called from any thread.
    var wakeUp: @Sendable () -> Void { get }

    /// Copies `text` to the clipboard of the user at the terminal.
    ///
    /// - Returns: Whether the terminal has a clipboard and accepts text of this length.
    func copy(_ text: String) -> Bool

    /// Restores the terminal and stops the process; returns once the process is continued and the terminal is set up
    /// again.
    func suspend()

    /// Restores the terminal while `body` runs, and sets it up again afterwards.
    func withTerminalReleased(_ body: () -> Void)
}

/// A terminal that shows full screens.
public protocol Terminal: EventSource {
    /// The current size of the terminal.
    var size: Size { get }

    /// Shows `canvas`, which has the terminal's size, and moves the cursor to `cursor`, which screen readers and
    /// Braille displays follow.
    ///
    /// The cursor is visible only if `isTyping`; otherwise the symbol of the current row shows the position.
    func show(_ canvas: Canvas, cursor: Position, isTyping: Bool)

    /// Makes the next `show` redraw the whole screen, whatever the terminal shows now.
    func repaint()

    /// Shows the styles as `theme` has them from the next `show` on.
    func use(_ theme: Theme)

    /// Takes events of the mouse from now on, or leaves the mouse to the terminal.
    func useMouse(_ isOn: Bool)

    /// The way in which the terminal shows pictures now; the event `resize` follows a change.
    var pictures: PictureSupport { get }
}

/// A terminal that prints line by line and never changes printed lines, for screen readers.
public protocol LineTerminal: EventSource {
    /// Prints a line.
    func print(_ line: String)
}
