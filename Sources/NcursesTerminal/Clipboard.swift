internal import FoundationEssentials

/// The control sequence that sets the clipboard (OSC 52, "Manipulate Selection Data" in xterm's ctlseqs).
enum Clipboard {
    /// The maximum length of the text in bytes: xterm accepts at most 100,000 bytes of Base64, including the sequence
    /// around it.
    static let maximumLength = 74_000

    /// Returns the sequence for `text` on a terminal of `type`, or nil if terminals of this type have no clipboard or
    /// the text is too long.
    ///
    /// - Parameter isInTmux: Whether the terminal is a tmux pane. tmux handles the sequence itself if its option
    ///   set-clipboard is on; otherwise it forwards the wrapped copy to the outer terminal if allow-passthrough is on.
    static func sequence(_ text: String, terminal type: String, isInTmux: Bool) -> String? {
        let hasNone = ["linux", "vt1", "vt2", "vt5", "xterm-mono", "dumb", "ansi", "cons"].contains {
            type.hasPrefix($0)
        }
        guard text.utf8.count <= maximumLength, isInTmux || !hasNone else { return nil }
        let sequence = "\u{1B}]52;c;" + Data(text.utf8).base64EncodedString() + "\u{07}"
        return isInTmux ? sequence + "\u{1B}Ptmux;\u{1B}" + sequence + "\u{1B}\\" : sequence
    }
}
