import Books
import CatalogTesting
import ConnectorProtocol
import ConnectorTesting
import TestSupport
import Testing

@testable import Catalog
@testable import Connectors
@testable import JSON

/// Every field of the table that the schema of databases has a place for.
@Suite("Fields: the contract of the table, in SQLite") struct LibraryFieldContractTests {
    /// The members of rows whose values are in tables of their own.
    private static let lists: Set = ["authors", "language", "subjects", "identifiers", "contributors"]
    private static let samples = FieldSample.all.filter { sample in
        let key = sample.field.info.nativeKey
        return lists.contains(key) || LibrarySchema.columns.contains { $0.key == key }
    }

    @Test("Each kind of field has a place") func places() {
        let kinds = Set(Self.samples.map(\.field.info.kind))
        #expect(kinds == Set(BookField.builtIn.map(\.info.kind)))
    }

    @Test("A database has it and is read back", arguments: samples) func readBack(sample: FieldSample) throws {
        let identity = BookIdentity(key: BookIdentity.Key(of: sample.book))
        let made = try Exported([sample.book.nativeRecord(identity: identity).json], as: "sqlite")
        let copy = try Mirrored(source: made.path)
        let profile = try #require(copy.opened.profile.flatMap(Profile.builtIn(named:)))
        let record = try #require(copy.lines.first.flatMap { JSONValue(parsing: $0.utf8) })
        let book = profile.mapping.book(from: record)
        #expect(sample.field.value(in: book) == sample.value)
        #expect(book.otherFields.isEmpty)
    }
}
