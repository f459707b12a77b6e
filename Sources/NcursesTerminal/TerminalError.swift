/// Why there is no terminal to draw on.
public enum TerminalError: Error, Hashable, Sendable {
    /// Neither standard input nor the process has a terminal to read keys from.
    case noKeyboard
    /// The terminal type in TERM is unset, unknown, or cannot place the cursor.
    case unsuitableType(String)
    /// A system call that is needed failed, with this `errno`.
    case system(Int32)
}
