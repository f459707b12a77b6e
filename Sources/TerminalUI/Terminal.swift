/// Where screens are shown and events come from.
public protocol Terminal: AnyObject {
    /// The size of the window now.
    var size: Size { get }

    /// Shows `canvas`, which has the terminal's size, with the cursor at `cursor`: screen readers and Braille displays
    /// follow it.
    func show(_ canvas: Canvas, cursor: Position)

    /// Waits, without using the processor, until something happens.
    ///
    /// - Returns: All that happened, oldest first; never empty.
    func waitForEvents() -> [Event]

    /// Ends that wait, or the next one, with the event `wakeUp`. May be called by any thread.
    var wakeUp: @Sendable () -> Void { get }

    /// Draws everything anew with the next `show`, whatever the window holds now.
    func repaint()

    /// Gives the terminal back and stops the process; returns when it is continued, with the terminal taken again.
    func suspend()
}
