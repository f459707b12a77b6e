import ConnectorProtocol
import ConnectorTesting
import Foundation
import Testing

@testable import Connectors
@testable import JSON

@Suite("Connectors: BibTeX, RIS and EndNote") struct BibliographyTests {
    @Test func entriesOfBibTeXAreRecords() throws {
        let copy = try Mirrored(
            """
            Any text may come first.
            @comment{ignored, really}
            @book{knuth,title={Ein {\\"U}ber \\& so},author="Knuth, Donald E. and Jos{\\'e} P{\\'e}rez and others",isbn={0-201-03801-3},
              publisher={Addison}, year=1997, series={Art}, volume=3, keywords={algorithms; proofs}}
            @ARTICLE{Cesar2013,
              author = {Jean César},
              title = {An amazing title},
              year = 2013,
              journal = "Nice Journal"
            }
            """, name: "library.bib")
        #expect(copy.opened.kind == "bibtex" && copy.copy.isComplete && copy.copy.defects == [])
        #expect(
            copy.lines == [
                """
                {"id":"knuth","title":"Ein Über & so","authors":["Knuth, Donald E.","Pérez, José"],"isbn":["0-201-03801-3"],\
                "publisher":"Addison","published":"1997","subjects":["algorithms","proofs"],"series":"Art",\
                "seriesPosition":"3","identifiers":{"citekey":"knuth"},"itemType":"book"}
                """,
                """
                {"id":"Cesar2013","title":"An amazing title","authors":["César, Jean"],"published":"2013",\
                "identifiers":{"citekey":"Cesar2013"},"itemType":"journal article","containedIn":"Nice Journal"}
                """,
            ])
    }

    @Test func theFormatsAreToldApart() {
        func format(_ text: String) -> BibliographyFormat? { BibliographyFormat.detect(in: Array(text.utf8)) }
        #expect(format("@book{a, title={B}}") == .bibtex)
        #expect(format("% note\n@Book (a, title={B})") == .bibtex)
        #expect(format("@article{a, journaltitle={B}, date={2001-02}}") == .biblatex)
        #expect(format("\u{FEFF}\r\nTY  - BOOK\r\nER  -") == .ris)
        #expect(format("%0 Book\n%T Emma") == .endnote)
        #expect(format("FN Thomson\nVR 1.0\nPT J") == .isi)
        #expect(format("name,mail\nann,@ann{}") == nil)
        #expect(format("Dear @ann, hello") == nil)
    }

    @Test func recordsOfRISAndEndNoteAreRead() throws {
        let ris = try Mirrored(
            "TY  - BOOK\nID  - 12\nAU  - Marx, Karl\nTI  - Das Kapital: Kritik\nPB  - Meissner\nPY  - 1867\nSN  - 978-3-320-02161-0\nER  - \n",
            name: "books.ris")
        #expect(ris.opened.kind == "ris" && ris.copy.defects == [])
        let book = try #require(ris.rows.first)
        #expect(book["title"]?.string == "Das Kapital" && book["subtitle"]?.string == "Kritik")
        #expect(book["authors"]?.json == #"["Marx, Karl"]"# && book["published"]?.string == "1867")
        let endNote = try Mirrored("%0 Book\n%A Marx, Karl\n%T Das Kapital\n%D 1867\n", name: "books.enw")
        #expect(endNote.opened.kind == "endnote" && endNote.rows.first?["title"]?.string == "Das Kapital")
    }

    @Test func aBrokenEntryCostsNoOther() throws {
        let copy = try Mirrored(
            "@book{a, title={A}, year=1}\n@book{b, title={Open, year=2}\n@book{c, title={C}, year=3}\n", name: "x.bib")
        let titles = copy.rows.compactMap { $0["title"]?.string }
        #expect(titles.contains("A") && titles.contains("C"))
    }

    @Test func aBibliographyCutAtAnyByteIsNeverATrap() throws {
        let text = "@book{a, title={{A} b}, author={X and Y}}\n@book{c, title=\"C\"}\n"
        for length in 7...text.utf8.count {
            let copy = try? Mirrored(text.utf8.prefix(length), name: "x.bib")
            if length > 42 { #expect(copy?.rows.first?["title"]?.string == "A b", "\(length)") }
        }
    }
}
