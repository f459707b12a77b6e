import CatalogTesting
import Foundation
import TerminalTesting
import TerminalUI
import Testing

@testable import Books
@testable import Browser
@testable import Editing
@testable import Library

@Suite("Looking up in the browser") struct LookupScreenTests {
    private let user: User
    private let path: String

    /// A source that knows some books by the last digits of their ISBNs, or fails.
    private static func source(_ name: String, isServer: Bool = false, _ known: [String: Book]?) -> LookupSource {
        LookupSource(name: name, path: "sru+https://\(name).example/", isServer: isServer) {
            { query throws(LookupSource.Failure) in
                guard let known else { throw LookupSource.Failure(sentence: "no route to \(name)", exitStatus: 69) }
                switch query {
                case .isbn(let isbn):
                    return known.filter { isbn.text.hasSuffix($0.key) }.map { key, book in
                        var book = book
                        book.isbn = isbn
                        return book
                    }
                case .title: return known.sorted { $0.key < $1.key }.map(\.value)
                }
            }
        }
    }

    private static let known: [String: Book] = [
        "9587": Book.make(title: "Emma", authors: ["Jane Austen"], pageCount: 474),
        "9662": Book.make(title: "Dune", authors: ["Frank Herbert"], pageCount: 600),
    ]

    init() throws {
        user = User(books: [
            Book.make(title: "Emma", authors: [], isbn: "9780141439587"),
            Book.make(title: "Dune", authors: [], isbn: "9780141439662", pageCount: 412),
            Book.make(title: "No number", authors: []),
            Book.make(title: "Unknown", authors: [], isbn: "9780393039764"),
        ])
        path = try user.writeCatalog()
    }

    private func answering(_ sources: [LookupSource], isConfigured: Bool = true) {
        user.lookup = LookupService(isConfigured: isConfigured) { sources }
    }

    private func browse(_ keys: String, columns: Int = 120, rows: Int = 30) throws -> ScriptedTerminal {
        try user.browse(keys, columns: columns, rows: rows, source: user.edited(path), resumes: false)
    }

    /// Types keys into an app, and waits until a condition holds.
    private func app(
        _ keys: String, until isMet: (App) -> Bool = { _ in true }, then more: String = ""
    ) -> App {
        let app = user.makeApp(source: user.edited(path), resumes: false)
        func press(_ keys: String) {
            for step in ScriptedTerminal.Step.keys(keys) {
                if case .events(let events) = step { events.forEach { _ = app.handle($0) } }
                app.update()
                _ = app.draw(size: Size(rows: 30, columns: 120))
            }
        }
        press(keys)
        for _ in 0..<500 where !isMet(app) {
            usleep(10_000)
            _ = app.handle(.wakeUp)
            app.update()
        }
        press(more)
        return app
    }

    private func text(_ app: App) -> String {
        let size = Size(rows: 30, columns: 120)
        let canvas = app.draw(size: size).canvas
        return (0..<size.rows).map(canvas.text(ofRow:)).joined(separator: "\n")
    }

    private func books() throws -> [Book] { try user.editedBooks(path) }

    // MARK: - Several books

    private func answered(_ app: App) -> Bool { !app.front.heading(app).title.contains("answered") }

    @Test("Each book has what the sources know, and what none of them does") func rows() {
        answering([Self.source("loc", Self.known), Self.source("dnb", nil)])
        let app = app("V g l", until: answered)
        let text = text(app)
        #expect(text.contains("Look up 4 books"))
        #expect(text.contains(#/Emma +Authors Jane Austen · loc +Pages 474 · loc/#), "\(text)")
        #expect(text.contains(#/Dune +Authors Frank Herbert · loc/#) && !text.contains("600"))
        #expect(text.contains(#/No number +2 books found/#))
        #expect(text.contains(#/Unknown +Unknown to all sources\. No route to dnb/#))
    }

    @Test("One key fills the empty fields of all books, and one undo takes that back") func filling() throws {
        answering([Self.source("loc", Self.known)])
        let filled = app("V g l", until: answered, then: "a")
        #expect(filled.session.status.text.contains("Changed 2 books"))
        #expect(text(filled).contains(#/Emma +The same in loc/#))
        let books = try books()
        #expect(books.map(\.pageCount) == [474, 412, nil, nil])
        #expect(books.map(\.authors) == [["Jane Austen"], ["Frank Herbert"], [], []])
        _ = try browse("u")
        #expect(try self.books().map(\.pageCount) == [nil, 412, nil, nil])
    }

