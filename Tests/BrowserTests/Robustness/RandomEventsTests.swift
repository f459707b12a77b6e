import TerminalTesting
import TestSupport
import Testing

@testable import Books
@testable import Browser
@testable import Graphemes
@testable import Indexing
@testable import TerminalUI

/// The browser survives any sequence of terminal events and draws complete screens.
@Suite("Random events")
struct RandomEventsTests {
    private static let keys: [Key] =
        "jkgGzhlLJK<>|vVt*mbBrUuWe=+DyaoI/nNFHM'sSdrpeuq?:,-[]0123459 bc".map(Key.character)
        + [
            .enter, .escape, .tab, .up, .down, .left, .right, .home, .end, .pageUp, .pageDown, .backspace, .delete,
            .unknown, .control("d"), .control("u"), .control("f"), .control("b"), .control("o"), .control("l"),
            .control("c"), .control("z"),
        ]

    private func event(_ dice: inout SplitMix, in size: Size, at time: Int) -> Event {
        switch Int.random(in: 0..<20, using: &dice) {
        case 0..<6:
            let actions: [Mouse.Action] = [.press, .press, .press, .drag, .release, .wheel(1), .wheel(-1)]
            let position = Position(
                row: Int.random(in: -1...size.rows + 1, using: &dice),
                column: Int.random(in: -1...size.columns + 1, using: &dice))
            return .mouse(Mouse(actions.randomElement(using: &dice) ?? .press, at: position, time: time))
        case 6: return .paste(["b", "Quit", "1\n2", "\u{1B}[2J", ""].randomElement(using: &dice) ?? "")
        case 7: return [.wakeUp, .timeOut, .resize].randomElement(using: &dice) ?? .wakeUp
        default: return .key(Self.keys.randomElement(using: &dice) ?? .enter)
        }
    }

    private var books: [Book] {
        (0..<60).map { number in
            var book = Book.make(
                title: number % 7 == 0 ? "書名\(number)" : "Book \(number)", authors: ["Author \(number % 5)"],
                pageCount: number * 10 + 1)
            book.published = PartialDate(year: 1950 + number)
            book.series = number % 3 == 0 ? "Series" : nil
            book.subjects = ["Subject \(number % 4)"]
            book.description = "See https://a.example/\(number) " + String(repeating: "word ", count: number * 5)
            return book
        }
    }

    @Test(.thorough, arguments: 1...6 as ClosedRange<UInt64>)
    func theBrowserSurvivesAndDrawsCompleteScreens(seed: UInt64) throws {
        let user = User(books: seed % 4 == 0 ? [] : books)
        if seed % 3 == 0 { user.settings.listsPaneWidth = 80 }
        if seed % 5 == 0 { user.settings.columns = ListColumns(ListColumn.ofEveryBook) }
        let app = user.makeApp()
        var dice = SplitMix(seed: seed)
        var size = Size(rows: 24, columns: 150)
        for time in 0..<2000 {
            if Int.random(in: 0..<40, using: &dice) == 0 {
                size = Size(
                    rows: Int.random(in: 0...40, using: &dice), columns: Int.random(in: 0...200, using: &dice))
            }
            // Some events arrive together, before the screen is drawn.
            for _ in 0...(Int.random(in: 0..<6, using: &dice) == 0 ? 3 : 0) {
                // An event that quits the browser does not end the test.
                _ = app.handle(event(&dice, in: size, at: time * 90))
            }
            app.update()
            let (canvas, cursor) = app.draw(size: size)
            #expect(canvas.size == size)
            #expect(canvas.isWhole, "\(seed) \(time)")
            #expect(size.rows == 0 || (0..<size.rows).contains(cursor.row), "\(seed) \(time) \(cursor) \(size)")
            #expect(
                size.columns == 0 || (0..<size.columns).contains(cursor.column), "\(seed) \(time) \(cursor) \(size)")
            let model = app.session.books
            let table = model.table
            #expect(table.rowCount == model.rows.list.count)
            #expect((table.currentRow == nil) == (table.rowCount == 0))
            if let row = table.currentRow { #expect(row < table.rowCount && table.topRow <= row) }
            #expect(model.selectedCount <= user.books.count)
        }
        // Only links were passed to other programs.
        #expect(user.openedLinks.allSatisfy { $0.hasPrefix("https://a.example/") })
    }

    /// Facets without values, and unfinished ones, are a table without sections.
    @Test func emptyFacetsAreATableWithoutSections() throws {
        let app = User(books: []).makeApp(resumes: false)
        for keys in [
            "F", "z z", "j", "G", "g g", "] [", "5 ]", "Enter", "F", "-", "F", "PgDn", "J", "l", "Space", "v V", "t",
        ] {
            for case .events(let events) in ScriptedTerminal.Step.keys(keys) {
                events.forEach { _ = app.handle($0) }
            }
            #expect(app.draw(size: Size(rows: 24, columns: 100)).canvas.isWhole, "\(keys)")
        }
    }
}
