import TerminalTesting
import TerminalUI
import Testing

@testable import Books
@testable import Browser
@testable import Library
@testable import Search

/// The group of searches for what is missing or wrong, behind the lists.
@Suite("Tidy up") struct TidyUpTests {
    private let user = Self.makeUser()

    private static func makeUser() -> User {
        func book(_ title: String, _ position: Double? = nil, _ change: (inout Book) -> Void = { _ in }) -> Book {
            var book = Book.make(title: title, authors: ["Terry Pratchett"])
            (book.series, book.seriesPosition) = ("Discworld", position)
            book.published = PartialDate(year: 1990)
            book.languages = ["en"]
            change(&book)
            return book
        }
        let user = User(books: [
            book("Mort", 4), book("Sourcery", 5) { $0.authors = [] }, book("Pyramids", 7) { $0.published = nil },
            book("The Art") { $0.cover = "art.jpg" }, book("Wyrd Sisters", 6) { $0.isbn = ISBN("9780306406158") },
            book("Equal Rites", 3) { $0.status = .read }, book("Eric", 10) { $0.languages = [] },
            book("Emma") { $0.series = nil },
        ])
        user.settings.hasTidyUp = true
        return user
    }

    /// The rows of the lists from the group on.
    private func group(_ terminal: ScriptedTerminal) -> [String] {
        let rows = terminal.text.split(separator: "\n").map { row in
            row.prefix { $0 != "│" }.split(separator: " ").joined(separator: " ")
        }
        return rows.drop { !$0.contains("Tidy up") }.prefix { $0.contains("▸") || $0.contains("▾") || $0.contains("⌕") }
            .map(\.self)
    }

    @Test func itIsClosedAtFirst() throws {
        let terminal = try user.browse("L G", columns: 120, rows: 30)
        #expect(group(terminal) == ["▌▸ Tidy up"])
        #expect(terminal.text.contains("Books without an author, year, language or cover, and more."))
    }

    @Test func openedItCountsTheBooksOfEachSearch() throws {
        let isCounted: (Canvas) -> Bool = { $0.text.contains("is:series-gap") && !$0.text.contains("…") }
        let terminal = try user.browse(
            steps: ScriptedTerminal.Step.keys("L G Enter") + [.wakeUps(until: isCounted)], columns: 120, rows: 30)
        #expect(
            group(terminal) == [
                "▌▾ Tidy up", "⌕ No author -has:author 1", "⌕ No year -has:year 1", "⌕ No language -has:language 1",
                "⌕ No cover -has:cover 7", "⌕ Invalid ISBN is:invalid-isbn 1",
                "⌕ No number in series has:series -has:posi… 1", "⌕ Gaps in series is:series-gap 7",
            ])
        #expect(try group(user.browse("L G Enter Enter", columns: 120, rows: 30, resumes: false)) == ["▌▸ Tidy up"])
    }

    @Test func eachSearchFindsWhatItsNameSays() throws {
        for (number, titles) in [["Sourcery"], ["Pyramids"], ["Eric"], [], ["Wyrd Sisters"], ["The Art"]].enumerated() {
            let down = String(repeating: "j ", count: number + 1)
            let terminal = try user.browse("L G Enter \(down)Enter", columns: 120, rows: 30, resumes: false)
            if !titles.isEmpty { #expect(terminal.hasTitle(" \(TidyUpSearch.allCases[number].name) (1)"), "\(number)") }
            if let title = titles.first { #expect(terminal.selection == title) }
        }
    }

    @Test func seriesWithGapsSayWhichNumbersAreMissing() throws {
        let terminal = try user.browse("L G Enter G Enter", columns: 120, rows: 30, resumes: false)
        #expect(terminal.text.contains("Discworld: #1–2, #8–9 missing"))
        #expect(terminal.hasTitle(" Gaps in series (7) ▸ series"))
        // The heading tells how many books there are, and how many of them were read.
        #expect(terminal.text.contains(#/missing +● 1 +7/#))
        // Of a part of the series, nothing is missing.
        let searched = try user.browse("L G Enter G Enter / " + typed("mort") + " Enter", columns: 120, rows: 30)
        #expect(!searched.text.contains("missing"))
        // The grouping belongs to this list.
        let other = try user.browse("L G Enter G Enter L g g Enter", columns: 120, rows: 30, resumes: false)
        #expect(other.hasTitle(" All books (8)   "))
    }

    @Test func otherListsKeepTheirNumbers() throws {
        _ = try user.browse("b " + typed("Loans") + " Enter", resumes: false)
        #expect(try user.browse("g 6", resumes: false).hasTitle(" Loans (1)"))
        let none = try user.browse("g 7", resumes: false)
        #expect(none.status.contains("7"), "\(none.status)")
        #expect(none.hasTitle(" All books (8)"))
    }

    @Test func theNextStartOpensTheSameSearch() throws {
        _ = try user.browse("L G Enter j Enter", resumes: false)
        #expect(try user.browse().hasTitle(" No author (1)"))
        user.settings.hasTidyUp = false
        #expect(try user.browse().hasTitle(" All books (8)"))
    }

    @Test func theRowOfTheOpenSearchIsShownWithTheLists() throws {
        _ = try user.browse("L G Enter j Enter", resumes: false)
        #expect(try user.browse("L").text.contains(#/▌⌕ No author/#))
        // Beside the list, the group stays closed.
        let closed = try user.browse("L G Enter j Enter L k Enter Esc", columns: 160, resumes: false)
        #expect(closed.hasTitle(" No author (1)") && closed.text.contains("▸ Tidy up"))
    }

    @Test func onTheRowOfTheGroupNothingIsExportedOrDeleted() throws {
        for key in ["x", "D", "="] {
            let terminal = try user.browse("L G \(key)", columns: 120, rows: 30, resumes: false)
            #expect(terminal.status.hasSuffix("Tidy up is a group of lists. Press Enter to open it"), "\(key)")
        }
    }

    @Test func theConfigHidesIt() throws {
        user.settings.hasTidyUp = false
        #expect(try !user.browse("L", columns: 120, rows: 30).text.contains("Tidy up"))
    }

    @Test func thePaletteFindsItsSearches() throws {
        let terminal = try user.browse(": " + typed("gaps in") + " Enter", columns: 120, rows: 30)
        #expect(terminal.hasTitle(" Gaps in series (7) ▸ series"))
    }

    @Test func anEmptySearchSaysSo() throws {
        user.books = [Book.make(title: "Emma", authors: ["Jane Austen"])]
        let terminal = try user.browse("L G Enter j Enter", columns: 120, rows: 30)
        #expect(terminal.text.contains("Nothing to tidy up here. Press L for other lists"))
    }

    @Test func inLineModeItSaysWhetherItIsOpen() throws {
        let answers = try user.narrate("L G Enter", resumes: false).answers
        #expect(answers[2].first?.hasPrefix("closed, Tidy up") == true, "\(answers)")
        #expect(answers[3].first?.hasPrefix("open, Tidy up") == true, "\(answers)")
    }
}
