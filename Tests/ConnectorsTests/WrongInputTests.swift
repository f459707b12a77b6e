import ConnectorProtocol
import ConnectorTesting
import Foundation
import TestSupport
import Testing

@testable import Connectors
@testable import JSON

/// A source of two records.
struct Sample: CustomTestStringConvertible {
    let kind: String
    let name: String
    let bytes: [UInt8]
    /// The length of the source up to the end of each record.
    let ends: [Int]
    /// Whether the format shows a truncation within a record.
    let showsTruncation: Bool

    var testDescription: String { kind }

    init(_ kind: String, _ name: String, _ parts: [String], end: String = "", showsTruncation: Bool = true) {
        self.init(kind, name, parts.map { Array($0.utf8) }, end: Array(end.utf8), showsTruncation: showsTruncation)
    }

    init(_ kind: String, _ name: String, _ parts: [[UInt8]], end: [UInt8] = [], showsTruncation: Bool = true) {
        (self.kind, self.name, self.showsTruncation) = (kind, name, showsTruncation)
        bytes = parts.flatMap(\.self) + end
        ends = (2...parts.count).map { count in parts.prefix(count).reduce(0) { $0 + $1.count } }
    }

    /// Whether only white space is between the end of a record and this length.
    func isBetweenRecords(_ length: Int) -> Bool {
        ends.contains { $0 <= length && bytes[$0..<length].allSatisfy { $0 <= 0x20 } }
    }

    /// One source of each kind: the text before the records, then the records.
    static let all = [
        Sample("csv", "a.csv", ["title,author\n", "\"Émma\",Austen\n", "Nana,\"Zola, É.\"\n"], showsTruncation: false),
        Sample("tsv", "a.tsv", ["title\tauthor\n", "Emma\tAusten\n", "Nana\tZola\n"], showsTruncation: false),
        Sample(
            "csv", "utf16.csv",
            ["\u{FEFF}title,author\n", "Émma,Austen\n", "日本,Zola\n"].map { text in
                text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
            }, showsTruncation: false),
        Sample("bibtex", "a.bib", ["", "@book{a, title={{É}mma}}", "\n@book{b, title=\"Nana\"}"], end: "\n"),
        Sample(
            "ris", "a.ris", ["", "TY  - BOOK\nTI  - Émma\nER  - \n", "TY  - BOOK\nTI  - Nana\nER  - \n"],
            showsTruncation: false),
        Sample("isi", "a.isi", ["FN ISI Export Format\nVR 1.0\n", "PT B\nTI Émma\nER", "\n\nPT B\nTI Nana\nER"]),
        Sample(
            "endnote-xml", "endnote.xml",
            ["<xml><records>"]
                + ["Émma", "Nana"].map {
                    "<record><ref-type name=\"Book\">6</ref-type><titles><title>\($0)</title></titles></record>"
                }, end: "</records></xml>"),
        Sample("endnote", "a.enw", ["", "%0 Book\n%T Émma\n\n", "%0 Book\n%T Nana\n\n"], showsTruncation: false),
        Sample(
            "marc", "a.mrc",
            [
                [], marcRecord([("245", Array("10\u{1F}aÉmma".utf8))], coding: "a"),
                marcRecord([("245", Array("10\u{1F}aNana".utf8))], coding: "a"),
            ]),
        Sample(
            "marcxml", "marc.xml",
            ["<collection>"]
                + ["Émma", "Nana"].map {
                    "<record><datafield tag=\"245\"><subfield code=\"a\">\($0)</subfield></datafield></record>"
                }, end: "</collection>"),
        Sample(
            "mods", "mods.xml",
            ["<modsCollection>"] + ["Émma", "Nana"].map { "<mods><titleInfo><title>\($0)</title></titleInfo></mods>" },
            end: "</modsCollection>"),
        Sample(
            "opds", "a.atom",
            ["<feed xmlns=\"http://www.w3.org/2005/Atom\">"]
                + ["Émma", "Nana"].map {
                    "<entry><title>\($0)</title><publisher>P</publisher></entry>"
                }, end: "</feed>"),
        // Blocks that are not compressed.
        Sample(
            "csv", "a.csv.zst",
            [
                zstdStart, zstdBlock(isLast: false, type: 0, size: 25) + "title,author\nEmma,Austen\n".utf8,
                zstdBlock(isLast: true, type: 0, size: 10) + "Nana,Zola\n".utf8,
            ]),
    ]
}

