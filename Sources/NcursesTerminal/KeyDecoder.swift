internal import CNcurses
internal import Glibc
internal import TerminalUI

/// Converts the input that ncurses reads to events.
struct KeyDecoder {
    // Key codes for sequences that ncurses does not know, outside its own range.
    private static let pasteBegin: Int32 = 0x1000
    private static let pasteEnd: Int32 = 0x1001
    private static let mouseReport: Int32 = 0x1002
    private static let controlUp: Int32 = 0x1003
    private static let controlDown: Int32 = 0x1004
    private static let mouseReportSequence = "\u{1B}[<"
    private static let pasteEndSequence = Array("\u{1B}[201~".utf8)

    /// One unit of input from ncurses.
    private enum Input {
        case byte(UInt8)
        /// The ncurses key code of a known escape sequence.
        case function(Int32)
    }

    /// The bytes of the current paste; nil outside a paste.
    private var pasted: [UInt8]?
    /// The terminal.
    private let input: Int32
    /// What ncurses reads instead of the terminal; nil for the terminal itself.
    private var substitute: InputSubstitute?
    /// The current mouse report; nil outside a report.
    private var report: MouseReport?
    /// The current reply of the terminal to a question; nil outside one.
    private var reply: TerminalReply?
    /// The current reply that is a control sequence; nil outside one.
    private var controlReply: ControlReply?
    /// Escape and the byte after it, while replies are expected and they may be the beginning of one.
    private var held: [UInt8] = []
    /// Whether replies are expected. Then an Escape with a byte may be the beginning of one whose rest comes later.
    var expectsReplies = false
    /// The background of the terminal, once a reply has said it.
    private(set) var background: Theme.Background?
    /// The answers to questions for pictures that were not taken yet.
    private var answers: [ProbeAnswer] = []
    private var characters = UTF8Decoder()

    /// Enables the keys of the terminal's terminfo entry and the sequences that terminals send regardless of it, for a
    /// terminal that ncurses reads.
    init(_ input: Int32) {
        self.input = input
        keypad(cn_stdscr(), true)
        define_key("\u{1B}[200~", Self.pasteBegin)
        define_key("\u{1B}[201~", Self.pasteEnd)
        // Overrides the mouse support of ncurses. Defined even if mouse reports are off, because unrequested reports
        // are not keys either.
        define_key(Self.mouseReportSequence, Self.mouseReport)
        let letters: [(String, Int32)] = [
            ("A", KEY_UP), ("B", KEY_DOWN), ("C", KEY_RIGHT), ("D", KEY_LEFT), ("H", KEY_HOME), ("F", KEY_END),
        ]
        for (letter, code) in letters {
            define_key("\u{1B}[" + letter, code)
            define_key("\u{1B}O" + letter, code)
        }
        // In the forms of xterm and nearly all others, of PuTTY, and of rxvt.
        for (letter, code) in [("A", Self.controlUp), ("B", Self.controlDown)] {
            define_key("\u{1B}[1;5" + letter, code)
            define_key("\u{1B}[5" + letter, code)
            define_key("\u{1B}O" + letter.lowercased(), code)
        }
        for (sequence, code) in [("[1~", KEY_HOME), ("[7~", KEY_HOME), ("[4~", KEY_END), ("[8~", KEY_END)] {
            define_key("\u{1B}" + sequence, code)
        }
    }

    /// Whether a paste has started and not ended.
    var isPasting: Bool { pasted != nil }

    /// The time limit in milliseconds for the rest of an incomplete paste or report, so that it cannot swallow all
    /// further keys; -1 if none is incomplete.
    var sequenceTimeLimit: Int32 {
        isPasting ? 1000 : report != nil || reply != nil || controlReply != nil || !held.isEmpty ? 100 : -1
    }

    /// Ends an incomplete paste, report or reply and returns its events.
    mutating func endIncompleteSequence() -> [Event] {
        (report, reply, controlReply) = (nil, nil, nil)
        return endHeld() + endPaste()
    }

    /// Returns the key that the held bytes are if they do not begin a reply.
    private mutating func endHeld() -> [Event] {
        defer { held = [] }
        return held.count < 2 ? [] : [.key(.alt(Character(Unicode.Scalar(held[1]))))]
    }

    /// Returns the answers to questions for pictures since the last call.
    mutating func takeAnswers() -> [ProbeAnswer] {
        defer { answers = [] }
        return answers
    }

    private mutating func endPaste() -> [Event] {
        defer { pasted = nil }
        guard let pasted else { return [] }
        if let text = String(validating: pasted, as: UTF8.self) { return [.paste(text)] }
        // Invalid bytes are left out.
        return [.paste(String(decoding: pasted, as: UTF8.self).filter { $0 != "\u{FFFD}" })]
    }

