import Testing

@testable import Books
@testable import Catalog
@testable import Indexing
@testable import stacks

@Suite("The catalog that comes with stacks") struct BundledCatalogTests {
    /// The test program is built where stacks is, so that the same way leads to the catalog.
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
