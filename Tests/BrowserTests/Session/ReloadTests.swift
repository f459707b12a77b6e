import CatalogTesting
import Foundation
import TerminalTesting
import Testing

@testable import Books
@testable import Catalog

/// Reloading the catalog, also from another path.
@Suite("Reloading the catalog")
struct ReloadTests {
    private let user = User(bookCount: 10)

    @Test func theCurrentBookStaysCurrentIfItsRowMoves() throws {
        let books = user.books
        let source = changingSource([.success(books), .success(Array(books.dropFirst(3)))])
        let terminal = try user.browse("5 G R", source: source)
        #expect(terminal.selection == "Book 5")
        #expect(terminal.status == "2/7  Reloaded: 7 books")
        #expect(terminal.hasTitle(" All books (7)"))
    }

    @Test func theRowStaysIfTheBookIsGone() throws {
        let books = user.books
        let source = changingSource([.success(books), .success(Array(books.prefix(2)))])
        #expect(
            try user.browse("5 G R", source: source).status
                == "2/2  Reloaded: 2 books. The book you left is no longer in this list")
    }

    @Test func theCurrentBookStaysCurrentIfItsISBNChanges() throws {
        let books = user.books
        var changed = Array(books.dropFirst(3))
        changed[1].isbn = ISBN("9780441478125")
        let source = changingSource([.success(books), .success(changed)])
        let terminal = try user.browse("5 G R", source: source)
        #expect(terminal.selection == "Book 5")
        #expect(terminal.status == "2/7  Reloaded: 7 books")
    }

    @Test func aFailedReloadKeepsTheBooksAndIsReported() throws {
        let source = changingSource([.success(user.books), .failure(.empty(path: "test.json"))])
        let terminal = try user.browse("5 G R", source: source)
        #expect(terminal.selection == "Book 5")
        #expect(terminal.status.hasPrefix("5/10  test.json is empty"))
    }

    @Test func theTableWorksWithBooksOfAnArrayAndOfAFile() throws {
        try FileManager.default.createDirectory(at: user.home, withIntermediateDirectories: true)
        let file = user.home.appendingPathComponent("test.json")
        try JSONEncoder().encode(user.books).write(to: file)
        let ofFile = try user.browse("5 G", source: JSONFileCatalog(path: file.path), resumes: false)
        let ofArray = try user.browse(
            "5 G", source: InMemoryCatalog(name: "test.json", books: user.books), resumes: false)
        // Only the file can be edited, which the hints show.
        #expect(ofFile.text.split(separator: "\n").dropLast(1) == ofArray.text.split(separator: "\n").dropLast(1))
        #expect(ofFile.selection == "Book 5")
    }

    @Test func favouritesListsFollowTheCatalog() throws {
        let books = user.books
        let source = changingSource([.success(books), .success(Array(books.dropFirst(1)))])
        let terminal = try user.browse("t j t L j Enter R", source: source)
        // The other favourite is not lost: it is listed after those in the catalog.
        #expect(terminal.hasTitle(" Favourites (1 +1)"))
        #expect(terminal.selection == "★ Book 2")
        #expect(terminal.row(3).hasPrefix(" Not in this catalog"))
        #expect(terminal.row(4).hasPrefix(" ★ Book 1"))
    }
}

/// A catalog that differs each time it is loaded.
func changingSource(_ results: [Result<[Book], CatalogError>]) -> ReloadedSource {
    var results = results
    return ReloadedSource(name: "test.json") { () throws(CatalogError) in try results.removeFirst().get() }
}
