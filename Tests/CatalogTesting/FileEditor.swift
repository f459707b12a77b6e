package import Books
package import Indexing
package import JSON

@testable package import Catalog
@testable package import Editing

/// Edits a file as commands do: beside the unsaved edits, and without a reader's data.
package final class FileEditor {
    /// The catalog that is edited.
    package let catalog: EditedCatalog

    /// Opens a file for editing.
    ///
    /// - Throws: `CatalogEditError` if it cannot be edited.
    package init(_ file: JSONFileCatalog, journalPath: String? = nil) throws {
        catalog = EditedCatalog(file, journalPath: journalPath, isDirect: true)
        try file.open()
        file.readRest()
        catalog.receiveFile()
        try catalog.checkEditable()
    }

    /// Opens the file at `path` for editing.
    package convenience init(_ path: String, journalPath: String? = nil) throws {
        try self.init(JSONFileCatalog(path: path), journalPath: journalPath)
    }

    /// The number of books.
    package var count: Int { catalog.index.count }

    /// Returns a book.
    package func book(_ id: BookID) -> Book? { catalog.book(id).value }

    /// Returns the bytes of the record of a book.
    package func record(_ id: BookID) -> [UInt8]? { catalog.bytes(of: id) }

    /// Sets fields of a book to their values in `book`.
    ///
    /// - Returns: Whether the record changes.
    @discardableResult
    package func set(_ fields: Set<BookField>, of id: BookID, to book: Book) throws -> Bool {
        try catalog.set(fields, of: [id]) { $0 = book } != nil
    }

    /// Adds books at the end.
    package func add(_ books: [Book]) throws { _ = try catalog.add(books, after: nil) }

    /// Deletes books.
    package func remove(_ ids: [BookID]) throws { _ = try catalog.remove(ids) }

    /// Moves a book before or after another.
    package func move(_ id: BookID, after isAfter: Bool, _ other: BookID) throws {
        _ = try catalog.move(id, after: isAfter, other)
    }

    /// Sorts all books.
    package func sort(into order: [BookID]) throws { _ = try catalog.sort(into: order) }

    /// The changes of the file.
    package var changes: [TextSplice] { get throws { try catalog.arrangement().changes } }

    /// Whether nothing changes.
    package var isEmpty: Bool { catalog.unsavedCount == 0 }

    /// Saves the edits.
    ///
    /// - Returns: Whether the file was still the one that was read.
    package func save() throws -> Bool { try catalog.saveDirectly(isUndoable: false) { _, _ in } != nil }

    /// Saves the edits with their journal.
    ///
    /// - Returns: The number of the step; nil if it cannot be undone.
    package func saveForUndo() throws -> Int? { try catalog.saveDirectly(isUndoable: true) { _, _ in }?.number }
}
