import Testing

@testable import Search

@Suite("Query: completion") struct QueryCompletionTests {
    @Test(arguments: [
        ("au", 0..<2, ["author:"]), ("AU", 0..<2, ["author:"]), ("king -tit", 6..<9, ["title:"]),
        ("s", 0..<1, ["subject:", "series:", "status:", "started:"]),
        ("(pu", 1..<3, ["publisher:"]), ("lang", 0..<4, ["language:"]), ("tag", 0..<3, ["subject:"]),
        ("status:", 7..<7, ["to-read", "reading", "read", "abandoned", "none"]),
        ("status:re", 7..<9, ["reading", "read"]),
        ("a status:(reading | t", 20..<21, ["to-read"]),
        ("status:(", 8..<8, ["to-read", "reading", "read", "abandoned", "none"]),
        ("is:f", 3..<4, ["favourite", "fiction"]), ("is:favor", 3..<8, ["favourite"]),
        ("-has:des", 5..<8, ["description"]),
        ("fiction:", 8..<8, ["yes", "no", "unknown"]), ("é is:fav", 6..<9, ["favourite"]),
        ("zzz", 0..<3, []), ("author:k", 7..<8, []), ("year:19", 5..<7, []), ("\"au", 3..<3, []), ("/au", 3..<3, []),
        ("a) au", 5..<5, []), ("\"a\"", 3..<3, []), ("is:foo", 3..<6, []),
    ])
    func theWordBeforeTheCursorIsCompleted(text: String, range: Range<Int>, candidates: [String]) {
        let completions = Query.completions(of: text, at: text.utf8.count)
        #expect(completions.range == range)
        #expect(completions.candidates == candidates)
    }

    @Test(arguments: ["", "a ", "a | ", "("])
    func anEmptyWordCompletesToAllFields(text: String) {
        let completions = Query.completions(of: text, at: text.utf8.count)
        #expect(completions.range == text.utf8.count..<text.utf8.count)
        #expect(
            completions.candidates == Query.TextField.allCases.map { $0.rawValue + ":" } + [
                "pages:", "year:", "rating:", "added:", "mine:", "fiction:", "status:", "read:", "started:",
                "readings:", "is:", "has:", "on:", "note:",
            ])
    }

    @Test func theTextAfterTheCursorIsIgnored() {
        #expect(Query.completions(of: "is:fav x)", at: 6).candidates == ["favourite"])
        #expect(Query.completions(of: "is:fav x)", at: 6).range == 3..<6)
        #expect(Query.completions(of: "is:fav", at: 99).range == 3..<6)
        #expect(Query.completions(of: "is:fav", at: -1).range == 0..<0)
    }
}
