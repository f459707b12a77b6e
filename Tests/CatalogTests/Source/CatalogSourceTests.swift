import Testing

@testable import Books
@testable import Catalog
@testable import CatalogTesting
@testable import JSON

struct CatalogSourceTests {
    @Test func aFixedSourceHasTheBooksItWasGiven() {
        let source = InMemoryCatalog(name: "two", books: [.make(title: "A"), .make(title: "B")])
        let records = source.load()
        #expect(source.name == "two")
        #expect(records.count == 2)
        #expect(records.book(at: 1)?.title == "B")
        #expect(records.defects == CatalogDefects())
        #expect(records.progress == nil)
    }

    @Test func aCatalogIsWholeWithoutOmissionsAndFault() {
        let place = TextPosition(line: 1, column: 2, byteOffset: 1)
        #expect(CatalogDefects().isEmpty)
        #expect(!CatalogDefects(omissionCount: 1, omissions: [.init(position: place)]).isEmpty)
        #expect(CatalogDefects(omissionCount: 1, omissions: [.init(position: place)]).isWellFormed)
        #expect(
            !CatalogDefects(omissionCount: 1, omissions: [.init(position: place)], hasMalformedLines: true).isWellFormed
        )
        #expect(!CatalogDefects(fault: .init(.unexpectedEnd, at: place)).isWellFormed)
        #expect(!CatalogDefects(fault: .init(.unexpectedEnd, at: place)).isEmpty)
    }
}
