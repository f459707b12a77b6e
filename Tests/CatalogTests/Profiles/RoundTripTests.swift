import Testing

@testable import Books
@testable import Catalog
@testable import CatalogTesting
@testable import JSON

/// Books are read, changed, written and read again.
@Suite("Profiles: reading and writing back") struct RoundTripTests {
    /// Tables are read through copies, which cannot be edited.
    private static let names = Profile.builtInNames.filter {
        ![
            "goodreads", "goodbooks", "librarything", "storygraph", "zotero", "table", "calibre-csv", "stacks-csv",
            "bookwyrm", "gutenberg",
        ].contains($0)
    }

    /// A change of each field to a value that no record contains.
    private static let changes: [(field: BookField, change: @Sendable (inout Book) -> Void)] = [
        (.title, { $0.title = "Another title" }), (.authors, { $0.authors = ["Another Author"] }),
        (.isbn, { $0.isbn = ISBN("urn:isbn:9780441478125") }), (.pageCount, { $0.pageCount = 555 }),
        (.fiction, { $0.fiction = $0.fiction == true ? false : true }), (.sourceID, { $0.sourceID = "another" }),
        (.subtitle, { $0.subtitle = "Another subtitle" }), (.sortTitle, { $0.sortTitle = "another title" }),
        (.publisher, { $0.publisher = "Another House" }),
        (.published, { $0.published = PartialDate(year: 1971, month: 2, day: 3) }),
        (.languages, { $0.languages = ["fr"] }), (.subjects, { $0.subjects = ["Oceans", "Memory"] }),
        (.series, { $0.series = "Another series" }), (.seriesPosition, { $0.seriesPosition = 7.5 }),
        (.description, { $0.description = "An ocean & more." }), (.cover, { $0.cover = "another.png" }),
        (
            .identifiers,
            { book in book.identifiers.indices.last.map { book.identifiers[$0].value = "77" } }
        ),
        (
            .contributors,
            { book in book.contributors.indices.last.map { book.contributors[$0].name = "Another Name" } }
        ),
        (.rating, { $0.rating = 2.5 }), (.status, { $0.status = .abandoned }),
        (.dateAdded, { $0.dateAdded = PartialDate(year: 2025, month: 6, day: 7) }),
    ]

    @Test(arguments: BuiltInProfilesTests.records.map(\.profile))
    func anUnchangedBookGivesTheSameRecord(name: String) throws {
        for (profile, json) in BuiltInProfilesTests.records {
            // Records of the other formats too, which the profile reads partly or not at all.
            let mapping = try Profile.make(named: name).mapping
            let record = try JSONValue.make(json)
            #expect(mapping.record(of: mapping.book(from: record), in: record).json == record.json, "\(profile)")
        }
    }

    @Test(arguments: BuiltInProfilesTests.records.map(\.profile))
    func encodingARecordBackGivesItsBytes(name: String) throws {
        let json = try #require(BuiltInProfilesTests.records.first { $0.profile == name }?.json)
        let mapping = try Profile.make(named: name).mapping
        let record = try JSONValue.make(json)
        #expect(mapping.record(of: mapping.book(from: record), in: record).json == Self.withoutBlanks(json))
    }

    /// The text without the white space between its tokens.
    private static func withoutBlanks(_ json: String) -> String {
        var (text, isInString, isEscaped) = ("", false, false)
        for character in json {
            if isInString || !character.isWhitespace { text.append(character) }
            if isInString && isEscaped {
                isEscaped = false
            } else if isInString && character == "\\" {
                isEscaped = true
            } else if character == "\"" {
                isInString.toggle()
            }
        }
        return text
    }

