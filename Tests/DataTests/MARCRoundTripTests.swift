import ConnectorProtocol
import ConnectorTesting
import Foundation
import JSON
import TestSupport
import Testing

@testable import Books
@testable import Catalog
@testable import Formats

/// Real files of MARC there and back, compared with what yaz-marcdump reads from them.
@Suite("Data: MARC there and back") struct MARCRoundTripTests {
    /// The files of which libyaz has the same fields, with the encoding in which they are read.
    private static let files = [
        ("marc/blacklight-utf8.mrc", "utf-8"), ("marc/pymarc-alphatag.dat", "marc-8"),
        ("marc/pymarc-bad_eacc_encoding.dat", "marc-8"),
        ("marc/pymarc-batch.xml", "utf-8"),
        ("marc/pymarc-diacritic.dat", "marc-8"), ("marc/pymarc-marc.dat", "marc-8"),
        ("marc/pymarc-marc8.dat", "marc-8"), ("marc/pymarc-multi_isbn.dat", "marc-8"),
        ("marc/pymarc-one.dat", "marc-8"),
        ("marc/pymarc-regression45.dat", "utf-8"), ("marc/pymarc-utf8.xml", "utf-8"),
        ("marc/pymarc-utf8_errors.dat", "utf-8"), ("marc/pymarc-utf8_with_leader_flag.dat", "utf-8"),
        ("marc/pymarc-utf8_without_leader_flag.dat", "utf-8"), ("wild/control.mrc", "utf-8"),
        ("wild/marc-bom-unknown-format.mrc", "utf-8"), ("wild/marc-no-245a-blank-title.mrc", "utf-8"),
        ("wild/marc-original-script-880-lost.mrc", "utf-8"), ("wild/marc-pages-takes-the-last-number.mrc", "utf-8"),
        ("wild/marc-second-isbn-lost.mrc", "utf-8"), ("wild/marcxml-in-oai-pmh-unknown-format.xml", "utf-8"),
        ("lookup/dnb_9783462001313.xml", "utf-8"), ("lookup/k10plus_9780553103540.xml", "utf-8"),
        ("lookup/loc_9780553103540.xml", "utf-8"),
    ]

    /// The files of which libyaz has other records, with the encoding in which they are read, and why.
    private static let differences = [
        ("marc/pymarc-1251.dat", "cp1251", "without a known encoding, it is read as Windows-1252"),
        ("marc/pymarc-bad_indicator.dat", "marc-8", "an empty indicator moves the subfields into the indicators"),
        ("marc/pymarc-bad_marc8_escape.dat", "marc-8", "libyaz drops what has a wrong escape sequence"),
        ("marc/pymarc-bad_records.mrc", "marc-8", "libyaz has records without fields, which are no books"),
        ("marc/pymarc-bad_subfield_code.dat", "marc-8", "libyaz reads an end of a field as an indicator"),
        ("marc/pymarc-bad_tag.xml", "utf-8", "libyaz corrects the leader"),
        ("marc/pymarc-testunimarc.dat", "iso8859-1", "UNIMARC is written as MARC 21"),
        ("marc/pymarc-utf8_invalid.mrc", "utf-8", "wrong bytes are read as Windows-1252"),
        ("wild/marc-leader-blank-unknown-format.mrc", "utf-8", "the leader has no numbers of indicators and digits"),
    ]

    @Test("Every file of MARC is compared with libyaz") func isComplete() throws {
        let files = try ["marc", "wild", "lookup"].flatMap { directory in
            try DataDirectory.files(in: directory).filter { name in
                [".dat", ".mrc"].contains { name.hasSuffix($0) }
                    || name.hasSuffix(".xml") && (directory != "wild" || name.contains("marc"))
            }
            .map { "\(directory)/\($0)" }
        }
        #expect(Set(files) == Set(Self.files.map(\.0) + Self.differences.map(\.0)))
    }

    @Test("libyaz has other records for the reason that is named", arguments: differences.map { ($0.0, $0.1) })
    func different(name: String, encoding: String) throws {
        let path = try DataDirectory.path(name)
        #expect(try exported(path, as: .marcxml) != expected(path, encoding))
    }

    /// Returns the records of a file, exported in a format and read again.
    private func exported(_ path: String, as format: ExportFormat, _ change: (inout Book) -> Void = { _ in }) throws
        -> [JSONValue]
    {
        let mapping = try #require(Profile.builtIn(named: "native")).mapping
        var form = format.formatter(includesUserData: false)
        var text: [UInt8] = []
        form.begin(&text)
        for row in try Mirrored(source: path).rows {
            var book = mapping.book(from: row)
            change(&book)
            form.append(PrintedBook(book: book, record: row), to: &text)
        }
        form.end(&text)
        let directory = try TemporaryDirectory()
        return try Mirrored(source: directory.write(text, to: "books")).rows.compactMap { $0["marc"] }
    }

