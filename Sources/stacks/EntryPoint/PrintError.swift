internal import Glibc
internal import Graphemes

/// Writes a sentence to standard error, with the program's name before it and a full stop after it.
func printError(_ sentence: String) {
    var line = "stacks: \(sentence.sanitized).\n"
    line.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
}

extension String {
    /// This as a line of output that may be written to a terminal.
    var harmlessLine: String { sanitized + "\n" }
}
