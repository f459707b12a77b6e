import ConnectorProtocol
import ConnectorTesting
import Foundation
import JSON
import TestSupport
import Testing

/// A field of a file that deliberately differs from the reference reader.
private struct Difference: Hashable {
    let file: String
    let field: String
    let reason: String

    init(_ file: String, _ field: String, _ reason: String) {
        (self.file, self.field, self.reason) = (file, field, reason)
    }
}

/// Compares all files that are not JSON with the reference readers of their formats.
@Suite("Data: reference readers") struct ReferenceReaderTests {
    private static let differences = [
        Difference(
            "pymarc-1251.dat", "fields", "the leader says MARC-8, but it is Windows-1251: a wrong encoding is said"),
        Difference("pymarc-bad_eacc_encoding.dat", "fields", "libyaz and pymarc replace wrong characters differently"),
        Difference("pymarc-bad_marc8_escape.dat", "fields", "pymarc replaces what has a wrong escape sequence"),
        Difference(
            "pymarc-utf8_invalid.mrc", "fields", "pymarc replaces wrong bytes, stacks reads them as Windows-1252"),
        Difference(
            "pymarc-utf8_without_leader_flag.dat", "fields", "pymarc trusts the leader, stacks the text, which is UTF-8"
        ),
        Difference(
            "pymarc-bad_indicator.dat", "fields", "the place of a field is off by one, and libyaz reads more of it"),
        Difference(
            "pymarc-testunimarc.dat", "fields", "pymarc keeps the control characters around words not to be sorted"),
        Difference("pymarc-bad_subfield_code.dat", "count", "pymarc drops the record, stacks keeps its other fields"),
        Difference("example_urls.ris", "urls", "stacks does not split links at semicolons, which links may contain"),
        Difference("example_wos.ris", "subjects", "rispy has no keywords for the tag ID"),
    ]

    private func isKnownDifference(_ file: String, _ field: String) -> Bool {
        Self.differences.contains { $0.file == file && $0.field == field }
    }

    /// Expects a field to be the same in all records, or to differ in some if the table of differences contains it.
    private func compare(_ file: String, _ field: String, _ pairs: [(actual: [String], expected: [String])]) {
        if isKnownDifference(file, field) {
            #expect(pairs.contains { $0.actual != $0.expected }, "\(file): \(field) does not differ any more")
        } else {
            for (index, pair) in pairs.enumerated() {
                #expect(pair.actual == pair.expected, "\(file): \(field) of record \(index + 1)")
            }
        }
    }

    // MARK: MARC

    @Test(arguments: try! DataDirectory.files(in: "marc").filter { $0.hasSuffix(".dat") || $0.hasSuffix(".mrc") })
    func recordsOfMARCHaveTheFieldsThatPymarcFinds(name: String) throws {
        let path = try DataDirectory.path("marc/" + name)
        try compareMARC(name, path, ReferenceReader.records("marc", path))
    }

    @Test(arguments: ["pymarc-batch.xml", "pymarc-utf8.xml"])
    func recordsOfMARCXMLHaveTheFieldsThatPymarcFinds(name: String) throws {
        let path = try DataDirectory.path("marc/" + name)
        try compareMARC(name, path, ReferenceReader.records("marcxml", path))
    }

    @Test(
        "Saved answers of library servers have the fields that pymarc finds",
        arguments: [
            "dnb_9783462001313.xml", "k10plus_9780553103540.xml", "loc_9780553103540.xml",
        ])
    func answersOfSRU(name: String) throws {
        let path = try DataDirectory.path("lookup/" + name)
        try compareMARC(name, path, ReferenceReader.records("marcxml", path))
        let pages = try #require(Mirrored(source: path).rows.first?["pageCount"]?.string)
        #expect(pages.hasPrefix(name.hasPrefix("dnb") ? "" : "694"))
    }

    private func compareMARC(_ name: String, _ path: String, _ all: [JSONValue]) throws {
        let copy = try Mirrored(source: path)
        let expected = all.filter { $0 != .null }
        if isKnownDifference(name, "count") {
            #expect(copy.copy.rows != expected.count)
        } else {
            let skipped = copy.copy.defects.filter(\.isSkipped).reduce(0) { $0 + $1.count }
            #expect(copy.copy.rows == expected.count && skipped <= all.count - expected.count)
        }
        let fields = copy.rows.compactMap { $0["marc"]?["fields"]?.comparable }
        let pairs = expected.enumerated().map { ([$0 < fields.count ? fields[$0] : ""], [$1.comparable]) }
        compare(name, "fields", pairs)
    }

    // MARK: Bibliographies

