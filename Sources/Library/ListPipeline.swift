public import Books
public import Catalog
public import Indexing
public import Search
internal import Threading

/// Computes the contents of a list for a request: sorted, filtered and grouped. Work that takes longer than a frame
/// runs in the background, and partial results are shown.
public final class ListPipeline {
    /// The work in progress, for the status line.
    public enum Progress: Hashable {
        case sorting, searching, grouping
        /// The columns of fields that only the catalog has are being made.
        case readingFields
    }

    /// Returns the columns of fields, waiting at most some milliseconds; nil while they are being made.
    public typealias Columns = (_ fields: Set<BookField>, _ milliseconds: Int) -> FieldColumns?

    /// The rows: those of `list`, or of a source that searches and sorts itself.
    public var rows: any RowSource { remote?.rows ?? list }
    /// The books of the list, if they are in memory.
    public private(set) var list = BookList([])
    /// The sections of the list, if it is grouped.
    public private(set) var sections: BookSections?
    /// The work in progress, or nil if the list is complete.
    public private(set) var progress: Progress?
    /// The current request.
    public private(set) var request = ListRequest()

    /// The request before the one for which columns are being made.
    public private(set) var earlierRequest = ListRequest()

    /// The source that searches and sorts itself, if the list comes from one.
    private var remote: Remote?
    /// The books that the request is about.
    private var input = Input()
    /// Called on any thread when there is something to receive.
    public var notify: @Sendable () -> Void = {}

    private let sorter = SortOrderCache()
    private var search: BookSearch?
    /// The last complete search with its parameters.
    private var found: (query: Query, order: SortOrder, base: Int, result: SearchResult)?
    private var grouping: BackgroundTask<BookSections>?
    /// The number of books whose text was loaded for searching.
    private var preparedCount = 0
    /// Whether the next search repeats the last one with more books.
    private var isSameSearch = false

    /// The books that a request is about.
    private struct Input {
        var books = BookList([])
        var index = BookIndex()
        /// Whether the catalog is fully loaded.
        var isComplete = false
        /// Returns the user data when it is needed.
        var userData: () -> UserDataFilter = { UserDataFilter() }
        /// Returns the columns of fields that only the catalog has, waiting at most these milliseconds; nil while they are
        /// being made.
        var columns: Columns = { _, _ in [:] }
        /// The number of the list, so that the results of another one are not reused.
        var number = 0
    }

    /// The rows of a source that searches and sorts itself.
    private struct Remote {
        let source: any RemotelyQueried
        /// The query that all rows must match.
        let scope: Query
        var rows: any RowSource = BookList([])
        /// The rows of the current request, until their first page is there.
        var next: (any RowSource)?
    }

    /// Creates a pipeline with an empty list.
    public init() {}

    /// Starts to compute `request` for the books of `base`.
    ///
    /// - Parameters:
    ///   - userData: Returns the user data when it is needed.
    ///   - columns: Returns the columns of fields that only the catalog has, waiting at most these milliseconds; nil while
    ///     they are being made.
    ///   - isGrown: Whether `base` contains the same books as before with more at the end.
    ///   - isComplete: Whether the catalog is fully loaded.
    ///   - notify: Called on any thread when there is something to receive.
    public func show(
        _ request: ListRequest, of base: BookList, in index: BookIndex, userData: @escaping () -> UserDataFilter,
        columns: @escaping Columns = { _, _ in [:] }, isGrown: Bool, isComplete: Bool,
        notifying notify: @escaping @Sendable () -> Void
    ) {
        remote = nil
        // While a catalog grows, an order of half of the books is good enough.
        if !isGrown { sorter.forgetReaderOrders() }
        let number = isGrown ? input.number : input.number + 1
        input = Input(
            books: base, index: index, isComplete: isComplete, userData: userData, columns: columns, number: number)
        self.notify = notify
        change(to: request, isGrown: isGrown)
    }

    /// Requests the rows from `remote`, unless they are the current ones.
    ///
    /// - Parameter scope: The query of the open saved search, which all rows must match.
    public func show(_ request: ListRequest, from remote: any RemotelyQueried, within scope: Query) {
        if let known = self.remote, known.source === remote, known.scope == scope, request == self.request { return }
        input = Input(number: input.number + 1)
        self.remote = Remote(source: remote, scope: scope)
        change(to: request)
    }

    /// Discards cached results, because the books changed.
    public func forget() {
        sorter.forget()
        found = nil
        // The rows of a server are those of its former answers.
        remote = nil
    }

    /// Loads the text of a cached index in the background, so that the first key in the search bar does not wait for
    /// it.
    public func prepareToSearch() {
        guard input.isComplete, preparedCount != input.index.count else { return }
        preparedCount = input.index.count
        BackgroundThread.start(as: .interactive) { [index = input.index] in index.prepareToSearch() }
    }

    /// Starts to compute `request` for the same books.
    public func change(to request: ListRequest) { change(to: request, isGrown: false) }

