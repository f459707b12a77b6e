import ConnectorProtocol
import ConnectorTesting
import Foundation
import TestSupport
import Testing

@testable import Books
@testable import Formats
@testable import JSON

/// Records of books in the formats of libraries and reading apps, as texts and as stacks reads them again.
@Suite("Formats: MARC, MARCXML, MODS, RIS and OPDS") struct RecordFormsTests {
    /// A book with all fields, one with few, and one with none, in several scripts.
    private static let books = [full, short, Book(title: "")]
    private static let full = {
        var book = Book(
            title: "Emma \"1\"", authors: ["Jane Austen", "Żółć, Ćma"], isbn: ISBN("0141439580"), pageCount: 474,
            fiction: true)
        (book.sourceID, book.subtitle, book.sortTitle) = ("k1", "Роман", "emma")
        (book.publisher, book.published) = ("Penguin", PartialDate(year: 2003, month: 5, day: 6))
        (book.languages, book.subjects) = (["en", "pt-BR"], ["England", "恋愛"])
        (book.series, book.seriesPosition, book.cover) = ("Classics", 2.5, "c.png")
        book.description = "One.\nTwo ' & <b>"
        book.identifiers = ["10.1/x", "10.1/y"].map { Book.Identifier(scheme: "doi", value: $0) }
        book.contributors = [Book.Contributor(name: "Ann E", role: "editor"), Book.Contributor(name: "Bob")]
        (book.rating, book.status) = (4.5, .read)
        book.dateAdded = PartialDate(year: 2020, month: 1, day: 2)
        return book
    }()
    private static let short = {
        var book = Book(title: "Ηρόδοτος", authors: ["Ηρόδοτος"], fiction: false)
        (book.published, book.seriesPosition) = (PartialDate(year: -430), 3)
        return book
    }()

