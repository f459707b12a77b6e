import Testing

@testable import Books
@testable import CatalogTesting
@testable import Indexing

@Suite("Index: identities") struct IdentityTableTests {
    private let isbn = "9780441478125"

    @Test func duplicatesAreDistinguishedByTheirOrder() {
        let books = [
            Book.make(title: "A"), .make(title: "B", isbn: isbn), .make(title: "A"), .make(title: "C", isbn: isbn),
            .make(title: "a"), .make(title: "B"),
        ]
        let identities = IdentityTable(of: BookIndex(of: books))
        let hash = BookIdentity.Key(hashOf: books[0]).description
        #expect(
            ([0, 1, 2, 3, 4] as [BookID]).map { identities[$0].description } == [
                hash, "isbn:\(isbn)", "\(hash)~2", "isbn:\(isbn)~2", "\(hash)~3",
            ])
        #expect(identities[5].occurrence == 1)
    }

    /// Also if the keys of other books collide in the table.
    @Test func theyAreThoseOfTheIndex() {
        let books = (0..<3000).map { Book.make(title: "\($0 % 1100)", isbn: $0 % 7 == 0 ? isbn : nil) }
        let index = BookIndex(of: books)
        let identities = IdentityTable(of: index)
        for id in (0..<index.count).map({ BookID($0) }) { #expect(identities[id] == index.identity(of: id)) }
    }

    @Test func thoseOfAFewBooksAreTheSame() {
        let books = (0..<300).map { Book.make(title: "\($0 % 110)", isbn: $0 % 7 == 0 ? isbn : nil) }
        let index = BookIndex(of: books)
        let places: [BookID] = [299, 0, 7, 14, 110, 220, 231]
        let identities = IdentityTable(of: places, in: index)
        for place in places { #expect(identities[place] == index.identity(of: place)) }
    }

    @Test func anEmptyCatalogHasNone() {
        _ = IdentityTable(of: BookIndex())
        #expect(IdentityTable(of: BookIndex(of: [.make()]))[0].occurrence == 1)
    }
}
