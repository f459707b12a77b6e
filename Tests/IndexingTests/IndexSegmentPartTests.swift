import Testing

@testable import Books
@testable import CatalogTesting
@testable import Indexing

@Suite("Index: parts of segments") struct IndexSegmentPartTests {
    /// A segment with values in all columns, in other books each.
    private func segment() throws -> IndexSegment {
        var writer = SegmentWriter()
        for number in 0..<40 {
            var book = Book.make(title: "Title \(number)", authors: ["Author \(number % 3)"])
            if number % 2 == 0 { book.isbn = ISBN("978044147812\(number % 10)") }
            if number % 3 == 0 { book.pageCount = 100 + number }
            if number % 4 == 0 { book.published = PartialDate(year: 1900 + number) }
            if number % 5 == 0 { book.languages = ["de"] }
            if number % 6 == 0 { book.rating = 4 }
            if number % 7 == 0 { (book.series, book.seriesPosition) = ("Series", Double(number)) }
            writer.add(book, offset: 1000 + 10 * number)
        }
        return try writer.takeOne()
    }

    private func expectEqual(_ part: IndexSegment, _ whole: IndexSegment, _ books: Range<Int>, shift: Int = 0) {
        #expect(part.count == books.count)
        for (index, book) in books.enumerated() {
            #expect(part.text(at: index).elementsEqual(whole.text(at: book)))
            #expect(part.offset(at: index) == whole.offset(at: book) + shift)
            #expect("\(part.facts(at: index))" == "\(whole.facts(at: book))")
            #expect(part.keys(at: index) == whole.keys(at: book))
        }
        #expect(part.textCount == books.reduce(0) { $0 + whole.text(at: $1).count })
        #expect(part.textEnds.last.map { Int($0) } == part.text.count)
    }

    @Test func aPartHasTheSameBooksWhereverItBegins() throws {
        let whole = try segment()
        for books in [0..<40, 0..<1, 0..<39, 1..<2, 7..<31, 39..<40] {
            let part = whole.part(books)
            expectEqual(part, whole, books)
            expectEqual(part.shifted(by: 77), whole, books, shift: 77)
            #expect(part.hasSoundText)
        }
    }

    @Test func aPartOfAPartOutlivesBoth() throws {
        var whole: IndexSegment? = try segment()
        var part = whole?.part(5..<30).shifted(by: 5)
        let inner = try #require(part).part(3..<20)
        whole = nil
        part = nil
        expectEqual(inner, try segment(), 8..<25, shift: 5)
    }

    @Test func theMemoryOfAPartIsInOnePiece() throws {
        let part = try segment().part(7..<31).shifted(by: 3)
        #expect(part.memory == nil)
        part.withMemory { memory in
            #expect(memory.count == part.byteCount)
            guard let read = IndexSegment(checking: memory, layout: part.layout, owner: part) else {
                Issue.record("the memory does not fit its layout")
                return
            }
            expectEqual(read, part, 0..<part.count)
        }
    }

    @Test func aPartOfADamagedSegmentIsWithinItsText() throws {
        let whole = try segment()
        let memory = try #require(whole.memory)
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: memory.count, alignment: 8)
        defer { copy.deallocate() }
        copy.copyMemory(from: memory)
        // The text end of the book before the part is far outside.
        let ends = 16 + 40 * 12
        copy.storeBytes(of: UInt32.max, toByteOffset: ends + 4 * 9, as: UInt32.self)
        let damaged = try #require(
            IndexSegment(checking: UnsafeRawBufferPointer(copy), layout: whole.layout, owner: whole))
        #expect(!damaged.hasSoundText)
        let part = damaged.part(10..<20)
        #expect(part.count == 10)
        #expect((0..<10).allSatisfy { part.text(at: $0).count <= damaged.text.count })
    }
}
