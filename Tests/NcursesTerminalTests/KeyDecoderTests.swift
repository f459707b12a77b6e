import CNcurses
import Glibc
import TerminalUI
import Testing

@testable import Graphemes
@testable import NcursesTerminal

/// Keys as terminals send them, decoded by ncurses on a pseudo-terminal.
@Suite("Terminal: decoding keys", .serialized) struct KeyDecoderTests {
    private let terminal = Typewriter.shared

    private func keys(_ bytes: String) -> [Event] { terminal.events(typing: Array(bytes.utf8)) }

    @Test(arguments: [
        ("j", Key.character("j")), ("G", .character("G")), ("é", .character("é")), ("日", .character("日")),
        ("*", .character("*")), (" ", .character(" ")), ("\r", .enter), ("\n", .enter), ("\t", .tab),
        ("\u{7F}", .backspace), ("\u{08}", .backspace), ("\u{03}", .control("c")), ("\u{1A}", .control("z")),
        ("\u{04}", .control("d")), ("\u{0C}", .control("l")), ("\u{1B}", .escape),
    ])
    func aCharacterIsItsKey(text: String, key: Key) {
        #expect(keys(text) == [.key(key)])
    }

    @Test(arguments: [
        ("\u{1B}[A", Key.up), ("\u{1B}OA", .up), ("\u{1B}[B", .down), ("\u{1B}OB", .down), ("\u{1B}[C", .right),
        ("\u{1B}[D", .left), ("\u{1B}[H", .home), ("\u{1B}OH", .home), ("\u{1B}[1~", .home), ("\u{1B}[F", .end),
        ("\u{1B}[4~", .end), ("\u{1B}[5~", .pageUp), ("\u{1B}[6~", .pageDown), ("\u{1B}[3~", .delete),
        ("\u{1B}[2~", .insert), ("\u{1B}OP", .function(1)), ("\u{1B}[15~", .function(5)), ("\u{1B}[Z", .backTab),
        ("\u{1B}[1;5A", .controlUp), ("\u{1B}[1;5B", .controlDown), ("\u{1B}Oa", .controlUp),
        ("\u{1B}[5B", .controlDown), ("\u{13}", .control("s")),
    ])
    func aSequenceIsItsKey(sequence: String, key: Key) {
        #expect(keys(sequence) == [.key(key)])
    }

    @Test func keysReceivedTogetherAreSeparated() {
        #expect(keys("5j\u{1B}[Bgg") == "5j".map(typed) + [.key(.down)] + "gg".map(typed))
    }

    @Test(arguments: ["\u{1B}[27;5;106~", "\u{1B}[?1;2x", "\u{1B}Oz"])
    func anUnknownSequenceIsOneUnknownKey(sequence: String) {
        #expect(keys(sequence) == [.key(.unknown)])
        // The following key is not part of it.
        #expect(keys(sequence + "j") == [.key(.unknown), typed("j")])
    }

    @Test(
        "A reply of the terminal is no key, in one piece or in several",
        arguments: [
            "\u{1B}]11;rgb:00/00/qq\u{07}", "\u{1B}]4;1;rgb:G0/00/00\u{1B}\\", "\u{1B}P1+rq\u{1B}\\",
            "\u{1B}P>|xterm(390)\u{1B}\\",
            "\u{1B}_Gi=31;OK\u{1B}\\", "\u{1B}P!|qG\u{1B}\\",
        ])
    func reply(sequence: String) {
        #expect(keys(sequence + "j") == [typed("j")])
        let bytes = Array(sequence.utf8)
        for length in 3..<bytes.count {
            #expect(terminal.events(typing: Array(bytes[..<length])) == [])
            #expect(terminal.sequenceTimeLimit == 100)
            #expect(terminal.events(typing: Array(bytes[length...]) + [0x6A]) == [typed("j")])
            #expect(terminal.sequenceTimeLimit == -1)
        }
        // One that has lost its end swallows nothing after it.
        #expect(terminal.events(typing: Array(bytes[..<4])) == [])
        #expect(terminal.endIncompleteSequence() == [] && keys("j") == [typed("j")])
        #expect(terminal.events(typing: Array(bytes[..<4])) == [])
        #expect(keys("\u{1B}[Bj") == [.key(.down), typed("j")])
    }

