internal import Glibc

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
        let bytes = Array(text.utf8)
        let hasNone = ["linux", "vt1", "vt2", "vt5", "xterm-mono", "dumb", "ansi", "cons"].contains {
            type.hasPrefix($0)
        }
        guard bytes.count <= maximumLength, isInTmux || !hasNone else { return nil }
        let sequence = "\u{1B}]52;c;" + base64(bytes) + "\u{07}"
        return isInTmux ? sequence + "\u{1B}Ptmux;\u{1B}" + sequence + "\u{1B}\\" : sequence
    }

    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// `bytes` in base 64 (RFC 4648, section 4). By hand, as Foundation is not on the way to the first screen.
    static func base64(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            var quartet: [UInt8] = []
            for _ in 0..<4 {
                quartet.append(digits[bits & 63])
                bits >>= 6
            }
            text += quartet.reversed().prefix(group.count + 1)
            text += Array(repeating: UInt8(ascii: "="), count: 3 - group.count)
        }
        return String(decoding: text, as: UTF8.self)
    }
}