    @Test(arguments: names)
    func aNewRecordReadsBackAsItsBook(name: String) throws {
        let mapping = try Profile.make(named: name).mapping
        let json = try #require(BuiltInProfilesTests.records.first { $0.profile == name }?.json)
        var book = mapping.book(from: try .make(json))
        book.otherFields = []
        // The scheme before an ISBN is not part of it.
        if name == "inventaire" { book.isbn = ISBN("9780156027601") }
        #expect(mapping.book(from: mapping.record(of: book)) == book)
    }

    @Test(arguments: names)
    func changingAFieldChangesNothingElse(name: String) throws {
        let mapping = try Profile.make(named: name).mapping
        let json = try #require(BuiltInProfilesTests.records.first { $0.profile == name }?.json)
        let record = try JSONValue.make(json)
        let original = mapping.book(from: record)
        for (field, change) in Self.changes where mapping.rules[field] != nil {
            var book = original
            change(&book)
            let written = mapping.record(of: book, in: record)
            var read = mapping.book(from: written)
            // The same number, whether the catalog calls it an ISBN or not.
            if read.isbn?.number == book.isbn?.number { read.isbn = book.isbn }
            // A list of ISBNs keeps the others, of which the previous one may be one.
            if field == .isbn { read.otherISBNs = book.otherISBNs }
            #expect(read == book, "\(field) in \(written.json)")
            if field.value(in: book) == field.value(in: original) { continue }
            // An edition has its ISBN in both lengths.
            let count = field == .isbn && name == "openlibrary-edition" ? 2 : 1
            #expect(Self.differences(record, written) == count, "\(field) in \(written.json)")
        }
    }

    @Test(arguments: names)
    func removingAFieldChangesNothingElse(name: String) throws {
        let mapping = try Profile.make(named: name).mapping
        let json = try #require(BuiltInProfilesTests.records.first { $0.profile == name }?.json)
        let record = try JSONValue.make(json)
        let original = mapping.book(from: record)
        for (field, change) in Self.removals where mapping.rules[field] != nil {
            var book = original
            change(&book)
            let read = mapping.book(from: mapping.record(of: book, in: record))
            #expect(field.value(in: read) == nil, "\(field)")
            for other in BookField.builtIn where other != field {
                #expect(other.value(in: read) == other.value(in: original), "\(other) after \(field)")
            }
        }
    }

    private static let removals: [(field: BookField, change: @Sendable (inout Book) -> Void)] = [
        (.title, { $0.title = "" }), (.authors, { $0.authors = [] }), (.isbn, { $0.isbn = nil }),
        (.pageCount, { $0.pageCount = nil }), (.fiction, { $0.fiction = nil }), (.sourceID, { $0.sourceID = nil }),
        (.subtitle, { $0.subtitle = nil }), (.sortTitle, { $0.sortTitle = nil }), (.publisher, { $0.publisher = nil }),
        (.published, { $0.published = nil }), (.languages, { $0.languages = [] }), (.subjects, { $0.subjects = [] }),
        (.series, { $0.series = nil }), (.seriesPosition, { $0.seriesPosition = nil }),
        (.description, { $0.description = nil }), (.cover, { $0.cover = nil }), (.identifiers, { $0.identifiers = [] }),
        (.contributors, { $0.contributors = [] }), (.rating, { $0.rating = nil }), (.status, { $0.status = nil }),
        (.dateAdded, { $0.dateAdded = nil }),
    ]

    /// Returns the number of members that differ between two records, at the top level or in "metadata" and
    /// "volumeInfo"; many if the order of the keys differs.
    private static func differences(_ left: JSONValue, _ right: JSONValue) -> Int {
        let (old, new) = (left.members ?? [], right.members ?? [])
        guard Array(new.map(\.key).prefix(old.count)) == old.map(\.key) else { return .max }
        let changed = zip(old, new).map { old, new -> Int in
            if old.value == new.value { return 0 }
            return ["metadata", "volumeInfo"].contains(old.key) ? differences(old.value, new.value) : 1
        }
        return changed.reduce(new.count - old.count) { $1 == .max ? .max : $0 + $1 }
    }
}
