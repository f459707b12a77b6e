import Books
import CatalogTesting
import Foundation
import Indexing
import JSON
import Storage
import TestSupport
import Testing

@testable import Catalog
@testable import Editing
@testable import Remote

/// Edits of the copy of a library on a server, which is made again while they are not saved.
@Suite("Edits of a library on a server")
struct ServerEditsTests {
    private let directory: TemporaryDirectory
    private let mirror: MirrorDirectory
    private static let address = "http://127.0.0.1:9/"

    private static let first =
        #"{"id":1,"title":"Emma","authors":"Jane Austen","tags":["A"],"last_modified":"2026-01-01","uuid":"a"}"#
    private static let second =
        #"{"id":4,"title":"Dracula","authors":"Bram Stoker","pubdate":"1897-05-26T12:00:00+00:00","uuid":"b"}"#
    private static let third = #"{"id":7,"title":"Emma","authors":"Jane Austen","tags":["B"],"uuid":"c"}"#

    init() throws {
        directory = try TemporaryDirectory()
        mirror = MirrorDirectory(of: Self.address, in: directory.path + "/cache")
        try FileManager.default.createDirectory(atPath: mirror.path, withIntermediateDirectories: true)
        try copy([Self.first, Self.second, Self.third])
    }

    /// Makes the copy have these rows.
    private func copy(_ rows: [String]) throws {
        try Data(rows.map { $0 + "\n" }.joined().utf8).write(to: URL(filePath: mirror.dataPath), options: .atomic)
        let state =
            #"{"source":"\#(Self.address)","kind":"calibre-server","profile":"calibre","#
            + #""rows":\#(rows.count),"fetched":1}"#
        try Data(state.utf8).write(to: URL(filePath: mirror.path + "/state.json"))
    }

    private func open(
        by access: SourceAccess = SourceAccess(program: nil, refreshes: .never)
    ) throws -> EditedCatalog {
        let library = ProfileLibrary(directory: nil)
        let file = JSONFileCatalog(
            path: mirror.dataPath, profile: library.profile(named: "calibre"), library: library, known: .books,
            copyOf: Self.address, profileIsFound: true)
        try file.open()
        file.readRest()
        let copy = MirroredCatalog(
            file, in: mirror, state: mirror.state, by: access)
        let catalog = EditedCatalog(
            copy, journalPath: EditedCatalog.journalPath(of: Self.address, in: directory.path + "/state"))
        try catalog.open()
        _ = catalog.receive()
        return catalog
    }

    private func titles(_ catalog: EditedCatalog) -> [String] {
        (0..<catalog.index.count).map { catalog.book(BookID($0)).value?.title ?? "gone" }
    }

    /// Records that the unsaved edits are being sent, as a program that is killed then has done.
    private func beginSending(_ catalog: EditedCatalog) throws {
        let edits = catalog.unsavedEdits
        let newest = catalog.newestServerNumber
        try catalog.journal?.append { _ in [.sending(edits, newest: newest)] }
    }

    @Test func aBookIsFoundByItsNumberAlsoWithAnotherTitle() throws {
        let catalog = try open()
        _ = try catalog.set([.subjects], of: [BookID(0)]) { $0.subjects = ["Mine"] }
        #expect(catalog.unsavedCount == 1)
        // The book has another title, and a book before it is new in the copy; another book has the former title.
        try copy([
            #"{"id":0,"title":"Zero"}"#, Self.first.replacing("Emma", with: "Emma Woodhouse"), Self.second, Self.third,
        ])
        let again = try open()
        #expect(again.clashes.isEmpty && again.unsavedCount == 1)
        #expect(again.book(BookID(1)).value?.title == "Emma Woodhouse")
        #expect(again.book(BookID(1)).value?.subjects == ["Mine"])
        #expect(again.book(BookID(3)).value?.subjects == ["B"])
        // Without it, the book with the former title is not changed in its place.
        try copy([Self.second, Self.third])
        let later = try open()
        #expect(later.clashes.count == 1 && later.clashes.first?.theirs == nil)
        #expect(later.book(BookID(1)).value?.subjects == ["B"])
    }

