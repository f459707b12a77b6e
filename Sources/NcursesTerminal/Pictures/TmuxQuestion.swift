internal import Glibc
internal import TerminalUI
internal import Threading

/// The question to tmux for what it lets through to the terminal that it runs in. tmux starts a program for it, which takes
/// a few milliseconds, so it is asked in the background.
struct TmuxQuestion {
    private let answer: BackgroundTask<ProbeResult>

    /// The value of allow-passthrough in the pane and what the terminal said about itself (XTVERSION). tmux 3.3 has the
    /// formats of both; older ones print nothing.
    private static let command =
        "tmux display-message -p -t \"$TMUX_PANE\" '#{allow-passthrough} #{client_termtype}' </dev/null 2>/dev/null"

    /// Asks tmux; `notify` is called when it has answered.
    init(notifying notify: @escaping @Sendable () -> Void) {
        answer = BackgroundTask(notifying: notify) { _ in
            guard let output = popen(Self.command, "re") else { return nil }
            defer { pclose(output) }
            var bytes = [CChar](repeating: 0, count: 256)
            guard fgets(&bytes, Int32(bytes.count), output) != nil else { return nil }
            return Self.result(
                of: String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
        }
    }

    /// The terminal around tmux, with the form that gets through to it; nil until tmux has answered.
    var result: ProbeResult? { answer.wait(milliseconds: 0) }

    /// Returns what a line of tmux says: placeholders are text, and with them a picture moves as tmux moves the text. Other
    /// pictures would stay where another pane is shown.
    static func result(of line: String) -> ProbeResult {
        let line = String(line.prefix { !$0.isNewline })
        let words = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        let terminal = TerminalVersion(words.count > 1 ? String(words[1]) : "")
        let passes = ["1", "on", "all"].contains(words[0])
        return ProbeResult(
            name: terminal.name, version: terminal.number,
            form: passes && terminal.hasPlaceholders ? .placeholders : .cells)
    }
}
