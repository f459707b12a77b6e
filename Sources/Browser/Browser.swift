public import Catalog
internal import Storage
public import TerminalUI

/// The program as the reader sees it: lists and books on the screen, and what keys do.
///
/// It owns the tables' data sources, and is told by the tables what was selected. Showing is a function from its state
/// to cells (`draw(size:)`), acting one from an event to a change of state (`react(to:)`).
public final class Browser {
    /// Where the reader wants to be, while it is not loaded yet.
    enum Goal: Hashable {
        /// The last row there is.
        case end
        /// A row.
        case row(Int)
        /// Where they left off.
        case place(Preferences.Place)
        /// The book with these keys, where it is listed.
        case book(BookKeys)

        /// Whether it is where they left off: nothing else is remembered before they are there.
        var isRemembered: Bool {
            switch self {
            case .place, .book: true
            case .end, .row: false
            }
        }
    }

    /// What is shown in place of panes.
    enum Screen: Hashable {
        case lists
        case books(CatalogList)
    }

    /// Why the browser ended.
    public enum Ending: Hashable, Sendable {
        /// The reader left.
        case quit
        /// The process was asked to end by this signal.
        case signal(Int32)
        /// The terminal is gone.
        case terminalGone
    }

    /// What the terminal has to do after an event.
    enum Reaction: Hashable {
        case carryOn, repaint, suspend
        case end(Ending)
    }

    /// The books and the favourites.
    let library: Library
    /// Where places are remembered.
    let preferences: PreferencesFile
    /// How the reader wants it to be.
    let settings: Settings
    /// What the catalog's place is remembered by: its absolute path.
    let catalogPath: String

    /// The lists of the catalog.
    let listsTable = TableView(columns: ListsDataSource.columns)
    /// The books of the list that is open.
    let bookTable = TableView(columns: BookListDataSource.columns)
    private let listsSource: ListsDataSource
    /// The rows of the book table.
    let bookSource: BookListDataSource
    /// The detail of the selected book.
    let detailView = TextView()
    /// All keys.
    let helpView = TextView()
    /// The book that the detail shows, by its index in the store.
    var detailIndex: Int?
    /// Whether another book was selected, or the marks of this one changed, since the detail was made.
    var isDetailStale = true

    /// What is shown.
    var screen = Screen.lists
    /// The pane that has the keyboard.
    var focus = Focus.list
    /// Whether help covers the screen.
    var isHelpShown = false
    /// What the status line says, until the next key.
    var message = ""
    /// What was typed that has not come to a command yet.
    var keys: KeyInterpreter
    /// Whether the last key was ^c: the next one quits.
    private var isInterrupted = false
    /// Where the reader was in each list in this run, by the list's index.
    var places = CatalogList.allCases.map { _ in (row: 0, top: 0) }
    /// What the list shows.
    let listing = BookListing()
    /// Whether something else was asked of it than it shows.
    var isListingStale = false
    /// The book that stays selected while the list changes; nil where the reader has moved since.
    var anchor: Anchor?
    /// The values of what is listed, and whether they cover the list.
    let facetsTable = TableView(columns: FacetsDataSource.columns)
    let facetsSource: FacetsDataSource
    var areFacetsShown = false
    /// The count of them, while it goes on.
    var facetCount: FacetCount?
    /// Why the last search found nothing.
    var explanation: (query: Query, result: BackgroundResult<QueryExplanation>)?
    /// The search bar; nil where it is closed.
    var editor: LineEditor?
    /// Where the cursor is in it.
    var searchBarCursor = Position(row: 0, column: 0)
    /// Where the reader was before the list was searched.
    var wholeList: Visit?
    /// What was searched for last.
    var lastQuery: Query?
    /// What the last query finds, where that was asked for.
    var matchesOfLastQuery: (query: Query, count: Int, matches: BookSet)?
    /// Where the reader was before, the last place last, and where they went back from.
    var trail: [Visit] = []
    var forwardTrail: [Visit] = []
    /// Whether the last command went back or forward: then Tab, which terminals send for ^i, goes forward.
    var hasJustGoneBack = false
    /// Where the reader is to be as soon as it is loaded; nil where they are there, or went elsewhere.
    var goal: Goal?
    /// Whether the catalog was changed on the disk since it was read.
    var isChanged = false
    /// Whether it is read again by itself then.
    private let follows: Bool
    /// Wakes `run(on:)` up, from any thread.
    private(set) var notify: @Sendable () -> Void = {}
    /// Why the place could not be remembered, the last time it was tried.
    var placeProblem: String?

