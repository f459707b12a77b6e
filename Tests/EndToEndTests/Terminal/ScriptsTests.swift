import Glibc
import Testing

/// Titles in all scripts: every row has the width that the terminal expects, and no harmful character gets through.
@Suite("On a terminal: many scripts") struct ManyScripts {
    let sandbox: Sandbox
    let catalog: String

    init() throws {
        sandbox = try Sandbox()
        catalog = try sandbox.write(Scripts.catalog, to: "scripts.json")
    }

    @Test func bothEmulatorsAgreeOnTheCellsOfAColumn() throws {
        let terminal = try Tmux(
            in: sandbox, columns: 20, rows: 6,
            running: ["/bin/sh", "-c", #"printf 'abcd\n漢字\na漢b\n\ncafe\314\201x\n'; sleep 60"#])
        try terminal.wait(for: "caféx".decomposed)
        #expect(try terminal.cells(inColumn: 0, rows: 0..<5) == ["a", "漢", "a", "", "c"])
        #expect(try terminal.cells(inColumn: 1, rows: 0..<5) == ["b", "", "漢", "", "a"])
        #expect(try terminal.cells(inColumn: 3, rows: 0..<5) == ["d", "", "b", "", "é".decomposed])
        #expect(try terminal.cells(inColumn: 2, rows: 1..<3) == ["字", ""])
    }

    /// An astronaut, a family, a rainbow flag, a burning heart, a detective and a polar bear: each is reduced to its
    /// first part, two columns wide, according to two terminal emulators.
    @Test func emojiOfSeveralPartsAreTwoColumnsWide() throws {
        let emoji = [
            "\u{1F469}\u{200D}\u{1F680}", "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}\u{200D}\u{1F466}",
            "\u{1F3F3}\u{FE0F}\u{200D}\u{1F308}", "\u{2764}\u{FE0F}\u{200D}\u{1F525}",
            "\u{1F575}\u{1F3FD}\u{200D}\u{2642}\u{FE0F}", "\u{1F43B}\u{200D}\u{2744}\u{FE0F}",
        ]
        let firstParts = ["\u{1F469}", "\u{1F468}", "\u{1F3F3}", "\u{2764}", "\u{1F575}", "\u{1F43B}"]
        let books = emoji.map { #"{"title": "\#($0)|\#($0)\#($0)|", "authors": ["\#($0) X"]}"# }
        let catalog = try sandbox.write("[\(books.joined(separator: ","))]", to: "emoji.json")
        let rows = 2..<(2 + emoji.count)
        let terminal = try Tmux(in: sandbox, columns: 80, rows: 24, opening: catalog)
        try terminal.wait(forPosition: "1/6")
        // The title begins after the bar and the star.
        let start = try #require((0..<8).first { try terminal.cells(inColumn: $0, rows: rows) == firstParts })
        for column in [start + 2, start + 7] {
            #expect(try terminal.cells(inColumn: column, rows: rows) == emoji.map { _ in "|" })
        }
        #expect(try terminal.cells(inColumn: 48, rows: 1..<22) == (1..<22).map { _ in "│" })

        let other = try PseudoTerminal(
            columns: 80, rows: 24, running: [Programs.stacks, "--no-resume", catalog],
            environment: sandbox.environment(changing: ["TERM": SecondEmulator.type]))
        try other.wait(for: "1/6")
        try other.waitForSilence(of: .milliseconds(400))
        let screen = try #require(
            try SecondEmulator.screens(
                of: other.output, after: [other.output.count], columns: 80, rows: 24, in: sandbox
            ).first)
        for (row, first) in zip(rows, firstParts) {
            #expect(screen[row][start] == first)
            #expect(screen[row][start + 2] == "|" && screen[row][start + 7] == "|")
            #expect(screen[row][48] == "│")
        }
    }

    @Test(arguments: [(120, 40), (80, 24), (81, 24), (82, 24)])
    func theDividerIsInOneColumn(columns: Int, rows: Int) throws {
        let terminal = try Tmux(in: sandbox, columns: columns, rows: rows, opening: catalog)
        let divider = (columns * 6 + 5) / 10
        // A large window has a row of lists above.
        let top = columns >= 100 && rows >= 28 ? 2 : 1
        let straight = Array(repeating: "│", count: rows - 2 - top)
        var row = 1
        while true {
            let screen = try terminal.wait(forPosition: "\(row)/\(Scripts.count)")
            #expect(try terminal.cells(inColumn: divider, rows: top..<(rows - 2)) == straight, "\(screen)")
            // No row has wrapped into the bars.
            #expect(screen.hasTitle(" All books (\(Scripts.count))"))
            #expect(screen.hints.contains("? help"))
            if row == Scripts.count { break }
            try terminal.press("PageDown")
            row = min(row + rows - 3 - top, Scripts.count)
        }
    }

    @Test func theDividerStaysStraightWhileTheCurrentRowMoves() throws {
        let terminal = try Tmux(in: sandbox, columns: 80, rows: 24, opening: catalog)
        // The message for a long title takes up to three rows.
        let straight = Array(repeating: "│", count: 19)
        try terminal.wait(forPosition: "1/\(Scripts.count)")
        for row in 1...Scripts.count {
            try terminal.type("t")
            try terminal.wait(for: "the mark") { $0.selection.hasPrefix("▌★") }
            #expect(try terminal.cells(inColumn: 48, rows: 1..<20) == straight, "row \(row)")
            try terminal.type("j")
            try terminal.wait(forPosition: "\(min(row + 1, Scripts.count))/\(Scripts.count)")
        }
        #expect(try terminal.cells(inColumn: 48, rows: 1..<20) == straight)
        // Incremental drawing gives the same screen as a full redraw.
        let before = try terminal.screen
        try terminal.type("gg")
        try terminal.wait(forPosition: "1/\(Scripts.count)")
        try terminal.type("G")
        try terminal.press("C-l")
        try terminal.wait(for: "the same screen") { $0 == before }
    }

    @Test func titlesAreReadable() throws {
        let terminal = try Tmux(in: sandbox, columns: 120, rows: 60, opening: catalog)
        let screen = try terminal.wait(forPosition: "1/\(Scripts.count)")
        for title in [
            "紅樓夢", "ノルウェイの森", "채식주의자", "ألف ليلة وليلة", "סיפור על אהבה וחושך", "गोदान", "వేయిపడగలు",
            "ข้างหลังภาพ", "Οδύσσεια", "Война и мир", "Cafe\u{301} nai\u{308}ve re\u{301}sume\u{301}",
            "ＦＵＬＬ　ＷＩＤＴＨ！", "👩 a family", "👍👍 skin tones", "right to left",
        ] {
            #expect(screen.rows.contains { $0.unicodeScalars.firstRange(of: title.unicodeScalars) != nil }, "\(title)")
        }
    }

    @Test func nothingHarmfulReachesTheTerminal() throws {
        for (columns, rows) in [(120, 40), (70, 20), (50, 15)] {
            let terminal = try PseudoTerminal(
                columns: columns, rows: rows, running: [Programs.stacks, "--no-resume", catalog],
                environment: sandbox.environment(changing: ["TERM": "xterm-256color"]))
            try terminal.wait(for: "1/\(Scripts.count)")
            // Every book in the list, the detail pane and a message; then the favourites, the lists and help.
            for _ in 1...Scripts.count {
                terminal.type("tljjhj")
                try terminal.waitForSilence(of: .milliseconds(15))
            }
            for keys in ["L", "jl", "G", "gg", "?", "\u{1B}", "R", "\u{C}"] {
                terminal.type(keys)
                try terminal.waitForSilence(of: .milliseconds(40))
            }
            terminal.type("q")
            #expect(try terminal.waitForEnd() == .exit(0))
            let stream = TerminalStream(terminal.output)
            #expect(stream.defects.isEmpty)
            #expect(stream.sequences.isDisjoint(with: Scripts.sequences))
            // The titles were shown, and their controls as replacement characters.
            #expect(stream.text.contains("紅樓夢"))
            #expect(stream.text.contains("\u{FFFD}[6n a question"))
        }
    }

    @Test func theScannerDetectsHarmfulCharacters() {
        for harm in Scripts.sequences + ["\u{7}", "\u{0}", "\u{7F}", "\u{9B}31m", "\u{202E}", "\u{200D}", "\u{FEFF}"] {
            let stream = TerminalStream(Array("\u{1B}[Htext \(harm) text".utf8))
            #expect(!stream.defects.isEmpty || !stream.sequences.isDisjoint(with: Scripts.sequences))
        }
        #expect(TerminalStream([0x61, 0x9B, 0x62]).defects == ["text that is not UTF-8"])
        #expect(TerminalStream(Array("\u{1B}[1;1Htext\r\n\u{8}\u{1B}(B\u{1B}[m 漢 e\u{301}".utf8)).defects.isEmpty)
    }

    @Test func thePrintedListIsHarmless() throws {
        let result = try sandbox.run([Programs.stacks, catalog])
        #expect(result.ending == .exit(0))
        let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        #expect(lines.count == Scripts.count)
        #expect(lines.allSatisfy { $0.count { $0 == "\t" } == 1 })
        #expect(TerminalStream(Array(result.output.replacing("\t", with: "").utf8)).defects.isEmpty)
        #expect(!result.output.unicodeScalars.contains("\r"))
        #expect(lines.first == "紅樓夢\t曹雪芹, 高鶚")
    }
}

extension String {
    /// The text with its accents as combining marks.
    fileprivate var decomposed: String {
        replacing("é", with: "e\u{301}")
    }
}
