import Testing

/// The colours in the output to terminals.
@Suite("On a terminal: themes") struct Themes {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
    }

    /// Returns all sequences that stacks sends to a terminal of this type, with a movement and a search.
    private func sequences(
        toTerminal type: String, _ options: [String], changing changes: [String: String?] = [:]
    ) throws -> Set<String> {
        let terminal = try PseudoTerminal(
            columns: 120, rows: 30, running: [Programs.stacks, "--no-resume"] + options + [Programs.bundledCatalog],
            environment: sandbox.environment(changing: changes.merging(["TERM": type]) { $1 }))
        try terminal.wait(for: "1/11")
        terminal.type("j/the")
        try terminal.waitForSilence()
        terminal.type("\u{1B}")
        try terminal.waitForSilence()
        terminal.type("q")
        #expect(try terminal.waitForEnd() == .exit(0))
        return TerminalStream(terminal.output).sequences
    }

    /// Returns the sequences that set a colour, without their first and last characters.
    private func colours(in sequences: Set<String>) -> Set<String> {
        let renditions = sequences.filter { $0.hasSuffix("m") && $0.hasPrefix("\u{1B}[") }.map {
            $0.dropFirst(2).dropLast()
        }
        // The terminal's default colours do not count.
        return Set(renditions.map(String.init)).subtracting(["39;49"]).filter { rendition in
            rendition.split(separator: ";").contains { parameter in
                let number = Int(parameter.prefix { $0 != ":" }) ?? 0
                return (30...49).contains(number) || (90...107).contains(number)
            }
        }
    }

    @Test(arguments: [
        // The background and text of the window, of the current row, and of matches.
        ("xterm-256color", ["48;5;234", "38;5;252", "48;5;24", "38;5;255", "38;5;222"]),
        ("screen-256color", ["48;5;234", "38;5;252", "48;5;24", "38;5;255", "38;5;222"]),
        ("xterm-direct", ["48:2::28:28:28", "38:2::208:208:208", "48:2::0:95:135", "38:2::238:238:238"]),
        ("xterm-16color", ["40", "37", "44", "97", "93"]),
        ("xterm", ["40", "37", "44", "36"]),
        ("screen", ["40", "37", "44", "36"]),
        ("linux", ["40", "37", "44", "36"]),
    ])
    func aThemeIsShownInAsManyColoursAsTheTerminalHas(type: String, colours expected: [String]) throws {
        let sent = try colours(in: sequences(toTerminal: type, ["--theme", "dark"]))
        #expect(sent.isSuperset(of: expected), "\(sent)")
        switch expected[0].prefix(5) {
        case "48;5;": #expect(sent.allSatisfy { $0.hasPrefix("38;5;") || $0.hasPrefix("48;5;") }, "\(sent)")
        case "48:2:": #expect(sent.allSatisfy { $0.hasPrefix("38:2::") || $0.hasPrefix("48:2::") }, "\(sent)")
        default: #expect(sent.allSatisfy { Int($0) != nil }, "\(sent)")
        }
    }

    @Test(arguments: [("light", "48;5;231"), ("dark", "48;5;234"), ("contrast", "48;5;16")])
    func eachThemeHasItsOwnBackground(theme: String, ground: String) throws {
        let sent = try colours(in: sequences(toTerminal: "xterm-256color", ["--theme", theme]))
        #expect(sent.contains(ground))
    }

    @Test(arguments: ["vt100", "xterm-mono"])
    func aTerminalWithoutColoursGetsNone(type: String) throws {
        for theme in ["terminal", "light", "dark", "contrast"] {
            let sent = try sequences(toTerminal: type, ["--theme", theme])
            #expect(colours(in: sent).isEmpty)
            #expect(hasReverse(sent))
        }
    }

    @Test(arguments: ["xterm-256color", "xterm", "xterm-direct", "linux"])
    func theTerminalsColoursAreNotChanged(type: String) throws {
        let sent = try colours(in: sequences(toTerminal: type, []))
        // The first eight, which users may redefine, and the default.
        #expect(
            sent.contains("44")
                && sent.allSatisfy { (30...37).contains(Int($0) ?? 0) || ["39", "44", "49"].contains($0) })
    }

    @Test(arguments: ["terminal", "light", "dark", "contrast"])
    func noColourDisablesColoursButNotEmphasis(theme: String) throws {
        let sent = try sequences(toTerminal: "xterm-256color", ["--theme", theme], changing: ["NO_COLOR": "1"])
        #expect(colours(in: sent).isEmpty)
        #expect(hasReverse(sent))
        // Matches: bold and underlined.
        #expect(sent.contains("\u{1B}[0;1;4m"), "\(sent)")
    }

    @Test func anEmptyNoColourVariableIsIgnored() throws {
        let sent = try sequences(toTerminal: "xterm-256color", ["--theme", "dark"], changing: ["NO_COLOR": ""])
        #expect(!colours(in: sent).isEmpty)
    }

    private func hasReverse(_ sequences: Set<String>) -> Bool {
        sequences.contains { $0.hasSuffix("m") && $0.dropFirst(2).dropLast().split(separator: ";").contains("7") }
    }

    @Test(arguments: ["", "Dark", "solarized"])
    func anUnknownThemeIsAnErrorThatNamesTheThemes(name: String) throws {
        let result = try sandbox.run([Programs.stacks, "--theme", name, Programs.bundledCatalog])
        #expect(result.ending == .exit(64))
        #expect(result.output.isEmpty)
        #expect(result.error.contains("terminal, light, dark, contrast"))
    }

    /// These terminals erase with the current background colour.
    @Test(arguments: ["xterm-256color", "xterm", "linux"])
    func everythingIsWrittenAndErasedWithTheThemesBackground(type: String) throws {
        let terminal = try PseudoTerminal(
            columns: 100, rows: 30, running: [Programs.stacks, "--theme", "light", Programs.bundledCatalog],
            environment: sandbox.environment(changing: ["TERM": type]))
        try terminal.wait(for: "1/11")
        for keys in ["3j", "/stand", "\u{1B}", "\u{0C}", "?", "q"] {
            terminal.type(keys)
            try terminal.waitForSilence()
        }
        // Without the question for pictures, a string that terminals do not show.
        let output = String(decoding: terminal.output, as: UTF8.self)
            .replacing(#/\u{1B}_[^\u{1B}]*\u{1B}\\/#, with: "")
        // From the first erasure, that of the whole screen, on.
        let start = try #require(output.firstRange(of: type == "linux" ? "\u{1B}[H\u{1B}[J" : "\u{1B}[H\u{1B}[2J"))
        var ground = Ground()
        _ = ground.changes(over: output[..<start.lowerBound])
        let bare = ground.changes(over: output[start.lowerBound...]).filter { !$0.hasGround }
        #expect(bare.isEmpty)
    }

    /// On these terminals, ncurses writes blanks instead of erasing.
    @Test(arguments: ["screen-256color", "screen"])
    func everyCellHasTheThemesBackground(type: String) throws {
        let terminal = try Tmux(
            in: sandbox, columns: 100, rows: 30,
            running: [Programs.stacks, "--theme", "light", Programs.bundledCatalog], changing: ["TERM": type])
        try terminal.wait(forPosition: "1/11")
        try waitForGround(of: terminal, columns: 100, rows: 30)
        try terminal.type("3j")
        try terminal.wait(forPosition: "4/11")
        try waitForGround(of: terminal, columns: 100, rows: 30)
        try terminal.type("/stand")
        try terminal.wait(for: "⟂ stand")
        try waitForGround(of: terminal, columns: 100, rows: 30)
        try terminal.resize(columns: 130, rows: 35)
        try waitForGround(of: terminal, columns: 130, rows: 35)
        try terminal.press("Escape")
        try terminal.wait(forPosition: "4/11")
        try terminal.press("C-l")
        try waitForGround(of: terminal, columns: 130, rows: 35)
        try terminal.resize(columns: 90, rows: 20)
        try waitForGround(of: terminal, columns: 90, rows: 20)
    }

    @Test(arguments: ["terminal", "light", "dark", "contrast"], [nil, "1"])
    func theBarOfTheCurrentRowIsComplete(theme: String, noColour: String?) throws {
        let terminal = try Tmux(
            in: sandbox, columns: 100, rows: 30,
            running: [Programs.stacks, "--theme", theme, Programs.bundledCatalog], changing: ["NO_COLOR": noColour])
        try terminal.wait(forPosition: "1/11")
        try terminal.type("j")
        try terminal.wait(forPosition: "2/11")
        _ = try eventually(or: "the bar is not whole: in \(theme)") { () throws -> Bool? in
            let rows = try capturedRows(of: terminal)
            guard let current = rows.firstIndex(where: { $0.first?.text == "▌" }), current + 1 < rows.count,
                let divider = rows[current].firstIndex(where: { $0.text == "│" })
            else { return nil }
            let (bar, below) = (rows[current][1..<divider].map(\.look), rows[current + 1][..<divider].map(\.look))
            let isWhole = divider > 50 && Set(bar).count == 1 && Set(below).count == 1 && bar[0] != below[0]
            return isWhole && rows[current][0].look == below[0] ? true : nil
        }
    }

    /// Returns the characters on the screen with their background colour and whether they are reversed.
    private func capturedRows(of terminal: Tmux) throws -> [[(text: Character, look: String)]] {
        let captured = try terminal.styledText
        var (background, isReversed) = ("", false)
        return captured.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            var cells: [(text: Character, look: String)] = []
            var rest = line
            while let character = rest.popFirst() {
                guard character == "\u{1B}", rest.first == "[" else {
                    cells.append((character, isReversed ? "reversed " + background : background))
                    continue
                }
                let parameters = rest.dropFirst().prefix { $0 != "m" }
                rest = rest.dropFirst(parameters.count + 2)
                var numbers = parameters.split(separator: ";").map { Int($0) ?? 0 }[...]
                if numbers.isEmpty { numbers = [0] }
                while let number = numbers.popFirst() {
                    switch number {
                    case 0: (background, isReversed) = ("", false)
                    case 7: isReversed = true
                    case 27: isReversed = false
                    case 38: numbers = numbers.dropFirst(2)
                    case 48:
                        background = "\(numbers.prefix(2))"
                        numbers = numbers.dropFirst(2)
                    case 49: background = ""
                    case 40...47, 100...107: background = "\(number)"
                    default: break
                    }
                }
            }
            return cells
        }
    }

    /// Waits until the window has this size and each cell has a background.
    private func waitForGround(of terminal: Tmux, columns: Int, rows: Int) throws {
        var counts: [Int] = []
        _ = try eventually(or: "so many cells of \(columns) have a ground in each row: \(counts)") {
            let captured = try terminal.styledText
            var ground = Ground()
            counts = captured.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { line in
                // The bundled catalog has no wide characters.
                ground.changes(over: line).count { $0.hasGround }
            }
            return counts == Array(repeating: columns, count: rows) ? true : nil
        }
    }
}