    @Test(
        "A key that comes with Escape is a key with Alt, and what was typed after it is kept",
        arguments: [
            ("\u{1B}j", [Key.alt("j")]), ("\u{1B}X", [.alt("X")]), ("\u{1B}\u{7F}", [.alt("\u{7F}")]),
            ("\u{1B}\u{08}", [.alt("\u{7F}")]), ("\u{1B}jk", [.alt("j"), .character("k")]),
            ("\u{1B}]jG", [.alt("]"), .character("j"), .character("G")]), ("\u{1B}Pj", [.alt("P"), .character("j")]),
            ("\u{1B}_j", [.alt("_"), .character("j")]), ("\u{1B}\u{1B}", [.escape, .escape]),
            ("\u{1B}\u{1B}j", [.escape, .alt("j")]), ("\u{1B}\r", [.escape, .enter]),
            ("\u{1B} ", [.escape, .character(" ")]), ("\u{1B}\u{1B}[B", [.escape, .down]), ("\u{1B}]", [.alt("]")]),
        ])
    func alt(bytes: String, expected: [Key]) {
        #expect(keys(bytes) == expected.map { .key($0) })
    }

    @Test(
        "The reply with the colour of the background says whether it is dark",
        arguments: [
            ("rgb:0000/0000/0000", .dark), ("rgb:ffff/ffff/dddd", .light), ("rgb:00/2b/36", .dark),
            ("rgba:fd00/f600/e300/ffff", .light), ("rgb:7/7/7", .dark), ("rgb:8/8/8", .light),
        ] as [(String, Theme.Background)])
    func background(colour: String, background: Theme.Background) {
        for end in ["\u{07}", "\u{1B}\\"] {
            #expect(keys("\u{1B}]11;" + colour + end + "j") == [typed("j")])
            #expect(terminal.background == background)
        }
        // Other replies and damaged ones say nothing.
        for text in ["10;rgb:0/f/0", "11;rgb:x/0/0", "11;rgb:0/0", "11;?", "4;1;rgb:f/f/f"] {
            #expect(keys("\u{1B}]" + text + "\u{07}j") == [typed("j")])
            #expect(terminal.background == background)
        }
    }

    @Test("Answers of the terminal are no keys, in whatever pieces they come, and eat none")
    func answers() {
        let text = "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}P>|kitty(0.32.1)\u{1B}\\\u{1B}[6;20;10t\u{1B}[4;200;300t\u{1B}[?62;4c"
        _ = terminal.takeAnswers()
        for isExpected in [false, true] {
            #expect(keys("j" + text + "k" + text + "\u{1B}[Bl") == [typed("j"), typed("k"), .key(.down), typed("l")])
            #expect(terminal.takeAnswers().count == 10)
            terminal.expectsReplies = isExpected
        }
        let bytes = Array(text.utf8)
        // An Escape alone is a key at once; that of the end of a reply belongs to it.
        let lengths = (1..<bytes.count).filter { bytes[$0 - 1] != 0x1B || bytes[$0] == UInt8(ascii: "\\") }
        #expect(lengths.count == bytes.count - 6)
        for length in lengths {
            let first = terminal.events(typing: Array(bytes[..<length]))
            #expect(first + terminal.events(typing: Array(bytes[length...]) + [0x6A]) == [typed("j")], "\(length)")
            #expect(terminal.takeAnswers().count == 5)
        }
        // Keys that only look like the beginning of one come a moment later.
        for (start, key) in [("\u{1B}[", Key.alt("[")), ("\u{1B}P", .alt("P"))] {
            #expect(keys(start) == [] && terminal.sequenceTimeLimit == 100)
            #expect(terminal.endIncompleteSequence() == [.key(key)])
        }
        #expect(keys("\u{1B}") == [.key(.escape)])
    }

    @Test func pastedTextIsOneEventAndNoKeys() {
        #expect(keys("\u{1B}[200~jjq\nQ\u{1B}[201~k") == [.paste("jjq\nQ"), typed("k")])
    }

    @Test func pastedTextMayBeInAnyScript() {
        let text = Array("\u{1B}[200~zażółć 日本\u{1B}[201~".utf8)
        #expect(terminal.events(typing: text) == [.paste("zażółć 日本")])
        // Invalid text in a paste is omitted.
        #expect(terminal.events(typing: Array(text.prefix(8)) + [0xFF, 0xC3] + text.suffix(6)) == [.paste("za")])
    }

