import CatalogTesting
import Testing

@testable import Indexing

@Suite("Index: lists of books") struct BookListTests {
    @Test func aListOfAllHasEveryBookInTheCatalogsOrder() {
        let list = BookList(allOf: 3)
        #expect(list.count == 3)
        #expect((0..<3).map { list[$0] } == [0, 1, 2])
        #expect([0, 1, 2].map { list.row(ofOneOf: [$0], nearestTo: 0) } == [0, 1, 2])
    }

    @Test func aListOfSomeHasThemInItsOwnOrder() {
        let list = BookList([7, 2, 5])
        #expect(list.count == 3)
        #expect((0..<3).map { list[$0] } == [7, 2, 5])
        #expect([7, 2, 5].map { list.row(ofOneOf: [$0], nearestTo: 0) } == [0, 1, 2])
    }

    @Test func aBookThatIsNotInAListHasNoRow() {
        #expect(BookList(allOf: 3).row(ofOneOf: [3], nearestTo: 0) == nil)
        #expect(BookList([7, 2]).row(ofOneOf: [0], nearestTo: 0) == nil)
        #expect(BookList([7, 2]).row(ofOneOf: [], nearestTo: 0) == nil)
    }

    @Test(arguments: [(0, 1), (4, 1), (6, 8), (.max, 8), (.min, 1)])
    func ofSeveralBooksTheNearestRowCounts(row: Int, expected: Int) {
        #expect(BookList(allOf: 9).row(ofOneOf: [1, 8], nearestTo: row) == expected)
        #expect(BookList(Array(0..<9)).row(ofOneOf: [8, 1], nearestTo: row) == expected)
    }

    @Test func aListMayBeEmpty() {
        #expect(BookList(allOf: 0).count == 0)
        #expect(BookList(allOf: 0).row(ofOneOf: [0], nearestTo: 0) == nil)
        #expect(BookList([BookID]()).count == 0)
    }
}
