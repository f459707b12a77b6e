internal import Catalog
internal import Indexing
internal import Library
internal import Search
internal import TerminalUI
internal import Threading

/// What a list shows, its order and sections, and standing still in it while it changes.
extension Browser {
    /// A book that stays selected, where it is on the screen, as long as the list has it.
    struct ScrollAnchor: Hashable {
        /// Its index in the store; nil for none.
        var index: Int?
        /// How far it is from the top of the screen.
        var offset: Int
    }

    /// Where the selected book is.
    var selection: ScrollAnchor {
        ScrollAnchor(index: selectedIndex, offset: (bookTable.selectedRow ?? 0) - bookTable.topRow)
    }

    /// How long the screen waits for what is listed, in milliseconds: a frame, where the catalog is large.
    var timeBudget: Int { library.store.index.count > 50_000 ? 16 : 5000 }

    /// The rows of a search that are shown before it is complete; nil for a small catalog, in which it takes less than a frame.
    private var firstRows: BookSearch.FirstRows? {
        if library.store.index.count <= 50_000 { return nil }
        return BookSearch.FirstRows(count: bookTable.frame.height, anchor: anchor?.index)
    }

    /// Fills the list anew with what the reader asked for, where its books or their marks are others now.
    ///
    /// - Parameter isGrown: Whether the list has the same books as before and more at the end.
    func refill(isGrown: Bool = false) {
        listing.show(
            listing.request, of: library.books(in: list), in: library.store.index,
            marks: { [library] in library.searchMarks }, isGrown: isGrown,
            isComplete: library.store.progress == nil, notifying: notify)
        _ = listing.advance(milliseconds: timeBudget)
        takeListing()
    }

    /// Shows another selection or order of the same books; the selected book stays selected while it is among them.
    func change(to request: ListPipeline.Request) {
        guard request != listing.request else { return }
        endRange()
        anchor = anchor ?? selection
        pendingJump = nil
        listing.change(to: request)
        isListingStale = true
    }

    /// Brings the list up to what was asked for, as far as it is there.
    func settleListing() {
        guard isListingStale else { return }
        isListingStale = false
        _ = listing.advance(milliseconds: timeBudget, showing: firstRows)
        takeListing()
    }

    /// Takes in what was listed in the background.
    func takeInListing() {
        if listing.advance(milliseconds: 0) {
            takeListing()
            if let pendingJump { resumeJump(pendingJump) }
        }
        if explanation != nil { bookTable.placeholder = placeholder }
    }

    func takeListing() {
        // What was there stays until there is something to take its place.
        if listing.list.count == 0 && listing.progress != nil { return }
        // Books that come to a sorted list come between its rows.
        if !listing.request.isPlain { endRange() }
        bookSource.list = listing.list
        bookSource.sections = listing.sections
        bookSource.finder =
            listing.request.query.expression == .everything ? nil : MatchHighlighter(listing.request.query)
        let isWhole = listing.request.query.expression == .everything && library.store.progress == nil
        bookSource.missing = isWhole ? library.missingMarks(in: list) : []
        explain()
        bookTable.placeholder = placeholder
        bookTable.reloadData()
        isDetailStale = true
        if let anchor {
            if let index = anchor.index, let row = bookSource.list.row(of: index) {
                bookTable.select(row, top: row - anchor.offset)
            } else {
                bookTable.select(0, top: 0)
            }
        }
        if bookTable.selectedRow == nil && focus == .detail { focus = .list }
    }

    /// What is said in place of books where there are none.
    private var placeholder: String {
        let query = listing.request.query
        if query.expression == .everything {
            return placeholderOfList
        }
        guard listing.progress == nil else { return "Searching ..." }
        guard let explanation, explanation.query == query, let found = explanation.result.value else {
            return "Nothing found."
        }
        return found.sentence(of: query)
    }

    /// What is said in place of the books of the open list where it has none.
    private var placeholderOfList: String {
        switch list.kind {
        case .all: "This catalog has no books."
        case .favourites: "No favourites yet: \(keyLabel(of: .favourite)) on a book makes it one."
        case .status, .shelf: "No books here yet."
        case .query: "This query finds no books in this catalog."
        }
    }

    /// Finds out in the background why nothing was found.
    private func explain() {
        let query = listing.request.query
        guard listing.list.count == 0, listing.progress == nil, query.expression != .everything else {
            explanation?.result.cancel()
            explanation = nil
            return
        }
        if explanation?.query == query { return }
        explanation?.result.cancel()
        let (scope, marks, team) = (listing.scope, library.searchMarks, listing.explainers)
        let result = BackgroundTask(notifying: notify) { isCancelled in
            NoResultsDiagnosis(of: query, in: scope, marks: marks, by: team, isStopped: isCancelled)
        }
        explanation = (query, result)
        if library.store.index.count <= 50_000 { _ = result.wait(milliseconds: timeBudget) }
    }

    // MARK: - Order and sections

    /// Orders the list by `key`; once more, the other way round.
    func sort(by key: SortOrder.Key?, isFurther: Bool = false) {
        var request = listing.request
        if let key {
            request.order = isFurther ? request.order.asking(forFurther: key) : request.order.asking(for: key)
        } else {
            request.order = .list
        }
        change(to: request)
        message = request.order == .list ? "In the list's own order" : "Sorted by \(request.order.sentence)"
    }

    /// Shows the list in sections.
    func section(by key: SectionKey?) {
        var request = listing.request
        request.grouping = key
        change(to: request)
        message = key.map { "Sections by \($0.label)" } ?? "Without sections"
    }
}

extension SortOrder {
    /// The order for people: "year, title reversed".
    var sentence: String {
        criteria.map { $0.key.label + ($0.isReversed ? " reversed" : "") }.joined(separator: ", then ")
    }

    /// The order for the title bar: "year ↑ title ↓"; "" for the list's own.
    var sign: String {
        criteria.map { $0.key.label + ($0.isReversed ? " ↓" : " ↑") }.joined(separator: " ")
    }
}

extension SortOrder.Key {
    /// The key for people.
    var label: String { self == .added ? "date added" : rawValue }
}

extension NoResultsDiagnosis {
    /// What is said in place of books: which term left nothing, and what is nearly spelled so.
    fileprivate func sentence(of query: Query) -> String {
        let written = query.text(of: term)
        let reason =
            isAlone
            ? (isExcluded ? "All books have \(written)." : "Nothing has \(written).")
            : "Nothing of what precedes it has \(isExcluded ? "no " : "")\(written)."
        if spellings.isEmpty { return reason }
        let words = spellings.map { "\($0.word) (\($0.bookCount.grouped))" }.joined(separator: ", ")
        return "\(reason) Nearly spelled so: \(words). \(Key.tab.label) in the search bar looks for the first."
    }
}

extension SectionKey {
    /// The key for people.
    var label: String { self == .fiction ? "kind" : rawValue }
}
