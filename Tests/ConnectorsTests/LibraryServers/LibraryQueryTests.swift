import Search
import Testing

@testable import Connectors

@Suite("Queries of library servers")
struct LibraryQueryTests {
    /// Texts with characters that have a meaning in query languages, and their terms in CQL and PQF.
    private static let texts: [(text: String, cql: String, pqf: String)] = [
        ("king", #""king""#, #""king""#),
        (#"a "b" c"#, #""a \"b\" c""#, #""a \"b\" c""#),
        (#"back\slash\"#, #""back\\slash\\""#, #""back\\slash\\""#),
        (#"*?^"#, #""\*\?\^""#, #""*?^""#),
        ("@and @attr 1=4", #""@and @attr 1=4""#, #""@and @attr 1=4""#),
        ("or) not (x sortBy y", #""or) not (x sortBy y""#, #""or) not (x sortBy y""#),
        ("line\nbreak\u{0}\u{1B}\u{85}", #""line break   ""#, #""line break   ""#),
        ("Война 紅樓夢 ألف 👩‍👩‍👧 e\u{301}", "\"Война 紅樓夢 ألف 👩‍👩‍👧 e\u{301}\"", "\"Война 紅樓夢 ألف 👩‍👩‍👧 e\u{301}\""),
    ]

    @Test("No character of a term has a meaning") func quoted() {
        for (text, cql, pqf) in Self.texts {
            #expect(CQLText.quoted(text) == cql)
            #expect(PQFText.quoted(text) == pqf)
        }
    }

    @Test("Exclusions are differences, as far as possible without all records") func complements() {
        let sets = ["a", "b", "c"].map { RecordSet(text: $0) }
        func cql(_ set: RecordSet) -> String { set.expression(in: CQLText.syntax) }
        func all(_ sets: [RecordSet]) -> RecordSet { .all(sets, in: CQLText.syntax) }
        func any(_ sets: [RecordSet]) -> RecordSet { .any(sets, in: CQLText.syntax) }
        #expect(cql(all([sets[0], sets[1].complement])) == "(a not b)")
        #expect(cql(all([sets[0].complement, sets[1], sets[2].complement])) == "(b not (a or c))")
        #expect(cql(any([sets[0], sets[1]])) == "(a or b)")
        #expect(cql(any([sets[0], sets[1].complement])) == "(cql.allRecords=1 not (b not a))")
        #expect(cql(all([sets[2], any([sets[0], sets[1].complement])])) == "(c not (b not a))")
        #expect(cql(sets[0].complement.complement) == "a")
        #expect(RecordSet.all(sets, in: PQFText.syntax).text == "@and @and a b c")
    }

    @Test("Texts keep their spelling, without field names, quotation marks and backslashes") func typed() {
        let query = Query(#"Émile title:Straße author:"Łódź \"x\"" (subject:(C\|D)) foo:bar language:German"#)
        let texts = TypedTexts(of: query)
        var found: [String] = []
        func collect(_ expression: Query.Expression) {
            switch expression {
            case .term(let term): if case .text(let pattern) = term.condition { found.append(texts[pattern]) }
            case .all(let parts), .any(let parts): parts.forEach(collect)
            case .not(let part): collect(part)
            case .everything: break
            }
        }
        collect(query.expression)
        #expect(found == ["Émile", "Straße", #"Łódź "x""#, "C|D", "foo:bar", "de"])
    }
}
