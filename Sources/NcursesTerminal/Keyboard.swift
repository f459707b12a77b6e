internal import CNcurses
internal import Glibc

/// The source of keys: standard input if it is a terminal, otherwise the controlling terminal.
struct Keyboard {
    /// The descriptor to poll.
    let descriptor: Int32
    /// The stream that ncurses reads.
    let file: UnsafeMutablePointer<FILE>

    /// Opens the keyboard.
    ///
    /// - Throws: `TerminalError.noKeyboard` if the process has no terminal.
    init() throws(TerminalError) {
        if isatty(STDIN_FILENO) == 1 {
            descriptor = STDIN_FILENO
            file = cn_stdin()
            return
        }
        descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard descriptor >= 0, let opened = fdopen(descriptor, "r") else { throw .noKeyboard }
        file = opened
    }
}
