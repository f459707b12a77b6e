import Testing

@testable import Catalog

struct RecordScannerTests {
    private func scan(_ text: String) -> RecordScanner {
        Array(text.utf8).withUnsafeBufferPointer(RecordScanner.init)
    }

    @Test func recordsAreFoundWithTheirPlaces() {
        let scanner = scan(#"[ {"title": "A"}, {"title":"é"} ]"#)
        #expect(scanner.records == [Record(offset: 2, length: 14), Record(offset: 18, length: 14)])
        #expect(scanner.omissions == [])
        #expect(scanner.fault == nil)
        #expect(scanner.isArray)
        #expect(scanner.hasFields)
    }

    @Test func aByteOrderMarkIsPassedOver() {
        let scanner = scan("\u{FEFF}[{}]")
        #expect(scanner.records == [Record(offset: 4, length: 2)])
        #expect(scanner.fault == nil)
    }

    @Test func valuesThatAreNoObjectsAreOmittedWithTheirOffsets() {
        let scanner = scan(#"[1,"two", null,[],{"title":"A"},true]"#)
        #expect(scanner.omissions == [1, 3, 10, 15, 32])
        #expect(scanner.records == [Record(offset: 18, length: 13)])
        #expect(scanner.fault == nil)
    }

    @Test(arguments: [
        #"{"title":true}"#, #"{"authors":7}"#, #"{"isbn":{}}"#, #"{"pageCount":[]}"#, #"{"fiction":[]}"#,
        #"{"title":false,"pageCount":{"a":1},"isbn":null}"#,
    ])
    func anObjectWhoseEveryFieldIsOfAWrongTypeIsOmitted(object: String) {
        let scanner = scan("[\(object),{}]")
        #expect(scanner.omissions == [1])
        #expect(scanner.records.map(\.length) == [2])
    }

    @Test(arguments: [
        "{}", #"{"title":null}"#, #"{"name":"A"}"#, #"{"title":true,"authors":"A"}"#, #"{"title":["A"]}"#,
        #"{"isbn":9780441478125}"#, #"{"pageCount":"304","title":false}"#,
    ])
    func anObjectThatOnlyLacksFieldsIsABook(object: String) {
        let scanner = scan("[\(object)]")
        #expect(scanner.records == [Record(offset: 1, length: object.utf8.count)])
        #expect(scanner.omissions == [])
    }

    @Test func whetherAnyRecordHasAFieldIsKnown() {
        #expect(!scan(#"[{}, {"name": "A"}]"#).hasFields)
        #expect(scan(#"[{}, {"\u0074itle": "A"}]"#).hasFields)
    }

    @Test func keysWithinAFieldAreNoFields() {
        #expect(!scan(#"[{"book": {"title": "A"}}]"#).hasFields)
    }

    @Test func aFaultKeepsTheRecordsBeforeIt() {
        let scanner = scan(#"[{"title":"A"},{"title":"B"},{"title":oops}]"#)
        #expect(scanner.records == [Record(offset: 1, length: 13), Record(offset: 15, length: 13)])
        #expect(scanner.fault == JSONFault(.unexpectedCharacter, at: 38))
    }

    @Test func aTruncatedTextKeepsTheRecordsBeforeItsEnd() {
        let scanner = scan(#"[1,{"title":"A"},{"ti"#)
        #expect(scanner.records == [Record(offset: 3, length: 13)])
        #expect(scanner.omissions == [1])
        #expect(scanner.fault == JSONFault(.unexpectedEnd, at: 21))
    }

    @Test func whatFollowsTheArrayIsAFault() {
        let scanner = scan("[{}] [{}]")
        #expect(scanner.records == [Record(offset: 1, length: 2)])
        #expect(scanner.fault == JSONFault(.trailingContent, at: 5))
    }

    @Test(arguments: ["{}", "42", "null", #""[]""#])
    func whatIsNoArrayHasNoRecords(text: String) {
        let scanner = scan(text)
        #expect(!scanner.isArray)
        #expect(scanner.records == [])
        #expect(scanner.fault == nil)
    }

    @Test func theArrayAndTheRecordCountAsLevels() {
        func nested(_ depth: Int) -> String {
            #"[{"x":"# + String(repeating: "[", count: depth) + String(repeating: "]", count: depth) + "}]"
        }
        #expect(scan(nested(510)).records.count == 1)
        #expect(scan(nested(510)).fault == nil)
        #expect(scan(nested(511)).fault == JSONFault(.tooDeep, at: 6 + 510))
    }
}