/// The start of a zstd frame (RFC 8878) with a window of a mebibyte and no checksum.
let zstdStart: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x50]

/// Returns a block header: raw bytes (type 0), or one byte repeated (type 1).
func zstdBlock(isLast: Bool, type: Int, size: Int) -> [UInt8] {
    let header = size << 3 | type << 1 | (isLast ? 1 : 0)
    return [UInt8(header & 0xFF), UInt8(header >> 8 & 0xFF), UInt8(header >> 16 & 0xFF)]
}

@Suite("Connectors: invalid input") struct WrongInputTests {
    /// The records before the cut are those of the whole file, plus at most one more from the record that was cut.
    @Test(.thorough, arguments: Sample.all) func aSourceTruncatedAtAnyByteHasTheRecordsBefore(sample: Sample) throws {
        let whole = try Mirrored(sample.bytes, name: sample.name)
        #expect(whole.opened.kind == sample.kind && whole.copy.rows == 2 && whole.copy.isComplete)
        #expect(whole.copy.defects == [])
        for length in 1..<sample.bytes.count {
            let count = sample.ends.count { $0 <= length }
            do {
                let copy = try Mirrored(sample.bytes.prefix(length), name: sample.name)
                #expect(Array(copy.lines.prefix(count)) == Array(whole.lines.prefix(count)), "\(length)")
                #expect(copy.copy.rows <= count + 1, "\(length)")
                if sample.showsTruncation, count > 0, !sample.isBetweenRecords(length) {
                    #expect(!copy.copy.isComplete || !copy.copy.defects.isEmpty, "\(length)")
                }
            } catch {
                // The format cannot be detected from so few bytes.
                #expect(error is ConnectorFailure && count == 0, "\(length): \(error)")
            }
        }
    }

    /// "É" as one byte in text that is otherwise UTF-8 is read and reported with its position, and the next record is
    /// read.
    @Test(arguments: Sample.all.filter { $0.bytes.firstRange(of: "É".utf8) != nil && !$0.name.contains("utf16") })
    func aByteOfAnotherEncodingIsReadAndReported(sample: Sample) throws {
        let start = try #require(sample.bytes.firstRange(of: "É".utf8)).lowerBound
        var bytes = sample.bytes
        bytes.replaceSubrange(start..<start + 2, with: [0xC9])
        if sample.kind == "marc" {
            // The lengths of the record and of the field are those in the record.
            bytes =
                marcRecord([("245", Array("10\u{1F}a".utf8) + [0xC9] + Array("mma".utf8))], coding: "a")
                + sample.bytes[sample.ends[0]...]
        }
        let copy = try Mirrored(bytes, name: sample.name)
        let title = copy.rows.first?["title"]?.string
        #expect(title == "Émma" && copy.rows.last?["title"]?.string == "Nana" && copy.copy.rows == 2)
        #expect(copy.copy.isComplete)
        // A bibliography in Windows-1252 is valid; the table has other characters of UTF-8.
        if ["csv", "marc", "marcxml", "mods", "opds"].contains(sample.kind) {
            #expect(copy.copy.defects.map(\.kind) == [.encoding] && copy.copy.defects.first?.first != nil)
        } else {
            #expect(copy.opened.facts["encoding"] == "Windows-1252")
        }
    }