    @Test(arguments: try! DataDirectory.files(in: "ris").filter { $0.hasSuffix(".ris") })
    func referencesOfRISHaveTheFieldsThatRispyFinds(name: String) throws {
        let path = try DataDirectory.path("ris/" + name)
        let expected = try ReferenceReader.records(name.contains("wos") ? "wos" : "ris", path)
        let copy = try Mirrored(source: path)
        #expect(copy.copy.rows == expected.count && copy.copy.isComplete)
        let fields: [(String, (JSONValue) -> [String])] = [
            ("title", { [[$0["title"], $0["subtitle"]].compactMap { $0?.string }.joined(separator: ": ")] }),
            ("authors", { $0.texts("authors") }), ("year", { [String(($0["published"]?.string ?? "").prefix(4))] }),
            ("doi", { [$0["identifiers"]?["doi"]?.string ?? ""] }), ("subjects", { $0.texts("subjects") }),
            ("description", { [$0["description"]?.string ?? ""] }),
            ("urls", { row in ["url", "url 2"].compactMap { row["identifiers"]?[$0]?.string } }),
        ]
        for (field, texts) in fields {
            compare(
                name, field,
                zip(copy.rows, expected).map { row, record in
                    let expected = record[field]?.elements?.compactMap(\.string) ?? [record[field]?.string ?? ""]
                    return (texts(row).map(\.plain), expected.map(\.plain))
                })
        }
    }

    @Test(arguments: [("example.bib", "utf-8"), ("gbk.bib", "gbk")])
    func entriesOfBibTeXHaveTheFieldsThatBibtexparserFinds(name: String, encoding: String) throws {
        let path = try DataDirectory.path("bibtex/" + name)
        let expected = try ReferenceReader.records("bibtex", path, encoding)
        let copy = try Mirrored(source: path)
        #expect(copy.copy.rows == expected.count && copy.copy.isComplete && copy.copy.defects == [])
        for (row, record) in zip(copy.rows, expected) {
            #expect(row["id"]?.string == record["id"]?.string && row["title"]?.string == record["title"]?.string)
            #expect(row["containedIn"]?.string == record["journal"]?.string)
            #expect(String((row["published"]?.string ?? "").prefix(4)) == record["year"]?.string)
            // The order within a name differs: "César, Jean" is "Jean César".
            #expect(row.texts("authors").map(\.words) == record["authors"]?.elements?.map { ($0.string ?? "").words })
        }
    }

    // MARK: Tables

    /// Every cell of every row.
    @Test func aTableHasTheCellsThatPythonFinds() throws {
        let path = try DataDirectory.path("goodbooks-10k/books.csv")
        let copy = try Mirrored(source: path)
        let expected = try ReferenceReader.lines(["csv", path])
        #expect(expected.count == 10_000 && copy.lines == expected)
        #expect(copy.copy.isComplete)
        // A spreadsheet has rounded isbn13, and these have no isbn.
        #expect(copy.copy.defects == [SourceDefect(.rounded, count: 156, first: .line(261))])
        let first = try #require(copy.rows.first)
        #expect(first["original_title"]?.string == "The Hunger Games" && first["isbn"]?.string == "439023483")
    }

    /// The same table in a database, with numbers as numbers.
    @Test func aDatabaseHasTheValuesThatPythonFinds() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/books.db"
        let csv = try DataDirectory.path("goodbooks-10k/books.csv")
        _ = try ReferenceReader.output(
            of: "/usr/bin/sqlite3",
            [
                path, ".mode csv", ".import '\(csv)' strings",
                """
                CREATE TABLE books AS SELECT CAST(book_id AS INTEGER) AS id, title, authors,
                    CAST(average_rating AS REAL) AS rating, NULLIF(isbn, '') AS isbn, CAST(isbn13 AS BLOB) AS code
                FROM strings
                """,
            ])
        let copy = try Mirrored(source: path + "?table=books")
        let expected = try ReferenceReader.records("sqlite", path, "books")
        #expect(expected.count == 10_000 && copy.rows == expected && copy.copy.isComplete)
        let first = """
            {"id":1,"title":"The Hunger Games (The Hunger Games, #1)","authors":"Suzanne Collins","rating":4.34,\
            "isbn":"439023483"}
            """
        #expect(copy.lines.first == first)
    }

    // MARK: All kinds

    /// Every file that is not JSON is recognized by its content.
    @Test func everyFileIsDetectedAsItsKind() throws {
        let kinds = [
            ("marc", ["dat": "marc", "mrc": "marc", "xml": "marcxml"]), ("ris", ["ris": "ris"]),
            ("bibtex", ["bib": "bibtex"]), ("opds1", ["opds": "opds", "atom": "opds"]),
            ("goodbooks-10k", ["csv": "csv"]), ("gutenberg", ["gz": "json"]),
        ]
        var count = 0
        for (directory, endings) in kinds {
            for name in try DataDirectory.files(in: directory) {
                guard let ending = name.split(separator: ".").last, let kind = endings[String(ending)] else { continue }
                let copy = try Mirrored(source: DataDirectory.path("\(directory)/\(name)"))
                #expect(copy.opened.kind == (name.contains("wos") ? "isi" : kind), "\(name)")
                #expect(copy.copy.isComplete, "\(name)")
                count += 1
            }
        }
        #expect(count == 47)
    }
}

extension JSONValue {
    /// The value as text that is equal for equal content.
    fileprivate var comparable: String { sorted.json.precomposedStringWithCanonicalMapping }

    /// The strings of an array.
    fileprivate func texts(_ key: String) -> [String] { self[key]?.elements?.compactMap(\.string) ?? [] }
}

extension String {
    /// The letters and digits of this text.
    fileprivate var plain: String { filter { $0.isLetter || $0.isNumber } }

    /// The words of this text, sorted.
    fileprivate var words: [String] { split { !$0.isLetter }.map(String.init).sorted() }
}
