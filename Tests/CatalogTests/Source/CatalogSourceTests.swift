import Testing

@testable import Books
@testable import Catalog
@testable import CatalogTesting
@testable import JSON

@Suite("Sources: state and abilities") struct CatalogSourceTests {
    @Test func anInMemoryCatalogHasItsBooks() {
        let source = InMemoryCatalog(name: "two", books: [.make(title: "A"), .make(title: "B")])
        source.open()
        #expect(source.name == "two")
        #expect(source.count == .exactly(2))
        #expect(source.book(1).value?.title == "B")
        #expect(source.defects == CatalogDefects())
        #expect(source.state == .ready)
    }

    @Test func aCatalogWithoutDefectsIsWellFormed() {
        let place = TextPosition(line: 1, column: 2, byteOffset: 1)
        #expect(CatalogDefects().isEmpty)
        #expect(!CatalogDefects(omissionCount: 1, omissions: [.init(position: place)]).isEmpty)
        #expect(CatalogDefects(omissionCount: 1, omissions: [.init(position: place)]).isWellFormed)
        #expect(
            !CatalogDefects(omissionCount: 1, omissions: [.init(position: place)], hasMalformedLines: true).isWellFormed
        )
        #expect(!CatalogDefects(syntaxError: .init(.unexpectedEnd, at: place)).isWellFormed)
        #expect(!CatalogDefects(syntaxError: .init(.unexpectedEnd, at: place)).isEmpty)
    }
}
