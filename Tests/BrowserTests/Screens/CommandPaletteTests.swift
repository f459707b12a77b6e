import Books
import Editing
import Search
import TerminalTesting
import TestSupport
import Testing

@testable import Browser
@testable import Search
@testable import TerminalUI

/// Finding commands by name.
@Suite("Command palette")
struct CommandPaletteTests {
    private static func commands(_ text: String) -> [Command] {
        CommandPalette.commands(matching: text)
    }

    private let user = User(bookCount: 30)

    /// The rows within the palette's frame: the input line, the heading, and the commands.
    private func lines(_ keys: String, rows: Int = 24) throws -> [String] {
        try user.browse(keys, rows: rows, resumes: false).popup("Commands")
    }

    @Test("Without words, all commands but the palette are listed: likely ones first, those that move last")
    func likely() {
        let all = Self.commands("")
        #expect(Set(all) == Set(Command.allCases).subtracting([.palette]) && all.count == Set(all).count)
        #expect(all.prefix(4) == [.search, .jump, .favourite, .status(.read)])
        let moving = CommandInfo.all.filter { $0.group == .moving }.map(\.command)
        #expect(Array(all.suffix(moving.count)) == moving)
        let recent = CommandPalette.commands(matching: "", recent: [.move(.end), .cards])
        #expect(recent.prefix(3) == [.move(.end), .cards, .search])
    }

