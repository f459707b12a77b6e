import CatalogTesting
import Testing

@testable import Books
@testable import Catalog
@testable import Indexing
@testable import JSON

/// The result of opening each malformed file, by the fields of the native record.
@Suite("Data: malformed catalogs") struct MalformedBooksTests {
    /// The result of opening a file.
    private enum Outcome: Equatable {
        /// A number of books, without problems.
        case books(Int)
        /// A number of books, and a number of values that are not books.
        case booksAndOmissions(Int, Int)
        /// A number of books before a syntax error.
        case booksBefore(Int, JSONSyntaxError)
        case malformed(JSONSyntaxError)
        case notACatalog(CatalogError.Content)
        case wrongFormat(CatalogError.FileFormat)
        case empty
        case unreadable
    }

    private static let table: [(file: String, outcome: Outcome)] = [
        ("00-empty.json", .empty),
        ("01-whitespace.json", .empty),
        ("02-empty-array.json", .books(0)),
        ("03-null.json", .notACatalog(.scalar)),
        ("04-scalar.json", .notACatalog(.scalar)),
        ("05-single-object.json", .books(1)),
        ("06-truncated.json", .booksBefore(1, JSONSyntaxError(.unexpectedEnd, at: 228))),
        ("07-trailing-comma.json", .booksBefore(1, JSONSyntaxError(.unexpectedCharacter, at: 134))),
        ("08-comment.json", .malformed(JSONSyntaxError(.unexpectedCharacter, at: 0))),
        ("09-single-quotes.json", .malformed(JSONSyntaxError(.unexpectedCharacter, at: 2))),
        ("10-nan.json", .malformed(JSONSyntaxError(.unexpectedCharacter, at: 26))),
        ("11-bom-utf8.json", .books(1)),
        ("12-utf16le-bom.json", .wrongFormat(.utf16)),
        ("13-latin1.json", .books(1)),
        ("14-lone-surrogate.json", .books(1)),
        ("15-nul-and-controls.json", .books(1)),
        ("16-bidi-override.json", .books(1)),
        ("17-zwj-combining.json", .books(1)),
        ("18-newlines-in-title.json", .books(1)),
        ("19-huge-title.json", .books(1)),
        ("20-deep-nesting.json", .malformed(JSONSyntaxError(.tooDeep, at: 512))),
        ("21-deep-object.json", .malformed(JSONSyntaxError(.tooDeep, at: 512 * 5))),
        ("22-wrong-types.json", .books(3)),
        ("23-nulls.json", .books(2)),
        ("24-missing-keys.json", .books(3)),
        ("25-mixed-array.json", .booksAndOmissions(1, 4)),
        ("26-duplicate-keys.json", .books(1)),
        ("27-duplicate-isbn.json", .books(3)),
        ("28-big-ints.json", .books(3)),
        ("29-ndjson.jsonl", .books(5)),
        ("30-ndjson-bad-line.jsonl", .booksAndOmissions(2, 1)),
        ("31-concatenated-arrays.json", .booksBefore(1, JSONSyntaxError(.trailingContent, at: 134))),
        ("32-map-by-isbn.json", .books(2)),
        ("33-wrapped.json", .books(1)),
        ("34-html-not-json.json", .wrongFormat(.html)),
        ("35-isbn-forms.json", .books(12)),
        // Its keys require a mapping.
        // The key "book.title" is the name of a title, and no path.
        ("36-key-with-dots.json", .books(1)),
    ]

    private func load(_ file: String) throws -> JSONFileRecords {
        let records = try JSONFileLoader(path: DataDirectory.path("malformed-books/" + file)).load()
        while records.state.isLoading { records.loadMore() }
        return records
    }

