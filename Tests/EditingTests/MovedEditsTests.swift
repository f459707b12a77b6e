import Books
import CatalogTesting
import Editing
import Foundation
import Indexing
import TestSupport
import Testing

@testable import Catalog

/// Unsaved edits move to a copy of the catalog.
@Suite("Edits that move to a copy") struct MovedEditsTests: CatalogEditing {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    @Test func theyAreThoseOfTheCopyAlone() throws {
        let path = try write()
        let catalog = try open(path)
        _ = try setTitle("Emma Woodhouse", of: 0, in: catalog)
        _ = try catalog.remove([BookID(1)])
        let copy = try write(named: "copy.json")
        // A deleted catalog with the same path has left an edit.
        _ = try setTitle("Stale", of: 2, in: open(copy))
        try catalog.moveEdits(toCatalogAt: copy, journalPath: try journal(copy))
        let moved = try open(copy)
        #expect(titles(moved) == ["Emma Woodhouse", "Kidnapped", "Middlemarch"])
        #expect(moved.unsavedCount == 2)
        #expect(try open(path).unsavedCount == 0)
        guard case .saved(bookCount: 2) = try save(moved) else { throw CocoaError(.fileWriteUnknown) }
        #expect(try content(path) == Self.text)
    }

    @Test func withoutEditsNoJournalIsMade() throws {
        let catalog = try open(try write())
        let copy = try write(named: "copy.json")
        try catalog.moveEdits(toCatalogAt: copy, journalPath: try journal(copy))
        #expect(!FileManager.default.fileExists(atPath: try journal(copy)))
    }
}
