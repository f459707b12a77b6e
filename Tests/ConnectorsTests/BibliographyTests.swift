import ConnectorProtocol
import ConnectorTesting
import Foundation
import Testing

@testable import Connectors
@testable import JSON

@Suite("Connectors: BibTeX, RIS and EndNote") struct BibliographyTests {
    @Test func theFormatsAreDistinguished() {
        func format(_ text: String) -> BibliographyFormat? { BibliographyFormat.detect(in: Array(text.utf8)) }
        #expect(format("@book{a, title={B}}") == .bibtex)
        #expect(format("% note\n@Book (a, title={B})") == .bibtex)
        #expect(format("@article{a, journaltitle={B}, date={2001-02}}") == .biblatex)
        #expect(format("@book{a,\n  title = {B},\n  date = {2001}\n}") == .biblatex)
        #expect(format("\u{FEFF}\r\nTY  - BOOK\r\nER  -") == .ris)
        #expect(format("%0 Book\n%T Emma") == .endnote)
        #expect(format("FN Thomson\nVR 1.0\nPT J") == .isi)
        #expect(format("@preamble{\"\\\\newcommand\"}\n@comment{jabref-meta: x}") == .bibtex)
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
        // "Müller und Söhne", "«Émile»" in Windows-1252; "мир" in Windows-1251.
        #expect(encoding([0x4D, 0xFC, 0x6C, 0x6C, 0x65, 0x72, 0x20, 0x53, 0xF6, 0x68, 0x6E, 0x65]) == .windows1252)
        #expect(encoding([0xAB, 0xC9, 0x6D, 0x69, 0x6C, 0x65, 0xBB]) == .windows1252)
        #expect(encoding([0xEC, 0xE8, 0xF0, 0x20, 0xEC, 0xE8, 0xF0]).name == "Windows-1251")
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

    @Test func aBibliographyTruncatedAtAnyByteNeverCrashes() throws {
        let text = "@book{a, title={{A} b}, author={X and Y}}\n@book{c, title=\"C\"}\n"
        for length in 7...text.utf8.count {
            let copy = try? Mirrored(text.utf8.prefix(length), name: "x.bib")
            if length > 42 { #expect(copy?.rows.first?["title"]?.string == "A b", "\(length)") }
        }
    }
}
