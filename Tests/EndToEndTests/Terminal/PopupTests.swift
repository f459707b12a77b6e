import Testing

/// Help for users who do not know the keys: the which-key popup, the palette, the help screen.
@Suite("On a terminal: help and popups") struct HelpWithKeys {
    let sandbox: Sandbox
    let catalog: String

    init() throws {
        sandbox = try Sandbox()
        catalog = try sandbox.write(Novels.catalog, to: "novels.json")
    }

    private func open(columns: Int = 120, rows: Int = 24) throws -> Tmux {
        let terminal = try Tmux(in: sandbox, columns: columns, rows: rows, opening: catalog)
        try terminal.wait(for: "1815")
        return terminal
    }

    // MARK: - The which-key popup

    @Test(arguments: [
        ("g", "┌─ g ──", ["g  Top", "i  Go forward"]),
        ("z", "┌─ z ──", ["z  Centre"]),
        ("s", "┌─ s ──", ["t  Sort by title", "l  List order", "S  Then by title, … (9)"]),
        ("sS", "┌─ sS ─", ["t  Then by title", "d  Then by date added"]),
        ("S", "┌─ S ──", ["t  Group by letter", "n  Ungroup"]),
        ("a", "┌─ a ──", ["a  Same author", "y  Same year"]),
        ("y", "┌─ y ──", ["t  Copy title", "j  Copy record"]),
        ("M", "┌─ M ──", ["a-z  no bookmarks yet"]),
        ("'", "┌─ ' ──", ["a-z  no bookmarks yet"]),
    ])
    func thePossibleKeysAreShownInAFrame(keys: String, frame: String, entries: [String]) throws {
        let terminal = try open()
        let before = try terminal.screen
        try terminal.type(keys)
        let screen = try terminal.wait(for: frame)
        for entry in entries { #expect(screen.shows(entry)) }
        #expect(screen.status.hasSuffix(keys))
        try terminal.press("Escape")
        try terminal.wait(for: "the screen as it was") { $0 == before }
    }

    @Test func theyAreShownAfter300Milliseconds() throws {
        let terminal = try open()
        let start = ContinuousClock.now
        try terminal.type("s")
        try terminal.wait(for: "┌─ s ──")
        #expect(ContinuousClock.now - start >= .milliseconds(300))
    }

    @Test func fastTypingDoesNotShowThem() throws {
        let terminal = try open()
        try terminal.type("st")
        let screen = try terminal.wait(for: "▸ title ↑")
        #expect(!screen.shows("┌"))
    }

    @Test func bookmarksAreShownByTheirLetter() throws {
        let terminal = try open()
        try terminal.type("2jMc")
        try terminal.wait(for: "Return with 'c")
        try terminal.type("'")
        #expect(try terminal.wait(for: "┌─ ' ──").shows("c  All books, row 3"))
        try terminal.type("x")
        try terminal.wait(for: "Bookmark x is not set. Set it with Mx")
    }

    // MARK: - The palette

    @Test func aCommandIsRunFromThePalette() throws {
        let terminal = try open()
        try terminal.type("j:favour")
        try terminal.wait(for: "▌Favourite ")
        try terminal.press("Enter")
        #expect(try terminal.wait(for: "★ Favourite: Emma").selection.hasPrefix("▌★ Emma"))
    }

    @Test func aCommandThatNeedsALetterWaitsForItAfterThePalette() throws {
        let terminal = try open()
        try terminal.type(":set a bookmark")
        try terminal.wait(for: "▌Set a bookmark")
        try terminal.press("Enter")
        try terminal.wait(for: "the palette gone, and letters asked for") {
            !$0.shows("─ Commands ─") && $0.shows("no bookmarks yet")
        }
        try terminal.type("q")
        try terminal.wait(for: "Return with 'q")
    }

    @Test func anUnknownCommandNameIsReported() throws {
        let terminal = try open()
        try terminal.type(":xyzzy")
        try terminal.wait(for: "No matching command.")
        try terminal.press("Enter")
        try terminal.press("Escape")
        try terminal.wait(for: "the list") { !$0.shows("─ Commands ─") && $0.position == "1/7" }
    }

    // MARK: - Help

    @Test func helpIsFiltered() throws {
        let terminal = try open()
        try terminal.type("?/clipboard")
        let found = try terminal.wait(for: "the four that copy") { screen in
            screen.title.hasPrefix(" Help / clipboard") && screen.body.count { !$0.isEmpty } == 5
        }
        #expect(found.shows("yt  Copy the title to the clipboard"))
        #expect(!found.shows("Go down one row"))
        try terminal.press("Enter")
        // The keys belong to help again: q closes it.
        try terminal.wait(for: "the line closed") {
            !$0.status.contains("/clipboard") && $0.title.contains("clipboard")
        }
        try terminal.press("Escape")
        try terminal.wait(for: "Go down one row")
        try terminal.type("q")
        try terminal.wait(forPosition: "1/7")
    }

    @Test func aWordWithoutMatchesIsReportedInHelp() throws {
        let terminal = try open()
        try terminal.type("?/xyzzy")
        try terminal.wait(for: "No matching command.")
    }
}
