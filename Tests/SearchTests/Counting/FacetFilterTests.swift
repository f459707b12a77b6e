import Testing

@testable import Books
@testable import CatalogTesting
@testable import Search

/// The query that ticked values make of a list's query.
@Suite("Facets: ticked values") struct FacetFilterTests {
    private func tick(_ facet: Facet, _ value: String, _ query: String) -> FacetFilter.Tick {
        .init(facet, FacetValue(facet: facet, value: value, count: 1, book: 0), query: query)
    }

    private func filter(_ ticks: FacetFilter.Tick...) -> FacetFilter {
        var filter = FacetFilter()
        ticks.forEach { filter.toggle($0) }
        return filter
    }

    @Test func withoutTicksTheQueryStays() {
        #expect(FacetFilter().query(narrowing: Query("emma")).text == "emma")
        #expect(FacetFilter().isEmpty)
    }

    @Test func valuesOfOneFacetAreAlternativesAndFacetsConditions() {
        let one = filter(tick(.language, "en", "language:en"))
        #expect(one.query(narrowing: Query("")).text == "language:en")
        let two = filter(tick(.language, "en", "language:en"), tick(.language, "fr", "language:fr"))
        #expect(two.query(narrowing: Query("")).text == "(language:en | language:fr)")
        let mixed = filter(
            tick(.language, "en", "language:en"), tick(.decade, "1990..1999", "year:1990..1999"),
            tick(.language, "fr", "language:fr"))
        #expect(
            mixed.query(narrowing: Query("a | b")).text == "(a | b) (language:en | language:fr) year:1990..1999")
        #expect(mixed.query(narrowing: Query("a | b"), without: .language).text == "(a | b) year:1990..1999")
        #expect(mixed.facets == [.language, .decade])
    }

    @Test func aSecondTickRemovesTheFirstWhateverItsCount() {
        var filter = filter(tick(.language, "en", "language:en"))
        let other = FacetValue(facet: .language, value: "en", count: 99, book: 7)
        #expect(filter.contains(.language, other))
        filter.toggle(.init(.language, other, query: "language:en"))
        #expect(filter.isEmpty)
    }

    @Test func booksWithoutAValueCanBeTicked() {
        let none = FacetFilter.Tick(.series, nil, query: "-has:series")
        let both = filter(none, tick(.series, "dune", "series:=dune"))
        #expect(both.contains(.series, nil))
        let query = both.query(narrowing: Query(""))
        #expect(query.text == "(-has:series | series:=dune)" && query.syntaxError == nil)
        guard case .any(let parts) = query.expression else { return #expect(Bool(false), "no alternatives") }
        #expect(parts.count == 2)
    }

    @Test func mineAndReadFindUserDataOnly() {
        #expect(Query("mine:>=4").needsUserData && Query("has:read").needsUserData)
        #expect(Query("read:2020..2024").syntaxError == nil && Query("mine:3").syntaxError == nil)
        #expect(Query("mine:many").syntaxError != nil)
        #expect(Query("read:2026-1").syntaxError == nil && Query("started:>2026-02-3").syntaxError == nil)
        #expect(Query("read:2026-13").syntaxError != nil && Query("started:2020..2026-02-32").syntaxError != nil)
    }
}
