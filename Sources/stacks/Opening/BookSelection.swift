internal import Books
internal import Catalog
internal import Indexing
internal import Library
internal import Search
internal import Shelves
internal import Threading

/// The requested books: first those of the catalog, then those known only from user data.
struct BookSelection {
    /// The books of the catalog, in the requested order.
    private(set) var books: BookList
    /// The books of the list that are not in the catalog.
    private(set) var missing: [(identity: BookIdentity, bookData: UserBookData)] = []

    /// The search that selected the books of the catalog, if any.
    private var search: (query: Query, scope: BookSearch.Scope, userData: UserDataFilter)?

    /// The number of books.
    var count: Int { books.count + missing.count }

    /// Returns the first `count` books.
    func prefix(_ count: Int) -> (books: BookList, missing: [(identity: BookIdentity, bookData: UserBookData)]) {
        if count >= self.count { return (books, missing) }
        let shown = min(max(0, count), books.count)
        return (BookList((0..<shown).map { books[$0] }), Array(missing.prefix(max(0, count - books.count))))
    }

    /// Selects the books of `request` in the list named `listName`, or in all of `store` if it is nil.
    ///
    /// - Parameters:
    ///   - addsAllMissing: Whether all of `store` includes the books that are known only from user data.
    ///   - library: Returns the catalog with the user data; called at most once and only if needed.
    /// - Throws: `CommandError` if no list has this name.
    init(
        _ request: BookRequest, inListNamed listName: String?, of store: BookStore, addsAllMissing: Bool = false,
        library: () -> Library
    ) throws(CommandError) {
        let request = try request.resolved(in: store.schema)
        books = BookList(allOf: store.index.count)
        var opened: Library?
        if let listName {
            let library = library()
            let list = try library.requiredList(named: listName)
            opened = library
            books = library.books(in: list)
            // A query needs records, which missing books do not have.
            if request.asksForAll { missing = library.missingUserData(in: list) }
        } else if addsAllMissing && request.asksForAll {
            let library = library()
            opened = library
            missing = library.missingUserData
        }
        if request.isPlain { return }
        var userData = UserDataFilter()
        if request.query?.needsUserData == true || request.order?.needsUserData == true {
            userData = (opened ?? library()).userDataFilter
        }
        let fields = (request.query?.columnFields ?? []).union(request.order?.ownFields ?? [])
        let columns = store.columnsNow(of: fields)
        let scope = BookSearch.Scope(
            books, of: store.index, order: request.indices(of: store, columns, userData), columns: columns)
        let query = request.query ?? Query("")
        self.search = (query, scope, userData)
        let search = BookSearch(query, in: scope, userData: userData)
        while !search.wait(milliseconds: 1000) {}
        books = search.result.list
    }

    /// The message with the reason why the search found nothing; nil if there is no more specific reason. Takes longer
    /// than the search.
    func reasonForNothing(in store: BookStore) -> String? {
        guard let search else { return nil }
        let texts = store.schema.described.filter { $0.info.own?.kind.isNumeric == false }
        let columns = search.scope.columns.merging(store.columnsNow(of: Set(texts))) { $1 }
        guard
            let diagnosis = NoResultsDiagnosis(
                of: search.query, in: search.scope.with(columns), userData: search.userData)
        else { return nil }
        let isOnlyTerm = search.query.text(of: diagnosis.term) == search.query.text.trimmed
        return isOnlyTerm && diagnosis.spellings.isEmpty && diagnosis.elsewhere.isEmpty
            ? nil : diagnosis.sentence(of: search.query)
    }
}

extension BookRequest {
    /// Returns all books of `store` in the requested order; nil for catalog order.
    fileprivate func indices(
        of store: BookStore, _ columns: FieldColumns, _ userData: UserDataFilter
    ) -> [UInt32]? {
        guard let order, order != .list else { return nil }
        let sorter = SortOrderCache()
        while true {
            let permutation = sorter.order(
                order, of: store.index, columns: columns, userData: { userData }, isComplete: true, waiting: 1000,
                notifying: {})
            if let permutation, permutation.isFinal { return permutation.indices }
        }
    }
}
