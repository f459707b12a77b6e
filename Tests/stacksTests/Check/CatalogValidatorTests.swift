import Testing

@testable import Books
@testable import Catalog
@testable import CatalogTesting
@testable import Indexing
@testable import JSON
@testable import stacks

@Suite("Validation: problems of records") struct CatalogValidatorTests {
    private static let mapping = """
        {"name": "a", "fields": {
            "title": "title", "authors": "authors", "isbn": ["isbn13", "isbn"], "pageCount": "pages",
            "published": {"path": "date"}, "languages": "lang", "subjects": "subjects", "fiction": "fiction",
            "contributors": [{"path": "editor", "role": "editor"}]}}
        """

    private func report(_ records: String...) throws -> CatalogValidator {
        var report = CatalogValidator(try Profile(parsing: Self.mapping.utf8).mapping)
        for record in records { report.add(try #require(JSONValue(parsing: record.utf8))) }
        return report
    }

    @Test func recordsAreCountedByTheirFields() throws {
        let report = try report(
            #"{"title": "A", "authors": ["B"], "pages": 3, "subjects": ["Science fiction"]}"#,
            #"{"title": "C", "fiction": false, "lang": ["en", "de"], "date": "2001"}"#, #"{"title": "D", "pages": 0}"#)
        #expect(report.recordCount == 3)
        #expect(
            report.coverage == [
                .title: 3, .authors: 1, .pageCount: 1, .subjects: 1, .fiction: 1, .languages: 1, .published: 1,
            ])
        #expect(report.issues.isEmpty)
        #expect(report.fields.prefix(5) == [.title, .authors, .isbn, .pageCount, .fiction])
    }

    @Test(arguments: [
        (#"{"authors": ["A"]}"#, CatalogValidator.Issue.missing(.title), [JSONValue.Step]()),
        (#"{"title": " "}"#, .missing(.title), []),
        (#"{"title": true}"#, .unreadable(.title), [.key("title")]),
        (#"{"title": "A", "date": "soon"}"#, .unreadable(.published), [.key("date")]),
        (#"{"title": "A", "pages": "many"}"#, .unreadable(.pageCount), [.key("pages")]),
        (#"{"title": "A", "pages": -3}"#, .unreadable(.pageCount), [.key("pages")]),
        (#"{"title": "A", "lang": "no such language"}"#, .unreadable(.languages), [.key("lang")]),
        (#"{"title": "A", "lang": ["en", "enzz"]}"#, .unreadable(.languages), [.key("lang"), .index(1)]),
        (#"{"title": "A", "authors": ["B", 5555]}"#, .unreadable(.authors), [.key("authors"), .index(1)]),
        (#"{"title": "A", "authors": [{"bad": "data"}]}"#, .unreadable(.authors), [.key("authors"), .index(0)]),
        (#"{"title": "A", "editor": 123}"#, .unreadable(.contributors), [.key("editor")]),
    ])
    func anIssueHasItsPosition(record: String, issue: CatalogValidator.Issue, steps: [JSONValue.Step]) throws {
        let report = try report(#"{"title": "First"}"#, record)
        #expect(report.issues == [issue: .init(count: 1, first: [.init(record: 1, steps: steps)])])
    }

    @Test(arguments: [
        #""pages": 0"#, #""date": "0101-01-01T00:00:00+00:00""#, #""date": "None""#, #""lang": []"#, #""date": null"#,
        #""authors": [null, ""]"#, #""lang": "ger""#, #""isbn": "urn:uuid:1234""#, #""fiction": "unknown""#,
    ])
    func placeholderValuesAreNotIssues(member: String) throws {
        #expect(try report("{\"title\": \"A\", \(member)}").issues.isEmpty)
    }

    @Test func onlyTheFirstIssuesAreKept() throws {
        let report = try report(
            #"{"title": "A"}"#, #"{}"#, #"{}"#, #"{}"#, #"{}"#, #"{}"#, #"{}"#, #"{}"#, #"{}"#, #"{}"#, #"{}"#, #"{}"#,
            #"{}"#)
        let findings = try #require(report.issues[.missing(.title)])
        #expect(findings.count == 12)
        #expect(findings.first.map(\.record) == Array(1...10))
    }

    @Test func invalidISBNsAreCounted() throws {
        let report = try report(
            #"{"title": "A", "isbn": "9780441478125"}"#, #"{"title": "B", "isbn": "9780441478124"}"#,
            #"{"title": "C", "isbn13": "abc", "isbn": "0441478123"}"#, #"{"title": "D", "isbn": ["x", "y"]}"#)
        #expect(report.coverage[.isbn] == 4)
        #expect(report.invalidISBNCount == 2)
        #expect(
            report.firstInvalidISBNs == [
                .init(text: "9780441478124", location: .init(record: 1, steps: [.key("isbn")])),
                .init(text: "x", location: .init(record: 3, steps: [.key("isbn")])),
            ])
    }

    @Test func duplicatesAreFoundByISBNAndByTitle() throws {
        let books = [
            Book(title: "Dune", authors: ["Frank Herbert"], isbn: ISBN("9780441478125")),
            Book(title: "Emma", authors: ["Jane Austen"]), Book(title: "", authors: ["Jane Austen"]),
            Book(title: "Duné", authors: ["frank herbert"]), Book(title: "Other", isbn: ISBN("0441478123")),
            Book(title: "", authors: ["Jane Austen"]), Book(title: "EMMA", authors: ["Jane Austen"]),
            Book(title: "Emma", authors: ["Jane Austen"]), Book(title: "Alone"),
        ]
        var report = CatalogValidator(try Profile(parsing: Self.mapping.utf8).mapping)
        for book in books { report.add(report.record(of: book)) }
        let index = BookIndex(of: books)
        #expect(report.doublesByISBN(in: index) == .init(groupCount: 1, recordCount: 2, first: [[0, 4]]))
        #expect(report.doublesByTitle(in: index) == .init(groupCount: 2, recordCount: 5, first: [[0, 3], [1, 6, 7]]))
    }

    @Test func theFirstFewDuplicatesAreKept() throws {
        let books = (0..<40).map { Book(title: "Book \($0 % 20)") } + (0..<30).map { _ in Book(title: "Book 0") }
        var report = CatalogValidator(try Profile(parsing: Self.mapping.utf8).mapping)
        for book in books { report.add(report.record(of: book)) }
        let doubles = report.doublesByTitle(in: BookIndex(of: books))
        #expect(doubles.groupCount == 20)
        #expect(doubles.recordCount == 70)
        #expect(doubles.first.count == 10)
        #expect(doubles.first[0] == [0, 20] + Array(40..<48))
        #expect(doubles.first[9] == [9, 29])
    }
}

extension CatalogValidator {
    /// Returns a record with only a title, if the book has one.
    fileprivate func record(of book: Book) -> JSONValue {
        .object(book.title.isEmpty ? [] : [.init(key: "title", value: .string(book.title))])
    }
}
