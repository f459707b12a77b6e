import CatalogTesting
import Foundation
import Shelves
import TerminalTesting
import TerminalUI
import Testing
import Threading

@testable import Books
@testable import Browser
@testable import Editing
@testable import Library

@Suite("Scanning in the browser") struct ScanScreenTests {
    private let user: User
    private let path: String
    private static let (emma, dune, other) = ("9780141439587", "9780141439662", "9780393039764")

    init() throws {
        user = User(books: [
            Book.make(title: "Emma", isbn: Self.emma), Book.make(title: "Dune", isbn: Self.dune),
        ])
        path = try user.writeCatalog()
    }

    private func browse(_ keys: String) throws -> ScriptedTerminal {
        try user.browse(keys, columns: 120, rows: 30, source: user.edited(path), resumes: false)
    }

    private func code(_ text: String) -> String { text.map { "\($0) " }.joined() + "Enter " }
    private func books() throws -> [Book] { try user.editedBooks(path) }

    @Test("Without sources, the ISBN alone is added; codes that are damaged, doubled or known are said") func adding()
        throws
    {
        let terminal = try browse("g b Enter " + ["0393039765", "123", Self.emma, Self.other].map(code).joined())
        #expect(terminal.text.contains(#/978-0393039764 +Added with the ISBN alone/#), "\(terminal.text)")
        #expect(terminal.text.contains(#/123 +Not a whole ISBN/#))
        #expect(terminal.text.contains(#/978-0141439587 +In the catalog already: Emma/#))
        #expect(terminal.text.contains(#/978-0393039764 +Scanned before/#))
        #expect(try books().map(\.title) == ["Emma", "Dune", "978-0393039764"])
        let ended = try browse("g b Enter " + code("123") + "Esc")
        #expect(ended.status.contains("0 books scanned. Look at 123"), "\(ended.status)")
    }

    @Test("Books are looked up while the next ones are scanned, and added as the sources know them") func lookedUp()
        throws
    {
        let gate = Locked(false)
        user.lookup = LookupService(isConfigured: true) {
            [
                LookupSource(name: "home", path: "/home.json", isServer: false) {
                    { query in
                        while !gate.wait(milliseconds: 10_000, until: { $0 }) {}
                        guard case .isbn(let isbn) = query, isbn.text == Self.other else { return [] }
                        var book = Book.make(title: "Persuasion", authors: ["Jane Austen"])
                        book.isbn = isbn
                        return [book]
                    }
                }
            ]
        }
        let app = user.makeApp(source: user.edited(path), resumes: false)
        func press(_ keys: String) {
            for step in ScriptedTerminal.Step.keys(keys) {
                if case .events(let events) = step { events.forEach { _ = app.handle($0) } }
                app.update()
            }
        }
        _ = app.draw(size: Size(rows: 30, columns: 120))
        press("g b Enter " + code(Self.other) + code("9780553103540"))
        #expect(try books().count == 2)
        // Nothing that was scanned is lost by a key.
        press("Esc")
        #expect(app.front is ScanScreen && app.session.status.text.hasPrefix("2 books not looked up yet"))
        gate.change { $0 = true }
        for _ in 0..<500 where try books().count < 4 {
            usleep(10_000)
            _ = app.handle(.wakeUp)
            app.update()
        }
        #expect(Set(try books().map(\.title)) == ["Emma", "Dune", "Persuasion", "978-0553103540"])
        press("Esc")
        #expect(app.session.status.text == "2 books scanned. Look at 978-0553103540")
    }

    @Test("Ending early adds what is not looked up yet with its ISBN") func ending() throws {
        let gate = Locked(false)
        user.lookup = LookupService(isConfigured: true) {
            [
                LookupSource(name: "home", path: "/home.json", isServer: false) {
                    { _ in
                        while !gate.wait(milliseconds: 10_000, until: { $0 }) {}
                        return []
                    }
                }
            ]
        }
        let terminal = try browse("g b Enter " + code(Self.other) + "Esc Esc")
        gate.change { $0 = true }
        #expect(terminal.status.contains("1 book scanned. Look at 978-0393039764"), "\(terminal.status)")
        #expect(try books().map(\.title) == ["Emma", "Dune", "978-0393039764"])
    }

