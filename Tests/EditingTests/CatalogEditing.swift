import Books
import CatalogTesting
import Foundation
import Indexing
import Storage
import TestSupport
import Testing

@testable import Catalog
@testable import Editing

/// A suite that edits catalogs in files.
protocol CatalogEditing {
    /// The directory of the files.
    var directory: TemporaryDirectory { get }
}

extension CatalogEditing {
    /// A catalog of four books with different layouts.
    static var text: String {
        """
        [
          {"title": "Emma", "authors": ["Jane Austen"], "year": 1815, "isbn": "9780141439587"},
          {"title": "Dr\\u00e1cula",   "authors": ["Bram Stoker"], "year": 1897},
          {"title": "Kidnapped", "authors": ["R. L. Stevenson"], "year": 1886, "x": [ 1,2 ]},
          {"title": "Middlemarch", "authors": ["George Eliot"], "year": 1871}
        ]

        """
    }

    func write(_ text: String = Self.text, named name: String = "books.json") throws -> String {
        try directory.write(text.utf8, to: name)
    }

    func open(_ path: String) throws -> EditedCatalog {
        let catalog = EditedCatalog(
            JSONFileCatalog(path: path), journalPath: EditedCatalog.journalPath(of: path, in: directory.path + "/state")
        )
        try catalog.open()
        catalog.base.readRest()
        _ = catalog.receive()
        return catalog
    }

    func content(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    }

    func titles(_ catalog: EditedCatalog) -> [String] {
        (0..<catalog.index.count).map { catalog.book(BookID($0)).value?.title ?? "gone" }
    }

    func save(_ catalog: EditedCatalog) throws -> SaveProgress {
        let progress = try catalog.save {}
        guard case .running = progress else { return progress }
        return try #require(try catalog.receiveSave(waiting: 10_000) {})
    }

    func setTitle(_ title: String, of index: Int, in catalog: EditedCatalog) throws -> EditOutcome? {
        try catalog.set([.title], of: [BookID(index)]) { $0.title = title }
    }

    func journal(_ path: String) throws -> String {
        try #require(EditedCatalog.journalPath(of: path, in: directory.path + "/state"))
    }

    func lines(_ path: String) throws -> [String] {
        try content(try journal(path)).split(separator: "\n").map(String.init)
    }

    func write(_ lines: [String], asJournalOf path: String) throws {
        try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: URL(filePath: try journal(path)))
    }
}
