import Testing

@testable import Books
@testable import CatalogTesting
@testable import Indexing

@Suite("Index: writing segments") struct SegmentWriterTests {
    @Test func theBookThatWasAddedLastIsTakenAway() throws {
        var builder = SegmentWriter()
        builder.add(Book(title: "A"), offset: 0)
        builder.add(Book(title: "B"), offset: 1)
        builder.removeLast()
        builder.add(Book(title: "C"), offset: 2)
        let segment = try builder.takeOne()
        #expect(segment.books.map { String(decoding: $0, as: UTF8.self) } == ["a\n", "c\n"])
        #expect(segment.offsets == [0, 2])
        #expect(builder.take().isEmpty)
        builder.add(Book(title: "D"), offset: 3)
        builder.removeLast()
        #expect(builder.take().isEmpty)
    }
}
