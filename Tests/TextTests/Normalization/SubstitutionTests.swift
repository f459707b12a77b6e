import TestSupport
import Testing

@testable import Text

@Suite("Text: substitutions") struct SubstitutionTests {
    private func replaced(
        _ pattern: String, _ replacement: String, in text: String, isGlobal: Bool = false, ignoresCase: Bool = false
    ) throws -> String? {
        let substitution = try Substitution(
            pattern, with: replacement, isGlobal: isGlobal, ignoresCase: ignoresCase)
        switch substitution.result(for: text) {
        case .unchanged: return text
        case .replaced(let result):
            #expect(!result.utf8.elementsEqual(text.utf8))
            return result
        case .gaveUp: return nil
        }
    }

    @Test func theFirstMatchIsReplacedOrAll() throws {
        #expect(try replaced("a", "o", in: "banana") == "bonana")
        #expect(try replaced("a", "o", in: "banana", isGlobal: true) == "bonono")
        #expect(try replaced("^", "The ", in: "Stand", isGlobal: true) == "The Stand")
        #expect(try replaced("x*", "-", in: "abc", isGlobal: true) == "-a-b-c-")
        #expect(try replaced("^$", "x", in: "") == "x")
        #expect(try replaced("b", "", in: "b") == "")
        #expect(try replaced("$", "!", in: "two\nlines", isGlobal: true) == "two\nlines!")
    }

    @Test func groupsAreNamedInTheReplacement() throws {
        #expect(try replaced(#"(\w+), (\w+)"#, "$2 $1", in: "Austen, Jane") == "Jane Austen")
        #expect(try replaced(#"(?<name>\w+)"#, "<${name}|$0|${1}|$$>", in: "Emma") == "<Emma|Emma|Emma|$>")
        #expect(try replaced("(a)|(b)", "[$1$2]", in: "ab", isGlobal: true) == "[a][b]")
        #expect(try replaced(#"\w+"#, #"\u$0"#, in: "émile zola", isGlobal: true) == "Émile Zola")
        #expect(try replaced("b", #"\/\$1\\"#, in: "abc") == #"a/$1\c"#)
    }

    @Test(arguments: [
        ("война", "мир", "Война и война", "Мир и мир"), ("ΣΟΦΟΣ", "x", "σοφός σοφος", "σοφός x"),
        ("straße", "weg", "STRAẞE Straße", "weg weg"), ("日本", "JP", "日本の日本", "JPのJP"),
        ("É", "e", "É é", "e e"), ("ი", "i", "თბილისი", "თბiლiსi"),
    ])
    func allScriptsAreReplaced(pattern: String, replacement: String, text: String, result: String) throws {
        let found = try replaced(pattern, replacement, in: text, isGlobal: true, ignoresCase: true)
        #expect(found?.lowercased() == result.lowercased())
    }

    @Test func caseAndAccentsCount() throws {
        #expect(try replaced("é", "x", in: "E e É") == "E e É")
        #expect(try replaced("ss", "x", in: "ß", ignoresCase: true) == "ß")
        #expect(try replaced("ß", "ss", in: "ẞ") == "ẞ")
        // An accent of its own is a character of its own.
        #expect(try replaced(#"\x{301}"#, "", in: "e\u{301}t") == "et")
        #expect(try replaced(#"^\X"#, "", in: "e\u{301}t") == "t")
        let decomposed = try replaced("t", "d", in: "e\u{301}t")
        #expect(decomposed.map { Array($0.unicodeScalars) } == ["e", "\u{301}", "d"])
        #expect(try replaced(#"\b\w"#, "_", in: "Ärger über Öl", isGlobal: true) == "_rger _ber _l")
    }

    @Test func longResultsAreComplete() throws {
        let copies = String(repeating: "$0", count: 500)
        let result = try #require(try replaced("a", copies, in: "banana", isGlobal: true))
        let long = String(repeating: "a", count: 500)
        #expect(result == "b\(long)n\(long)n\(long)")
    }

    @Test(arguments: [
        ("é(", "missing closing parenthesis", 3), ("[", "missing terminating ] for character class", 1),
        (#"\C"#, #"using \C is disabled by the application"#, 2),
    ])
    func aMalformedPatternIsRefusedAtItsPlace(pattern: String, message: String, offset: Int) {
        #expect(throws: Substitution.SyntaxError.pattern(.init(message, at: offset))) {
            try Substitution(pattern, with: "x")
        }
    }

    @Test(arguments: [
        ("$2", "unknown substring", 2), ("a${x}", "unknown substring", 5), ("$", "invalid replacement string", 1),
        ("${1", "expected closing curly bracket in replacement string", 3),
        (#"\1"#, "bad escape sequence in replacement string", 1),
    ])
    func aMalformedReplacementIsRefusedAtItsPlace(replacement: String, message: String, offset: Int) {
        #expect(throws: Substitution.SyntaxError.replacement(.init(message, at: offset))) {
            try Substitution("(b)", with: replacement)
        }
    }

    @Test(arguments: ["(a+)+$", "(a|a)*$"]) func excessiveBacktrackingIsAborted(pattern: String) throws {
        let text = String(repeating: "a", count: 40) + "b"
        let substitution = try Substitution(pattern, with: "x")
        let time = processorTime { #expect(substitution.result(for: text) == .gaveUp) }
        #expect(time < .seconds(1))
        // The next text is matched as before.
        #expect(substitution.result(for: "aa") == .replaced("x"))
    }

    @Test func oneSubstitutionServesManyThreads() async throws {
        let substitution = try Substitution(#"(\d+)"#, with: "<$1>")
        let counts = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    (0..<1000).filter { substitution.result(for: "no \($0)") == .replaced("no <\($0)>") }.count
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counts == Array(repeating: 1000, count: 8))
    }
}
