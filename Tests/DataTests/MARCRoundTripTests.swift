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
    /// The files whose encoding is the one that they declare, with its name.
    private static let files = [
        ("blacklight-utf8.mrc", "utf-8"), ("pymarc-alphatag.dat", "marc-8"), ("pymarc-diacritic.dat", "marc-8"),
        ("pymarc-marc.dat", "marc-8"), ("pymarc-marc8.dat", "marc-8"), ("pymarc-multi_isbn.dat", "marc-8"),
        ("pymarc-one.dat", "marc-8"), ("pymarc-regression45.dat", "utf-8"),
        ("pymarc-utf8_with_leader_flag.dat", "utf-8"),
    ]

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
    private func dumped(_ path: String, _ encoding: String) throws -> String {
        try ReferenceReader.output(
            of: "/usr/bin/yaz-marcdump", ["-f", encoding, "-t", "utf-8", "-o", "marcxml", path]
        ).joined(separator: "\n")
    }

    private func expected(_ path: String, _ encoding: String) throws -> [JSONValue] {
        let directory = try TemporaryDirectory()
        let source = try directory.write(dumped(path, encoding).utf8, to: "expected.xml")
        return try Mirrored(source: source).rows.compactMap { $0["marc"] }
    }

    @Test("Zebra has the records of all files that stacks reads from them", arguments: ["sru+http", "z3950"])
    func served(scheme: String) throws {
        let directory = try TemporaryDirectory()
        var records = ""
        var rows: [JSONValue] = []
        for (name, encoding) in Self.files {
            let path = try DataDirectory.path("marc/" + name)
            records += try dumped(path, encoding).split(separator: "\n").filter {
                !$0.hasPrefix("<collection") && !$0.hasPrefix("</collection")
            }
            .joined(separator: "\n")
            rows += try Mirrored(source: path).rows
        }
        // Zebra keeps one record for each number.
        var number = 0
        let parts = records.components(separatedBy: "<record").dropFirst().map { part in
            number += 1
            let start = part.firstRange(of: "<controlfield tag=\"001\">")
            let end = start.flatMap { part[$0.upperBound...].firstIndex(of: "<") }
            guard let start, let end else { return part }
            return part[..<start.upperBound] + "r\(number)" + part[end...]
        }
        let numbered = parts.map { "<record" + $0 }.joined()
        let collection = try directory.write(
            "<collection xmlns=\"http://www.loc.gov/MARC21/slim\">\(numbered)</collection>".utf8, to: "all.xml")
        let server = try ServerProcess(script: "zebra.py", arguments: [directory.path, collection])
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
        let path = try DataDirectory.path("marc/" + name)
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
        let path = try DataDirectory.path("marc/" + name)
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
    /// The letters and digits.
    fileprivate var letters: String {
        String(
            String.UnicodeScalarView(unicodeScalars.filter { $0.properties.isAlphabetic || ("0"..."9").contains($0) }))
    }

    /// The characters at these places.
    fileprivate subscript(start: Int, end: Int) -> String { String(dropFirst(start).prefix(end - start)) }
}
