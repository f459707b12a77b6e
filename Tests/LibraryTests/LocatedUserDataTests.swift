import Shelves
import Testing

@testable import Books
@testable import Catalog
@testable import CatalogTesting
@testable import Indexing
@testable import Library

/// The books to which user data belongs, and what tells that they may be others.
@Suite("User data among the books of a catalog") struct LocatedUserDataTests {
    private let books = (0..<6).map { Book.make(title: "\($0)") }
    private let userData = UserData(directory: nil)

    @Test func theVersionIsAnotherAfterEachChange() throws {
        let source = InMemoryCatalog(name: "a.json", books: books)
        let library = Library(store: BookStore(source: source), userData: userData)
        var versions = [library.version(of: [.userData, .places])]
        try library.apply(.favourite(true), to: [1])
        versions.append(library.version(of: [.userData, .places]))
        #expect(library.userData(of: 1)?.isFavourite == true && library.userData(of: 2) == nil)
        #expect(library.version(of: [.userData, .places]) == versions.last)
        // A change that was made elsewhere.
        let target = UserDataTarget(
            book: books[2], identity: library.identity(of: 2), identities: [], catalog: nil)
        _ = try userData.apply(.favourite(true), to: [target])
        versions.append(library.version(of: [.userData, .places]))
        #expect(library.userData(of: 2)?.isFavourite == true)
        library.forgetBooks()
        versions.append(library.version(of: [.userData, .places]))
        #expect(Set(versions).count == versions.count)
    }
}
