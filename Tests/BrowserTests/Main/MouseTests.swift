import TerminalTesting
import Testing

@testable import Browser
@testable import TerminalUI

/// The actions of the mouse.
@Suite("The mouse")
struct MouseTests {
    private let user = User(bookCount: 100)

    private func browse(
        _ steps: [ScriptedTerminal.Step], columns: Int = 100, rows: Int = 24
    ) throws -> ScriptedTerminal {
        try user.browse(steps: steps, columns: columns, rows: rows, resumes: false)
    }

    private func keys(_ names: String) -> [ScriptedTerminal.Step] { ScriptedTerminal.Step.keys(names) }

    @Test func aClickSelectsTheRow() throws {
        #expect(try browse([.click(row: 6, column: 10)]).status == "5/100")
        // The bar before the row and the margin after it belong to the row.
        #expect(try browse([.click(row: 6, column: 0)]).status == "5/100")
        #expect(try browse([.click(row: 6, column: 59)]).status == "5/100")
    }

    @Test func aClickGivesThePaneTheKeyboard() throws {
        let detail = try browse([.click(row: 4, column: 80)])
        #expect(detail.row(1).contains("│▌Book 1"))
        let list = try browse([.click(row: 4, column: 80), .click(row: 4, column: 5)])
        #expect(list.row(4).hasPrefix("▌Book 3"))
        #expect(list.cursor == Position(row: 4, column: 0))
    }

    @Test func aClickOnAnEmptyAreaDoesNothing() throws {
        let few = User(bookCount: 3)
        let before = try few.browse(resumes: false).text
        for (row, column) in [(0, 5), (10, 5), (22, 50), (23, 99), (50, 50), (-1, -1), (5, 60)] {
            #expect(try few.browse(steps: [.click(row: row, column: column)], resumes: false).text == before)
        }
    }

    @Test func aDoubleClickOpens() throws {
        let open = try browse([.click(row: 6, column: 10, time: 1000), .click(row: 6, column: 10, time: 1400)])
        #expect(open.row(1).contains("│▌Book 5"))
        let slow = try browse([.click(row: 6, column: 10, time: 1000), .click(row: 6, column: 10, time: 1401)])
        #expect(slow.row(6).hasPrefix("▌Book 5"))
        #expect(slow.cursor == Position(row: 6, column: 0))
        let two = try browse([.click(row: 6, column: 10, time: 1000), .click(row: 7, column: 10, time: 1100)])
        #expect(two.cursor == Position(row: 7, column: 0))
        // The third click starts a new double click.
        let three = try browse([1000, 1100, 1200].map { .click(row: 6, column: 10, time: $0) })
        #expect(three.cursor == Position(row: 6, column: 0))
    }

    @Test func aDoubleClickIsOfOneTable() throws {
        // A click on a list, then one on the book in the same row.
        let terminal = try browse(
            [.click(row: 2, column: 5, time: 1000), .click(row: 2, column: 40, time: 1100)], columns: 140)
        #expect(terminal.cursor.column == 32)
    }

    @Test func aClickOnAHeadingSortsAndTheNextReverses() throws {
        #expect(try browse([.click(row: 1, column: 5)]).title.contains("▸ title ↑"))
        #expect(try browse([.click(row: 1, column: 5), .click(row: 1, column: 5)]).title.contains("▸ title ↓"))
        #expect(try browse([.click(row: 1, column: 45)]).title.contains("▸ author ↑"))
        // The bar before the rows belongs to no column.
        #expect(try !browse([.click(row: 1, column: 0)]).title.contains("▸"))
    }

    @Test func aClickOnAHiddenHeadingDoesNothing() throws {
        let events: [Event] = ["|", "j", "j", "Space", "Esc"].compactMap { Key(name: $0).map(Event.key) }
        let press = Event.mouse(Mouse(.press, at: Position(row: 1, column: 45)))
        #expect(try browse([.events(events + [press])]).status.hasPrefix("1/100"))
    }

