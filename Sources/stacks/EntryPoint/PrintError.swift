internal import Glibc
internal import Graphemes

/// Writes a sentence to standard error, prefixed with the program's name and followed by a full stop unless it is a
/// question.
func printError(_ sentence: String) {
    var line = "stacks: \(sentence.sanitized)\(sentence.hasSuffix("?") ? "" : ".")\n"
    line.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
}

extension String {
    /// This text as a line of output, made safe for a terminal.
    var harmlessLine: String { sanitized + "\n" }
}
