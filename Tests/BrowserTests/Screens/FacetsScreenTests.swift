import CatalogTesting
import Foundation
import Shelves
import TerminalTesting
import TerminalUI
import Testing

@testable import Books
@testable import Browser

@Suite("Facets") struct FacetsScreenTests {
    private let user: User

    init() {
        func book(_ title: String, _ author: String, _ year: Int, series: String? = nil) -> Book {
            var book = Book.make(title: title, authors: [author])
            (book.published, book.series) = (PartialDate(year: year), series)
            return book
        }
        user = User(books: [
            book("Emma", "Jane Austen", 1815), book("Foundation", "Isaac Asimov", 1951, series: "Foundation"),
            book("Contact", "Carl Sagan", 1985), book("Cosmos", "Carl Sagan", 1980),
            book("Foundation and Empire", "Isaac Asimov", 1952, series: "Foundation"),
            book("Persuasion", "Jane Austen", 1817), book("I, Robot", "Isaac Asimov", 1950),
        ])
    }

    /// The rows of the table without the bars: "Jane Austen 2", "[x] Jane Austen 2".
    private func rows(_ keys: String, columns: Int = 100) throws -> [String] {
        let terminal = try user.browse(keys, columns: columns, rows: 40, resumes: false)
        return (2..<36).map { row in
            (terminal.row(row).split(separator: "│", omittingEmptySubsequences: false).first ?? "")
                .replacing("[ ]", with: "").filter { !"▌█▏▎▍▋▊▉▾".contains($0) }.split(separator: " ")
                .joined(separator: " ")
        }.filter { !$0.isEmpty }
    }