    /// A browser of `library`, where the reader left the catalog at `catalogPath` the last time, or at its first book.
    ///
    /// - Parameters:
    ///   - notices: What the reader must know, for the first status line.
    ///   - resumes: False to start at the first book.
    ///   - follows: Whether the catalog is read again when it is changed.
    ///   - query: What is looked for; nil for what was when the reader left.
    ///   - order: The order of the books; nil for that in which the reader left them.
    ///   - settings: How the reader wants the browser to be.
    public init(
        library: Library, catalogPath: String, preferences: PreferencesFile, notices: [String] = [],
        resumes: Bool = true, follows: Bool = false, query: Query? = nil, order: SortOrder? = nil,
        settings: Settings = Settings()
    ) {
        self.settings = settings
        keys = KeyInterpreter(settings.keys)
        self.follows = follows
        self.library = library
        self.catalogPath = catalogPath
        self.preferences = preferences
        listsSource = ListsDataSource(library: library)
        bookSource = BookListDataSource(library: library)
        facetsSource = FacetsDataSource(store: library.store)
        listsTable.dataSource = listsSource
        listsTable.delegate = self
        bookTable.dataSource = bookSource
        bookTable.delegate = self
        facetsTable.dataSource = facetsSource
        message = notices.isEmpty ? "" : notices.joined(separator: "; ")
        let place = resumes ? preferences.place(in: catalogPath) : nil
        if query != nil || order != nil {
            open(place, askingFor: query, in: order)
        } else if let place {
            resume(at: place)
        } else {
            showBooks(of: .all)
        }
    }

    /// Shows screens on `terminal` and acts on what happens there, until the reader leaves or the terminal does.
    public func run(on terminal: any Terminal) -> Ending {
        notify = terminal.wakeUp
        var isLoading = false
        while true {
            settleListing()
            let canvas = draw(size: terminal.size)
            terminal.show(canvas, cursor: cursor)
            if !isLoading {
                isLoading = true
                library.store.startLoading(notifying: notify)
            }
            if library.findMarks() {
                isDetailStale = true
                continue
            }
            for event in terminal.waitForEvents() {
                switch react(to: event) {
                case .carryOn: continue
                case .repaint: terminal.repaint()
                case .suspend: terminal.suspend()
                case .end(let ending):
                    rememberPlace()
                    return ending
                }
            }
        }
    }

    /// What could not be saved, and why, after the browser ended; what can be saved still is. Nil where all is.
    public func problemAtTheEnd() -> String? {
        do {
            try library.saveFavourites()
            return placeProblem
        } catch {
            let changes = "your last changes are lost: \(error.savingSentence)"
            return placeProblem.map { changes + "; " + $0 } ?? changes
        }
    }

    /// Acts on an event.
    func react(to event: Event) -> Reaction {
        switch event {
        case .key(let key):
            let reaction = react(to: key)
            // Of changes that other machines make nobody tells; to ask takes a microsecond.
            if reaction == .carryOn { noticeChange() }
            return reaction
        case .resize, .mouse: return .carryOn
        // Pasted text is never taken for keys.
        case .paste(let text):
            paste(text)
            return .carryOn
        case .wakeUp:
            takeIn()
            takeInListing()
            takeInFacets()
            noticeChange()
            return .carryOn
        case .suspendRequest: return .suspend
        case .termination(let signal): return .end(.signal(signal))
        case .endOfInput: return .end(.terminalGone)
        }
    }

    /// Says that the catalog was changed on the disk, or reads it again.
    private func noticeChange() {
        let wasChanged = isChanged
        isChanged = library.store.isChanged
        guard isChanged else { return }
        if follows {
            reload()
        } else if !wasChanged {
            message = "The catalog was changed on disk: \(Command.reload.firstKeyLabel) reads it again"
        }
    }

    private func react(to key: Key) -> Reaction {
        message = ""
        let wasInterrupted = isInterrupted
        isInterrupted = false
        if editor != nil, !(wasInterrupted && key == .control("c")) {
            isInterrupted = key == .control("c")
            return reactInSearchBar(to: key)
        }
        let mayGoForward = hasJustGoneBack
        hasJustGoneBack = false
        if mayGoForward && key == .tab {
            goForward()
            return .carryOn
        }
        switch keys.interpret(key) {
        case .nothing: return .carryOn
        case .unbound(let keys):
            message = "No command has the key \(keys): \(Command.help.firstKeyLabel) shows all"
            return .carryOn
        case .request(let request):
            isInterrupted = request.command == .interrupt
            return wasInterrupted && isInterrupted ? .end(.quit) : perform(request)
        }
    }
}

extension Browser: TableViewDelegate {
    /// The detail is of another book now; it is made when it is next drawn or scrolled, not for every row passed.
    public func tableView(_ tableView: TableView, didSelectRowAt indexPath: IndexPath?) {
        if tableView === bookTable { isDetailStale = true }
    }
}
