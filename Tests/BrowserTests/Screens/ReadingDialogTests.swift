import Books
import Library
import Shelves
import TerminalTesting
import Testing

@testable import Browser

@Suite("Entering readings") struct ReadingDialogTests {
    private let user = User(bookCount: 3)

    /// What the files have of the reader's own.
    private var userData: UserData {
        get throws {
            let userData = UserData(directory: user.dataDirectory)
            try userData.load()
            return userData
        }
    }

    /// The log of the first book.
    private func log() throws -> ReadingLog {
        try #require(try userData.books.values.first { $0.title == "Book 1" }?.readingLog)
    }

    @Test("a capital asks for the day, which is shown back in full before it is taken") func day() throws {
        let asking = try user.browse("m D " + typed("12 mar 2024"))
        #expect(asking.status.hasPrefix("Read on: 12 mar 2024"))
        #expect(asking.hints.hasPrefix(" Enter read on 12 March 2024"))
        let terminal = try user.browse("m D " + typed("12 mar 2024") + " Enter", resumes: false)
        #expect(terminal.status == "1/3  Read, 12 March 2024: Book 1")
        #expect(terminal.detail.contains("YOU  ● Read 12 Mar 2024"))
        #expect(try log().readings == [Reading(end: "2024-03-12", outcome: .finished)])
    }

    @Test("a day that takes the place of another one is shown with it; in months there is no day") func replaced()
        throws
    {
        try user.browse("m D " + typed("2019") + " Enter")
        let asking = try user.browse("m D " + typed("march 2024"), resumes: false)
        #expect(asking.hints.hasPrefix(" Enter read in March 2024, instead of 2019"), "\(asking.hints)")
        // Another reading is not touched.
        let begun = try user.browse("m r m D " + typed("yesterday"), resumes: false)
        #expect(begun.hints.hasPrefix(" Enter read yesterday   "), "\(begun.hints)")
    }

    @Test("a status that a book has already, and that today is not behind, stays, with the next step") func kept()
        throws
    {
        try user.browse("m D " + typed("2019") + " Enter")
        let read = try user.browse("m d", resumes: false)
        #expect(read.status == "1/3  Read already: Book 1. Press mr to read it again, mD for another day")
        try user.browse("j m R " + typed("2020") + " Enter", resumes: false)
        let reading = try user.browse("j m r", resumes: false)
        #expect(reading.status == "2/3  Reading already: Book 2. Press mR for another day")
    }

    @Test("a day that is none, or in the future, is refused, and stays to be corrected") func refused() throws {
        let none = try user.browse("m R " + typed("soon") + " Enter")
        #expect(none.text.contains("“soon” is not a day"))
        let future = try user.browse("m R " + typed("1 jan 2999") + " Enter", resumes: false)
        #expect(future.text.contains("1 January 2999 is in the future"))
        #expect(try userData.isEmpty)
        let corrected = try user.browse(
            "m R " + typed("sooN") + " Enter ^u " + typed("2019") + " Enter", resumes: false)
        #expect(corrected.status == "1/3  Reading, 2019: Book 1")
    }

    @Test("progress in a book that was read begins another reading, and says so") func progressAgain() throws {
        let terminal = try user.browse("m D " + typed("2019") + " Enter m p " + typed("30") + " Enter")
        #expect(terminal.status == "1/3  Reading again, at page 30: Book 1")
        #expect(try log().readings.count == 2)
    }

    @Test("progress outside the reading is refused") func progressOutside() throws {
        try user.browse("m p " + typed("30") + " Enter")
        let terminal = try user.browse("m D " + typed("2020") + " Enter", resumes: false)
        #expect(terminal.text.contains("would be outside the reading"), "\(terminal.text)")
        #expect(try log().current?.progress.count == 1)
        try user.browse("j m R " + typed("yesterday") + " Enter", resumes: false)
        let early = try user.browse("j m p " + typed("30 2020-01-02") + " Enter", resumes: false)
        #expect(early.text.contains("page 30 on 2 January 2020 would be outside the reading"), "\(early.text)")
    }

    @Test("Esc enters nothing") func cancelled() throws {
        _ = try user.browse("m D " + typed("2019") + " Esc")
        #expect(try userData.isEmpty)
    }

    @Test("progress is a page or a part, and begins a reading") func progress() throws {
        let asking = try user.browse("m p " + typed("30"))
        #expect(asking.hints.hasPrefix(" Enter page 30"))
        let terminal = try user.browse("m p " + typed("30") + " Enter", resumes: false)
        #expect(terminal.status == "1/3  At page 30: Book 1")
        #expect(try log().current?.progress.map(\.place) == [.page(30)])
        let percent = try user.browse("m p " + typed("45% yesterday") + " Enter", resumes: false)
        #expect(percent.status.hasPrefix("1/3  At 45\u{A0}%, yesterday: Book 1"))
        #expect(try log().current?.progress.count == 2)
    }

    @Test("reading again begins a new reading, and one order of undo takes all of it back") func again() throws {
        let keys =
            "m D " + typed("2019") + " Enter m R " + typed("2024-01") + " Enter m D " + typed("2024-02") + " Enter"
        let terminal = try user.browse(keys)
        #expect(
            try log().readings == [
                Reading(end: "2019", outcome: .finished),
                Reading(start: "2024-01", end: "2024-02", outcome: .finished),
            ])
        #expect(terminal.detail.contains("YOU  ● Read Feb 2024, 2 times"))
        #expect(terminal.detail.contains { $0.contains("Log: Jan 2024 – Feb 2024 read") })
        let undone = try user.browse("u u u", resumes: false)
        #expect(undone.status == "1/3  Undone: marked Book 1 as read")
        #expect(try userData.isEmpty)
    }

    @Test("many books are entered at once") func selected() throws {
        let terminal = try user.browse("V m D " + typed("2019") + " Enter")
        #expect(terminal.status.hasSuffix("Read, 2019: 3 books"))
        #expect(try userData.books.values.allSatisfy { $0.readingLog.lastFinished?.end == "2019" })
    }

    @Test("books found by their readings") func searched() throws {
        _ = try user.browse("m D " + typed("2019") + " Enter j m p " + typed("50%") + " Enter")
        #expect(try user.browse("/ " + typed("read:2019") + " Enter", resumes: false).selection.contains("Book 1"))
        #expect(try user.browse("/ " + typed("progress:>40") + " Enter", resumes: false).selection.contains("Book 2"))
        #expect(try user.browse("/ " + typed("readings:0") + " Enter", resumes: false).selection.contains("Book 3"))
    }
}
