/// An input event, a signal or a notification that the main loop reacts to.
public enum Event: Hashable, Sendable {
    /// A key press.
    case key(Key)
    /// A mouse action.
    case mouse(Mouse)
    /// Pasted text, which must not be interpreted as keys.
    case paste(String)
    /// The terminal was resized, or its content was lost.
    case resize
    /// A request from outside to suspend the program, as ^z does.
    case suspendRequest
    /// The process received this termination signal.
    case termination(signal: Int32)
    /// Another thread called `EventSource.wakeUp`.
    case wakeUp
    /// The time limit of the wait has passed.
    case timeOut
    /// The terminal is gone or its input has ended; no further input will arrive.
    case endOfInput
}
