import CatalogTesting
import Shelves
import TerminalTesting
import TerminalUI
import TestSupport
import Testing

@testable import Books
@testable import Browser
@testable import Catalog
@testable import Library

/// The browser with a catalog that a server delivers page by page. A "+" is a wake-up: one page arrives.
@Suite("Catalog delivered page by page")
struct PagedCatalogTests {
    private let user = User(books: [])

    private func source(_ count: Int = 200, pageSize: Int = 20) -> PagedSource {
        PagedSource(
            (1...count).map { Book.make(title: "Book \($0)", authors: ["Author \($0 % 5)"]) }, pageSize: pageSize)
    }

    /// Starts the browser, types `keys`, in which "+" is a wake-up, and closes the terminal.
    @discardableResult
    private func browse(
        _ keys: String, columns: Int = 100, rows: Int = 24, source: PagedSource, resumes: Bool = true
    ) throws -> ScriptedTerminal {
        let steps = keys.split(separator: " ").flatMap {
            $0 == "+" ? [.events([.wakeUp])] : ScriptedTerminal.Step.keys(String($0))
        }
        return try user.browse(steps: steps, columns: columns, rows: rows, source: source, resumes: resumes)
    }

    @Test func unloadedRowsArePlaceholders() throws {
        let terminal = try browse("", source: source())
        #expect(terminal.row(2).hasPrefix("▌… "))
        #expect(terminal.row(3).hasPrefix(" … "))
        #expect(terminal.status.hasPrefix("1/200"))
    }

    @Test func aPageThatArrivesTakesThePlaceOfItsPlaceholders() throws {
        let terminal = try browse("+", source: source())
        #expect(terminal.selection == "Book 1")
        #expect(terminal.row(3).contains("Book 2"))
    }

    @Test func cardsAreFilledAsTheirPagesArrive() throws {
        let waiting = try browse("c", source: source(), resumes: false)
        #expect(waiting.row(1).hasPrefix("▌… "))
        // The kind of rows is remembered.
        let terminal = try browse("+ + j", source: source(), resumes: false)
        #expect(terminal.row(1).hasPrefix(" Book 1 ") && terminal.row(2).hasPrefix(" Author 1 "))
        #expect(terminal.selection == "Book 2")
        // Fewer books fit, and only their pages are asked for.
        let source = source(10_000, pageSize: 5)
        try browse("+ + j j", rows: 14, source: source, resumes: false)
        #expect(Set(source.requestedPages).isSubset(of: [0, 1, 2]))
    }

    @Test func theFacetsOfAServerAreRefusedWithTheReason() throws {
        let terminal = try browse("+ + F", source: source(), resumes: false)
        #expect(terminal.selection == "Book 1")
        #expect(terminal.status == "1/200  Not available for a catalog on a server")
    }

    @Test func onlyVisibleRowsAreRequested() throws {
        let source = source(10_000, pageSize: 10)
        try browse("+ + + j j j", source: source)
        #expect(Set(source.requestedPages) == [0, 1])
    }

    @Test func jumpingToTheEndSkipsTheRowsBetween() throws {
        let source = source(10_000)
        let terminal = try browse("+ + G + +", source: source)
        #expect(terminal.selection == "Book 10000")
        #expect(terminal.status.hasPrefix("10,000/10,000"))
        #expect(source.requestedPages.allSatisfy { $0 < 2 || $0 > 497 })
    }

    @Test func jumpingToARowLoadsItsPage() throws {
        let terminal = try browse("+ + 1 2 0 g g + + +", source: source(1000))
        #expect(terminal.selection == "Book 120")
    }

    @Test func theServerSearches() throws {
        let terminal = try browse("+ + / a u t h o r : 3 + + Enter", source: source())
        #expect(terminal.selection == "Book 3")
        #expect(terminal.status.hasPrefix("1/40"))
    }

    @Test func cancellingTheSearchRestoresTheList() throws {
        let terminal = try browse("+ + / a u t h o r : 3 + + Esc +", source: source())
        #expect(terminal.selection == "Book 1")
        #expect(terminal.status.hasPrefix("1/200"))
    }

    @Test func theServerSorts() throws {
        let terminal = try browse("+ + s t s t + + +", source: source())
        #expect(terminal.row(2).contains("Book 99"))
    }

