import Catalog
import Foundation
import Testing

@testable import Shelves

struct FavouriteLineTests {
    private func parse(_ line: String) -> FavouriteLine? {
        FavouriteLine(line: Array(line.utf8)[...])
    }

    @Test func aLineIsJSONWithSortedKeys() {
        let book = Book.make(
            title: "The \"Left\" Hand/of\nDarkness", authors: ["Ursula K. Le Guin"], isbn: "0441478123")
        var change = FavouriteLine(.favourite, to: true, of: book, identity: book.identity)
        change.sequence = 12
        change.date = "2026-01-31T12:00:00Z"
        change.hash = "hash:0123456789abcdef"
        #expect(
            String(decoding: change.line, as: UTF8.self)
                == #"{"at":"2026-01-31T12:00:00Z","authors":["Ursula K. Le Guin"],"book":"isbn:9780441478125","#
                + #""change":"favourite","hash":"hash:0123456789abcdef","isbn":"isbn:9780441478125","seq":12,"#
                + #""title":"The \"Left\" Hand/of\nDarkness","value":true}"#)
    }

    @Test func theISBNIsLeftOutWhereItIsNotValid() throws {
        let book = Book.make(isbn: "n/a")
        let line = FavouriteLine(.favourite, to: false, of: book, identity: book.identity).line
        let object = try #require(JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
        #expect(object.keys.sorted() == ["at", "authors", "book", "change", "hash", "seq", "title", "value"])
        // XXH3 of "emma\njane austen\n", less its highest bit.
        #expect(object["hash"] as? String == "hash:13a341db43c69d7f")
        #expect(object["book"] as? String == "hash:13a341db43c69d7f")
        #expect(object["value"] as? Bool == false)
    }

    @Test func theHashIsThereBesideAValidISBN() {
        let book = Book.make(isbn: "0441478123")
        let change = FavouriteLine(.favourite, to: true, of: book, identity: book.identity)
        #expect(change.isbn == "isbn:9780441478125")
        #expect(change.hash == "hash:13a341db43c69d7f")
    }

    @Test func aDoubleIsNamedAsOne() {
        let book = Book.make()
        let second = BookIdentity(key: book.identity.key, occurrence: 2)
        #expect(FavouriteLine(.favourite, to: true, of: book, identity: second).book == "hash:13a341db43c69d7f~2")
    }

    @Test func theDateIsNowInUTC() throws {
        let change = FavouriteLine(.favourite, to: true, of: .make(), identity: Book.make().identity)
        #expect(change.date.hasSuffix("Z"))
        let date = try Date(change.date, strategy: .iso8601)
        #expect(abs(date.timeIntervalSinceNow) < 60)
    }

    @Test(arguments: [
        Book.make(isbn: "0441478123"), .make(title: "羅生門 \"\\\u{1}\u{2028}", authors: []),
        .make(title: "", isbn: "n/a"),
        .make(authors: ["A", "B & C"]),
    ])
    func aLineGivesTheChangeBack(book: Book) {
        var change = FavouriteLine(.favourite, to: true, of: book, identity: book.identity)
        change.sequence = 7
        #expect(!change.line.contains(UInt8(ascii: "\n")))
        #expect(FavouriteLine(line: change.line[...]) == change)
    }

    @Test func whatALineNeedNotSayIsLeftEmpty() throws {
        let change = try #require(parse(#"{"seq":3,"change":"favourite","value":true,"book":"isbn:9780441478125"}"#))
        #expect(change.sequence == 3)
        #expect(change.kind == .favourite)
        #expect(change.value)
        #expect(change.book == "isbn:9780441478125")
        #expect(change.title == "")
        #expect(change.authors == [])
        #expect(change.isbn == nil)
    }

    @Test(arguments: [
        "", "{", "[]", "null", #"{"seq":3,"change":"favourite","value":true,"book":"isbn:97"#,
        #"{"change":"favourite","value":true,"book":"isbn:9780441478125"}"#,
        #"{"seq":"3","change":"favourite","value":true,"book":"isbn:9780441478125"}"#,
        #"{"seq":3,"change":"unheard","value":true,"book":"isbn:9780441478125"}"#,
        #"{"seq":3,"change":"favourite","value":1,"book":"isbn:9780441478125"}"#,
        #"{"seq":3,"change":"favourite","value":true}"#,
    ])
    func whatIsNoChangeIsNone(line: String) {
        #expect(parse(line) == nil)
    }
}
