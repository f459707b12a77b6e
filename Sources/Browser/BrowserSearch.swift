internal import Catalog
internal import Storage
internal import TerminalUI

/// What a list shows: searching it, sorting it, and standing still in it while it changes.
extension Browser {
    /// A book that stays selected, where it is on the screen, as long as the list has it.
    struct Anchor: Hashable {
        /// Its index in the store; nil for none.
        var index: Int?
        /// How far it is from the top of the screen.
        var offset: Int
    }

    /// Where the reader was in a list.
    struct ListPlace: Hashable {
        var list: CatalogList
        /// The selected row, and the row at the top of the screen.
        var row: Int
        var top: Int
    }

    /// Where the reader was: what was listed, and the book that was selected.
    struct Visit: Hashable {
        /// The list that was open.
        var list: CatalogList
        var request: BookListing.Request
        var anchor: Anchor
    }

    /// Where the selected book is.
    private var selection: Anchor {
        Anchor(index: selectedIndex, offset: (bookTable.selectedRow ?? 0) - bookTable.topRow)
    }

    /// How long the screen waits for what is listed, in milliseconds: a frame, where the catalog is large.
    var patience: Int { library.store.count > 50_000 ? 16 : 5000 }

    // MARK: - The list

    /// Fills the list anew with what the reader asked for, where its books or their marks are others now.
    ///
    /// - Parameter isGrown: Whether the list has the same books as before and more at the end.
    func refill(isGrown: Bool = false) {
        listing.show(
            listing.request, of: library.books(in: list), in: library.store.index,
            marks: { [library] in library.searchMarks }, isGrown: isGrown,
            isComplete: library.store.progress == nil, notifying: notify)
        _ = listing.advance(milliseconds: patience)
        takeListing()
    }

    /// Shows another selection or order of the same books; the selected book stays selected while it is among them.
    func change(to request: BookListing.Request) {
        guard request != listing.request else { return }
        endRange()
        anchor = anchor ?? selection
        goal = nil
        listing.change(to: request)
        isListingStale = true
    }

    /// Brings the list up to what was asked for, as far as it is there.
    func settleListing() {
        guard isListingStale else { return }
        isListingStale = false
        _ = listing.advance(milliseconds: patience)
        takeListing()
    }

    /// Takes in what was listed in the background.
    func takeInListing() {
        if listing.advance(milliseconds: 0) {
            takeListing()
            if let goal { pursue(goal) }
        }
        if explanation != nil { bookTable.placeholder = placeholder }
    }

    private func takeListing() {
        // What was there stays until there is something to take its place.
        if listing.list.count == 0 && listing.progress != nil { return }
        // Books that come to a sorted list come between its rows.
        if !listing.request.isPlain { endRange() }
        bookSource.list = listing.list
        bookSource.sections = listing.sections
        bookSource.finder = listing.request.query.expression == .everything ? nil : MatchFinder(listing.request.query)
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
        let result = BackgroundResult(notifying: notify) { isCancelled in
            QueryExplanation(of: query, in: scope, marks: marks, by: team, isStopped: isCancelled)
        }
        explanation = (query, result)
        if library.store.count <= 50_000 { _ = result.wait(milliseconds: patience) }
    }

    // MARK: - The search bar

    /// Opens the search bar, with what is looked for now.
    func openSearchBar() {
        focus = .list
        if wholeList == nil { wholeList = visit }
        editor = LineEditor(listing.request.query.text)
    }

    /// What a key does in the search bar.
    func reactInSearchBar(to key: Key) -> Reaction {
        guard var editor else { return .carryOn }
        let outcome = editor.react(to: key)
        self.editor = editor
        switch outcome {
        case .edited: search(for: editor.text)
        case .moved: break
        case .accepted: acceptSearch()
        case .cancelled: closeSearchBar()
        case .notHandled: return reactToOtherKey(key)
        }
        return .carryOn
    }

    /// Closes the search bar, where it is open, and keeps what was found.
    func acceptSearch() {
        guard editor != nil else { return }
        editor = nil
        settleListing()
        rememberSearch()
        if listing.request.query.expression == .everything { wholeList = nil }
    }

    /// Movement and what concerns the terminal works in the search bar, too.
    private func reactToOtherKey(_ key: Key) -> Reaction {
        if key == .tab {
            complete()
            return .carryOn
        }
        defer { keys.forget() }
        guard case .request(let request) = keys.interpret(key) else { return .carryOn }
        switch request.command {
        case .down, .up, .pageDown, .pageUp, .top, .end, .suspend, .redraw: return perform(request)
        case .interrupt:
            closeSearchBar()
            message = "Press \(keyLabel(of: .interrupt)) again to quit"
        default: break
        }
        return .carryOn
    }

    /// Puts what was pasted into the search bar, at once.
    func pasteIntoSearchBar(_ text: String) {
        guard var editor else { return }
        editor.insert(text)
        self.editor = editor
        search(for: editor.text)
    }

    private func search(for text: String) {
        var request = listing.request
        request.query = Query(text)
        change(to: request)
    }

    /// Closes the search bar and gives the whole list back, with its row and scroll.
    private func closeSearchBar() {
        editor = nil
        rememberSearch()
        giveWholeListBack()
    }

    /// What was looked for last is what the keys for the next match look for.
    private func rememberSearch() {
        let query = listing.request.query
        if query.expression != .everything { lastQuery = query }
    }

