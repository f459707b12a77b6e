import Books
import CatalogTesting
import Editing
import Foundation
import Indexing
import TestSupport
import Testing

@testable import Catalog

/// A new record is identified as a book in the same way as its neighbours.
@Suite("Markers that identify a new record as a book")
struct RecordMarkersTests: CatalogEditing {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// Adds a book after the last one of a catalog, saves it, and returns the new text and its titles.
    private func add(to text: String, _ name: String = "books.json") throws -> (text: String, titles: [String]) {
        let path = try write(text, named: name)
        let catalog = try open(path)
        let last = BookID(catalog.index.count - 1)
        _ = try catalog.add([Book(title: "New", authors: ["Ann Other"])], after: last)
        guard case .saved = try save(catalog) else { throw CocoaError(.fileWriteUnknown) }
        return (try content(path), titles(try open(path)))
    }

    @Test func anIgnoredTypeSharedByAllRecordsIsCopied() throws {
        let text = """
            [
              {"id": "a", "type": "book", "title": "Emma", "author": [{"family": "Austen", "given": "Jane"}]},
              {"id": "b", "type": "book", "title": "Dracula", "author": [{"family": "Stoker", "given": "Bram"}]}
            ]

            """
        let (new, titles) = try add(to: text)
        #expect(titles == ["Emma", "Dracula", "New"])
        #expect(new.contains(#""type": "book", "title": "New""#))
    }

    @Test func aDifferingTypeIsOmitted() throws {
        let text = """
            [
              {"id": "a", "type": "book", "title": "Emma", "author": [{"family": "Austen", "given": "Jane"}]},
              {"id": "b", "type": "thesis", "title": "Dracula", "author": [{"family": "Stoker", "given": "Bram"}]}
            ]

            """
        #expect(try add(to: text).text.split(separator: "\"type\"").count == 3)
    }

    @Test func theFilteredTypeIsCopiedFromTheNeighbour() throws {
        let text = """
            {"@context": "https://schema.org", "@graph": [
              {"@type": "Person", "name": "Jane Austen"},
              {"@type": "Book", "name": "Emma", "author": "Jane Austen"},
              {"@type": "Book", "name": "Persuasion", "author": "Jane Austen"}
            ]}

            """
        let (new, titles) = try add(to: text)
        #expect(titles == ["Emma", "Persuasion", "New"])
        #expect(new.contains(#"{"@type": "Book", "name": "New""#))
    }

    @Test func anAccidentallyEqualDateIsNotCopied() throws {
        let text = """
            [
              {"Key": "A", "Title": "Emma", "Author": "Austen, Jane", "Access Date": "2020-01-01", "Date Modified": "x"},
              {"Key": "B", "Title": "Emma 2", "Author": "Austen, Jane", "Access Date": "2020-01-01"}
            ]

            """
        #expect(try add(to: text).text.split(separator: "2020-01-01").count == 3)
    }
}