    private func books(_ file: String) throws -> [Book] {
        let records = try load(file)
        return try (0..<records.count).map { try #require(records.book(BookID($0)).value) }
    }

    private func outcome(of file: String) throws -> Outcome {
        let source = JSONFileLoader(path: try DataDirectory.path("malformed-books/" + file))
        do throws(CatalogError) {
            let records = try source.load()
            while records.state.isLoading { records.loadMore() }
            let defects = records.defects
            if let syntaxError = defects.syntaxError {
                return .booksBefore(
                    records.count, JSONSyntaxError(syntaxError.reason, at: syntaxError.position.byteOffset))
            }
            if defects.omissionCount > 0 { return .booksAndOmissions(records.count, defects.omissionCount) }
            return .books(records.count)
        } catch {
            return switch error {
            case .unreadable: .unreadable
            case .empty: .empty
            case .wrongFormat(_, let format): .wrongFormat(format)
            case .malformed(_, let syntaxError):
                .malformed(JSONSyntaxError(syntaxError.reason, at: syntaxError.position.byteOffset))
            case .notACatalog(_, let content): .notACatalog(content)
            }
        }
    }

    @Test func everyFileHasItsExpectedOutcome() throws {
        let files = try DataDirectory.files(in: "malformed-books").filter { $0.first?.isNumber == true }
        #expect(files == Self.table.map(\.file))
        for (file, expected) in Self.table { #expect(try outcome(of: file) == expected, "\(file)") }
    }

    @Test func invalidBytesAndSurrogatesAreReplaced() throws {
        #expect(try books("13-latin1.json").map(\.title) == ["Les Mis\u{FFFD}rables"])
        #expect(try books("14-lone-surrogate.json").map(\.title) == ["bad \u{FFFD} half"])
    }

    @Test func textIsReadAsOneLine() throws {
        let book = try #require(try books("18-newlines-in-title.json").first)
        #expect(book == Book(title: "Line one Line two three", authors: ["A B"]))
    }

    @Test func aHugeTitleIsKeptCompletely() throws {
        #expect(try books("19-huge-title.json").map(\.title.utf8.count) == [200_000])
    }

    @Test func valuesOfAnotherTypeAreConverted() throws {
        #expect(
            try books("22-wrong-types.json").map {
                Book(
                    title: $0.title, authors: $0.authors, isbn: $0.isbn, pageCount: $0.pageCount, fiction: $0.fiction)
            } == [
                Book(title: "7", authors: ["Solo Author"], isbn: ISBN("9780441478125"), pageCount: 304, fiction: true),
                Book(title: "A", authors: ["Obj"], isbn: ISBN("0441478123"), pageCount: 304),
                Book(title: "T", authors: ["Ursula K. Le Guin"]),
            ])
        // Values that no field can read are shown unchanged.
        #expect(try books("22-wrong-types.json").map(\.otherFields.first?.text) == [nil, "1", "-3"])
    }

    @Test func missingAndNullValuesAreUnknown() throws {
        #expect(try books("23-nulls.json").first == Book(title: ""))
        #expect(
            try books("24-missing-keys.json")
                == [Book(title: ""), Book(title: "only title"), Book(title: "", isbn: ISBN("9780441478125"))])
    }

    @Test func theFirstSkippedValueHasItsPosition() throws {
        let defects = try load("25-mixed-array.json").defects
        #expect(defects.omissions.first?.position == TextPosition(line: 1, column: 2, byteOffset: 1))
    }

    @Test func aMalformedLineHasItsPositionAndReason() throws {
        let defects = try load("30-ndjson-bad-line.jsonl").defects
        #expect(defects.omissionCount == 1)
        #expect(defects.omissions.first?.position == TextPosition(line: 2, column: 11, byteOffset: 143))
        #expect(defects.omissions.first?.reason == .unexpectedCharacter)
        #expect(defects.syntaxError == nil)
    }

    @Test func theLastOfDuplicateKeysWins() throws {
        #expect(try books("26-duplicate-keys.json") == [Book(title: "second", authors: ["A"])])
    }

    @Test func booksWithTheSameISBNAreDistinguished() throws {
        let path = try DataDirectory.path("malformed-books/27-duplicate-isbn.json")
        let store = JSONFileCatalog(path: path)
        try store.readAll()
        #expect(
            (0..<store.index.count).map { store.index.identity(at: $0).description }
                == ["isbn:9780441478125", "isbn:9780441478125~2", "isbn:9780441478125~3"])
    }

    @Test func numbersThatDoNotFitAreUnknown() throws {
        let books = try books("28-big-ints.json")
        #expect(books.map(\.title) == ["x", "y", "z"])
        #expect(books.map(\.pageCount) == [nil, nil, nil])
        #expect(books.first?.isbn?.number == 9_780_441_478_125)
    }

    @Test func isbnsAreReadInAllTheirForms() throws {
        let books = try books("35-isbn-forms.json")
        let left = 9_780_441_478_125
        #expect(
            books.map { $0.isbn?.number } == [left, left, left, left, nil, left, nil, nil, nil, left, left, left])
        #expect(
            [4, 6, 7, 8].map { books[$0].isbn?.text } == [nil, "9780441478120", "044147812X", "n/a"])
    }
}
