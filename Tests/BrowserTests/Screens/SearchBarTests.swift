import Foundation
import TerminalTesting
import TerminalUI
import Testing

@testable import Books
@testable import Browser
@testable import Graphemes
@testable import Library

@Suite("Search bar")
struct SearchBarTests {
    let user = User(books: [
        Book.make(title: "Emma", authors: ["Jane Austen"]),
        Book.make(title: "Jane Eyre", authors: ["Charlotte Brontë"]),
        Book.make(title: "Wuthering Heights", authors: ["Emily Brontë"]),
        Book.make(title: "Persuasion", authors: ["Jane Austen"]),
        Book.make(title: "The Heart of Emmaus", authors: ["Ann Other"]),
    ])

    /// Starts at the first book and types `keys`.
    private func browse(_ keys: String, of other: User? = nil) throws -> ScriptedTerminal {
        try (other ?? user).browse(keys, resumes: false)
    }

    /// The listed titles.
    func titles(_ terminal: ScriptedTerminal) -> [String] {
        let rows = terminal.text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2).dropLast(2)
        return rows.compactMap { row in
            let list = row.split(separator: "│", omittingEmptySubsequences: false).first ?? ""
            let title = list.drop { "▌★ ".contains($0) }.split(separator: "  ").first.map(String.init)
            return title?.trimmingCharacters(in: .whitespaces)
        }
    }

    @Test("↑ in an empty bar, and ^p and ^n in any, go through the searches that were kept") func earlierSearches()
        throws
    {
        #expect(try browse("/ ^p").hints.contains("No earlier searches"))
        #expect(try !browse("/").hints.contains("earlier search"))
        _ = try browse("/ e m m a Enter Esc / j a n e Enter Esc / a n n Esc")
        func line(_ keys: String) throws -> String {
            try browse(keys).row(-2).split(separator: "  ").first.map(String.init) ?? ""
        }
        #expect(try browse("/").hints.contains("↑ earlier search"))
        #expect(try line("/ Up") == " /jane" && line("/ Up Up") == " /emma" && line("/ Up Up Down") == " /jane")
        #expect(try line("/ Up Down").trimmingCharacters(in: .whitespaces) == "/")
        #expect(try line("/ x ^p") == " /jane" && line("/ x ^p ^p ^n ^n") == " /x")
        #expect(try line("/ Up Up Up") == " /emma")
        // The list has what the search finds; after a change of the text, the arrows move in it.
        #expect(try titles(browse("/ Up")) == ["Jane Eyre", "Emma", "Persuasion"])
        #expect(try browse("/ Up Backspace").row(-2).hasSuffix("2/3"))
        #expect(try browse("/ Up Backspace Down").row(-2).hasSuffix("3/3"))
        // Searches of this catalog come before those of others.
        let others = PreferencesFile(directory: user.stateDirectory)
        others.remember(query: "elsewhere", in: "/other.json")
        others.finish {}
        #expect(try line("/ Up") == " /jane" && line("/ Up Up Up") == " /elsewhere")
    }

    @Test("A hundred searches are remembered, each once") func oldSearches() throws {
        let file = PreferencesFile(directory: user.stateDirectory)
        for number in 0..<150 { file.remember(query: "q\(number % 120)", in: "/a.json") }
        file.finish {}
        let read = PreferencesFile(directory: user.stateDirectory).queries(for: "/a.json")
        #expect(read.count == 100 && read.first == "q29" && read.last == "q50")
        #expect(Set(read).count == 100 && read == file.queries(for: "/a.json"))
    }

    @Test func theListNarrowsWithEveryKeyTheBestMatchesFirst() throws {
        // First titles with a match at the beginning of a word, then authors, then matches within words.
        #expect(titles(try browse("/ e m")) == ["Emma", "The Heart of Emmaus", "Wuthering Heights"])
        #expect(titles(try browse("/ j a n e")) == ["Jane Eyre", "Emma", "Persuasion"])
        #expect(titles(try browse("/ b r o n t e")) == ["Jane Eyre", "Wuthering Heights"])
        #expect(try browse("/ b r o n t e").hasTitle(" All books (2)  ⟂ bronte"))
    }

    @Test func theCurrentBookStaysCurrentWhileItMatches() throws {
        #expect(try browse("j j j / j a n").selection == "Persuasion")
        #expect(try browse("j j j / e m").selection == "Emma")
        #expect(try browse("j j j / e m Backspace Backspace").selection == "Persuasion")
        // A user who has moved in the results stays at that book.
        #expect(try browse("/ e m Down Enter G / Backspace Backspace").selection == "Wuthering Heights")
    }

    @Test func escapeRestoresTheList() throws {
        let user = User(bookCount: 100)
        let before = try browse("3 0 G j j", of: user)
        let after = try browse("3 0 G j j / 7 Down Down Esc", of: user)
        #expect(after.text == before.text)
        #expect(try browse("3 0 G j j / 7 Enter Esc", of: user).text == before.text)
    }

    @Test func enterKeepsTheResults() throws {
        let terminal = try browse("/ j a n e Enter j")
        #expect(titles(terminal) == ["Jane Eyre", "Emma", "Persuasion"])
        #expect(terminal.selection == "Persuasion")
        #expect(terminal.status == "3/3")
    }

    @Test func nextAndPreviousMatchGoThroughTheWholeList() throws {
        #expect(try browse("/ a u s t e n Esc n").selection == "Persuasion")
        let terminal = try browse("/ a u s t e n Esc n n")
        #expect(terminal.selection == "Emma")
        #expect(terminal.status.contains("Search continued from the top"))
        #expect(try browse("/ a u s t e n Esc N").selection == "Persuasion")
        #expect(try browse("n").status.contains("No previous search"))
    }

    @Test func aSyntaxErrorIsShownAtItsPositionAndTheTextBeforeItFilters() throws {
        let terminal = try browse("/ j a n e Space f i c t i o n : f o o")
        #expect(titles(terminal) == ["Jane Eyre", "Emma", "Persuasion"])
        #expect(terminal.row(-2).hasPrefix(" /jane fiction:foo"))
        #expect(terminal.row(-1).contains("^ "))
        #expect(terminal.row(-1).contains("foo"))
    }

    @Test func pastedTextIsSearchedForAtOnce() throws {
        let terminal = ScriptedTerminal(
            size: Size(rows: 24, columns: 100),
            steps: [.events([.key(.character("/"))]), .events([.paste("austen\n")]), .events([.key(.enter)])])
        _ = try user.browse(on: terminal)
        #expect(titles(terminal) == ["Emma", "Persuasion"])
        // Without a search bar, a paste has no target.
        let other = ScriptedTerminal(size: Size(rows: 24, columns: 100), steps: [.events([.paste("q")])])
        _ = try user.browse(on: other, resumes: false)
        #expect(titles(other).count == 5)
    }

    @Test func lateResultsAreShown() throws {
        // More books than the search waits for, and a pattern that takes longer than the screen waits.
        let user = User(bookCount: 60_000)
        user.settings.timeBudget = nil
        let search: [ScriptedTerminal.Step] = [
            .events([.paste("/^(b|bo|boo)+k? 1(.*)+(.*)+7$/")]),
            .wakeUps { !$0.text(ofRow: 0).contains("searching") },
        ]
        let steps = ScriptedTerminal.Step.keys("/") + search
        let terminal = try user.browse(steps: steps, resumes: false)
        #expect(terminal.screens.contains { $0.text(ofRow: 0).contains("searching") })
        #expect(terminal.hasTitle(" All books (1,111)"), "\(terminal.text)")
    }

    @Test func fieldNamesAreCompleted() throws {
        #expect(try browse("/ a u t Tab").row(-2).hasPrefix(" /author:"))
        #expect(titles(try browse("/ a u t Tab a u s t")) == ["Emma", "Persuasion"])
        #expect(try browse("/ s Tab").row(-1).contains("series:"))
    }

    @Test func tabCompletesValuesOfTheCatalogAndGoesThroughThem() throws {
        let first = try browse("/ a u t Tab b r o Tab")
        #expect(first.row(-2).hasPrefix(#" /author:"Charlotte Brontë""#))
        #expect(first.row(-1).contains("Charlotte Brontë (1) · Emily Brontë (1)"))
        #expect(titles(first) == ["Jane Eyre"])
        #expect(titles(try browse("/ a u t Tab b r o Tab Tab")) == ["Wuthering Heights"])
        #expect(titles(try browse("/ a u t Tab b r o Tab Tab Tab")) == ["Jane Eyre"])
        #expect(titles(try browse("/ a u t Tab j Tab")) == ["Emma", "Persuasion"])
        // The rest of the line is kept.
        #expect(try browse("/ " + typed("author:j x") + " Left Left Tab").row(-2).contains(#"author:"Jane Austen" x"#))
    }

    @Test func tabCompletesLanguagesAndShelves() throws {
        for book in user.books.indices { user.books[book].languages = [book == 2 ? "fr" : "en"] }
        #expect(titles(try browse("/ " + typed("language:fre") + " Tab")) == ["Wuthering Heights"])
        let shelf = try browse("j b " + typed("beach reads") + " Enter / " + typed("on:be") + " Tab")
        #expect(shelf.row(-2).hasPrefix(#" /on:"beach reads""#))
        #expect(titles(shelf) == ["Jane Eyre"])
    }

    @Test func favouritesOfASearchCanBeSearched() throws {
        let terminal = try browse("/ e y r e Enter t Esc / i s : f a v o u r i t e")
        #expect(titles(terminal) == ["Jane Eyre"])
    }

    @Test func matchesAreHighlightedInRowsAndDetail() throws {
        let terminal = try browse("/ b r o n t e")
        let canvas = try #require(terminal.screens.last)
        let highlighted = (0..<canvas.size.rows).flatMap { row in
            canvas.row(row).filter { $0.style.isHighlighted }.map(\.glyph.text)
        }
        // Two rows and the detail pane of the current book.
        #expect(highlighted.joined() == "BrontëBrontëBrontë")
    }

    @Test func relatedBooksAreListedWithBackAndForward() throws {
        let terminal = try browse("a a")
        #expect(titles(terminal) == ["Emma", "Persuasion"])
        #expect(terminal.hasTitle(#" All books (2)  ⟂ author:="Jane Austen""#))
        #expect(titles(try browse("j j a a")) == ["Wuthering Heights"])
        let back = try browse("j j a a ^o")
        #expect(titles(back).count == 5)
        #expect(back.selection == "Wuthering Heights")
        #expect(titles(try browse("j j a a ^o g i")) == ["Wuthering Heights"])
        #expect(titles(try browse("j j a a ^o Tab")) == ["Wuthering Heights"])
        #expect(try browse("^o").status.contains("Nothing to go back to"))
    }
}