    /// Reads the pending part of a paste in one piece: ncurses reads byte by byte, which takes seconds for megabytes.
    ///
    /// - Returns: The events of the part; nil if nothing is pending.
    private mutating func readPaste() -> [Event]? {
        guard let part = readPending() else { return nil }
        pasted?.append(contentsOf: part)
        let end = Self.pasteEndSequence
        guard let text = pasted else { return [] }
        // The end may have begun in the part before. Searching for a range would take seconds for megabytes.
        let tail = text.suffix(part.count + end.count)
        guard let start = tail.indices.first(where: { tail[$0] == end[0] && tail[$0...].starts(with: end) })
        else { return [] }
        pasted = Array(text[..<start])
        let events = endPaste()
        takeBack(text[(start + end.count)...])
        return events
    }

    /// Reads the bytes that are pending, if there are any.
    private func readPending() -> [UInt8]? {
        var pending: Int32 = 0
        guard ioctl(input, UInt(FIONREAD), &pending) == 0, pending > 0 else { return nil }
        // All of the pipe, so that what is taken back comes before what follows it.
        let limit = substitute == nil ? Self.largestPart : Int(pending)
        let bytes = [UInt8](unsafeUninitializedCapacity: min(Int(pending), limit)) { buffer, count in
            count = max(0, Glibc.read(input, buffer.baseAddress, buffer.count))
        }
        return bytes.isEmpty ? nil : bytes
    }

    /// Less than half of what a pipe holds, in bytes.
    private static let largestPart = 1 << 14
    /// The length of the longest sequence of a key, in bytes.
    private static let longestKey = 16
    /// The time between the bytes of a key, in milliseconds, as long as ncurses waits for them.
    static let timeWithinKey: Int32 = 25

    /// Lets ncurses read bytes that were read with a paste. It decodes nothing that it takes back itself, so it reads them
    /// from a pipe in place of the terminal.
    private mutating func takeBack(_ bytes: ArraySlice<UInt8>) {
        if bytes.isEmpty { return }
        var bytes = Array(bytes)
        // The pipe must not end within a key: its rest comes at once.
        var terminal = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
        while bytes.suffix(Self.longestKey).contains(0x1B), bytes.count < Self.largestPart,
            poll(&terminal, 1, Self.timeWithinKey) > 0, let more = readPending()
        {
            bytes += more
        }
        if substitute == nil { substitute = InputSubstitute(for: input) }
        substitute?.write(bytes)
    }

    /// Returns the events of all pending input; empty if there is none or only part of a character.
    mutating func takeAll() -> [Event] {
        var events: [Event] = []
        while true {
            if isPasting, let part = readPaste() {
                events += part
                continue
            }
            guard let input = read() else {
                if substitute == nil { break }
                substitute?.end()
                substitute = nil
                continue
            }
            switch input {
            case .function(let code):
                characters.reset()
                events += endHeld()
                (report, reply, controlReply) = (nil, nil, nil)
                switch code {
                case Self.pasteBegin: pasted = []
                // Within a paste the sequence is text.
                case Self.mouseReport where isPasting: pasted?.append(contentsOf: Self.mouseReportSequence.utf8)
                case Self.mouseReport: report = MouseReport()
                case Self.pasteEnd: events += endPaste()
                // SIGWINCH reports the new size earlier.
                case KEY_RESIZE: break
                default: if pasted == nil { events.append(.key(functionKey(code))) }
                }
            case .byte(let byte):
                if !held.isEmpty {
                    let start = held.dropFirst()
                    held = []
                    unread(.byte(byte))
                    for byte in start { unread(.byte(byte)) }
                    if let key = escape() { events.append(.key(key)) }
                    continue
                }
                if let key = continueControlReply(with: byte) {
                    if let key { events.append(.key(key)) }
                    continue
                }
                if let isPart = reply?.take(byte) {
                    if isPart && reply?.hasEnded == false { continue }
                    background = reply?.background ?? background
                    if let answer = reply?.answer { answers.append(answer) }
                    reply = nil
                    if isPart { continue }
                    // The Escape before it began another sequence.
                    unread(.byte(byte))
                    if let key = escape() { events.append(.key(key)) }
                    continue
                }
                if continueReport(with: byte, events: &events) { continue }
                if isPasting {
                    pasted?.append(byte)
                    continue
                }
                guard let scalar = characters.decode(byte) else { continue }
                if let key = scalar == "\u{1B}" ? escape() : typedKey(scalar) { events.append(.key(key)) }
            }
        }
        return events
    }

