import Testing

@testable import Search

@Suite("Query") struct QueryTests {
    @Test(
        arguments: [
            (.title, ["'a'", "title'b'", "'c'", "'e'"]), (.author, ["'a'", "'c'", "author'd'", "'e'"]),
            (.publisher, []), (.language, ["language'fr'"]), (.isbn, ["'a'", "'c'", "'e'"]),
        ] as [(Query.TextField, [String])])
    func patternsAreHighlightedInTheirFields(field: Query.TextField, expected: [String]) {
        let query = Query("a title:b -x (c | author:d -y | -(z title:z)) lang:french -(-e) /r/")
        #expect(query.patterns(in: field).map(\.form) == expected)
    }

    @Test func regularExpressionsAreShownToo() {
        let query = Query("/a/ author:/b/ -/c/ (title:/d/ | e)")
        #expect(query.regularExpressions(in: .author) == ["a", "b"])
        #expect(query.regularExpressions(in: .title) == ["a", "d"])
        #expect(query.regularExpressions(in: .publisher) == [])
    }

    @Test(arguments: ["Beach Reads", "beach-reads", " BEACH_ reads", "béach reads"])
    func shelvesOfOneKeyAreOne(name: String) {
        #expect(Query.shelfKey(of: name) == "beach reads")
    }
}
