import ConnectorProtocol
import ConnectorTesting
import Foundation
import TestSupport
import Testing

@testable import Connectors
@testable import JSON

/// Files in library formats, made from rows and read again.
@Suite("Exports: MARCXML, MODS, RIS and OPDS") struct TextExportTests {
    private static let rows = LibraryExportTests.rows

    /// The fields of the first book that each format can hold, as keys of the reading connector.
    private static let fields: [(kind: String, fields: [String: String])] = [
        (
            "marcxml",
            [
                "id": #""k1""#, "title": #""Emma \"1\"""#, "subtitle": #""Роман""#,
                "authors": #"["Jane Austen","Żółć, Ćma"]"#, "isbn": #"["0141439580"]"#,
                "pageCount": #""474 pages""#,
                "publisher": #""Penguin""#, "published": #""2003""#, "languages": #"["en","pt-BR"]"#, "fiction": "true",
                "subjects": #"["England","恋愛"]"#, "series": #""Classics""#, "seriesPosition": #""2.5""#,
                "description": #""One.\nTwo ' & <b>""#, "identifiers": #"{"doi":"10.1/x"}"#,
                "contributors": #"[{"name":"Ann E","role":"editor"},{"name":"Bob","role":"contributor"}]"#,
            ]
        ),
        (
            "mods",
            [
                "id": #""k1""#, "title": #""Emma \"1\"""#, "subtitle": #""Роман""#,
                "authors": #"["Jane Austen","Żółć, Ćma"]"#, "isbn": #"["0141439580"]"#,
                "pageCount": #""474 pages""#,
                "publisher": #""Penguin""#, "published": #""2003-05-06""#, "languages": #"["en","pt-BR"]"#,
                "subjects": #"["England","恋愛"]"#, "series": #""Classics""#, "seriesPosition": #""2.5""#,
                "description": #""One. Two ' & <b>""#,
                "identifiers": #"{"doi":"10.1/x","doi 2":"10.1/y"}"#,
                "contributors": #"[{"name":"Ann E","role":"editor"},{"name":"Bob","role":"contributor"}]"#,
            ]
        ),
        (
            "ris",
            [
                "id": #""k1""#, "title": #""Emma \"1\"""#, "subtitle": #""Роман""#,
                "authors": #"["Austen, Jane","Żółć, Ćma"]"#, "isbn": #"["0141439580"]"#, "pageCount": #""474""#,
                "publisher": #""Penguin""#, "published": #""2003-05-06""#, "languages": #"["en"]"#,
                "subjects": #"["England","恋愛"]"#, "series": #""Classics""#, "seriesPosition": #""2.5""#,
                "description": #""One. Two ' & <b>""#,
            ]
        ),
        (
            "opds",
            [
                "title": #""Emma \"1\"""#, "subtitle": #""Роман""#,
                "authors": #"["Jane Austen","Żółć, Ćma"]"#, "isbn": #"["0141439580"]"#, "publisher": #""Penguin""#,
                "published": #""2003-05-06""#,
                "languages": #"["en","pt-BR"]"#, "subjects": #"["England","恋愛"]"#, "series": #""Classics""#,
                "seriesPosition": #""2.5""#, "description": #""One. Two ' & <b>""#,
                "contributors": #"[{"name":"Ann E","role":"editor"},{"name":"Bob"}]"#,
                "updated": #""2020-01-02T00:00:00Z""#,
            ]
        ),
    ]

