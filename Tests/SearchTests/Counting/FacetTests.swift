import Testing

@testable import Books
@testable import Catalog
@testable import CatalogTesting
@testable import Search

@Suite("Facets: names and queries") struct FacetTests {
    private let store: BookStore = {
        var book = Book.make(authors: ["Émile Zola", "Stephen \"The\" King"])
        book.subjects = ["Ancient History", "Поэзия"]
        book.series = "The Rougon-Macquart, vol. 3"
        book.languages = ["Elvish of Lórien"]
        return BookStore(of: [book])
    }()

    private func value(_ facet: Facet, _ value: String) -> FacetValue {
        FacetValue(facet: facet, value: value, count: 1, book: 0)
    }

    @Test func textsAreNamedAsTheirBookWritesThem() {
        let names = [
            value(.author, "emile zola"), value(.author, "stephen \"the\" king"), value(.subject, "поэзия"),
            value(.series, "the rougon-macquart"), value(.language, "elvish of lorien"),
        ].map { $0.name(in: store) }
        #expect(
            names == ["Émile Zola", "Stephen \"The\" King", "Поэзия", "The Rougon-Macquart", "Elvish of Lórien"])
    }

    @Test func aValueMissingFromTheBookHasItsNormalizedName() {
        #expect(value(.author, "nobody").name(in: store) == "nobody")
        #expect(value(.series, "nothing").name(in: store) == "nothing")
    }

    @Test func otherValuesHaveEnglishNames() {
        #expect(value(.language, "fr").name(in: store) == "French")
        #expect(value(.decade, "1990..1999").name(in: store) == "1990s")
        #expect(value(.decade, "-759..-750").name(in: store) == "750s BC")
        #expect(value(.decade, "-9..-1").name(in: store) == "0s BC")
        #expect(["yes", "no"].map { value(.fiction, $0).name(in: store) } == ["Fiction", "Non-fiction"])
        #expect(
            ["to-read", "reading", "read", "abandoned"].map { value(.status, $0).name(in: store) } == [
                "To read", "Reading", "Read", "Abandoned",
            ])
    }

    /// A book without a series or a status does not count as unknown.
    @Test func onlyMissingValuesAreUnknown() {
        #expect(
            Facet.allCases.map(\.absenceName) == [
                "Not known", "Not known", "Not known", "Not known", "No series", "Not known", "No status", "Not rated",
                "Not rated by me", "On no shelf", "No date read",
            ])
        #expect(
            SectionKey.ofEveryBook.map(\.absenceTitle) == [
                "Not known", "Not known", "No series", "Not known", "Not known", "Not known", "No status",
            ])
    }

    @Test func ratingsAndShelvesHaveNamesAndQueries() {
        #expect(value(.rating, "4").name(in: store) == "★★★★☆")
        #expect(value(.rating, "0").name(in: store) == "☆☆☆☆☆")
        #expect(
            ["0", "3", "5"].map { value(.rating, $0).query(in: store) }
                == ["rating:<0.25", "(rating:>=2.75 rating:<3.25)", "rating:>=4.75"])
        #expect(value(.shelf, "beach reads").query(in: store) == #"on:"beach reads""#)
        #expect(Query.text(excluding: value(.shelf, "winter").query(in: store)) == "-on:winter")
    }

    @Test(arguments: [
        ("", "fiction:yes", "fiction:yes"), ("king ", "fiction:yes", "king fiction:yes"),
        ("a | b", "fiction:yes", "(a | b) fiction:yes"), ("a (b | c", "-x", "a (b | c) -x"),
        (#"title:"the st"#, "x", #"title:"the st" x"#), ("/^the", "x", "/^the/ x"), ("year:", "x", "x"),
        ("king pages:many", "x", "king x"), ("(a | \"b", "x", #"((a | "b")) x"#),
    ])
    func aQueryIsNarrowedByAPartWhateverItsText(text: String, part: String, expected: String) {
        #expect(Query(text).text(narrowedBy: part) == expected)
        #expect(Query(expected).syntaxError == nil)
    }

    @Test func aValueHasAQueryForItsBooksAndOneForTheOthers() {
        #expect(value(.author, "emile zola").query(in: store) == "author:=\"Émile Zola\"")
        #expect(Query.text(excluding: value(.author, "emile zola").query(in: store)) == "-author:=\"Émile Zola\"")
        #expect(value(.subject, "поэзия").query(in: store) == "subject:=Поэзия")
        #expect(value(.series, "the rougon-macquart").query(in: store) == "series:=\"The Rougon-Macquart\"")
        #expect(value(.language, "fr").query(in: store) == "language:fr")
        #expect(value(.language, "elvish of lorien").query(in: store) == "language:=\"Elvish of Lórien\"")
        #expect(value(.decade, "1990..1999").query(in: store) == "year:1990..1999")
        #expect(Query.text(excluding: value(.decade, "-759..-750").query(in: store)) == "-year:-759..-750")
        #expect(value(.fiction, "yes").query(in: store) == "fiction:yes")
        #expect(value(.status, "to-read").query(in: store) == "status:to-read")
    }
}
