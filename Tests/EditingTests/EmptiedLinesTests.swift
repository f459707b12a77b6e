import Books
import CatalogTesting
import Foundation
import Indexing
import TestSupport
import Testing

@testable import Catalog
@testable import Editing

/// Deleting all lines of a JSON Lines catalog, and adding books afterwards.
@Suite("A JSON Lines catalog whose books are all deleted")
struct EmptiedLinesTests: CatalogEditing {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private static let lines = [
        #"{"title": "Emma", "authors": ["Jane Austen"], "year": 1815}"#,
        #"  {"title":"Kidnapped","authors":["R. L. Stevenson"]}"#, #"{"title": "Ulysses", "authors": ["James Joyce"]}"#,
    ]

    @Test(arguments: ["\n", "\r\n"], [true, false])
    func itIsSavedOpenedAndUndoneToTheSameBytes(lineEnd: String, isEnded: Bool) throws {
        let text = "\u{FEFF}" + Self.lines.joined(separator: lineEnd) + (isEnded ? lineEnd : "")
        let path = try write(text, named: "books.jsonl")
        let catalog = try open(path)
        let outcome = try #require(try catalog.remove((0..<3).map { BookID($0) }))
        guard case .saved = try save(catalog) else { return #expect(Bool(false)) }
        #expect(try content(path).trimmingPrefix("\u{FEFF}").isEmpty)
        let again = try open(path)
        #expect(again.index.count == 0)
        _ = try again.reverse(outcome.number, redoing: false)
        #expect(titles(again) == ["Emma", "Kidnapped", "Ulysses"])
        guard case .saved = try save(again) else { return #expect(Bool(false)) }
        #expect(Array(try content(path).utf8) == Array(text.utf8))
        #expect(titles(try open(path)) == ["Emma", "Kidnapped", "Ulysses"])
    }

    @Test func aBookIsAddedToItAsALine() throws {
        let path = try write("", named: "books.ndjson")
        let catalog = try open(path)
        #expect(catalog.index.count == 0)
        _ = try catalog.add([Book(title: "New", authors: ["A"])], after: nil)
        _ = try catalog.add([Book(title: "Newer", authors: ["B"])], after: BookID(0))
        guard case .saved = try save(catalog) else { return #expect(Bool(false)) }
        let lines = try content(path).split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == 3 && lines[2].isEmpty)
        #expect(titles(try open(path)) == ["New", "Newer"])
    }

    @Test func aFileWithAnotherExtensionKeepsItsLastLine() throws {
        let text = Self.lines.joined(separator: "\n") + "\n"
        let path = try write(text, named: "books.json")
        let catalog = try open(path)
        _ = try catalog.remove((0..<3).map { BookID($0) })
        #expect(throws: CatalogEditError.unreadableAfterwards) { try save(catalog) }
        #expect(try content(path) == text)
        #expect(try open(path).unsavedCount == 3)
    }

    @Test func otherLinesDoNotRemainAlone() throws {
        let text = Self.lines[0] + "\n[1]\n"
        let path = try write(text, named: "books.jsonl")
        let catalog = try open(path)
        _ = try catalog.remove([BookID(0)])
        #expect(throws: CatalogEditError.unreadableAfterwards) { try save(catalog) }
        #expect(try content(path) == text)
    }
}
