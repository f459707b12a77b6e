import Testing

@testable import Search

@Suite("Statistics: histograms") struct HistogramTests {
    private let histogram = Histogram(from: 10, counts: [0, 2, 0, 1, 1])

    @Test func onlyNumbersThatABookHasAreInIt() {
        #expect(histogram.entries.map(\.number) == [11, 13, 14])
        #expect(histogram.entries.map(\.count) == [2, 1, 1])
        #expect(histogram.bookCount == 4)
    }

    @Test(arguments: [(0.0, 11), (0.25, 11), (0.5, 11), (0.51, 13), (0.75, 13), (0.76, 14), (1.0, 14)])
    func aShareOfTheBooksIsAtOrBelowAQuantile(share: Double, number: Int) {
        #expect(histogram.quantile(share) == number)
    }

    @Test func rangesAreCountedWithTheirEnds() {
        #expect(histogram.count(in: 11...13) == 3)
        #expect(histogram.count(in: 12...12) == 0)
        #expect(histogram.count(in: 0...Int.max) == 4)
        #expect(histogram.mean == 12.25)
    }

    @Test func withoutBooksThereIsNothing() {
        let empty = Histogram(counts: [0, 0])
        #expect(empty.entries.isEmpty && empty.bookCount == 0)
        #expect(empty.quantile(0.5) == nil && empty.mean == nil)
    }
}