    @Test func theWheelScrollsThePaneUnderItAndTheKeyboardStays() throws {
        let list = try browse([.mouse(.wheel(1), row: 10, column: 10)])
        #expect(list.row(2).contains("Book 4"))
        #expect(list.status == "4/100")
        let far = try browse(keys("9 j") + [.mouse(.wheel(1), row: 10, column: 10)])
        #expect(far.row(2).contains("Book 4") && far.status == "10/100")
        let back = try browse([.mouse(.wheel(1), row: 9, column: 9), .mouse(.wheel(-2), row: 9, column: 9)])
        #expect(back.row(2).contains("Book 1"))
        let long = User(books: [.make(title: (1...400).map { "word\($0)" }.joined(separator: " "))])
        let detail = try long.browse(steps: [.mouse(.wheel(1), row: 10, column: 80)], resumes: false)
        #expect(try detail.detail[0] == long.browse("3 J", resumes: false).detail[0])
        #expect(detail.cursor == Position(row: 2, column: 0))
        let focused = try browse(keys("Tab") + [.mouse(.wheel(1), row: 10, column: 10)])
        #expect(focused.row(1).contains("│▌Book 4"))
    }

    @Test func aClickOnAHintGivesItsCommand() throws {
        // " Enter open   L lists   t favourite   / search   s sort" and, at the right end, "? help   q quit"
        #expect(try browse([.click(row: 23, column: 14)]).title.hasPrefix(" Lists"))
        #expect(try browse([.click(row: 23, column: 20)]).title.hasPrefix(" Lists"))
        #expect(try browse([.click(row: 23, column: 24)]).status.hasPrefix("1/100  ★ Favourite"))
        #expect(try browse([.click(row: 23, column: 85)]).title.hasPrefix(" Help"))
        let quit = ScriptedTerminal(size: Size(rows: 24, columns: 100), steps: [.click(row: 23, column: 94)])
        #expect(try user.browse(on: quit) == .quit)
        // The key s is a prefix: what may follow is shown, and a key follows.
        #expect(try browse([.click(row: 23, column: 50)]).text.contains("Sort by title"))
        let sorted = try browse([.click(row: 23, column: 50), .events([.key(.character("t"))])])
        #expect(sorted.status == "1/100  Sorted by title")
        // There is nothing between the hints.
        #expect(try browse([.click(row: 23, column: 12)]).status == "1/100")
    }

    @Test func aClickEndsTheKeysTypedSoFar() throws {
        #expect(try browse(keys("5") + [.click(row: 2, column: 5)] + keys("j")).status == "2/100")
    }

    @Test func aClickInTheListEndsTheSearchBar() throws {
        let terminal = try browse(keys("/ 1 0") + [.click(row: 3, column: 5)] + keys("t"))
        #expect(terminal.hasTitle(" All books (2)  ⟂ 10"))
        #expect(terminal.status.hasPrefix("2/2  ★ Favourite: Book 100"))
    }

    @Test func inAPopupAClickBelongsToThePopup() throws {
        let palette = try browse(keys(":") + [.click(row: 7, column: 40)])
        #expect(palette.popup("Commands")[4].hasPrefix("▌"))
        let outside = try browse(keys(":") + [.click(row: 7, column: 2), .click(row: 7, column: 95)])
        #expect(outside.popup("Commands")[2].hasPrefix("▌Search"))
        #expect(outside.status == "1/100")
        let columns = try browse(keys("|") + [.click(row: 8, column: 50)])
        #expect(columns.popup("Columns").contains { $0.hasPrefix("▌") && !$0.contains("Title") })
    }

    @Test func aDoubleClickInThePaletteGivesTheCommandWhateverItIs() throws {
        let clicks: [ScriptedTerminal.Step] = [
            .click(row: 5, column: 40, time: 1000), .click(row: 5, column: 40, time: 1100),
        ]
        let terminal = ScriptedTerminal(size: Size(rows: 24, columns: 100), steps: keys(": q u i t") + clicks)
        #expect(try user.browse(on: terminal) == .quit)
        let redraw = try browse(keys(": r e d r a w") + clicks)
        #expect(redraw.repaintCount == 1)
    }

