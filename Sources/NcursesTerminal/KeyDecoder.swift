internal import CNcurses
internal import Glibc
internal import TerminalUI

/// Turns what ncurses reads into events.
struct KeyDecoder {
    // Codes of our own for sequences that ncurses does not know, above all of its own.
    private static let pasteBegin: Int32 = 0x1000
    private static let pasteEnd: Int32 = 0x1001

    /// What was pasted so far, while a paste is under way.
    private var pasted: String?

    /// Teaches ncurses the sequences that terminals send whatever their description says.
    init() {
        define_key("\u{1B}[200~", Self.pasteBegin)
        define_key("\u{1B}[201~", Self.pasteEnd)
        let letters: [(String, Int32)] = [
            ("A", KEY_UP), ("B", KEY_DOWN), ("C", KEY_RIGHT), ("D", KEY_LEFT), ("H", KEY_HOME), ("F", KEY_END),
        ]
        for (letter, code) in letters {
            define_key("\u{1B}[" + letter, code)
            define_key("\u{1B}O" + letter, code)
        }
        for (sequence, code) in [("[1~", KEY_HOME), ("[7~", KEY_HOME), ("[4~", KEY_END), ("[8~", KEY_END)] {
            define_key("\u{1B}" + sequence, code)
        }
    }

    /// Whether a paste has begun and not ended.
    var isPasting: Bool { pasted != nil }

    /// Ends a paste whose end did not come.
    mutating func endPaste() -> [Event] {
        defer { pasted = nil }
        return pasted.map { [.paste($0)] } ?? []
    }

    /// All events that are waiting; none where no input is.
    mutating func takeAll() -> [Event] {
        var events: [Event] = []
        while let (code, isFunctionKey) = read() {
            if isFunctionKey && code == Self.pasteBegin {
                pasted = ""
            } else if isFunctionKey && code == Self.pasteEnd {
                events += endPaste()
            } else if pasted != nil {
                if !isFunctionKey, let scalar = Unicode.Scalar(code) { pasted?.unicodeScalars.append(scalar) }
            } else if isFunctionKey {
                // SIGWINCH tells of the size, before ncurses does.
                if Int32(bitPattern: code) != KEY_RESIZE { events.append(.key(functionKey(Int32(bitPattern: code)))) }
            } else if code == 0x1B {
                events.append(.key(escapeOrUnknown()))
            } else if let key = typedKey(code) {
                events.append(.key(key))
            }
        }
        return events
    }

    private func read() -> (code: UInt32, isFunctionKey: Bool)? {
        var code = wint_t()
        switch wget_wch(cn_stdscr(), &code) {
        case OK: return (code, false)
        case KEY_CODE_YES: return (code, true)
        default: return nil
        }
    }

    /// Escape; or, where a sequence follows it that nobody knows, one unknown key in place of what its letters would do.
    private func escapeOrUnknown() -> Key {
        guard let (next, isFunctionKey) = read() else { return .escape }
        switch isFunctionKey ? nil : Unicode.Scalar(next) {
        case "[":
            // A control sequence, up to its final byte (ECMA-48, section 5.4).
            guard skip(until: { (0x40...0x7E).contains($0) }) else { return restore(next) }
        case "O":
            guard read() != nil else { return restore(next) }
        case "]", "P":
            // An answer of the terminal, up to BEL or to the string terminator, whose backslash follows an escape.
            guard skip(until: { $0 == 0x07 || $0 == 0x5C }) else { return restore(next) }
        default:
            if isFunctionKey { _ = ungetch(Int32(bitPattern: next)) } else { return restore(next) }
            return .escape
        }
        return .unknown
    }

    /// Puts a character back that the reader typed after Escape.
    private func restore(_ code: UInt32) -> Key {
        _ = unget_wch(wchar_t(bitPattern: code))
        return .escape
    }

    /// Passes over characters, up to the first for which `isLast` holds or to where no more are waiting.
    ///
    /// - Returns: Whether there were any.
    private func skip(until isLast: (UInt32) -> Bool) -> Bool {
        var hasAny = false
        while let (code, _) = read() {
            hasAny = true
            if isLast(code) { break }
        }
        return hasAny
    }

    private func typedKey(_ code: UInt32) -> Key? {
        switch code {
        case 0x09: return .tab
        case 0x0A, 0x0D: return .enter
        case 0x08, 0x7F: return .backspace
        case 0x00: return .control("@")
        case 0x01...0x1A: return Unicode.Scalar(code + 0x60).map { .control(Character($0)) }
        case 0x1C...0x1F: return Unicode.Scalar(code + 0x40).map { .control(Character($0)) }
        default: return Unicode.Scalar(code).map { .character(Character($0)) }
        }
    }

    private func functionKey(_ code: Int32) -> Key {
        switch code {
        case KEY_UP: return .up
        case KEY_DOWN: return .down
        case KEY_LEFT: return .left
        case KEY_RIGHT: return .right
        case KEY_HOME: return .home
        case KEY_END: return .end
        case KEY_PPAGE: return .pageUp
        case KEY_NPAGE: return .pageDown
        case KEY_ENTER: return .enter
        case KEY_BTAB: return .backTab
        case KEY_BACKSPACE: return .backspace
        case KEY_DC: return .delete
        case KEY_IC: return .insert
        case cn_key_f(1)...cn_key_f(63): return .function(Int(code - cn_key_f(0)))
        default: return .unknown
        }
    }
}
