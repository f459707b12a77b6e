internal import Books
internal import Indexing
internal import Shelves

/// The books of a catalog that have user data, grouped by list.
struct UserDataByList {
    /// The members of a list.
    struct Members {
        /// The books of the catalog, in catalog order.
        var books: [BookID] = []
        /// The identities of books that are not in the catalog, ordered by title.
        var missing: [BookIdentity] = []
    }

    private(set) var index: UserDataIndex
    /// The members of all lists, computed together on first use.
    private var lists: [NamedList.Kind: Members]?

    /// Creates the groups for `index`.
    init(_ index: UserDataIndex) { self.index = index }

    /// The number of books of the catalog that were examined.
    var bookCount: Int { index.resolver.bookCount }

    /// Returns the members of `list`. Linear in the user data on first use, then constant.
    mutating func members(of list: NamedList) -> Members {
        if lists == nil { lists = membersOfLists() }
        return lists?[list.kind] ?? Members()
    }

    private func membersOfLists() -> [NamedList.Kind: Members] {
        var lists: [NamedList.Kind: Members] = [:]
        index.forEachBook { book, bookData in
            bookData.forEachList { lists[$0, default: Members()].books.append(book) }
        }
        index.forEachMissing { identity, bookData in
            bookData.forEachList { lists[$0, default: Members()].missing.append(identity) }
        }
        return lists
    }

    /// Locates user data among the books that were appended to `index`.
    ///
    /// - Returns: Whether user data may be on other books now.
    mutating func extend(to index: BookIndex) -> Bool {
        guard self.index.extend(to: index) else { return false }
        lists = nil
        return true
    }

    /// Updates the user data of `books` after a change; `identities` are their identities in the same order.
    mutating func take(_ identities: ArraySlice<[BookIdentity]>, of books: [BookID]) {
        // For many books, recomputing all lists is faster than updating them one by one.
        if books.count > 100 { lists = nil }
        for (book, identities) in zip(books, identities) {
            index.setIdentities(identities, of: book)
            if lists != nil { updateLists(book) }
        }
    }

    /// Discards the lists, after a change to user data of books that are not in the catalog.
    mutating func forgetLists() { lists = nil }

    private mutating func updateLists(_ book: BookID) {
        var kinds: Set<NamedList.Kind> = []
        index.userData(of: book)?.forEachList { kinds.insert($0) }
        for kind in kinds.union(lists?.keys.map(\.self) ?? []) {
            lists?[kind, default: Members()].books.put(book, in: kinds.contains(kind))
        }
    }
}

extension [BookID] {
    /// Inserts `value` into an ascending array, or removes it.
    fileprivate mutating func put(_ value: BookID, in isIn: Bool) {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < value { low = middle + 1 } else { high = middle }
        }
        let isThere = low < count && self[low] == value
        if isIn && !isThere { insert(value, at: low) }
        if !isIn && isThere { remove(at: low) }
    }
}

extension UserBookData {
    /// Calls `body` with each list that contains the book.
    fileprivate func forEachList(_ body: (NamedList.Kind) -> Void) {
        if isFavourite { body(.favourites) }
        if let status { body(.status(status)) }
        for id in shelves { body(.shelf(id)) }
    }
}
