import CatalogTesting
import Foundation
import Indexing
import Library
import TerminalTesting
import TerminalUI
import Testing

@testable import Books
@testable import Browser
@testable import Catalog
@testable import Editing

/// Adding, changing, deleting and moving books with keys, undoing that, and saving it.
@Suite("Editing the catalog")
struct CatalogEditsTests {
    private let user = User(books: [
        .make(title: "Emma", authors: ["Jane Austen"]), .make(title: "Kidnapped"), .make(title: "Ulysses"),
    ])
    private let path: String

    init() throws { path = try user.writeCatalog() }

    /// Starts the browser on the catalog and types keys.
    private func browse(_ keys: String) throws -> ScriptedTerminal {
        try user.browse(keys, source: user.edited(path), resumes: false)
    }

    private func titlesInFile() throws -> [String] {
        let catalog = JSONFileCatalog(path: path)
        try catalog.open()
        return (0..<catalog.index.count).compactMap { catalog.book(BookID($0)).value?.title }
    }

    @Test func aChangedTitleIsShownAndSavedLater() throws {
        let changed = try browse("E 2 Enter")
        #expect(changed.status == "1/3  Changed Emma (unsaved; u undoes, ^s saves)")
        #expect(changed.selection == "Emma2")
        #expect(changed.title.hasSuffix("3 books · 1 unsaved"))
        #expect(try titlesInFile()[0] == "Emma")
        let again = try browse("")
        #expect(again.status.contains("1 unsaved change. ^s saves"))
        #expect(again.selection.hasPrefix("Emma2"))
        let saved = try browse("^s")
        #expect(saved.status.hasSuffix("Saved /books/test.json: 1 book changed in title"))
        #expect(saved.title.hasSuffix("3 books"))
        #expect(try titlesInFile() == ["Emma2", "Kidnapped", "Ulysses"])
        #expect(try browse("^s").status == "1/3  No unsaved changes")
    }

    @Test func aBookIsAddedAfterTheCurrentOneAndBecomesCurrent() throws {
        let terminal = try browse("A Down N e w Enter")
        #expect(terminal.status == "2/4  Added New (unsaved; u undoes, ^s saves)")
        #expect(terminal.selection.hasPrefix("New"))
        _ = try browse("^s")
        #expect(try titlesInFile() == ["Emma", "New", "Kidnapped", "Ulysses"])
    }

    @Test func aDeletedBookIsReplacedByTheNextAndRestoredByUndo() throws {
        let deleted = try browse("j X")
        #expect(deleted.status == "2/2  Deleted Kidnapped (unsaved; u undoes, ^s saves)")
        #expect(deleted.selection.hasPrefix("Ulysses"))
        let undone = try browse("u")
        #expect(undone.status == "2/3  Undone: restored Kidnapped")
        #expect(undone.selection.hasPrefix("Kidnapped"))
        #expect(undone.title.hasSuffix("3 books"))
        #expect(try browse("^r").status.hasPrefix("1/2  Redone: deleted Kidnapped"))
    }

    @Test func aBookMovesInCatalogOrderOnly() throws {
        let moved = try browse("2 ^Down")
        #expect(moved.status == "3/3  Moved Emma (unsaved; u undoes, ^s saves)")
        #expect(moved.selection.hasPrefix("Emma"))
        #expect(try browse("^Up").status == "1/3  “Kidnapped” is the first book")
        #expect(try browse("s t ^Up").status.contains("Books move only in “All books” in catalog order"))
        _ = try browse("^s")
        #expect(try titlesInFile() == ["Kidnapped", "Ulysses", "Emma"])
    }

    @Test func aValueIsSetInSeveralBooksAtOnce() throws {
        let terminal = try browse("V E Down Down Down Down Down S e r Enter")
        #expect(terminal.status.contains("Changed 3 books (unsaved; u undoes, ^s saves)"))
        #expect(try browse("/ s e r i e s : s e r Enter").hasTitle(" All books (3)"))
    }

