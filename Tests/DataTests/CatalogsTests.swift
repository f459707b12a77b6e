import CatalogTesting
import Foundation
import Testing

@testable import Books
@testable import Catalog
@testable import Indexing

@Suite("Data: real catalogs") struct CatalogsTests {
    private static let catalogs = [
        ("goodbooks-10k/native-derived.json", 10_000), ("gutenberg/native-derived-multiscript.json", 2_621),
        ("mongodb-books/native-derived.json", 431),
    ]

    @Test(arguments: catalogs)
    func everyBookOfACatalogIsRead(file: String, count: Int) throws {
        let store = JSONFileCatalog(path: try DataDirectory.path(file))
        try store.readAll()
        #expect(store.index.count == count)
        #expect(store.defects.isEmpty)
        #expect((0..<store.index.count).allSatisfy { store.book(at: $0)?.title.isEmpty == false })
    }

    @Test(arguments: catalogs)
    func booksReadSinglyEqualThoseReadTogether(file: String, count: Int) throws {
        let store = JSONFileCatalog(path: try DataDirectory.path(file))
        let whole = try JSONDecoder().decode([Book].self, from: Data(DataDirectory.bytes(file)))
        try #require(whole.count == count)
        try store.readAll()
        try #require(store.index.count == count)
        // Reads from the end, so that no result depends on books read earlier.
        for index in (0..<count).reversed() {
            // Titles with MARC subfield codes appear without them.
            let (title, written) = (try #require(store.book(at: index)?.title), whole[index].title)
            if written.contains("$") {
                #expect(!title.contains("$b"))
                #expect(title.filter(\.isLetter) == written.replacing(#/\$[a-z]/#, with: "").filter(\.isLetter))
            } else {
                #expect(title == written)
            }
            #expect(store.book(at: index)?.isbn == whole[index].isbn)
            #expect(store.book(at: index)?.pageCount == whole[index].pageCount)
            #expect(store.book(at: index)?.fiction == whole[index].fiction)
        }
    }

    @Test(arguments: catalogs)
    func everyIdentityFindsItsBook(file: String, count: Int) throws {
        let store = JSONFileCatalog(path: try DataDirectory.path(file))
        try store.readAll()
        var seen: Set<String> = []
        let finder = BookLookup(
            of: (0..<store.index.count).map { store.index.keys(at: $0).identifying }, in: store.index)
        var occurrences: [BookIdentity.Key: Int] = [:]
        for index in 0..<store.index.count {
            let key = store.index.keys(at: index).identifying
            occurrences[key, default: 0] += 1
            let identity = BookIdentity(key: key, occurrence: occurrences[key] ?? 0)
            // Computing the identity of a book reads all books before it.
            if index.isMultiple(of: 17) { #expect(store.index.identity(at: index) == identity) }
            #expect(seen.insert(identity.description).inserted)
            #expect(BookIdentity(identity.description) == identity)
            #expect(finder.id(of: identity) == BookID(index))
        }
        #expect(seen.count == count)
    }
}
