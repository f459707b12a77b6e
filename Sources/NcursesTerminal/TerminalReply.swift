/// A reply of the terminal to a question of a program, which may have ended: an operating system command, a device
/// control string or an application program command up to BEL or the string terminator (ECMA-48, section 5.6).
struct TerminalReply {
    private var isEscaped = false
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
    }

    /// Takes the next byte.
    ///
    /// - Returns: Whether it belongs to the reply.
    mutating func take(_ byte: UInt8) -> Bool {
        // Another sequence ends a reply that has lost its end.
        if isEscaped, byte != UInt8(ascii: "\\") { return false }
        hasEnded = byte == 0x07 || isEscaped
        isEscaped = byte == 0x1B
        return true
    }
}
