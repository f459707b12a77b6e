internal import Catalog
internal import Formats
internal import Indexing
internal import Library
internal import Search
internal import Threading

/// The requested books: those of the catalog, then those known only from user data.
struct BookSelection {
    /// The books of the catalog, in the requested order.
    private(set) var books: BookList
    /// The books of the list that are not in the catalog.
    private(set) var missing: [PrintedBook] = []

    /// The number of books.
    var count: Int { books.count + missing.count }

    /// Selects the books of `request` in the list named `listName`, or in all of `store` if it is nil.
    ///
    /// - Parameter library: Returns the catalog with the user data; called at most once and only if needed.
    /// - Throws: `CommandError` if no list has this name.
    init(
        _ request: BookRequest, inListNamed listName: String?, of store: BookStore, library: () -> Library
    ) throws(CommandError) {
        books = BookList(allOf: store.index.count)
        var opened: Library?
        if let listName {
            let library = library()
            let list = try library.requiredList(named: listName)
            opened = library
            books = library.books(in: list)
            // A query needs records, which books outside the catalog do not have.
            if request.asksForAll {
                missing = library.missingUserData(in: list).map {
                    PrintedBook(identity: $0.identity, bookData: $0.bookData)
                }
            }
        }
        if request.isPlain { return }
        var userData = UserDataFilter()
        if let query = request.query, query.needsUserData { userData = (opened ?? library()).userDataFilter }
        let scope = BookSearch.Scope(books, of: store.index, order: request.indices(of: store))
        let search = BookSearch(request.query ?? Query(""), in: scope, userData: userData)
        while !search.wait(milliseconds: 1000) {}
        books = search.result.list
    }
}

extension BookRequest {
    /// Returns all books of `store` in the requested order; nil for catalog order.
    fileprivate func indices(of store: BookStore) -> [UInt32]? {
        guard let order, order != .list else { return nil }
        let sorter = SortOrderCache()
        while true {
            let made = sorter.order(order, of: store.index, isComplete: true, waiting: 1000, notifying: {})
            if let made, made.isFinal { return made.indices }
        }
    }
}
