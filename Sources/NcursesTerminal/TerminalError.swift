/// The reason why the terminal cannot be set up.
public enum TerminalError: Error, Hashable, Sendable {
    /// Neither standard input nor the process has a terminal to read keys from.
    case noKeyboard
    /// The terminal type in TERM is unset, unknown or unable to position the cursor.
    case unsuitableType(String)
    /// A required system call failed with this `errno`.
    case system(Int32)
}
