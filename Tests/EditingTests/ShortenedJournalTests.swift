import Books
import CatalogTesting
import Foundation
import Indexing
import Storage
import TestSupport
import Testing

@testable import Catalog
@testable import Editing

/// Removing old steps from a long journal.
@Suite("Shortening a journal")
struct ShortenedJournalTests: CatalogEditing {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// Makes `count` edits of the second book, each saved, and returns their steps.
    private func edit(_ path: String, times count: Int) throws -> [Int] {
        let catalog = try open(path)
        var steps: [Int] = []
        for number in 1...count {
            let outcome = try setTitle("Title \(number)", of: 1, in: catalog)
            steps.append(try #require(outcome).number)
            guard case .saved = try save(catalog) else { throw CocoaError(.fileWriteUnknown) }
        }
        return steps
    }

    private func shorten(_ path: String, to size: Int) throws {
        try EditJournal(path: try journal(path), catalogPath: path).shorten(above: 0, to: size)
    }

    @Test func theLatestStepsAreKeptAndTheOldestRemoved() throws {
        let path = try write()
        let steps = try edit(path, times: 40)
        let size = try content(try journal(path)).utf8.count
        try shorten(path, to: size / 2)
        let shortened = try content(try journal(path))
        #expect(shortened.utf8.count < size / 2 + 200)
        #expect(shortened.utf8.count > size / 4)
        let catalog = try open(path)
        #expect(catalog.unsavedCount == 0)
        _ = try catalog.reverse(steps[39], redoing: false)
        #expect(titles(catalog)[1] == "Title 39")
        #expect(throws: CatalogEditError.stepGone) { try catalog.reverse(steps[0], redoing: false) }
    }

    @Test func unsavedEditsAreNeverRemoved() throws {
        let path = try write()
        let catalog = try open(path)
        _ = try setTitle("Unsaved", of: 0, in: catalog)
        // Commands write only their own changes.
        for number in 1...30 {
            let editor = try FileEditor(path, journalPath: try journal(path))
            var book = try #require(editor.book(BookID(3)))
            book.title = "Written \(number)"
            try editor.set([.title], of: BookID(3), to: book)
            _ = try #require(try editor.saveForUndo())
        }
        try shorten(path, to: 1000)
        #expect(try content(try journal(path)).utf8.count < 2500)
        let again = try open(path)
        #expect(titles(again) == ["Unsaved", "Drácula", "Kidnapped", "Written 30"])
        #expect(again.unsavedCount == 1)
        guard case .saved = try save(again) else { return #expect(Bool(false)) }
        #expect(try content(path).contains("\"Unsaved\""))
    }

    @Test func anUnsavedUndoSurvivesTheRemovalOfItsStep() throws {
        let path = try write()
        let steps = try edit(path, times: 20)
        let catalog = try open(path)
        _ = try catalog.reverse(steps[19], redoing: false)
        #expect(titles(catalog)[1] == "Title 19")
        try shorten(path, to: 0)
        let again = try open(path)
        #expect(titles(again)[1] == "Title 19")
        #expect(again.unsavedCount == 1)
    }

    @Test func withoutSavedEditsNothingIsRemoved() throws {
        let path = try write()
        let catalog = try open(path)
        for number in 1...5 { _ = try setTitle("Title \(number)", of: 0, in: catalog) }
        let before = try content(try journal(path))
        try shorten(path, to: 0)
        #expect(try content(try journal(path)) == before)
    }

    @Test func aShortJournalIsUnchanged() throws {
        let path = try write()
        _ = try edit(path, times: 3)
        let before = try content(try journal(path))
        try EditJournal(path: try journal(path), catalogPath: path).shorten()
        #expect(try content(try journal(path)) == before)
    }

    @Test func anotherWindowKeepsItsUnsavedEdits() throws {
        let path = try write()
        let one = try open(path)
        let steps = try (1...20).map { number -> Int in
            let outcome = try setTitle("Title \(number)", of: 1, in: one)
            _ = try save(one)
            return try #require(outcome).number
        }
        _ = try setTitle("Mine", of: 0, in: one)
        try shorten(path, to: 0)
        // Its own edits are known, so there is nothing new.
        #expect(!one.receiveEdits())
        #expect(titles(one)[0] == "Mine")
        #expect(throws: CatalogEditError.stepGone) { try one.reverse(steps[0], redoing: false) }
        _ = try setTitle("Yours", of: 2, in: one)
        let again = try open(path)
        #expect(titles(again) == ["Mine", "Title 20", "Yours", "Middlemarch"])
        #expect(try lines(path).filter { $0.contains("rebased") }.isEmpty)
    }

    @Test func aShortenedJournalContainsTheEditsOfOthers() throws {
        let path = try write()
        _ = try edit(path, times: 20)
        let (one, other) = (try open(path), try open(path))
        _ = try setTitle("One", of: 0, in: one)
        _ = other.receiveEdits()
        _ = try setTitle("More", of: 2, in: one)
        try shorten(path, to: 0)
        #expect(other.receiveEdits())
        #expect(titles(other) == ["One", "Title 20", "More", "Middlemarch"])
        #expect(other.unsavedCount == 2)
    }

    @Test func leftoversOfAKilledShorteningAreDeleted() throws {
        let path = try write()
        _ = try edit(path, times: 2)
        let left = try journal(path) + ".tmp"
        try Data("torn".utf8).write(to: URL(filePath: left))
        try EditJournal(path: try journal(path), catalogPath: path).shorten()
        #expect(!FileManager.default.fileExists(atPath: left))
    }
}

extension JSONFileCatalog {
    /// The catalog, read completely.
    fileprivate func opened() throws -> JSONFileCatalog {
        try open()
        readRest()
        return self
    }
}
