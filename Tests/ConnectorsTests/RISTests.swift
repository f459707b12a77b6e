import ConnectorProtocol
import ConnectorTesting
import Testing

@testable import Connectors
@testable import JSON

@Suite("Connectors: RIS") struct RISTests {
    private func row(_ lines: String) throws -> JSONValue {
        let copy = try Mirrored("TY  - BOOK\nTI  - T\n\(lines)\nER  - \n", name: "a.ris")
        #expect(copy.copy.defects == [] && copy.copy.isComplete)
        return try #require(copy.rows.first)
    }

    /// Any of these tags can hold the title; the series and the link do not replace it.
    @Test(arguments: ["TI", "T1", "CT", "BT", "ST", "T2"])
    func aTitleIsReadFromAnyOfItsTags(tag: String) throws {
        let copy = try Mirrored("TY  - BOOK\n\(tag)  - Emma\nAU  - Austen, Jane\nER  - \n", name: "a.ris")
        let row = try #require(copy.rows.first)
        #expect((tag == "T2" ? row["series"] : row["title"])?.string == "Emma")
        #expect(row["authors"]?.json == #"["Austen, Jane"]"#)
    }

    @Test func aCityIsNotTheTitleIfThereIsOne() throws {
        let copy = try Mirrored("TY  - BOOK\nTI  - Emma\nCT  - London\nER  - \n", name: "a.ris")
        #expect(copy.rows.first?["title"]?.string == "Emma" && copy.rows.first?["place"]?.string == "London")
    }

    /// The forms are: one blank before the hyphen, a byte order mark, values over several lines, and no end tag.
    @Test func variantsOfRISAreRead() throws {
        let first = "TY - BOOK\r\nTI - First\r\n  part\r\nAB  - one,\r\ntwo\r\nER -\r\n\r\n"
        let copy = try Mirrored("\u{FEFF}\(first)TY  - BOOK\r\nTI  - Second\r\n", name: "a.ris")
        #expect(copy.rows.map { $0["title"]?.string } == ["First part", "Second"])
        #expect(copy.rows.first?["description"]?.string == "one, two" && !copy.copy.isComplete)
        #expect(copy.copy.defects == [SourceDefect(.cut, first: .record(2))])
    }

    @Test(
        "Names have their suffix last, and names of organizations stay",
        arguments: [
            ("Alpha, Adam, Jr.", "Alpha, Adam, Jr."), ("Smith,John,Jr", "Smith, John, Jr."),
            ("Jane Austen", "Austen, Jane"),
            ("World Health Organization", "Organization, World Health"),
            ("Oxford University Press", "Oxford University Press"),
            ("Fanning E.", "Fanning, E."), ("Marx, K", "Marx, K."), ("Plato", "Plato"),
            ("Patricia T. Planing", "Planing, Patricia T."), ("J. R. Hartley", "Hartley, J. R."),
            ("Jane Doe Jr", "Doe, Jane, Jr."), ("Jane Doe III", "Doe, Jane, III"), ("Jo Fu", "Fu, Jo"),
            ("José Bảo Conde", "Conde, José Bảo"), ("Ngũgĩ wa Thiong'o", "wa Thiong'o, Ngũgĩ"),
            ("São Paulo Muséum", "São Paulo Muséum"), ("Åsa Larsson", "Larsson, Åsa"),
        ])
    func names(value: String, name: String) throws {
        #expect(try row("AU  - \(value)")["authors"]?.json == "[\"\(name)\"]")
    }

    @Test("A page is never a place in a series; one page number of a book is the number of its pages") func pages()
        throws
    {
        let book = try row("T2  - S\nSP  - 320")
        #expect(book["pageCount"]?.string == "320" && book["series"]?.string == "S" && book["seriesPosition"] == nil)
        let range = try row("T3  - S\nVL  - 4\nSP  - 3\nEP  - 9")
        #expect(range["pageCount"] == nil && range["pageRange"]?.string == "3–9")
        #expect(range["series"]?.string == "S" && range["seriesPosition"]?.string == "4")
        #expect(try row("SP  - 3-9")["pageCount"] == nil)
        #expect(try row("SP  - xii, 320 p.")["pageRange"] == nil)
    }

    @Test("A serial number may hold several ISBNs and ISSNs") func numbers() throws {
        let row = try row("SN  - 978-0-306-40615-7; 1234-5678 (print)\nSN  - 0306406152\nSN  - none")
        #expect(row["isbn"]?.json == #"["978-0-306-40615-7","0306406152"]"#)
        #expect(row["identifiers"]?.json == #"{"issn":"1234-5678 (print)","serial number":"none"}"#)
    }

    @Test("The ISBN of a chapter is that of the book that contains it") func chapter() throws {
        let copy = try Mirrored(
            "TY  - CHAP\nTI  - C\nT2  - B\nT3  - S\nVL  - 4\nSN  - 978-0-306-40615-7\nER  - \n", name: "a.ris")
        #expect(
            copy.lines == [
                #"{"title":"C","series":"S","seriesPosition":"4","itemType":"book chapter","containedIn":"B","bookISBN":"978-0-306-40615-7"}"#
            ])
    }

    @Test(
        "The date is the first, or a more precise one of the same year",
        arguments: [
            ("PY  - 1999/03/02/spring", "1999-03-02"), ("PY  - 1999\nDA  - 1999/03/02/", "1999-03-02"),
            ("PY  - 1999\nDA  - 2001/04//", "1999"),
            ("Y1  - 1948/7//", "1948-07"), ("PY  - \nDA  - 1999-03-02", "1999-03-02"), ("PY  - c1999", "1999"),
        ])
    func dates(lines: String, published: String) throws { #expect(try row(lines)["published"]?.string == published) }

    @Test("People have the roles of their tags") func roles() throws {
        let row = try row("A2  - B, C\nED  - D\nA3  - E\nA4  - F\nTR  - G")
        #expect(
            row["contributors"]?.json
                == #"[{"name":"D","role":"editor"},{"name":"B, C."},{"name":"E","role":"series editor"},{"name":"F","role":"translator"},{"name":"G","role":"translator"}]"#
        )
    }

    @Test("Tags without a key of stacks have English names, and a tag without a value is left out") func ownFields()
        throws
    {
        let row = try row(
            """
            TT  - Emma auf Deutsch
            AB  - One
            N2  - Two
            AN  - 4711
            AN  - isbn:123
            DB  -\u{20}
            Y2  - 2020/01/02
            L1  - a.pdf
            L1  - http://a/b.pdf
            L2  - http://b
            ET  - 2nd
            N1  - A note
            ZZ  - one
            ZZ  - two
            """)
        #expect(row["notes"]?.json == #"["A note","Two"]"# && row["description"]?.string == "One")
        #expect(row["translatedTitle"]?.string == "Emma auf Deutsch" && row["accessionNumber"]?.string == "4711")
        #expect(row["identifiers"]?.json == #"{"url":"http://a/b.pdf","isbn":"123"}"# && row["database"] == nil)
        #expect(row["accessed"]?.string == "2020/01/02" && row["file"]?.string == "a.pdf")
        #expect(row["fullText"]?.string == "http://b" && row["edition"]?.string == "2nd")
        #expect(row["ZZ"]?.json == #"["one","two"]"#)
    }
}
