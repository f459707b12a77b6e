public import Books
internal import Catalog
internal import Indexing

extension Library {
    /// The search for duplicates among the books of the catalog, as they are now.
    public var duplicateSearch: DuplicateSearch {
        DuplicateSearch(in: store.index) { [store] id in store.wholeBook(id)?.withoutSourceID }
    }
}

extension Book {
    /// The book without the key that its catalog gives it.
    public var withoutSourceID: Book {
        var book = self
        book.sourceID = nil
        return book
    }
}
