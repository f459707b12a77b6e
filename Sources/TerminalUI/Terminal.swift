/// Where events come from, and what belongs to the terminal besides what it shows.
public protocol EventSource: AnyObject {
    /// Waits, without using the processor, until something happens.
    ///
    /// - Parameter milliseconds: How long at most; nil for as long as it takes.
    /// - Returns: All that happened, oldest first; never empty: where nothing did, `timeOut`.
    func waitForEvents(milliseconds: Int?) -> [Event]

    /// Ends that wait, or the next one, with the event `wakeUp`. May be called by any thread.
    var wakeUp: @Sendable () -> Void { get }

    /// Puts `text` on the clipboard of who sits at the terminal.
    ///
    /// - Returns: False where the terminal has no way to, or none for so long a text.
    func copy(_ text: String) -> Bool

    /// Gives the terminal back and stops the process; returns when it is continued, with the terminal taken again.
    func suspend()

    /// Gives the terminal back while `body` uses it, and takes it again.
    func withTerminalReleased(_ body: () -> Void)
}

/// Where screens are shown and events come from.
public protocol Terminal: EventSource {
    /// The size of the window now.
    var size: Size { get }

    /// Shows `canvas`, which has the terminal's size, with the cursor at `cursor`: screen readers and Braille displays
    /// follow it. It is seen where `isTyping`; else the sign of the selected row stands there.
    func show(_ canvas: Canvas, cursor: Position, isTyping: Bool)

    /// Draws everything anew with the next `show`, whatever the window holds now.
    func repaint()
}

/// Where lines are printed, one below the other, and events come from: nothing that was printed is ever changed.
public protocol LineTerminal: EventSource {
    /// Prints a line.
    func print(_ line: String)
}
