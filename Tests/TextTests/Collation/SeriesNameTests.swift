import Testing

@testable import Text

@Suite("Text: names of series") struct SeriesNameTests {
    @Test(arguments: [
        "Discworld #8", "Discworld, 8", "Discworld (8)", "Discworld (#8)", "Discworld, #8", "Discworld, vol. 8",
        "Discworld (Book 8)", "Discworld #1.5", "Discworld #1-3", "Discworld (1–3)", "Discworld,  Band 12",
        "Discworld\u{A0}#8", "Discworld ＃８", "Discworld",
    ])
    func aPositionIsNotPartOfTheName(series: String) { #expect(SeriesName.name(of: series) == "Discworld") }

    @Test(arguments: [
        "Fahrenheit 451", "Area 51", "#8", "(8)", "The Culture (Banks)", "Smith, John", "Apollo, 8 men", "No. 5",
        "Foundation (", "Foundation #", "8", "", "Stand, The 2",
    ])
    func otherTextBelongsToTheName(series: String) { #expect(SeriesName.name(of: series) == series) }

    @Test func onlyTheLastPositionIsRemoved() { #expect(SeriesName.name(of: "A, 1 (2)") == "A, 1") }

    @Test func aNameIsFoundAsItIsWritten() {
        #expect(SeriesName.beginning(of: "Éarth  #3", foldedTo: Array("earth".utf8)) == "Éarth")
        #expect(SeriesName.beginning(of: "Straße (3)", foldedTo: Array("strasse".utf8)) == "Straße")
        #expect(SeriesName.beginning(of: "Earth", foldedTo: Array("mars".utf8)) == nil)
        #expect(SeriesName.beginning(of: "Café\u{301} 👩‍🚀  #3", foldedTo: Array("cafe 👩🚀".utf8)) == "Café\u{301} 👩‍🚀")
    }
}
