import Testing

@testable import Indexing
@testable import Library

struct BookSetTests {
    @Test func aBookIsInOrNot() {
        var set = BookSet()
        #expect(set.isEmpty && !set.contains(0) && !set.contains(1_000_000))
        for index in [5, 64, 63, 0, 200, 64] { set.insert(index) }
        #expect(set.count == 5)
        #expect(set.indices == [0, 5, 63, 64, 200])
        #expect(set.contains(63) && set.contains(64) && !set.contains(65))
    }

    @Test func whatIsTakenOutIsOut() {
        var set = BookSet(BookList(allOf: 130))
        #expect(set.count == 130)
        set.remove(64)
        set.remove(64)
        set.remove(9_999)
        #expect(set.count == 129 && !set.contains(64))
        for index in 0..<130 { set.remove(index) }
        #expect(set.isEmpty && set.indices == [])
    }

    @Test func rowsAreThoseOfTheList() {
        var set = BookSet()
        set.insert(rows: 1..<3, of: BookList([7, 70, 3]))
        #expect(set.indices == [3, 70])
    }
}
