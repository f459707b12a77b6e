import Testing

@testable import Books
@testable import Catalog
@testable import CatalogTesting
@testable import JSON

@Suite("JSON file: chunks on several threads") struct ChunkSchedulerTests {
    private func scan(_ text: String, shape: CatalogShape = .array(enclosingObjects: 0)) throws -> Scan {
        try Scan(text.utf8, shape: shape)
    }

    @Test func recordsAreFoundWithTheirOffsets() throws {
        let scan = try scan(#"[ {"title": "A"}, {"title":"é"} ]"#)
        #expect(scan.offsets == [2, 18])
        #expect(scan.texts.map { String(decoding: $0, as: UTF8.self) } == ["a\n", "e\n"])
        #expect(scan.keys == [MatchKeys(of: Book(title: "A")), MatchKeys(of: Book(title: "é"))])
        #expect(scan.omissionCount == 0)
        #expect(scan.syntaxError == nil)
        #expect(scan.hasFields)
    }

    @Test func theTextOfABookConsistsOfTitleAuthorsAndISBN() throws {
        let scan = try scan(#"[{"title": "Émile", "isbn": "0-441-47812-3", "authors": ["A", "B"], "pageCount": 7}]"#)
        #expect(scan.texts.map { String(decoding: $0, as: UTF8.self) } == ["emile\na\nb\n9780441478125"])
        #expect(scan.keys.map(\.isbn?.description) == ["isbn:9780441478125"])
    }

    @Test func otherValuesAreSkippedAndTheFirstHasItsOffset() throws {
        let scan = try scan(#"[1,"two", null,[],{"title":"A"},true]"#)
        #expect(scan.omissionCount == 5)
        #expect(scan.firstOmission == 1)
        #expect(scan.firstOmissionReason == nil)
        #expect(scan.offsets == [18])
        #expect(scan.syntaxError == nil)
    }

    @Test(arguments: [
        #"{"title":true}"#, #"{"authors":7}"#, #"{"isbn":{}}"#, #"{"pageCount":[]}"#, #"{"fiction":[]}"#,
        #"{"title":false,"pageCount":{"a":1},"isbn":null}"#,
    ])
    func anObjectWithOnlyWrongTypesIsSkipped(object: String) throws {
        let scan = try scan("[\(object),{}]")
        #expect(scan.omissionCount == 1)
        #expect(scan.firstOmission == 1)
        #expect(scan.offsets == [object.utf8.count + 2])
    }

    @Test(arguments: [
        "{}", #"{"title":null}"#, #"{"name":"A"}"#, #"{"title":true,"authors":"A"}"#, #"{"title":["A"]}"#,
        #"{"isbn":9780441478125}"#, #"{"pageCount":"304","title":false}"#,
    ])
    func anObjectThatOnlyLacksFieldsIsABook(object: String) throws {
        let scan = try scan("[\(object)]")
        #expect(scan.offsets == [1])
        #expect(scan.omissionCount == 0)
    }

    @Test(arguments: [
        (#"{"title":"A","title":true}"#, false), (#"{"title":true,"title":"A"}"#, true),
        (#"{"title":true,"title":null}"#, true), (#"{"authors":"A","isbn":{},"\u0061uthors":7}"#, false),
    ])
    func ofSeveralMembersWithOneKeyTheLastDecidesWhetherAnObjectIsABook(object: String, isBook: Bool) throws {
        let scan = try scan("[\(object)]")
        #expect(scan.offsets.count == (isBook ? 1 : 0))
        #expect(scan.omissionCount == (isBook ? 0 : 1))
    }

    @Test func whetherAnyRecordHasAFieldIsKnown() throws {
        #expect(try !scan(#"[{}, {"nom": "A"}]"#).hasFields)
        #expect(try scan(#"[{}, {"\u0074itle": "A"}]"#).hasFields)
    }

    @Test func keysWithinAFieldAreNotFields() throws {
        #expect(try !scan(#"[{"book": {"title": "A"}}]"#).hasFields)
    }

    @Test func aFaultKeepsTheRecordsBeforeIt() throws {
        let scan = try scan(#"[{"title":"A"},{"title":"B"},{"title":oops}]"#)
        #expect(scan.offsets == [1, 15])
        #expect(scan.syntaxError == JSONSyntaxError(.unexpectedCharacter, at: 38))
    }

    @Test func aTruncatedTextKeepsTheRecordsBeforeItsEnd() throws {
        let scan = try scan(#"[1,{"title":"A"},{"ti"#)
        #expect(scan.offsets == [3])
        #expect(scan.firstOmission == 1)
        #expect(scan.syntaxError == JSONSyntaxError(.unexpectedEnd, at: 21))
    }

    @Test func textAfterTheArrayIsASyntaxError() throws {
        let scan = try scan("[{}] [{}]")
        #expect(scan.offsets == [1])
        #expect(scan.syntaxError == JSONSyntaxError(.trailingContent, at: 5))
    }

    @Test func theArrayAndTheRecordCountAsLevels() throws {
        func nested(_ depth: Int) -> String {
            #"[{"x":"# + String(repeating: "[", count: depth) + String(repeating: "]", count: depth) + "}]"
        }
        #expect(try scan(nested(510)).offsets.count == 1)
        #expect(try scan(nested(510)).syntaxError == nil)
        #expect(try scan(nested(511)).syntaxError == JSONSyntaxError(.tooDeep, at: 6 + 510))
    }

    @Test func aLineWithTwoValuesIsSkippedOnce() throws {
        let scan = try scan("{\"title\":\"A\"}\n7 8\n[] {}\n{\"title\":\"B\"} {}\n{\"title\":\"C\"}", shape: .lines)
        #expect(scan.offsets == [0, 41])
        #expect(scan.omissionCount == 3)
        #expect(scan.firstOmission == 16)
        #expect(scan.firstOmissionReason == .trailingContent)
        #expect(scan.texts.map { String(decoding: $0, as: UTF8.self) } == ["a\n", "c\n"])
    }
}
