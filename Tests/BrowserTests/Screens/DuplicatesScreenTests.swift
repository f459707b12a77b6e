import CatalogTesting
import Foundation
import Indexing
import Shelves
import TerminalTesting
import TerminalUI
import Testing

@testable import Books
@testable import Browser
@testable import Library

@Suite("Duplicates") struct DuplicatesScreenTests {
    private let user: User
    private let path: String

    init() throws {
        user = User(books: [
            Book.make(title: "Emma", authors: ["Jane Austen"], pageCount: 474),
            Book.make(title: "Dune", authors: ["Frank Herbert"]),
            Book.make(title: "EMMA", authors: ["Jane Austen"]),
            Book.make(title: "Persuasion", authors: ["Jane Austen"]),
            Book.make(title: "Persuasoin", authors: ["Austen, Jane"]),
            Book.make(title: "Dune", authors: ["Frank Herbert"]),
        ])
        path = try user.writeCatalog()
    }

    private func browse(_ keys: String, columns: Int = 100, rows: Int = 24) throws -> ScriptedTerminal {
        try user.browse(keys, columns: columns, rows: rows, source: user.edited(path), resumes: false)
    }

    private func titles() throws -> [String] { try user.editedBooks(path).map(\.title) }

    @Test("the groups stand in sections by what they have in common, with the values of the current one") func rows()
        throws
    {
        let terminal = try browse("g D")
        #expect(terminal.title.hasPrefix(" Duplicates · equal records"), "\(terminal.text)")
        #expect(terminal.status.hasPrefix("1/3"))
        #expect(terminal.text.contains("Certain, equal records") && terminal.text.contains("Likely, similar title"))
        let likely = try browse("g D j")
        #expect(likely.text.contains(#/Record +no. 1 +no. 3/#), "\(likely.text)")
        #expect(likely.text.contains(#/Title +Emma +EMMA/#))
        #expect(likely.text.contains(#/Pages +474 +none/#))
        #expect(likely.text.contains(#/Authors? +Jane Austen +the same/#))
    }

    @Test("Enter merges, u brings the books back, and the other groups stay") func merging() throws {
        let merged = try browse("g D j Enter")
        #expect(merged.status.contains("Merged 2 books") && merged.text.contains("/2"), "\(merged.text)")
        #expect(try titles() == ["Emma", "Dune", "Persuasion", "Persuasoin", "Dune"])
        let undone = try browse("g D u")
        #expect(undone.text.contains("/3"), "\(undone.text)")
        #expect(try titles().count == 6)
        _ = try browse("g D Enter Enter Enter")
        #expect(try titles() == ["Emma", "Dune", "Persuasion"])
    }

    @Test("Space takes another value, and another record") func choosing() throws {
        let chosen = try browse("g D j Tab j Space")
        #expect(chosen.text.contains(#/Title +EMMA +Emma/#), "\(chosen.text)")
        #expect(chosen.hints.contains("Space other value"), "\(chosen.hints)")
        let other = try browse("g D j Tab Space j Space Enter")
        #expect(other.status.contains("Merged 2 books"))
        #expect(try titles() == ["Dune", "EMMA", "Persuasion", "Persuasoin", "Dune"])
    }

    @Test("the reader's data goes to the book that stays, nothing twice") func userData() throws {
        _ = try browse("t j j t r 4")
        #expect(user.saved.books.count == 2)
        let before = try browse("g D j")
        #expect(before.text.contains("no. 1, with your data"), "\(before.text)")
        _ = try browse("g D j Enter")
        let kept = Array(user.saved.books.values)
        #expect(kept.count == 1 && kept.first?.isFavourite == true && kept.first?.rating == StarRating(whole: 4))
        _ = try browse("u")
        #expect(user.saved.books.count == 2)
    }

