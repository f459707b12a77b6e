import Books
import CatalogTesting
import Foundation
import Library
import Search
import Shelves
import TerminalTesting
import TestSupport
import Testing

@testable import Browser
@testable import TerminalUI

/// Work that takes longer than a frame runs in the background: keys return at once, and Esc cancels it.
@Suite("Slow operations")
struct WaitingTests {
    /// A pattern that takes seconds, because each title is tried in a huge number of ways.
    private static let slowText = "title:/b.*b.*b.*b.*[xy]/"

    private let user = User(books: (1...6000).map { .make(title: String(repeating: "b", count: 400) + " \($0)") })

    private func makeApp(timeBudget: Int) -> App {
        user.settings.timeBudget = timeBudget
        let app = user.makeApp(resumes: false)
        app.update()
        _ = app.draw(size: Size(rows: 24, columns: 100))
        return app
    }

    private func type(_ keys: String, in app: App) {
        for case .events(let events) in ScriptedTerminal.Step.keys(keys) {
            events.forEach { _ = app.handle($0) }
            app.update()
        }
    }

    private func wait(for app: App, until isDone: (App) -> Bool) {
        for _ in 0..<3000 where !isDone(app) {
            usleep(10_000)
            _ = app.handle(.wakeUp)
            app.update()
        }
    }

    private func saveSearch(_ text: String) throws {
        let shelves = UserData(directory: user.dataDirectory)
        try shelves.load()
        _ = try shelves.saveQuery(named: "mine", text: text, sort: nil)
    }

    private func text(of app: App) -> String { app.draw(size: Size(rows: 24, columns: 100)).canvas.text }

    // MARK: - Matches

    @Test func theKeyForTheNextMatchReturnsAtOnceAndEscGivesUp() {
        let app = makeApp(timeBudget: 16)
        app.session.search.remember(Query(Self.slowText))
        let time = processorTime { type("n", in: app) }
        #expect(time < .seconds(1))
        #expect(text(of: app).contains("Searching for \(Self.slowText). Esc stops"))
        type("Esc", in: app)
        #expect(app.session.search.matches.pending == nil)
        #expect(!text(of: app).contains("Searching"))
        #expect(app.session.books.table.currentRow == 0)
    }

    @Test func anotherMovementCancelsTheJumpToTheMatch() {
        let app = makeApp(timeBudget: 0)
        app.session.search.remember(Query(Self.slowText))
        type("n j", in: app)
        #expect(app.session.search.matches.pending == nil)
        #expect(app.session.books.table.currentRow == 1)
    }

    @Test func theJumpToTheMatchFollowsOnceItIsFound() {
        let app = makeApp(timeBudget: 0)
        app.session.search.remember(Query("title:5999"))
        type("n", in: app)
        wait(for: app) { $0.session.books.table.currentRow == 5998 }
        #expect(app.session.books.table.currentRow == 5998)
        #expect(!text(of: app).contains("Searching"))
    }

    // MARK: - Saved searches

    @Test func aSavedSearchIsOpenedAtOnceAndEscGivesUp() throws {
        try saveSearch(Self.slowText)
        let app = makeApp(timeBudget: 16)
        let time = processorTime { type("L G Enter", in: app) }
        #expect(time < .seconds(1))
        #expect(text(of: app).hasPrefix(" mine, searching"))
        #expect(text(of: app).contains("Searching …"))
        type("j G t Space", in: app)
        #expect(text(of: app).hasPrefix(" mine, searching"))
        type("Esc", in: app)
        #expect(text(of: app).hasPrefix(" All books "))
        #expect(text(of: app).contains("Stopped searching for “mine”"))
    }

    @Test func theBooksOfASavedSearchAppearOnceFound() throws {
        try saveSearch("title:5999")
        let app = makeApp(timeBudget: 0)
        type("L G Enter", in: app)
        wait(for: app) { $0.session.books.table.rowCount == 1 }
        #expect(text(of: app).hasPrefix(" mine   "))
        type("t", in: app)
        #expect(app.session.library.userData(of: 5998)?.isFavourite == true)
    }

    @Test func aQueryInASavedSearchSearchesItsBooks() throws {
        try saveSearch("title:/599[0-9]$/")
        let app = makeApp(timeBudget: 0)
        type("L G Enter / 5 9 9 5 Enter", in: app)
        wait(for: app) { $0.session.books.progress == nil && $0.session.books.table.rowCount == 1 }
        #expect(text(of: app).hasPrefix(" mine  ⟂ 5995 "))
    }

    // MARK: - Completed values

    @Test func completionsAppearOnceFoundWhileTyping() {
        let app = makeApp(timeBudget: 0)
        type("/ a u t h o r : a n", in: app)
        type("Tab", in: app)
        wait(for: app) { self.typedText(in: $0) == "author:\"An Author\"" }
        #expect(typedText(in: app) == "author:\"An Author\"")
    }

    @Test func lateCompletionsDoNotReplaceTypedText() {
        let app = makeApp(timeBudget: 0)
        // Without a wake-up in between, no value can be adopted.
        type("/ a u t h o r : a n", in: app)
        for case .events(let events) in ScriptedTerminal.Step.keys("Tab x") { events.forEach { _ = app.handle($0) } }
        let typed = typedText(in: app)
        wait(for: app) { $0.session.books.progress == nil }
        usleep(50_000)
        _ = app.handle(.wakeUp)
        #expect(typedText(in: app) == typed)
        #expect(typed == "author:anx" || typed == "author:\"An Author\"x")
    }

    private func typedText(in app: App) -> String? { (app.top as? SearchBar)?.editor.text }
}
