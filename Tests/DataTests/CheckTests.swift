import CatalogTesting
import Foundation
import TestSupport
import Testing

@testable import Books
@testable import Catalog
@testable import Indexing
@testable import JSON
@testable import stacks

/// Compares the statistics of `stacks check` on real catalogs with known numbers.
@Suite("Data: stacks check") struct CheckTests {
    private func report(_ file: String) throws -> (report: CatalogValidator, store: JSONFileCatalog) {
        let store = JSONFileCatalog(path: try DataDirectory.path(file))
        try store.readAll()
        var report = CatalogValidator(try #require(store.format).mapping)
        for index in 0..<store.index.count { report.add(try #require(store.record(at: index))) }
        return (report, store)
    }

    @Test func theFieldsOfTheMongoDBSampleAreCounted() throws {
        let (report, store) = try report("mongodb-books/books.ndjson")
        #expect(report.recordCount == 431)
        #expect(report.coverage[.pageCount] == 265)
        #expect(report.coverage[.title] == 431)
        #expect(report.coverage[.published] == 353)
        #expect(report.issues.mapValues(\.count) == [.unreadable(.status): 431])
        #expect(report.invalidISBNCount == 14)
        #expect(report.doublesByISBN(in: store.index).groupCount == 5)
    }

    @Test func everyBookOfGoodbooksHasATitle() throws {
        let (report, _) = try report("goodbooks-10k/native-derived.json")
        #expect(report.recordCount == 10_000)
        #expect(report.coverage[.title] == 10_000)
        #expect(report.issues.isEmpty)
    }

    @Test func everyBookOfGutenbergIsCounted() throws {
        let temporary = try TemporaryDirectory()
        let path = try temporary.write([], to: "gutenberg.ndjson")
        let process = Process()
        process.executableURL = URL(filePath: "/bin/zcat")
        process.arguments = [try DataDirectory.path("gutenberg/gutenberg.ndjson.gz")]
        process.standardOutput = try FileHandle(forWritingTo: URL(filePath: path))
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        let store = JSONFileCatalog(path: path)
        try store.readAll()
        #expect(store.index.count == 78_766)
        #expect(store.defects.isEmpty)
        #expect(store.format?.profile.name == "gutendex")
        let titles = (0..<store.index.count).compactMap { store.summary(of: BookID($0)).value?.title }
        #expect(titles.count == 78_766)
        // Six titles contain a price. 4,428 records contain subfield codes, one of them without its letter.
        #expect(titles.count { $0.contains("$") } == 6)
        #expect(titles.contains("Peter Pan: [Peter and Wendy]"))
        var report = CatalogValidator(try #require(store.format).mapping)
        for index in stride(from: 0, to: store.index.count, by: 40) {
            report.add(try #require(store.record(at: index)))
        }
        #expect(report.recordCount == 1970)
        #expect(report.coverage[.title] == 1970)
    }

    @Test func everyRecordOfBlacklightIsCounted() throws {
        let (report, store) = try report("blacklight-solr/solr-response.json")
        #expect(report.recordCount == 30)
        #expect(report.coverage[.title] == 30)
        #expect(report.coverage[.isbn] == 6)
        #expect(store.format?.profile.name == "blacklight")
    }

    @Test func theFaultsOfInvalidFeedsAreReported() throws {
        let (first, store) = try report("opds2/palace-opds2-bad_feed.json")
        #expect(
            first.issues.mapValues(\.count) == [
                .missing(.title): 1, .unreadable(.authors): 2, .unreadable(.contributors): 1,
                .unreadable(.languages): 2,
            ])
        let language = try #require(first.issues[.unreadable(.languages)]?.first.first)
        let position = try #require(store.positions(of: [RecordLocation(BookID(language.record), language.path)]).first)
        let bytes = try DataDirectory.bytes("opds2/palace-opds2-bad_feed.json")
        #expect(bytes[position.byteOffset...].starts(with: "\"enzz\"".utf8))
        #expect(position.line == 90)
        let (second, _) = try report("opds2/palace-opds2-bad_feed2.json")
        #expect(second.issues.mapValues(\.count) == [.unreadable(.languages): 1])
        #expect(try report("opds2/palace-opds2-feed.json").report.issues.isEmpty)
    }

    /// The fields of the suggested profile for a catalog in an unknown format.
    @Test(arguments: [
        ("seed/catalog.json", [BookField.title, .authors, .isbn, .pageCount, .fiction]),
        ("goodbooks-10k/native-derived.json", [.title, .authors, .isbn]),
        ("gutenberg/native-derived-multiscript.json", [.title, .authors, .fiction]),
        (
            "mongodb-books/books.ndjson",
            [.title, .authors, .isbn, .pageCount, .sourceID, .published, .subjects, .description, .cover]
        ),
    ])
    func theWizardFindsTheFieldsOfRealRecords(file: String, fields: [BookField]) throws {
        let records = try RecordSample(ofCatalogAt: DataDirectory.path(file))
        // The suggestion must not use the known format.
        let proposal = MappingSuggestion(for: records.records)
        #expect(Set(proposal.rules.keys) == Set(fields))
        for field in fields {
            let rule = try #require(proposal.rules[field])
            let known = try #require(records.format?.mapping.rules[field])
            let (own, others) = (proposal.look(at: rule, of: field), proposal.look(at: known, of: field))
            #expect(own.count == others.count, "\(field)")
            #expect(own.samples == others.samples, "\(field)")
        }
    }
}