    @Test(
        "Commands are found by other words for what they do",
        arguments: [
            ("finish", [Command.status(.read), .statusOn(.read)]), ("star", [.favourite, .rate]), ("exit", [.quit]),
            ("filter", [.facets]), ("give up", [.status(.abandoned)]), ("revert", [.undo]), ("shortcuts", [.help]),
        ])
    func synonyms(text: String, expected: [Command]) {
        #expect(
            Self.commands(text).prefix(expected.count).sorted { "\($0)" < "\($1)" }
                == expected.sorted { "\($0)" < "\($1)" })
    }

    @Test("Lists are found by their names") func lists() throws {
        try user.browse("+ b e a c h Enter")
        let terminal = try user.browse(": b e a c Enter", resumes: false)
        #expect(terminal.title.hasPrefix(" beach"))
        #expect(try user.browse(": f a v o u r i t e s Enter", resumes: false).title.hasPrefix(" Favourites"))
        #expect(try lines(": f a v o u r i t e Enter") == [])
    }

    @Test("A theme is shown while it is the current row, and the one in use again after Esc") func preview() throws {
        func themes(_ keys: String) -> [Theme] {
            let terminal = ScriptedTerminal(columns: 100, rows: 24, keys: keys)
            _ = user.makeApp(resumes: false).run(on: terminal)
            return terminal.themes
        }
        // Typing on shows nothing, until one theme is left.
        #expect(themes(": t h e m e") == [] && themes(": t h e m e Esc") == [])
        #expect(themes(": t h e m e Space d") == [.dark])
        #expect(themes(": t h e m e Space d Esc") == [.dark, .terminal])
        #expect(themes(": t h e m e Down Down Up Esc j") == [.dark, .contrast, .dark, .terminal])
        #expect(themes(": t h e m e Down Backspace") == [.dark, .terminal])
        #expect(themes(": t h e m e Down Enter : t h e m e Down") == [.dark, .dark, .light])
    }

    @Test("A setting that is chosen holds until the end, and the message says how to keep it") func settings() throws {
        let user = User(bookCount: 30)
        let dark = ScriptedTerminal(columns: 160, rows: 24, keys: ": t h e m e Space d a r k Enter : t h e m e")
        _ = user.makeApp(resumes: false).run(on: dark)
        #expect(dark.themes.last == .dark)
        // The one in use is not offered.
        #expect(dark.popup("Commands").map { $0.prefix(14) }.filter { $0.contains("Theme") }.count == 3)
        #expect(!dark.popup("Commands").contains { $0.contains("Theme dark") })
        let mouse = ScriptedTerminal(columns: 100, rows: 24, keys: ": m o u s e Enter")
        _ = user.makeApp(resumes: false).run(on: mouse)
        #expect(
            !mouse.usesMouse
                && mouse.status.contains("Mouse off until stacks ends. For good, in config.toml: mouse = false"))
        // The lists pane goes and comes back.
        let toggle = ": l i s t s Space p a n e Enter"
        func row(_ keys: String) throws -> String {
            try user.browse(keys, columns: 160, rows: 24, resumes: false).row(1)
        }
        #expect(try row("j k").contains("List ") && !row(toggle).contains("List "))
        let back = try user.browse(toggle + " " + toggle, columns: 160, rows: 24, resumes: false)
        #expect(back.row(1).contains("List "))
        #expect(
            back.status.contains("Lists pane on until stacks ends. For good, in [panes] of config.toml: lists = 140"))
    }

    @Test func matchesAtTheStartOfATitleComeFirstThenOfAWordThenTheRest() {
        // The names of the select commands begin with it; the descriptions of others contain it.
        #expect(Self.commands("select").prefix(3) == [.selectRow, .selectRange, .selectAll])
        #expect(Self.commands("select").dropFirst(3).contains(.export))
        #expect(
            Self.commands("cop").prefix(4) == [.copy(.title), .copy(.authors), .copy(.isbn), .copy(.record)])
    }

    @Test func allWordsMustMatchInAnyOrderAndCase() {
        #expect(Self.commands("TITLE sort").first == .sort(.title))
        #expect(Self.commands("sort  title").first == .sort(.title))
        #expect(Self.commands("sort qqq") == [])
    }

    @Test func commandsAreFoundByTheirDescription() {
        #expect(Self.commands("xdg-open") == [.openLink])
    }

    @Test func theColonOpensItWithTheKeysOfEachCommand() throws {
        let lines = try lines(":")
        #expect(lines[0] == ":")
        #expect(lines[1].hasPrefix("Command") && lines[1].hasSuffix("Keys"))
        #expect(lines[2].hasPrefix("▌Search") && lines[2].hasSuffix("/"))
    }

    @Test(.thorough, arguments: Command.allCases.filter { $0 != .palette })
    func everyCommandIsFoundByItsTitleAndShownWithItsKeys(command: Command) throws {
        let title = command.info.title
        let keys = title.map { $0 == " " ? "Space" : String($0) }.joined(separator: " ")
        let terminal = try user.browse(": " + keys, source: user.edited(user.writeCatalog()), resumes: false)
        let line = try #require(terminal.popup("Commands").dropFirst(2).first { $0.hasPrefix("▌\(title)  ") })
        let labels = KeyLabels.of(command)
        #expect(labels.isEmpty || line.hasSuffix(" " + labels))
    }

    @Test func wordsFilterAndEnterRunsTheFirstCommand() throws {
        let terminal = try user.browse(": s o r t Space b y Space t Enter")
        #expect(terminal.title.contains("▸ title ↑"))
        #expect(terminal.status == "1/30  Sorted by title")
        #expect(terminal.popup("Commands") == [])
    }

    @Test func movementGoesThroughTheCommands() throws {
        #expect(try lines(": Down Down")[4].hasPrefix("▌Favourite"))
        #expect(try lines(": Down Down Up")[3].hasPrefix("▌Jump"))
        #expect(try !lines(": PgDn")[2].hasPrefix("Search"))
        #expect(try lines(": PgDn PgUp PgUp")[2].hasPrefix("▌Search"))
        // "End" is the second match: no command begins with "Enter".
        let terminal = try user.browse(": e n d Enter")
        #expect(terminal.status == "30/30")
    }

    @Test func lettersAreTextNotCommands() throws {
        let terminal = try user.browse(": q t j")
        #expect(terminal.popup("Commands")[0] == ":qtj")
        #expect(terminal.text.contains("No matching command."))
        #expect(try user.browse(": q t j Enter Esc").selection == "Book 1")
    }

    @Test func enterWithoutAMatchKeepsThePaletteOpen() throws {
        #expect(try lines(": q q q Enter")[0] == ":qqq")
    }

    @Test func escapeClosesItWithoutAChange() throws {
        let before = try user.browse("j j", resumes: false).text
        #expect(try user.browse("j j : s o Esc", resumes: false).text == before)
    }

    @Test func itStartsEmptyEachTime() throws {
        #expect(try lines(": s o Esc :")[0] == ":")
    }

    @Test func pastedTextIsText() throws {
        let terminal = try user.browse(steps: [.events([.key(.character(":"))]), .events([.paste("Quit\n")])])
        #expect(terminal.popup("Commands")[0] == ":Quit")
        #expect(terminal.popup("Commands")[2].hasPrefix("▌Quit"))
    }

    @Test func quitFromItQuits() throws {
        let terminal = ScriptedTerminal(columns: 100, rows: 24, keys: ": q u i t Enter j")
        #expect(try user.browse(on: terminal) == .quit)
    }

    @Test func helpFromItIsHelp() throws {
        #expect(try user.browse(": h e l p Enter").title.hasPrefix(" Help"))
        // From the help screen, the command closes help, like its key.
        #expect(try user.browse("? : h e l p Enter").title.hasPrefix(" All books"))
    }

    @Test func aCommandThatNeedsALetterAsksForIt() throws {
        let asking = try user.browse(": s e t Space a Space m Enter")
        #expect(asking.popup("a to z") == ["a-z  no bookmarks yet"])
        let terminal = try user.browse("4 j : s e t Space a Space m Enter k g g ' k", resumes: false)
        #expect(terminal.status == "5/30")
    }

    @Test func terminalCommandsWorkInIt() throws {
        let terminal = try user.browse(": s ^z ^l")
        #expect(terminal.suspensionCount == 1)
        #expect(terminal.repaintCount == 1)
        #expect(terminal.popup("Commands")[0] == ":s")
    }

    @Test func anInterruptClosesItAndTheNextQuits() throws {
        let once = try user.browse(": s ^c")
        #expect(once.popup("Commands") == [])
        #expect(once.status == "1/30  Press ^c again to quit")
        let twice = ScriptedTerminal(columns: 100, rows: 24, keys: ": s ^c ^c")
        #expect(try user.browse(on: twice) == .quit)
    }

    @Test func theCursorIsInTheInputLine() throws {
        // A frame around 84 columns in the middle of a hundred; the cursor is after the prompt and two letters.
        #expect(try user.browse(": s o").cursor == Position(row: 3, column: 11))
    }
}

extension CommandPaletteTests {
    @Test func recentCommandsComeFirst() throws {
        let app = ": s o r t Space b y Space y e a r Enter : f a v o u r Enter :"
        let rows = try user.browse(app, columns: 100, resumes: false).popup("Commands")
        #expect(rows[2].hasPrefix("▌Favourite") && rows[3].hasPrefix("Sort by year"))
        let found = CommandPalette.commands(matching: "sort by", recent: [.sort(.pages)])
        #expect(found.first == .sort(.pages))
    }

    @Test func descriptionsAreShown() throws {
        let rows = try user.browse(": f a v o u r", columns: 100, resumes: false).popup("Commands")
        #expect(rows[2].contains("Add to or remove from favourites."))
    }
}
