import Books
import CatalogTesting
import Graphemes
import TerminalUI
import Testing

@testable import Books
@testable import Browser
@testable import Catalog
@testable import Editing
@testable import JSON
@testable import TerminalUI

extension ClashScreen {
    /// A screen with a book that both sides changed, and one deleted on each side.
    static var example: ClashScreen { ClashScreen(clashes: EditClash.examples) { _, _ in } }
}

extension EditClash {
    static let examples = [
        EditClash(
            kind: .changed, old: Book.make(title: "Emma"), mine: Book.make(title: "Emily"),
            theirs: Book.make(title: "Emma!"),
            conflicts: [
                .init(keys: ["title"], base: .string("Emma"), mine: .string("Emily"), theirs: .string("Emma!")),
                .init(
                    keys: ["published", "year"], base: .number("1815"), mine: .number("1816"), theirs: nil),
                .init(
                    keys: ["subjects"], base: nil, mine: .array([.string("書名書名書名書名書名書名書名")]),
                    theirs: .string("")),
            ], records: ([], [], []), position: 0),
        EditClash(
            kind: .deletedThere, old: Book.make(title: "Dracula"), mine: Book.make(title: "Dracula 2"), theirs: nil,
            conflicts: [], records: ([], [], nil), position: 1),
        EditClash(
            kind: .deletedHere, old: Book.make(title: "Ulysses"), mine: nil, theirs: Book.make(title: "Ulysses 2"),
            conflicts: [], records: ([], nil, []), position: 2),
    ]
}

@Suite("Conflict screen") struct ClashScreenTests {
    private let app: App
    private let screen: ClashScreen
    private let decided: Decided

    /// The decisions.
    private final class Decided {
        var choice: ClashScreen.Choice?
    }

    init() throws {
        let decided = Decided()
        self.decided = decided
        let user = User(bookCount: 3)
        app = user.makeApp(source: user.edited(try user.writeCatalog()))
        screen = ClashScreen(clashes: EditClash.examples) { choice, _ in decided.choice = choice }
        app.push(screen)
        _ = app.draw(size: Size(rows: 24, columns: 80))
    }

    private func press(_ keys: Key...) {
        for key in keys {
            _ = app.handle(.key(key))
            app.update()
        }
    }

    /// The non-empty rows of the window without trailing blanks.
    private func rows(_ rows: Int = 24, _ columns: Int = 80) -> [String] {
        app.draw(size: Size(rows: rows, columns: columns)).canvas.text.split(separator: "\n").map {
            var line = String($0)
            while line.last == " " { line.removeLast() }
            return line
        }.filter { !$0.isEmpty }
    }

    private func row(_ text: String) -> [Substring] {
        rows().first { $0.contains(text) }?.split(separator: "  ", omittingEmptySubsequences: true)
            .map { $0.drop { $0 == " " || $0 == "▌" } }.filter { !$0.isEmpty } ?? []
    }

    @Test func eachBookAndEachValueHasARow() {
        #expect(rows()[0].contains("Conflicts"))
        #expect(row("Book or field") == ["Book or field", "Mine", "File (theirs)"])
        #expect(row("changed on both") == ["Emily", "changed on both sides", "0 of 3 values chosen"])
        #expect(row("[ ] Emma!") == ["title", "[ ] Emily", "[ ] Emma!"])
        #expect(row("published.year") == ["published.year", "[ ] 1816", "[ ] (removed)"])
        #expect(row("subjects").last?.hasSuffix("… [ ] (empty)") == true)
        #expect(row("Dracula 2") == ["Dracula 2", "[ ] changed here", "[ ] deleted on disk"])
        #expect(row("Ulysses") == ["Ulysses", "[ ] deleted here", "[ ] changed on disk"])
        #expect(screen.heading(app).position == "1/6")
    }

    @Test func aSideIsChosenForARow() {
        press(.character("j"), .character("m"), .character("j"), .character("t"))
        #expect(row("[ ] Emma!") == ["title", "[x] Emily", "[ ] Emma!"])
        #expect(row("published.year") == ["published.year", "[ ] 1816", "[x] (removed)"])
        #expect(row("changed on both").last == "2 of 3 values chosen")
        press(.character("m"))
        #expect(row("published.year") == ["published.year", "[x] 1816", "[ ] (removed)"])
    }

