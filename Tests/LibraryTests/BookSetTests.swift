import CatalogTesting
import Testing

@testable import Indexing
@testable import Library

@Suite("Book sets") struct BookSetTests {
    @Test func aSetContainsItsBooks() {
        var set = BookSet()
        #expect(set.isEmpty && !set.contains(0) && !set.contains(1_000_000))
        for id: BookID in [5, 64, 63, 0, 200, 64] { set.insert(id) }
        #expect(set.count == 5)
        #expect(set.ids == [0, 5, 63, 64, 200])
        #expect(set.contains(63) && set.contains(64) && !set.contains(65))
    }

    @Test func removedBooksAreGone() {
        var set = BookSet(BookList(allOf: 130))
        #expect(set.count == 130)
        set.remove(64)
        set.remove(64)
        set.remove(9_999)
        #expect(set.count == 129 && !set.contains(64))
        set.remove(rows: 0..<130, of: BookList(allOf: 130))
        #expect(set.isEmpty && set.ids == [])
    }

    @Test func rowsBecomeBooksOfTheList() {
        var set = BookSet()
        set.insert(rows: 1..<3, of: BookList([7, 70, 3] as [BookID]))
        #expect(set.ids == [3, 70])
    }
}
