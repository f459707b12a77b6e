import Foundation
import Indexing
import TerminalTesting
import TerminalUI
import Testing

@testable import Books
@testable import Browser
@testable import Catalog
@testable import Editing

/// The unsaved changes, and what a replacement would do.
@Suite("Changes before they are saved")
struct ChangesScreenTests {
    private let user = User(books: [
        .make(title: "Emma", authors: ["Jane Austen"]), .make(title: "The Kidnapped"), .make(title: "the ulysses"),
    ])
    private let path: String

    init() throws { path = try user.writeCatalog() }

    private func browse(_ keys: String, columns: Int = 100, rows: Int = 40) throws -> ScriptedTerminal {
        try user.browse(keys, columns: columns, rows: rows, source: user.edited(path), resumes: false)
    }

    private func titlesInFile() throws -> [String] {
        let catalog = JSONFileCatalog(path: path)
        try catalog.open()
        return (0..<catalog.index.count).compactMap { catalog.book(BookID($0)).value?.title }
    }

    @Test("Unsaved changes are listed by book and field, with the difference")
    func changes() throws {
        #expect(try browse("g d").status.hasSuffix("No unsaved changes"))
        _ = try browse("E 2 Enter j X A Down N e w Enter")
        let terminal = try browse("g d")
        #expect(terminal.hasTitle(" Unsaved changes"))
        #expect(terminal.text.contains("1 book changed · 1 book added · 1 book deleted: Title"))
        for line in ["Title    Emma2", "added    New", "deleted  The Kidnapped"] {
            #expect(terminal.text.contains(line), "\(line)")
        }
        #expect(terminal.text.contains("--- ") && terminal.text.contains("@@ -1,1 +1,1 @@"))
        #expect(terminal.text.contains("\"title\":\"Emma2\""))
    }

    @Test("The changes are saved from there, and the message names the fields")
    func saving() throws {
        _ = try browse("V E Down Down 1 8 1 6 Enter")
        let saved = try browse("g d ^s")
        #expect(saved.status.hasSuffix("Saved /books/test.json: 3 books changed in published"))
        #expect(try browse("").status.contains("unsaved") == false)
    }

    @Test("The save key of the form makes the change and saves the file")
    func savingFromTheForm() throws {
        let saved = try browse("E 2 ^s")
        #expect(saved.status.hasSuffix("Saved /books/test.json: 1 book changed in title"))
        #expect(try titlesInFile()[0] == "Emma2")
        #expect(try browse("u").status.contains("Undone: changed Emma"))
    }

    @Test("A replacement is shown with counts before it is made, and is one change")
    func replacing() throws {
        let preview = try browse("V E ^r s / ^ t h e Space / / i Enter")
        #expect(preview.hasTitle(" Replace in Title · 2 books, 1 unchanged"))
        #expect(preview.text.contains("The Kidnapped") && preview.text.contains("Kidnapped"))
        let made = try browse("V E ^r s / ^ t h e Space / / i Enter Enter")
        #expect(made.status.contains("Changed 2 books"))
        _ = try browse("^s")
        #expect(try titlesInFile() == ["Emma", "Kidnapped", "ulysses"])
        #expect(try browse("u").status.contains("Undone: changed 2 books"))
    }

    @Test("A replacement needs a form without other changes, as its preview is of it alone")
    func replacingBesideOthers() throws {
        let terminal = try browse("V E Down Down 1 8 1 6 Up Up ^r")
        #expect(terminal.text.contains("Make or undo the other changes first, then replace"))
        #expect(!terminal.text.contains("Replace in Title:"))
    }

    @Test("An identifier that is added to several books is locked, too")
    func identifiers() throws {
        let keys = "V E PgDn"
        let app = user.makeApp(source: user.edited(path), resumes: false)
        for case .events(let events) in ScriptedTerminal.Step.keys(keys) { events.forEach { _ = app.handle($0) } }
        guard let form = app.front as? BookForm else { throw CocoaError(.featureUnsupported) }
        for _ in 0..<30 where form.spoken(app).typed?.hasPrefix("Identifiers") != true { _ = app.handle(.key(.down)) }
        for key in ScriptedTerminal.Step.keys("^r + d o i : 1 0 . 1 0 0 0 / 1 Enter") {
            if case .events(let events) = key { events.forEach { _ = app.handle($0) } }
        }
        #expect(app.session.status.text == "Give 3 books the same identifiers? y unlock, Esc keep")
        _ = app.handle(.key(.character("y")))
        #expect(app.top is ReplacePreview)
    }

    @Test("What is not a replacement stays to be corrected, and a result that does not fit is refused")
    func defects() throws {
        let wrong = try browse("E ^r s / a Enter")
        #expect(wrong.text.contains("Replace in Title: s/a"))
        let pages = try browse("V E Down Down ^u 1 8 1 6 Enter E Down Down ^r s / 1 / x / Enter Enter")
        #expect(pages.hasTitle(" Replace in Published · 3 books cannot be changed"))
        #expect(pages.status.contains("x816"))
        #expect(try browse("E ^r Esc Esc").hasTitle(" All books"))
    }

    @Test("In line mode, the questions, a replacement and the changes are spoken")
    func lineMode() {
        func last(_ keys: String) -> String {
            let terminal = ScriptedLineTerminal(steps: ScriptedTerminal.Step.keys(keys))
            _ = user.makeApp(source: user.edited(path), resumes: false).run(on: terminal)
            return terminal.answers.last { !$0.isEmpty }?.joined(separator: "\n") ?? ""
        }
        #expect(last("V E x").contains("Give 3 books the same title? y unlock, Esc keep"))
        #expect(
            last("2 Space / e m m a Enter Space Esc / u l y Enter m d").contains(
                "Mark 1 selected book that is not listed as read? y change, n this one, Esc cancel"))
        #expect(last("V E ^r s / T h e Space / / Enter").contains("The Kidnapped, Kidnapped, 1"))
        #expect(last("X g d").contains("1 book deleted"))
    }
}
