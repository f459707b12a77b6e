internal import CatalogTesting
import Foundation
import Testing

@testable import Books
@testable import JSON
@testable import Shelves

@Suite("User data: journal entries") struct JournalEntryTests {
    private func parse(_ line: String) -> JournalEntry? { JournalEntry(line: Array(line.utf8)[...]) }

    private static let book = StoredBook(
        title: "The \"Left\" Hand/of\nDarkness", authors: ["Ursula K. Le Guin", "羅生門"],
        keys: MatchKeys(of: .make(isbn: "0441478123")), catalog: "/home/a b/books.json", sourceID: "OL1M")
    private static let identity = BookIdentity("isbn:9780441478125~2") ?? Book.make().identity

    private static func line(_ subject: LineSubject, _ value: LineValue, _ old: LineValue) -> JournalEntry {
        JournalEntry(
            sequence: 12, step: 11, date: "2026-11-21T09:30:00Z", subject: subject, value: value, old: old,
            book: subject.identity == nil ? nil : book, name: nil)
    }

    @Test func aLineIsJSONWithSortedKeys() {
        var line = Self.line(.book(Self.identity, .rating), .rating(5), .rating(3))
        let hash = (BookIdentity("hash:0123456789abcdef") ?? Self.identity).key
        line.book = StoredBook(
            title: Self.book.title, authors: Self.book.authors,
            keys: MatchKeys(isbn: Self.book.keys.isbn, hash: hash), catalog: Self.book.catalog,
            sourceID: Self.book.sourceID)
        #expect(
            String(decoding: line.bytes, as: UTF8.self)
                == #"{"at":"2026-11-21T09:30:00Z","authors":["Ursula K. Le Guin","羅生門"],"book":"isbn:9780441478125~2","#
                + #""catalog":"/home/a b/books.json","change":"rating","hash":"hash:0123456789abcdef","#
                + #""isbn":"isbn:9780441478125","old":3,"seq":12,"source":"OL1M","step":11,"#
                + #""title":"The \"Left\" Hand/of\nDarkness","value":5}"#)
    }

    @Test("Earlier versions read the whole stars of a rating") func halfStars() throws {
        let line = Self.line(.book(Self.identity, .rating), .rating(StarRating(halves: 9)), .rating(3))
        let value = try #require(JSONValue(parsing: line.bytes))
        #expect(value["value"] == .number("4") && value["half"] == .boolean(true))
        #expect(value["old"] == .number("3") && value["oldHalf"] == nil)
    }

    @Test(arguments: [
        line(.book(identity, .favourite), .flag(true), .flag(false)),
        line(.book(identity, .shelf("s3")), .flag(false), .flag(true)),
        line(
            .book(identity, .status),
            .status(.toRead, ReadingLog(toRead: "2026-11-21", readings: [Reading(end: "2020", outcome: .finished)])),
            .nothing),
        line(.book(identity, .status), .nothing, .status(.abandoned, ReadingLog())),
        line(
            .book(identity, .status), .status(nil, ReadingLog(readings: [Reading(), Reading(start: "2020")])), .nothing),
        line(.book(identity, .rating), .nothing, .rating(0)),
        line(.book(identity, .rating), .rating(StarRating(halves: 9)), .rating(StarRating(halves: 1))),
        line(.book(identity, .rating), .rating(4), .rating(StarRating(halves: 9))),
        line(.book(identity, .note), .text("\u{1}\\\u{2028}"), .text("")),
        line(.entry(.shelves, "s1", .existence), .entry(ListEntry(index: 2, name: "A")), .nothing),
        line(.entry(.shelves, "s1", .name), .text("B"), .text("A")),
        line(.entry(.shelves, "s1", .index), .number(0), .number(3)),
        line(.entry(.queries, "q1", .existence), .nothing, .entry(ListEntry(index: 0, name: "A", text: "", sort: "t"))),
        line(.entry(.queries, "q1", .query), .query("a:b", sort: nil), .query("c", sort: "year")),
        line(.steps(.undo), .steps([3]), .nothing), line(.steps(.goBack), .steps([9, 8, 7]), .nothing),
        line(.steps(.redo), .steps([]), .nothing),
    ])
    func aLineGivesTheChangeBack(line: JournalEntry) {
        #expect(!line.bytes.contains(UInt8(ascii: "\n")))
        #expect(JournalEntry(line: line.bytes[...]) == line)
        #expect(line.reversed.reversed == line)
    }