/// Whether a background is set, tracked like a terminal does.
private struct Ground {
    private(set) var isSet = false

    /// An output that changes cells: a character or an erasure.
    struct Change: Hashable {
        let text: String
        let hasGround: Bool
    }

    /// Returns the changes of cells by `output`, in order.
    mutating func changes(over output: Substring) -> [Change] {
        var changes: [Change] = []
        var rest = Substring.UnicodeScalarView(output.unicodeScalars)
        while let scalar = rest.popFirst() {
            guard scalar == "\u{1B}" else {
                if scalar.value >= 0x20 { changes.append(Change(text: String(scalar), hasGround: isSet)) }
                continue
            }
            guard rest.popFirst() == "[" else {
                if rest.first == "B" || rest.first == "0" { rest.removeFirst() }
                continue
            }
            let parameters = rest.prefix { (0x20...0x3F).contains($0.value) }
            rest = rest.dropFirst(parameters.count)
            switch rest.popFirst() {
            case "m": apply(String(parameters).split(separator: ";").map { Int($0) ?? 0 })
            case let final? where "JKXPLMST@".unicodeScalars.contains(final):
                changes.append(Change(text: "ESC [ " + String(parameters) + String(final), hasGround: isSet))
            default: break
            }
        }
        return changes
    }

    /// Applies the parameters of SGR.
    private mutating func apply(_ parameters: [Int]) {
        var rest = (parameters.isEmpty ? [0] : parameters)[...]
        while let parameter = rest.popFirst() {
            switch parameter {
            case 0, 49: isSet = false
            case 40...47, 100...107: isSet = true
            case 48:
                isSet = true
                rest = rest.dropFirst(2)
            case 38: rest = rest.dropFirst(2)
            default: break
            }
        }
    }
}