    /// Adds a byte to the current mouse report, and an event to `events` if the byte completes a report of interest.
    ///
    /// - Returns: False if there is no current report or the byte does not belong to it, which ends the report.
    private mutating func continueReport(with byte: UInt8, events: inout [Event]) -> Bool {
        guard var report else { return false }
        switch report.take(byte) {
        case .isPart: self.report = report
        case .isEnd(let mouse):
            self.report = nil
            if let mouse { events.append(.mouse(mouse)) }
        case .isForeign:
            self.report = nil
            return false
        }
        return true
    }

    /// Adds a byte to the current reply that is a control sequence.
    ///
    /// - Returns: The key that the sequence was instead, if any; nil without a current reply.
    private mutating func continueControlReply(with byte: UInt8) -> Key?? {
        guard var current = controlReply else { return nil }
        controlReply = nil
        // Escape begins another sequence, and its reader is the caller.
        if byte == 0x1B { return nil }
        switch current.take(byte) {
        case .isPart: controlReply = current
        case .isKey: return .some(.unknown)
        case .isEnd(let answer): if let answer { answers.append(answer) }
        }
        return .some(nil)
    }

    /// Reads a byte, not a character: wget_wch() treats a byte that is not UTF-8 as the start of a character and holds
    /// back all input after it.
    private func read() -> Input? {
        let code = wgetch(cn_stdscr())
        if code == ERR { return nil }
        return UInt8(exactly: code).map { .byte($0) } ?? .function(code)
    }

    /// Returns Escape, a key with Alt, or one unknown key if an unknown escape sequence follows, so that its letters are
    /// not taken for keys; nil at the beginning of a reply of the terminal.
    private mutating func escape() -> Key? {
        // Replies come as a whole, and the key must not wait for the rest of one.
        guard let next = read() else { return .escape }
        switch next {
        case .byte(UInt8(ascii: "[")):
            switch controlSequence() {
            case .key: return .unknown
            case .reply: return nil
            case .nothing: break
            }
        case .byte(UInt8(ascii: "O")):
            if read() != nil { return .unknown }
        case .byte(let byte):
            if let start = read() {
                if case .byte(let second) = start, let reply = TerminalReply(byte, second) {
                    self.reply = reply
                    return nil
                }
                unread(start)
            } else if expectsReplies, "P]_".utf8.contains(byte) {
                held = [0x1B, byte]
                return nil
            }
        default: break
        }
        switch next {
        case .function(KEY_BACKSPACE), .byte(0x08), .byte(0x7F): return .alt("\u{7F}")
        case .byte(let byte) where (0x21..<0x7F).contains(byte): return .alt(Character(Unicode.Scalar(byte)))
        default: break
        }
        // A separate key typed after Escape.
        unread(next)
        return .escape
    }

    private func unread(_ input: Input) {
        switch input {
        case .byte(let byte): _ = ungetch(Int32(byte))
        case .function(let code): _ = ungetch(code)
        }
    }

    /// Reads a control sequence after "ESC [", as far as it is pending.
    ///
    /// - Returns: What it is.
    private mutating func controlSequence() -> Sequence {
        var sequence = ControlReply()
        var hasAny = false
        while let input = read() {
            hasAny = true
            guard case .byte(let byte) = input else { continue }
            switch sequence.take(byte) {
            case .isPart: continue
            case .isKey: return .key
            case .isEnd(let answer):
                if let answer { answers.append(answer) }
                return .reply
            }
        }
        if !hasAny {
            if !expectsReplies { return .nothing }
            held = [0x1B, UInt8(ascii: "[")]
            return .reply
        }
        if !expectsReplies, !sequence.isReply { return .key }
        controlReply = sequence
        return .reply
    }

    /// A control sequence.
    private enum Sequence {
        /// An unknown key.
        case key
        /// A reply, or the beginning of one.
        case reply
        case nothing
    }

    private func typedKey(_ scalar: Unicode.Scalar) -> Key {
        switch scalar.value {
        case 0x09: .tab
        case 0x0A, 0x0D: .enter
        case 0x08, 0x7F: .backspace
        case 0x00: .control("@")
        case 0x01...0x1A: .control(Character(UnicodeScalar(UInt8(scalar.value + 0x60))))
        case 0x1C...0x1F: .control(Character(UnicodeScalar(UInt8(scalar.value + 0x40))))
        default: .character(Character(scalar))
        }
    }

    private func functionKey(_ code: Int32) -> Key {
        switch code {
        case KEY_UP: return .up
        case KEY_DOWN: return .down
        case Self.controlUp: return .controlUp
        case Self.controlDown: return .controlDown
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
        // The Linux console's terminfo entry has ^z under this name.
        case KEY_SUSPEND: return .control("z")
        case cn_key_f(1)...cn_key_f(63): return .function(Int(code - cn_key_f(0)))
        default: return .unknown
        }
    }
}
