import Testing

@testable import Books

@Suite("Decades") struct DecadeTests {
    @Test(arguments: [
        (1990, "1990s", 1990...1999), (1999, "1990s", 1990...1999), (1, "0s", 0...9), (-1, "0s BC", -9 ... -1),
        (-9, "0s BC", -9 ... -1), (-10, "10s BC", -19 ... -10), (-750, "750s BC", -759 ... -750),
        (-759, "750s BC", -759 ... -750),
    ])
    func aYearIsInOneDecade(year: Int, name: String, years: ClosedRange<Int>) {
        #expect(Decade(ofYear: year).name == name)
        #expect(Decade(ofYear: year).years == years)
    }

    @Test func laterDecadesHaveGreaterNumbers() {
        let numbers = [-759, -10, -9, 1, 10, 1990].map { Decade(ofYear: $0).number }
        #expect(numbers == numbers.sorted())
        #expect(Set(numbers).count == 6)
    }
}
