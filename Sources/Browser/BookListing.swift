internal import Catalog
internal import Storage

/// Makes what a list shows of what the reader asked for: ordered, searched and in sections. What takes longer than a frame is
/// done in the background, and shown as far as it is there.
final class BookListing {
    /// What the reader asked for.
    struct Request: Hashable {
        /// What is looked for.
        var query = Query("")
        /// How it is ordered.
        var order = SortOrder.list
        /// By what it is in sections; nil for none.
        var grouping: SectionKey?

        /// Whether it is the list as it is.
        var isPlain: Bool { query.expression == .everything && order == .list && grouping == nil }
    }

    /// What is still to be done, for the status line.
    enum Progress: Hashable {
        case sorting, searching, grouping
    }

    /// The books.
    private(set) var list = BookList([])
    /// The sections that they stand in; nil for none.
    private(set) var sections: BookSections?
    /// What is still to be done; nil where all is.
    private(set) var progress: Progress?
    /// What was asked for last.
    private(set) var request = Request()

    private var base = BookList([])
    private var index = BookIndex()
    private var marks: () -> SearchMarks = { SearchMarks() }
    private var notify: @Sendable () -> Void = {}

    /// Made with the first search, not on the way to the first screen.
    private(set) lazy var team = WorkTeam()
    private lazy var sorter = BookSorter()
    private var search: BookSearch?
    /// The last search that is complete, and what it was of.
    private var found: (query: Query, order: SortOrder, base: Int, result: SearchResult)?
    private var grouped: BackgroundResult<BookSections>?
    /// Counts the lists that are searched, so that what was found in one is not taken for another's.
    private var baseNumber = 0

    /// Asks for `request` of the books of `base`, which `marks` tells the marks of where these are needed; another list than before unless `isGrown`: then it is the same with more
    /// books at the end.
    func show(
        _ request: Request, of base: BookList, in index: BookIndex, marks: @escaping () -> SearchMarks,
        isGrown: Bool = false,
        notifying notify: @escaping @Sendable () -> Void
    ) {
        if !isGrown { baseNumber += 1 }
        (self.base, self.index, self.marks, self.notify) = (base, index, marks, notify)
        change(to: request, isGrown: isGrown)
    }

    /// Asks for `request` of the same books.
    func change(to request: Request) { change(to: request, isGrown: false) }

    private func change(to request: Request, isGrown: Bool) {
        self.request = request
        search?.stop()
        search = nil
        grouped?.cancel()
        grouped = nil
        if request.isPlain {
            (list, sections, progress) = (base, nil, nil)
            found = nil
            return
        }
        if request.grouping == nil { sections = nil }
        progress = request.order == .list ? .searching : .sorting
        isSameSearch = isGrown
    }

    /// Whether the search to come is the last one, of more books.
    private var isSameSearch = false

    /// Goes on with what is to be done, and waits for it, at most so many milliseconds.
    ///
    /// - Returns: Whether the list is another now.
    func advance(milliseconds: Int) -> Bool {
        guard progress != nil else { return false }
        var hasChanged = false
        var order: [UInt32]?
        if request.order != .list {
            guard let made = sorter.order(request.order, of: index, waiting: milliseconds, notifying: notify) else {
                return hasChanged
            }
            order = made
        }
        if progress != .grouping {
            progress = .searching
            if search == nil { beginSearch(in: order) }
            guard let search else { return hasChanged }
            let isComplete = search.wait(milliseconds: milliseconds)
            let result = search.result
            list = result.list
            sections = nil
            hasChanged = true
            guard isComplete else { return true }
            found = (request.query, request.order, baseNumber, result)
            self.search = nil
            progress = request.grouping == nil ? nil : .grouping
        }
        if let grouping = request.grouping, progress == .grouping {
            let grouped =
                grouped
                ?? BackgroundResult(notifying: notify) { [list, index] isCancelled in
                    BookSections(of: list, by: grouping, in: index, isCancelled: isCancelled)
                }
            self.grouped = grouped
            guard let sections = grouped.wait(milliseconds: milliseconds) else { return hasChanged }
            self.grouped = nil
            (list, self.sections, progress) = (sections.list, sections, nil)
            hasChanged = true
        }
        return hasChanged
    }

    private func beginSearch(in order: [UInt32]?) {
        let scope = BookSearch.Scope(base, of: index, order: order)
        var earlier: SearchResult?
        var isSame = false
        if let found, found.base == baseNumber {
            isSame = isSameSearch && found.query == request.query
            if isSame || !isSameSearch && request.query.refines(found.query) { earlier = found.result }
        }
        search = BookSearch(
            request.query, in: scope, marks: marks(), after: earlier, isSame: isSame, by: team, notifying: notify)
    }
}
