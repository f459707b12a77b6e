import Testing

@testable import JSON

/// Objects with the spelling of their members.
@Suite("JSON: spelled objects") struct SpelledObjectTests {
    private func spellings(_ text: String) -> [String: String]? { SpelledObject(parsing: text.utf8)?.spellings }

    @Test("Members without escapes have no spelling of their own")
    func plain() {
        #expect(spellings(#"{"a": "é", "b": [1.50, {"c": "/"}], "d": null}"#) == [:])
        #expect(spellings("{}") == [:])
    }

    @Test("Members with escapes are spelled as they are, without white space between their tokens")
    func escapes() {
        let text = #"{"a": "caf\u00e9 \/ x", "b": "é", "c": [ "\"] ,", { "d" : "\ud83d" } ], "e\u0301": "\t"}"#
        #expect(
            spellings(text) == [
                "a": #""caf\u00e9 \/ x""#, "c": #"["\"] ,",{"d":"\ud83d"}]"#, "e\u{301}": #""\t""#,
            ])
    }

    @Test("What could control a terminal is escaped")
    func harmless() {
        #expect(spellings("{\"a\": \"\\/\u{9B}31m\u{202E}\"}") == ["a": #""\/\u009b31m\u202e""#])
    }

    @Test("Text that is not UTF-8 is not taken over, and malformed text fails")
    func defects() {
        let bytes = Array(#"{"a": "\/"#.utf8) + [0xFF] + Array(#"", "b": "\/"}"#.utf8)
        #expect(SpelledObject(parsing: bytes)?.spellings == ["b": #""\/""#])
        for text in ["", "{", #"{"a": "\x"}"#, #"{"a": 1} x"#] { #expect(spellings(text) == nil, "\(text)") }
    }
}
