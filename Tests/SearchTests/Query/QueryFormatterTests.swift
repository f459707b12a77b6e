import TestSupport
import Testing

@testable import Search
@testable import Text

@Suite("Query: formatting") struct QueryFormatterTests {
    @Test(
        arguments: [
            (.author, "Stephen King", #"author:="Stephen King""#), (.author, "Homer", "author:=Homer"),
            (.title, #"The "Best" \ of"#, #"title:="The \"Best\" \\ of""#), (.title, "Catch-22", #"title:="Catch-22""#),
            (.subject, "Science\u{3000}Fiction", "subject:=\"Science\u{3000}Fiction\""), (.series, "", #"series:="""#),
            (.title, "Brontë", "title:=Brontë"), (.title, "/x/", #"title:="/x/""#),
        ] as [(Query.TextField, String, String)])
    func aValueIsWrittenWithTheQuotesThatItNeeds(field: Query.TextField, value: String, expected: String) {
        #expect(Query.text(of: field, whole: value) == expected)
    }

    @Test func numbersAndExclusionsAreWritten() {
        #expect(Query.text(of: .year, -750) == "year:-750")
        #expect(Query(Query.text(of: .year, -750)).expression.form == "year[-750, -750]")
        #expect(Query.text(excluding: Query.text(of: .author, whole: "Homer")) == "-author:=Homer")
        #expect(Query.text(quoting: #"a "b""#) == #""a \"b\"""#)
    }

    @Test func aFormattedValueParsesUnchanged() {
        var random = SplitMix(seed: 0x5E)
        let parts = ["a", "B", " ", "\"", "\\", "(", ")", "|", "-", "/", ":", "=", "é", "\u{A0}", "本", "1"]
        for _ in 0..<2000 {
            let value = (0..<Int.random(in: 0...8, using: &random)).map { _ in parts.randomElement(using: &random) ?? ""
            }
            .joined()
            let folded = [UInt8](folding: value)
            for field in [Query.TextField.title, .author, .subject, .series, .publisher] {
                let text = Query.text(of: field, whole: value)
                let (query, excluding) = (Query(text), Query("x " + Query.text(excluding: text)))
                #expect(query.syntaxError == nil && excluding.syntaxError == nil, "\(text)")
                let pattern = Query.TextPattern(folded: folded, field: field, isWhole: true)
                #expect(query.expression.form == (folded.isEmpty ? "everything" : pattern.form), "\(text)")
                #expect(excluding.expression.form == (folded.isEmpty ? "'x'" : "('x' & !\(pattern.form))"), "\(text)")
            }
            let phrase = Query(Query.text(quoting: value))
            #expect(phrase.patterns(in: .title).map(\.folded) == (folded.isEmpty ? [] : [folded]), "\(value)")
        }
    }
}
