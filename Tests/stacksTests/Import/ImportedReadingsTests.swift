import Testing

@testable import Books
@testable import stacks

@Suite("Import: readings in files of other programs") struct ImportedReadingsTests {
    private func book(_ text: String) throws -> ImportedBook {
        let read = try ImportedBooks(try ImportedFile(Array(text.utf8), shownPath: "f"), destination: .favourites)
        #expect(read.problems == [])
        return try #require(read.books.first)
    }

    // MARK: - Goodreads

    private func goodreads(_ shelf: String, dateRead: String = "", count: String) throws -> ReadingLog {
        try book(
            "Title,Author,My Rating,Date Read,Date Added,Exclusive Shelf,Read Count\n"
                + "Emma,Jane Austen,0,\(dateRead),2018/12/24,\(shelf),\(count)\n"
        ).readingLog
    }

    private let unknown = Reading(outcome: .finished)
    private let known = Reading(end: "2023-01-15", outcome: .finished)

    @Test("Read Count is the number of finished readings; the days of all but one are unknown") func readCount() throws
    {
        #expect(try goodreads("read", dateRead: "2023/01/15", count: "3").readings == [unknown, unknown, known])
        #expect(try goodreads("read", dateRead: "2023/01/15", count: "1").readings == [known])
        #expect(try goodreads("read", count: "2").readings == [unknown, unknown])
        #expect(try goodreads("read", count: "").readings == [unknown])
        #expect(try goodreads("read", count: "0").readings == [unknown])
    }

    @Test("Goodreads counts the current reading") func currentReading() throws {
        #expect(try goodreads("currently-reading", count: "1").readings == [Reading()])
        #expect(try goodreads("currently-reading", dateRead: "2023/01/15", count: "2").readings == [known, Reading()])
        #expect(try goodreads("currently-reading", dateRead: "2023/01/15", count: "3").finishedCount == 2)
        #expect(try goodreads("did-not-finish", count: "1").readings == [Reading(outcome: .abandoned)])
    }

    @Test("a book to read again keeps its readings") func toReadAgain() throws {
        let log = try goodreads("to-read", dateRead: "2023/01/15", count: "2")
        #expect(log.readings == [unknown, known])
        #expect(log.toRead == "2018-12-24")
        #expect(try goodreads("to-read", count: "0").readings == [])
    }

    @Test("a count that no reader has is not believed") func hugeCount() throws {
        #expect(try goodreads("read", count: "4000000000").finishedCount == 1000)
        #expect(try goodreads("read", count: "-5").finishedCount == 1)
    }

    // MARK: - stacks

    @Test("readings that cannot be read are reported with their line") func invalidReadings() throws {
        let text = "id,title,authors,status,readDate,readings\nx,A,B,read,2023,2019; soon\nx,C,D,,,2019\n"
        let read = try ImportedBooks(try ImportedFile(Array(text.utf8), shownPath: "f"), destination: .favourites)
        #expect(read.problems == ["f, line 2: invalid value of readings"])
        #expect(
            read.books.map(\.readingLog.readings) == [
                [Reading(end: "2023", outcome: .finished)], [Reading(end: "2019", outcome: .finished)],
            ])
    }
}
