internal import Books
internal import Catalog
internal import Indexing
internal import Library
internal import Search
internal import TerminalUI

/// From list to list, and back.
extension MainScreen {
    // MARK: - The start

    /// Begins where the reader left the catalog, or where `start` says.
    func begin(_ start: Start, _ app: App) {
        let place = start.resumes ? session.preferences.place(in: session.catalogPath) : nil
        arrange(as: session.preferences.arrangement(of: session.catalogPath))
        if let columns = start.columns { books.columns = columns }
        if start.query != nil || start.order != nil || start.list != nil {
            begin(at: place, start, app)
        } else if let place {
            resume(at: place, app)
        } else {
            openList(.all, app)
        }
    }

    /// Begins in the list of a place of an earlier run, or in another one, but with another query or order; the book stays
    /// current if it is listed, and else the first one is.
    private func begin(at place: Preferences.Place?, _ start: Start, _ app: App) {
        let lastList = place.flatMap(session.library.list(of:))
        // What was looked for in another list is not asked of this one.
        let place = start.list == nil || start.list == lastList ? place : nil
        var request = place?.request ?? ListRequest()
        if let query = start.query { request.query = query }
        if let order = start.order { request.order = order }
        session.search.remember(request.query)
        openList(start.list ?? lastList ?? .all, as: request, app)
        if let keys = place?.keys { session.books.jump(to: .book(keys)) }
    }

    /// Goes to a place of an earlier run: the book decides, and if it is gone, the row nearest to the stored one.
    func resume(at place: Preferences.Place, _ app: App) {
        guard let list = session.library.list(of: place) else {
            session.search.origin = nil
            session.books.open(.all)
            showLists()
            lists.table.select(place.row)
            return
        }
        openList(list, as: place.request, app)
        session.books.jump(to: .place(place))
        if place.isDetailFocused == true && session.books.table.currentRow != nil { focus = .detail }
    }

    /// Where the reader is.
    var place: Preferences.Place {
        if focus == .lists {
            return Preferences.Place(
                lastViewedListIndex: NamedList.listsScreenIndex, row: lists.table.currentRow ?? 0, scrollOffset: 0)
        }
        let (model, library) = (session.books, session.library)
        let keys = model.currentBook.flatMap(library.store.keys)
        var place = Preferences.Place(
            lastViewedListIndex: library.lists.firstIndex(of: model.list) ?? 0,
            row: model.table.currentRow ?? 0, scrollOffset: model.table.topRow,
            book: model.currentBook.map { library.identity(of: $0).description },
            hash: keys.flatMap { $0.isbn == nil ? nil : $0.hash.description })
        place.list = model.list.id
        place.request = model.request
        place.isDetailFocused = focus == .detail ? true : nil
        return place
    }

    // MARK: - Lists

    /// Opens a list in place of all that is shown.
    func openList(_ list: NamedList, as asked: ListRequest? = nil, _ app: App) {
        app.closeAll()
        focus = .list
        session.search.origin = nil
        session.books.open(list, as: asked)
    }

    /// Goes to the lists, where the reader is not there yet.
    func goToLists(_ app: App) {
        guard focus != .lists else { return }
        showLists()
        app.savePlace()
    }

    /// Goes to the lists, with the one that is open selected.
    func showLists() {
        session.books.leave()
        session.search.origin = nil
        lists.table.reloadData()
        lists.select(session.books.list)
        focus = .lists
    }

    /// Shows the list that was selected among the lists, if it is seen beside them.
    func showSelectedList() {
        guard focus == .lists, hasListsPane, let list = lists.current, list != session.books.list else { return }
        session.search.origin = nil
        session.books.open(list)
    }

    // MARK: - Searches

    /// Opens the search bar, with what is looked for now.
    func openSearchBar(_ app: App) {
        focus = .list
        if session.search.origin == nil { session.search.origin = session.books.visit }
        session.books.pipeline.prepareToSearch()
        app.push(SearchBar(session))
    }

    /// Ends what the list was searched for, if it was.
    ///
    /// - Returns: Whether it was.
    @discardableResult
    func giveWholeListBack(_ app: App) -> Bool {
        session.search.remember(session.books.request.query)
        if let origin = session.search.origin {
            session.search.origin = nil
            restore(origin, app)
            return true
        }
        guard session.books.request.query.expression != .everything else { return false }
        var request = session.books.request
        request.query = Query("")
        session.books.ask(for: request)
        return true
    }

    // MARK: - There and back

    /// Lists the books that are like the current one.
    func goOn(to likeness: RelatedBooks, _ app: App) {
        guard let id = session.books.currentBook, let book = session.library.store.bookAtHand(id) else { return }
        guard let text = likeness.query(for: book) else {
            session.status.say(.noSuchProperty, likeness.label)
            return
        }
        goOn(to: text, app)
    }

    /// Lists what a query finds among all books, and remembers where the reader was.
    ///
    /// - Parameter isSameList: Whether it is among the books of this list.
    func goOn(to text: String, isSameList: Bool = false, _ app: App) {
        let model = session.books
        let visit = model.visit
        session.history.leave(visit)
        session.search.origin = nil
        if visit.list != .all && !isSameList { openList(.all, app) }
        var request = model.request
        request.query = Query(text)
        model.anchor = model.anchor ?? visit.anchor
        model.ask(for: request)
        model.advance()
        session.search.remember(model.request.query)
    }

    /// Goes to where the reader was before.
    func goBack(_ app: App) { go(forward: false, orElse: .nothingBack, app) }

    /// Goes to where the reader went back from.
    func goForward(_ app: App) { go(forward: true, orElse: .nothingForward, app) }

    private func go(forward isForward: Bool, orElse refusal: Message, _ app: App) {
        let (visit, lists) = (session.books.visit, session.library.lists)
        guard let next = session.history.go(forward: isForward, from: visit, in: lists) else {
            session.status.say(refusal)
            return
        }
        session.search.origin = nil
        restore(next, app)
    }

    private func restore(_ visit: HistoryEntry, _ app: App) {
        if focus == .lists || session.books.list != visit.list { openList(visit.list, app) }
        focus = .list
        session.books.restore(visit)
    }
}

extension RelatedBooks {
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