    @Test func editsAndFavouritesAreUndoneInOneOrder() throws {
        #expect(try browse("t X j t u").status == "2/2  Undone: added Ulysses to favourites")
        #expect(try browse("u").status == "1/3  Undone: restored Emma")
        #expect(try browse("u").status == "1/3  Undone: added Emma to favourites")
        #expect(try browse("u").status == "1/3  Nothing to undo")
    }

    @Test func aFavouriteFollowsItsBookWhenTheTitleChanges() throws {
        let changed = try browse("t E 2 Enter")
        #expect(changed.selection == "★ Emma2")
        let undone = try browse("u")
        #expect(undone.selection == "★ Emma")
        #expect(undone.status == "1/3  Undone: changed Emma")
    }

    @Test func goingBackInTheHistoryReversesEditsToo() throws {
        _ = try browse("t X X")
        // The first change is the last row of the history; everything after it is undone.
        let terminal = try browse("U G Enter")
        #expect(terminal.title.hasSuffix("3 books"))
        #expect(terminal.selection == "★ Emma")
        // Undoing the revert restores the deletions.
        #expect(try browse("u").title.hasSuffix("1 book · 2 unsaved"))
    }

    @Test func theRecordIsEditedAsJSON() throws {
        user.editRecord = { .text($0.replacing("Emma", with: "Emma, or what you will")) }
        let terminal = try browse("^x ^e")
        #expect(terminal.status == "1/3  Changed Emma (unsaved; u undoes, ^s saves)")
        #expect(terminal.selection == "Emma, or what you will")
        user.editRecord = { _ in .text("[]") }
        #expect(
            try browse("^x ^e").status == "1/3  Nothing changed: a book is a JSON object with a title. Edit it again")
        user.editRecord = { .text($0) }
        #expect(try browse("^x ^e").status.contains("had these values already"))
    }

    @Test func aBookWithoutATitleStaysInTheForm() throws {
        let terminal = try browse("E Backspace Backspace Backspace Backspace Enter")
        #expect(terminal.text.contains("─ Edit Emma"))
        #expect(terminal.text.contains("A book needs a title. Type one"))
        #expect(try titlesInFile()[0] == "Emma")
    }

    @Test func anEditIsSeenBySearchSortingSectionsAndFacets() throws {
        _ = try browse("j E Z z Enter")
        #expect(try browse("/ z z Enter").selection.hasPrefix("KidnappedZz"))
        #expect(try browse("s t G").selection.hasPrefix("Ulysses"))
        _ = try browse("E Down ^u A u t h o r Space N e w Enter")
        #expect(try browse("/ a u t h o r : n e w Enter").hasTitle(" All books (1)"))
        #expect(try browse("F").text.contains("Author New"))
    }

    @Test func twoWindowsSeeEachOthersEdits() throws {
        let one = user.makeApp(source: user.edited(path), resumes: false)
        let other = user.makeApp(source: user.edited(path), resumes: false)
        type("X", in: one)
        type("G", in: other)
        #expect(other.session.library.store.index.count == 2)
        #expect(other.session.status.text == "Another window changed the catalog")
        type("X ^s", in: other)
        type("g g", in: one)
        #expect(one.session.library.store.edited?.unsavedCount == 0)
        #expect(try titlesInFile() == ["Kidnapped"])
    }

    @Test func aFormChangesItsBookThoughAnotherWindowDeletesOneBeforeIt() throws {
        let one = user.makeApp(source: user.edited(path), resumes: false)
        let other = user.makeApp(source: user.edited(path), resumes: false)
        type("j E", in: one)
        type("X", in: other)
        type("2 Enter", in: one)
        #expect(
            (0..<2).compactMap { one.session.library.store.book(BookID($0)).value?.title } == ["Kidnapped2", "Ulysses"])
        // The book in the form has been deleted in the meantime.
        type("E", in: one)
        type("X", in: other)
        type("3 Enter", in: one)
        #expect(one.front is BookForm)
        #expect(one.session.library.store.book(BookID(0)).value?.title == "Ulysses")
    }

    @Test func anEditThatCannotBeUndoneDoesNotBlockOthers() throws {
        _ = try browse("t E 2 Enter")
        _ = try browse("^s")
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try text.replacing("Emma2", with: "Emily").write(toFile: path, atomically: true, encoding: .utf8)
        #expect(try browse("u").status.contains("another program changed the same values"))
        #expect(try browse("u").status.contains("Undone: added Emma to favourites"))
    }

    @Test func undoReportsAFileThatWasAlreadyRestored() throws {
        let old = try String(contentsOfFile: path, encoding: .utf8)
        _ = try browse("t E 2 Enter")
        _ = try browse("^s")
        // Like "git checkout".
        try old.write(toFile: path, atomically: true, encoding: .utf8)
        let undone = try browse("u")
        #expect(undone.status.contains("was put back already. Nothing undone: changed Emma"))
        #expect(undone.title.hasSuffix("3 books"))
        // The favourite still follows the book, and the next undo reverts the change before.
        #expect(undone.selection == "★ Emma")
        #expect(try browse("u").status.contains("Undone: added Emma to favourites"))
    }

    @Test func aFileThatChangedOnDiskGetsTheEditsToo() throws {
        let app = user.makeApp(source: user.edited(path), resumes: false)
        _ = app.draw(size: Size(rows: 24, columns: 100))
        for key in [Key.character("X"), .control("s")] {
            if key == .control("s") {
                let text = try String(contentsOfFile: path, encoding: .utf8)
                try text.replacing("Ulysses", with: "Ulysses II").write(toFile: path, atomically: true, encoding: .utf8)
            }
            _ = app.handle(.key(key))
            app.update()
        }
        #expect(try titlesInFile() == ["Kidnapped", "Ulysses II"])
    }

    /// Changes a book here and on disk, and tries to save after `keys`.
    private func clash(after keys: String = "") throws -> App {
        _ = try browse("E 2 Enter")
        let app = user.makeApp(source: user.edited(path), resumes: false)
        type("", in: app)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try text.replacing("Emma", with: "Emily").write(toFile: path, atomically: true, encoding: .utf8)
        type(keys, in: app)
        app.session.saveCatalog()
        app.update()
        return app
    }

    @Test func aClashThatIsFoundWhileHelpIsOpenIsAskedAboutAfterwards() throws {
        let app = try clash(after: "?")
        #expect(app.top is HelpScreen)
        type("Esc", in: app)
        #expect(app.top is ClashScreen)
        type("M ^s", in: app)
        #expect(app.top === app.main)
        #expect(try titlesInFile()[0] == "Emma2")
    }

    private func type(_ keys: String, in app: App) {
        _ = app.draw(size: Size(rows: 24, columns: 100))
        for case .events(let events) in ScriptedTerminal.Step.keys(keys) {
            for event in events {
                _ = app.handle(event)
                app.update()
            }
        }
    }

    @Test(arguments: ["M", "T"]) func aClashIsShownAndDecided(_ key: String) throws {
        let app = try clash()
        #expect(app.front is ClashScreen)
        #expect(try titlesInFile()[0] == "Emily")
        // No side is chosen yet.
        type("^s", in: app)
        #expect(app.front is ClashScreen)
        type("\(key) ^s", in: app)
        #expect(!(app.front is ClashScreen))
        #expect(try titlesInFile()[0] == (key == "M" ? "Emma2" : "Emily"))
        #expect(app.session.library.store.edited?.unsavedCount == 0)
        #expect(app.session.library.store.edited?.clashes.isEmpty == true)
    }

    @Test func anUnresolvedConflictStays() throws {
        let app = try clash()
        type("Esc", in: app)
        #expect(!(app.front is ClashScreen))
        #expect(try titlesInFile()[0] == "Emily")
        type("^s", in: app)
        #expect(app.front is ClashScreen)
        type("m ^s", in: app)
        #expect(try titlesInFile()[0] == "Emma2")
    }

    @Test func aReadOnlyFileIsReportedAtTheFirstCommand() throws {
        let other = path + ".other"
        try FileManager.default.linkItem(atPath: path, toPath: other)
        #expect(try browse("X").status.contains("has other names (hard links)"))
        #expect(try titlesInFile().count == 3)
    }
}
