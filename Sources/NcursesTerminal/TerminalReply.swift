internal import Glibc
internal import TerminalUI

/// A reply of the terminal to a question of a program, which may have ended: an operating system command, a device
/// control string or an application program command up to BEL or the string terminator (ECMA-48, section 5.6).
struct TerminalReply {
    private var isEscaped = false
    /// The byte after Escape.
    private let kind: UInt8
    /// The beginning of the text.
    private var text: [UInt8]
    /// Whether the last byte was its end.
    private(set) var hasEnded = false

    /// Begins a reply with the byte after Escape and the next one; fails for keys typed after Escape, which begin
    /// otherwise.
    init?(_ kind: UInt8, _ first: UInt8) {
        let isDigit = (0x30...0x39).contains(first)
        switch kind {
        case UInt8(ascii: "]"): if !isDigit { return nil }
        case UInt8(ascii: "P"): if !isDigit, !">!+$|{".utf8.contains(first) { return nil }
        // Replies of kitty's graphics.
        case UInt8(ascii: "_"): if first != UInt8(ascii: "G") { return nil }
        default: return nil
        }
        self.kind = kind
        text = [first]
    }

    /// Takes the next byte.
    ///
    /// - Returns: Whether it belongs to the reply.
    mutating func take(_ byte: UInt8) -> Bool {
        // Another sequence ends a reply that has lost its end.
        if isEscaped, byte != UInt8(ascii: "\\") { return false }
        hasEnded = byte == 0x07 || isEscaped
        isEscaped = byte == 0x1B
        if !hasEnded, !isEscaped, text.count < Self.longestText { text.append(byte) }
        return true
    }

    /// Longer than a colour and the name of a terminal, in bytes.
    private static let longestText = 128

    /// The background of the terminal, if the reply says its colour: "11;rgb:ffff/ffff/dddd" (xterm, operating system
    /// command 11; colours as in XParseColor).
    var background: Theme.Background? {
        guard kind == UInt8(ascii: "]"), hasEnded else { return nil }
        let parts = String(decoding: text, as: UTF8.self).split(separator: ":", maxSplits: 1)
        guard parts.count == 2, ["11;rgb", "11;rgba"].contains(parts[0]) else { return nil }
        let shares = parts[1].split(separator: "/").prefix(3).compactMap { digits in
            Int(digits, radix: 16).map { Double($0) / (pow(16, Double(digits.count)) - 1) }
        }
        guard shares.count == 3 else { return nil }
        // The weights of ITU-R BT.601 are near enough to tell light from dark.
        return 0.299 * shares[0] + 0.587 * shares[1] + 0.114 * shares[2] < 0.5 ? .dark : .light
    }

    /// The answer to a question for pictures, if the reply is one: "Gi=31;OK" of kitty's graphics protocol, or
    /// ">|kitty(0.35.2)" (xterm, XTVERSION).
    var answer: ProbeAnswer? {
        guard hasEnded else { return nil }
        let text = String(decoding: text, as: UTF8.self)
        switch kind {
        case UInt8(ascii: "_"): return PictureProbe.graphicsAnswer(text)
        case UInt8(ascii: "P"): return text.hasPrefix(">|") ? .version(String(text.dropFirst(2))) : nil
        default: return nil
        }
    }
}
