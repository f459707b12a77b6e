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

    @Test func theFormatsAreDistinguished() {
        func format(_ text: String) -> BibliographyFormat? { BibliographyFormat.detect(in: Array(text.utf8)) }
        #expect(format("@book{a, title={B}}") == .bibtex)
        #expect(format("% note\n@Book (a, title={B})") == .bibtex)
        #expect(format("@article{a, journaltitle={B}, date={2001-02}}") == .biblatex)
        #expect(format("@book{a,\n  title = {B},\n  date = {2001}\n}") == .biblatex)
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

    /// Tags that ris2xml drops become notes; a tag without a value becomes none.
    @Test func tagsWithoutAMODSElementBecomeNotes() throws {
        let copy = try Mirrored(
            """
            TY  - BOOK
            TI  - Emma
            TT  - Emma auf Deutsch
            AB  - One
            N2  - Two
            AN  - 4711
            DB  -\u{20}
            Y2  - 2020/01/02
            LK  - http://a
            L2  - http://b
            N1  - A note
            ER  -\u{20}

            """, name: "a.ris")
        let row = try #require(copy.rows.first)
        #expect(
            row["notes"]?.json
                == #"["Translated title: Emma auf Deutsch","Two","Accession number: 4711","Accessed: 2020/01/02","Link: http://a","Full text: http://b","A note"]"#
        )
        #expect(row["description"]?.string == "One" && row["title"]?.string == "Emma")
        #expect(copy.copy.defects == [] && copy.copy.isComplete)
    }

    /// A sequence number would identify another record as soon as one is inserted.
    @Test func aReferenceWithoutAnIdentifierGetsNone() throws {
        let copy = try Mirrored(
            "TY  - JOUR\nDO  - 10.1186/s40981\nSN  - 12345\nSN  - 67890\nUR  - http://a\nUR  - http://b\nER  - \n",
            name: "a.ris")
        #expect(
            copy.lines == [
                """
                {"identifiers":{"doi":"10.1186/s40981","serial number":"12345","serial number 2":"67890",\
                "url":"http://a","url 2":"http://b"},"itemType":"journal article"}
                """
            ])
        let entry = try Mirrored("@book{ref1, title={A}, year=1999}", name: "a.bib")
        #expect(entry.rows.first?["id"]?.string == "ref1")
    }

    @Test func editorsOfTheContainingWorkAreContributors() throws {
        let copy = try Mirrored(
            "@incollection{a, title={A}, author={X, Y}, booktitle={B}, editor={Quine, Rob}}", name: "a.bib")
        #expect(copy.rows.first?["contributors"]?.json == #"[{"name":"Quine, Rob","role":"editor"}]"#)
        #expect(copy.rows.first?["containedIn"]?.string == "B")
    }

    @Test(arguments: [
        ("2001", "2001"), ("2001-02", "2001-02"), ("2001-02-03", "2001-02-03"), ("1997/1999", "1997"),
        ("1997-05-01/1998", "1997-05-01"), ("1997/..", "1997"), ("1723~", "1723"), ("1984?", "1984"),
        ("-0876", "-0876"), ("-0044-03-15", "-0044-03-15"), ("2004-21", "2004"), ("2001-02-03T10:00:00", "2001-02-03"),
        ("199X", "199X"),
    ])
    func datesOfBibLaTeXBecomeDatesOfPublication(date: String, published: String) throws {
        let text = "@book{a,\n title={T-1},\n urldate={2020-01-02},\n date={\(date)},\n origdate={1900}}"
        let copy = try Mirrored(text, name: "a.bib")
        #expect(copy.opened.kind == "biblatex")
        #expect(copy.rows.first?["published"]?.string == published && copy.rows.first?["title"]?.string == "T-1")
    }

    // MARK: Encodings

    /// "凯撒" and "测试期刊" in GB 18030, as older programs in China write it.
    @Test func otherEncodingsOfChineseTextAreDetected() throws {
        let bytes: [UInt8] =
            Array("@article{a, author={".utf8) + [0xBF, 0xAD, 0xC8, 0xF6] + Array("}, title={T}, journal={".utf8)
            + [0xB2, 0xE2, 0xCA, 0xD4, 0xC6, 0xDA, 0xBF, 0xAF] + Array("}}".utf8)
        let copy = try Mirrored(bytes, name: "a.bib")
        #expect(copy.opened.facts["encoding"] == "GB18030" && copy.copy.defects == [])
        #expect(copy.rows.first?["authors"]?.json == #"["凯撒"]"# && copy.rows.first?["containedIn"]?.string == "测试期刊")
        let table = try Mirrored(
            Array("title,author\n".utf8) + [0xB2, 0xE2, 0xCA, 0xD4, 0x2C, 0xBF, 0xAD, 0xC8, 0xF6, 0x0A], name: "a.csv")
        #expect(table.lines == [#"{"title":"测试","author":"凯撒"}"#] && table.copy.isComplete)
    }

    @Test func westernTextIsNotChinese() {
        func encoding(_ bytes: [UInt8]) -> TextEncoding { TextEncoding.detect(in: bytes).encoding }
        // "Müller und Söhne", "«Émile»", "naïve" in Windows-1252; "мир" in Windows-1251.
        #expect(encoding([0x4D, 0xFC, 0x6C, 0x6C, 0x65, 0x72, 0x20, 0x53, 0xF6, 0x68, 0x6E, 0x65]) == .windows1252)
        #expect(encoding([0xAB, 0xC9, 0x6D, 0x69, 0x6C, 0x65, 0xBB]) == .windows1252)
        #expect(encoding([0xEC, 0xE8, 0xF0, 0x20, 0xEC, 0xE8, 0xF0]) == .windows1252)
    }

    @Test(arguments: [true, false])
    func textInUTF16IsRead(isRIS: Bool) throws {
        let text = isRIS ? "TY  - BOOK\nTI  - 測試 É\nER  - \n" : "@book{a, title={測試 É}}"
        let bytes: [UInt8] = [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let copy = try Mirrored(bytes, name: isRIS ? "a.ris" : "a.bib")
        #expect(copy.rows.first?["title"]?.string == "測試 É" && copy.copy.isComplete)
    }

    /// Covers invalid UTF-8 after valid text, control characters, and a zero byte.
    @Test func recordsWithInvalidBytesAreRead() throws {
        let start = "@book{a, title={É\u{1}\u{1B}A}}\n" + String(repeating: "% remark\n", count: 8000)
        let bytes =
            Array(start.utf8) + Array("@book{b, title={".utf8) + [0xE9, 0x00] + Array("}}\n@book{c, title={C}}".utf8)
        let copy = try Mirrored(bytes, name: "a.bib")
        #expect(copy.rows.map { $0["title"]?.string } == ["É A", "é", "C"])
        #expect(copy.copy.defects == [SourceDefect(.encoding, count: 2, first: .line(1))] && copy.copy.isComplete)
    }

    @Test func anInvalidEntryDoesNotAffectOthers() throws {
        let copy = try Mirrored(
            "@book{a, title={A}, year=1}\n@book{b, title={Open, year=2}\n@book{c, title={C}, year=3}\n", name: "x.bib")
        let titles = copy.rows.compactMap { $0["title"]?.string }
        #expect(titles.contains("A") && titles.contains("C"))
    }

    @Test func aBibliographyTruncatedAtAnyByteNeverCrashes() throws {
        let text = "@book{a, title={{A} b}, author={X and Y}}\n@book{c, title=\"C\"}\n"
        for length in 7...text.utf8.count {
            let copy = try? Mirrored(text.utf8.prefix(length), name: "x.bib")
            if length > 42 { #expect(copy?.rows.first?["title"]?.string == "A b", "\(length)") }
        }
    }
}
