import CatalogTesting
import Foundation
import TerminalTesting
import TerminalUI
import Testing

@testable import Books
@testable import Browser
@testable import Catalog
@testable import JSON
@testable import Library

/// A problem is indicated in the title bar until it is solved.
@Suite("Title bar") struct TitleBarTests {
    private let user = User(bookCount: 3)

    /// A catalog with a line that is not a book, until it is repaired.
    private func damagedFile() throws -> URL {
        try FileManager.default.createDirectory(at: user.home, withIntermediateDirectories: true)
        let file = user.home.appendingPathComponent("test.json")
        try Data(#"[{"title": "Emma", "authors": ["Jane Austen"]}, 7, {"title": "Dune"}, 8]"#.utf8).write(to: file)
        return file
    }

    @Test func aDamagedCatalogIsIndicatedUntilItIsRepaired() throws {
        let source = JSONFileCatalog(path: try damagedFile().path)
        let terminal = try user.browse("j k", source: source)
        #expect(terminal.status == "1/2")
        #expect(terminal.title.hasSuffix("test.json · 2 books  ! 2 items skipped"))
        #expect(try user.browse("?", source: JSONFileCatalog(path: damagedFile().path)).title.hasSuffix("skipped"))
    }

    @Test func theWarningDisappearsWhenTheFileIsRepaired() throws {
        let file = try damagedFile()
        let app = user.makeApp(source: JSONFileCatalog(path: file.path))
        func title() -> String {
            app.update()
            return app.draw(size: .init(rows: 24, columns: 100)).canvas.text(ofRow: 0)
        }
        #expect(title().hasSuffix("! 2 items skipped"))
        try Data(#"[{"title": "Emma", "authors": ["Jane Austen"]}]"#.utf8).write(to: file)
        _ = app.handle(.key(.character("j")))
        #expect(title().hasSuffix("! 2 items skipped, changed on disk"))
        _ = app.handle(.key(.character("R")))
        #expect(title().hasSuffix("test.json · 1 book"))
    }

    @Test func theListItsOrderAndItsFilterAreAtTheLeft() throws {
        #expect(try user.browse("s t", resumes: false).title.hasPrefix(" All books ▸ title ↑   "))
        #expect(try user.browse("S a s t", resumes: false).title.hasPrefix(" All books ▸ author, title ↑   "))
        #expect(
            try user.browse("s t / b o o k", resumes: false).title.hasPrefix(" All books ▸ title ↑  ⟂ book   "))
        #expect(try user.browse("t L j Enter", resumes: false).title.hasPrefix(" Favourites   "))
    }

    @Test func theCatalogAndTheNumberOfListedBooksAreAtTheRight() throws {
        #expect(try user.browse(resumes: false).title.hasSuffix("   test.json · 3 books"))
        #expect(try user.browse("/ 2", resumes: false).title.hasSuffix("   test.json · 1 of 3"))
        #expect(try user.browse("t L j Enter", resumes: false).title.hasSuffix("   test.json · 1 of 3"))
        #expect(try user.browse("?", resumes: false).title.hasSuffix("   test.json · 3 books"))
    }

    @Test(arguments: [
        (100, " All books", "test.json · 2 books  ! 2 items skipped"),
        (50, " All books", "  ! 2 items skipped"),
        (30, " All books", "  ! 2 items skipped"), (24, " All books", "  ! 1 warning"), (20, " All books", "!"),
    ])
    func theWarningIsShownAtAnyWidth(columns: Int, start: String, end: String) throws {
        let source = JSONFileCatalog(path: try damagedFile().path)
        let title = try user.browse("j", columns: columns, source: source).title
        #expect(title.hasPrefix(start) && title.hasSuffix(end), "\(title)")
    }

    @Test func startupWarningsStayAndAreListedInMessages() throws {
        let warning = Warning("config has errors", "config.toml, line 3: no key is called foo")
        user.warnings = [warning, Session.notKept("HOME is not set")]
        #expect(try user.browse("j").title.hasSuffix("! config has errors, changes not kept"))
        let terminal = try user.browse(": m e s s a g e s Enter", resumes: false)
        #expect(
            (1..<6).map(terminal.row) == [
                " Warnings", " config.toml, line 3: no key is called foo",
                " HOME is not set", "", " Messages",
            ])
    }

    @Test func anUnsavedChangeIsIndicated() throws {
        try FileManager.default.createDirectory(at: user.home, withIntermediateDirectories: true)
        try Data().write(to: URL(fileURLWithPath: user.dataDirectory))
        #expect(try user.browse("t j", resumes: false).title.contains("changes not saved"))
    }
}
