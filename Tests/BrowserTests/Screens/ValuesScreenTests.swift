import CatalogTesting
import Foundation
import TerminalTesting
import Testing

@testable import Books
@testable import Browser

@Suite("Values of a field") struct ValuesScreenTests {
    private let user: User
    private let path: String

    init() throws {
        user = User(books: [
            Book.make(title: "A", authors: ["J. R. R. Tolkien"]), Book.make(title: "B", authors: ["J. R. R. Tolkien"]),
            Book.make(title: "C", authors: ["Tolkien, J.R.R.", "Christopher Tolkien"]),
            Book.make(title: "D", authors: ["Jane Austen; Anonymous"]),
            Book.make(title: "E", authors: ["Austen, Jane"]),
        ])
        path = try user.writeCatalog()
    }

    private func browse(_ keys: String, columns: Int = 100, rows: Int = 24) throws -> ScriptedTerminal {
        try user.browse(keys, columns: columns, rows: rows, source: user.edited(path), resumes: false)
    }

    private func authors() throws -> [[String]] { try user.editedBooks(path).map(\.authors) }

    @Test("values that may be one come first, then all with their numbers") func rows() throws {
        let terminal = try browse("g V")
        #expect(terminal.title.hasPrefix(" Values of Author"), "\(terminal.text)")
        #expect(terminal.status.hasPrefix("1/7"), "\(terminal.status)")
        #expect(terminal.text.contains("May be one") && terminal.text.contains("All values"))
        #expect(terminal.text.contains(#/J. R. R. Tolkien +2\n +=.Tolkien, J.R.R. +1/#), "\(terminal.text)")
        #expect(try browse("g V Tab").title.contains("Values of ") && !browse("g V Tab").title.contains("Author"))
        #expect(try browse("g V Tab BackTab").title.hasPrefix(" Values of Author"))
    }

    @Test("variants become one after a question with numbers, and undo brings them back") func merging() throws {
        let asked = try browse("g V m")
        #expect(asked.status.contains("Merge 1 value into “J. R. R. Tolkien”, in 1 book?"), "\(asked.status)")
        #expect(try browse("g V m n").status.contains("Nothing changed"))
        _ = try browse("g V m y")
        #expect(try authors()[2] == ["J. R. R. Tolkien", "Christopher Tolkien"])
        _ = try browse("g V u")
        #expect(try authors()[2] == ["Tolkien, J.R.R.", "Christopher Tolkien"])
    }

    @Test("selected values become the current one") func selection() throws {
        #expect(try browse("g V G m").status.contains("Select the values"))
        let asked = try browse("g V G Space k k m")
        #expect(asked.status.contains("Merge 1 value into"), "\(asked.status)")
    }

    @Test("Enter renames, splits and deletes, and says in how many books") func renaming() throws {
        let typing = try browse("g V Enter ^u " + typed("John Tolkien"))
        #expect(typing.hints.contains("Enter rename in 2 books"), "\(typing.hints)")
        _ = try browse("g V Enter ^u " + typed("John Tolkien") + " Enter")
        #expect(try authors().prefix(2) == [["John Tolkien"], ["John Tolkien"]])
        let splitting = try browse("g V / " + typed("anon") + " Enter Enter ^u " + typed("Jane Austen; Anonymous"))
        #expect(splitting.hints.contains("Enter 2 values in 1 book"), "\(splitting.hints)")
        _ = try browse("g V / " + typed("anon") + " Enter Enter ^u " + typed("Jane Austen; Anonymous") + " Enter")
        #expect(try authors()[3] == ["Jane Austen", "Anonymous"])
        #expect(try browse("g V / " + typed("anon") + " Enter X").status.contains("Delete Anonymous from 1 book?"))
        _ = try browse("g V / " + typed("anon") + " Enter X y")
        #expect(try authors()[3] == ["Jane Austen"])
    }

    @Test("the facets open the values of their field") func facets() throws {
        let text = #"[{"title": "A", "authors": ["X"], "subjects": ["Fantasy"]}]"#
        try Data(text.utf8).write(to: URL(filePath: path))
        let terminal = try browse("F / " + typed("fant") + " Enter g V")
        #expect(terminal.title.hasPrefix(" Values of Subjects"), "\(terminal.text)")
    }

    @Test("a catalog that cannot be edited shows the values, and says so") func readOnly() throws {
        let terminal = try user.browse("g V Enter", resumes: false)
        #expect(terminal.title.hasPrefix(" Values of Author") && !terminal.status.isEmpty, "\(terminal.status)")
        #expect(!terminal.text.contains("New name"))
    }

    @Test("small windows show the values", arguments: [(50, 15), (20, 5)]) func small(columns: Int, rows: Int) throws {
        #expect(try browse("g V", columns: columns, rows: rows).text.contains("Tolkien"))
    }
}
