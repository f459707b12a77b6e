internal import Books
internal import Catalog
internal import Indexing

extension Library {
    /// The search for duplicates among the books of the catalog, as they are now.
    public var duplicateSearch: DuplicateSearch {
        DuplicateSearch(in: store.index) { [store] first, second in
            guard var one = store.wholeBook(first), var other = store.wholeBook(second) else { return false }
            // Each record of a catalog has a key of its own.
            (one.sourceID, other.sourceID) = (nil, nil)
            return one == other
        }
    }
}
