import Testing

@testable import Search

@Suite("Query: syntax errors") struct QuerySyntaxErrorTests {
    @Test(arguments: [
        ("status:foo", "status: needs to-read, reading, read, abandoned or none, not “foo”"),
        (
            "progress:foo", "progress: needs 50, >50, to-read, reading, read, abandoned or none, not “foo”"
        ),
        ("fiction:maybe", #"fiction: needs yes, no or unknown, not “maybe”"#),
        ("pages:many", #"pages: needs a number or range: 500, >500, 300..500"#),
        ("rating:good", #"rating: needs a number or range: 4, >=4, 3.5..5"#),
        ("autor:king", #"unknown field autor:. Did you mean author:? Quote it to search for the text"#),
        ("a)", #"unmatched ). Type \) to search for one"#),
        ("/a(/", "invalid regular expression: missing closing parenthesis"),
        (
            "is:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
            "is: needs favourite, to-read, reading, read, abandoned, fiction, non-fiction, invalid-isbn or series-gap, "
                + "not “aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…”"
        ),
    ])
    func syntaxErrorsAreReportedWithTheNextStep(text: String, sentence: String) {
        #expect(Query(text).syntaxError?.sentence == sentence)
    }

    @Test(
        "What is not closed counts as closed at the end, and is reported like a stray one",
        arguments: [
            ("(king", 0, "("), ("a (king (b", 2, "("), ("\"silent wolf", 0, "\""), ("title:\"a", 6, "\""),
            ("a \"b c\" (d \"e", 8, "("),
            ("-(a", 1, "("),
        ])
    func unclosed(text: String, offset: Int, mark: String) {
        let query = Query(text)
        #expect(query.syntaxError == nil && query.expression != .everything)
        #expect(query.unclosed == QuerySyntaxError(.unmatched(mark), at: offset..<offset + 1))
        #expect(query.unclosed?.sentence == "unmatched \(mark). Type \\\(mark) to search for one")
        for closed in ["(king)", "\"a b\"", "\\(a", "\\\"a", "/a", ""] { #expect(Query(closed).unclosed == nil) }
    }

    @Test func aQueryHasALimit() {
        let limit = QueryParser.maximumLength
        #expect(Query(String(repeating: "a", count: limit)).syntaxError == nil)
        let long = Query(String(repeating: "a ", count: 10 * limit))
        #expect(long.syntaxError == QuerySyntaxError(.tooLong, at: limit..<limit) && long.expression != .everything)
        #expect(long.syntaxError?.sentence == "longer than 16384 bytes. The rest is not searched for")
    }

    @Test func tooDeepParenthesesAreReported() {
        let query = Query(String(repeating: "(", count: 100))
        #expect(query.syntaxError?.sentence == "parentheses nested deeper than 64")
    }
}
