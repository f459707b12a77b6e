import Foundation
import Storage
import TestSupport
import Testing

@testable import Catalog
@testable import Editing

@Suite("The names of journals of edits") struct JournalNamesTests {
    private let directory: TemporaryDirectory
    /// Two addresses to which earlier versions gave the same journal.
    private static let good = "http://127.0.0.1:9101/good.csv"
    private static let evil = "http://127.0.0.1:9102/evil.csv?SndCRMcTRj4Csu5eF"

    init() throws { directory = try TemporaryDirectory() }

    private func path(_ name: String) -> String { "\(directory.path)/edits/\(name).jsonl" }

    private func journalPath(of catalog: String) -> String? {
        EditedCatalog.journalPath(of: catalog, in: directory.path)
    }

    private func append(_ number: Int, to path: String, of catalog: String) throws {
        let removal = CatalogEdit.remove([.init(position: number, bytes: Array("{}".utf8))])
        let step = EditJournal.Step(number: number, kind: .edit, edits: [removal])
        try EditJournal(path: path, catalogPath: catalog).append { _ in [.step(step)] }
    }

    private func steps(of path: String?, _ catalog: String) throws -> [Int] {
        try EditJournal(path: #require(path), catalogPath: catalog).newEntries().compactMap { entry in
            if case .step(let step) = entry { step.number } else { nil }
        }
    }

    @Test("The name is the SHA-256 of the address") func name() {
        #expect(
            journalPath(of: "http://127.0.0.1:9/")
                == path("0aaac99222ebe069f2a940756a599dbc7652852f30a62e8ab0818d71efee0000"))
    }

    @Test("The journal of an earlier version goes on to be used by its catalog, and only by it") func earlier() throws {
        let shared = path(earlierName(of: Self.good))
        #expect(shared == path(earlierName(of: Self.evil)))
        try append(1, to: shared, of: Self.good)
        let before = try Data(contentsOf: URL(filePath: shared))
        let other = try #require(journalPath(of: Self.evil))
        #expect(try steps(of: other, Self.evil).isEmpty)
        try append(2, to: other, of: Self.evil)
        #expect(try Data(contentsOf: URL(filePath: shared)) == before)
        #expect(try steps(of: journalPath(of: Self.good), Self.good) == [1])
        #expect(try steps(of: journalPath(of: Self.evil), Self.evil) == [2])
    }

    @Test("A catalog without a journal of an earlier version has one under the new name") func new() throws {
        try append(2, to: path(earlierName(of: Self.evil)), of: Self.evil)
        let journal = try #require(journalPath(of: Self.good))
        #expect(journal == path(hashedName(of: Self.good)))
        try append(1, to: journal, of: Self.good)
        #expect(try steps(of: journalPath(of: Self.good), Self.good) == [1])
    }

    @Test("Nothing is read from the journal of another catalog, or written to it") func foreign() throws {
        try append(2, to: path(hashedName(of: Self.good)), of: Self.evil)
        #expect(journalPath(of: Self.good) == nil)
        // An address whose heading is longer than the part that is read first.
        let long = Self.evil + String(repeating: "x", count: 100_000)
        try append(2, to: path(hashedName(of: long)), of: Self.evil)
        try append(2, to: path(hashedName(of: Self.evil)), of: long)
        #expect(journalPath(of: long) == nil && journalPath(of: Self.evil) == nil)
    }

    @Test("A journal whose heading is damaged is still that of its catalog") func damaged() throws {
        let journal = path(hashedName(of: Self.good))
        try append(1, to: journal, of: Self.good)
        try append(2, to: journal, of: Self.good)
        var bytes = try Data(contentsOf: URL(filePath: journal))
        bytes[0] = UInt8(ascii: "x")
        try bytes.write(to: URL(filePath: journal))
        #expect(try steps(of: journalPath(of: Self.good), Self.good) == [1, 2])
    }
}
