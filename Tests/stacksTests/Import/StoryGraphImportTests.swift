internal import CatalogTesting
import Testing

@testable import Books
@testable import stacks

@Suite("Import: exports of StoryGraph") struct StoryGraphImportTests {
    private let header =
        "Title,Authors,Contributors,ISBN/UID,Format,Read Status,Date Added,Last Date Read,Dates Read,Read Count,Moods,Pace,"
        + "Character- or Plot-Driven?,Strong Character Development?,Loveable Characters?,Diverse Characters?,"
        + "Flawed Characters?,Star Rating,Review,Content Warnings,Content Warning Description,Tags,Owned?\n"

    private func books(_ rows: String) throws -> [ImportedBook] {
        let file = try ImportedFile(Array((header + rows).utf8), shownPath: "f")
        let read = try ImportedBooks(file, destination: .favourites)
        #expect(read.problems == [])
        return read.books
    }

    /// The log of a book with these columns.
    private func log(_ status: String, last: String = "\"\"", dates: String = "\"\"", count: String) throws
        -> ReadingLog
    {
        let row =
            "Emma,Jane Austen,\"\",9780141439587,digital,\(status),2021/01/01,\(last),\(dates),\(count),\"\",,,,,,,,,\"\",,\"\",No\n"
        return try #require(try books(row).first).readingLog
    }

    @Test("a row has the status, the rating, the review as a note and the tags as shelves") func row()
        throws
    {
        let found = try books(
            #"Good Omens: A Novel,"Terry Pratchett, Neil Gaiman",Ann E (Narrator),9780060853983,audio,read,2021/01/01,"#
                + #"2021/02/09,2021/01/20-2021/02/09,1,"funny, dark",fast,Plot,Yes,Yes,No,No,4.5,"#
                + #""<div>Grim &amp; funny.<br>Again!</div>","Death, War",,"favorites, sci-fi",Yes"# + "\n"
                + #"Kindle Only,Some Author,"",B0851JCZYV,digital,,2025/07/01,"","",,"",,,,,,,,,"",,"own, later",No"#
                + "\n")
        let book = try #require(found.first)
        #expect(book.book.title == "Good Omens: A Novel" && book.otherTitles == ["Good Omens"])
        #expect(book.book.authors == ["Terry Pratchett", "Neil Gaiman"])
        #expect(book.book.isbn?.number == 9_780_060_853_983)
        #expect(book.status == .read && book.rating?.stars == 4.5 && book.isFavourite && book.shelves == ["sci-fi"])
        #expect(book.note == "Grim & funny.\nAgain!")
        #expect(book.readingLog.readings == [Reading(start: "2021-01-20", end: "2021-02-09", outcome: .finished)])
        #expect(found[1].book.isbn == nil && found[1].status == nil && found[1].rating == nil)
        #expect(found[1].shelves == ["own", "later"] && found[1].readingLog.isEmpty)
    }

    @Test("Dates Read has each reading, the last one first; a day on its own is the end") func datesRead() throws {
        let log = try log(
            "read", last: "2022/11/28", dates: "\"2022/10/29-2022/11/28, 2021/09/14, 2020\"", count: "5")
        #expect(
            log.readings == [
                Reading(outcome: .finished), Reading(outcome: .finished), Reading(end: "2020", outcome: .finished),
                Reading(end: "2021-09-14", outcome: .finished),
                Reading(start: "2022-10-29", end: "2022-11-28", outcome: .finished),
            ])
        #expect(log.toRead == nil)
    }

    @Test("days that do not exist are left out, and a start after the end") func wrongDays() throws {
        let log = try log(
            "read", last: "2024/02/31", dates: "\"2022/05/05-2022/04/04, 2023/02/30-2023/03/01\"", count: "2")
        #expect(
            log.readings == [
                Reading(end: "2022-04-04", outcome: .finished), Reading(end: "2023-03-01", outcome: .finished),
            ])
    }

    @Test("without Dates Read, there is the last date, or none") func lastDateRead() throws {
        #expect(try log("read", last: "2015/07", count: "1").readings == [Reading(end: "2015-07", outcome: .finished)])
        #expect(try log("read", count: "1").readings == [Reading(outcome: .finished)])
        #expect(
            try log("read", dates: "2024-02-15", count: "").readings == [Reading(end: "2024-02-15", outcome: .finished)]
        )
    }

    @Test("the current reading is not counted, but its start may be among the dates") func currentReading() throws {
        #expect(try log("currently-reading", count: "0").readings == [Reading()])
        #expect(
            try log("currently-reading", dates: "2024/11/02-", count: "0").readings == [Reading(start: "2024-11-02")])
        let again = try log("paused", dates: "\"2024/11/02-, 2020/01/01-2020/02/01\"", count: "1")
        #expect(
            again.readings == [
                Reading(start: "2020-01-01", end: "2020-02-01", outcome: .finished), Reading(start: "2024-11-02"),
            ])
        #expect(
            try log("did-not-finish", dates: "2024/11/02-2024/11/05", count: "0").readings
                == [Reading(start: "2024-11-02", end: "2024-11-05", outcome: .abandoned)])
        #expect(try log("did-not-finish", count: "0").readings == [Reading(outcome: .abandoned)])
    }

    @Test("the day of a book to read is the one when it was added") func toRead() throws {
        #expect(try log("to-read", count: "0") == ReadingLog(toRead: "2021-01-01", readings: []))
    }

    @Test(
        "ratings have quarters of stars",
        arguments: [("0.1", 1), ("0.25", 1), ("1.25", 3), ("3.5", 7), ("3.75", 8), ("5.0", 10)])
    func rating(text: String, halves: Int) throws {
        let row = "A,B,\"\",\"\",,read,2021/01/01,\"\",\"\",1,\"\",,,,,,,\(text),,\"\",,\"\",No\n"
        #expect(try books(row).first?.rating == StarRating(halves: halves))
        #expect(try books(row.replacing(text, with: "")).first?.rating == nil)
    }

    @Test("earlier exports have other names of columns") func earlierNames() throws {
        let text =
            "Title,Author,Contributors,ISBN,Read Status,Read Count\n\"Bloom into You, Vol. 3\",\"N, M\",\"\",0141439580,read,1\n"
        let book = try ImportedBooks(try ImportedFile(Array(text.utf8), shownPath: "f"), destination: .favourites)
            .books[0]
        #expect(book.book.authors == ["N", "M"] && book.book.isbn?.isValid == true && book.status == .read)
    }
}
