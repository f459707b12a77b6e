import Editing
import TerminalTesting
import Testing

@testable import Browser
@testable import TerminalUI

/// The list of all commands with their keys, and its filter.
@Suite("Help")
struct HelpScreenTests {
    private let user = User(bookCount: 3)

    private func paragraphs(_ text: String) -> [TextView.Paragraph] {
        HelpScreen.paragraphs(of: .standard, matching: text)
    }

    @Test func commandsAreGroupedInOrder() {
        let headings = paragraphs("").filter { $0.label.isEmpty && !$0.text.isEmpty }.map(\.text)
        #expect(
            headings == [
                "Moving", "Panes and columns", "Books", "Your data", "Editing", "Finding", "Sort and group",
                "Program", "In the lists", "In the facets", "In the statistics", "In the columns", "In the conflicts",
                "In the reading log", "In the duplicates", "In the values", "In a lookup",
            ])
    }

    @Test(
        "The commands of the screen that the help was opened from come first, each once",
        arguments: [
            ("L", "In the lists", "Rename the shelf"), ("F", "In the facets", "Tick or untick"),
            ("|", "In the columns", "Make the column wider"), ("U", "In the history", "Undo the last change"),
            ("%", "In the statistics", "Go down one row"),
        ])
    func context(key: String, heading: String, help: String) throws {
        let lines = try user.browse("t \(key) ?", columns: 100, rows: 40, resumes: false).text.split(separator: "\n")
        #expect(lines[1].hasPrefix(" \(heading)"))
        #expect(lines.dropFirst(2).contains { $0.contains(help) })
        for origin in CommandContext.allCases {
            let labels = HelpScreen.paragraphs(of: .standard, from: origin).filter { !$0.label.isEmpty }
            #expect(labels.count == Command.allCases.count)
        }
    }

    @Test func everyCommandIsShownWithAllItsKeys() throws {
        let source = user.edited(try user.writeCatalog())
        let help = try user.browse("?", columns: 200, rows: 200, source: source).text.split(separator: "\n")
        for command in Command.allCases {
            let keys = KeyLabels.of(command)
            let label = keys.isEmpty ? "no key" : keys
            // The help has two columns: the end of a long sentence may be on the next line.
            let start = command.info.help.prefix(60)
            #expect(help.contains { $0.contains(" \(label)  ") && $0.contains(start) }, "\(command.info.help)")
        }
    }

    @Test func groupsWithoutAMatchAreHidden() {
        #expect(
            paragraphs("clipboard").map(\.label) == ["", "yt", "ya", "yi", "yj"])
        #expect(paragraphs("clipboard")[0].text == "Books")
    }

    @Test func allWordsMustMatch() {
        #expect(paragraphs("copy json").map(\.label) == ["", "yj"])
        #expect(paragraphs("copy qqq").map(\.text) == ["No matching command."])
    }

    @Test func aCommandIsFoundByItsKeyInAnyCase() {
        #expect(paragraphs("^z").map(\.label) == ["", "^z"])
        #expect(paragraphs("pgdn").map(\.label) == ["", "^f PgDn"])
        #expect(paragraphs("sSt").contains { $0.label == "sSt" })
    }

    @Test func typingFiltersAtOnce() throws {
        let terminal = try user.browse("? / j s o n")
        #expect(terminal.title == " Help / json" + String(repeating: " ", count: 68) + "test.json · 3 books")
        #expect(terminal.status.hasPrefix("/json"))
        #expect(terminal.row(1) == " Books")
        #expect(terminal.row(2) == " yj  Copy the record to the clipboard as JSON.")
        #expect(terminal.row(3).hasPrefix(" x   Export the selected or listed books"))
    }

    @Test func enterKeepsTheFilterAndKeysAreCommandsAgain() throws {
        let terminal = try user.browse("? / j s o n Enter")
        #expect(terminal.title.hasPrefix(" Help / json"))
        #expect(terminal.status == "")
        #expect(try user.browse("? / j s o n Enter q").title.hasPrefix(" All books"))
    }

    @Test func escapeClearsTheFilterAndThenCloses() throws {
        let all = try user.browse("?").text
        #expect(try user.browse("? / j s o n Esc").text == all)
        #expect(try user.browse("? / j s o n Enter Esc").text == all)
        #expect(try user.browse("? / j s o n Esc Esc").title.hasPrefix(" All books"))
        #expect(try user.browse("? / j s o n Enter Esc Esc").title.hasPrefix(" All books"))
    }

    @Test func theFilterCanBeChanged() throws {
        #expect(try user.browse("? / j s o n Enter / Backspace").title.hasPrefix(" Help / jso "))
    }

    @Test func helpStartsWithoutAFilter() throws {
        #expect(try user.browse("? / j s o n Enter q ?").title.hasPrefix(" Help  "))
    }

    @Test func pastedTextFilters() throws {
        let terminal = try user.browse(
            steps: ScriptedTerminal.Step.keys("? /") + [.events([.paste("json\n")])])
        #expect(terminal.title.hasPrefix(" Help / json"))
    }

    @Test func movementScrollsWhileTyping() throws {
        #expect(try user.browse("? / Down Down", rows: 13).row(1) != user.browse("? /", rows: 13).row(1))
        #expect(try user.browse("? / PgDn PgUp", rows: 13).row(1) == " Moving")
    }

    @Test func anInterruptEndsTheLineAndSaysHowToQuit() throws {
        let terminal = try user.browse("? / j s o n ^c")
        #expect(terminal.status.hasSuffix("Press ^c again to quit"))
        let twice = ScriptedTerminal(columns: 100, rows: 24, keys: "? / j ^c ^c")
        #expect(try user.browse(on: twice) == .quit)
    }
}

extension HelpScreenTests {
    @Test func aWideWindowHasTwoColumnsWithBrightKeysAndAlignedDescriptions() throws {
        let wide = try user.browse("?", columns: 120, rows: 40)
        #expect(wide.row(1).hasPrefix(" Moving") && wide.row(1).contains("   Finding"))
        let down = try #require((1..<38).map(wide.row).first { $0.hasPrefix(" j ↓") })
        let pane = try #require((1..<38).map(wide.row).first { $0.hasPrefix(" Tab ") })
        #expect(down.prefix(13).last == "G" && pane.prefix(13).last == "G")
        let end = try user.browse("? G", columns: 120, rows: 40)
        // Both columns end on the last lines.
        let last = (1..<38).map(end.row)
        #expect(
            last.contains { $0.contains("Create a shelf.") }
                && last.contains { $0.contains("Remove the reading from the log.") })
        let narrow = try user.browse("?", columns: 100, rows: 40)
        #expect(!narrow.row(1).contains("Finding"))
    }
}