extension SearchBarTests {
    @Test func aSearchIsResumedWithItsBook() throws {
        _ = try user.browse("/ j a n e Enter j j q", resumes: false)
        #expect(user.place?.query == "jane")
        let terminal = try user.browse()
        #expect(titles(terminal) == ["Jane Eyre", "Emma", "Persuasion"])
        #expect(terminal.selection == "Persuasion")
        // After a fresh start, all books are listed.
        #expect(titles(try user.browse(resumes: false)).count == 5)
    }
}

extension SearchBarTests {
    @Test func theListIsSortedAndReversed() throws {
        let titles = ["Emma", "The Heart of Emmaus", "Jane Eyre", "Persuasion", "Wuthering Heights"]
        let terminal = try browse("s t")
        #expect(self.titles(terminal) == titles)
        #expect(terminal.hasTitle(" All books (5) ▸ title ↑"))
        let reversed = try browse("s t s t")
        #expect(self.titles(reversed) == titles.reversed())
        #expect(reversed.hasTitle(" All books (5) ▸ title ↓"))
        #expect(self.titles(try browse("s t s l")).first == "Emma")
        // By family name: Austen, Austen, Brontë, Brontë, Other.
        #expect(
            self.titles(try browse("s a"))
                == ["Emma", "Persuasion", "Jane Eyre", "Wuthering Heights", "The Heart of Emmaus"])
        #expect(
            self.titles(try browse("s a s S t s S t"))
                == ["Persuasion", "Emma", "Jane Eyre", "Wuthering Heights", "The Heart of Emmaus"])
    }

    @Test func theCurrentBookStaysCurrentWhenTheOrderChanges() throws {
        #expect(try browse("j s t").selection == "Jane Eyre")
        #expect(try browse("j s t s t s l").selection == "Jane Eyre")
    }

    @Test func resultsInASortedListKeepItsOrder() throws {
        #expect(titles(try browse("s t s t / j a n e")) == ["Persuasion", "Jane Eyre", "Emma"])
        #expect(titles(try browse("/ j a n e Enter s t")) == ["Emma", "Jane Eyre", "Persuasion"])
    }

    @Test func anOrderIsResumed() throws {
        _ = try browse("s t s t q")
        #expect(user.place?.sort == "-title")
        #expect(titles(try user.browse()).first == "Wuthering Heights")
    }
}