    @Test func aDoubleClickInTheColumnsShowsOrHides() throws {
        let terminal = try browse(
            keys("|") + [.click(row: 5, column: 50, time: 1000), .click(row: 5, column: 50, time: 1100)])
        let selected = try #require(terminal.popup("Columns").first { $0.hasPrefix("▌") })
        #expect(selected.contains("[ ]"))
    }

    @Test func theWheelScrollsThePopupOrHelp() throws {
        #expect(try browse(keys("?") + [.mouse(.wheel(1), row: 9, column: 9)]).status.hasPrefix("4-24/"))
        let palette = try browse(keys(":") + [.mouse(.wheel(1), row: 9, column: 40)])
        #expect(!palette.popup("Commands")[2].contains("Down"))
        #expect(try browse(keys(":") + [.mouse(.wheel(1), row: 9, column: 5)]).status == "1/100")
    }

    @Test func dividersAreDragged() throws {
        func divider(_ steps: [ScriptedTerminal.Step], columns: Int) throws -> [Int] {
            try browse(steps, columns: columns).row(1).enumerated().filter { $0.element == "│" }.map(\.offset)
        }
        let drag: [ScriptedTerminal.Step] = [
            .mouse(.press, row: 5, column: 60), .mouse(.drag, row: 5, column: 50), .mouse(.drag, row: 6, column: 45),
        ]
        #expect(try divider(drag, columns: 100) == [45])
        #expect(
            try divider(drag + [.mouse(.release, row: 6, column: 45), .mouse(.drag, row: 6, column: 70)], columns: 100)
                == [45])
        // Saved on release.
        #expect(try divider([], columns: 100) == [45])
        // A drag that starts elsewhere does not move the divider.
        #expect(
            try divider([.mouse(.press, row: 5, column: 59), .mouse(.drag, row: 5, column: 20)], columns: 100) == [45])
        #expect(
            try divider([.mouse(.press, row: 5, column: 45), .mouse(.drag, row: 5, column: 0)], columns: 100) == [12])
        user.catalog = "/books/lists.json"
        #expect(
            try divider([.mouse(.press, row: 5, column: 31), .mouse(.drag, row: 5, column: 20)], columns: 140)[0] == 20)
    }

    @Test func aHiddenDividerIsNotDragged() throws {
        let terminal = try browse(
            [
                .mouse(.press, row: 5, column: 31), .resize(Size(rows: 24, columns: 100)),
                .mouse(.drag, row: 5, column: 80), .resize(Size(rows: 24, columns: 70)),
                .mouse(.drag, row: 5, column: 60), .mouse(.release, row: 5, column: 60),
                .resize(Size(rows: 24, columns: 140)),
            ], columns: 140)
        #expect(terminal.row(1).enumerated().filter { $0.element == "│" }.map(\.offset) == [31, 97])
    }

    @Test func aClickAmongTheListsShowsTheListAndEndsTheSearchBar() throws {
        let terminal = try browse(keys("t / 1") + [.click(row: 3, column: 5)], columns: 140)
        #expect(terminal.title.hasPrefix(" Lists"))
        #expect(terminal.row(2).contains("│▌★ Book 1"))
        let same = try browse(keys("/ 1") + [.click(row: 2, column: 5)] + keys("j"), columns: 140)
        #expect(same.title.hasPrefix(" Lists"))
        #expect(!same.status.hasPrefix("/"))
    }

    @Test func aDoubleClickOpensAList() throws {
        let terminal = try browse(
            keys("t L") + [.click(row: 3, column: 5, time: 10), .click(row: 3, column: 5, time: 20)])
        #expect(terminal.hasTitle(" Favourites (1)"))
    }
}
