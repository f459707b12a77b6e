import CatalogTesting
import Foundation
import TerminalTesting
import TerminalUI
import Testing

@testable import Books
@testable import Browser
@testable import Library

/// The frames in which a screen follows keys.
@Suite("The frames that follow keys") struct FramesTests {
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

    @Test func aKeyIsAnsweredInOneFrame() throws {
        let terminal = try user.browse("j t", columns: 120, rows: 30, resumes: false)
        #expect(terminal.screens.count == 3)
        #expect(titles(on: terminal.screens[1]) == ("Dispatches", "Dispatches"))
        let marked = terminal.screens[2]
        #expect(marked.text.contains("★ Favourite") && marked.text(ofRow: 1).contains("★ 1"))
    }

    @Test func keysThatWaitAreAnsweredTogether() throws {
        let terminal = try user.browse(
            steps: [.events([.key(.character("j")), .key(.character("j"))])], columns: 120, rows: 30, resumes: false)
        #expect(terminal.screens.count == 2)
        #expect(titles(on: terminal.screens[1]) == ("Emma", "Emma"))
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
