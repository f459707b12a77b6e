import TestSupport
import Testing

@testable import JSON

@Suite("JSON: patching a text for a new value") struct ValuePatchTests {
    /// Returns `text` patched to encode `new`.
    private func patched(_ text: String, _ new: String) throws -> String {
        let value = try #require(JSONValue(parsing: new.utf8))
        let splices = try ValuePatch.changes(of: Array(text.utf8), to: value)
        return String(decoding: splices.applied(to: Array(text.utf8)), as: UTF8.self)
    }

    @Test func equalPartsAreNotTouched() throws {
        let text = #"{ "a" :1.50,"b":"\u0041\/" , "a":1.50 }"#
        #expect(try patched(text, #"{"a":1.50,"b":"A/","a":1.50}"#) == text)
    }

    @Test func onlyTheChangedValueIsReplaced() throws {
        #expect(
            try patched(#"{ "title" : "Ema",  "pages":1e2, "x": [1,  2] }"#, #"{"title":"Emma","pages":1e2,"x":[1,2]}"#)
                == #"{ "title" : "Emma",  "pages":1e2, "x": [1,  2] }"#)
    }

    @Test func theLastOfSeveralEqualKeysIsChanged() throws {
        #expect(try patched(#"{"a": 1, "a": 2}"#, #"{"a":1,"a":3}"#) == #"{"a": 1, "a": 3}"#)
    }

    @Test(arguments: [
        (#"{"a":1}"#, #"{"a":1,"b":2}"#), (#"{"a": 1}"#, #"{"a": 1, "b": 2}"#),
        (#"{"a" : 1 , "c" : 3}"#, #"{"a" : 1 , "b" : 2 , "c" : 3}"#),
        ("{\n  \"a\": 1\n}", "{\n  \"a\": 1,\n  \"b\": 2\n}"),
        ("{\r\n\t\"c\": 3\r\n}", "{\r\n\t\"b\": 2,\r\n\t\"c\": 3\r\n}"),
        ("{\n  \"a\": 1,\n  \"c\": 3\n}", "{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3\n}"),
    ]) func aNewMemberLooksLikeItsNeighbours(text: String, expected: String) throws {
        #expect(try patched(text, expected) == expected)
    }

    @Test(arguments: [
        (#"{"a": 1, "b": 2, "c": 3}"#, #"{"b": 2, "c": 3}"#), (#"{"a": 1, "b": 2, "c": 3}"#, #"{"a": 1, "c": 3}"#),
        (#"{"a": 1, "b": 2, "c": 3}"#, #"{"a": 1, "b": 2}"#), (#"{"a": 1, "b": 2, "c": 3}"#, #"{"b": 2}"#),
        ("{\n  \"a\": 1,\n  \"b\": 2\n}", "{\n  \"a\": 1\n}"), ("[ 1, 2, 3 ]", "[ 2 ]"), ("[1]", "[]"),
        ("[\n  \"a\",\n  \"b\"\n]", "[\n  \"b\"\n]"),
    ]) func aMemberThatGoesTakesOneCommaWithIt(text: String, expected: String) throws {
        #expect(try patched(text, expected) == expected)
    }

    @Test func elementsAreAddedChangedAndRemovedInTheirPlaces() throws {
        #expect(try patched(#"["a","b" , "c"]"#, #"["a","x","c"]"#) == #"["a","x" , "c"]"#)
        #expect(try patched(#"["a", "b"]"#, #"["a","b","c"]"#) == #"["a", "b", "c"]"#)
        #expect(try patched(#"["a", "b"]"#, #"["z","a","b"]"#) == #"["z", "a", "b"]"#)
        #expect(
            try patched(#"[{"n": "A", "k": 1}, {"n": "B"}]"#, #"[{"n":"A","k":1},{"n":"C"}]"#)
                == #"[{"n": "A", "k": 1}, {"n": "C"}]"#)
        #expect(try patched(#"{"a": ["x", "y"]}"#, #"{"a":["p","q","r"]}"#) == #"{"a": ["p", "q", "r"]}"#)
    }

    @Test func aNewValueIsIndentedLikeTheText() throws {
        let text = "{\n    \"title\": \"Emma\",\n    \"tags\": [\n        \"a\"\n    ]\n}"
        #expect(
            try patched(text, #"{"title":"Emma","tags":["a"],"x":{"y":["b","c"]}}"#)
                == text.dropLast(2)
                + ",\n    \"x\": {\n        \"y\": [\n            \"b\",\n            \"c\"\n        ]\n    }\n}")
        let inline = "{\n  \"title\": \"Emma\",\n  \"tags\": [\"a\"]\n}"
        #expect(
            try patched(inline, #"{"title":"Emma","tags":["a"],"more":["b","c"]}"#)
                == inline.dropLast(2) + ",\n  \"more\": [\"b\", \"c\"]\n}")
    }

    @Test func escapesAreThoseOfTheText() throws {
        #expect(
            try patched(#"{"a":"\u00e9","b":"x"}"#, #"{"a":"é","b":"😀ü"}"#)
                == #"{"a":"\u00e9","b":"\ud83d\ude00\u00fc"}"#)
        #expect(try patched(#"{"a":"é","b":"x"}"#, #"{"a":"é","b":"ü"}"#) == #"{"a":"é","b":"ü"}"#)
        #expect(try patched(#"{"a":"x\/y","b":"x"}"#, #"{"a":"x/y","b":"p/q"}"#) == #"{"a":"x\/y","b":"p\/q"}"#)
    }

    @Test func textAfterTheValueStays() throws {
        #expect(try patched(" [1] , 2", "[1,3]") == " [1,3] , 2")
        #expect(throws: JSONSyntaxError.self) { try ValuePatch.changes(of: Array(#"{"a":"#.utf8), to: .null) }
    }

    // MARK: - Random values

    private static func value(_ depth: Int, _ random: inout SplitMix) -> JSONValue {
        let texts = ["", "a", "Emma", "\u{1F600}\"\\", "é/\n", "羅生門"]
        switch Int.random(in: 0..<(depth > 2 ? 5 : 8), using: &random) {
        case 0: return .null
        case 1: return .boolean(.random(using: &random))
        case 2: return .number(["0", "-1.5e3", "12"].randomElement(using: &random) ?? "0")
        case 3, 4: return .string(texts.randomElement(using: &random) ?? "")
        case 5: return .array((0..<Int.random(in: 0..<4, using: &random)).map { _ in value(depth + 1, &random) })
        default:
            return .object(
                (0..<Int.random(in: 0..<5, using: &random)).map { _ in
                    JSONValue.Member(
                        key: ["a", "b", "c", "ключ", "d"].randomElement(using: &random) ?? "",
                        value: value(depth + 1, &random))
                })
        }
    }

    private static func changed(_ value: JSONValue, _ random: inout SplitMix) -> JSONValue {
        if Int.random(in: 0..<4, using: &random) == 0 { return self.value(1, &random) }
        switch value {
        case .array(var elements) where !elements.isEmpty:
            let index = Int.random(in: elements.indices, using: &random)
            switch Int.random(in: 0..<3, using: &random) {
            case 0: elements.remove(at: index)
            case 1: elements.insert(self.value(2, &random), at: index)
            default: elements[index] = changed(elements[index], &random)
            }
            return .array(elements)
        case .object(var members) where !members.isEmpty:
            let index = Int.random(in: members.indices, using: &random)
            switch Int.random(in: 0..<3, using: &random) {
            case 0: members.remove(at: index)
            case 1: members.insert(.init(key: "new", value: self.value(2, &random)), at: index)
            default: members[index].value = changed(members[index].value, &random)
            }
            return .object(members)
        default: return self.value(2, &random)
        }
    }

    /// Returns the text of a value with random white space.
    private static func text(_ value: JSONValue, _ random: inout SplitMix) -> String {
        func gap() -> String { ["", "", " ", "\n  ", "\t"].randomElement(using: &random) ?? "" }
        switch value {
        case .array(let elements):
            return "[" + gap() + elements.map { text($0, &random) + gap() }.joined(separator: "," + gap()) + "]"
        case .object(let members):
            return "{" + gap()
                + members.map { JSONValue.string($0.key).json + gap() + ":" + gap() + text($0.value, &random) + gap() }
                .joined(separator: "," + gap()) + "}"
        default: return value.json
        }
    }

    @Test func randomChangesGiveTheNewValueAndKeepTheRest() throws {
        var random = SplitMix(seed: 22)
        for _ in 0..<3000 {
            let old = Self.value(0, &random)
            var new = old
            for _ in 0..<Int.random(in: 1..<4, using: &random) { new = Self.changed(new, &random) }
            let text = Array(Self.text(old, &random).utf8)
            let splices = try ValuePatch.changes(of: text, to: new).inOrder
            let result = splices.applied(to: text)
            #expect(JSONValue(parsing: result) == new, "\(String(decoding: text, as: UTF8.self)) to \(new.json)")
            // The changes do not overlap, and equal bytes are not written again.
            for (one, next) in zip(splices, splices.dropFirst()) {
                #expect(one.range.upperBound <= next.range.lowerBound)
            }
            #expect(splices.isEmpty == (old == new))
        }
    }
}