    @Test func keysAndPastesAfterAPasteAreKept() {
        let text = String(repeating: "x", count: 500)
        let paste = "\u{1B}[200~" + text + "\u{1B}[201~"
        #expect(
            keys(paste + "j" + paste + "\u{1B}[Bk") == [
                .paste(text), typed("j"), .paste(text), .key(.down), typed("k"),
            ])
        for count in 100..<150 {
            let text = String(repeating: "é", count: count)
            #expect(keys("\u{1B}[200~\(text)\u{1B}[201~jk") == [.paste(text), typed("j"), typed("k")], "\(count)")
        }
    }

    @Test func manyPastesInOneReadAreSeparateEvents() {
        let count = 120
        let typing = (0..<count).map { "\u{1B}[200~\($0)\u{1B}[201~j" }.joined() + "\u{1B}[B"
        let expected = (0..<count).flatMap { [Event.paste("\($0)"), typed("j")] } + [.key(.down)]
        #expect(keys(typing) == expected)
        // The terminal is the input again.
        #expect(keys("k") == [typed("k")])
    }

    @Test func aPasteMayComeInPieces() {
        #expect(keys("\u{1B}[200~ab") == [])
        #expect(terminal.isPasting)
        #expect(keys("cd\u{1B}[201~") == [.paste("abcd")])
        #expect(!terminal.isPasting)
    }

    @Test(arguments: [[0xFF], [0x80], [0xC3], [0xE2, 0x82]] as [[UInt8]])
    func invalidBytesGiveNoKeysAndSwallowNone(bytes: [UInt8]) {
        #expect(terminal.events(typing: bytes) == [])
        #expect(keys("j") == [typed("j")])
        #expect(terminal.events(typing: bytes + [0x6A]) == [typed("j")])
        #expect(terminal.events(typing: bytes + Array("\u{1B}[Bé".utf8)) == [.key(.down), typed("é")])
    }

    @Test func aCharacterMayComeInPieces() {
        #expect(terminal.events(typing: [0xE6, 0x97]) == [])
        #expect(terminal.events(typing: [0xA5]) == [typed("日")])
    }

    @Test func aKeyBetweenThePiecesOfACharacterEndsIt() {
        #expect(terminal.events(typing: [0xC3]) == [])
        #expect(keys("\u{1B}[B") == [.key(.down)])
        #expect(terminal.events(typing: [0xA9, 0x6A]) == [typed("j")])
    }

    @Test func aCharacterAfterEscapeIsItsOwnKey() {
        #expect(keys("\u{1B}éj") == [.key(.escape), typed("é"), typed("j")])
    }

    @Test(arguments: [
        ("0;1;1M", Mouse(.press, at: Position(row: 0, column: 0))),
        ("0;12;3m", Mouse(.release, at: Position(row: 2, column: 11))),
        ("32;300;100M", Mouse(.drag, at: Position(row: 99, column: 299))),
        ("32;5;6m", Mouse(.release, at: Position(row: 5, column: 4))),
        ("64;2;9M", Mouse(.wheel(-1), at: Position(row: 8, column: 1))),
        ("65;2;9M", Mouse(.wheel(1), at: Position(row: 8, column: 1))),
        // With shift, meta, control, and all three.
        ("4;1;1M", Mouse(.press, at: Position(row: 0, column: 0))),
        ("8;1;1M", Mouse(.press, at: Position(row: 0, column: 0))),
        ("80;1;1M", Mouse(.wheel(-1), at: Position(row: 0, column: 0))),
        ("60;1;1M", Mouse(.drag, at: Position(row: 0, column: 0))),
    ])
    func aReportOfTheMouseIsWhatItDid(report: String, mouse: Mouse) {
        #expect(withoutTimes(keys("\u{1B}[<" + report)) == [.mouse(mouse)])
    }

    @Test(arguments: [
        "1;2;3M", "2;2;3m", "33;2;3M", "35;2;3M", "66;2;3M", "67;2;3M", "128;2;3M", "0;0;3M", "0;3;0M", "0;3M", "M",
        "0;1;2;3M", "0;1;2;3;4;5m", "64;2;3m", "99999999999999999999999999;1;1M",
    ])
    func anUnrequestedReportIsIgnored(report: String) {
        #expect(keys("\u{1B}[<" + report + "j") == [typed("j")])
    }

    @Test func reportsReceivedTogetherAreSeparated() {
        let events = withoutTimes(keys("k\u{1B}[<0;1;1M\u{1B}[<0;1;1mj\u{1B}[<65;1;1M\u{1B}[B"))
        let mouse = [.press, .release, .wheel(1)].map { Event.mouse(Mouse($0, at: Position(row: 0, column: 0))) }
        #expect(events == [typed("k"), mouse[0], mouse[1], typed("j"), mouse[2], .key(.down)])
    }

    @Test(arguments: ["", "0", "0;", "0;1;", "0;1;1"])
    func aReportMayComeInPieces(start: String) {
        let report = "0;1;1M"
        #expect(keys("\u{1B}[<" + start) == [])
        #expect(terminal.sequenceTimeLimit > 0)
        let events = withoutTimes(keys(String(report.dropFirst(start.count)) + "j"))
        #expect(events == [.mouse(Mouse(.press, at: Position(row: 0, column: 0))), typed("j")])
        #expect(terminal.sequenceTimeLimit == -1)
    }

    @Test(arguments: ["", "0;1"])
    func aReportWithoutAnEndSwallowsNoKeys(start: String) {
        #expect(keys("\u{1B}[<" + start) == [])
        #expect(keys("jé") == [typed("j"), typed("é")])
        #expect(keys("\u{1B}[<" + start) == [])
        #expect(keys("\u{1B}[B5") == [.key(.down), typed("5")])
        #expect(keys("\u{1B}[<" + start) == [])
        #expect(terminal.endIncompleteSequence() == [])
        #expect(keys("5M") == [typed("5"), typed("M")])
    }

    @Test func aReportWithinAPasteIsText() {
        #expect(keys("\u{1B}[200~a\u{1B}[<0;1;1Mb\u{1B}[201~k") == [.paste("a\u{1B}[<0;1;1Mb"), typed("k")])
        #expect(keys("\u{1B}[200~a\u{1B}[<0;1") == [])
        #expect(keys("\u{1B}[201~k") == [.paste("a\u{1B}[<0;1"), typed("k")])
    }

    @Test func aPasteEndsAReport() {
        #expect(keys("\u{1B}[<0;1\u{1B}[200~;1M\u{1B}[201~") == [.paste(";1M")])
    }

    @Test func theTimesOfTwoPressesAreAsFarApartAsTheyAre() throws {
        let first = try #require(keys("\u{1B}[<0;1;1M").first)
        usleep(30_000)
        let second = try #require(keys("\u{1B}[<0;1;1M").first)
        guard case .mouse(let before) = first, case .mouse(let after) = second else {
            Issue.record("these are no presses")
            return
        }
        #expect((30..<3000).contains(after.time - before.time))
    }

    private func withoutTimes(_ events: [Event]) -> [Event] {
        events.map { event in
            guard case .mouse(let mouse) = event else { return event }
            return .mouse(Mouse(mouse.action, at: mouse.position))
        }
    }

    private func typed(_ character: Character) -> Event { .key(.character(character)) }
}

