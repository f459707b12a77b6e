import ConnectorProtocol
import ConnectorTesting
import Foundation
import JSON
import TestSupport
import Testing

@testable import Connectors

/// Encodings that the user names, because they are detected wrongly.
@Suite("Encodings: named ones") struct NamedEncodingTests {
    /// "Title,Author" and "Ča,B" in Windows-1250, with too few letters to be told from Windows-1252.
    private static let short = Array("Title,Author\n".utf8) + [0xC8, 0x61, 0x2C, 0x42, 0x0A]

    @Test func aTableIsReadInTheNamedEncoding() throws {
        let copy = try Mirrored(Self.short, name: "a.csv", encoding: "windows-1250")
        #expect(copy.rows.map { $0["Title"]?.string } == ["Ča"])
        #expect(copy.opened.facts["encoding"] == "Windows-1250")
        #expect(try Mirrored(Self.short, name: "a.csv").rows.map { $0["Title"]?.string } != ["Ča"])
    }

    @Test func bibliographiesAreReadInTheNamedEncoding() throws {
        let title: [UInt8] = [0xCC, 0xE8, 0xF0]
        let ris = Array("TY  - BOOK\nTI  - ".utf8) + title + Array("\nER  - \n".utf8)
        #expect(try Mirrored(ris, name: "a.ris", encoding: "CP1251").rows.map { $0["title"]?.string } == ["Мир"])
        let bibtex = Array("@book{a, title={".utf8) + title + Array("}}\n".utf8)
        #expect(try Mirrored(bibtex, name: "a.bib", encoding: "CP1251").rows.map { $0["title"]?.string } == ["Мир"])
    }

    /// A record with a title of the bytes "Мир" in Windows-1251, which its leader says is MARC-8.
    @Test func recordsOfMARCAreReadInTheNamedEncoding() throws {
        let field = Array("10\u{1F}a".utf8) + [0xCC, 0xE8, 0xF0, 0x1E]
        let directory = Array("24500".utf8) + Array("0800000\u{1E}".utf8)
        let base = 24 + directory.count
        let length = base + field.count + 1
        let leader = String(format: "%05d", length) + "nam a22" + String(format: "%05d", base) + "   4500"
        let record = Array(leader.utf8) + directory + field + [0x1D]
        let copy = try Mirrored(record, name: "a.mrc", encoding: "windows-1251")
        #expect(copy.rows.map { $0["title"]?.string } == ["Мир"])
    }

    @Test func anUnknownEncodingIsRefused() throws {
        #expect(throws: ConnectorFailure(.request, .member, detail: "encoding")) {
            try Mirrored(Self.short, name: "a.csv", encoding: "nonsense")
        }
    }

    // MARK: Conversion

    private func converted(_ bytes: [UInt8], from encoding: String?) throws -> (text: String, encoding: String) {
        let directory = try TemporaryDirectory()
        let source = try directory.write(bytes, to: "source")
        var replies: [ConnectorReply] = []
        let session = ConnectorSession(confines: false) { replies.append($0) }
        let target = directory.path + "/target"
        session.answer(ConnectorRequest(id: 1, .convert(from: source, to: target, encoding: encoding)))
        guard case .ended(.converted(let name))? = replies.last?.content else { throw WrongCopy() }
        return (try String(contentsOfFile: target, encoding: .utf8), name)
    }

    @Test func aTextIsConverted() throws {
        let text = "«Война и мир» и другие романы графа Льва Николаевича Толстого\n"
        let bytes = try #require(text.data(using: .windowsCP1251))
        #expect(try converted(Array(bytes), from: nil) == (text, "Windows-1251"))
        #expect(try converted(Array(bytes), from: "cp1251") == (text, "cp1251"))
        let wide = try #require("Emma\n".data(using: .utf16))
        #expect(try converted(Array(wide), from: nil).text == "Emma\n")
        #expect(throws: WrongCopy.self) { try converted([], from: "nonsense") }
    }
}

/// The places in a source of rows of its copy.
@Suite("Rows: their places in the source") struct RowPlaceTests {
    @Test func rowsOfATableAreAtTheirLines() throws {
        let table = "Title,Notes\nA,\"two\nlines\"\nB,x\n,\nC,y\n"
        let copy = try Mirrored(table.utf8, name: "a.csv", locating: [0, 1, 3]).copy
        #expect(copy.places == [0: .line(2), 1: .line(4), 3: .line(6)])
    }

    @Test func entriesOfABibliographyAreAtTheirLines() throws {
        let bibtex = "% a comment\n\n@book{a, title={A},\n year=2001}\n@book{b,\n title={B}\n@book{c, title={C}}\n"
        #expect(
            try Mirrored(bibtex.utf8, name: "a.bib", locating: [0, 1, 2]).copy.places
                == [0: .line(3), 1: .line(5), 2: .line(7)])
        let ris = "TY  - BOOK\nTI  - A\nER  - \n\nTY  - BOOK\nTI  - B\nER  - \n"
        #expect(try Mirrored(ris.utf8, name: "a.ris", locating: [0, 1]).copy.places == [0: .line(1), 1: .line(5)])
    }

    @Test func noPlacesAreToldUnlessAskedFor() throws {
        #expect(try Mirrored("Title,Author\nA,B\n", name: "a.csv").copy.places.isEmpty)
    }
}
