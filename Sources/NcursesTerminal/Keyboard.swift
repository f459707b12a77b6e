internal import CNcurses
internal import Glibc

/// Where keys come from: standard input where it is a terminal, else the terminal of the process.
struct Keyboard {
    /// What to wait on.
    let descriptor: Int32
    /// What ncurses reads.
    let file: UnsafeMutablePointer<FILE>

    /// Finds it.
    ///
    /// - Throws: `TerminalError.noKeyboard`, where the process has no terminal.
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