    @Test("all groups alike are merged after a question with their numbers, as one step") func alike() throws {
        user.books.append(Book.make(title: "Dune", authors: ["Frank Herbert"]))
        user.books.append(Book.make(title: "Ulysses", authors: ["James Joyce"]))
        user.books.append(Book.make(title: "Ulysses", authors: ["James Joyce"]))
        _ = try user.writeCatalog()
        let asked = try browse("g D a")
        #expect(
            asked.text.contains("Merge 2 groups, equal records: 5 records become 2 books, without 0 values?"),
            "\(asked.text)")
        #expect(try browse("g D a n").status.contains("Nothing merged"))
        #expect(try browse("g D a y").status.contains("Merged 5 books"))
        #expect(try titles() == ["Emma", "Dune", "EMMA", "Persuasion", "Persuasoin", "Ulysses"])
        _ = try browse("u")
        #expect(try titles().count == 9)
    }

    @Test("the question names the ratings and statuses that do not stay") func alikeWithMarks() throws {
        _ = try browse("j r 4 j j j j r 3")
        let asked = try browse("g D a")
        #expect(asked.text.contains(", without 1 value?"), "\(asked.text)")
    }

    @Test("n says that books are not the same; they are not shown again until that is undone") func distinct() throws {
        let said = try browse("g D j n")
        #expect(said.status.contains("Not the same: 2 books, Emma; u undoes"), "\(said.status)")
        #expect(said.text.contains("2/2"))
        #expect(try !browse("g D").text.contains("same title and authors"))
        #expect(try titles().count == 6)
        // Kept for a catalog that cannot be edited, too.
        let other = try user.browse("g D", resumes: false)
        #expect(other.status.hasPrefix("1/2"), "\(other.text)")
        #expect(try browse("g D u").status.contains("/3"))
    }

    @Test("a catalog that cannot be edited says so") func readOnly() throws {
        let terminal = try user.browse("g D Enter", resumes: false)
        #expect(terminal.status.contains("cannot be changed"), "\(terminal.status)")
    }

    @Test("other editions are shown, and not merged") func editions() throws {
        let text = [1815, 1816].map { #"{"title": "Emma", "authors": ["Jane Austen"], "published": \#($0)}"# }
        try Data("[\(text.joined(separator: ", "))]".utf8).write(to: URL(filePath: path))
        let terminal = try browse("g D")
        #expect(terminal.text.contains("Other editions"), "\(terminal.text)")
        #expect(try browse("g D Enter").status.contains("other editions, which are not merged"))
        #expect(try browse("g D a").status.hasPrefix("1/1") && titles().count == 2)
    }

    @Test("the filter has the titles of all books of a group") func filter() throws {
        #expect(try browse("g D / p e r s").text.contains("1/1"))
        #expect(try browse("g D / z z z").text.contains("No duplicates match"))
    }

    @Test("a narrow window shows the groups, and the values before they are merged", arguments: [(50, 15), (20, 5)])
    func narrow(columns: Int, rows: Int) throws {
        let groups = try browse("g D j", columns: columns, rows: rows)
        #expect(groups.text.contains("Emma") && !groups.text.contains("EMMA"), "\(groups.text)")
        _ = try browse("g D j Enter", columns: columns, rows: rows)
        #expect(try titles().count == 6)
        _ = try browse("g D j Enter Enter", columns: columns, rows: rows)
        #expect(try titles().count == 5)
    }

    @Test("a merge right after an undo, or after an edit of another instance, is not made of other books") func moved()
        throws
    {
        let undone = try browse("g D Enter u Enter")
        let count = try titles().count
        #expect(count >= 5, "\(undone.text)")
        let books = try user.editedBooks(path)
        #expect(Set(books.map { "\($0.title.lowercased()) \($0.authors.joined())" }).count == 4)
    }

    @Test("different notes are joined, and undone apart") func notes() throws {
        let (first, second) = (BookID(1), BookID(5))
        let app = user.makeApp(source: user.edited(path), resumes: false)
        _ = app.draw(size: Size(rows: 24, columns: 100))
        try app.session.library.apply(.note("one"), to: [first])
        try app.session.library.apply(.note("two"), to: [second])
        _ = try browse("g D Enter")
        #expect(user.saved.books.values.map(\.note) == ["one\n\ntwo"])
        _ = try browse("u")
        #expect(Set(user.saved.books.values.map(\.note)) == ["one", "two"])
    }

    @Test("books that are certainly one stay so if a likely one is said to be another") func certainStay() throws {
        user.books = ["Emma", "Emma", "EMMA"].map { Book.make(title: $0, pageCount: 1) }
        user.books[2].pageCount = nil
        _ = try user.writeCatalog()
        #expect(try browse("g D").text.contains("same title and authors"))
        let said = try browse("g D j n")
        #expect(said.text.contains("equal records") && !said.text.contains("same title and authors"), "\(said.text)")
        #expect(try browse("g D").status.hasPrefix("1/1"))
    }

    @Test("a third copy is compared with each of two that are not the same") func third() throws {
        _ = try browse("g D n")
        user.books.append(Book.make(title: "Dune", authors: ["Frank Herbert"]))
        _ = try user.writeCatalog()
        let terminal = try browse("g D")
        #expect(terminal.text.contains(#/Record +no. 2 +no. 7/#), "\(terminal.text)")
    }

    @Test("a group of hundreds is shown, merged and told apart") func large() throws {
        user.books = (0..<300).map { _ in Book.make(title: "Dune") }
        _ = try user.writeCatalog()
        #expect(try browse("g D").text.contains(#/Dune +300/#))
        #expect(try browse("g D n u").text.contains(#/Dune +300/#))
        _ = try browse("g D Enter")
        #expect(try titles() == ["Dune"])
    }

    @Test("without duplicates the screen says so") func none() throws {
        user.books = [Book.make(title: "Emma")]
        #expect(try user.browse("g D", resumes: false).text.contains("No duplicates"))
    }
}
