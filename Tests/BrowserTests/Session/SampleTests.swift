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

/// The catalog that comes with stacks is changed in a copy.
@Suite("Changing the sample")
struct SampleTests {
    private let user = User(books: [.make(title: "Emma"), .make(title: "Kidnapped"), .make(title: "Ulysses")])
    private let path: String

    init() throws {
        path = try user.writeCatalog()
        user.catalog = path
        user.sample = SampleCatalog(path: path, stateDirectory: user.stateDirectory, home: user.home.path)
    }

    private var copy: String { user.home.path + "/books.json" }

    /// Browses the sample and types keys.
    private func browse(_ keys: String) throws -> (terminal: ScriptedTerminal, ending: App.Ending) {
        let terminal = ScriptedTerminal(columns: 100, rows: 24, keys: keys)
        return (terminal, try user.browse(on: terminal, source: user.edited(path), resumes: false))
    }

    /// Goes on in the copy, as the program does, and types keys.
    private func goOn(_ ending: App.Ending, _ keys: String = "") throws -> ScriptedTerminal {
        guard case .open(let next) = ending else { throw CocoaError(.fileNoSuchFile) }
        user.catalog = next.path
        // The program keeps the preferences in memory; here they are read again, once they are written.
        for _ in 0..<500 where PreferencesFile(directory: user.stateDirectory).place(in: next.path) == nil {
            Thread.sleep(forTimeInterval: 0.01)
        }
        let terminal = ScriptedTerminal(columns: 100, rows: 24, keys: keys)
        let app = user.makeApp(source: user.edited(next.path), notices: [next.notice], start: Start(in: next))
        _ = app.run(on: terminal)
        return terminal
    }

    private func content(_ path: String) throws -> Data { try Data(contentsOf: URL(filePath: path)) }

    private func titles(_ path: String) throws -> [String] {
        let catalog = JSONFileCatalog(path: path)
        try catalog.open()
        return (0..<catalog.index.count).compactMap { catalog.book(BookID($0)).value?.title }
    }

    @Test(arguments: ["E", "A", "X", "^Down", "^x ^e"]) func eachKeyThatChangesTheCatalogAsks(keys: String) throws {
        let before = try content(path)
        let (terminal, ending) = try browse(keys)
        #expect(terminal.status.contains("Copy the sample to \(copy) and change that? y copy, Esc cancel"))
        #expect(terminal.hints.contains("y copy"))
        #expect(ending == .terminalGone)
        let (declined, _) = try browse(keys + " Esc")
        #expect(declined.status == "1/3")
        #expect(try content(path) == before)
        #expect(!FileManager.default.fileExists(atPath: copy))
    }

    @Test func theKeyThatAskedGoesOnInTheCopy() throws {
        let before = try content(path)
        let (_, ending) = try browse("j E y")
        #expect(try content(copy) == before)
        #expect(try goOn(ending).text.contains("─ Edit Kidnapped "))
        _ = try goOn(ending, "2 ^s ^s")
        #expect(try titles(copy) == ["Emma", "Kidnapped2", "Ulysses"])
        #expect(try content(path) == before)
    }

    /// Keys that were typed faster than the copy was opened.
    @Test func keysTypedAheadAreForTheCopy() throws {
        let keys: [Event] = [.key(.character("E")), .key(.character("y")), .key(.character("2"))]
        let terminal = ScriptedTerminal(size: Size(rows: 24, columns: 100), steps: [.events(keys)])
        let app = user.makeApp(source: user.edited(path), resumes: false)
        guard case .open(let next) = app.run(on: terminal) else { throw CocoaError(.fileNoSuchFile) }
        #expect(app.unhandledEvents == [.key(.character("2"))])
        user.catalog = next.path
        let start = Start(in: next, events: app.unhandledEvents)
        let other = ScriptedTerminal(columns: 100, rows: 24, keys: "^s")
        _ = user.makeApp(source: user.edited(next.path), start: start).run(on: other)
        #expect(other.selection == "Emma2")
    }

    @Test func theRecordIsEditedInTheCopy() throws {
        let (_, ending) = try browse("^x ^e y")
        user.editRecord = { .text($0.replacing("Emma", with: "Persuasion")) }
        _ = try goOn(ending, "^s")
        #expect(try titles(copy) == ["Persuasion", "Kidnapped", "Ulysses"])
    }

    @Test func searchAndBookStayAsTheyWere() throws {
        let (before, ending) = try browse("/ a n Enter G E y")
        #expect(before.title.contains("⟂ an"))
        let terminal = try goOn(ending, "Esc")
        #expect(terminal.title.contains("⟂ an"))
        #expect(terminal.selection == before.selection)
    }

    @Test func theSelectedBooksAreChangedAndNotTheCurrentOne() throws {
        let (_, ending) = try browse("Space Space X y")
        let terminal = try goOn(ending)
        #expect(terminal.status.contains("Deleted 2 books"))
        #expect(terminal.selection == "Ulysses")
        #expect(try titles(copy) == ["Emma", "Kidnapped", "Ulysses"])
    }

    @Test func aTakenNameIsLeftAlone() throws {
        try Data("mine".utf8).write(to: URL(filePath: copy))
        // A dangling link is an entry, too.
        try FileManager.default.createSymbolicLink(
            atPath: user.home.path + "/books-2.json", withDestinationPath: "/nowhere")
        let third = user.home.path + "/books-3.json"
        #expect(try browse("E").terminal.status.contains("Copy the sample to \(third)"))
        _ = try browse("E y")
        #expect(try content(copy) == Data("mine".utf8))
        #expect(try content(third) == content(path))
    }

    @Test func aCopyThatCannotBeMadeSaysWhy() throws {
        user.sample = SampleCatalog(path: path, stateDirectory: user.stateDirectory, home: "/proc")
        let (terminal, ending) = try browse("E y")
        #expect(
            terminal.status.hasSuffix(
                "Cannot create /proc/books.json: no such file or directory. Check its directory"))
        #expect(ending == .terminalGone)
    }

    /// An earlier version changed the sample itself.
    @Test func unsavedChangesGoAlong() throws {
        let before = try content(path)
        let sample = user.sample
        user.sample = nil
        _ = try browse("E 2 Enter")
        user.sample = sample
        let (terminal, ending) = try browse("^s y")
        #expect(terminal.title.hasSuffix("1 unsaved"))
        _ = try goOn(ending)
        #expect(try titles(copy) == ["Emma2", "Kidnapped", "Ulysses"])
        // They are no longer those of the sample.
        user.catalog = path
        let again = try browse("")
        #expect(!again.terminal.title.contains("unsaved"))
        #expect(again.terminal.selection.hasPrefix("Emma"))
        #expect(try content(path) == before)
    }

    @Test func withoutChangesThereIsNothingToSave() throws {
        #expect(try browse("^s").terminal.status == "1/3  No unsaved changes")
    }

    @Test func dataOfTheUserNeedsNoCopy() throws {
        #expect(try browse("t").terminal.status.contains("★ Favourite: Emma"))
        let (_, ending) = try browse("E y")
        // The favourite is found in the copy.
        #expect(try goOn(ending, "Esc t").status.contains("Removed from favourites: Emma"))
    }

    @Test func anExportDoesNotReplaceTheSample() throws {
        let before = try content(path)
        user.catalog = "/books/other.json"
        let terminal = try user.browse("x ^u \(typed(path)) Enter")
        #expect(terminal.status.contains("is the sample of stacks. Name another file"))
        #expect(try content(path) == before)
    }
}
