internal import Glibc

/// How far a command has come, on the terminal that standard error is; only what takes more than a second is told.
struct ProgressLine {
    private let start = ContinuousClock.now
    private var last: ContinuousClock.Instant?
    private let isShown = isatty(STDERR_FILENO) == 1

    /// Shows `text`, where the last one is some time ago.
    mutating func show(_ text: @autoclosure () -> String) {
        let now = ContinuousClock.now
        guard isShown, now - start > .seconds(1), last.map({ now - $0 > .milliseconds(200) }) ?? true else { return }
        last = now
        put("\r\(text())\u{1B}[K")
    }

    /// Takes the line away.
    func clear() {
        if last != nil { put("\r\u{1B}[K") }
    }

    private func put(_ text: String) {
        var text = text
        text.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