    /// Ends what the list was searched for, where it was.
    ///
    /// - Returns: Whether it was.
    @discardableResult
    func giveWholeListBack() -> Bool {
        guard let wholeList else {
            guard listing.request.query.expression != .everything else { return false }
            rememberSearch()
            var request = listing.request
            request.query = Query("")
            change(to: request)
            return true
        }
        rememberSearch()
        self.wholeList = nil
        restore(wholeList)
        return true
    }

    /// Completes the name of a field or a value at the cursor, as far as there is one way to.
    private func complete() {
        guard var editor else { return }
        let offset = editor.text.prefix(editor.cursor).utf8.count
        let (range, candidates) = Query.completions(of: editor.text, at: offset)
        guard let first = candidates.first else {
            takeSpelling()
            return
        }
        let common = candidates.dropFirst().reduce(first) { common, candidate in
            String(zip(common, candidate).prefix { $0 == $1 }.map(\.0))
        }
        let bytes = Array(editor.text.utf8)
        let typed = String(decoding: bytes[range], as: UTF8.self)
        if common.count > typed.count {
            let text = String(decoding: bytes[..<range.lowerBound], as: UTF8.self) + common
            let rest = String(decoding: bytes[range.upperBound...], as: UTF8.self)
            editor = LineEditor(text)
            if !rest.isEmpty {
                editor = LineEditor(text + rest)
                for _ in rest { _ = editor.react(to: .left) }
            }
            self.editor = editor
            search(for: editor.text)
        }
        if candidates.count > 1 { message = candidates.joined(separator: " ") }
    }

    /// Looks for what is most nearly spelled as what was not found.
    private func takeSpelling() {
        guard let explanation, explanation.query == listing.request.query, let found = explanation.result.value,
            let spelling = found.spellings.first
        else { return }
        let text = explanation.query.replacing(found.term, with: spelling.word)
        editor = LineEditor(text)
        search(for: text)
    }

    // MARK: - Matches

    /// Goes to the next book that the last search found, in the list as it is; before the selected one where `step` is
    /// below zero.
    func goToMatch(by step: Int) {
        guard let lastQuery else {
            message = "Nothing was searched for yet: \(keyLabel(of: .search)) does"
            return
        }
        let count = bookSource.list.count
        guard count > 0, let row = bookTable.selectedRow else { return }
        let matches = matches(of: lastQuery)
        for distance in 1...count {
            let next = (row + (step > 0 ? distance : count - distance)) % count
            guard matches.contains(bookSource.list.index(atRow: next)) else { continue }
            anchor = nil
            bookTable.select(next)
            if (next <= row) == (step > 0) { message = "From the \(step > 0 ? "top" : "end") again" }
            return
        }
        message = "No book here matches \(lastQuery.text)"
    }

    private func matches(of query: Query) -> BookSet {
        if let known = matchesOfLastQuery, known.query == query, known.count == library.store.count {
            return known.matches
        }
        let scope = BookSearch.Scope(BookList(allOf: library.store.count), of: library.store.index)
        let search = BookSearch(query, in: scope, marks: library.searchMarks, by: listing.explainers)
        // The reader asked to go there, and waits.
        while !search.wait(milliseconds: 1000) {}
        let matches = BookSet(search.result.list)
        matchesOfLastQuery = (query, library.store.count, matches)
        return matches
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

    // MARK: - Back and forward

    /// Where the reader is.
    var visit: Visit { Visit(list: list, request: listing.request, anchor: anchor ?? selection) }

    /// Lists the books that are like the selected one.
    func list(_ likeness: Likeness) {
        guard let index = selectedIndex, let book = library.store.book(at: index) else { return }
        guard let text = likeness.query(for: book) else {
            message = "This book has no \(likeness.label)"
            return
        }
        goOn(to: text)
    }

    /// Lists what a query finds among all books, and remembers where the reader was.
    ///
    /// - Parameter isSameList: Whether it is among the books of this list.
    func goOn(to text: String, isSameList: Bool = false) {
        let visit = visit
        trail.append(visit)
        forwardTrail = []
        wholeList = nil
        if visit.list != .all && !isSameList { showBooks(of: .all) }
        var request = listing.request
        request.query = Query(text)
        anchor = anchor ?? visit.anchor
        change(to: request)
        settleListing()
        rememberSearch()
    }

    /// Goes to where the reader was before.
    func goBackward() {
        trail.removeAll { !library.lists.contains($0.list) }
        guard let last = trail.popLast() else {
            message = "There is nothing to go back to"
            return
        }
        forwardTrail.append(visit)
        wholeList = nil
        restore(last)
        hasJustGoneBack = true
    }

    /// Goes to where the reader went back from.
    func goForward() {
        forwardTrail.removeAll { !library.lists.contains($0.list) }
        guard let next = forwardTrail.popLast() else {
            message = "There is nothing to go forward to"
            return
        }
        trail.append(visit)
        wholeList = nil
        restore(next)
        hasJustGoneBack = true
    }

    func restore(_ visit: Visit) {
        if focus == .lists || list != visit.list { showBooks(of: visit.list) }
        anchor = visit.anchor
        focus = .list
        endRange()
        listing.change(to: visit.request)
        _ = listing.advance(milliseconds: patience)
        takeListing()
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

extension QueryExplanation {
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

extension Likeness {
    /// What is alike, for people.
    fileprivate var label: String {
        switch self {
        case .author: "author"
        case .series: "series"
        case .subject: "subject"
        case .year: "year of publication"
        }
    }
}
