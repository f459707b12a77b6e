import Testing

@testable import Books
@testable import JSON

@Suite("Fields: those that a catalog has beside those of every book") struct OwnFieldSearchTests {
    private let mapping = FieldMapping(rules: [
        .title: .init([.init(FieldPath(steps: [.name("title")]))]),
        .series: .init([.init(FieldPath(steps: [.name("series"), .name("name")]))]),
    ])

    private func fields(_ records: String...) throws -> [BookField] {
        mapping.ownFields(in: try records.map { try #require(JSONValue(parsing: $0.utf8)) })
    }

    private func own(_ records: [String]) throws -> [String] {
        mapping.ownFields(in: try records.map { try #require(JSONValue(parsing: $0.utf8)) }).compactMap(\.info.own)
            .map { "\($0.name) “\($0.label)” \($0.kind) at \($0.path)" }
    }

    @Test("A path that no field reads is a field, named by its last key in words")
    func names() throws {
        let found = try own([
            #"{"title": "A", "lentTo": "Ada", "Lent until": "2024-03-12", "place": {"room": "Hall", "n": 3}, "ISSN": "x"}"#
        ])
        #expect(
            found == [
                "lent-to “Lent to” text at lentTo", "lent-until “Lent until” date at Lent until",
                "room “Room” text at place.room", "n “N” number at place.n", "issn “ISSN” text at ISSN",
            ])
    }

    @Test("A name that is taken gives way to the path, and one that is reserved to own.")
    func takenNames() throws {
        let found = try own([
            #"{"a": {"room": "x"}, "b": {"room": "y"}, "pages": "no", "is": 1, "shelf": "s", "lentTo": 1, "lent_to": 2, "???": 3}"#
        ])
        #expect(
            found.map { $0.prefix { $0 != " " } } == [
                "room", "b.room", "own.pages", "own.is", "own.shelf", "lent-to", "own.lent-to", "own",
            ])
        #expect(Set(found).count == found.count)
    }

    @Test("What mapped fields read is none, nor what they ignore, nor arrays of objects")
    func coverage() throws {
        let ignoring = FieldMapping(rules: mapping.rules, ignored: [FieldPath(steps: [.name("x")])])
        let record = try #require(
            JSONValue(
                parsing: #"{"title": "A", "series": {"name": "S", "id": 7}, "x": {"y": 1}, "copies": [{"n": 1}]}"#.utf8)
        )
        #expect(ignoring.ownFields(in: [record]).map { $0.info.own?.path.description } == ["series.id"])
        #expect(
            ignoring.ownFields(in: [record], except: [FieldPath(steps: [.name("series"), .name("id")])]).isEmpty)
    }

    @Test(
        "The kind is the one that fits 95 of 100 values, else text",
        arguments: [
            (["1", "2.5", "-3"], "number"), ([#""1""#, #""2.50""#], "number"), ([#""007""#, #""008""#], "text"),
            (["true", "false"], "boolean"), ([#""yes""#, #""No""#], "boolean"),
            ([#""2024-03-12""#, #""2024-03-12T10:00:00Z""#, #""12.3.2024""#], "date"), ([#""May 2024""#], "text"),
            ([#"["a"]"#, #""b""#], "list"), ([#""https://a.example""#], "link"), ([#""a""#, "1", "true"], "text"),
            (["null"], "text"), (["12345678901234567890"], "text"), (["1e400"], "number"),
        ])
    func kinds(values: [String], kind: String) throws {
        let found = try own(values.map { #"{"x": \#($0)}"# })
        #expect(found == ["x “X” \(kind) at x"])
    }

    @Test("A value of another kind stays in the card as it is") func misfits() throws {
        var records = (1...40).map { #"{"title": "A", "price": \#($0)}"# }
        records.append(#"{"title": "B", "price": "about 5"}"#)
        let values = try records.map { try #require(JSONValue(parsing: $0.utf8)) }
        let whole = mapping.with(own: mapping.ownFields(in: values))
        let last = whole.book(from: try #require(values.last))
        #expect(last.own.isEmpty && last.otherFields == [.init(path: "price", text: "about 5")])
        #expect(whole.record(of: last, in: try #require(values.last)) == values.last)
    }

    @Test("Keys, checksums, links and long texts are no columns") func internalFields() throws {
        let records = (1...30).map { number in
            """
            {"title": "A", "goodreads_id": \(number), "sha": "\(String(repeating: "a", count: 30))\(number)", \
            "url": "https://a.example/\(number)", "note": "\(String(repeating: "word ", count: 60))", \
            "mark": "QA \(number)", "room": "\(number % 3)x"}
            """
        }
        let values = try records.map { try #require(JSONValue(parsing: $0.utf8)) }
        let schema = Schema(own: mapping.ownFields(in: values))
        #expect(schema.own.map(\.id) == ["goodreads-id", "sha", "url", "note", "mark", "room"])
        #expect(schema.described.map(\.id) == ["mark", "room"])
        #expect(schema.facets.map(\.id) == ["room"])
    }

    @Test("Odd keys, ten thousand keys, deep nesting and long values are harmless", .timeLimit(.minutes(1)))
    func oddRecords() throws {
        let odd = try fields(
            #"{"a.b": 1, "a": {"b": 2}, "q\"q": 3, "\u001b[2J": 4, "  ": 5, "": 6, "e\u0301": 7, "\ud83d\ude00": 8}"#)
        #expect(odd.allSatisfy { !$0.id.isEmpty && !$0.id.contains(where: { "\"\u{1B} ".contains($0) }) })
        #expect(Set(odd.map { OwnField.key(of: $0.id) }).count == odd.count)
        let many = try fields("{" + (0..<10_000).map { "\"k\($0)\": \($0)" }.joined(separator: ",") + "}")
        #expect(many.count == FieldMapping.ownFieldLimit)
        let deep = String(repeating: "{\"x\":", count: 200) + "1" + String(repeating: "}", count: 200)
        #expect(try fields(deep).isEmpty)
        let long = "{\"title\": \"A\", \"x\": \"\(String(repeating: "y", count: 1_000_000))\", \"z\": 1}"
        let schema = Schema(own: try fields(long))
        #expect(schema.described.map(\.id) == ["z"])
    }
}