/// A terminal whose keyboard the test controls. It is shared, because ncurses supports only one.
private final class Typewriter: @unchecked Sendable {
    // Used only by one serialized suite.
    static let shared = Typewriter()

    private var decoder: KeyDecoder
    private let master: Int32

    private init() {
        useUTF8Locale()
        var ends: (master: Int32, line: Int32) = (-1, -1)
        openpty(&ends.master, &ends.line, nil, nil, nil)
        master = ends.master
        guard let input = fdopen(ends.line, "r"), let output = fdopen(dup(ends.line), "w"),
            newterm("xterm-256color", output, input) != nil
        else { preconditionFailure("there is no terminal for the test") }
        raw()
        noecho()
        nonl()
        keypad(cn_stdscr(), true)
        nodelay(cn_stdscr(), true)
        set_escdelay(25)
        decoder = KeyDecoder(ends.line)
    }

    var isPasting: Bool { decoder.isPasting }
    var background: Theme.Background? { decoder.background }
    var expectsReplies: Bool {
        get { decoder.expectsReplies }
        set { decoder.expectsReplies = newValue }
    }
    func takeAnswers() -> [ProbeAnswer] { decoder.takeAnswers() }
    var sequenceTimeLimit: Int32 { decoder.sequenceTimeLimit }

    func endIncompleteSequence() -> [Event] { decoder.endIncompleteSequence() }

    /// Types bytes at once, and returns the decoded events.
    func events(typing bytes: [UInt8]) -> [Event] {
        _ = write(master, bytes, bytes.count)
        return decoder.takeAll()
    }
}
