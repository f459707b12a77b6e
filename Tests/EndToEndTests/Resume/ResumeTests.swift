import Foundation
import Glibc
import Testing

/// stacks resumes at the last position and keeps the user data.
@Suite("Resuming") struct Resuming {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
    }

    /// Makes the books of these rows favourites, opens the list and goes to the second.
    private func favouriteThree(_ terminal: Tmux) throws {
        try terminal.wait(forPosition: "1/11")
        try terminal.type("jt3jtjt")
        try terminal.wait(for: "★ Favourite: On The Road")
        try terminal.type("L")
        let lists = try terminal.wait(for: "Lists")
        #expect(lists.body.contains { $0.firstMatch(of: #/ All books +11 /#) != nil })
        #expect(lists.body.contains { $0.firstMatch(of: #/★ Favourites +3 /#) != nil })
        try terminal.type("j")
        try terminal.press("Enter")
        try terminal.wait(for: "Favourites (3)") { $0.hasTitle(" Favourites (3)") }
        try terminal.type("j")
        try terminal.wait(forPosition: "2/3")
    }

    @Test func favouritesAreResumedAtTheSameBook() throws {
        let terminal = try Tmux(in: sandbox, opening: Programs.bundledCatalog)
        try favouriteThree(terminal)
        let before = try terminal.screen
        #expect(
            before.body[1...3].map { $0.prefix(25) }
                == [
                    " ★ 2001: A Space Odyssey  ", "▌★ The Stand             ", " ★ On The Road           ",
                ].map { $0.prefix(25) })
        try terminal.type("q")
        #expect(try terminal.waitForEnd() == .exit(0))
        #expect(try !terminal.isAlternateScreenShown)
        try terminal.open(Programs.bundledCatalog)
        try terminal.wait(for: "what it showed before, at 2/3") { $0 == before }
    }

    @Test func theScrollPositionOfFavouritesIsResumed() throws {
        let catalog = try sandbox.writeCatalog(books: 300)
        let terminal = try Tmux(in: sandbox, columns: 80, rows: 24, opening: catalog)
        try terminal.wait(forPosition: "1/300")
        try terminal.type(String(repeating: "t4j", count: 60))
        try terminal.wait(forPosition: "241/300")
        try terminal.type("Lj")
        try terminal.press("Enter")
        try terminal.wait(for: "Favourites (60)") { $0.hasTitle(" Favourites (60)") }
        try terminal.type("40G12k")
        // Row 40 scrolled in at the bottom, so 21 is at the top, and 28 in between.
        let before = try terminal.wait(forPosition: "28/60")
        #expect(before.body[1].hasPrefix(" ★ Book 081"))
        #expect(before.body[8].hasPrefix("▌★ Book 109"))
        try terminal.type("q")
        #expect(try terminal.waitForEnd() == .exit(0))
        try terminal.open(catalog)
        try terminal.wait(for: "what it showed before, at 28/60") { $0 == before }
    }

    @Test func favouritesSurviveAKill() throws {
        let terminal = try Tmux(in: sandbox, opening: Programs.bundledCatalog)
        try favouriteThree(terminal)
        kill(try terminal.processID, SIGKILL)
        #expect(try terminal.waitForEnd() == .signal(SIGKILL))
        try terminal.open(Programs.bundledCatalog)
        let screen = try terminal.wait(for: "Favourites (3)") { $0.hasTitle(" Favourites (3)") }
        for title in ["2001: A Space Odyssey", "The Stand", "On The Road"] { #expect(screen.shows("★ " + title)) }
    }

    @Test func theListsScreenIsResumed() throws {
        let terminal = try Tmux(in: sandbox, opening: Programs.bundledCatalog)
        try terminal.wait(forPosition: "1/11")
        try terminal.type("L")
        try terminal.wait(for: "Lists")
        try terminal.type("j")
        let before = try terminal.wait(forPosition: "2/8")
        // The position is saved in a pause of a second, before the program is killed.
        usleep(1_500_000)
        kill(try terminal.processID, SIGKILL)
        #expect(try terminal.waitForEnd() == .signal(SIGKILL))
        #expect(try sandbox.place(in: Programs.bundledCatalog)["lastViewedListIndex"] as? Int == -1)
        try terminal.open(Programs.bundledCatalog)
        try terminal.wait(for: "what it showed before, at 2/2") { $0 == before }
    }

    @Test func theOpenListIsStoredByItsIndex() throws {
        let terminal = try Tmux(in: sandbox, opening: Programs.bundledCatalog)
        try terminal.wait(forPosition: "1/11")
        for (keys, title, index) in [("L", "Lists", -1), ("jl", "Favourites (0)", 1), ("Lkl", "All books (11)", 0)] {
            try terminal.type(keys)
            try terminal.wait(for: title) { $0.hasTitle(" " + title) }
            // Saved when the list is opened, not only on quitting.
            _ = try eventually(or: "\(title) is not stored: \(sandbox.text(of: sandbox.preferencesPath))") {
                try sandbox.place(in: Programs.bundledCatalog)["lastViewedListIndex"] as? Int == index ? true : nil
            }
        }
    }

    @Test func theBookDecidesIfTheCatalogHasChanged() throws {
        let catalog = try sandbox.writeCatalog(books: 100)
        let terminal = try Tmux(in: sandbox, opening: catalog)
        try terminal.wait(forPosition: "1/100")
        try terminal.type("50G")
        try terminal.wait(forPosition: "50/100")
        try terminal.type("q")
        #expect(try terminal.waitForEnd() == .exit(0))
        let records = sandbox.text(of: catalog).dropFirst(2)
        try sandbox.write(#"[{"title": "New", "authors": ["Somebody"]},"# + "\n" + records, to: catalog)
        try terminal.open(catalog)
        #expect(try terminal.wait(forPosition: "51/101").selection.contains("Book 050"))
    }

    @Test func withoutResumingTheFirstBookIsCurrent() throws {
        let terminal = try Tmux(in: sandbox, opening: Programs.bundledCatalog)
        try terminal.wait(forPosition: "1/11")
        try terminal.type("3jq")
        #expect(try terminal.waitForEnd() == .exit(0))
        try terminal.run([Programs.stacks, "--no-resume", Programs.bundledCatalog])
        #expect(try terminal.wait(forPosition: "1/11").selection.contains("Fight Club"))
    }

    @Test func preferencesOfANewerVersionAreUnchanged() throws {
        let newer = #"{"version": 99, "catalogs": 17, "theme":   "sepia"}"#
        try sandbox.write(newer, to: sandbox.preferencesPath)
        let terminal = try Tmux(in: sandbox, columns: 200, opening: Programs.bundledCatalog)
        try terminal.wait(
            for: "Positions are not saved: a newer stacks wrote \(sandbox.preferencesPath)")
        try terminal.type("jtLl")
        try terminal.wait(forPosition: "2/11")
        try terminal.type("q")
        #expect(try terminal.waitForEnd() == .exit(0))
        #expect(sandbox.text(of: sandbox.preferencesPath) == newer)
        #expect(sandbox.text(of: sandbox.historyPath).contains("2001: A Space Odyssey"))
    }

    @Test(arguments: ["", "not JSON", #"{"version": 1, "catalogs": {"#, #"{"version": 1, "catalogs": 5}"#, "[]"])
    func unreadablePreferencesAreMovedAside(content: String) throws {
        try sandbox.write(content, to: sandbox.preferencesPath)
        let terminal = try Tmux(in: sandbox, columns: 200, opening: Programs.bundledCatalog)
        try terminal.wait(for: "Positions are lost: \(sandbox.preferencesPath)")
        try terminal.type("2jq")
        #expect(try terminal.waitForEnd() == .exit(0))
        #expect(sandbox.text(of: sandbox.preferencesPath + ".bad-1") == content)
        #expect(access(sandbox.preferencesPath + ".bad-1", F_OK) == 0)
        #expect(try sandbox.place(in: Programs.bundledCatalog)["row"] as? Int == 2)
    }

    @Test func withoutAHomeBrowsingWorksWithAWarning() throws {
        let none: [String: String?] = ["HOME": nil, "XDG_STATE_HOME": nil, "XDG_DATA_HOME": nil]
        let terminal = try Tmux(in: sandbox, opening: Programs.bundledCatalog, changing: none)
        #expect(try terminal.wait(forPosition: "1/11").status.contains("HOME is not set"))
        try terminal.type("jt")
        #expect(
            try terminal.wait(for: "★ Favourite: 2001: A Space Odyssey").status.contains("lost when you quit"))
        try terminal.type("q")
        #expect(try terminal.waitForEnd() == .exit(0))
    }

    @Test func anUnsavedPositionIsReportedAfterQuitting() throws {
        // Nobody can create a directory there.
        let terminal = try PseudoTerminal(
            columns: 200, running: [Programs.stacks, Programs.bundledCatalog],
            environment: sandbox.environment(changing: ["XDG_STATE_HOME": "/proc", "TERM": "xterm-256color"]))
        try terminal.wait(for: "1/11")
        terminal.type("q")
        #expect(try terminal.waitForEnd() == .exit(74))
        let left = try #require(terminal.output.lastRange(of: "\u{1B}[?1049l".utf8))
        let text = TerminalStream(Array(terminal.output[left...])).text
        #expect(text.hasPrefix("stacks: Your position is not saved: no such file or directory (/proc/stacks)."))
    }

    @Test func anUnsavedFavouriteIsKeptInMemoryAndReported() throws {
        let terminal = try Tmux(
            in: sandbox, columns: 200, opening: Programs.bundledCatalog, changing: ["XDG_DATA_HOME": "/proc"])
        try terminal.wait(forPosition: "1/11")
        try terminal.type("jt")
        let screen = try terminal.wait(for: "Not saved; the next change tries again: ")
        // The window also has room for the lists with their counts.
        #expect(screen.shows("│▌★ 2001: A Space Odyssey"))
        #expect(screen.rows.contains { $0.hasPrefix(" ★ Favourites") && $0.contains(" 1 │") })
        try terminal.type("q")
        #expect(try terminal.waitForEnd() == .exit(74))
    }

    @Test func anUnsavedFavouriteIsSavedOnQuittingIfPossible() throws {
        // A directory at the path of the journal.
        try FileManager.default.createDirectory(atPath: sandbox.historyPath, withIntermediateDirectories: true)
        let terminal = try Tmux(in: sandbox, columns: 200, opening: Programs.bundledCatalog)
        try terminal.wait(forPosition: "1/11")
        try terminal.type("jt")
        try terminal.wait(for: "Not saved; the next change tries again")
        try FileManager.default.removeItem(atPath: sandbox.historyPath)
        try terminal.type("q")
        #expect(try terminal.waitForEnd() == .exit(0))
        #expect(sandbox.text(of: sandbox.historyPath).contains("2001: A Space Odyssey"))
    }

    @Test func aPipeInPlaceOfTheJournalBlocksNothing() throws {
        let directory = (sandbox.historyPath as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        #expect(mkfifo(sandbox.historyPath, 0o600) == 0)
        let terminal = try Tmux(in: sandbox, columns: 200, opening: Programs.bundledCatalog)
        #expect(try terminal.wait(forPosition: "1/11").status.contains("it is not a regular file"))
    }

    @Test func theWaitForALockIsLimited() throws {
        let directory = (sandbox.historyPath as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let lock = open(sandbox.historyPath + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        #expect(flock(lock, LOCK_EX) == 0)
        let terminal = try Tmux(in: sandbox, columns: 200, opening: Programs.bundledCatalog)
        try terminal.wait(forPosition: "1/11")
        try terminal.type("jt")
        try terminal.wait(for: "another program holds it")
        close(lock)
        try terminal.type("q")
        #expect(try terminal.waitForEnd() == .exit(0))
        #expect(sandbox.text(of: sandbox.historyPath).contains("2001: A Space Odyssey"))
    }

    @Test func withANullHomeBrowsingWorksWithAWarning() throws {
        let null: [String: String?] = ["HOME": "/dev/null", "XDG_STATE_HOME": nil, "XDG_DATA_HOME": nil]
        let terminal = try Tmux(in: sandbox, columns: 200, opening: Programs.bundledCatalog, changing: null)
        try terminal.wait(for: "Changes will not be saved")
        try terminal.type("jt")
        #expect(try terminal.wait(forPosition: "2/11").shows("│▌★ 2001: A Space Odyssey"))
        try terminal.type("q")
        #expect(try terminal.waitForEnd() == .exit(0))
    }
}
