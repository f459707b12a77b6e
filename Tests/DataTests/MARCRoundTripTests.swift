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

    private func expected(_ path: String, _ encoding: String) throws -> [JSONValue] {
        let lines = try ReferenceReader.output(
            of: "/usr/bin/yaz-marcdump", ["-f", encoding, "-t", "utf-8", "-o", "marcxml", path])
        let directory = try TemporaryDirectory()
        let source = try directory.write(lines.joined(separator: "\n").utf8, to: "expected.xml")
        return try Mirrored(source: source).rows.compactMap { $0["marc"] }
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
    /// The characters at these places.
    fileprivate subscript(start: Int, end: Int) -> String { String(dropFirst(start).prefix(end - start)) }
}
