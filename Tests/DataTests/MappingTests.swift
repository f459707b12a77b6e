import Foundation
import Testing

@testable import Books
@testable import Catalog
@testable import JSON

/// Real records are read as books, written, and read again.
@Suite("Data: suggested mappings") struct MappingTests {
    private static let catalogs: [(file: String, profile: String, count: Int)] = [
        ("seed/catalog.json", "native", 11), ("mongodb-books/books.ndjson", "native", 431),
        ("mongodb-books/native-derived.json", "native", 431), ("goodbooks-10k/native-derived.json", "native", 10_000),
        ("gutenberg/native-derived-multiscript.json", "native", 2_621),
        ("gutenberg/gutenberg.ndjson.gz", "gutendex", 78_766),
        ("blacklight-solr/solr-response.json", "blacklight", 30), ("opds2/readium-opds_2_0.json", "opds", 5),
        ("opds2/readium-opds2-publication.json", "opds", 1), ("opds2/palace-opds2-feed.json", "opds", 3),
        ("opds2/palace-opds2-auth_token_feed.json", "opds", 2), ("opds2/palace-opds2-bad_feed.json", "opds", 3),
        ("opds2/palace-opds2-bad_feed2.json", "opds", 1), ("opds2/readium-opds2-feed.json", "opds", 1),
    ]

    /// Changes of fields to values that no record contains.
    private static let changes: [@Sendable (inout Book) -> Void] = [
        { $0.title = "Another title" }, { $0.authors = ["Another Author", "One & More"] }, { $0.pageCount = 98_765 },
    ]

    @Test(arguments: catalogs)
    func aRealRecordIsReadAndWrittenBack(file: String, name: String, count: Int) throws {
        let profile = try #require(Profile.builtIn(named: name))
        let mapping = profile.mapping
        let records = try Self.records(of: file, profile)
        #expect(records.count == count)
        // A sample is enough for large files, because writing takes a thousand times as long as reading.
        let stride = records.count > 20_000 ? 40 : 1
        for (index, record) in records.enumerated() {
            let book = mapping.book(from: record)
            guard mapping.record(of: book, in: record) == record else {
                Issue.record("\(record.json) is changed by writing it back")
                continue
            }
            guard index.isMultiple(of: stride) else { continue }
            for change in Self.changes {
                var changed = book
                change(&changed)
                if mapping.rules[.pageCount] == nil { changed.pageCount = nil }
                let written = mapping.record(of: changed, in: record)
                var read = mapping.book(from: written)
                // Data about a removed author disappears, and so do unreadable values.
                read.otherFields = changed.otherFields
                if read != changed { Issue.record("\(written.json) is \(read), not \(changed)") }
                guard Self.keepsOrder(written, of: record) else {
                    Issue.record("\(written.json) has other keys than \(record.json)")
                    continue
                }
            }
        }
    }

    @Test func booksAreReadAccordingToTheirFormat() throws {
        func books(_ file: String, _ name: String) throws -> [Book] {
            let profile = try #require(Profile.builtIn(named: name))
            return try Self.records(of: file, profile).map(profile.mapping.book)
        }
        let mongo = try books("mongodb-books/books.ndjson", "native")
        #expect(mongo[0].title == "Unlocking Android")
        #expect(mongo[0].authors == ["W. Frank Ableson", "Charlie Collins", "Robi Sen"])
        #expect(mongo[0].published == PartialDate(year: 2009, month: 4, day: 1))
        #expect(mongo[0].subjects == ["Open Source", "Mobile"])
        #expect(mongo.allSatisfy { $0.status == nil && $0.otherFields.contains { $0.path == "status" } })
        let readium = try books("opds2/readium-opds_2_0.json", "opds")
        #expect(readium[0].authors.count == 7)
        #expect(readium[0].isbn == nil)
        #expect(readium[3].isbn?.number == 9_780_316_000_000)
        #expect(readium[2].published == nil)
        #expect(readium[2].contributors == [.init(name: "Dave Cramer", role: "mrk")])
        #expect(readium.allSatisfy { $0.cover?.hasPrefix("https://") == true })
        let blacklight = try books("blacklight-solr/solr-response.json", "blacklight")
        #expect(blacklight.count { $0.title.unicodeScalars.contains { $0.value > 0x500 } } >= 14)
        #expect(blacklight.allSatisfy { !$0.title.isEmpty && $0.published != nil && $0.sourceID != nil })
        #expect(blacklight.count { $0.isbn?.isValid == true } == 6)
    }

    /// Returns whether `written` contains all keys of `record` in the same order.
    private static func keepsOrder(_ written: JSONValue, of record: JSONValue) -> Bool {
        guard let old = record.members, let new = written.members else { return written == record }
        return new.map(\.key).starts(with: old.map(\.key))
            && zip(old, new).allSatisfy { $0.value.members == nil || keepsOrder($1.value, of: $0.value) }
    }

    /// Returns the records of a file at the first path of the profile that has any.
    private static func records(of file: String, _ profile: Profile) throws -> [JSONValue] {
        if file.contains(".ndjson") {
            let bytes = try file.hasSuffix(".gz") ? unpacked(file) : DataDirectory.bytes(file)
            return try bytes.split(separator: UInt8(ascii: "\n")).map { try #require(JSONValue(parsing: $0)) }
        }
        let whole = try #require(JSONValue(parsing: try DataDirectory.bytes(file)))
        for path in profile.records {
            let found = path.found(in: whole).values
            if !found.isEmpty { return found }
        }
        return []
    }

    private static func unpacked(_ file: String) throws -> [UInt8] {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/bin/zcat")
        process.arguments = [try DataDirectory.path(file)]
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return Array(try #require(data))
    }
}