    /// The encoding that a document declares is used.
    @Test(arguments: [
        ("ISO-8859-1", String.Encoding.isoLatin1, "Émile"), ("windows-1251", .windowsCP1251, "Война"),
        ("UTF-16", .utf16, "日本"),
    ])
    func XMLIsReadInTheEncodingThatItNames(name: String, encoding: String.Encoding, title: String) throws {
        let text = """
            <?xml version="1.0" encoding="\(name)"?>
            <modsCollection><mods><titleInfo><title>\(title)</title></titleInfo></mods></modsCollection>
            """
        let copy = try Mirrored(try #require(text.data(using: encoding)), name: "a.xml")
        #expect(copy.rows.first?["title"]?.string == title && copy.copy.isComplete && copy.copy.defects == [])
    }

    /// Characters that XML does not allow, HTML entities, and invalid character references are dropped.
    @Test func recordsWithInvalidCharactersInXMLAreRead() throws {
        let texts = ["A\u{1}B", "A&nbsp;B &amp; C", "A&#1;B", "A&#xFFFF;B", "D &lt; E"]
        let records = texts.map { "<mods><titleInfo><title>\($0)</title></titleInfo></mods>\n" }.joined()
        let copy = try Mirrored("<modsCollection>\n\(records)</modsCollection>", name: "a.xml")
        #expect(
            copy.rows.map { $0["title"]?.string } == ["A B", "A\u{FFFD}B & C", "A\u{FFFD}B", "A\u{FFFD}B", "D < E"])
        #expect(copy.copy.isComplete && copy.copy.defects.map(\.kind) == [.encoding, .entity])
        #expect(copy.copy.defects.map(\.count) == [3, 1] && copy.copy.defects.last?.first == .line(3))
    }

