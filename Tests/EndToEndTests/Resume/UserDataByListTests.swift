import Foundation
import Testing

/// Commands for a row apply to all selected rows.
@Suite("User data on the screen") struct UserDataByList {
    let sandbox: Sandbox
    let terminal: Tmux

    init() throws {
        sandbox = try Sandbox()
        let catalog = try sandbox.write(Novels.catalog, to: "novels.json")
        terminal = try Tmux(in: sandbox, columns: 120, rows: 24, opening: catalog)
        try terminal.letProgramsCopy()
        try terminal.wait(forPosition: "1/7")
    }

    @Test func rowsSelectedOneByOneBecomeFavouritesTogether() throws {
        try terminal.type(" jj ")
        try terminal.wait(for: "2 selected")
        try terminal.type("t")
        let screen = try terminal.wait(for: "★ Favourite: 2 books")
        #expect(screen.shows("▪★ ● Second Foundation"))
        #expect(screen.shows("▪★ ○ The Hobbit"))
        #expect(screen.body.count { $0.contains("★ ") && !$0.contains("│ Rating") } == 2)
        try terminal.type("t")
        try terminal.wait(for: "Removed from favourites: 2 books")
    }

    @Test func aCountSelectsThatManyRowsAndEscDeselects() throws {
        try terminal.type("3 ")
        #expect(try terminal.wait(for: "3 selected").position == "4/7")
        try terminal.press("Escape")
        try terminal.wait(for: "no marks") { !$0.shows("selected") && !$0.shows("▪") }
    }

    @Test func aRangeIsSelectedInEitherDirection() throws {
        try terminal.type("4jv2k")
        let screen = try terminal.wait(for: "3 selected")
        #expect(screen.shows("◆● Foundation"))
        #expect(screen.shows("▪◐ Cosmos"))
        try terminal.type("vk")
        // The selection ended at the row where v was typed again.
        try terminal.wait(for: "the row before, not selected") {
            $0.position == "2/7" && $0.status.contains("3 selected")
        }
    }

    @Test func allAreSelectedAndThenNone() throws {
        try terminal.type("V")
        try terminal.wait(for: "7 selected")
        try terminal.type("V")
        try terminal.wait(for: "no marks") { !$0.shows("selected") }
    }

    @Test(arguments: [
        ("yt", "Second Foundation\nEmma", "title of 2 books"),
        ("ya", "Isaac Asimov\nJane Austen", "authors of 2 books"),
        ("yi", "978-0553293364\n978-0141439587", "ISBN of 2 books"),
    ])
    func copiesOfSelectedBooksHaveALineForEach(keys: String, text: String, message: String) throws {
        try terminal.type("2 ")
        try terminal.wait(for: "2 selected")
        try terminal.type(keys)
        try terminal.wait(for: "Copied: " + message)
        #expect(try terminal.clipboard == text)
    }

    @Test func recordsOfSelectedBooksAreLinesOfJSON() throws {
        try terminal.type("2 yj")
        try terminal.wait(for: "Copied: record of 2 books")
        let lines = try terminal.clipboard.split(separator: "\n")
        let titles = try lines.map { line in
            try (JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?["title"] as? String
        }
        #expect(titles == ["Second Foundation", "Emma"])
    }
}

/// Copies to the clipboard of a terminal, directly and through tmux.
@Suite("On a terminal: copying") struct Copies {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
    }

    /// Returns the output when the title of the first book is copied.
    private func sent(changing changes: [String: String?]) throws -> String {
        let terminal = try PseudoTerminal(
            running: [Programs.stacks, Programs.bundledCatalog], environment: sandbox.environment(changing: changes))
        try terminal.wait(for: "1/11")
        try terminal.waitForSilence()
        let start = terminal.output.count
        terminal.type("yt")
        try terminal.wait(for: "Copied: title of Fight Club", after: start)
        try terminal.waitForSilence()
        return String(decoding: terminal.output.dropFirst(start), as: UTF8.self)
    }

    /// "Fight Club" in base 64, in the sequence of xterm's control sequences, "Manipulate Selection Data".
    private let sequence = "\u{1B}]52;c;RmlnaHQgQ2x1Yg==\u{7}"

    @Test func theClipboardSequenceIsSentToTheTerminal() throws {
        let output = try sent(changing: ["TERM": "xterm-256color"])
        #expect(output.contains(sequence))
        #expect(!output.contains("\u{1B}Ptmux;"))
    }

    /// tmux interprets the first sequence itself and passes the second, with doubled escapes, to the outer terminal.
    @Test func tmuxPassesTheSequenceToTheOuterTerminal() throws {
        let output = try sent(changing: ["TERM": "tmux-256color", "TMUX": "/tmp/tmux-0/default,1,0"])
        #expect(output.contains("\u{1B}Ptmux;\u{1B}" + sequence + "\u{1B}\\"))
        #expect(output.replacing("\u{1B}Ptmux;\u{1B}" + sequence, with: "").contains(sequence))
    }

    @Test func withoutAClipboardTheTextIsWrittenToAFile() throws {
        let terminal = try Tmux(
            in: sandbox, opening: Programs.bundledCatalog, changing: ["TERM": "linux", "TMUX": nil])
        try terminal.letProgramsCopy()
        try terminal.wait(forPosition: "1/11")
        try terminal.type("yt")
        try terminal.wait(for: "The terminal has no clipboard. Copied to ")
        #expect(try terminal.clipboard.isEmpty)
        #expect(sandbox.text(of: sandbox.path + "/state/stacks/copied.txt") == "Fight Club")
    }
}
