import Foundation
import Shelves
import TerminalTesting
import TestSupport
import Testing

@testable import Books
@testable import Browser
@testable import Library
@testable import TerminalUI

/// The rows of the history, its filter, and the book that an undo shows.
@Suite("History")
struct HistoryScreenTests {
    private let user = User(bookCount: 5)

    // MARK: - Rows

    @Test func eachRowNamesWhatTheUserDid() throws {
        try user.browse("m d j m r j b a Enter j 2 Space m t")
        let terminal = try user.browse("U")
        let rows = (2...5).map { terminal.row($0) }
        #expect(terminal.status == "1/4")
        #expect(rows[0].contains("2 books: marked to read"))
        #expect(rows[1].contains("Added Book 3 to new shelf “a”"))
        #expect(rows[2].contains("Book 2: marked reading"))
        #expect(rows[3].contains("Book 1: marked read"))
        #expect(rows.allSatisfy { $0.contains(#/(today|yesterday) \d\d:\d\d /#) })
    }

    @Test func goingBackIsARowOfItsOwn() throws {
        try user.browse("t j r 4 j m d U G Enter")
        #expect(try user.browse("U").row(2).contains("Undid 2 changes"))
    }

    @Test func timesAreRelativeToToday() throws {
        let dates = HistoryDates(today: try #require(CalendarDay("2026-11-26")))
        let time = try localTime(of: "2026-11-26T12:30:00Z")
        #expect(dates.text(of: "2026-11-26T12:30:00Z") == "today \(time)")
        #expect(dates.text(of: "2026-11-25T12:30:00Z") == "yesterday \(time)")
        #expect(dates.text(of: "2026-11-24T12:30:00Z") == "Tue 24 Nov \(time)")
        #expect(dates.text(of: "2026-03-03T12:30:00Z").hasPrefix("Tue 3 Mar "))
        #expect(dates.text(of: "2025-11-24T12:30:00Z") == "Mon 24 Nov 2025 \(time)")
        // A clock that was wrong for a while.
        #expect(dates.text(of: "2026-11-28T12:30:00Z") == "Sat 28 Nov \(time)")
        #expect(dates.text(of: "rubbish") == "")
        #expect(dates.text(of: "") == "")
    }

    @Test func yesterdayMayBeInTheLastYear() throws {
        let dates = HistoryDates(today: try #require(CalendarDay("2027-01-01")))
        #expect(dates.text(of: "2026-12-31T12:30:00Z").hasPrefix("yesterday "))
        #expect(dates.text(of: "2026-12-30T12:30:00Z").hasPrefix("Wed 30 Dec 2026 "))
    }

    private func localTime(of date: String) throws -> String {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.dateFormat = "HH:mm"
        return format.string(from: try #require(ISO8601DateFormatter().date(from: date)))
    }

    // MARK: - The filter

    @Test func theFilterShowsChangesWithAllWords() throws {
        try user.browse("t j r 4 j m d j t")
        let terminal = try user.browse("U / " + typed("favourites ADDED"))
        #expect(terminal.title.hasPrefix(" History / favourites ADDED"))
        #expect(terminal.row(2).contains("Added Book 4") && terminal.row(3).contains("Added Book 1"))
        #expect(!terminal.row(4).contains("Book"))
        let kept = try user.browse("U / " + typed("favourites") + " Enter j")
        #expect(kept.status == "2/2")
        let other = try user.browse("U / " + typed("book marked") + " Enter")
        #expect(other.row(2).contains("Book 3: marked read") && !other.row(3).contains("Book"))
    }

    @Test func theFilterFindsDates() throws {
        try user.browse("t j r 4")
        let days = try user.browse("U / " + typed("day")).text
        #expect(days.contains("Added Book 1") && days.contains("★★★★☆ for Book 2"))
        #expect(try user.browse("U / " + typed("xyzzy")).text.contains("No matching change."))
    }

    @Test func escClearsTheFilterBeforeItCloses() throws {
        try user.browse("t j r 4")
        let shown = try user.browse("U / f a v Enter Esc")
        #expect(shown.title.hasPrefix(" History") && shown.status == "1/2")
        #expect(try user.browse("U / f a v Esc").status == "1/2")
        #expect(try user.browse("U / f a v Enter Esc Esc").title.hasPrefix(" All books"))
    }

    @Test func enterInTheFilteredHistoryGoesBackToTheShownChange() throws {
        try user.browse("t j r 4 j m d")
        let terminal = try user.browse("U / f a v Enter Enter")
        #expect(terminal.status == "3/5  Back to: added Book 1 to favourites. u undoes this")
        #expect(user.saved.books.count == 1)
    }

    @Test func undoKeepsTheFilterAndShowsTheUndoneChange() throws {
        try user.browse("t j t j r 4")
        let terminal = try user.browse("U / f a v Enter j u u")
        #expect(terminal.title.hasPrefix(" History / fav"))
        #expect(terminal.status.hasPrefix("1/2"))
        #expect(terminal.row(2).contains("undone") && !terminal.row(3).contains("undone"))
    }

    @Test func anEmptyHistoryOffersNoFilter() throws {
        #expect(!(try user.browse("U").hints.contains("filter")))
        #expect(try user.browse("t U").hints.contains("/ filter"))
    }

    // MARK: - The book of an undone change

    @Test func undoShowsTheBook() throws {
        try user.browse("j j t g g", resumes: false)
        #expect(try user.browse("u", resumes: false).status == "3/5  Undone: added Book 3 to favourites")
        #expect(try user.browse("^r", resumes: false).status == "3/5  Redone: added Book 3 to favourites")
    }

    @Test func undoInTheHistoryShowsTheBookInTheList() throws {
        try user.browse("j j j r 4 g g t", resumes: false)
        #expect(try user.browse("U u u Esc", resumes: false).status.hasPrefix("4/5"))
    }

    @Test func undoOfANewShelfShowsItsBook() throws {
        try user.browse("j b a Enter", resumes: false)
        #expect(try user.browse("u", resumes: false).status == "2/5  Undone: added Book 2 to new shelf “a”")
        #expect(user.saved.shelves.isEmpty && user.saved.isEmpty)
    }

    @Test func undoOfSeveralBooksLeavesTheCurrentOne() throws {
        try user.browse("j 2 Space t", resumes: false)
        #expect(try user.browse("G u", resumes: false).status == "5/5  Undone: added 2 books to favourites")
    }

    @Test func aBookThatTheListDoesNotHaveIsNotShown() throws {
        try user.browse("j j t", resumes: false)
        let terminal = try user.browse("/ " + typed("title:\"Book 1\"") + " Enter u", resumes: false)
        #expect(terminal.status.hasPrefix("1/1"))
        #expect(terminal.text.contains("Undone: added Book 3 to favourites"))
    }

    @Test func theBookIsShownInTheOrderOfTheList() throws {
        try user.browse("j r 4", resumes: false)
        #expect(try user.browse("s t s t u", resumes: false).selection.contains("Book 2"))
    }

    @Test func aBookThatComesBackToAListIsShown() throws {
        try user.browse("t j t j t", resumes: false)
        let terminal = try user.browse("L j Enter j t G u", resumes: false)
        #expect(terminal.status == "2/3  Undone: removed Book 2 from favourites")
    }

    @Test func ofTwoEqualBooksTheChangedOneIsShown() throws {
        let twins = User(books: ["Emma", "Mort", "Emma"].map { .make(title: $0) })
        try twins.browse("G t", resumes: false)
        #expect(try twins.browse("j u", resumes: false).status == "3/3  Undone: added Emma to favourites")
    }

    @Test func undoOfAnEditShowsTheBook() throws {
        let path = try user.writeCatalog()
        try user.browse("j j E ^u X Y ^s", source: user.edited(path), resumes: false)
        let terminal = try user.browse("g g u", source: user.edited(path), resumes: false)
        #expect(terminal.status.hasPrefix("3/5  Undone: changed Book 3"))
    }
}
