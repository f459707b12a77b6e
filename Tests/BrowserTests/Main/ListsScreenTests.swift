import CatalogTesting
import TerminalTesting
import TerminalUI
import Testing

@testable import Books
@testable import Browser

/// The screen of all lists, with a preview of the current one.
@Suite("Lists screen") struct ListsScreenTests {
    private let user = User(bookCount: 30)

    private func browse(_ keys: String, columns: Int = 120, rows: Int = 30) throws -> ScriptedTerminal {
        try user.browse(keys, columns: columns, rows: rows, resumes: false)
    }

    /// The rows of the lists, without those of the preview.
    private func lists(_ terminal: ScriptedTerminal) -> [String] {
        terminal.text.split(separator: "\n").dropFirst().prefix { $0.contains("│") }.map { row in
            String(row.prefix { $0 != "│" }).replacing(#/ +$/#, with: "")
        }.filter { !$0.isEmpty }
    }

    /// The rows of the preview.
    private func preview(_ terminal: ScriptedTerminal) -> [String] {
        var rows = terminal.detail
        while rows.last == "" { rows.removeLast() }
        return rows
    }

    @Test func theListsAreInGroupsWithSignsAndCounts() throws {
        try user.browse("t b b e a c h Enter / 1 7 Enter W Enter")
        let isCounted: (Canvas) -> Bool = { $0.text.firstMatch(of: #/17 +17 +1 /#) != nil }
        let terminal = try user.browse(
            steps: ScriptedTerminal.Step.keys("L g g") + [.wakeUps(until: isCounted)], columns: 120, rows: 30,
            resumes: false)
        let rows = lists(terminal).map { $0.replacing(#/ {2,}/#, with: "  ") }
        #expect(
            rows == [
                "  YOUR READING  Books", "▌  All books  30", " ★ Favourites  1", " ○ To read  0", " ◐ Reading  0",
                " ● Read  0", " ✕ Abandoned  0", "  Up next  0", " SHELVES  + new", " ▪ beach  1",
                " SAVED SEARCHES  W saves one",
                " ⌕ 17  17  1",
            ])
    }

    @Test func theCurrentListIsPreviewed() throws {
        try user.browse("t j t")
        let rows = preview(try browse("L g g j")).map { $0.replacing(#/ {2,}/#, with: "  ") }
        #expect(rows.prefix(3) == ["Favourites · 2 books", "★ Book 1  An Author", "★ Book 2  An Author"])
        #expect(preview(try browse("L g g")).first == "All books · 30 books")
    }

    @Test func theOpenListKeepsItsSearch() throws {
        let searched = "/ " + typed("book 2") + " Enter j "
        for keys in ["L Enter", "h l", "L Esc"] {
            let terminal = try browse(searched + keys)
            #expect(terminal.title.hasPrefix(" All books  ⟂ book 2 "), "\(keys): \(terminal.title)")
            #expect(terminal.status.hasPrefix("2/"), "\(keys)")
        }
        // The slash searches the books.
        let terminal = try browse("L / " + typed("book 7") + " Enter")
        #expect(terminal.title.hasPrefix(" All books  ⟂ book 7 "))
        #expect(terminal.selection.hasSuffix("Book 7"))
    }

    @Test func booksOfAStatusAreSortedByDate() throws {
        try user.browse("m t j j m t j m r")
        let rows = preview(try browse("L g g j j"))
        #expect(rows[0] == "To read · 2 books, oldest first")
        #expect(rows[1].hasPrefix("○ Book 1 ") && rows[2].hasPrefix("○ Book 3 "))
        #expect(rows[1].firstMatch(of: #/since today$/#) != nil)
        #expect(preview(try browse("L g g j j j"))[1].hasPrefix("◐ Book 4 "))
    }

    @Test func anEmptyListSaysHowItIsFilled() throws {
        let rows = preview(try browse("L g g j"))
        #expect(rows[0] == "Favourites · no books")
        #expect(rows[1] == "No favourites yet. Press t on a book to add it")
    }

    @Test func thePreviewNamesWhatCanBeDone() throws {
        #expect(preview(try browse("L g g")).contains("Enter open   x export"))
        #expect(preview(try browse("L g g j")).contains("Enter open"))
        _ = try browse("b b e a c h Enter")
        #expect(preview(try browse("L G")).contains("Enter open   = rename   D delete   x export"))
    }

    @Test func thePreviewEndsWithTheCatalog() throws {
        #expect(preview(try browse("L")).last == "File: /books/test.json")
        #expect(preview(try browse("L", rows: 13)).first == "All books · 30 books")
    }

    @Test func booksOfOtherCatalogsAreNamedLast() throws {
        try user.browse("t")
        user.books.removeFirst()
        try user.browse("t")
        let rows = preview(try browse("L g g j"))
        #expect(rows[0] == "Favourites · 1 +1 books")
        #expect(rows[1].hasPrefix("★ Book 2 ") && rows[2].hasPrefix("★ Book 1 "))
    }

    @Test func narrowAndLowWindowsHaveOnlyTheLists() throws {
        for (columns, rows) in [(79, 30), (120, 11), (50, 15)] {
            let terminal = try browse("L", columns: columns, rows: rows)
            #expect(!terminal.text.contains("│") && terminal.text.contains("YOUR READING"), "\(columns)")
        }
        #expect(try browse("L", columns: 80).text.contains("│ All books · 30 books"))
    }

    @Test func thePreviewFollowsChanges() throws {
        #expect(preview(try browse("t L g g j")).first == "Favourites · 1 book")
        #expect(preview(try browse("L g g j u")).first == "Favourites · no books")
    }

    @Test func aClickOnAListShowsItsPreview() throws {
        let terminal = try user.browse(
            steps: ScriptedTerminal.Step.keys("t L g g") + [.click(row: 3, column: 8)], columns: 120, rows: 30,
            resumes: false)
        #expect(terminal.row(3).hasPrefix("▌★ Favourites"))
        #expect(preview(terminal).first == "Favourites · 1 book")
        // A click on the preview does nothing.
        let other = try user.browse(
            steps: ScriptedTerminal.Step.keys("L g g") + [.click(row: 3, column: 80)], columns: 120, rows: 30,
            resumes: false)
        #expect(other.row(2).hasPrefix("▌  All books"))
    }

    @Test func theListsPaneHasNeitherGroupsNorAPreview() throws {
        try user.browse("b b e a c h Enter")
        let terminal = try browse("L", columns: 140)
        #expect(terminal.row(1).contains("List") && !terminal.text.contains("SHELVES"))
        #expect(terminal.text.contains(" ▪ beach"))
    }

    @Test func inLineModeTheSignIsNotSpoken() throws {
        try user.browse("b b e a c h Enter")
        #expect(try user.narrate("L G", resumes: false).answers[1] == ["Lists", "All books, 30, 1 of 8"])
        #expect(try user.narrate("L G", resumes: false).answers[2] == ["beach, 1, 8 of 8"])
    }
}
