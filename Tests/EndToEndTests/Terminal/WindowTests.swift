import Glibc
import Testing

/// Windows of all sizes, and suspending.
@Suite("On a terminal: windows that change") struct Windows {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
    }

    @Test func thePanesFollowTheSizeOfTheWindow() throws {
        let terminal = try Tmux(in: sandbox, columns: 120, rows: 40, opening: Programs.bundledCatalog)
        try terminal.wait(forPosition: "1/11")
        try terminal.type("4jt")
        try terminal.wait(for: "★ Favourite: ")
        try terminal.type("jk")
        let wide = try terminal.wait(forPosition: "5/11")
        #expect(wide.rows.count == 40)
        #expect(wide.body.allSatisfy { $0.contains("│") })
        #expect(wide.body[0].hasSuffix("│ The Stand"))

        try terminal.resize(columns: 70, rows: 20)
        let stacked = try terminal.wait(for: "the list over the detail") { screen in
            screen.body.contains { $0 == String(repeating: "─", count: 70) }
        }
        #expect(stacked.rows.count == 20)
        #expect(!stacked.shows("│"))
        #expect(stacked.selection.hasPrefix("▌★ The Stand"))
        let divider = try #require(stacked.body.firstIndex { $0.hasPrefix("──") })
        #expect(stacked.body[divider + 1].hasPrefix(" The Stand "))
        #expect(stacked.body[divider + 2].hasPrefix(" Stephen King "))

        try terminal.resize(columns: 50, rows: 15)
        let single = try terminal.wait(for: "a single pane") {
            $0.rows.count == 15 && !$0.shows("──") && $0.position == "5/11"
        }
        #expect(single.selection.hasPrefix("▌★ The Stand"))
        #expect(!single.shows(" pp "))
        try terminal.press("Enter")
        let detail = try terminal.wait(for: " pp ")
        #expect(detail.body[0] == "▌The Stand")
        try terminal.press("Escape")
        try terminal.wait(for: "the list again") { $0 == single }

        try terminal.resize(columns: 15, rows: 4)
        let notice = try terminal.wait(for: "Window too")
        #expect(notice.rows.count == 4)
        #expect(notice.rows.dropFirst().allSatisfy { $0.isEmpty })

        try terminal.resize(columns: 120, rows: 40)
        try terminal.wait(for: "everything as it was") { $0 == wide }
    }

    @Test func aWindowOfOneCellIsHandled() throws {
        let terminal = try Tmux(in: sandbox, columns: 80, rows: 24, opening: Programs.bundledCatalog)
        let before = try terminal.wait(forPosition: "1/11")
        for (columns, rows) in [(1, 1), (500, 1), (1, 50), (2, 2), (20, 5), (19, 5), (20, 4), (80, 24)] {
            try terminal.resize(columns: columns, rows: rows)
            try terminal.wait(for: "\(rows) rows") { $0.rows.count == rows }
        }
        try terminal.wait(for: "everything as it was") { $0 == before }
    }

    @Test func rapidResizingIsHandled() throws {
        let terminal = try Tmux(in: sandbox, columns: 80, rows: 24, opening: Programs.bundledCatalog)
        try terminal.wait(forPosition: "1/11")
        try terminal.type("4j")
        let before = try terminal.wait(forPosition: "5/11")
        for step in 0..<100 {
            try terminal.resize(columns: 1 + step * 37 % 150, rows: 1 + step * 23 % 50)
        }
        try terminal.resize(columns: 80, rows: 24)
        // The list may have scrolled to keep the current row visible; this must be undone.
        try terminal.type("gg4j")
        try terminal.wait(for: "everything as it was") { $0 == before }
    }

    @Test func suspendingRestoresTheShellsTerminalAndContinuingTheScreen() throws {
        let terminal = try Tmux(
            in: sandbox, running: ["/bin/bash", "--norc", "--noprofile", "-i"], changing: ["PS1": "ready> "])
        try terminal.wait(for: "ready>")
        try terminal.type("\(Programs.stacks) \(Programs.bundledCatalog)\n")
        try terminal.wait(forPosition: "1/11")
        try terminal.type("4jt")
        // The message comes once the favourite is on disk, and the next key removes it.
        try terminal.wait(for: "★ Favourite: The Stand")
        try terminal.type("j")
        try terminal.wait(forPosition: "6/11")
        try terminal.type("k")
        let before = try terminal.wait(forPosition: "5/11")
        #expect(before.selection.hasPrefix("▌★ The Stand"))

        for _ in 1...2 {
            try terminal.press("C-z")
            try terminal.wait(forAlternateScreen: false)
            try terminal.wait(for: "Stopped")
            try terminal.type("echo 'usable': $((6 * 7)) j\n")
            #expect(try !terminal.wait(for: "usable: 42 j").shows("Fight Club"))
            try terminal.type("clear\n")
            try terminal.wait(for: "an empty screen") { !$0.shows("usable") }

            try terminal.type("fg\n")
            try terminal.wait(forAlternateScreen: true)
            try terminal.wait(for: "the screen as it was") { $0 == before }
        }
        try terminal.type("j")
        try terminal.wait(forPosition: "6/11")
        // Pastes are still distinguished from keys.
        try terminal.paste("jjj")
        try terminal.type("j")
        try terminal.wait(forPosition: "7/11")
        try terminal.type("q")
        try terminal.wait(forAlternateScreen: false)
        try terminal.type("echo status $?\n")
        try terminal.wait(for: "status 0")
    }

    @Test func aProgramBetweenShellAndStacksIsSuspendedToo() throws {
        let terminal = try Tmux(
            in: sandbox, running: ["/bin/bash", "--norc", "--noprofile", "-i"], changing: ["PS1": "ready> "])
        try terminal.wait(for: "ready>")
        try terminal.type("sh -c '\(Programs.stacks) \(Programs.bundledCatalog); echo left with $?'\n")
        let before = try terminal.wait(forPosition: "1/11")
        try terminal.press("C-z")
        try terminal.wait(for: "Stopped")
        #expect(try !terminal.isAlternateScreenShown)
        try terminal.type("fg\n")
        try terminal.wait(for: "the screen as it was") { $0 == before }
        try terminal.type("q")
        try terminal.wait(for: "left with 0")
    }

    @Test func aWindowResizedDuringSuspensionIsRedrawn() throws {
        let terminal = try Tmux(
            in: sandbox, columns: 80, rows: 24, running: ["/bin/bash", "--norc", "--noprofile", "-i"],
            changing: ["PS1": "ready> "])
        try terminal.wait(for: "ready>")
        try terminal.type("\(Programs.stacks) \(Programs.bundledCatalog)\n")
        try terminal.wait(forPosition: "1/11")
        try terminal.press("C-z")
        try terminal.wait(for: "Stopped")
        try terminal.resize(columns: 120, rows: 40)
        try terminal.type("fg\n")
        let screen = try terminal.wait(for: "the whole window") { $0.rows.count == 40 && $0.position == "1/11" }
        #expect(screen.hints.contains("? help"))
        #expect(screen.title.count == 119)
        #expect(screen.body.allSatisfy { $0.contains("│") })
    }

    @Test func aStopSignalIsLikeOneFromTheKeyboard() throws {
        let terminal = try Tmux(
            in: sandbox, running: ["/bin/bash", "--norc", "--noprofile", "-i"], changing: ["PS1": "ready> "])
        try terminal.wait(for: "ready>")
        try terminal.type("\(Programs.stacks) \(Programs.bundledCatalog) & echo; fg\n")
        let before = try terminal.wait(forPosition: "1/11")
        let shell = try terminal.processID
        let child = children(of: shell)
        try #require(child.count == 1)
        kill(child[0], SIGTSTP)
        try terminal.wait(forAlternateScreen: false)
        try terminal.wait(for: "Stopped")
        try terminal.type("fg\n")
        try terminal.wait(for: "the screen as it was") { $0 == before }
    }
}
