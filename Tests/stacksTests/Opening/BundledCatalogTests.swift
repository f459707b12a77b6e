import CatalogTesting
import Foundation
import TestSupport
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
            books.book(BookID(0)).value
                == Book(
                    title: "Fight Club", authors: ["Chuck Palahniuk"], isbn: ISBN("978-0393039764"), pageCount: 208,
                    fiction: true))
        #expect(books.book(BookID(10)).value?.authors == ["Adam Rubin", "Daniel Salmieri"])
    }

    @Test func onlyACopyOfItCanBeChanged() throws {
        let path = try #require(BundledCatalog.path)
        let directory = try TemporaryDirectory()
        let link = directory.path + "/link.json"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        for path in [path, link, path.replacing("/Resources/", with: "/Resources/../Resources/")] {
            let refusal = try #require(BundledCatalog.refusal(ofChanging: path))
            #expect(refusal.exitStatus == 77)
            #expect(refusal.sentence.contains(" is the sample of stacks. Change a copy: cp "))
            #expect(throws: CommandError.self) { try BundledCatalog.checkOutput(path) }
        }
        let copy = try directory.write(Data(contentsOf: URL(filePath: path)), to: "copy.json")
        #expect(BundledCatalog.refusal(ofChanging: copy) == nil)
        try BundledCatalog.checkOutput(copy)
    }
}