    @Test(arguments: fields.map(\.kind))
    func theFieldsOfEachFormatAreReadBack(kind: String) throws {
        let expected = try #require(Self.fields.first { $0.kind == kind }?.fields)
        let made = try Exported(Self.rows, as: kind)
        #expect(made.count == 3)
        let copy = try Mirrored(source: made.path)
        #expect(copy.opened.kind == kind && copy.copy.isComplete)
        let books = copy.rows
        #expect(books.count == 3)
        for (key, json) in expected { #expect(books[0][key]?.json == json, "\(key)") }
        #expect(books[1]["title"]?.string == "Ηρόδοτος")
        if kind == "marcxml" {
            #expect(books[1]["published"]?.string == "-0430" && books[1]["fiction"]?.boolean == false)
        }
        #expect(books[1]["authors"]?.elements == [.string("Ηρόδοτος")])
        #expect(books[2]["title"]?.string == "Untitled" && books[2]["authors"] == nil)
    }

    /// Returns whether xmllint accepts a document; true if xmllint is not installed.
    private func isWellFormed(_ path: String) throws -> Bool {
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/xmllint") else { return true }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/xmllint")
        process.arguments = ["--noout", "--nonet", path]
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    /// Characters that XML does not allow are omitted; markup and control characters become character references.
    @Test(arguments: ["marcxml", "mods", "opds"])
    func anyTextIsWellFormed(kind: String) throws {
        let hostile = #"""
            {"id":"hash:1","title":"a<b>&\"'\u0000\u001b[31m\u0085\ufffe]]>\t\u202e",\#
            "authors":["</record>"],"subjects":["\"<&"],"language":["</x>"],"publisher":"�","isbn":"\"><"}
            """#
        let made = try Exported([hostile, Self.rows[0]], as: kind)
        #expect(try isWellFormed(made.path))
        #expect(
            !made.text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || (0x7F...0x9F).contains($0.value) })
        let book = try #require(try Mirrored(source: made.path).rows.first)
        let title = try #require(book["title"]?.string)
        #expect(title.hasPrefix("a<b>&\"'[31m") && title.contains("]]>"))
        #expect(book["authors"]?.elements == [.string("</record>")])
        #expect(book["isbn"]?.elements == [.string("\"><")])
    }

    @Test func aRecordOfMARCHasTheFieldsOfTheStandard() throws {
        let made = try Exported(Self.rows, as: "marcxml")
        let book = try #require(try Mirrored(source: made.path).rows.first)
        let marc = try #require(book["marc"])
        #expect(marc["leader"]?.string == "00000nam a2200000 c 4500")
        func field(_ tag: String) -> JSONValue? { marc["fields"]?.elements?.lazy.compactMap { $0[tag] }.first }
        func subfields(_ tag: String) -> String? { field(tag)?["subfields"]?.json }
        // Date entered, date of publication, country, fiction, language: each at its position.
        #expect(field("008")?.string == "200102s2003    xx |||||||||||||| 1|eng d")
        #expect(field("008")?.string?.count == 40)
        #expect(subfields("100") == #"[{"a":"Jane Austen"},{"e":"author"}]"#)
        #expect(subfields("245") == #"[{"a":"Emma \"1\""},{"b":"Роман"},{"c":"Jane Austen, Żółć, Ćma"}]"#)
        #expect(subfields("264") == #"[{"b":"Penguin"},{"c":"2003"}]"# && field("264")?["ind2"]?.string == "1")
        #expect(subfields("650") == #"[{"a":"England"}]"# && subfields("041") == #"[{"a":"eng"},{"a":"por"}]"#)
        #expect(subfields("700") == #"[{"a":"Żółć, Ćma"},{"e":"author"}]"# && field("700")?["ind1"]?.string == "1")
    }

    @Test(arguments: [
        ("en", "eng"), ("pt-BR", "por"), ("de", "ger"), ("zh-Hant", "chi"), ("grc", "grc"), ("Klingon", nil), ("", nil),
    ])
    func languagesHaveTheCodesOfMARC(tag: String, code: String?) { #expect(MARCLanguage.code(of: tag) == code) }

    /// RFC 4287 requires an id, a title and a date for the feed and each entry; ids must not change between exports.
    @Test func aFeedHasTheElementsThatAtomRequires() throws {
        let made = try [Exported(Self.rows, as: "opds"), Exported(Self.rows, as: "opds")]
        let ids = try Set(made.map { try Mirrored(source: $0.path).rows.map { $0["id"]?.string ?? "" } })
        #expect(ids.count == 1)
        let first = try #require(ids.first)
        #expect(Set(first).count == 3 && first.allSatisfy { UUID(uuidString: String($0.dropFirst(9))) != nil })
        let text = made[0].text
        for element in ["<id>", "<title>", "<updated>"] {
            #expect(text.components(separatedBy: element).count == 5, "\(element)")
        }
        #expect(text.components(separatedBy: "<content type=\"text\"").count == 4)
        #expect(text.contains("<dc:issued>2003-05-06</dc:issued>") && text.contains("<dc:language>en</dc:language>"))
        #expect(text.contains("<dc:identifier>urn:isbn:0141439580</dc:identifier>"))
    }

    @Test func aReferenceOfRISHasALinePerTag() throws {
        let made = try Exported([Self.rows[1].replacing("-0430", with: "0430-02")], as: "ris")
        let text = made.text
        #expect(
            text == "TY  - BOOK\r\nID  - hash:00000000000000ff\r\nTI  - Ηρόδοτος\r\nAU  - Ηρόδοτος\r\n"
                + "PY  - 0430\r\nDA  - 0430/02//\r\nVL  - 3\r\nER  - \r\n\r\n")
    }

    @Test func invalidRowsAndUnknownKindsAreErrors() {
        #expect { try Exported(["{}", "nonsense"], as: "mods") } throws: {
            ($0 as? ConnectorFailure) == ConnectorFailure(.format, .damaged, at: .record(2))
        }
        #expect { try Exported([], as: "docx") } throws: {
            ($0 as? ConnectorFailure) == ConnectorFailure(.unsupported, detail: "docx")
        }
    }

    @Test func rowsMayBeLongAndTheirProgressIsReported() throws {
        let long = String(repeating: "x", count: 1 << 20)
        let rows = (0..<2000).map { #"{"id":"hash:\#($0)","title":"\#($0 % 500 == 0 ? long : "T")","authors":[]}"# }
        let made = try Exported(rows, as: "ris")
        #expect(made.count == 2000 && made.progress.allSatisfy { $0.rows <= 2000 && $0.rows > 0 })
        #expect(made.text.components(separatedBy: "TY  - BOOK").count == 2001)
    }
}
