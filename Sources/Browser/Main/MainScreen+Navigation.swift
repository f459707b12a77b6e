internal import Books
internal import Catalog
internal import Indexing
internal import Library
internal import Search
internal import TerminalUI

/// Opening lists, searching, and the navigation history.
extension MainScreen {
    // MARK: - Start

    /// Restores the last position in the catalog, or starts as `start` says.
    func begin(_ start: Start, _ app: App) {
        let place = start.resumes ? session.preferences.place(in: session.catalogPath) : nil
        arrange(as: session.preferences.arrangement(of: session.catalogPath))
        if let columns = start.columns { (books.columns, books.chosenForm) = (columns, .columns) }
        if start.query != nil || start.order != nil || start.list != nil {
            begin(at: place, start, app)
        } else if let place {
            resume(at: place, app)
        } else {
            openList(.all, app)
        }
    }

    /// Opens the list of the last position, or another one, with the query or order of `start`. The book of the last
    /// position stays current if it is listed; otherwise, the first book is current.
    private func begin(at place: Preferences.Place?, _ start: Start, _ app: App) {
        let lastList = place.flatMap(session.library.list(of:))
        // A request for another list does not apply to this one.
        let place = start.list == nil || start.list == lastList ? place : nil
        var request = place?.request(of: app.session.library.store.schema) ?? ListRequest()
        if let query = start.query { request.query = query }
        if let order = start.order { request.order = order }
        session.search.remember(request.query)
        openList(start.list ?? lastList ?? .all, as: request, app)
        if let keys = place?.keys { session.books.jump(to: .book(keys)) }
    }

    /// Restores a position of an earlier run: its book becomes current, or if it is gone, the row nearest to the
    /// stored one.
    func resume(at place: Preferences.Place, _ app: App) {
        guard let list = session.library.list(of: place) else {
            session.search.origin = nil
            session.books.open(.all)
            showLists()
            lists.table.select(place.row)
            return
        }
        openList(list, as: place.request(of: app.session.library.store.schema), app)
        session.books.jump(to: .place(place))
        if place.isDetailFocused == true && session.books.table.currentRow != nil { focus = .detail }
    }

    /// The current position.
    var place: Preferences.Place {
        if focus == .lists {
            return Preferences.Place(
                lastViewedListIndex: NamedList.listsScreenIndex, row: lists.table.currentRow ?? 0, scrollOffset: 0)
        }
        let (model, library) = (session.books, session.library)
        let keys = model.currentBook.flatMap(library.store.keys)
        var place = Preferences.Place(
            // Where there is no group of what is to be tidied up, all books take the place of its lists.
            lastViewedListIndex: library.lists.firstIndex(of: model.list) ?? 0,
            row: model.table.currentRow ?? 0, scrollOffset: model.table.topRow,
            book: model.currentBook.map { library.identity(of: $0).description },
            hash: keys.flatMap { $0.isbn == nil ? nil : $0.hash.description })
        place.sourceID = model.currentBook.flatMap { library.store.remote?.sourceID(of: $0) }
        place.list = model.list.id
        place.set(model.request)
        place.isDetailFocused = focus == .detail ? true : nil
        return place
    }

    // MARK: - Lists

    /// Opens a list and closes all other screens.
    func openList(_ list: NamedList, as request: ListRequest? = nil, _ app: App) {
        app.closeAll()
        focus = .list
        session.search.origin = nil
        session.books.open(list, as: request)
    }

    /// Goes to the list with a number in the row of lists.
    func goToList(numbered number: Character, _ app: App) {
        guard let list = tabs.list(numbered: number) else {
            return session.status.say(.noListWithNumber, String(number), session.keyLabel(of: .lists))
        }
        goToList(list, app)
    }

    /// Goes to a list, and adds the position to the navigation history.
    func goToList(_ list: NamedList, _ app: App) {
        if focus != .lists { session.history.leave(session.books.historyEntry) }
        openList(list, app)
        app.savePlace()
    }

    /// Goes to the lists, unless they have the keyboard.
    func goToLists(_ app: App) {
        guard focus != .lists else { return }
        showLists()
        app.savePlace()
    }

    /// Gives the lists the keyboard, with the open list current.
    func showLists() {
        session.books.leave()
        session.search.origin = nil
        lists.table.reloadData()
        lists.select(session.books.list)
        focus = .lists
    }

    /// Opens the current list of the lists pane, if it is shown beside the books.
    func openCurrentList() {
        guard focus == .lists, hasListsPane, let list = lists.current, list != session.books.list else { return }
        session.search.origin = nil
        session.books.open(list)
    }

    // MARK: - Searches

    /// Opens the search bar with the current query.
    func openSearchBar(_ app: App) {
        focus = .list
        if session.search.origin == nil { session.search.origin = session.books.historyEntry }
        session.books.pipeline.prepareToSearch()
        app.push(SearchBar(session))
    }

    /// Clears the search of the list.
    ///
    /// - Returns: False if the list was not searched.
    @discardableResult
    func clearSearch(_ app: App) -> Bool {
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

    // MARK: - Navigation history

    /// Lists the books related to the current one.
    func listResults(to likeness: RelatedBooks, _ app: App) {
        guard let (_, book) = session.currentWholeBook else { return }
        guard let text = likeness.query(for: book) else {
            session.status.say(.noSuchProperty, likeness.label)
            return
        }
        listResults(to: text, app)
    }

    /// Lists the results of a query in all books, and adds the position to the navigation history.
    ///
    /// - Parameter isSameList: Whether the query searches the open list instead.
    func listResults(to text: String, isSameList: Bool = false, _ app: App) {
        let model = session.books
        let entry = model.historyEntry
        session.history.leave(entry)
        session.search.origin = nil
        if entry.list != .all && !isSameList { openList(.all, app) }
        var request = model.request
        request.query = Query(text, of: session.library.store.schema)
        model.anchor = model.anchor ?? entry.anchor
        model.ask(for: request)
        model.advance()
        session.search.remember(model.request.query)
    }

    /// Goes where a name or link of the card leads.
    func follow(_ target: CardTarget, _ app: App) {
        switch target {
        case .results(let query):
            focus = .list
            listResults(to: query, app)
        case .link(let link): session.open([link])
        case .book(let id):
            let wasInDetail = focus == .detail
            goToBook(id, app)
            // From card to card, the keyboard stays in the detail.
            if wasInDetail { focus = .detail }
        }
    }

    /// Goes to the previous position.
    func goBack(_ app: App) { go(forward: false, orElse: .nothingBack, app) }

    /// Goes to the position before going back.
    func goForward(_ app: App) { go(forward: true, orElse: .nothingForward, app) }

    private func go(forward isForward: Bool, orElse refusal: Message, _ app: App) {
        let (entry, lists) = (session.books.historyEntry, session.library.everyList)
        guard let next = session.history.go(forward: isForward, from: entry, in: lists) else {
            session.status.say(refusal)
            return
        }
        session.search.origin = nil
        restore(next, app)
    }

    private func restore(_ entry: HistoryEntry, _ app: App) {
        if focus == .lists || session.books.list != entry.list { openList(entry.list, app) }
        focus = .list
        session.books.restore(entry)
    }
}

extension RelatedBooks {
    /// The name of the shared property, for messages.
    fileprivate var label: String {
        switch self {
        case .author: "author"
        case .series: "series"
        case .subject: "subject"
        case .year: "year of publication"
        }
    }
}