extension SearchBarTests {
    @Test func aWordWithoutMatchesIsNamedAndASimilarOneSuggested() throws {
        let terminal = try browse("/ j a n e Space w u h t e r i n g")
        let rows = (2..<6).map { (row: Int) in
            String(terminal.row(row).split(separator: "│").first ?? "").trimmingCharacters(in: .whitespaces)
        }
        #expect(
            rows.joined(separator: " ").hasPrefix(
                "No match for “wuhtering”. Did you mean wuthering (1)? Tab accepts"))
        #expect(titles(try browse("/ w u h t e r i n g Tab")) == ["Wuthering Heights"])
        #expect(try browse("/ e m m a Space e y r e").row(2).contains("emma: 2 books; none also contains “eyre”"))
        #expect(try browse("/ j a n e Space h e a r t").row(2).contains("jane: 3 books; none also contains “heart”"))
    }

    @Test func theListIsGroupedIntoSections() throws {
        let terminal = try browse("s t S t")
        let rows = (2..<12).map { terminal.row($0).split(separator: "│").first.map(String.init) ?? "" }
        let texts = rows.map {
            $0.split(separator: " ", omittingEmptySubsequences: true).prefix(2).joined(separator: " ")
        }
        #expect(
            texts.prefix(10) == [
                "E 1", "▌Emma Jane", "H 1", "The Heart", "J 1", "Jane Eyre", "P 1", "Persuasion Jane", "W 1",
                "Wuthering Heights",
            ])
        #expect(try browse("s t S t ] ]").selection == "Jane Eyre")
        #expect(try browse("s t S t ] ] [").selection == "The Heart of Emmaus")
        #expect(try browse("s t S t S n").row(2).contains("Emma"))
        // Sections of a list in descending order are also in descending order.
        #expect(try browse("s t s t S t").row(2).hasPrefix(" W "))
        #expect(try browse("S t s t s t g g").selection == "Wuthering Heights")
        #expect(try browse("S a").title.contains("▸ author"))
    }

    @Test func facetsAreCountedAndNarrowTheList() throws {
        let terminal = try browse("F")
        #expect(terminal.hasTitle(" All books (5)"))
        #expect(terminal.row(2).contains("Authors"))
        #expect(terminal.selection.hasPrefix("[ ] Jane Austen"))
        #expect(terminal.row(3).contains(" 2 "))
        #expect(titles(try browse("F Enter")) == ["Emma", "Persuasion"])
        #expect(titles(try browse("F -")).sorted() == ["Jane Eyre", "The Heart of Emmaus", "Wuthering Heights"])
        #expect(titles(try browse("F Enter ^o")).count == 5)
        #expect(titles(try browse("F Esc")).count == 5)
        // Facets count the listed books.
        #expect(try browse("/ b r o n t e Enter F").selection.hasPrefix("[ ] Charlotte Brontë"))
    }
}

extension SearchBarTests {
    @Test func otherScreensAreNotSearchedOrSorted() throws {
        #expect(titles(try browse("? s t / x Esc Esc")).first == "Emma")
        #expect(try browse("? / x").title.hasPrefix(" Help / x"))
        #expect(titles(try browse("F s t Esc")) == titles(try browse("")))
        #expect(try browse("F /").status.hasPrefix("/"))
        #expect(try browse("F L").title.hasPrefix(" Lists"))
    }
}
