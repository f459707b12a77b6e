public import Catalog
public import Indexing
public import Search
public import Threading

/// Makes what a list shows of what the reader asked for: ordered, searched and in sections. What takes longer than a frame is
/// done in the background, and shown as far as it is there.
public final class ListPipeline {
    /// What is still to be done, for the status line.
    public enum Progress: Hashable {
        case sorting, searching, grouping
    }

    /// The rows: of `list`, or of a source that searches and sorts itself.
    public var rows: any RowSource { remoteRows ?? list }
    /// The books that are at hand.
    public private(set) var list = BookList([])
    /// The sections that they stand in; nil for none.
    public private(set) var sections: BookSections?
    /// What is still to be done; nil where all is.
    public private(set) var progress: Progress?
    /// What was asked for last.
    public private(set) var request = ListRequest()

    /// Who is asked for rows; nil if the books are at hand.
    private var remote: (any RemotelyQueried)?
    private var remoteRows: (any RowSource)?
    private var scopeOfRemote = Query("")
    private var base = BookList([])
    private var index = BookIndex()
    private var isComplete = false
    private var marks: () -> UserDataFilter = { UserDataFilter() }
    /// Called on any thread when there is something to take in.
    public var notify: @Sendable () -> Void = {}

    /// The threads that search.
    private let team = ThreadPool()
    private let sorter = SortOrderCache()
    private var search: BookSearch?
    /// The last search that is complete, and what it was of.
    private var found: (query: Query, order: SortOrder, base: Int, result: SearchResult)?
    private var grouping: SectionBuilder?
    /// Of its own, so that a key that searches does not stop it, and it does not stop a search.
    private let groupers = ThreadPool(scheduling: .batch)
    /// The threads that count, for the same reason.
    public let counters = ThreadPool(scheduling: .batch)
    /// The threads that find out why nothing was found, and where the last matches are.
    public let explainers = ThreadPool(scheduling: .batch)
    /// For how many books the text that is searched was made ready.
    private var preparedCount = 0
    /// Counts the lists that are searched, so that what was found in one is not taken for another's.
    private var baseNumber = 0

    /// A pipeline of a list that has no books yet.
    public init() {}

    /// Asks for `request` of the books of `base`.
    ///
    /// - Parameters:
    ///   - marks: Tells the marks of books, where they are needed.
    ///   - isGrown: Whether these are the same books as before, with more at the end.
    ///   - isComplete: Whether no more will come.
    ///   - notify: Called on any thread when there is something to take in.
    public func show(
        _ request: ListRequest, of base: BookList, in index: BookIndex, marks: @escaping () -> UserDataFilter,
        isGrown: Bool, isComplete: Bool, notifying notify: @escaping @Sendable () -> Void
    ) {
        (remote, remoteRows) = (nil, nil)
        if !isGrown { baseNumber += 1 }
        self.isComplete = isComplete
        (self.base, self.index, self.marks, self.notify) = (base, index, marks, notify)
        change(to: request, isGrown: isGrown)
    }

    /// Asks `remote` for the rows that answer `request`, unless they were asked for already.
    ///
    /// - Parameter scope: What all rows have: the saved search that is open.
    public func show(_ request: ListRequest, from remote: any RemotelyQueried, within scope: Query) {
        if self.remote === remote, remoteRows != nil, request == self.request, scope == self.scopeOfRemote { return }
        (base, index) = (BookList([]), BookIndex())
        self.remote = remote
        scopeOfRemote = scope
        change(to: request)
    }

    /// Forgets what was made of the books: they are others now.
    public func forget() {
        sorter.forget()
        found = nil
    }

    /// Has the text of a kept index read in the background, so that the first key in the search bar does not wait for it.
    public func prepareToSearch() {
        guard isComplete, preparedCount != index.count else { return }
        preparedCount = index.count
        BackgroundThread.start(as: .interactive) { [index] in index.prepareToSearch() }
    }

    /// Asks for `request` of the same books.
    public func change(to request: ListRequest) { change(to: request, isGrown: false) }

