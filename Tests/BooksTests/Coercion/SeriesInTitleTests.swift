import Testing

@testable import Books

@Suite("Coercion: series in titles") struct SeriesInTitleTests {
    @Test(arguments: [
        ("Mort (Discworld, #4)", "Mort", "Discworld", 4.0), ("The Two Towers (Lord #2-3)", "The Two Towers", "Lord", 2),
        ("Harry Potter (Harry Potter  #6)", "Harry Potter", "Harry Potter", 6), ("A (B (C), #1)", "A", "B (C)", 1),
        ("Death (Discworld, #4; Death, #1)", "Death", "Discworld", 4), ("Edge (Eve, #0.5)", "Edge", "Eve", 0.5),
        ("Emma (A Novel) (Classics, #12)", "Emma (A Novel)", "Classics", 12), ("新 (シリーズ, #3)", "新", "シリーズ", 3),
        ("Tears (No. 1 Ladies' Agency, #2)", "Tears", "No. 1 Ladies' Agency", 2),
    ])
    func aSeriesWithANumberIsTakenFromTheTitle(text: String, title: String, name: String, position: Double) throws {
        let found = try #require(SeriesInTitle(text))
        #expect(found.title == title && found.name == name && found.position == position)
    }

    @Test(arguments: [
        "Mort", "Emma (A Novel)", "How to Win (The #1 Bestseller)", "We Are (#1)", "(Discworld, #4)",
        "Mort (Discworld)",
        "Mort (Discworld, 4)", "C# in Depth (C#)", "Mort Discworld, #4)", "Mort (Discworld, #4) (Reissue)", "#1", ")",
        "Mort (Discworld, #four)", "",
    ])
    func whatOnlyLooksSoStays(text: String) { #expect(SeriesInTitle(text) == nil) }

    @Test func aChangedPartLeavesTheOthersAsTheyAre() throws {
        var found = try #require(SeriesInTitle("Mort (Discworld #4-5; Death, #1)"))
        #expect(found.text == "Mort (Discworld #4-5; Death, #1)")
        found.title = "Sourcery"
        found.number = "5"
        #expect(found.text == "Sourcery (Discworld #5; Death, #1)")
    }
}
