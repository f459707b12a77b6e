import CatalogTesting
import Foundation
import TerminalTesting
import TerminalUI
import Testing

@testable import Books
@testable import Browser
@testable import Library

/// The frames in which a screen follows a key.
@Suite("A key is answered before the rest of the screen follows") struct FramesTests {
    private let user = User(books: [
        .make(title: "The Stand", authors: ["Stephen King"]), .make(title: "Dispatches", authors: ["Michael Herr"]),
        .make(title: "Emma", authors: ["Jane Austen"]),
    ])
    private let size = Size(rows: 30, columns: 120)

    init() { user.settings.tabsWidth = nil }

    /// The title in the row of the cursor, and the one in the detail.
    private func titles(on screen: Canvas) -> (row: String?, detail: String?) {
        let lines = (0..<screen.size.rows).map(screen.text(ofRow:))
        let books = ["The Stand", "Dispatches", "Emma"]
        let row = lines.first { $0.hasPrefix("▌") }.flatMap { line in books.first { line.contains($0) } }
        let detail = lines[2].split(separator: "│").last.flatMap { part in books.first { part.contains($0) } }
        return (row, detail)
    }

    @Test func theListIsFirst() throws {
        let terminal = try user.browse("j t", columns: 120, rows: 30, resumes: false)
        let (moved, marked) = (terminal.replacedScreens[0], terminal.replacedScreens[1])
        #expect(terminal.replacedScreens.count == 2 && terminal.screens.count == 3)
        #expect(titles(on: moved) == ("Dispatches", "The Stand"))
        #expect(titles(on: terminal.screens[1]) == ("Dispatches", "Dispatches"))
        // A mark of the same book is in its detail at once; the counts follow.
        #expect(marked.text.contains("★ Favourite") && marked.text(ofRow: 1).contains("★ 0"))
        #expect(terminal.screens[2].text(ofRow: 1).contains("★ 1"))
    }

    @Test func keysThatWaitAreAnsweredTogether() throws {
        let terminal = try user.browse(
            steps: [.events([.key(.character("j")), .key(.character("j"))])], columns: 120, rows: 30, resumes: false)
        #expect(terminal.replacedScreens.count == 1)
        #expect(titles(on: terminal.replacedScreens[0]) == ("Emma", "The Stand"))
        #expect(titles(on: terminal.screens[1]) == ("Emma", "Emma"))
    }

    @Test func whatTheUserDidNotAskForTakesOneFrame() throws {
        let terminal = try user.browse(
            steps: [.resize(Size(rows: 28, columns: 110))], columns: 120, rows: 30, resumes: false)
        #expect(terminal.replacedScreens.isEmpty)
        #expect(titles(on: terminal.screens[0]) == ("The Stand", "The Stand"))
        #expect(terminal.screens[0].text(ofRow: 1).contains("1 All 3"))
        #expect(terminal.row(1).contains("1 All 3"))
    }

    @Test func inASmallWindowTheDetailIsWhatAKeyAsksFor() throws {
        let terminal = try user.browse("j Enter", columns: 50, rows: 10, resumes: false)
        #expect(terminal.replacedScreens.isEmpty)
        #expect(terminal.text.contains("Michael Herr"))
    }

    @Test func theRowOfListsKeepsItsWidthUntilItFollows() {
        let app = user.makeApp(resumes: false)
        func row(columns: Int) -> String {
            app.draw(size: Size(rows: 30, columns: columns)).canvas.text(ofRow: 1)
        }
        #expect(row(columns: 120).contains("2 ★ 0"))
        app.main.secondFrame.begin(.answer)
        _ = app.perform(CommandRequest(command: .favourite))
        app.update()
        #expect(row(columns: 110).contains("2 ★ 0") && app.main.secondFrame.isDue)
        app.main.secondFrame.complete()
        #expect(row(columns: 110).contains("2 ★ 1") && !app.main.secondFrame.isDue)
    }

    @Test func inALargeCatalogTheCountsFollowTheFirstScreen() throws {
        let books = (0..<10_001).map { Book.make(title: "Book \($0)", authors: ["An Author"]) }
        let user = User(books: books)
        user.settings.tabsWidth = nil
        let terminal = try user.browse("", columns: 120, rows: 30, resumes: false)
        let first = try #require(terminal.replacedScreens.first)
        let detail = try #require(first.text(ofRow: 2).split(separator: "│").last)
        #expect(first.text(ofRow: 1) == "" && detail.contains("Book 0"))
        #expect(terminal.replacedScreens.count == 1 && terminal.screens[0].text(ofRow: 1).contains("1 All 10,001"))
    }

    // MARK: - Names

    /// A user whose catalog is so large that its names are collected in the background.
    private var userOfLargeCatalog: User {
        User(books: (0..<6000).map { .make(title: "Book \($0)", authors: ["Author \($0 % 3000)"]) })
    }
    private func hasOthers(_ screen: Canvas) -> Bool { screen.text.contains("MORE BY AUTHOR 0 (1)") }

    @Test func namesAreCollectedInTheFirstPause() throws {
        let terminal = try userOfLargeCatalog.browse(
            steps: [.pause, .wakeUps(until: hasOthers), .pause] + ScriptedTerminal.Step.keys("j k"), resumes: false)
        #expect(terminal.pauses == [200, nil])
        #expect(hasOthers(try #require(terminal.screens.last)))
    }

    @Test func noNamesAreCollectedWhileAKeyIsExpected() throws {
        let terminal = try userOfLargeCatalog.browse("g (pause)", resumes: false)
        #expect(terminal.pauses == [300])
    }

    @Test func namesThatTheListUpNextNeededCompleteTheCard() throws {
        let user = userOfLargeCatalog
        try user.browse("j m d", resumes: false)
        // The books up next are found in the background from the start on, and no pause comes.
        let terminal = try user.browse(steps: [.wakeUps(until: hasOthers)], resumes: false)
        #expect(hasOthers(try #require(terminal.screens.last)))
    }
}
