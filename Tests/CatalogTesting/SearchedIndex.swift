package import Indexing
package import Search
package import Threading

/// An index with synchronous searches, for tests.
package struct SearchedIndex {
    package let index: BookIndex

    /// Creates a search of this index.
    package init(_ index: BookIndex) { self.index = index }

    /// The scope of all books.
    var scope: BookSearch.Scope { BookSearch.Scope(BookList(allOf: index.count), of: index) }

    /// Returns the results of `query` in all books or those of `list`. Without a pool the calling thread searches.
    package func search(
        _ query: Query, in list: BookList? = nil, isSorted: Bool = false, userData: UserDataFilter = UserDataFilter(),
        after earlier: SearchResult? = nil, isSame: Bool = false,
        on pool: ThreadPool = ThreadPool(threadCount: 0)
    ) -> SearchResult {
        let scope = BookSearch.Scope(
            list ?? BookList(allOf: index.count), of: index, order: isSorted ? list?.rows.map { UInt32($0) } : nil)
        let search = BookSearch(
            query, in: scope, userData: userData, after: earlier, isSame: isSame, on: pool)
        while !search.wait(milliseconds: 60_000) {}
        return search.result
    }
}

extension BookList {
    /// The indices of the books in order.
    package var rows: [Int] { (0..<count).map { self[$0].index } }
}
