import Testing

@testable import Books
@testable import Catalog
@testable import CatalogTesting
@testable import JSON

/// Rows as a connector reads them from tables: objects of strings, without the blank cells.
@Suite("Profiles: rows of tables of other programs") struct TableProfilesTests {
    private static let goodreadsRow = """
        {"Book Id":"5907","Title":"The Hobbit","Author":"J.R.R. Tolkien","Author l-f":"Tolkien, J.R.R.",\
        "Additional Authors":"Alan Lee, Christopher Tolkien","ISBN":"=\\"0618260307\\"","ISBN13":"=\\"9780618260300\\"",\
        "My Rating":"5","Average Rating":"4.29","Publisher":"Houghton Mifflin","Binding":"Hardcover",\
        "Number of Pages":"366","Year Published":"2002","Original Publication Year":"1937","Date Added":"2020/01/15",\
        "Bookshelves":"fantasy, to-own","Exclusive Shelf":"currently-reading"}
        """
    private static let libraryThingRow = """
        {"Book Id":"11","Title":"Emma","Sort Character":"1","Primary Author":"Austen, Jane","Publication":"Penguin (2003)",\
        "Date":"1815","ISBN":"[0141439580]","Page Count":"474","Languages":"English","Tags":"classics, england",\
        "Collections":"Your library","Rating":"4.5","Entry Date":"2019-03-02"}
        """
    private static let storyGraphRow = """
        {"Title":"Dune","Authors":"Frank Herbert","ISBN/UID":"9780441172719","Format":"paperback",\
        "Read Status":"did-not-finish","Date Added":"2023/01/15","Moods":"adventurous, tense","Pace":"slow",\
        "Star Rating":"3.75","Read Count":"0"}
        """
    private static let zoteroRow = """
        {"Key":"ABCD2345","Item Type":"book","Publication Year":"1997","Author":"Eco, Umberto; Weaver, William",\
        "Title":"Kant and the Platypus","ISBN":"978-0-15-601159-4","DOI":"10.1/x","Date":"1997-05","Num Pages":"464",\
        "Publisher":"Harcourt","Language":"en","Manual Tags":"signs; language","Date Added":"2024-02-03 10:11:12",\
        "Date Modified":"2024-02-03 10:11:12","Editor":"Doe, Jane"}
        """
    private static let goodbooksRow = """
        {"book_id":"1","goodreads_book_id":"2767052","best_book_id":"2767052","work_id":"2792775","isbn":"439023483",\
        "isbn13":"9.78043902348e+12","authors":"Suzanne Collins, A. B.","original_publication_year":"2008.0",\
        "title":"The Hunger Games","language_code":"eng","average_rating":"4.34"}
        """
    private static let calibreRow = """
        {"author_sort":"King, Stephen & Straub, Peter","authors":"Stephen King & Peter Straub","id":"7",\
        "isbn":"9780345450579","languages":"eng","pubdate":"2001-09-15T00:00:00+00:00","publisher":"Ballantine",\
        "rating":"8","series":"Talisman","series_index":"2.0","tags":"Fantasy, Horror","title":"Black House"}
        """

    /// A row as written by calibre 6, with the rating in stars.
    private static let calibreCatalogRow = """
        {"author_sort":"King, Stephen & Straub, Peter","authors":"Stephen King & Peter Straub","id":"1",\
        "identifiers":"doi:10.1/x,isbn:9780345450579","isbn":"9780345450579","languages":"eng","library_name":"lib",\
        "pubdate":"2001-09-15T00:00:00+00:00","publisher":"Ballantine","rating":"4","series":"Talisman",\
        "series_index":"2.0","tags":"Fantasy, Horror","timestamp":"2026-11-24T00:08:54+00:00","title":"Black House",\
        "title_sort":"Black House","uuid":"9ad7cd1e-ad45-4ff3-b49f-970ecd021048"}
        """

    private func book(_ json: String, by profile: String) throws -> Book {
        try #require(Profile.builtIn(named: profile)).mapping.book(from: .make(json))
    }

