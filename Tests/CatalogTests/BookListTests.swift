import Testing

@testable import Catalog

struct BookListTests {
    @Test func aListOfAllHasEveryBookInTheCatalogsOrder() {
        let list = BookList(allOf: 3)
        #expect(list.count == 3)
        #expect((0..<3).map(list.index(atRow:)) == [0, 1, 2])
        #expect((0..<3).map(list.row(ofIndex:)) == [0, 1, 2])
    }

    @Test func aListOfSomeHasThemInItsOwnOrder() {
        let list = BookList([7, 2, 5])
        #expect(list.count == 3)
        #expect((0..<3).map(list.index(atRow:)) == [7, 2, 5])
        #expect([7, 2, 5].map(list.row(ofIndex:)) == [0, 1, 2])
    }

    @Test func aBookThatIsNotInAListHasNoRow() {
        #expect(BookList(allOf: 3).row(ofIndex: 3) == nil)
        #expect(BookList(allOf: 3).row(ofIndex: -1) == nil)
        #expect(BookList([7, 2]).row(ofIndex: 0) == nil)
    }

    @Test func aListMayBeEmpty() {
        #expect(BookList(allOf: 0).count == 0)
        #expect(BookList(allOf: 0).row(ofIndex: 0) == nil)
        #expect(BookList([]).count == 0)
    }
}
