package import Books
package import Indexing

@testable package import Editing

/// Edits of few books, which are prepared at once.
extension EditedCatalog {
    /// Sets `fields` of books to the values that `change` gives them.
    ///
    /// - Returns: The outcome; nil if all books had these values already.
    /// - Throws: `CatalogEditError`; nothing is changed then.
    package func set(
        _ fields: Set<BookField>, of ids: [BookID], _ change: @escaping @Sendable (inout Book) -> Void
    ) throws(CatalogEditError) -> EditOutcome? {
        try perform(ids) { ids throws(CatalogEditError) in
            try edits(.set(fields, change), of: ids)
        }
    }

    /// Deletes books.
    ///
    /// - Throws: `CatalogEditError`; nothing is changed then.
    package func remove(_ ids: [BookID]) throws(CatalogEditError) -> EditOutcome? {
        try perform(ids) { ids throws(CatalogEditError) in
            try edits(.delete, of: ids)
        }
    }
}