    private func change(to request: ListRequest, isGrown: Bool) {
        let shownOrder = self.request.order
        // More books arrived during a search: keep its finished segments and search only the rest.
        if isGrown, let search { found = (request.query, request.order, input.number, search.beginning) }
        // The reader's data may have changed while the list was sorted otherwise.
        if request.order.needsUserData, request.order != shownOrder { sorter.forgetReaderOrders() }
        if progress != .readingFields { earlierRequest = self.request }
        self.request = request
        search?.stop()
        search = nil
        grouping?.cancel()
        grouping = nil
        if let remote {
            (list, sections, progress) = (BookList([]), nil, nil)
            var asked = request
            asked.query = remote.scope.narrowed(by: request.query)
            let rows = remote.source.rows(for: asked)
            // The current rows stay until there are others to replace them, so that no key makes the list flicker.
            if remote.rows is BookList {
                self.remote?.rows = rows
            } else {
                self.remote?.next = rows
                progress = asked.order == shownOrder ? .searching : .sorting
                _ = receiveRemoteRows()
            }
            return
        }
        if request.isPlain {
            (list, sections, progress) = (input.books, nil, nil)
            found = nil
            return
        }
        if request.grouping == nil { sections = nil }
        progress = effectiveOrder == .list ? .searching : .sorting
        isSameSearch = isGrown
    }

    /// The books that the request is about, before it filters them.
    public var base: BookList { input.books }

    /// The books that are searched.
    public var scope: BookSearch.Scope { scope(with: [:]) }

    /// Returns the books that are searched, with the columns that the query needs.
    public func scope(with columns: FieldColumns) -> BookSearch.Scope {
        BookSearch.Scope(input.books, of: input.index, columns: columns)
    }

    /// The time in milliseconds to wait for a complete search before its first rows are shown, because drawing the
    /// screen twice for a key flickers.
    private static let completeSearchTimeLimit = 4

    /// Continues the work in progress, waiting at most `milliseconds` for it.
    ///
    /// - Parameter firstRows: The rows of a search to show as soon as they are final; nil to wait for all.
    /// - Returns: Whether the list changed.
    public func advance(milliseconds: Int, showing firstRows: BookSearch.FirstRows? = nil) -> Bool {
        guard progress != nil else { return false }
        if remote != nil { return receiveRemoteRows() }
        guard let columns = input.columns(request.columnFields, milliseconds) else {
            progress = .readingFields
            return false
        }
        if progress == .readingFields { progress = effectiveOrder == .list ? .searching : .sorting }
        var hasChanged = false
        var order: SortOrderCache.Order?
        if effectiveOrder != .list {
            order = sorter.order(
                effectiveOrder, of: input.index, columns: columns, userData: input.userData,
                isComplete: input.isComplete, waiting: milliseconds, notifying: notify)
            if order == nil { return false }
        }
        if progress != .grouping, request.query.expression == .everything, input.books.count == input.index.count {
            // All books are shown, so there is nothing to search.
            list = order.map { BookList(numbers: $0.indices) } ?? input.books
            sections = nil
            hasChanged = true
            progress = next(after: order)
        } else if progress != .grouping {
            progress = .searching
            if search == nil { beginSearch(in: order?.indices, columns, showing: firstRows) }
            guard let search else { return hasChanged }
            let timeLimit = firstRows == nil ? milliseconds : min(milliseconds, Self.completeSearchTimeLimit)
            var isComplete = search.wait(milliseconds: timeLimit)
            if !isComplete && timeLimit < milliseconds {
                search.waitForFirstRows(milliseconds: milliseconds - timeLimit)
                isComplete = search.wait(milliseconds: 0)
            }
            let result = search.result
            list = result.list
            sections = nil
            hasChanged = true
            guard isComplete else { return true }
            found = (request.query, request.order, input.number, result)
            self.search = nil
            progress = next(after: order)
        }
        if let key = request.grouping, progress == .grouping {
            let grouping =
                grouping
                ?? input.index.sections(
                    of: list, by: key, columns: columns, isDescending: key.isDescending(in: effectiveOrder),
                    userData: key == .status ? input.userData() : UserDataFilter(), notifying: notify)
            self.grouping = grouping
            guard let sections = grouping.wait(milliseconds: milliseconds) else { return hasChanged }
            self.grouping = nil
            (list, self.sections, progress) = (sections.list, sections, nil)
            hasChanged = true
        }
        return hasChanged
    }

    /// Takes over the rows of the current request of a server, once their first page is there or has failed.
    ///
    /// - Returns: Whether the rows changed.
    private func receiveRemoteRows() -> Bool {
        guard let next = remote?.next, next.id(atRow: 0) != .pending || next.rowCount == .exactly(0) else {
            return false
        }
        remote?.rows = next
        remote?.next = nil
        progress = nil
        return true
    }

    /// The order within sections: a series is sorted by position unless the request says otherwise.
    private var effectiveOrder: SortOrder {
        request.order == .list && request.grouping == .series ? SortOrder([.init(.series)]) : request.order
    }

    /// Returns the work that remains when the books in `order` are known.
    private func next(after order: SortOrderCache.Order?) -> Progress? {
        if request.grouping != nil { return .grouping }
        // A provisional order is replaced when the final one is complete.
        return input.isComplete && order?.isFinal == false ? .sorting : nil
    }

    private func beginSearch(
        in order: [UInt32]?, _ columns: FieldColumns, showing firstRows: BookSearch.FirstRows?
    ) {
        let scope = BookSearch.Scope(input.books, of: input.index, order: order, columns: columns)
        var earlier: SearchResult?
        var isSame = false
        if let found, found.base == input.number {
            isSame = isSameSearch && found.query == request.query
            if isSame || !isSameSearch && request.query.refines(found.query) { earlier = found.result }
        }
        search = BookSearch(
            request.query, in: scope, userData: input.userData(), after: earlier, isSame: isSame, showing: firstRows,
            notifying: notify)
    }
}
