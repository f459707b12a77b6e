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
            "is: needs favourite, to-read, reading, read, abandoned, fiction or non-fiction, not "
                + "“aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…”"
        ),
    ])
    func syntaxErrorsAreReportedWithTheNextStep(text: String, sentence: String) {
        #expect(Query(text).syntaxError?.sentence == sentence)
    }

    @Test func tooDeepParenthesesAreReported() {
        let query = Query(String(repeating: "(", count: 100))
        #expect(query.syntaxError?.sentence == "parentheses nested deeper than 64")
    }
}
