import Testing

@testable import Books
@testable import Catalog
@testable import CatalogTesting

@Suite("Mapping: reading a book from a record") struct FieldMappingTests {
    /// Returns the book in a record, read with the "fields" of a profile.
    private func book(_ fields: String, _ record: String, ignore: String = "[]") throws -> Book {
        try Profile.make(fields: fields, ignore: ignore).mapping.book(from: .make(record))
    }

    @Test(arguments: [
        (#""name""#, #"{"name": "A"}"#, "A"), (#"["name", "title"]"#, #"{"title": "B", "name": "A"}"#, "A"),
        (#"["name", "title"]"#, #"{"title": "B"}"#, "B"),
        (#"["name", "title"]"#, #"{"name": null, "title": "B"}"#, "B"),
        (#"["name", "title"]"#, #"{"name": " ", "title": "B"}"#, "B"),
        (#"["name", "title"]"#, #"{"name": [], "title": "B"}"#, "B"),
        (#"["name", "title"]"#, #"{"name": {}, "title": "B"}"#, "B"),
        (#"["name", "title"]"#, #"{"name": [""], "title": "B"}"#, "B"),
        (#"["name", "title"]"#, #"{"name": true, "title": "B"}"#, "B"), (#"["name", "title"]"#, "{}", ""),
        (#"{"path": "name", "default": "none"}"#, "{}", "none"),
        (#"{"path": "name", "default": "none"}"#, #"{"name": "A"}"#, "A"),
        (#"{"path": "name", "default": null}"#, "{}", ""), (#"{"path": ["x", "name"]}"#, #"{"name": "A"}"#, "A"),
        (#"[{"path": "x", "values": {"a": "A"}}, "y"]"#, #"{"x": "a", "y": "b"}"#, "A"),
        (#"[{"path": "x", "values": {"a": "A"}}, "y"]"#, #"{"y": "a"}"#, "a"),
        (#""a.b[0]""#, #"{"a": {"b": ["A", "B"]}}"#, "A"),
    ])
    func theFirstPathWithAValueWins(title: String, record: String, expected: String) throws {
        #expect(try book(#"{"title": \#(title)}"#, record).title == expected)
    }

    @Test(arguments: [
        (#"{"path": "by", "split": " & "}"#, #"{"by": "A & B"}"#, ["A", "B"]),
        (#"{"path": "by", "split": " & "}"#, #"{"by": "A && B & C"}"#, ["A & B", "C"]),
        (#"{"path": "by", "split": "&"}"#, #"{"by": "A&&B&C"}"#, ["A&B", "C"]),
        (#"{"path": "by", "split": "; "}"#, #"{"by": "A; B;C; "}"#, ["A", "B;C"]),
        (#"{"path": "by", "split": " & "}"#, #"{"by": ["A & B", "C"]}"#, ["A", "B", "C"]),
        (#""by""#, #"{"by": "A & B"}"#, ["A & B"]),
        (#""by.name""#, #"{"by": [{"name": "A"}, {"name": "B"}]}"#, ["A", "B"]),
        (#""by[].name""#, #"{"by": [{"name": "A"}, {"id": 1}, {"name": "B"}]}"#, ["A", "B"]),
        (
            #"{"path": "by", "split": ", ", "values": {"tp": "Terry Pratchett"}}"#, #"{"by": "tp, ng"}"#,
            ["Terry Pratchett", "ng"]
        ),
    ])
    func namesAreSplitAsTheProfileDefines(authors: String, record: String, expected: [String]) throws {
        #expect(try book(#"{"authors": \#(authors)}"#, record).authors == expected)
    }

    @Test(
        arguments: [
            (#""stars""#, "4", 4.0), (#""stars""#, #""4.5""#, 4.5), (#"{"path": "stars", "scale": 10}"#, "7", 3.5),
            (#"{"path": "stars", "scale": 100}"#, "33", 1.65), (#"{"path": "stars", "scale": 10}"#, "11", nil),
            (#""stars""#, "5.5", nil), (#""stars""#, "-1", nil), (#""stars""#, "1e400", nil), (#""stars""#, "0", 0),
            (#"{"path": "stars", "values": {"***": "3"}}"#, #""***""#, 3),
        ] as [(String, String, Double?)])
    func ratingsAreScaledToFive(rating: String, value: String, expected: Double?) throws {
        #expect(try book(#"{"rating": \#(rating)}"#, #"{"stars": \#(value)}"#).rating == expected)
    }

    @Test(
        arguments: [
            (#""shelf""#, #""read""#, .read), (#""shelf""#, #""to-read""#, .toRead), (#""shelf""#, #""PUBLISH""#, nil),
            (#""shelf""#, #""Read""#, .read), (#""shelf""#, #""TO_READ""#, .toRead),
            (#""shelf""#, #""PUBLISH""#, nil), (#"{"path": "shelf", "values": {"done": "read"}}"#, #""done""#, .read),
            (#"{"path": "shelf", "values": {"done": "read"}}"#, #"["done"]"#, .read),
            (#"{"path": "shelf", "values": {"2": "reading"}}"#, "2", .reading),
            (#"{"path": "shelf", "values": {"true": "read"}}"#, "true", .read),
            (#"{"path": "shelf", "values": {"done": "read"}}"#, #""lost""#, nil),
        ] as [(String, String, Book.ReadingStatus?)])
    func wordsOfTheCatalogAreTranslated(status: String, value: String, expected: Book.ReadingStatus?) throws {
        #expect(try book(#"{"status": \#(status)}"#, #"{"shelf": \#(value)}"#).status == expected)
    }

    @Test(
        arguments: [
            (#"{"fiction": true}"#, true), (#"{"fiction": false, "subjects": ["Fiction"]}"#, false),
            (#"{"fiction": "Fiction"}"#, true), (#"{"subjects": ["Fiction"]}"#, nil), ("{}", nil),
            (#"{"fiction": null, "subjects": ["Fiction"]}"#, nil),
        ] as [(String, Bool?)])
    func aSubjectDoesNotSayThatABookIsFiction(record: String, expected: Bool?) throws {
        #expect(try book(#"{"fiction": "fiction", "subjects": "subjects"}"#, record).fiction == expected)
    }

    @Test func contributorsAndIdentifiersOfAllPathsCount() throws {
        let book = try book(
            #"""
            {"contributors": [{"path": "translator", "role": "translator"}, {"path": "by.editor", "role": "editor"}, "others"],
             "identifiers": [{"path": "DOI", "scheme": "doi"}, "ids"]}
            """#,
            #"""
            {"DOI": "10.1000/182", "ids": {"goodreads": "1", "isbn": "9780441478125"}, "others": [{"name": "D", "role": "narrator"}],
             "translator": ["A", {"name": "B", "role": "reviser"}], "by": {"editor": "C"}}
            """#)
        #expect(
            book.contributors == [
                .init(name: "A", role: "translator"), .init(name: "B", role: "reviser"),
                .init(name: "C", role: "editor"),
                .init(name: "D", role: "narrator"),
            ])
        #expect(
            book.identifiers == [.init(scheme: "doi", value: "10.1000/182"), .init(scheme: "goodreads", value: "1")])
    }

    @Test(arguments: [
        ("{}", "[]", []), (#"{"t": "T"}"#, "[]", []), (#"{"t": true}"#, "[]", ["t: true"]),
        (#"{"a": 1, "b": "x\ny", "c": false}"#, "[]", ["a: 1", "b: x y", "c: false"]),
        (#"{"a": null, "b": "", "c": [], "d": {}, "e": [null]}"#, "[]", []),
        (#"{"a": {"b": {"c": 1}, "d": "e"}}"#, "[]", ["a.b.c: 1", "a.d: e"]),
        (#"{"a b": {"c.d": 1}, "": 2}"#, "[]", ["a b['c.d']: 1", "['']: 2"]),
        (#"{"a": [1, "x", null, true]}"#, "[]", ["a: 1, x, true"]),
        (#"{"a": [{"b": 1}, [2]]}"#, "[]", ["a[0].b: 1", "a[1]: 2"]),
        (#"{"x": [{"name": "A", "born": 1}, {"name": "B"}]}"#, "[]", ["x[0].born: 1"]),
        (#"{"a": 1, "a": 2}"#, "[]", ["a: 2"]),
        (#"{"_rev": 1, "a": 2}"#, #"["_rev"]"#, ["a: 2"]),
        (#"{"i": {"a": 1, "b": {"c": 2}}, "a": 2}"#, #""i.*""#, ["a: 2"]),
        (#"{"i": {"a": 1}, "a": 2}"#, #"["i"]"#, ["a: 2"]), (#"{"i": {"a": 1, "b": 2}}"#, #"["i.a"]"#, ["i.b: 2"]),
        (#"{"i": 7}"#, #"["i.*"]"#, ["i: 7"]), (#"{"a": [{"b": 1, "c": 2}]}"#, #"["a[*].b"]"#, ["a[0].c: 2"]),
    ])
    func unmappedValuesAreKept(record: String, ignore: String, expected: [String]) throws {
        let book = try book(#"{"title": "t", "authors": "x[*].name"}"#, record, ignore: ignore)
        #expect(book.otherFields.map { "\($0.path): \($0.text)" } == expected)
    }

    @Test func longUnmappedTextsAreShortened() throws {
        let long = String(repeating: "é", count: 5000)
        let book = try book(#"{"title": "t"}"#, #"{"a": "\#(long)", "b": ["\#(long)"], "c": [["\#(long)"]]}"#)
        #expect(book.otherFields.map(\.path) == ["a", "b", "c[0]"])
        #expect(book.otherFields.allSatisfy { $0.text.count == 1001 && $0.text.hasSuffix("éé…") })
    }

    @Test(arguments: ["null", "1", "[]", #""x""#, "[[]]"])
    func otherValuesThanObjectsGiveAnEmptyBook(record: String) throws {
        #expect(try book(#"{"title": "t", "authors": "a[*].b"}"#, record).title == "")
    }
}

extension Profile {
    /// Returns a profile with these "fields", a JSON object.
    static func make(fields: String, ignore: String = "[]") throws -> Profile {
        try Profile(parsing: #"{"name": "test", "fields": \#(fields), "ignore": \#(ignore)}"#.utf8)
    }
}