    /// A zstd file of 40 KB that expands to 1.3 GB of blanks, and one with a window of 2 GB.
    @Test(.thorough) func excessiveExpansionIsRejected() {
        var bomb = zstdStart + zstdBlock(isLast: false, type: 0, size: 16) + "<modsCollection>".utf8
        for _ in 0..<10_000 { bomb += zstdBlock(isLast: false, type: 1, size: 1 << 17) + [UInt8(ascii: " ")] }
        let window: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x00, 0xA8] + zstdBlock(isLast: true, type: 0, size: 1) + [0x0A]
        for bytes in [bomb, window] {
            #expect { try Mirrored(bytes, name: "books.zst") } throws: { error in
                (error as? ConnectorFailure)?.kind == .refused && (error as? ConnectorFailure)?.reason == .tooLarge
            }
        }
    }

    /// The record of a field of 8 MB is skipped and reported with its number or line, and the next one is read.
    @Test(.thorough, arguments: ["csv", "marcxml", "mods", "bibtex", "ris"]) func aRecordWithAHugeFieldIsSkipped(
        kind: String
    )
        throws
    {
        let huge = [UInt8](repeating: UInt8(ascii: "x"), count: 8_000_000)
        let (start, end, name): (String, String, String) =
            switch kind {
            case "csv": ("title,author\n", ",A\nNana,Zola\n", "a.csv")
            case "marcxml":
                (
                    "<collection><record><datafield tag=\"245\"><subfield code=\"a\">",
                    """
                    </subfield></datafield></record><record><datafield tag="245"><subfield code="a">Nana</subfield>\
                    </datafield></record></collection>
                    """, "a.xml"
                )
            case "mods":
                (
                    "<modsCollection><mods><titleInfo><title>",
                    """
                    </title></titleInfo></mods><mods><titleInfo><title>Nana</title></titleInfo></mods>\
                    </modsCollection>
                    """,
                    "a.xml"
                )
            case "bibtex": ("@book{a, title={", "}}\n@book{b, title={Nana}}\n", "a.bib")
            default: ("TY  - BOOK\nTI  - ", "\nER  - \nTY  - BOOK\nTI  - Nana\nER  - \n", "a.ris")
            }
        let copy = try Mirrored(Array(start.utf8) + huge + Array(end.utf8), name: name)
        #expect(copy.opened.kind == kind && copy.rows.map { $0["title"]?.string } == ["Nana"])
        #expect(copy.copy.defects.map(\.kind) == [.tooLarge] && copy.copy.isComplete)
        #expect(copy.copy.defects.first?.count == 1 && copy.copy.defects.first?.first != nil)
    }

    /// Lines of prose within quotation marks, above the limit of a row.
    @Test func aRowWithAHugeQuotedCellIsSkipped() throws {
        let prose = String(repeating: "A line of prose, with a comma, and another.\n", count: 120_000)
        let copy = try Mirrored("title,author\n\"\(prose)\",Verne\nNana,Zola\n", name: "a.csv")
        #expect(copy.lines == [#"{"title":"Nana","author":"Zola"}"#] && copy.copy.isComplete)
        #expect(copy.copy.defects == [SourceDefect(.tooLarge, first: .line(2))])
    }

    /// A comment of 11 MB would need too much memory in libxml2: parsing ends there, and the line is reported.
    @Test func aHugeCommentInXMLEndsParsingAndIsReported() throws {
        let record = { (title: String) in "<mods><titleInfo><title>\(title)</title></titleInfo></mods>\n" }
        let remark = "<!--" + String(repeating: "x", count: 11_000_000) + "-->\n"
        let copy = try Mirrored(
            "<modsCollection>\n\(record("Emma"))\(remark)\(record("Nana"))</modsCollection>", name: "a.xml")
        #expect(copy.rows.map { $0["title"]?.string } == ["Emma"] && !copy.copy.isComplete)
        #expect(copy.copy.defects.count == 1 && copy.copy.defects.first?.first == .line(3), "\(copy.copy.defects)")
    }

    /// The cells of the row are not kept in memory.
    @Test func aRowOfAMillionCellsIsSkipped() throws {
        let cells = String(repeating: ",", count: 1_000_000)
        let copy = try Mirrored("title,author\n\(cells)\nNana,Zola\n", name: "a.csv")
        #expect(copy.lines == [#"{"title":"Nana","author":"Zola"}"#] && copy.copy.isComplete)
        #expect(copy.copy.defects == [SourceDefect(.tooLarge, first: .line(2))])
    }

    /// MARC records have at most 99,999 bytes; one of 8 MB is skipped.
    @Test func aRecordOfMARCWithoutAnEndIsSkipped() throws {
        let record = { (title: String) in marcRecord([("245", Array("10\u{1F}a\(title)".utf8))], coding: "a") }
        let long = record("Long").dropLast() + [UInt8](repeating: UInt8(ascii: "x"), count: 8_000_000)
        let copy = try Mirrored(record("Emma") + long + [0x1D] + record("Nana"), name: "a.mrc")
        #expect(copy.rows.map { $0["title"]?.string } == ["Emma", "Nana"] && copy.copy.isComplete)
        #expect(copy.copy.defects == [SourceDefect(.tooLarge, first: .record(2))])
        let cut = try Mirrored(record("Emma") + long, name: "a.mrc")
        #expect(cut.copy.rows == 1 && !cut.copy.isComplete)
    }

    /// Braces nested a hundred thousand levels deep.
    @Test func deeplyNestedBracesNeverCrash() throws {
        let deep = String(repeating: "{", count: 100_000) + "A" + String(repeating: "}", count: 100_000)
        let copy = try Mirrored("@book{a, title={\(deep)}}\n@book{b, title={Nana}}\n", name: "a.bib")
        #expect(copy.rows.map { $0["title"]?.string } == ["A", "Nana"] && copy.copy.defects == [])
    }

    @Test func aRowWithAHugeValueInADatabaseIsSkipped() throws {
        let database = try TemporaryDatabase(
            """
            CREATE TABLE books (title TEXT);
            INSERT INTO books VALUES ('Emma'), (printf('%.*c', 20000000, 'x')), ('Nana');
            """)
        let copy = try Mirrored(source: database.path)
        #expect(copy.lines == [#"{"title":"Emma"}"#, #"{"title":"Nana"}"#] && copy.copy.isComplete)
        #expect(copy.copy.defects == [SourceDefect(.tooLarge, first: .record(2))])
    }
}
