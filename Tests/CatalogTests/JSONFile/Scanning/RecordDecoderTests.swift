import Foundation
import TestSupport
import Testing

@testable import Books
@testable import Catalog
@testable import CatalogTesting
@testable import JSON

@Suite("JSON file: decoding a record") struct RecordDecoderTests {
    private func book(_ record: String) throws -> Book {
        try JSONReader.reading(record.utf8) { try RecordDecoder.native.decode(at: 0, with: $0) }
    }

    @Test func theNativeFieldsAreRead() throws {
        let book = try book(
            #"{"title":"Emma","authors":["Jane Austen"],"isbn":"0441478123","pageCount":474,"fiction":true}"#)
        #expect(book == .make(isbn: "0441478123", pageCount: 474, fiction: true))
    }

    @Test func aRecordIsReadAtItsOffset() throws {
        let book = try JSONReader.reading(#"[{"title":"A"},{"title":"B"}]"#.utf8) {
            try RecordDecoder.native.decode(at: 15, with: $0)
        }
        #expect(book == Book(title: "B"))
    }

    @Test(arguments: [
        "{}", #"{"title":null,"authors":null,"isbn":null,"pageCount":null,"fiction":null}"#,
        #"{"Title":"A","titles":"B","x":{"title":"C"}}"#,
    ])
    func missingAndNullFieldsAreUnknown(record: String) throws {
        #expect(try book(record).native == Book(title: ""))
    }

    @Test func valuesOfOtherTypesAreRead() throws {
        var first = try book(
            #"{"title":7,"authors":"Solo Author","isbn":9780441478125,"pageCount":"304","fiction":"yes"}"#
        ).native
        #expect(first.fiction == true)
        first.fiction = nil
        #expect(
            first == Book(title: "7", authors: ["Solo Author"], isbn: ISBN("9780441478125"), pageCount: 304))
        let second = try book(
            #"{"title":["A","B"],"authors":{"name":"Obj"},"isbn":["0441478123"],"pageCount":304.0,"fiction":1}"#
        ).native
        #expect(second == Book(title: "A", authors: ["Obj"], isbn: ISBN("0441478123"), pageCount: 304))
        let third = try book(#"{"title":{"en":"T"},"authors":[{"family":"Le Guin","given":"Ursula"}],"pageCount":-3}"#)
            .native
        #expect(third == Book(title: "T", authors: ["Ursula Le Guin"]))
    }

    @Test func ofSeveralMembersWithOneKeyTheLastCounts() throws {
        #expect(try book(#"{"title":"first","title":"second"}"#).title == "second")
        #expect(try book(#"{"title":"first","\u0074itle":"second"}"#).title == "second")
        #expect(try book(#"{"pageCount":7,"pageCount":null}"#).pageCount == nil)
    }

    @Test func anInvalidISBNIsKeptAsItIs() throws {
        #expect(try book(#"{"isbn":"n/a"}"#).isbn?.text == "n/a")
        #expect(try book(#"{"isbn":9.7804414781e+12}"#).isbn == nil)
        #expect(try book(#"{"isbn":""}"#).isbn == nil)
    }

    @Test func aBooleanOrAWordGivesFiction() throws {
        #expect(try book(#"{"fiction":true}"#).fiction == true)
        #expect(try book(#"{"fiction":false}"#).fiction == false)
        #expect(try book(#"{"fiction":"false"}"#).fiction == false)
        #expect(try book(#"{"subjects":["Fiction"]}"#).fiction == nil)
        #expect(try book(#"{"fiction":0}"#).fiction == nil)
    }

    /// Our reader and Foundation's must read the same book, whatever the format.
    @Test(
        arguments: [
            [], .prettyPrinted, .sortedKeys, .withoutEscapingSlashes,
            [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes],
        ] as [JSONEncoder.OutputFormatting])
    func randomBooksAreReadAsFoundationReadsThem(formatting: JSONEncoder.OutputFormatting) throws {
        var random = SplitMix(seed: UInt64(formatting.rawValue) + 1)
        let encoder = JSONEncoder()
        encoder.outputFormatting = formatting
        for round in 0..<200 {
            let original = Book.random(using: &random)
            let plain = String(
                decoding: try encoder.encode(RecordWithMore(book: original, round: round)), as: UTF8.self)
            for text in [plain, plain.escapingNonASCII] {
                let theirs = try JSONDecoder().decode(Book.self, from: Data(text.utf8))
                let ours = try book(text).native
                #expect(ours == theirs, "\(text)")
                #expect(ours == original, "\(text)")
                #expect(Array(ours.title.unicodeScalars) == Array(original.title.unicodeScalars), "\(text)")
            }
        }
    }
}

/// A book among unknown keys, whose unknown fields are missing or null.
private struct RecordWithMore: Encodable {
    let book: Book
    let round: Int

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { nil }
    }

    func encode(to encoder: any Encoder) throws {
        try book.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        if round.isMultiple(of: 2) {
            if book.isbn == nil { try container.encodeNil(forKey: Key("isbn")) }
            if book.pageCount == nil { try container.encodeNil(forKey: Key("pageCount")) }
            if book.fiction == nil { try container.encodeNil(forKey: Key("fiction")) }
        }
        if round.isMultiple(of: 3) {
            try container.encode([["title": "not \"this\" one", "\\": "]}"]], forKey: Key("more/\(round)"))
            try container.encode(-1.5e-7, forKey: Key("titlé"))
            try container.encode([Int](), forKey: Key(""))
        }
    }
}

extension Book {
    /// A book whose texts contain no line breaks.
    fileprivate static func random(using random: inout SplitMix) -> Book {
        let scalars = Array(
            "ab\"\\/{}[],:'0é\u{301}ßñ羅門한ا\u{0}\u{1}\u{1B}\u{7F}\u{9F}\u{200D}\u{202E}👩\u{10FFFF}".unicodeScalars)
        func word() -> String {
            let count = Int.random(in: 1...8, using: &random)
            return String(
                String.UnicodeScalarView((0..<count).compactMap { _ in scalars.randomElement(using: &random) }))
        }
        func words() -> String {
            (0..<Int.random(in: 1...4, using: &random)).map { _ in word() }.joined(separator: " ")
        }
        let isbns = [nil, "9780441478125", "0-441-47812-3", "n/a", "080442957X"]
        let counts = [nil, 1, 304, Int.max]
        let truths = [nil, true, false]
        return Book(
            title: Bool.random(using: &random) ? words() : "",
            authors: (0..<Int.random(in: 0...3, using: &random)).map { _ in words() },
            isbn: isbns.randomElement(using: &random)?.map(ISBN.init),
            pageCount: counts.randomElement(using: &random) ?? nil,
            fiction: truths.randomElement(using: &random) ?? nil)
    }
}

extension String {
    /// This JSON text in ASCII; other characters occur only in strings and are escaped.
    fileprivate var escapingNonASCII: String {
        var text = ""
        for unit in utf16 {
            if unit < 0x80 {
                text.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
            } else {
                let digits = String(unit, radix: 16, uppercase: unit.isMultiple(of: 2))
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
        return text
    }
}
