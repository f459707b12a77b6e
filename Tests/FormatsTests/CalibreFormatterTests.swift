import Testing

@testable import Books
@testable import Formats
@testable import Graphemes

/// The table that calibre 6 writes with `calibredb catalog books.csv`.
@Suite("Formats: catalogs of calibre") struct CalibreFormatterTests {
    init() { useUTF8Locale() }

    private func lines(_ book: Book, userData: PrintedUserData? = nil) -> [String] {
        var form = ExportFormat.calibre.formatter(includesUserData: true)
        var text: [UInt8] = []
        form.begin(&text)
        form.append(PrintedBook(book: book, userData: userData), to: &text)
        form.end(&text)
        return String(decoding: text, as: UTF8.self).split(separator: "\r\n").map(String.init)
    }

    @Test func theHeaderIsThatOfCalibre() {
        #expect(
            lines(Book(title: "Emma"))[0]
                == "author_sort,authors,comments,cover,formats,id,identifiers,isbn,languages,library_name,pubdate,"
                + "publisher,rating,series,series_index,size,tags,timestamp,title,title_sort,uuid")
    }

    @Test func fieldsAreInItsForm() {
        var book = Book(title: "Black House", authors: ["Stephen King", "Smith & Sons"], isbn: ISBN("9780345450579"))
        book.sourceID = "7"
        book.published = PartialDate(year: 2001, month: 9)
        book.publisher = "Ballantine"
        book.rating = 4
        book.series = "Talisman"
        book.seriesPosition = 2
        book.subjects = ["Fantasy, dark", "Horror"]
        book.languages = ["en"]
        book.identifiers = [.init(scheme: "doi", value: "10.1/x")]
        book.dateAdded = PartialDate(year: 2020, month: 1, day: 2)
        book.description = "One.\nTwo."
        #expect(
            lines(book)[1]
                == #""King, Stephen & Smith && Sons",Stephen King & Smith && Sons,"One.\#nTwo.",,,7,"#
                + #""doi:10.1/x,isbn:9780345450579",9780345450579,en,,2001-09-01T00:00:00+00:00,"#
                + "Ballantine,4,Talisman,2,,"
                + #""Fantasy; dark, Horror",2020-01-02T00:00:00+00:00,Black House,,"#)
    }

    @Test func theRatingOfTheUserTakesThePlaceOfTheCatalogs() {
        var userData = PrintedUserData()
        userData.rating = StarRating(whole: 2)
        var book = Book(title: "Emma")
        book.rating = 5
        #expect(lines(book, userData: userData)[1].split(separator: ",").contains("2"))
        // calibre has no dates before Christ.
        book.published = PartialDate(year: -750)
        #expect(!lines(book)[1].contains("750"))
    }
}
