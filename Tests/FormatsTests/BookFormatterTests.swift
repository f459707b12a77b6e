import Testing

@testable import Books
@testable import Catalog
@testable import Formats
@testable import Graphemes
@testable import Indexing

@Suite("Formats: writing books") struct BookFormatterTests {
    init() { useUTF8Locale() }

    private func text(_ form: some BookFormatter, of store: BookStore) throws -> String {
        var form = form
        var text: [UInt8] = []
        form.begin(&text)
        let identities = IdentityTable(of: store.index)
        for id in (0..<store.index.count).map({ BookID($0) }) {
            form.append(PrintedBook(book: try #require(store.bookAtHand(id)), identity: identities[id]), to: &text)
        }
        form.end(&text)
        return String(decoding: text, as: UTF8.self)
    }

    private func store(_ books: Book...) -> BookStore { BookStore(source: InMemoryCatalog(name: "test", books: books)) }

    private let first = Book(title: "A, \"B\"", authors: ["X", "Y; Z"], isbn: ISBN("978-0441478125"), pageCount: 7)
    private let second = Book(title: "C\u{1B}\u{202E}D\nE", authors: [])

    @Test func csvIsThatOfRFC4180() throws {
        var whole = first
        whole.published = PartialDate(year: 1969, month: 3)
        whole.publisher = "P"
        whole.languages = ["en", "fr"]
        whole.series = "S"
        whole.subjects = ["One", "Two"]
        let store = store(whole, second)
        let hash = BookIdentity(key: .init(hashOf: second)).description
        #expect(
            try text(CSVFormatter(includesUserData: false), of: store)
                == [
                    "id,title,authors,isbn,pages,year,publisher,language,series,subjects,",
                    "published,subtitle,otherTitle,sortTitle,fiction,seriesPosition,contributors,identifiers,description,cover,",
                    "catalogRating,catalogStatus,dateAdded,sourceID\r\n",
                    #"isbn:9780441478125,"A, ""B""",X; Y\; Z,978-0441478125,7,1969,P,en; fr,S,One; Two,1969-03,,,,,,,,,,,,,"#
                        + "\r\n",
                    "\(hash),C\u{FFFD}\u{FFFD}D\u{FFFD}E,,,,,,,,,,,,,,,,,,,,,,\r\n",
                ].joined())
    }

    @Test func csvGuardsFormulasIfAsked() throws {
        var book = Book(title: "=HYPERLINK(\"http://x\", 1)", authors: ["+A", "=B"], pageCount: 7)
        (book.publisher, book.series, book.subjects) = ("'-P", "-1", ["'Tis", "@x"])
        book.published = PartialDate(year: -430)
        let store = store(book)
        let hash = BookIdentity(key: .init(hashOf: book)).description
        func row(guardsFormulas: Bool) throws -> String {
            let form = CSVFormatter(includesUserData: false, guardsFormulas: guardsFormulas)
            return String(try text(form, of: store).split(separator: "\r\n").last ?? "")
        }
        #expect(
            try row(guardsFormulas: true)
                == #"\#(hash),"'=HYPERLINK(""http://x"", 1)",'+A; =B,,7,'-430,''-P,,'-1,'Tis; @x,'-0430,,,,,,,,,,,,,"#)
        // Only the apostrophe that a reader would remove is doubled.
        #expect(
            try row(guardsFormulas: false)
                == #"\#(hash),"=HYPERLINK(""http://x"", 1)",+A; =B,,7,-430,''-P,,-1,'Tis; @x,-0430,,,,,,,,,,,,,"#)
    }

    @Test func theFormulaOfAnISBNNeedsNoGuard() throws {
        let store = store(Book(title: "@A", authors: ["-B"], isbn: ISBN("978-0441478125")))
        let fields = try text(GoodreadsFormatter(guardsFormulas: true), of: store).split(separator: "\r\n")[1]
        #expect(fields.hasPrefix(##",'@A,'-B,'-B,,"=""""","=""9780441478125""","##))
        #expect(try text(StoryGraphFormatter(guardsFormulas: true), of: store).contains("\r\n'@A,'-B,,9780441478125,"))
        #expect(try text(CalibreFormatter(guardsFormulas: true), of: store).contains("\r\n'-B,'-B,,"))
    }

    @Test func jsonHasABookALineAndNothingThatActsOnATerminal() throws {
        let other = Book(title: "C\u{1B}\u{9B}\u{202E}D\u{E0041}é\u{7F}")
        let store = store(first, other)
        let hash = BookIdentity(key: .init(hashOf: other)).description
        let lines = [
            #"{"id":"isbn:9780441478125","title":"A, \"B\"","authors":["X","Y; Z"],"isbn":"978-0441478125","#
                + #""pageCount":7,"fiction":null}"#,
            #"{"id":"\#(hash)","title":"C\u001b\u009b\u202eD\udb40\udc41é\u007f","authors":[],"isbn":null,"#
                + #""pageCount":null,"fiction":null}"#,
        ]
        #expect(try text(JSONFormatter(isArray: true), of: store) == "[\n\(lines[0]),\n\(lines[1])\n]\n")
        #expect(try text(JSONFormatter(isArray: false), of: store) == "\(lines[0])\n\(lines[1])\n")
    }

    @Test func noBooksAreAnEmptyArray() throws {
        #expect(try text(JSONFormatter(isArray: true), of: store()) == "[]\n")
        #expect(try text(JSONFormatter(isArray: false), of: store()) == "")
    }
}
