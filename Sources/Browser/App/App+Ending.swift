extension App {
    /// Why the browser ended.
    public enum Ending: Hashable, Sendable {
        /// The user quit.
        case quit
        /// The process received this signal to terminate.
        case signal(Int32)
        /// The terminal was closed.
        case terminalGone
        /// Another catalog is to be opened, at the position that is remembered for it.
        case open(NextCatalog)
    }
}