    /// Returns the records of a file as yaz-marcdump writes them in MARCXML.
    private func dumped(_ path: String, _ encoding: String) throws -> [String] {
        let form = path.hasSuffix(".xml") ? ["-i", "marcxml"] : ["-f", encoding, "-t", "utf-8"]
        // The status is 5 after a warning.
        let text = try ReferenceReader.output(
            of: "/usr/bin/yaz-marcdump", form + ["-o", "marcxml", path], succeeding: [0, 5]
        ).joined(separator: "\n")
        let records = text.replacingOccurrences(of: "</collection>", with: "").components(separatedBy: "<record")
        // A record in another element `record`, of an answer of a server, is written twice.
        return records.dropFirst().reduce(into: []) { if $0.last != "<record" + $1 { $0.append("<record" + $1) } }
    }

    private func collection(_ records: [String]) -> String {
        "<collection xmlns=\"http://www.loc.gov/MARC21/slim\">\(records.joined())</collection>"
    }

    private func expected(_ path: String, _ encoding: String) throws -> [JSONValue] {
        let directory = try TemporaryDirectory()
        let source = try directory.write(collection(dumped(path, encoding)).utf8, to: "expected.xml")
        return try Mirrored(source: source).rows.compactMap { $0["marc"] }
    }

    @Test("Zebra has the records of all files that stacks reads from them", arguments: ["sru+http", "z3950"])
    func served(scheme: String) throws {
        let directory = try TemporaryDirectory()
        var records: [String] = []
        var rows: [JSONValue] = []
        for (name, encoding) in Self.files {
            let path = try DataDirectory.path(name)
            records += try dumped(path, encoding)
            rows += try Mirrored(source: path).rows
        }
        // Zebra keeps one record for each number.
        for (number, record) in records.enumerated() {
            let start = record.firstRange(of: "<controlfield tag=\"001\">")
            guard let start, let end = record[start.upperBound...].firstIndex(of: "<") else { continue }
            records[number] = record[..<start.upperBound] + "r\(number)" + record[end...]
        }
        let all = try directory.write(collection(records).utf8, to: "all.xml")
        let server = try ServerProcess(script: "zebra.py", arguments: [directory.path, all])
        let source = try QueriedSource("\(scheme)://127.0.0.1:\(server.words[0])/Default")
        var served: [JSONValue] = []
        while let page = try? source.page(at: .row(served.count), limit: 50), !page.rows.isEmpty { served += page.rows }
        #expect(served.count == rows.count && !rows.isEmpty)
        for (actual, expected) in zip(served, rows) {
            for key in Set((actual.members ?? []).map(\.key) + (expected.members ?? []).map(\.key))
            where key != "id" && key != "marc" {
                // libyaz writes other marks of direction and ligatures in MARC-8, and none of the controls of Latin-1.
                let (actual, expected) = (actual[key]?.json.letters, expected[key]?.json.letters)
                #expect(actual == expected, "\(key)")
            }
        }
    }

    @Test("Leader, indicators, subfields and their order are those of the file", arguments: files)
    func unchanged(name: String, encoding: String) throws {
        let path = try DataDirectory.path(name)
        let expected = try expected(path, encoding)
        #expect(!expected.isEmpty)
        #expect(try exported(path, as: .marcxml) == expected)
        let records = try exported(path, as: .marc)
        #expect(records.map { $0["fields"] } == expected.map { $0["fields"] })
        // The lengths and the encoding follow from the text.
        func kept(_ records: [JSONValue]) -> [String] { records.map { ($0["leader"]?.string ?? "")[5, 8] } }
        #expect(kept(records) == kept(expected))
    }

    @Test("A changed title replaces field 245, and no other", arguments: files)
    func changed(name: String, encoding: String) throws {
        let path = try DataDirectory.path(name)
        func others(_ records: [JSONValue]) -> [JSONValue] {
            records.flatMap { ($0["fields"]?.elements ?? []).filter { $0["245"] == nil } }
        }
        let records = try exported(path, as: .marc) { $0.title = "Quaestio" }
        #expect(try others(records) == others(expected(path, encoding)))
        let titles = records.flatMap { ($0["fields"]?.elements ?? []).compactMap { $0["245"]?.json } }
        #expect(titles.count == records.count && titles.allSatisfy { $0.contains(#"{"a":"Quaestio"#) })
    }
}

extension String {
    /// The letters and digits, without modifiers such as the alif.
    fileprivate var letters: String {
        let letters = precomposedStringWithCanonicalMapping.unicodeScalars.filter {
            $0.properties.isAlphabetic && $0.properties.generalCategory != .modifierLetter || ("0"..."9").contains($0)
        }
        return String(String.UnicodeScalarView(letters))
    }

    /// The characters at these places.
    fileprivate subscript(start: Int, end: Int) -> String { String(dropFirst(start).prefix(end - start)) }
}