    private func change(to request: ListRequest, isGrown: Bool) {
        // More books arrived during a search: keep its finished segments and search only the rest.
        if isGrown, let search { found = (request.query, request.order, baseNumber, search.beginning) }
        self.request = request
        search?.stop()
        search = nil
        grouping?.stop()
        grouping = nil
        if let remote {
            (list, sections, progress) = (base, nil, nil)
            var asked = request
            asked.query = scopeOfRemote.narrowed(by: request.query)
            remoteRows = remote.rows(for: asked)
            return
        }
        if request.isPlain {
            (list, sections, progress) = (base, nil, nil)
            found = nil
            return
        }
        if request.grouping == nil { sections = nil }
        progress = effectiveOrder == .list ? .searching : .sorting
        isSameSearch = isGrown
    }

    /// Whether the search to come is the last one, of more books.
    private var isSameSearch = false

    /// What is searched.
    public var scope: BookSearch.Scope { BookSearch.Scope(base, of: index) }

    /// How long a search is waited for before its first rows are shown without the others, in milliseconds: a screen that is
    /// drawn twice for a key flickers.
    private static let graceForAllRows = 4

    /// Goes on with what is to be done, and waits for it, at most so many milliseconds.
    ///
    /// - Parameter firstRows: The rows of a search that are shown as soon as they are settled; nil to wait for all.
    /// - Returns: Whether the list is another now.
    public func advance(milliseconds: Int, showing firstRows: BookSearch.FirstRows? = nil) -> Bool {
        guard progress != nil else { return false }
        var hasChanged = false
        var order: SortOrderCache.Order?
        if effectiveOrder != .list {
            order = sorter.order(
                effectiveOrder, of: index, isComplete: isComplete, waiting: milliseconds, notifying: notify)
            if order == nil { return false }
        }
        if progress != .grouping, request.query.expression == .everything, base.count == index.count {
            // All books, in their order or another: there is nothing to look for.
            list = order.map { BookList(numbers: $0.indices) } ?? base
            sections = nil
            hasChanged = true
            progress = next(after: order)
        } else if progress != .grouping {
            progress = .searching
            if search == nil { beginSearch(in: order?.indices, showing: firstRows) }
            guard let search else { return hasChanged }
            let grace = firstRows == nil ? milliseconds : min(milliseconds, Self.graceForAllRows)
            var isComplete = search.wait(milliseconds: grace)
            if !isComplete && grace < milliseconds {
                search.waitForFirstRows(milliseconds: milliseconds - grace)
                isComplete = search.wait(milliseconds: 0)
            }
            let result = search.result
            list = result.list
            sections = nil
            hasChanged = true
            guard isComplete else { return true }
            found = (request.query, request.order, baseNumber, result)
            self.search = nil
            progress = next(after: order)
        }
        if let key = request.grouping, progress == .grouping {
            let grouping =
                grouping
                ?? SectionBuilder(
                    of: list, in: index, by: key, marks: key == .status ? marks() : UserDataFilter(), with: groupers,
                    notifying: notify)
            self.grouping = grouping
            guard grouping.wait(milliseconds: milliseconds), let sections = grouping.sections else { return hasChanged }
            self.grouping = nil
            (list, self.sections, progress) = (sections.list, sections, nil)
            hasChanged = true
        }
        return hasChanged
    }

    /// The order within sections: the books of a series are in the order of the series, where nothing else was asked for.
    private var effectiveOrder: SortOrder {
        request.order == .list && request.grouping == .series ? SortOrder([.init(.series)]) : request.order
    }

    /// What is to be done when the books in `order` are known.
    private func next(after order: SortOrderCache.Order?) -> Progress? {
        if request.grouping != nil { return .grouping }
        // An order to which books were added since is put right when it is made.
        return isComplete && order?.isFinal == false ? .sorting : nil
    }

    private func beginSearch(in order: [UInt32]?, showing firstRows: BookSearch.FirstRows?) {
        let scope = BookSearch.Scope(base, of: index, order: order)
        var earlier: SearchResult?
        var isSame = false
        if let found, found.base == baseNumber {
            isSame = isSameSearch && found.query == request.query
            if isSame || !isSameSearch && request.query.refines(found.query) { earlier = found.result }
        }
        search = BookSearch(
            request.query, in: scope, marks: marks(), after: earlier, isSame: isSame, showing: firstRows, by: team,
            notifying: notify)
    }
}