    @Test("Two books with one ISBN are both filled") func twins() throws {
        user.books = [1, 2].map { Book.make(title: "Emma \($0)", authors: [], isbn: "9780141439587") }
        _ = try user.writeCatalog()
        answering([Self.source("loc", Self.known)])
        _ = app("V g l", until: answered, then: "a")
        #expect(try books().map(\.pageCount) == [474, 474])
    }

    @Test("What the sources do not agree on is not filled") func differing() throws {
        let other = ["9587": Book.make(title: "Emma", authors: ["Jane Austen"], pageCount: 512)]
        answering([Self.source("loc", Self.known), Self.source("dnb", other)])
        let app = app("V g l", until: answered, then: "a")
        #expect(try books()[0].pageCount == nil && books()[0].authors == ["Jane Austen"])
        #expect(text(app).contains("Pages 474 · loc  Pages 512 · dnb"))
    }

    @Test("Enter opens the form with the values of the book") func opening() throws {
        answering([Self.source("loc", Self.known)])
        let app = app("V g l", until: answered, then: "Enter")
        #expect(app.front is BookForm)
        #expect(text(app).contains("474 · loc"))
        _ = app.handle(.key(.control("y")))
        _ = app.handle(.key(.enter))
        app.update()
        #expect(try books()[0].pageCount == 474)
        #expect(app.front is LookupScreen)
    }

    // MARK: - One book

    @Test("One book is looked up in its form") func one() {
        answering([Self.source("loc", Self.known)])
        let app = app("g l") { text($0).contains("474 · loc") }
        #expect(app.front is BookForm && text(app).contains("474 · loc"))
    }

    @Test("A book without an ISBN is looked up by its title") func byTitle() {
        answering([Self.source("loc", Self.known)])
        let app = app("j j g l", until: { text($0).contains("books found") }, then: "^n")
        #expect(text(app).contains(#/Dune +Frank Herbert/#) && text(app).contains(#/Emma +Jane Austen/#))
    }

    // MARK: - Servers

    @Test("Servers are named before one of them is asked, and the answer is kept") func consent() throws {
        let servers = [Self.source("loc", isServer: true, Self.known), Self.source("dnb", isServer: true, [:])]
        answering(servers, isConfigured: false)
        let asked = app("g l")
        #expect(asked.front is LookupDialog)
        #expect(text(asked).contains("loc (loc.example), dnb (dnb.example)"))
        // Esc gives the lookup up, and is no answer.
        let cancelled = app("g l Esc")
        #expect(cancelled.front is BookForm && cancelled.session.preferences.lookup == nil)
        let allowed = app("g l", then: "y")
        allowed.session.preferences.finish {}
        #expect(allowed.session.preferences.lookup?.isAllowed == true)
        answering(servers, isConfigured: false)
        let again = app("g l") { text($0).contains("474 · loc") }
        #expect(text(again).contains("474 · loc"))
        // Another server is another question.
        answering(servers + [Self.source("bnf", isServer: true, [:])], isConfigured: false)
        #expect(app("g l").front is LookupDialog)
    }

    @Test("Without consent, only catalogs of this machine are searched") func refused() {
        let asked = Asked()
        let server = LookupSource(name: "loc", path: "sru+https://loc.example/", isServer: true) {
            { _ in
                asked.isAsked = true
                return []
            }
        }
        answering([server, Self.source("home", Self.known)], isConfigured: false)
        let app = app("g l", until: { $0.front is LookupDialog }, then: "n")
        app.session.preferences.finish {}
        for _ in 0..<500 where !text(app).contains("474 · home") {
            usleep(10_000)
            _ = app.handle(.wakeUp)
            app.update()
        }
        #expect(text(app).contains("474 · home") && !asked.isAsked)
        #expect(user.makeApp(source: user.edited(path), resumes: false).session.preferences.lookup?.isAllowed == false)
        // An ISBN that is typed asks nobody either, and no question.
        let typed = self.app("A 9 7 8 0 1 4 1 4 3 9 5 8 7") { text($0).contains("474 · home") }
        #expect(typed.front is BookForm && !asked.isAsked)
    }

    @Test("Lookups can be switched off") func off() {
        let app = app("g l")
        #expect(app.session.status.text == "Lookups are switched off. Change [lookup] sources in the config file")
    }

    private final class Asked: @unchecked Sendable { var isAsked = false }
}