    @Test func theServerGoesToALetter() throws {
        let source = source(2000)
        let terminal = try browse("+ + s t + g s b + + 3 j", source: source, resumes: false)
        #expect(terminal.selection.hasPrefix("Book 10"))
        #expect(try browse("+ + g s b", source: source, resumes: false).status.contains("no letters or years"))
        #expect(
            try browse("+ + s t + g s z +", source: source, resumes: false).status.contains(
                "cannot go to a letter or year"))
    }

    @Test func anUnknownCountIsShownAsUnknown() throws {
        let open = source()
        open.counting = .atLeast
        let terminal = try browse("+ +", source: open)
        #expect(terminal.title.contains("20+ books"))
        #expect(terminal.status.hasPrefix("1/20+"))
        let nothing = source()
        nothing.counting = .nothing
        #expect(try browse("", source: nothing, resumes: false).title.contains("? books"))
        let about = source()
        about.counting = .about
        #expect(try browse("+", source: about, resumes: false).title.contains("about 200 books"))
    }

    @Test func theEndOfAnUnknownCountIsReachedPageByPage() throws {
        let source = source(100)
        source.counting = .atLeast
        let terminal = try browse("+ + G + + + + + + +", source: source)
        #expect(terminal.selection == "Book 100")
        #expect(terminal.status.hasPrefix("100/100"))
    }

    @Test func aPageThatFailsSaysWhy() throws {
        let source = source(200, pageSize: 10)
        source.failures = [0: "The server does not answer"]
        let terminal = try browse("+ + +", source: source)
        #expect(terminal.row(2).contains("The server does not answer"))
        #expect(terminal.row(-3).contains("Book"))
    }

    @Test func theDetailAppearsOnceLoaded() throws {
        let early = try browse("+", columns: 120, rows: 40, source: source())
        #expect(!early.detail.joined().contains("Author 1"))
        let late = try browse("+ + +", columns: 120, rows: 40, source: source(), resumes: false)
        #expect(late.detail.contains("Author 1"))
        // The books of an author are not searched for on a server.
        #expect(!late.text.contains("MORE BY"))
    }

    @Test func aBookOfAServerBecomesAFavouriteAndIsStillOneTheNextTime() throws {
        let terminal = try browse("+ + + j + t", source: source())
        #expect(terminal.selection.contains("★ Book 2"))
        #expect(user.saved.books.count == 1)
        #expect(try browse("+ + +", source: source(), resumes: false).row(3).contains("★ Book 2"))
    }

    @Test func aListOfTheUsersOwnIsWholeWhateverTheOrderWas() throws {
        let terminal = try browse("+ + + j + t s t + + L j Enter + +", source: source())
        #expect(terminal.hasTitle(" Favourites (1)"))
        #expect(terminal.row(2).contains("★ Book 2"))
    }

    @Test func theRowOfListsCountsWhatTheServerCounts() throws {
        user.settings.tabsWidth = 100
        let terminal = try browse("+ + + j + t", columns: 120, rows: 30, source: source(), resumes: false)
        #expect(terminal.row(1).hasPrefix("[1 All 200] 2 ★ 1 "))
        // Its second book becomes one, too.
        let favourites = try browse(
            "+ + + j j + t g 2 + +", columns: 120, rows: 30, source: source(), resumes: false)
        #expect(favourites.title.hasPrefix(" Favourites "))
        #expect(favourites.row(3).contains("★ Book 3"), "\(favourites.text)")
    }

    @Test func thePreviewOfAListOnTheServerSaysSo() throws {
        let terminal = try browse("+ + + j + t L", columns: 120, source: source())
        #expect(terminal.text.contains("│ All books · 200 books"))
        #expect(terminal.text.contains("The books stay on the server. Enter lists them"))
        #expect(try browse("L j + +", columns: 120, source: source()).text.contains("│ ★ Book 2 "))
    }

    @Test func whatASavedSearchFindsOnAServerIsNotCounted() throws {
        user.settings.tabsWidth = 100
        let terminal = try browse("+ + / 1 7 Enter + W Enter + g 1 +", columns: 120, rows: 30, source: source())
        #expect(terminal.row(1).hasSuffix("│ 6 ⌕ 17 ?"))
    }

    @Test func theSavedRowIsResumed() throws {
        try browse("+ + 5 0 g g + + +", source: source())
        let terminal = try browse("+ + +", source: source())
        #expect(terminal.selection == "Book 50")
    }

    @Test func unsupportedCommandsAreReportedAndNotOffered() throws {
        for keys in ["F", "%", "S a", "n"] {
            let terminal = try browse("+ + \(keys)", source: source(), resumes: false)
            #expect(terminal.status.contains("Not available for a catalog on a server"), "\(keys)")
        }
        let palette = try browse("+ + : f a c e t", source: source(), resumes: false)
        #expect(palette.text.contains("No matching command"))
        let help = try browse("+ + ? / f a c e t s Enter", rows: 40, source: source(), resumes: false)
        #expect(help.text.contains("No matching command"))
    }

    @Test(.thorough, arguments: 0..<30)
    func anyKeysLeaveAConsistentState(seed: UInt64) throws {
        let keys = [
            "j", "k", "G", "g g", "^f", "^b", "/", "o", "Esc", "Enter", "Tab", "Space", "v", "V", "t", "+", "+", "s t",
            "L", "R", "5", "h",
        ]
        var random = SplitMix(seed: seed)
        let typed = (0..<60).map { _ in keys[Int.random(in: 0..<keys.count, using: &random)] }.joined(separator: " ")
        let source = source(Int.random(in: 1...90, using: &random), pageSize: 7)
        source.counting = [.exactly, .about, .atLeast, .nothing][Int(seed % 4)]
        if seed % 3 == 0 { source.failures = [1: "not now"] }
        let terminal = try browse(typed, source: source, resumes: seed % 2 == 0)
        #expect(!terminal.row(0).isEmpty, "\(typed)")
    }
}
