import CatalogTesting
import Foundation
import Testing

@testable import Books

@Suite("Book") struct BookTests {
    private func decode(_ json: String) throws -> Book {
        try JSONDecoder().decode(Book.self, from: Data(json.utf8))
    }

    @Test func itIsDecodedFromTheNativeFields() throws {
        let book = try decode(
            #"{"title": "Emma", "authors": ["Jane Austen"], "isbn": "0441478123", "pageCount": 474, "fiction": true}"#)
        #expect(book.title == "Emma")
        #expect(book.authors == ["Jane Austen"])
        #expect(book.isbn?.text == "0441478123")
        #expect(book.pageCount == 474)
        #expect(book.fiction == true)
    }

    @Test func itIsEncodedWithTheNativeNames() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let book = Book(
            title: "Emma", authors: ["Jane Austen", "Anna Quindlen"], isbn: ISBN("0441478123"), pageCount: 474,
            fiction: false)
        #expect(
            String(decoding: try encoder.encode(book), as: UTF8.self)
                == #"{"authors":["Jane Austen","Anna Quindlen"],"fiction":false,"isbn":"0441478123","pageCount":474,"#
                + #""title":"Emma"}"#)
    }

    @Test(arguments: [
        Book(title: ""),
        Book(title: "Émile \"ou\" \\ l’éducation", authors: ["Rousseau", ""], isbn: ISBN("n/a"), fiction: false),
        Book(title: "羅生門", authors: ["芥川龍之介"], isbn: ISBN("9780441478125"), pageCount: 1, fiction: true),
    ])
    func encodedBooksDecodeUnchanged(book: Book) throws {
        #expect(try JSONDecoder().decode(Book.self, from: JSONEncoder().encode(book)) == book)
    }

    @Test(arguments: [
        "{}", #"{"title": null, "authors": null, "isbn": null, "pageCount": null, "fiction": null}"#,
        #"{"unknown": [1, 2]}"#,
    ])
    func missingAndNullFieldsAreUnknown(json: String) throws {
        let book = try decode(json)
        #expect(book.title == "")
        #expect(book.authors == [])
        #expect(book.isbn == nil)
        #expect(book.pageCount == nil)
        #expect(book.fiction == nil)
    }

    @Test(arguments: [0, -1, -304])
    func aPageCountThatIsNotAboveZeroIsUnknown(count: Int) throws {
        #expect(try decode(#"{"pageCount": \#(count)}"#).pageCount == nil)
    }

    @Test(arguments: [
        #"{"title": 7}"#, #"{"authors": "Jane Austen"}"#, #"{"isbn": 9780441478125}"#, #"{"pageCount": "304"}"#,
        #"{"fiction": "yes"}"#,
    ])
    func decodingAFieldOfAWrongTypeFails(json: String) {
        #expect(throws: DecodingError.self) { try decode(json) }
    }
}