    @Test func linesOfEarlierVersionsAreRead() throws {
        let line = try #require(
            parse(
                #"{"at":"2026-01-31T12:00:00Z","authors":["Ursula K. Le Guin"],"book":"isbn:9780441478125","#
                    + #""change":"favourite","hash":"hash:0123456789abcdef","isbn":"isbn:9780441478125","seq":12,"#
                    + #""title":"The Left Hand of Darkness","value":true}"#))
        #expect(line.sequence == 12 && line.step == 12)
        #expect(line.subject == .book(BookIdentity("isbn:9780441478125") ?? Self.identity, .favourite))
        #expect(line.value == .flag(true) && line.old == .flag(false))
        #expect(line.book?.title == "The Left Hand of Darkness")
        #expect(line.book?.authors == ["Ursula K. Le Guin"])
        #expect(line.book?.catalog == nil)
    }

    @Test func redundantMembersAreOmitted() throws {
        let line = try #require(parse(#"{"seq":3,"change":"favourite","value":false,"book":"isbn:9780441478125"}"#))
        #expect(line.book?.title == "" && line.book?.authors == [] && line.date == "")
        #expect(line.book?.keys.isbn?.description == "isbn:9780441478125")
        #expect(line.old == .flag(true))
    }

    @Test func blanksEscapesAndUnknownMembersAreAccepted() throws {
        let line = try #require(
            parse(
                #" { "seq" : 3, "change":"r\u0061ting", "x":[{"y":-1.5e3}], "value":4, "book":"isbn:9780441478125" } "#)
        )
        #expect(line.value == .rating(4) && line.old == .nothing)
    }

    @Test(arguments: [
        "", "{", "[]", "null", "{}", #"{"seq":3,"change":"favourite","value":true,"book":"isbn:97"#,
        #"{"change":"favourite","value":true,"book":"isbn:9780441478125"}"#,
        #"{"seq":"3","change":"favourite","value":true,"book":"isbn:9780441478125"}"#,
        #"{"seq":3,"change":"unheard","value":true,"book":"isbn:9780441478125"}"#,
        #"{"seq":3,"change":"favourite","value":1,"book":"isbn:9780441478125"}"#,
        #"{"seq":3,"change":"favourite","value":true}"#,
        #"{"seq":3,"change":"favourite","value":true,"book":"src:12"}"#,
        #"{"seq":3,"change":"favourite","value":true,"book":"isbn:9780441478126"}"#,
        #"{"seq":3,"change":"favourite","value":true,"book":"hash:ffffffffffffffff"}"#,
        #"{"seq":3,"change":"rating","value":6,"book":"isbn:9780441478125"}"#,
        #"{"seq":3,"change":"status","value":{"status":"lent"},"book":"isbn:9780441478125"}"#,
        #"{"seq":3,"change":"shelf","value":true,"book":"isbn:9780441478125"}"#,
        #"{"seq":3,"change":"shelves","value":{"index":0},"id":"s1"}"#,
        #"{"seq":3,"change":"queries","value":{"index":0,"name":"A"},"id":"q1"}"#,
        #"{"seq":3,"change":"shelfIndex","value":-1,"id":"s1"}"#,
        #"{"seq":3,"change":"undo"}"#, #"{"seq":03,"change":"redo","value":[]}"#,
        #"{"seq":3,"change":"redo","value":[]}}"#,
    ])
    func identicalValuesAreNotAChange(line: String) {
        #expect(parse(line) == nil)
    }

    @Test(arguments: [
        "isbn:9780441478125", "isbn:9780441478125~2", "hash:0000000000000000", "hash:7fffffffffffffff",
        "isbn:9791090636071",
    ])
    func everyIdentityIsRead(text: String) throws {
        let line = try #require(parse(#"{"seq":3,"change":"rating","value":4,"book":"\#(text)"}"#))
        #expect(line.subject.identity == BookIdentity(text))
        #expect(line.subject.identity != nil)
    }
}
