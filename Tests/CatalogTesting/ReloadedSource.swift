package import Books
package import Catalog
package import Indexing

/// A source whose books differ each time it is loaded.
package final class ReloadedSource: LocallyIndexed, Reloadable {
    package let name: String
    private let read: () throws(CatalogError) -> [Book]
    private var books = InMemoryCatalog(name: "", books: [])
    private var isOpen = false

    /// Creates a source that loads its books with `read`.
    package init(name: String, reading read: @escaping () throws(CatalogError) -> [Book]) {
        self.name = name
        self.read = read
    }

    package func open() throws(CatalogError) { if !isOpen { try reload() } }

    package func reload() throws(CatalogError) {
        books = InMemoryCatalog(name: name, books: try read())
        isOpen = true
    }

    package var canReload: Bool { true }
    package var isOutdated: Bool { false }
    package func watch(waking wake: @escaping @Sendable () -> Void) -> AnyObject? { nil }
    package var index: BookIndex { books.index }
    package var count: BookCount { books.count }
    package var state: SourceState { books.state }
    package var defects: CatalogDefects { books.defects }
    package func summary(of id: BookID) -> Slot<BookSummary> { books.summary(of: id) }
    package func book(_ id: BookID) -> Slot<Book> { books.book(id) }
    package var all: any RowSource { books.all }
    package func start(waking wake: @escaping @Sendable () -> Void) {}
    package func receive() -> Bool { false }
}
