import Foundation
import Testing

@testable import Books
@testable import Formats
@testable import Graphemes
@testable import JSON

/// The user data in each format.
@Suite("Formats: user data") struct UserDataFormatsTests {
    init() { useUTF8Locale() }

    private var book: Book {
        var book = Book(
            title: "Emma", authors: ["Jane Austen", "A. B"], isbn: ISBN("0141439580"), pageCount: 474)
        book.publisher = "Penguin, Books"
        book.published = PartialDate(year: 2003)
        book.subjects = ["Novels", "England"]
        book.rating = 3.9
        book.identifiers = [.init(scheme: "goodreads", value: "6969")]
        return book
    }

    private var userData: PrintedUserData {
        var userData = PrintedUserData()
        userData.isFavourite = true
        userData.shelves = ["England", "a, b", "sci-fi"]
        userData.status = .read
        userData.readingLog = ReadingLog(
            statusDates: [.toRead: "2025-01-02", .read: "2025-02-03"], status: .read)
        userData.rating = StarRating(whole: 4)
        userData.note = "One\n\n\"two\" & <b>"
        return userData
    }

    private func text(_ format: ExportFormat, userData: PrintedUserData?) -> String {
        var form = format.formatter(includesUserData: userData != nil)
        var text: [UInt8] = []
        form.begin(&text)
        form.append(PrintedBook(book: book, userData: userData), to: &text)
        form.end(&text)
        return String(decoding: text, as: UTF8.self)
    }

