internal import Books
internal import Indexing
internal import Shelves

/// Which books of a catalog are marked, and which of them are in each list that the reader's marks make.
struct MarkedBooks {
    /// What the marks of a list are on.
    struct Members {
        /// Books of the catalog, in its order.
        var books: [BookID] = []
        /// Marks whose books are not in the catalog, by their titles.
        var missing: [BookIdentity] = []
    }

    private(set) var index: MarkIndex
    /// Of which state of the marks it tells, as `UserData.changeCount` numbers them.
    private(set) var changeCount: Int
    /// Made when it is first asked for, of all lists at once.
    private var lists: [NamedList.Kind: Members]?

    /// Those of `index`, which was made when the marks had changed so often.
    init(_ index: MarkIndex, changeCount: Int) {
        self.index = index
        self.changeCount = changeCount
    }

    /// How many books of the catalog it knows.
    var bookCount: Int { index.places.bookCount }

    /// What is in `list`. Linear in all marks for the first list that is asked for, and constant for the others.
    mutating func members(of list: NamedList) -> Members {
        if lists == nil { lists = membersOfLists() }
        return lists?[list.kind] ?? Members()
    }

    private func membersOfLists() -> [NamedList.Kind: Members] {
        var lists: [NamedList.Kind: Members] = [:]
        index.forEachBook { book, mark in
            mark.forEachList { lists[$0, default: Members()].books.append(book) }
        }
        index.forEachMissing { identity, mark in
            mark.forEachList { lists[$0, default: Members()].missing.append(identity) }
        }
        return lists
    }

    /// Takes in the books that came to the end of `index`.
    ///
    /// - Returns: Whether marks may be on other books now.
    mutating func extend(to index: BookIndex) -> Bool {
        guard self.index.extend(to: index) else { return false }
        lists = nil
        return true
    }

    /// Takes in a change of which `marks` came, in turn, for `books`, and that was made to no others: the rest need not be
    /// looked for again.
    mutating func take(_ marks: ArraySlice<[BookIdentity]>, of books: [BookID], changeCount: Int) {
        self.changeCount = changeCount
        // To put many in their places one by one takes longer than to begin anew.
        if books.count > 100 { lists = nil }
        for (book, identities) in zip(books, marks) {
            index.setMarks(identities, of: book)
            if lists != nil { putInPlace(book) }
        }
    }

    /// Forgets what is in which list, where marks that are on no book of the catalog were changed.
    mutating func forgetLists() { lists = nil }

    private mutating func putInPlace(_ book: BookID) {
        var kinds: Set<NamedList.Kind> = []
        index.mark(of: book)?.forEachList { kinds.insert($0) }
        for kind in kinds.union(lists?.keys.map(\.self) ?? []) {
            lists?[kind, default: Members()].books.put(book, in: kinds.contains(kind))
        }
    }
}

extension [BookID] {
    /// Adds `value` to books in ascending order, or takes it away.
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
    /// Calls `body` with each list that it puts its book into.
    fileprivate func forEachList(_ body: (NamedList.Kind) -> Void) {
        if isFavourite { body(.favourites) }
        if let status { body(.status(status)) }
        for id in shelves { body(.shelf(id)) }
    }
}
