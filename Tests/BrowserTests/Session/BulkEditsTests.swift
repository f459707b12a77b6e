import CatalogTesting
import Foundation
import Indexing
import Shelves
import TerminalTesting
import TerminalUI
import Testing
import Threading

@testable import Books
@testable import Browser
@testable import Catalog
@testable import Editing
@testable import Library

/// Editing many books on another thread, and undoing it.
@Suite("Editing many books")
struct BulkEditsTests {
    private let user = User(bookCount: 300)
    private let path: String

    init() throws { path = try user.writeCatalog() }

    private func start() -> App {
        let app = user.makeApp(source: user.edited(path), resumes: false)
        app.session.library.store.edited?.base.readRest()
        app.session.receive()
        app.update()
        _ = app.draw(size: Size(rows: 24, columns: 100))
        return app
    }

    /// Types keys, and waits for the background work after each.
    private func type(_ keys: String, in app: App) {
        for case .events(let events) in ScriptedTerminal.Step.keys(keys) {
            for event in events {
                _ = app.handle(event)
                app.session.finishBulkChange()
                app.update()
            }
        }
    }

    private func books(_ catalog: EditedCatalog?) -> [Book] {
        (0..<(catalog?.index.count ?? 0)).compactMap { catalog?.book(BookID($0)).value }
    }

    private func books(in app: App) -> [Book] { books(app.session.library.store.edited) }

    /// The books as another instance sees them.
    private func keptBooks() throws -> [Book] {
        let catalog = user.edited(path)
        try catalog.open()
        catalog.base.readRest()
        _ = catalog.receive()
        return books(catalog)
    }

    @Test func aFormGivesAllBooksTheValueWhichIsUndoneAndRedoneWhole() throws {
        let app = start()
        type("V E Down Down Down Down Down S e r Enter", in: app)
        #expect(app.session.status.text == "Changed 300 books (unsaved; u undoes, ^s saves)")
        #expect(books(in: app).allSatisfy { $0.series == "Ser" })
        #expect(try keptBooks().count { $0.series == "Ser" } == 300)
        #expect(app.session.library.store.edited?.unsavedCount == 300)
        type("u", in: app)
        #expect(app.session.status.text == "Undone: changed 300 books")
        #expect(app.session.library.store.edited?.isUnchanged == true)
        #expect(try keptBooks().allSatisfy { $0.series == nil })
        type("^r", in: app)
        #expect(app.session.status.text == "Redone: changed 300 books")
        #expect(books(in: app).allSatisfy { $0.series == "Ser" })
        type("^s", in: app)
        #expect(try String(contentsOfFile: path, encoding: .utf8).split(separator: "Ser\"").count == 301)
    }

    @Test("Going back past an edit that another program has put back undoes the rest, and can be undone")
    func goingBack() throws {
        let original = try Data(contentsOf: URL(filePath: path))
        let app = start()
        type("t", in: app)
        let first = try #require(try app.session.library.userData.history(limit: 1).first)
        type("V E Down Down Down Down Down S e r Enter ^s Esc G t", in: app)
        // The other program writes the first bytes again, as of another moment.
        try Data(original + [UInt8(ascii: " ")]).write(to: URL(filePath: path))
        #expect(app.session.library.userData.books.values.count { $0.isFavourite } == 2)
        app.session.goBack(to: first)
        app.session.finishBulkChange()
        #expect(app.session.library.userData.books.values.count { $0.isFavourite } == 1)
        #expect(app.session.status.text.hasPrefix("Back to: "))
        #expect(app.session.status.offer == .undo)
    }

    @Test func manyBooksAreDeletedAndRestored() throws {
        let app = start()
        type("V X", in: app)
        #expect(app.session.status.text == "Deleted 300 books (unsaved; u undoes, ^s saves)")
        #expect(books(in: app).isEmpty)
        type("u", in: app)
        #expect(books(in: app).map(\.title) == user.books.map(\.title))
        #expect(app.session.library.store.edited?.isUnchanged == true)
    }

