import Catalog
import CatalogTesting
import Foundation
import Search
import Shelves
import Testing

@testable import Books
@testable import Browser
@testable import Graphemes
@testable import Library
@testable import TerminalUI

/// A reader who has only a mouse, and clicks what a window of 120 columns shows.
@Suite("A mouse alone") final class MouseOnlyTests {
    private let user = User(books: [
        MouseOnlyTests.book(
            "The Colour of Magic", ["Terry Pratchett", "Second Author"], series: "Discworld",
            ["Magic", "Wizards -- Fiction"]),
        MouseOnlyTests.book("Mort", ["Terry Pratchett"], series: "Discworld", ["Death"]),
        MouseOnlyTests.book("Good Omens", ["Neil Gaiman", "Terry Pratchett"], ["Magic"]),
        MouseOnlyTests.book("Emma", ["Jane Austen"]),
    ])

    private static func book(_ title: String, _ authors: [String], series: String? = nil, _ subjects: [String] = [])
        -> Book
    {
        var book = Book.make(title: title, authors: authors)
        (book.series, book.subjects) = (series, subjects)
        return book
    }

    private lazy var app = user.makeApp(resumes: false)
    private let size = Size(rows: 36, columns: 120)
    private var time = 0

    private var screen: Canvas {
        app.update()
        return app.draw(size: size).canvas
    }

    private func place(of text: String, row isIn: Range<Int>? = nil, after column: Int = 0) throws -> Position {
        let screen = screen
        for row in isIn ?? 0..<size.rows {
            let line = Array(screen.text(ofRow: row))
            let found = (column..<max(column, line.count)).first { line[$0...].starts(with: text) }
            if let found { return Position(row: row, column: found) }
        }
        Issue.record("\(text) is not on the screen:\n\(screen.text)")
        throw CancellationError()
    }

    /// Clicks on a text, some columns after its start.
    @discardableResult
    private func click(_ text: String, plus offset: Int = 0, row: Range<Int>? = nil, after column: Int = 0) throws
        -> Effect
    {
        var position = try place(of: text, row: row, after: column)
        position.column += offset
        return click(position)
    }

    private func click(_ position: Position) -> Effect {
        time += 1000
        return press(position)
    }

    private func press(_ position: Position) -> Effect {
        let effect = app.handle(.mouse(Mouse(.press, at: position, time: time)))
        _ = app.handle(.mouse(Mouse(.release, at: position, time: time)))
        return effect
    }

    private var hints: Range<Int> { size.rows - 1..<size.rows }
    private var current: String {
        app.session.books.currentBook.flatMap { app.session.library.store.book($0).value?.title } ?? ""
    }
    private var userData: UserBookData? { app.session.books.currentBook.flatMap(app.session.library.userData(of:)) }

    @Test("Marks and rates, and takes it back") func marking() throws {
        try click("t★", row: hints)
        #expect(userData?.isFavourite == true)
        try click("m◐", row: hints)
        try click("r  Reading")
        #expect(userData?.status == .reading && current == "The Colour of Magic")
        try click("r☆", row: hints)
        try click("4  ★★★★☆")
        #expect(userData?.rating != nil && current == "The Colour of Magic")
        try click("u undo", row: hints)
        #expect(userData?.rating == nil && userData?.status == .reading)
    }

    @Test("A click on the box of keys never reaches what is behind it") func box() throws {
        try click("m◐", row: hints)
        let corner = try place(of: "┌─ m")
        _ = click(Position(row: corner.row, column: corner.column))
        #expect(app.isWhichKeyShown && current == "The Colour of Magic")
        // A click elsewhere closes it.
        try click("Emma")
        #expect(!app.isWhichKeyShown && current == "Emma" && userData == nil)
    }

    @Test("Sorts, groups and goes to lists") func ordering() throws {
        try click("s sort", row: hints)
        try click("t  Sort by title")
        #expect(current == "The Colour of Magic" && app.session.books.request.order.criteria.first?.key == .title)
        try click("S group", row: hints)
        try click("a  Group by author")
        #expect(app.session.books.request.grouping != nil)
    }

    @Test("Ticks a facet, keeps the filter, and closes it") func facets() throws {
        try click(" F ", plus: 1, row: hints)
        try click("[ ] Jane Austen")
        _ = try place(of: "[x] Jane Austen")
        try click("Space tick", row: hints)
        try click("[ ] Jane Austen")
        try click("Enter keep filter", row: hints)
        #expect(app.session.books.table.rowCount == 1 && current == "Emma" && app.screens.count == 1)
    }

    @Test("Lists the books of an author, the series and a subject of the card") func links() throws {
        let detail = try place(of: "│ The Colour of Magic", row: 0..<10).column
        try click("Second Author", plus: 3, after: detail)
        #expect(app.session.books.request.query.text == "author:=\"Second Author\"")
        #expect(app.session.books.table.rowCount == 1)
        try click("Terry Pratchett", plus: 14, after: detail)
        #expect(app.session.books.table.rowCount == 3)
        _ = app.main.clearSearch(app)
        try click("Emma", row: 2..<7)
        try click("The Colour of Magic", row: 2..<7)
        try click("Wizards -- Fiction", plus: 17, after: detail)
        #expect(app.session.books.table.rowCount == 1)
        _ = app.main.clearSearch(app)
        try click("Discworld", after: detail)
        #expect(app.session.books.table.rowCount == 2 && app.main.focus == .list)
        // A related title leads to its book.
        _ = app.main.clearSearch(app)
        try click("The Colour of Magic", row: 2..<7)
        try click("Mort", after: detail)
        #expect(current == "Mort" && app.main.focus == .list)
        // What is no link gives the detail the keyboard.
        try click("FACTS", after: detail)
        #expect(app.main.focus == .detail)
    }

    @Test("Answers a question and leaves a search by the hints") func answers() throws {
        try click("/ ", row: hints)
        #expect(app.isTyping)
        try click("Esc cancel", row: hints)
        #expect(!app.isTyping)
        app.push(
            ConfirmDialog("Delete?", below: app.top, app, verbs: ("delete", "keep")) { isConfirmed, app in
                app.session.status.say(isConfirmed ? "yes" : "no")
                return .none
            })
        try click("y delete", row: hints)
        #expect(app.session.status.text == "yes")
    }

    @Test("Quits from the palette") func quitting() throws {
        try click(": command", row: hints)
        let box = try place(of: "Commands")
        for _ in 0..<60 where !screen.text.contains("Quit ") {
            _ = app.handle(.mouse(Mouse(.wheel(1), at: Position(row: box.row + 4, column: box.column), time: time)))
        }
        let quit = try place(of: "Quit ")
        _ = click(quit)
        time += 100
        guard case .quit(.quit) = press(quit) else {
            Issue.record("a double click on Quit does not quit")
            return
        }
    }
}
