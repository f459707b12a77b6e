import Testing

@testable import Books
@testable import Search

@Suite("Sorting: numbers as sort keys") struct SortableIntegerTests {
    @Test func integersSortLikeTheirValues() {
        let years = [Int.min, -9999, -750, -1, 0, 1, 1999, 2026, Int(Int32.max) - 1]
        for (year, next) in zip(years, years.dropFirst()) {
            #expect(SortableInteger.of(year) < SortableInteger.of(next))
        }
        #expect(SortableInteger.of(Int.max) < SortableInteger.unknown)
    }

    @Test func datesAreInTheOrderOfTime() {
        let dates = [
            PartialDate(year: -750), PartialDate(year: -749, month: 12, day: 31), PartialDate(year: 1999),
            PartialDate(year: 1999, month: 1), PartialDate(year: 1999, month: 1, day: 31),
            PartialDate(year: 1999, month: 2),
            PartialDate(year: 2000), PartialDate(year: 9999, month: 12, day: 31),
        ]
        for (date, next) in zip(dates, dates.dropFirst()) {
            #expect(SortableInteger.of(date) < SortableInteger.of(next))
        }
        #expect(SortableInteger.of(dates[7]) < SortableInteger.unknown)
    }
}
