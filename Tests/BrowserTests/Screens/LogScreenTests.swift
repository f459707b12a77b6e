import Foundation
import Library
import Shelves
import TerminalTesting
import Testing

@testable import Books
@testable import Browser

@Suite("The reading log") struct LogScreenTests {
    private let user = User(bookCount: 3)

    private var userData: UserData {
        get throws {
            let userData = UserData(directory: user.dataDirectory)
            try userData.load()
            return userData
        }
    }

    private func readings(of title: String = "Book 1") throws -> [Reading] {
        try userData.books.values.first { $0.title == title }?.readingLog.readings ?? []
    }

    /// Reads the first book in 2019 and 2024, and begins the second one.
    private func enterReadings() throws {
        try user.browse(
            "m D " + typed("2019") + " Enter m R " + typed("1 mar 2024") + " Enter m D " + typed("12 mar 2024")
                + " Enter", resumes: false)
        try user.browse("j m R " + typed("3 may 2025") + " Enter", resumes: false)
    }

    @Test("all readings are rows, the latest first; Enter shows the book") func rows() throws {
        try enterReadings()
        let terminal = try user.browse("m L", resumes: false)
        #expect(terminal.title.hasPrefix(" Reading log"))
        #expect(terminal.row(2).contains(#/3.May.2025 +reading +Book 2/#), "\(terminal.text)")
        #expect(terminal.row(3).contains(#/1.Mar.2024 +12.Mar.2024 +read +Book 1/#))
        #expect(terminal.row(4).contains(#/2019 +read +Book 1/#))
        #expect(terminal.status.hasPrefix("1/3"))
        #expect(try user.browse("G m L Enter", resumes: false).selection.hasSuffix("Book 2"))
    }

    @Test("the readings of one book are those of the current one") func oneBook() throws {
        try enterReadings()
        let terminal = try user.browse("m l", resumes: false)
        #expect(terminal.title.hasPrefix(" Readings of Book 1") && terminal.status.hasPrefix("1/2"))
        let none = try user.browse("G m l", resumes: false)
        #expect(none.text.contains("No readings of Book 3 yet. Press md on it once you have read it"))
        #expect(try user.browse("Space Space m l", resumes: false).status.contains("Select one of 2 books"))
    }