    @Test func theNativeRecordHasOneMemberForIt() {
        let json = text(.jsonl, userData: userData)
        #expect(
            json.hasSuffix(
                #","rating":3.9,"userData":{"favourite":true,"shelves":["England","a, b","sci-fi"],"status":"read","#
                    + #""statusDates":{"to-read":"2025-01-02","read":"2025-02-03"},"rating":4,"#
                    + #""note":"One\n\n\"two\" & <b>"}}"# + "\n"))
        // The members before it are the same as without user data.
        let plain = text(.jsonl, userData: nil)
        #expect(plain.hasSuffix(#""rating":3.9}"# + "\n"))
        #expect(json.hasPrefix(plain.dropLast(2)))
    }

    @Test func onlyWhatIsSetIsAMember() {
        var userData = PrintedUserData()
        userData.rating = StarRating(whole: 0)
        #expect(userData.json.json == #"{"rating":0}"#)
    }

    @Test func theTableHasColumnsForIt() {
        let lines = text(.csv, userData: userData).components(separatedBy: "\r\n")
        #expect(
            lines[0]
                == "id,title,authors,isbn,pages,year,publisher,language,series,subjects,favourite,shelves,status,"
                + "toReadDate,readingDate,readDate,abandonedDate,readings,rating,note,published,subtitle,otherTitle,sortTitle,"
                + "fiction,seriesPosition,contributors,identifiers,description,cover,catalogRating,catalogStatus,dateAdded,"
                + "sourceID")
        #expect(
            lines[1]
                == #"isbn:9780141439587,Emma,Jane Austen; A. B,0141439580,474,2003,"Penguin, Books",,,Novels; England,"#
                + #"yes,"England; a, b; sci-fi",read,2025-01-02,,2025-02-03,,,4,"One"# + "\n\n" + #"""two"" & <b>","#
                + "2003,,,,,,,goodreads:6969,,,3.9,,,")
    }

    @Test func aRowOfGoodreadsHasItsColumns() {
        let lines = text(.goodreads, userData: userData).components(separatedBy: "\r\n")
        #expect(
            lines[0]
                == "Book Id,Title,Author,Author l-f,Additional Authors,ISBN,ISBN13,My Rating,Average Rating,Publisher,Binding,"
                + "Number of Pages,Year Published,Original Publication Year,Date Read,Date Added,Bookshelves,"
                + "Bookshelves with positions,Exclusive Shelf,My Review,Spoiler,Private Notes,Read Count,Owned Copies,"
                + "Half Star,Date To Read,Date Started,Date Abandoned,Readings,Stacks Id")
        #expect(
            lines[1]
                == #"6969,Emma,Jane Austen,"Austen, Jane",A. B,"=""""","=""9780141439587""",4,3.9,"Penguin, Books",,474,2003,,"#
                + #"2025/02/03,2025/01/02,"favorites, England, ""a, b"", sci-fi",,read,,,"One"# + "\n\n"
                + #"""two"" & &lt;b>",1,0,,2025/01/02,,,,isbn:9780141439587"#)
    }

    @Test func aRowOfStoryGraphHasItsColumns() {
        var userData = userData
        userData.readingLog = ReadingLog(
            toRead: "2019-12-24",
            readings: [
                Reading(outcome: .finished), Reading(start: "2020-01-02", end: "2020-02-03", outcome: .finished),
                Reading(end: "2025-02", outcome: .finished), Reading(start: "2026-01-01", outcome: .abandoned),
            ])
        let lines = text(.storygraph, userData: userData).components(separatedBy: "\r\n")
        #expect(
            lines[0]
                == "Title,Authors,Contributors,ISBN/UID,Format,Read Status,Date Added,Last Date Read,Dates Read,Read Count,"
                + "Moods,Pace,Character- or Plot-Driven?,Strong Character Development?,Loveable Characters?,"
                + "Diverse Characters?,Flawed Characters?,Star Rating,Review,Content Warnings,"
                + "Content Warning Description,Tags,Owned?,Date To Read,Readings,Stacks Id")
        #expect(
            lines[1]
                == #"Emma,"Jane Austen, A. B",,9780141439587,,read,2019/12/24,2025/02,"2025/02, 2020/01/02-2020/02/03",3,"#
                + #",,,,,,,4.0,"One"# + "\n\n" + #"""two"" & &lt;b>",,,"favorites, England, ""a, b"", sci-fi",No,"#
                + #"2019/12/24,?..?; 2020-01-02..2020-02-03; ?..2025-02; 2026-01-01..? abandoned,isbn:9780141439587"#)
    }

    @Test(
        arguments: [
            (.read, 1, "1"), (.read, 3, "3"), (.read, 0, "1"), (.toRead, 2, "2"), (.reading, 0, "1"),
            (.reading, 2, "3"),
            (.abandoned, 1, "2"), (nil, 1, "1"),
        ] as [(Book.ReadingStatus?, Int, String)])
    func goodreadsCountsTheCurrentReadingToo(status: Book.ReadingStatus?, finished: Int, count: String) {
        var userData = PrintedUserData()
        userData.status = status
        userData.readingLog = ReadingLog(
            readings: (0..<finished).map { Reading(end: "202\($0)", outcome: .finished) })
        let fields = text(.goodreads, userData: userData).components(separatedBy: "\r\n")[1]
            .components(separatedBy: ",")
        #expect(fields[24] == count)
        #expect(GoodreadsFormatter.finishedCount(ofReadCount: Int(count) ?? 0, status: status) >= finished)
    }

    @Test(
        "Half stars are exact in JSON, CSV and StoryGraph; Goodreads has whole stars, rounded down",
        arguments: [
            (ExportFormat.json, #""rating":4.5"#), (.csv, ",4.5,"), (.storygraph, ",4.5,"), (.goodreads, ",4,"),
            (.goodreads, ",yes,"), (.bibtex, "{rank4}"), (.calibre, "4.5"),
        ])
    func halfStars(format: ExportFormat, expected: String) {
        var userData = PrintedUserData()
        userData.rating = StarRating(halves: 9)
        #expect(text(format, userData: userData).contains(expected))
    }

    @Test func readingsThatDatesDoNotSayHaveAMember() throws {
        var userData = PrintedUserData()
        userData.status = .read
        userData.readingLog = ReadingLog(
            toRead: "2018",
            readings: [
                Reading(end: "2019", outcome: .finished), Reading(start: "2020", end: "2021", outcome: .finished),
            ])
        let json =
            #"{"status":"read","statusDates":{"to-read":"2018","reading":"2020","read":"2021"},"#
            + #""readings":[{"end":"2019","outcome":"read"},{"end":"2021","outcome":"read","start":"2020"}]}"#
        #expect(userData.json.json == json)
        var invalid: [String] = []
        #expect(
            PrintedUserData(json: try #require(JSONValue(parsing: Array(json.utf8))), invalid: &invalid) == userData)
        #expect(invalid == [])
    }

    @Test(
        "a damaged reading is reported",
        arguments: [#"{}"#, #"[{"end":"soon","outcome":"read"}]"#, #"[{"progress":[{"day":"x","page":3}]}]"#])
    func damagedReadings(readings: String) throws {
        var invalid: [String] = []
        let json = try #require(JSONValue(parsing: Array(#"{"rating":3,"readings":\#(readings)}"#.utf8)))
        #expect(PrintedUserData(json: json, invalid: &invalid).rating?.stars == 3)
        #expect(invalid == ["readings"])
    }

    @Test(
        arguments: [
            (.toRead, "to-read", "to-read"), (.reading, "currently-reading", "currently-reading"),
            (.read, "read", ""), (.abandoned, "did-not-finish", "did-not-finish"),
        ] as [(Book.ReadingStatus, String, String)])
    func aStatusIsAShelfOfGoodreads(status: Book.ReadingStatus, exclusive: String, shelves: String) {
        var userData = PrintedUserData()
        userData.status = status
        let fields = text(.goodreads, userData: userData).components(separatedBy: "\r\n")[1]
            .components(separatedBy: ",")
        // There are two more commas after the names and the publisher.
        #expect(fields[18] == shelves)
        #expect(fields[20] == exclusive)
    }

    @Test func bibTeXHasTheFieldsOfJabRefAndAnAnnotation() {
        let text = text(.bibtex, userData: userData)
        #expect(text.contains("  keywords = {Novels, England, {a, b}, sci-fi, favourite},\n"))
        #expect(text.contains("  readstatus = {read},\n  ranking = {rank4},\n  annote = {One \"two\" \\& <b>},\n}"))
        #expect(!self.text(.bibtex, userData: nil).contains("readstatus"))
    }

    @Test func cslHasANoteAndFieldsOfItsOwn() {
        let text = text(.csl, userData: userData)
        #expect(text.contains(#""keyword":"Novels, England, a, b, sci-fi""#))
        #expect(
            text.contains(
                #""note":"One\n\n\"two\" & <b>","custom":{"favourite":true,"status":"read","#
                    + #""statusDates":{"to-read":"2025-01-02","read":"2025-02-03"},"rating":4}}"#))
        #expect(!self.text(.csl, userData: nil).contains("custom"))
    }

    // MARK: - Parts

    @Test(arguments: [
        ["a", "b c"], [], ["a, b", "\"x\"", " y ", "", "z\"q"], [","], ["read", "x"],
    ])
    func aListOfNamesIsReadAsItWasWritten(names: [String]) {
        let text = QuotedList.text(of: names, separator: ",", isSpecial: { $0 == "read" })
        let items = QuotedList.items(of: text, separator: ",")
        #expect(items.map(\.name) == names)
        #expect(items.allSatisfy { $0.name != "read" || $0.isQuoted })
    }

    @Test func aListOfOthersIsReadAsItIs() {
        #expect(QuotedList.items(of: " a ,, b c,", separator: ",").map(\.name) == ["a", "b c"])
        #expect(QuotedList.items(of: "\"a, b", separator: ",").map(\.name) == ["\"a", "b"])
    }

    @Test(arguments: [
        ("Good<br/><br/>Long", "Good\nLong"), ("a &amp; b &lt;3", "a & b <3"), ("a & b < c", "a & b < c"),
        ("&#233;&#xE9;&quot;", "éé\""), ("one\n\n two", "one\n\n two"), ("&eacute;&;&#0;", "&eacute;&;&#0;"),
    ])
    func aNoteOfGoodreadsIsTextOrHTML(note: String, text: String) {
        #expect(GoodreadsNote.text(of: note) == text)
    }

    @Test(
        arguments: [
            ("books.json", .json), ("BOOKS.JSONL", .jsonl), ("x.ndjson", .jsonl), ("a/b.csv", .csv),
            ("my.goodreads.csv", .goodreads), ("my.storygraph.csv", .storygraph), ("x.bib", .bibtex),
            ("x.csl.json", .csl), ("x.txt", nil), ("json", nil),
            ("x.db", .sqlite), ("x.marc.xml", .marcxml), ("x.mods.xml", .mods), ("x.ris", .ris), ("x.atom", .opds),
            ("x.htm", .html), ("x.HTML", .html),
            ("x.xml", nil),
        ] as [(String, ExportFormat?)])
    func theEndingOfANameSaysTheFormat(name: String, format: ExportFormat?) {
        #expect(ExportFormat(fileName: name) == format)
    }
}