    @Test("What is found becomes the current book") func finding() throws {
        let terminal = try browse("g b Down Enter " + code(Self.dune) + code(Self.other))
        #expect(terminal.text.contains(#/978-0141439662 +Dune/#), "\(terminal.text)")
        #expect(terminal.text.contains(#/978-0393039764 +Unknown to this catalog/#))
        let ended = try browse("g b Down Enter " + code(Self.dune) + "Esc")
        #expect(ended.text.contains("▌Dune"), "\(ended.text)")
        #expect(ended.status.contains("1 book scanned"))
    }

    @Test("Books are put on a shelf, and those on it that were not scanned are selected") func shelving() throws {
        let first = try browse("g b A 1 Enter " + code(Self.emma) + "Esc")
        #expect(first.status.contains("1 book scanned. All books of “A1” were scanned"), "\(first.status)")
        #expect(user.saved.shelves.map(\.name) == ["A1"])
        let second = try browse("g b A 1 Enter " + code(Self.dune) + "Esc")
        #expect(
            second.status.contains("1 book scanned. 1 book of “A1” not scanned; they are selected"), "\(second.status)")
        #expect(second.title.contains("A1"))
        #expect(try browse("g b A 1 Enter " + code(Self.dune) + "Esc t").status.contains("Emma"))
    }

    @Test("A source that fails is named, and does not make a book unknown") func failing() throws {
        user.lookup = LookupService(isConfigured: true) {
            [
                LookupSource(name: "loc", path: "sru+https://loc.example/", isServer: true) {
                    { _ throws(LookupSource.Failure) in
                        throw LookupSource.Failure(sentence: "no route to loc", exitStatus: 69)
                    }
                }
            ]
        }
        let app = user.makeApp(source: user.edited(path), resumes: false)
        for step in ScriptedTerminal.Step.keys("g b Enter " + code(Self.other)) {
            if case .events(let events) = step { events.forEach { _ = app.handle($0) } }
            app.update()
        }
        for _ in 0..<500 where try books().count < 3 {
            usleep(10_000)
            _ = app.handle(.wakeUp)
            app.update()
        }
        let table = try #require((app.front as? ScanScreen)?.table)
        let cell = try #require(table.dataSource?.tableView(table, cellForRowAt: IndexPath(row: 0, section: 0)))
        #expect("\(cell)".contains("Added with the ISBN alone. No route to loc"))
    }

    @Test("A book is found each time that it is scanned") func again() throws {
        let ended = try browse("g b Down Enter " + code(Self.dune) + code(Self.emma) + code(Self.dune) + "Esc")
        #expect(ended.text.contains("▌Dune"), "\(ended.text)")
        #expect(ended.status.contains("3 books scanned"))
    }

    @Test("A list of codes can be pasted") func pasting() throws {
        let app = user.makeApp(source: user.edited(path), resumes: false)
        for key in ScriptedTerminal.Step.keys("g b Down Enter") {
            if case .events(let events) = key { events.forEach { _ = app.handle($0) } }
            app.update()
        }
        _ = app.handle(.paste("\(Self.emma)\n\(Self.dune)\n978"))
        let table = (app.front as? ScanScreen)?.table
        #expect(table?.rowCount == 2)
        #expect((app.front as? ScanScreen)?.editor.text == "978")
    }

    @Test("A catalog that cannot be changed refuses to add") func readOnly() throws {
        let terminal = try user.browse("g b Enter", resumes: false)
        #expect(!terminal.text.contains("Scan to add") && !terminal.status.isEmpty)
    }
}
