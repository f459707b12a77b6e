import Testing

@testable import Catalog

struct DecadeSectionTests {
    @Test(arguments: [
        (1990, "1990s"), (1999, "1990s"), (2000, "2000s"), (987, "980s"), (9, "0s"), (1, "0s"), (-1, "0s BC"),
        (-9, "0s BC"),
        (-10, "10s BC"), (-750, "750s BC"), (-759, "750s BC"), (nil, "Unknown"),
    ])
    func aYearIsInItsDecade(year: Int?, title: String) {
        #expect(DecadeSection(ofYear: year).title == title)
    }

    @Test func decadesAreInTheOrderOfTime() {
        let years = [Int.min, -750, -749, -10, -9, 1, 10, 1999, 2000, Int.max, nil]
        for (year, next) in zip(years, years.dropFirst()) where year != -750 {
            #expect(DecadeSection(ofYear: year) < DecadeSection(ofYear: next))
        }
        #expect(DecadeSection(ofYear: -750) < DecadeSection(ofYear: -740))
    }
}
