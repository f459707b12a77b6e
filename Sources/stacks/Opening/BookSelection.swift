internal import Catalog
internal import Formats
internal import Indexing
internal import Library
internal import Search
internal import Threading

/// The books that were asked for: those of the catalog, and then those that only marks know.
struct BookSelection {
    /// Those of the catalog, in the order that was asked for.
    private(set) var books: BookList
    /// Those that are in the list, but not in the catalog.
    private(set) var missing: [PrintedBook] = []

    /// How many there are.
    var count: Int { books.count + missing.count }

    /// What `request` asks for of a list of this name; of all books of `store`, where none is named.
    ///
    /// - Parameter library: The catalog with what is the reader's own; asked for at most once, where that is needed.
    /// - Throws: `CommandError`, where there is no such list.
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
            // A query is asked of records, and a mark has none.
            if request.asksForAll {
                missing = library.missingMarks(in: list).map { PrintedBook(identity: $0.identity, mark: $0.mark) }
            }
        }
        if request.isPlain { return }
        var marks = UserDataFilter()
        if let query = request.query, query.asksForMarks { marks = (opened ?? library()).searchMarks }
        let scope = BookSearch.Scope(books, of: store.index, order: request.indices(of: store))
        let search = BookSearch(request.query ?? Query(""), in: scope, marks: marks, by: ThreadPool())
        while !search.wait(milliseconds: 1000) {}
        books = search.result.list
    }
}

extension BookRequest {
    /// All books of `store` in the order that is asked for; nil for the catalog's own.
    fileprivate func indices(of store: BookStore) -> [UInt32]? {
        guard let order, order != .list else { return nil }
        let sorter = SortOrderCache()
        while true {
            let made = sorter.order(order, of: store.index, isComplete: true, waiting: 1000, notifying: {})
            if let made, made.isFinal { return made.indices }
        }
    }
}
