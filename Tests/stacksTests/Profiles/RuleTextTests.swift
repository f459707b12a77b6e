import Testing

@testable import Books
@testable import stacks

@Suite("Profiles: a rule as text") struct RuleTextTests {
    @Test(arguments: [
        ("title", BookField.title), ("a.b[0] | c", .title), (#"by split " & ""#, .authors),
        (#"stars scale 10 | score scale 100"#, .rating), (#"shelf values {"done":"read"}"#, .status),
        (#"people[?@.role=='author | editor'].name"#, .authors), (#"tags split " | ""#, .subjects),
        (#"e role "editor""#, .contributors), (#"doi scheme "doi""#, .identifiers),
        (#"shelf split "; " values {"a":"read","b split \"x\"":"reading"}"#, .status), ("number of pages", .pageCount),
    ])
    func aWrittenRuleIsReadUnchanged(text: String, field: BookField) throws {
        let rule = try RuleText(text).rule(for: field)
        #expect(RuleText(of: rule, for: field).text == text)
    }

    @Test func optionsAreRead() throws {
        let rule = try RuleText(#"a.b  split "; " values {"x": "read"} | c scale 10"#).rule(for: .rating)
        #expect(rule.candidates.map(\.path.description) == ["a.b", "c"])
        #expect(rule.candidates[0].split == "; ")
        #expect(rule.candidates[0].values == ["x": "read"])
        #expect(rule.candidates[1].scale == 10)
    }

    @Test(arguments: [
        ("a..b", BookField.title, "“a..b” is not a path; expected a name at character 3"),
        ("a | ", .title, "“” is not a path; expected a name at character 1"),
        ("a scale 10", .title, "scale does not apply to this field or value"),
        ("a scale -1", .rating, "scale needs the highest rating, a number above zero"),
        (#"a role "x""#, .authors, "role does not apply to this field or value"),
        (#"a values {"x": 1}"#, .status, #"values needs texts: values {"done": "read"}"#),
        (#"a split 7"#, .authors, "split does not apply to this field or value"),
    ])
    func invalidRulesAreReported(text: String, field: BookField, sentence: String) {
        let syntaxError = #expect(throws: RuleText.SyntaxError.self) { try RuleText(text).rule(for: field) }
        #expect(syntaxError?.sentence == sentence)
    }
}
