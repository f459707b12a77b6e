import Foundation
import Testing

/// Windows of all sizes on every screen: the program survives, and a resized screen equals that of a fresh start.
@Suite("On a terminal: sizes") struct Sizes {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
    }

    /// The screens while the window is resized: the keys that lead there, and a text on the screen at 80 x 24.
    private static let overlays = [
        ("", "Fight Club"), ("?", " Help"), ("F", "Value"), (":", "─ Commands ─"), ("|", "─ Columns ─"),
        ("s", "Sort by title"), ("/e", " /e"), ("L", " Lists"), ("l", "▌Fight Club"), ("St", "by letter"),
    ]

    /// A terminal that does not interpret its output is fast enough for all sizes.
    private func open(columns: Int = 80, rows: Int = 24) throws -> PseudoTerminal {
        let terminal = try PseudoTerminal(
            columns: columns, rows: rows, running: [Programs.stacks, "--no-resume", Programs.bundledCatalog],
            environment: sandbox.environment(changing: ["TERM": "xterm-256color"]))
        try terminal.wait(for: "1/11")
        return terminal
    }

    /// Waits until the program has drawn a new frame after a resize.
    private func settle(_ terminal: PseudoTerminal) throws {
        let start = ContinuousClock.now
        while ContinuousClock.now - start < .milliseconds(4) { if terminal.receive() == 0 { usleep(500) } }
        try #require(terminal.process.poll() == nil)
    }

    @Test func everySmallSizeIsHandled() throws {
        let terminal = try open()
        for columns in 1...40 {
            for rows in 1...20 {
                terminal.resize(columns: columns, rows: rows)
                try settle(terminal)
            }
        }
        try leave(terminal)
    }

    @Test(arguments: overlays)
    func sizesInStepsAreHandledOnEveryScreen(keys: String, sign: String) throws {
        let terminal = try open()
        terminal.type(keys)
        try terminal.waitForSilence()
        let sizes = stride(from: 1, through: 40, by: 3).flatMap { columns in
            stride(from: 1, through: 20, by: 2).map { (columns, $0) }
        }
        for (columns, rows) in sizes + [(500, 1), (1, 50), (500, 50), (20, 5), (21, 6)] {
            terminal.resize(columns: columns, rows: rows)
            try settle(terminal)
        }
        try leave(terminal)
    }

    /// Expects the program to handle keys and to quit properly after all resizes.
    private func leave(_ terminal: PseudoTerminal) throws {
        terminal.resize(columns: 80, rows: 24)
        try terminal.waitForSilence()
        terminal.type("\u{1B}")
        try terminal.waitForSilence()
        terminal.type("\u{1B}")
        try terminal.waitForSilence()
        terminal.type("q")
        #expect(try terminal.waitForEnd() == .exit(0))
        #expect(terminal.modes.values == terminal.originalModes.values)
    }

    @Test func afterAThousandResizesTheScreenEqualsThatOfAFreshStart() throws {
        let terminal = try Tmux(
            in: sandbox, columns: 80, rows: 24, running: [Programs.stacks, "--no-resume", Programs.bundledCatalog])
        let before = try terminal.wait(forPosition: "1/11")
        var seed: UInt64 = 1
        func random(_ limit: Int) -> Int {
            // The generator of Knuth's MMIX: the same sequence in every run.
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return 1 + Int(seed >> 33) % limit
        }
        for _ in 1...10 {
            try terminal.resize(many: (1...100).map { _ in (random(200), random(60)) })
        }
        try terminal.resize(columns: 80, rows: 24)
        try terminal.wait(for: "the screen of a fresh start") { $0 == before }
    }

    /// Except sections, whose list may have scrolled to keep the current row visible, and the column chooser, which
    /// shows the columns of the list when it was opened.
    @Test(arguments: overlays.filter { !["St", "|"].contains($0.0) })
    func aResizedScreenEqualsAFreshStart(keys: String, sign: String) throws {
        let changing = try Tmux(
            in: sandbox, columns: 80, rows: 24, running: [Programs.stacks, "--no-resume", Programs.bundledCatalog])
        try changing.wait(forPosition: "1/11")
        try changing.type(keys)
        try changing.wait(for: sign)
        let other = try Sandbox()
        let fresh = try Tmux(in: other, columns: 80, rows: 24, running: ["/bin/sleep", "1000"])
        for (columns, rows) in [
            (160, 45), (19, 5), (79, 24), (20, 5), (60, 12), (59, 12), (140, 30), (33, 8), (500, 1), (1, 50), (24, 40),
        ] {
            try changing.resize(columns: columns, rows: rows)
            try fresh.resize(columns: columns, rows: rows)
            try fresh.run([Programs.stacks, "--no-resume", Programs.bundledCatalog])
            try fresh.wait(for: "a first screen") { $0.rows.count == rows && $0.rows.contains { !$0.isEmpty } }
            try fresh.type(keys)
            // The which-key popup appears later, and either frame may be incomplete.
            var screens = try (changing.screen, fresh.screen)
            _ = try eventually(
                or: "\(columns) x \(rows) shows\n\(screens.0)\nand a fresh start\n\(screens.1)"
            ) {
                screens = try (changing.screen, fresh.screen)
                return screens.0 == screens.1 && screens.0.rows.count == rows ? true : nil
            }
        }
    }
}