    /// Returns books in a format.
    private static func text(_ books: [Book], as format: ExportFormat) -> String {
        var form = format.formatter(includesUserData: true)
        var text: [UInt8] = []
        let identities = books.map { BookIdentity(key: .init(of: $0)) }
        if form.needsIdentities { form.expect(identities) }
        form.begin(&text)
        var userData = PrintedUserData()
        (userData.isFavourite, userData.shelves, userData.note) = (true, ["Secret shelf"], "Secret note")
        for (book, identity) in zip(books, identities) {
            form.append(PrintedBook(book: book, identity: identity, userData: userData), to: &text)
        }
        form.end(&text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Writes books in a format to a file, and reads it.
    private static func mirrored(_ text: String, in directory: TemporaryDirectory) throws -> Mirrored {
        try Mirrored(source: directory.write(text.utf8, to: "books"))
    }

    /// The fields of the first book that each format can hold, as keys of the reading connector.
    private static let fields: [(format: ExportFormat, fields: [String: String])] = [
        (
            .marc,
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
            .marcxml,
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
            .mods,
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
            .ris,
            [
                "id": #""k1""#, "title": #""Emma \"1\"""#, "subtitle": #""Роман""#,
                "authors": #"["Austen, Jane","Żółć, Ćma"]"#, "isbn": #"["0141439580"]"#, "pageCount": #""474""#,
                "publisher": #""Penguin""#, "published": #""2003-05-06""#, "languages": #"["en","pt-BR"]"#,
                "subjects": #"["England","恋愛"]"#, "series": #""Classics""#, "seriesPosition": #""2.5""#,
                "description": #""One. Two ' & <b>""#,
            ]
        ),
        (
            .opds,
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

    @Test(arguments: fields.map(\.format))
    func theFieldsOfEachFormatAreReadBack(format: ExportFormat) throws {
        let expected = try #require(Self.fields.first { $0.format == format }?.fields)
        let directory = try TemporaryDirectory()
        let copy = try Self.mirrored(Self.text(Self.books, as: format), in: directory)
        #expect(copy.opened.kind == format.rawValue && copy.copy.isComplete)
        let books = copy.rows
        #expect(books.count == 3)
        for (key, json) in expected { #expect(books[0][key]?.json == json, "\(key)") }
        #expect(books[1]["title"]?.string == "Ηρόδοτος")
        if format == .marc || format == .marcxml {
            #expect(books[1]["published"]?.string == "-0430" && books[1]["fiction"]?.boolean == false)
        }
        #expect(books[1]["authors"]?.elements == [.string("Ηρόδοτος")])
        #expect(books[2]["title"]?.string == "Untitled" && books[2]["authors"] == nil)
    }

    @Test(arguments: fields.map(\.format))
    func userDataIsLeftOut(format: ExportFormat) {
        #expect(!format.hasUserData && !format.needsConnector)
        #expect(!format.formatter(includesUserData: true).needsUserData)
        #expect(!Self.text(Self.books, as: format).contains("Secret"))
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
    @Test(arguments: [ExportFormat.marcxml, .mods, .opds])
    func anyTextIsWellFormed(format: ExportFormat) throws {
        var hostile = Book(
            title: "a<b>&\"'\u{0}\u{1B}[31m\u{85}\u{FFFE}]]>\t\u{202E}", authors: ["</record>"], isbn: ISBN("\"><"))
        (hostile.subjects, hostile.languages, hostile.publisher) = (["\"<&"], ["</x>"], "\u{FFFD}")
        let directory = try TemporaryDirectory()
        let text = Self.text([hostile, Self.full], as: format)
        let copy = try Self.mirrored(text, in: directory)
        #expect(try isWellFormed(directory.path + "/books"))
        #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || (0x7F...0x9F).contains($0.value) })
        let book = try #require(copy.rows.first)
        let title = try #require(book["title"]?.string)
        #expect(title.hasPrefix("a<b>&\"'[31m") && title.contains("]]>"))
        #expect(book["authors"]?.elements == [.string("</record>")])
        #expect(book["isbn"]?.elements == [.string("\"><")])
    }

    @Test func aRecordOfMARCHasTheFieldsOfTheStandard() throws {
        let directory = try TemporaryDirectory()
        let copy = try Self.mirrored(Self.text(Self.books, as: .marcxml), in: directory)
        let book = try #require(copy.rows.first)
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

    /// RFC 4287 requires an id, a title and a date for the feed and each entry; ids must not change between exports.
    @Test func aFeedHasTheElementsThatAtomRequires() throws {
        let directory = try TemporaryDirectory()
        let texts = (0..<2).map { _ in Self.text(Self.books, as: .opds) }
        let ids = try Set(texts.map { try Self.mirrored($0, in: directory).rows.map { $0["id"]?.string ?? "" } })
        #expect(ids.count == 1)
        let first = try #require(ids.first)
        #expect(Set(first).count == 3 && first.allSatisfy { UUID(uuidString: String($0.dropFirst(9))) != nil })
        let text = texts[0]
        for element in ["<id>", "<title>", "<updated>"] {
            #expect(text.components(separatedBy: element).count == 5, "\(element)")
        }
        #expect(text.components(separatedBy: "<content type=\"text\"").count == 4)
        #expect(text.contains("<dc:issued>2003-05-06</dc:issued>") && text.contains("<dc:language>en</dc:language>"))
        #expect(text.contains("<dc:identifier>urn:isbn:0141439580</dc:identifier>"))
    }

    /// The id of a feed follows from its books: a change of a description keeps it, another book does not.
    @Test func theFeedOfTheSameBooksHasTheSameID() throws {
        func id(_ books: [Book]) throws -> Substring {
            let text = Self.text(books, as: .opds)
            return try #require(text.split(separator: "\n").first { $0.hasPrefix("  <id>urn:uuid:") })
        }
        var changed = Self.books
        (changed[0].description, changed[0].sourceID) = ("Other", "k2")
        #expect(try id(changed) == id(Self.books))
        let others = [[], [Self.full], [Self.short], [Self.full, Self.short], [Self.short, Self.full], Self.books]
        #expect(try Set(others.map(id)).count == others.count)
    }

    @Test func aReferenceOfRISHasALinePerTag() {
        var book = Self.short
        (book.sourceID, book.published) = ("hash:00000000000000ff", PartialDate(year: 430, month: 2))
        #expect(
            Self.text([book], as: .ris)
                == "TY  - BOOK\r\nID  - hash:00000000000000ff\r\nTI  - Ηρόδοτος\r\nAU  - Ηρόδοτος\r\n"
                + "PY  - 0430\r\nDA  - 0430/02//\r\nVL  - 3\r\nER  - \r\n\r\n")
    }

    /// A line end in a text would begin another tag, and a control character would act on a terminal.
    @Test func aTextOfRISStaysOnItsLine() {
        var book = Book(title: "A\nER  - \u{1B}[31m\u{9B}B\u{202E}", authors: ["C\r\nTY  - BOOK"])
        book.description = "D\u{2028}\u{2028}E\u{0}"
        let lines = Self.text([book], as: .ris).components(separatedBy: "\r\n")
        #expect(lines[2...] == ["TI  - A ER  - [31m B", "AU  - C TY  - BOOK", "AB  - D E ", "ER  - ", "", ""])
    }
}