    @Test func theRowOfABookChoosesAllItsValues() {
        press(.character("t"))
        #expect(row("changed on both").last == "3 of 3 values chosen")
        #expect(row("[x] Emma!") == ["title", "[ ] Emily", "[x] Emma!"])
        #expect(row("Dracula 2") == ["Dracula 2", "[ ] changed here", "[ ] deleted on disk"])
    }

    @Test func nothingIsSavedBeforeAllConflictsAreResolved() {
        press(.character("m"), .control("s"))
        #expect(decided.choice == nil)
        #expect(app.top === screen)
        #expect(app.session.status.text == "2 choices left: m takes mine, t theirs")
        // The first one is the current row.
        #expect(screen.heading(app).position == "5/6")
        press(.character("t"), .enter)
        #expect(app.session.status.text == "1 choice left: m takes mine, t theirs")
        press(.character("m"), .enter)
        #expect(decided.choice != nil)
        #expect(app.top === app.main)
    }

    @Test(arguments: [Key.enter, .control("s")])
    func theChosenSidesArePassedOn(key: Key) throws {
        press(.character("M"), .character("j"), .character("j"), .character("t"), .character("G"), .character("t"), key)
        let choice = try #require(decided.choice)
        #expect(choice(0, ["title"]) == .mine)
        #expect(choice(0, ["published", "year"]) == .theirs)
        #expect(choice(0, ["subjects"]) == .mine)
        #expect(choice(1, []) == .mine)
        #expect(choice(2, []) == .theirs)
    }

    @Test func oneSideIsChosenForAllRows() throws {
        press(.character("M"), .character("T"), .enter)
        let choice = try #require(decided.choice)
        #expect(choice(0, ["title"]) == .theirs && choice(1, []) == .theirs && choice(2, []) == .theirs)
    }

    @Test(arguments: [Key.escape, .character("q"), .character("h")])
    func closingTheScreenResolvesNothing(key: Key) {
        press(.character("M"), key)
        #expect(decided.choice == nil)
        #expect(app.top === app.main)
        #expect(app.session.status.text == "Nothing was saved. Your changes are kept")
    }

    @Test(arguments: [(40, 120), (24, 80), (15, 50)])
    func itFitsTheWindow(rows: Int, columns: Int) {
        let shown = self.rows(rows, columns)
        for text in ["Emily", "title", "[ ] Emma!", "[ ] deleted", "Ulysses"] {
            #expect(shown.contains { $0.contains(text) }, "\(text)")
        }
        #expect(shown.last?.hasPrefix(" m mine  ") == true && shown.last?.contains("^s save") == true)
        #expect(shown.last?.hasSuffix("Esc cancel") == true)
        #expect(shown.allSatisfy { $0.displayColumns <= columns })
    }

    @Test func theValuesOfTheCurrentRowAreShownAtLength() {
        press(.character("j"), .character("j"))
        let shown = rows().suffix(8)
        #expect(shown.contains { $0.hasSuffix("Before  1815") }, "\(shown)")
        #expect(shown.contains { $0.hasSuffix("Mine    1816") }, "\(shown)")
        #expect(shown.contains { $0.hasSuffix("Theirs  (removed)") }, "\(shown)")
    }

    @Test func aScreenReaderAnnouncesTheRow() {
        var output = ScreenReaderOutput()
        #expect(
            output.lines(of: app) == [
                "Conflicts", "Emily, changed on both sides, 0 of 3 values chosen, 1 of 6",
            ])
        press(.character("j"))
        // The status line may contain more.
        #expect(output.lines(of: app).first == "title, mine: Emily, theirs: Emma!, not chosen, 2 of 6")
        press(.character("t"))
        #expect(output.lines(of: app) == ["title, mine: Emily, theirs: Emma!, theirs chosen, 2 of 6"])
    }

    @Test func aClickMakesARowCurrent() {
        _ = app.handle(.mouse(Mouse(.press, at: Position(row: 4, column: 5), time: 0)))
        #expect(screen.heading(app).position == "3/6")
    }
}