    @Test(arguments: [
        ("goodreads", goodreadsRow), ("librarything", libraryThingRow), ("storygraph", storyGraphRow),
        ("zotero", zoteroRow),
        ("goodbooks", goodbooksRow), ("calibre", calibreRow), ("calibre-csv", calibreCatalogRow),
        ("table", #"{"Title":"Emma","Author":"Jane Austen"}"#),
        ("native", #"{"title":"Emma","author":"Jane Austen"}"#), ("native", #"{"Titel":"Emma"}"#),
    ])
    func theColumnsIdentifyTheProgram(profile: String, row: String) throws {
        let record = try #require(JSONValue(parsing: row.utf8))
        #expect(ProfileRecognition.profile(of: [record, record]) == profile)
        // Detection reads only the distinctive members.
        let telling = record.members?.filter { ProfileRecognition.isTelling($0.key) } ?? []
        #expect(ProfileRecognition.profile(of: [.object(telling)]) == profile)
    }

    /// As stacks exports a favourite of another catalog: without the number that Goodreads has for it.
    @Test func rowsInTheFormOfGoodreadsNeedNoNumber() throws {
        let row = """
            {"Title":"Emma","Author":"Jane Austen","Author l-f":"Austen, Jane","ISBN":"=\\"\\"","ISBN13":"=\\"\\"",\
            "My Rating":"0","Bookshelves":"favorites","Read Count":"0","Owned Copies":"0","Stacks Id":"hash:13a341db43c69d7f"}
            """
        let record = try #require(JSONValue(parsing: row.utf8))
        #expect(ProfileRecognition.profile(of: [record]) == "goodreads")
    }

    @Test func rowsOfGoodreadsAreBooks() throws {
        let book = try book(Self.goodreadsRow, by: "goodreads")
        #expect(book.title == "The Hobbit" && book.authors == ["J.R.R. Tolkien"])
        #expect(book.isbn?.number == ISBN("9780618260300").number && book.pageCount == 366)
        #expect(book.published == PartialDate(year: 1937) && book.publisher == "Houghton Mifflin")
        #expect(book.subjects == ["fantasy", "to-own"] && book.status == .reading && book.rating == 4.29)
        #expect(book.contributors.map(\.name) == ["Alan Lee", "Christopher Tolkien"])
        #expect(book.dateAdded == PartialDate(year: 2020, month: 1, day: 15))
    }

    @Test func rowsOfLibraryThingAreBooks() throws {
        let book = try book(Self.libraryThingRow, by: "librarything")
        #expect(book.title == "Emma" && book.authors == ["Austen, Jane"])
        #expect(book.isbn?.number == ISBN("9780141439587").number)
        #expect(book.subjects == ["classics", "england"] && book.languages == ["en"] && book.rating == 4.5)
        #expect(book.isbn?.text == "0141439580")
        let other = #"{"Book Id":"1","Title":"Emma","Primary Author":"Austen, Jane","Subjects":"novel|classic"}"#
        #expect(try self.book(other, by: "librarything").subjects == ["novel", "classic"])
        #expect(book.published == PartialDate(year: 1815) && book.pageCount == 474)
    }

    @Test("A series in the title is one, and the title is without it", arguments: ["goodreads", "goodbooks"])
    func seriesInTitles(profile: String) throws {
        let key = profile == "goodreads" ? "Title" : "title"
        let book = try book(#"{"\#(key)":"Mort (Discworld, #4)"}"#, by: profile)
        #expect(book.title == "Mort" && book.series == "Discworld" && book.seriesPosition == 4)
        let plain = try self.book(#"{"\#(key)":"Emma (A Novel)"}"#, by: profile)
        #expect(plain.title == "Emma (A Novel)" && plain.series == nil && plain.seriesPosition == nil)
    }

    @Test func severalAuthorsInACellAreToldApart() throws {
        let cells = try book(#"{"Title":"T","Author":"Ann Alpha & Bob Beta"}"#, by: "table")
        #expect(cells.authors == ["Ann Alpha", "Bob Beta"])
        let array = try book(#"{"title":"T","authors":["Alpha, Ann; Beta","C & D"]}"#, by: "native")
        #expect(array.authors == ["Alpha, Ann; Beta", "C & D"])
    }

    @Test func rowsOfProjectGutenbergAreBooks() throws {
        let row = """
            {"Text#":"11","Type":"Text","Issued":"2008-06-27","Title":"Alice","Language":"en","Authors":"Carroll, Lewis, \
            1832-1898; Tenniel, John, 1820-1914 [Illustrator]","Subjects":"Fantasy; Rabbits","LoCC":"PR","Bookshelves":"Best"}
            """
        let record = try JSONValue.make(row)
        #expect(ProfileRecognition.profile(of: [record], isTable: true) == "gutenberg")
        let book = try book(row, by: "gutenberg")
        #expect(book.authors == ["Carroll, Lewis"] && book.subjects == ["Fantasy", "Rabbits"])
        #expect(book.contributors == [Book.Contributor(name: "Tenniel, John", role: "illustrator")])
    }

    @Test func rowsOfBookWyrmAreBooks() throws {
        let row = """
            {"title":"The Lake","author_text":"Ann Alpha, Bob Beta","remote_id":"https://b.example/1","inventaire_id":null,\
            "isbn_10":"0306406152","isbn_13":"9780306406157","review_cw":null,"shelf":"stopped-reading"}
            """
        #expect(ProfileRecognition.profile(of: [try JSONValue.make(row)], isTable: true) == "bookwyrm")
        let book = try book(row, by: "bookwyrm")
        #expect(book.authors == ["Ann Alpha", "Bob Beta"] && book.isbn?.text == "9780306406157")
        #expect(book.status == .abandoned && book.otherISBNs.isEmpty)
    }

    @Test(arguments: ["ISBN 13", "ISBN-10", "EAN"]) func headingsOfISBNs(heading: String) throws {
        let book = try book(#"{"Title":"T","\#(heading)":"9780306406157.0"}"#, by: "table")
        #expect(book.isbn?.text == "9780306406157" && book.isbn?.isValid == true)
    }

    @Test func allISBNsOfARecordAreKnown() throws {
        let row = """
            {"title":"T","isbn":["978-0-306-40615-7 (v. 1)","9780140328721 (pbk.)","0-306-40615-2","x"],\
            "isbn13":"9780141439587, 9780140328721"}
            """
        let book = try book(row, by: "native")
        #expect(book.isbn?.number == 9_780_306_406_157)
        #expect(book.otherISBNs.map(\.number) == [9_780_140_328_721, 9_780_141_439_587])
    }

    @Test func rowsOfStoryGraphAreBooks() throws {
        let book = try book(Self.storyGraphRow, by: "storygraph")
        #expect(book.title == "Dune" && book.authors == ["Frank Herbert"])
        #expect(book.isbn?.number == ISBN("9780441172719").number)
        #expect(book.subjects == ["adventurous", "tense"] && book.status == .abandoned && book.rating == 3.75)
        #expect(book.dateAdded == PartialDate(year: 2023, month: 1, day: 15))
    }

    @Test func rowsOfZoteroAreBooks() throws {
        let book = try book(Self.zoteroRow, by: "zotero")
        #expect(book.title == "Kant and the Platypus" && book.authors == ["Eco, Umberto", "Weaver, William"])
        #expect(book.isbn?.number == ISBN("9780156011594").number && book.pageCount == 464)
        #expect(book.published == PartialDate(year: 1997, month: 5) && book.subjects == ["signs", "language"])
        #expect(book.contributors == [Book.Contributor(name: "Doe, Jane", role: "editor")])
        #expect(book.identifiers == [Book.Identifier(scheme: "doi", value: "10.1/x")])
    }

    @Test func rowsOfGoodbooksAreBooks() throws {
        let book = try book(Self.goodbooksRow, by: "goodbooks")
        #expect(book.title == "The Hunger Games" && book.authors == ["Suzanne Collins", "A. B."])
        // The spreadsheet has rounded the long number; the short one has lost its leading zero.
        #expect(book.isbn?.number == ISBN("0439023483").number)
        #expect(book.published == PartialDate(year: 2008) && book.languages == ["en"] && book.rating == 4.34)
    }

    @Test func rowsOfCalibreAreBooks() throws {
        let book = try book(Self.calibreRow, by: "calibre")
        #expect(book.authors == ["Stephen King", "Peter Straub"] && book.subjects == ["Fantasy", "Horror"])
        #expect(book.series == "Talisman" && book.seriesPosition == 2 && book.rating == 4)
    }

    @Test func filesOfCalibreAreIdentifiersThatExportsHave() throws {
        let row =
            #"{"id":1,"title":"Emma","identifiers":{"goodreads":"42"},"formats":["/l/Emma.epub","/l/Emma.pdf"],"Pages":474}"#
        let book = try book(row, by: "calibre")
        #expect(book.pageCount == 474 && book.otherFields.isEmpty)
        #expect(book.identifiers.map(\.scheme) == ["goodreads", "file", "file"])
        #expect(book.identifiers.map(\.value) == ["42", "/l/Emma.epub", "/l/Emma.pdf"])
    }

    @Test func rowsOfCatalogsOfCalibreAreBooks() throws {
        let book = try book(Self.calibreCatalogRow, by: "calibre-csv")
        #expect(book.authors == ["Stephen King", "Peter Straub"] && book.subjects == ["Fantasy", "Horror"])
        #expect(book.series == "Talisman" && book.seriesPosition == 2 && book.rating == 4)
        #expect(book.identifiers == [Book.Identifier(scheme: "doi", value: "10.1/x")])
        #expect(book.dateAdded == PartialDate(year: 2026, month: 11, day: 24))
    }
}
