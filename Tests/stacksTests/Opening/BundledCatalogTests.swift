import Testing

@testable import Books
@testable import Catalog
@testable import Indexing
@testable import stacks

@Suite("Bundled catalog") struct BundledCatalogTests {
    /// The test program is in the same directory as stacks, so that it finds the catalog in the same way.
    @Test func theElevenBooksAreFoundFromTheBuiltProgram() throws {
        let path = try #require(BundledCatalog.path)
        #expect(path.hasSuffix("/Resources/catalog.json"))
        let books = try JSONFileLoader(path: path).load()
        #expect(books.count == 11)
        #expect(
            books.book(BookID(0))
                == Book(
                    title: "Fight Club", authors: ["Chuck Palahniuk"], isbn: ISBN("978-0393039764"), pageCount: 208,
                    fiction: true))
        #expect(books.book(BookID(10))?.authors == ["Adam Rubin", "Daniel Salmieri"])
    }
}
