internal import FoundationEssentials

/// The sequence that puts text on a clipboard (OSC 52, "Manipulate Selection Data" of xterm's control sequences).
enum Clipboard {
    /// The longest text that is sent so, in bytes: xterm takes no more than 100,000 in base 64, with what goes around.
    static let maximumLength = 74_000

    /// The sequence for `text`, for a terminal of `type`; nil where such terminals have no clipboard, or the text is too
    /// long.
    ///
    /// - Parameter isInTmux: Whether the terminal is a pane of tmux. It takes the sequence for itself where its option
    ///   set-clipboard is on, and else hands on what is wrapped for the terminal outside, where allow-passthrough is.
    static func sequence(_ text: String, terminal type: String, isInTmux: Bool) -> String? {
        let hasNone = ["linux", "vt1", "vt2", "vt5", "xterm-mono", "dumb", "ansi", "cons"].contains {
            type.hasPrefix($0)
        }
        guard text.utf8.count <= maximumLength, isInTmux || !hasNone else { return nil }
        let sequence = "\u{1B}]52;c;" + Data(text.utf8).base64EncodedString() + "\u{07}"
        return isInTmux ? sequence + "\u{1B}Ptmux;\u{1B}" + sequence + "\u{1B}\\" : sequence
    }
}