    @Test func favouritesFollowTheirBooks() throws {
        let app = start()
        type("t G t", in: app)
        let ids = user.books.indices.map { BookID($0) }
        let edit = BookEdit(
            .changed, ids, title: "Book 1",
            .bulk(.set([.title]) { $0.title += " again" }))
        _ = app.session.edit(edit, "Changing")
        app.session.finishBulkChange()
        #expect(books(in: app)[299].title == "Book 300 again")
        #expect(!app.session.library.located.identities(of: BookID(0)).isEmpty)
        #expect(!app.session.library.located.identities(of: BookID(299)).isEmpty)
        #expect(app.session.library.located.identities(of: BookID(1)).isEmpty)
        #expect(user.saved.books.values.map(\.title).sorted() == ["Book 1 again", "Book 300 again"])
        type("u", in: app)
        #expect(user.saved.books.values.filter(\.isFavourite).map(\.title).sorted() == ["Book 1", "Book 300"])
    }

    @Test func aValueThatDoesNotFitKeepsTheFormOpenAndNoBookChanges() throws {
        let text = (1...300).map { #"{"title": "Book \#($0)", "authors": ["A"], "year": 1900}"# }
        try Data("[\(text.joined(separator: ",\n"))]".utf8).write(to: URL(filePath: path))
        let app = start()
        #expect(app.session.library.store.index.count == 300)
        type("V E Down Down ^u 1 8 1 5 - 1 2 - 2 3 Enter", in: app)
        #expect(app.front is BookForm)
        #expect(try keptBooks().allSatisfy { $0.published == PartialDate(year: 1900) })
    }

    /// An app in which an edit of all books waits for `gate`.
    private func waiting(_ gate: Locked<Bool>) -> App {
        user.settings.timeBudget = nil
        let app = start()
        let ids = user.books.indices.map { BookID($0) }
        let edit = BookEdit(
            .changed, ids, title: "Book 1",
            .bulk(
                .set([.pageCount]) { book in
                    _ = gate.wait(for: { $0 ? true : nil })
                    book.pageCount = 7
                }))
        #expect(app.session.edit(edit, "Changing 300 books") == nil)
        return app
    }

    @Test func keysWorkDuringTheEditAndFurtherEditsWait() throws {
        let gate = Locked(false)
        let app = waiting(gate)
        _ = app.perform(CommandRequest(command: .move(.end)))
        #expect(app.session.books.table.currentRow == 299)
        for command in [Command.deleteBook, .editBook, .saveCatalog, .undo] {
            _ = app.perform(CommandRequest(command: command))
            #expect(app.session.status.text == "Changing 300 books first. Esc stops it")
        }
        #expect(books(in: app).allSatisfy { $0.pageCount != 7 })
        _ = gate.wait(milliseconds: 120) { $0 }
        app.session.receive()
        #expect(app.session.status.text == "Changing 300 books: 0 %. Esc stops")
        gate.change { $0 = true }
        app.session.finishBulkChange()
        #expect(app.session.status.text == "Changed 300 books (unsaved; u undoes, ^s saves)")
        #expect(books(in: app).allSatisfy { $0.pageCount == 7 })
        // The row to which the user moved is still the current one.
        #expect(app.session.books.currentBook == BookID(299))
    }

    @Test func escapeStopsItAndNothingIsChanged() throws {
        let gate = Locked(false)
        let app = waiting(gate)
        _ = app.perform(CommandRequest(command: .cancel))
        gate.change { $0 = true }
        app.session.finishBulkChange()
        #expect(app.session.status.text == "Stopped. Nothing was changed")
        #expect(app.session.library.store.edited?.isUnchanged == true)
        #expect(try keptBooks().allSatisfy { $0.pageCount != 7 })
        type("u", in: app)
        #expect(app.session.status.text == "Nothing to undo")
    }

    @Test func anEditThatEndsAfterTheCatalogWasReloadedIsTakenFromTheJournal() throws {
        let gate = Locked(false)
        let app = waiting(gate)
        app.session.reload()
        app.session.library.store.edited?.base.readRest()
        _ = app.session.library.store.edited?.receive()
        gate.change { $0 = true }
        app.session.finishBulkChange()
        app.session.noticeChange()
        #expect(books(in: app).count { $0.pageCount == 7 } == 300)
    }
}
