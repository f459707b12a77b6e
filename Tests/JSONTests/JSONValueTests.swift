import Testing

@testable import CatalogTesting
@testable import JSON

@Suite("JSON: values") struct JSONValueTests {
    @Test func aTextIsParsedCompletely() {
        let table: [(String, JSONValue)] = [
            ("null", .null), ("true", .boolean(true)), ("false", .boolean(false)), ("-1.50e+7", .number("-1.50e+7")),
            (#""a\nb""#, .string("a\nb")), ("[]", .array([])), ("{}", .object([])),
            (" [1, [null]] ", .array([.number("1"), .array([.null])])),
            (
                #"{"b": 1, "a": {"c": "d"}}"#,
                .object([
                    .init(key: "b", value: .number("1")),
                    .init(key: "a", value: .object([.init(key: "c", value: .string("d"))])),
                ])
            ),
        ]
        for (text, expected) in table { #expect(JSONValue(parsing: Array(text.utf8)) == expected) }
    }

    @Test(arguments: ["", "[1", "[1] 2", "{'a': 1}", #"{"a": 1"#, "\u{FEFF}[]", "01", #"{"a"}"#])
    func invalidJSONHasNoValue(text: String) {
        #expect(JSONValue(parsing: Array(text.utf8)) == nil)
    }

    @Test func aSliceIsParsedFromItsStart() {
        let bytes = Array("xx[1]yy".utf8)
        #expect(JSONValue(parsing: bytes[2..<5]) == .array([.number("1")]))
    }

    @Test func ofSeveralMembersWithOneKeyTheLastCounts() {
        let value = JSONValue(parsing: Array(#"{"a": 1, "b": 2, "\u0061": 3}"#.utf8))
        #expect(value?["a"] == .number("3"))
        #expect(value?["b"] == .number("2"))
        #expect(value?["c"] == nil)
        #expect(value?.members?.map(\.key) == ["a", "b", "a"])
    }

    @Test func onlyObjectsHaveKeysAndMembers() {
        #expect(JSONValue.array([.string("a")])["a"] == nil)
        #expect(JSONValue.string("a").members == nil)
    }

    @Test func accessorsMatchTheTypeOfTheValue() {
        #expect(JSONValue.string("7").string == "7")
        #expect(JSONValue.string("7").integer == nil)
        #expect(JSONValue.number("7").integer == 7)
        #expect(JSONValue.number("7").string == nil)
        #expect(JSONValue.number("-1").integer == -1)
        #expect(JSONValue.boolean(false).boolean == false)
        #expect(JSONValue.number("0").boolean == nil)
        #expect(JSONValue.string("true").boolean == nil)
    }

    @Test(arguments: ["1.0", "1e2", "9223372036854775808", "123456789012345678901234567890", "1e400"])
    func otherNumbersAreNotIntegers(number: String) {
        #expect(JSONValue.number(number).integer == nil)
    }

    @Test func theLargestIntIsAnInteger() {
        #expect(JSONValue.number("9223372036854775807").integer == .max)
    }

    @Test func aTooDeepValueIsRejected() {
        let text = String(repeating: "[", count: 513) + String(repeating: "]", count: 513)
        #expect(JSONValue(parsing: Array(text.utf8)) == nil)
        #expect(JSONValue(parsing: Array(text.utf8.dropFirst().dropLast())) != nil)
    }

    @Test(arguments: [
        "null", "true", "false", "-1.50e+7", "1e400", #""""#, #""é 羅 😀""#, "[]", "{}", "[1,[2,null]]",
        #"{"b":1,"a":{"c":"d"},"b":[]}"#, #""\b\t\n\f\r\"\\/""#, #"{"\u0000\u001f\u000e":"\u0010"}"#,
    ])
    func aValueIsWrittenAsJSONWithoutBlanks(json: String) throws {
        #expect(try JSONValue.make(json).json == json)
    }
}