    @Test func whatTheServerKeepsInAnotherFormIsNoClash() throws {
        let catalog = try open()
        _ = try catalog.set([.authors, .subjects], of: [BookID(0)]) {
            $0.authors = ["R & D", "Jane Austen"]
            $0.subjects = ["C", "A"]
        }
        _ = try catalog.set([.published], of: [BookID(1)]) { $0.published = PartialDate(year: 1898, month: 1, day: 2) }
        try beginSending(catalog)
        try copy([
            Self.first.replacing("Jane Austen", with: "R ; D & Jane Austen").replacing(#"["A"]"#, with: #"["A","C"]"#)
                .replacing("2026-01-01", with: "2026-01-02"),
            Self.second.replacing("1897-05-26T12:00:00+00:00", with: "1898-01-02T00:00:00+01:00"), Self.third,
        ])
        let again = try open()
        #expect(again.clashes.isEmpty && again.unsavedCount == 0)
        // Another value is one.
        try copy([Self.first.replacing("Jane Austen", with: "Theirs"), Self.second, Self.third])
        let other = try open()
        #expect(other.clashes.first?.conflicts.map(\.keys) == [["authors"]])
    }

    @Test func aBookThatWasSentIsNotAddedAgain() throws {
        let catalog = try open()
        let new = Book(title: "Emma", authors: ["Jane Austen"])
        var other = Book(title: "Ballads", authors: ["Ann and Ben"])
        other.subjects = ["Song"]
        _ = try catalog.add([new, other], after: BookID(0))
        // New books come last.
        #expect(titles(catalog) == ["Emma", "Dracula", "Emma", "Emma", "Ballads"])
        try beginSending(catalog)
        // Nothing has arrived: a book that was there before is not one of those that were sent.
        let again = try open()
        #expect(titles(again) == titles(catalog) && again.unsavedCount == 2)
        // One is there, and the other one in part.
        try copy([
            Self.first, Self.second, Self.third, #"{"id":8,"title":"Emma","authors":"Jane Austen","uuid":"d"}"#,
            #"{"id":9,"title":"Ballads","authors":"Ann & Ben","uuid":"e"}"#,
        ])
        let later = try open()
        #expect(titles(later) == titles(catalog) && later.unsavedCount == 1)
        #expect(later.book(BookID(4)).value?.authors == ["Ann and Ben"])
        #expect(later.book(BookID(4)).value?.subjects == ["Song"])
        #expect(later.unsavedEdits.count == 1)
    }

    @Test("Undoing an addition that was saved deletes the new book, not an older one with the same title")
    func anUndoneAdditionIsTheNewestBook() throws {
        let catalog = try open()
        let outcome = try #require(try catalog.add([Book(title: "Emma", authors: ["Jane Austen"])], after: nil))
        try beginSending(catalog)
        try catalog.journal?.append { _ in [.rebased([])] }
        try copy([Self.first, Self.second, Self.third, #"{"id":8,"title":"Emma","authors":"Jane Austen","uuid":"d"}"#])
        let again = try open()
        _ = try again.reverse(outcome.number, redoing: false)
        #expect(again.clashes.isEmpty && again.index.count == 3)
        #expect((0..<3).map { again.record(BookID($0))?["id"]?.integer } == [1, 4, 7])
    }

    @Test("Several edits of a book that others deleted are one clash, and keeping mine adds it once")
    func editsOfADeletedBookAreOneClash() throws {
        let catalog = try open()
        _ = try catalog.set([.title], of: [BookID(1)]) { $0.title = "Dracula 2" }
        _ = try catalog.set([.title], of: [BookID(1)]) { $0.title = "Dracula 3" }
        try copy([Self.first, Self.third])
        let again = try open()
        #expect(again.clashes.count == 1)
        let clash = try #require(again.clashes.first)
        #expect(clash.old.title == "Dracula" && clash.mine?.title == "Dracula 3" && clash.theirs == nil)
        try again.resolveClashes { _, _ in .mine }
        #expect(titles(again) == ["Emma", "Emma", "Dracula 3"])
    }

    @Test func aDeletionThatIsUndoneKeepsTheBookOfTheServer() throws {
        let catalog = try open()
        let outcome = try #require(try catalog.remove([BookID(0), BookID(2)]))
        // Only what the server sets itself has changed.
        try copy([Self.first.replacing("2026-01-01", with: "2026-01-02"), Self.second, Self.third])
        let again = try open()
        #expect(titles(again) == ["Dracula"] && again.clashes.isEmpty && again.unsavedCount == 2)
        _ = try again.reverse(outcome.number, redoing: false)
        #expect(titles(again) == ["Emma", "Dracula", "Emma"] && again.unsavedEdits == [])
        #expect(again.unsavedCount == 0)
    }

    @Test("A book that returns after its saved deletion can be edited while others add books")
    func aReturningBookIsEdited() throws {
        let catalog = try open()
        let outcome = try #require(try catalog.remove([BookID(1)]))
        try catalog.journal?.append { _ in [.rebased([])] }
        try copy([Self.first, Self.third])
        let again = try open()
        _ = try again.reverse(outcome.number, redoing: false)
        _ = try again.set([.title], of: [BookID(2)]) { $0.title = "Dracula 2" }
        #expect(titles(again) == ["Emma", "Emma", "Dracula 2"])
        try copy([#"{"id":0,"title":"Zero"}"#, Self.first, Self.third])
        let later = try open()
        #expect(later.clashes.isEmpty && titles(later) == ["Zero", "Emma", "Emma", "Dracula 2"])
    }

    @Test("Only one instance at a time sends edits") func sendingIsExclusive() throws {
        // It reads requests like a connector, but its replies are none.
        let access = SourceAccess(program: "/bin/cat", refreshes: .whenChanged)
        let (one, other) = (try open(by: access), try open(by: access))
        _ = try one.set([.title], of: [BookID(0)]) { $0.title = "Emma 2" }
        guard case .running = try one.save(notifying: {}) else {
            Issue.record("it is not saving")
            return
        }
        #expect(throws: CatalogEditError.busy) { _ = try other.save(notifying: {}) }
        // Without a server, the save ends, and its edit is kept for the next one.
        #expect(throws: CatalogEditError.self) {
            while case .running? = try one.receiveSave(waiting: 1000, notifying: {}) {}
        }
        #expect(one.unsavedCount == 1)
        guard case .running = try other.save(notifying: {}) else {
            Issue.record("the other one is not saving")
            return
        }
    }

    @Test func whatAServerDoesNotHaveIsRefused() throws {
        let catalog = try open()
        #expect(throws: CatalogEditError.unordered) { try catalog.move(BookID(0), to: 2) }
        #expect(try catalog.heldFields().isDisjoint(with: [.sourceID, .cover]))
        _ = try catalog.setRecord(of: BookID(0), to: Array(#"{"id":99,"title":"Emma 2"}"#.utf8))
        #expect(catalog.record(BookID(0))?["id"]?.integer == 1 && titles(catalog)[0] == "Emma 2")
        #expect(throws: CatalogEditError.offline) { _ = try catalog.save {} }
        #expect(catalog.unsavedCount == 1 && catalog.isSaving == false)
    }
}