    @Test("days and outcome are edited in one line, which says what they mean") func editing() throws {
        try enterReadings()
        let asking = try user.browse("m L j E ^u " + typed("2023 to 12 mar 2024 abandoned"), resumes: false)
        #expect(asking.status.hasPrefix("Read from … to …: 2023 to 12 mar 2024 abandoned"), "\(asking.status)")
        #expect(asking.hints.hasPrefix(" Enter abandoned from 2023 to 12 March 2024"), "\(asking.hints)")
        let done = try user.browse("m L j E ^u " + typed("2023 to 12 mar 2024 abandoned") + " Enter", resumes: false)
        #expect(done.status.contains("Book 1: abandoned from 2023 to 12 March 2024"), "\(done.status)")
        #expect(done.row(3).contains("abandoned"))
        #expect(
            try readings() == [
                Reading(end: "2019", outcome: .finished),
                Reading(start: "2023", end: "2024-03-12", outcome: .abandoned),
            ])
    }

    @Test("the end typed behind an open reading finishes it") func finishing() throws {
        try enterReadings()
        let done = try user.browse("m L E " + typed("4 may 2025") + " Enter", resumes: false)
        #expect(done.status.contains("Book 2: read from 3 May 2025 to 4 May 2025"), "\(done.status)")
        #expect(try userData.books.values.first { $0.title == "Book 2" }?.status == .read)
    }

    @Test("days that do not fit are refused, and stay to be corrected") func refused() throws {
        try enterReadings()
        let terminal = try user.browse("m L j E ^u " + typed("2024 to 2023") + " Enter", resumes: false)
        #expect(terminal.text.contains("The end in 2023 is before the start in 2024. Check the days"))
        #expect(terminal.text.contains("Read from … to …: 2024 to 2023"))
        #expect(try readings().count == 2)
    }

    @Test("a reading is removed, and undo brings it back") func removing() throws {
        try enterReadings()
        let removed = try user.browse("m L j X", resumes: false)
        #expect(
            removed.text.contains("Removed from the log: Book 1, read from 1 March 2024 to 12 March 2024; u undoes"),
            "\(removed.status)")
        #expect(removed.row(3).contains("2019"))
        #expect(try readings() == [Reading(end: "2019", outcome: .finished)])
        let restored = try user.browse("m L u", resumes: false)
        #expect(restored.row(3).contains("12\u{A0}Mar\u{A0}2024"))
        #expect(try readings().count == 2)
    }

    @Test("the filter has titles, days and outcomes") func filter() throws {
        try enterReadings()
        #expect(try user.browse("m L / " + typed("book 1"), resumes: false).row(2).contains("12\u{A0}Mar\u{A0}2024"))
        #expect(try user.browse("m L / " + typed("2019") + " Enter", resumes: false).status.hasPrefix("1/1"))
        #expect(try user.browse("m L / " + typed("zzz"), resumes: false).text.contains("No reading matches"))
    }

    @Test("a book that is not in the catalog is listed, edited and removed, but not shown") func missing() throws {
        try enterReadings()
        user.books = [Book.make(title: "Other")]
        let terminal = try user.browse("m L Enter", resumes: false)
        #expect(terminal.text.contains("Book 2 is not in this catalog"))
        try user.browse("m L X", resumes: false)
        #expect(try readings(of: "Book 2").isEmpty)
    }

    // MARK: - A day earlier

    @Test("- right after a status moves its day back, again and again") func dayBack() throws {
        let terminal = try user.browse("m d - -", resumes: false)
        let today = try #require(CalendarDay(UserData(directory: nil).today))
        #expect(try readings() == [Reading(end: (today - 2).text, outcome: .finished)])
        #expect(terminal.status.contains("- goes back another day"), "\(terminal.status)")
        #expect(try user.browse("j m d -", resumes: false).status.contains("Read, yesterday: Book 2"))
    }

    @Test(
        "- is refused elsewhere, with what to do",
        arguments: ["-", "m d j -", "m d t -", "m d u -", "r 4 -", "Space m d Esc j Space -"])
    func refusedDayBack(keys: String) throws {
        let terminal = try user.browse(keys, resumes: false)
        #expect(terminal.status.contains("Press - right after a status, as md, to move its day back"))
    }

    @Test("a book is not finished before it was begun") func dayBeforeStart() throws {
        let terminal = try user.browse("m r m d -", resumes: false)
        #expect(terminal.text.contains("Check the days"), "\(terminal.status)")
        #expect(try readings().first?.end == readings().first?.start)
    }

    // MARK: - The goal

    @Test("the goal is set from the statistics, kept, and undone") func goal() throws {
        user.settings.readingGoal = 12
        let year = try #require(CalendarDay(UserData(directory: nil).today)).year
        #expect(try user.browse("%", resumes: false).text.contains("0 of 12 books in \(year)"))
        let asking = try user.browse("% E", resumes: false)
        #expect(asking.status.hasPrefix("Books to read in \(year): 12"), "\(asking.status)")
        let set = try user.browse("% E 3 0 Enter", resumes: false)
        #expect(set.text.contains("0 of 30 books in \(year)") && set.text.contains("Goal for \(year): 30 books"))
        #expect(try user.browse("%", resumes: false).text.contains("0 of 30 books"))
        #expect(try user.browse("% u", resumes: false).text.contains("0 of 12 books"))
        #expect(try !user.browse("% E 0 Enter", resumes: false).text.contains("books in \(year)"))
        let settings = try user.browse("% E ^u Enter", resumes: false)
        #expect(settings.text.contains("0 of 12 books") && settings.text.contains("is that of the settings again"))
        #expect(try user.browse("% E x Enter", resumes: false).text.contains("“x” is not a number of books"))
    }

    // MARK: - Orders

    @Test("lists are sorted by rating, day, status, and shuffled") func orders() throws {
        try user.browse("j r 3 j r 5", resumes: false)
        let mine = try user.browse("s m g g", resumes: false)
        #expect(mine.title.contains("my rating ↓") && mine.selection == "Book 3")
        // A rating changes the order at once.
        #expect(try user.browse("s m G r 5 r + g g", resumes: false).title.contains("my rating ↓"))
        #expect(try user.browse("m d s f g g", resumes: false).selection.hasSuffix("Book 1"))
        #expect(try user.browse("G m r s s g g", resumes: false).selection.hasSuffix("Book 3"))
        // A rating that was given while the list was sorted otherwise counts, too.
        #expect(try user.browse("s m s t j r 0 j j r 0 s m g g", resumes: false).title.contains("my rating ↓"))
        let random = try user.browse("s R", resumes: false)
        #expect(random.status.contains("Sorted by random order"))
        #expect(random.title.contains("random") && !random.title.contains("random ↑"))
    }
}