    @Test func headersCountTheValuesAndTheLatestDecadesAreFirst() throws {
        #expect(
            try rows("F") == [
                "Authors 3", "Isaac Asimov 3", "Jane Austen 2", "Carl Sagan 2",
                "Decades 3", "1980s 2", "1950s 3", "1810s 2", "Series 1", "Foundation 2", "No series 5",
            ])
    }

    @Test func statusRatingsAndShelvesAreFacets() throws {
        try user.browse("m d r 4 j m t r 5 j m d b " + typed("Beach Reads") + " Enter")
        let year = Calendar(identifier: .gregorian).component(.year, from: .now)
        #expect(
            try rows("F").suffix(14) == [
                "Status 2", "To read 1", "Read 2", "No status 4", "My ratings 2", "★★★★★ 1", "★★★★☆ 1",
                "Not rated by me 5", "Shelves 1", "Beach Reads 1", "On no shelf 6", "Read in 1", "\(year) 2",
                "No date read 5",
            ])
        #expect(
            try user.browse("F / \(typed(String(year))) Enter Enter", resumes: false).title.contains("⟂ read:"))
        for (filter, title) in [("to read", "Foundation"), ("4 stars", "Emma"), ("reads", "Contact")] {
            let terminal = try user.browse("F / " + typed(filter) + " Enter Enter", resumes: false)
            #expect(terminal.hasTitle(" All books (1)"), "\(filter)")
            #expect(terminal.row(2).contains(title), "\(filter)")
        }
        // Books without a date, and all others.
        #expect(try user.browse("F G Enter", rows: 40, resumes: false).hasTitle(" All books (5)"))
        #expect(try user.browse("F G -", rows: 40, resumes: false).hasTitle(" All books (2)"))
    }

    @Test func slashFiltersTheValuesByTheirWords() throws {
        #expect(try rows("F / a s i m") == ["Authors 1", "Isaac Asimov 3"])
        #expect(try rows("F / " + typed("austen jane")) == ["Authors 1", "Jane Austen 2"])
        #expect(try rows("F / 1 9") == ["Decades 2", "1980s 2", "1950s 3"])
        #expect(try rows("F / x y z").first == "No value contains “xyz”")
        let terminal = try user.browse("F / a s i m", resumes: false)
        #expect(terminal.hasTitle(" All books (7)"))
        #expect(terminal.row(1).hasPrefix("     “asim”"))
        #expect(terminal.selection == "[ ] Isaac Asimov")
        #expect(terminal.status.hasPrefix("/asim"))
    }

    @Test func typedWordsAreNotCommands() throws {
        // Each of these letters is a command elsewhere.
        let terminal = try user.browse("F / q L U R j k g g", columns: 79, resumes: false)
        #expect(terminal.title.hasPrefix(" Facets of All books (7) · values with “qLURjkgg”"))
        #expect(try rows("F / " + typed("fql") + " Esc").first == "Authors 3")
    }

    @Test func aFilterIsKeptWithEnterAndEndsWithEsc() throws {
        #expect(try rows("F / s a g Enter") == ["Authors 1", "Carl Sagan 2"])
        #expect(try rows("F / s a g Enter Esc").first == "Authors 3")
        #expect(try user.browse("F / s a g Enter Esc Esc", resumes: false).hasTitle(" All books (7)"))
        #expect(try user.browse("F / s a g Enter Enter", resumes: false).hasTitle(" All books (2)  ⟂ author"))
        #expect(try user.browse("F / o u n d Down Enter -", resumes: false).hasTitle(" All books (5)  ⟂ -series:="))
    }

    @Test func aValueFindsAsManyBooksAsItsCount() throws {
        // "or" has lower precedence than the added condition.
        let alternatives = "/ " + typed("emma | asimov") + " Enter F "
        #expect(try rows(alternatives).prefix(3) == ["Authors 2", "Isaac Asimov 3", "Jane Austen 1"])
        let found = try user.browse(alternatives + "j Enter", resumes: false)
        #expect(found.hasTitle(" All books (1)  ⟂ (emma | asimov) author:=\"Jane Austen\""))
        let quoted = try user.browse("/ " + typed("\"found") + " Enter F Enter", resumes: false)
        #expect(quoted.hasTitle(" All books (2)  ⟂ \"found\" author:=\"Isaac Asimov\""))
    }

    @Test func hiddenValuesAreFilteredToo() throws {
        let many = User(books: (0..<500).map { .make(title: "Book \($0)", authors: ["Writer \(1000 + $0)"]) })
        let terminal = try many.browse("F", resumes: false)
        #expect(terminal.row(2).hasPrefix(" ▾   Authors, top ") && terminal.row(2).contains(" 500 │"))
        #expect(try many.browse("F G Space", resumes: false).text.contains("▾   Authors, top 200"))
        #expect(try many.browse("F / 1 4 9 9", resumes: false).selection == "[ ] Writer 1499")
    }

    @Test func aReloadedCatalogIsCountedAgain() throws {
        let books = user.books
        let source = ReloadedSource(name: "test.json") { books }
        let app = user.makeApp(source: source, resumes: false)
        for key in "F" { _ = app.handle(.key(.character(key))) }
        app.session.reload()
        app.update()
        #expect(app.draw(size: .init(rows: 24, columns: 100)).canvas.text(ofRow: 3).contains("Isaac Asimov"))
    }

    // MARK: - Ticks

    @Test func spaceTicksAValueAndTheListFollows() throws {
        let terminal = try user.browse("F Space", resumes: false)
        #expect(terminal.hasTitle(" All books (3)  ⟂ author:=\"Isaac Asimov\""))
        #expect(terminal.selection == "[x] Isaac Asimov")
        #expect(terminal.text.contains("Foundation and Empire") && !terminal.text.contains("Persuasion"))
        #expect(try user.browse("F Space Space", resumes: false).hasTitle(" All books (7)  "))
    }

    @Test func theTicksOfAFacetDoNotReduceItsOwnCounts() throws {
        #expect(
            try rows("F Space") == [
                "Filter 1", "[x] Isaac Asimov 3", "Authors 3", "[x] Isaac Asimov 3", "Jane Austen 2", "Carl Sagan 2",
                "Decades 1", "1950s 3", "Series 1", "Foundation 2", "No series 1",
            ])
        #expect(
            try rows("F Space j Space").prefix(10) == [
                "Filter 2", "[x] Isaac Asimov 3", "[x] Jane Austen 2",
                "Authors 3", "[x] Isaac Asimov 3", "[x] Jane Austen 2", "Carl Sagan 2",
                "Decades 2", "1950s 3", "1810s 2",
            ])
        // The decade reduces the counts of the authors, and the authors those of the decades.
        #expect(
            try rows("F Space j Space j j Space") == [
                "Filter 3", "[x] Isaac Asimov 3", "[x] Jane Austen 0", "[x] 1950s 3",
                "Authors 1", "[x] Isaac Asimov 3", "[x] Jane Austen 0",
                "Decades 2", "[x] 1950s 3", "1810s 2", "Series 1", "Foundation 2", "No series 1",
            ])
    }

    @Test func valuesOfOneFacetAreAlternativesAndFacetsConditions() throws {
        let two = try user.browse("F Space j Space", columns: 160, resumes: false)
        #expect(two.hasTitle(" All books (5)  ⟂ (author:=\"Isaac Asimov\" | author:=\"Jane Austen\")"))
        let three = try user.browse("F Space j Space j j Space", columns: 200, resumes: false)
        #expect(
            three.hasTitle(" All books (3)  ⟂ (author:=\"Isaac Asimov\" | author:=\"Jane Austen\") year:1950"))
    }

    @Test func escTakesTheTicksBackAndEnterKeepsThem() throws {
        let cancelled = try user.browse("3 j F Space j Space Esc", resumes: false)
        #expect(cancelled.hasTitle(" All books (7)  "))
        #expect(cancelled.selection == "Cosmos")
        let kept = try user.browse("F j Space Enter", resumes: false)
        #expect(kept.hasTitle(" All books (2)  ⟂ author:=\"Jane Austen\""))
        #expect(kept.selection == "Emma")
        // The way back, and the search that is cleared.
        #expect(try user.browse("F j Space Enter ^o", resumes: false).hasTitle(" All books (7)  "))
        #expect(try user.browse("F j Space Enter Esc", resumes: false).hasTitle(" All books (7)  "))
    }

    @Test func otherWaysToCloseThePaneKeepTheTicks() throws {
        for key in ["F", "q", "h", "Tab"] {
            let title = try user.browse("F j Space \(key)", resumes: false)
            #expect(title.hasTitle(" All books (2)  ⟂ author:=\"Jane Austen\""), "\(key)")
        }
    }

    @Test func openedAgainThePaneShowsTheTicks() throws {
        let terminal = try user.browse("/ e Enter F j Space Enter F", resumes: false)
        #expect(terminal.title.contains("⟂ e author:="))
        #expect(terminal.text.contains("[x]"))
        let unticked = try user.browse("/ e Enter F j Space Enter F Space Enter", resumes: false)
        #expect(unticked.title.contains("⟂ e  "))
        // Another search has no ticks.
        #expect(!(try user.browse("F j Space Enter Esc / e Enter F", resumes: false).text.contains("[x]")))
    }

    @Test func tickedValuesAreSavedAsASearch() throws {
        try user.browse("F Space j Space Enter W ^u " + typed("two") + " Enter")
        let lists = try user.browse("L", resumes: false).text
        #expect(lists.contains("two") && lists.contains("5"))
        #expect(user.saved.queries.first?.text == "(author:=\"Isaac Asimov\" | author:=\"Jane Austen\")")
    }

    @Test func theCurrentValueStaysWhenItsPlaceChanges() throws {
        // Among the books of the 1980s, Carl Sagan is the first author.
        let terminal = try user.browse("F 3 j Space", resumes: false)
        #expect(terminal.selection == "[x] 1980s")
    }

    @Test("The ticked values are on top, also when the pane is opened again, and can be unticked there")
    func ticksOnTop() throws {
        let again = try user.browse("F j Space Enter F", resumes: false)
        #expect(again.selection == "[x] Jane Austen" && again.row(2).hasPrefix("     Filter"))
        #expect(try rows("F j Space Enter F Space").first == "Authors 3")
        #expect(try user.browse("F j Space Enter F Space", resumes: false).hasTitle(" All books (7)  "))
        // Without books that have it, a ticked value stays.
        #expect(try rows("F Space j Space j j Space j Space").contains("[x] 1810s 2"))
    }

    @Test("u unticks all values, and the list is as before") func clear() throws {
        let cleared = try user.browse("F Space j Space u", resumes: false)
        #expect(cleared.hasTitle(" All books (7)  ") && !cleared.text.contains("[x]"))
        #expect(!cleared.hints.contains("u clear"))
        #expect(try user.browse("F Space", resumes: false).hints.contains("u clear"))
        // Enter after that keeps no filter.
        #expect(try user.browse("F Space u Enter", resumes: false).hasTitle(" All books (7)  "))
    }

    @Test("The hint of Esc says whether ticks are discarded") func hintOfEscape() throws {
        #expect(try user.browse("F", resumes: false).hints.contains("Esc close"))
        #expect(try user.browse("F Space", resumes: false).hints.contains("Esc discard"))
        #expect(try user.browse("F Space Enter F", resumes: false).hints.contains("Esc close"))
    }

    // MARK: - Folding

    @Test("In a low window the facets with the most values are folded, with their numbers") func folded() throws {
        let many = User(
            books: (0..<60).map { number in
                var book = Book.make(title: "Book \(number)", authors: ["Writer \(1000 + number)"])
                (book.published, book.languages) = (PartialDate(year: 1950 + number % 30), [number < 40 ? "en" : "de"])
                return book
            })
        func screen(_ keys: String) throws -> ScriptedTerminal {
            try many.browse(keys, columns: 100, rows: 24, resumes: false)
        }
        let first = try screen("F")
        #expect(first.selection == "[ ] Writer 1000" && first.row(2).hasPrefix(" ▾   Authors, top 11"))
        #expect(first.row(14).contains("… 49 more") && first.text.contains("▾   Decades"))
        #expect(first.text.contains("[ ] English"))
        // Space shows the others, of which the first is the current one.
        let more = try screen("F 1 1 j")
        #expect(more.selection == "… 49 more" && more.hints.contains("Space open") && more.hints.contains("Enter open"))
        #expect(!more.hints.contains("exclude") && !first.hints.contains("Enter open"))
        #expect(try screen("F 1 1 j Space").selection == "[ ] Writer 1011")
        #expect(try screen("F 1 1 j Enter").selection == "[ ] Writer 1011")
        let all = try screen("F j j z a")
        #expect(all.selection == "▸" && all.row(2).contains("▸   Authors                60"))
        #expect(try screen("F j j z a Space").selection == "[ ] Writer 1000")
        #expect(try screen("F j j z a z a").row(2).hasPrefix(" ▾   Authors  "))
        // Nothing is excluded, and filtered values are never folded.
        #expect(try screen("F z a -").hasTitle(" All books (60)  "))
        #expect(try screen("F / 1 0 5 9").selection == "[ ] Writer 1059")
        // With a tick, Enter keeps it, wherever the cursor is.
        #expect(try screen("F Space z a Enter").hasTitle(" All books (1)"))
        // Fewer values than are shown are no "more".
        let ticked = try screen("F ] j Space [ [")
        #expect(!ticked.text.contains("… -") && !ticked.text.contains("… 0"))
        // In a very low window, all are folded.
        let low = try many.browse("F", columns: 60, rows: 9, resumes: false)
        #expect(low.selection == "▸" && low.text.contains("▸   Decades"))
    }

    @Test("The decades before 1900 are one value, unless most books are of them") func earlyDecades() throws {
        func user(_ years: [Int]) -> User {
            User(
                books: years.map { year in
                    var book = Book.make(title: "Book of \(year)")
                    book.published = PartialDate(year: year)
                    return book
                })
        }
        func decades(_ years: [Int]) throws -> String {
            let text = try user(years).browse("F", rows: 40, resumes: false).text
            return ["2020s", "1990s", "1890s", "1810s", "400s BC", "Before 1900"].filter { text.contains($0) }.joined(
                separator: ",")
        }
        #expect(try decades([2021, 1815, 1990, 1991, -400, 1899]) == "2020s,1990s,1890s,1810s,400s BC")
        let years = [2021, 2022, 1990, 1991, 1815, -400, 1899]
        #expect(try decades(years) == "2020s,1990s,Before 1900")
        let few = user(years)
        let kept = try few.browse("F j j j Space Enter", rows: 40, resumes: false)
        #expect(kept.title.contains("⟂ year:<1900") && kept.hasTitle(" All books (3)"))
        #expect(try few.browse("F j j j Space Enter F", rows: 40, resumes: false).selection == "[x] Before 1900")
        // A single decade has its name.
        #expect(try decades([2021, 2022, 1990, 1815]) == "2020s,1990s,1810s")
    }

    // MARK: - Place

    @Test func thePaneIsBesideTheListFrom80ColumnsOnAndInItsPlaceBelow() throws {
        let beside = try user.browse("F", columns: 80, resumes: false)
        #expect(beside.row(3).hasPrefix("▌[ ] Isaac Asimov"))
        #expect(beside.row(2).contains("│▌Emma") && beside.hasTitle(" All books (7)"))
        let alone = try user.browse("F", columns: 79, resumes: false)
        #expect(!alone.row(2).contains("Emma") && alone.row(0).hasPrefix(" Facets of All books (7)"))
        let low = try user.browse("F", columns: 120, rows: 11, resumes: false)
        #expect(!low.text.contains("Emma"))
        let wide = try user.browse("F", columns: 120, resumes: false)
        #expect(wide.row(1).count { $0 == "│" } == 2)
    }

    @Test func aClickTicksAndAClickOnTheListKeeps() throws {
        let keys = ScriptedTerminal.Step.keys("F")
        let ticked = try user.browse(steps: keys + [.click(row: 4, column: 8)], resumes: false)
        #expect(ticked.hasTitle(" All books (2)  ⟂ author:=\"Jane Austen\""))
        #expect(ticked.selection == "[x] Jane Austen")
        let unticked = try user.browse(
            steps: keys + [.click(row: 4, column: 8), .click(row: 6, column: 8, time: 100)], resumes: false)
        #expect(unticked.hasTitle(" All books (7)  "))
        let left = try user.browse(
            steps: keys + [.click(row: 4, column: 8), .click(row: 3, column: 50)], resumes: false)
        #expect(left.hasTitle(" All books (2)"))
        #expect(left.selection == "Persuasion")
        #expect(!left.text.contains("Authors"))
    }

    @Test func theDividerOfThePaneCanBeDragged() throws {
        let keys = ScriptedTerminal.Step.keys("F")
        let divider = try #require(Array(try user.browse("F", columns: 120, resumes: false).row(5)).firstIndex(of: "│"))
        let dragged = try user.browse(
            steps: keys + [
                .mouse(.press, row: 5, column: divider), .mouse(.drag, row: 5, column: divider + 6),
                .mouse(.release, row: 5, column: divider + 6),
            ], columns: 120, resumes: false)
        #expect(Array(dragged.row(5))[divider + 6] == "│")
        #expect(dragged.row(3).hasPrefix("▌[ ] Isaac Asimov"))
    }

    @Test func lineModeSaysWhatIsTicked() throws {
        let answers = try user.narrate("F j Space", resumes: false).answers
        #expect(answers[1] == ["Facets of All books (7)", "Isaac Asimov, 3, 1 of 8"])
        #expect(answers[2] == ["Jane Austen, 2, 2 of 8"])
        #expect(
            answers[3].prefix(2) == [
                "Facets of All books (2) / author:=\"Jane Austen\"", "ticked, Jane Austen, 2, 3 of 5",
            ])
    }
}
