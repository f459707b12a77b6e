internal import Glibc

/// The number of rows and columns of standard output; 24 and 80 if it is not a terminal.
func outputSize() -> (rows: Int, columns: Int) {
    var size = winsize()
    let code = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size)
    guard code == 0, size.ws_row > 0, size.ws_col > 0 else { return (24, 80) }
    return (Int(size.ws_row), Int(size.ws_col))
}
