import Testing

@testable import Search

@Suite("Query: mistakes") struct QuerySyntaxErrorTests {
    @Test(arguments: [
        ("status:foo", #"status: is to-read, reading, read, abandoned or none, not "foo""#),
        ("fiction:maybe", #"fiction: is yes, no or unknown, not "maybe""#),
        ("pages:many", #"pages: is a number, 500, >500 or 300..500, not "many""#),
        ("rating:good", #"rating: is a number, 4, >=4 or 3.5..5, not "good""#),
        ("autor:king", #"there is no field "autor", but "author"; in quotes it is text"#),
        ("a)", #"this ")" closes nothing; "\)" is text"#),
        ("/a(/", "the regular expression cannot be read: missing closing parenthesis"),
        (
            "is:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
            "is: is favourite, to-read, reading, read, abandoned, fiction or non-fiction, not "
                + #""aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…""#
        ),
    ])
    func aMistakeIsSaidWithWhatCanBeDone(text: String, sentence: String) {
        #expect(Query(text).fault?.sentence == sentence)
    }

    @Test func tooManyParenthesesAreSaid() {
        let query = Query(String(repeating: "(", count: 100))
        #expect(query.fault?.sentence == "no more than 64 parentheses can be open at once")
    }
}
