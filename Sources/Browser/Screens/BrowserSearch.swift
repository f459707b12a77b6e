internal import Catalog
internal import Indexing
internal import Library
internal import Search
internal import TerminalUI
internal import Threading

/// The search bar, and going through what was found.
extension Browser {
    // MARK: - The search bar

    /// Opens the search bar, with what is looked for now.
    func openSearchBar() {
        focus = .list
        if wholeList == nil { wholeList = visit }
        editor = LineEditor(listing.request.query.text)
        listing.prepareToSearch()
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
    func rememberSearch() {
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
        if let known = matchesOfLastQuery, known.query == query, known.count == library.store.index.count {
            return known.matches
        }
        let scope = BookSearch.Scope(BookList(allOf: library.store.index.count), of: library.store.index)
        let search = BookSearch(query, in: scope, marks: library.searchMarks, by: listing.explainers)
        // The reader asked to go there, and waits.
        while !search.wait(milliseconds: 1000) {}
        let matches = BookSet(search.result.list)
        matchesOfLastQuery = (query, library.store.index.count, matches)
        return matches
    }
}
