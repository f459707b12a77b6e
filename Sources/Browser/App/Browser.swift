internal import Books
public import Library
public import Search
public import TerminalUI
internal import Threading

/// The program as the reader sees it: lists and books on the screen, and what keys do.
///
/// It owns the tables' data sources, and is told by the tables what was selected. Showing is a function from its state
/// to cells (`draw(size:)`), acting one from an event to a change of state (`react(to:)`).
public final class Browser {
    /// Where the reader wants to be, while it is not loaded yet.
    enum PendingJump: Hashable {
        /// The last row there is.
        case end
        /// A row.
        case row(Int)
        /// Where they left off.
        case place(Preferences.Place)
        /// The book with these keys, where it is listed.
        case book(MatchKeys)

        /// Whether it is where they left off: nothing else is remembered before they are there.
        var isRemembered: Bool {
            switch self {
            case .place, .book: true
            case .end, .row: false
            }
        }
    }

    /// What covers the panes, or a part of them.
    enum Overlay: Hashable {
        /// All commands and their keys.
        case help
        /// The values of what is listed.
        case facets
        /// What they are like all together.
        case statistics
        /// Commands, found by their names.
        case palette
        /// The columns that the list can have.
        case columns
        /// The reader's shelves, to put books on one or take them off.
        case shelves
        /// What the reader changed.
        case history
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
    enum Reaction {
        case carryOn, repaint, suspend
        case end(Ending)
        /// Leave the terminal to what is done meanwhile.
        case releaseTerminal(() -> Void)

        /// Whether it is nothing.
        var isNothing: Bool { if case .carryOn = self { true } else { false } }
    }

    /// The books and what is the reader's own.
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
    let bookTable = TableView(columns: [])
    /// The rows of the lists table.
    let listsSource: ListsDataSource
    /// The rows of the book table.
    let bookSource: BookListDataSource
    /// The detail of the selected book.
    let detailView = TextView()
    /// All commands and their keys, and what is looked for among them; nil where nothing is.
    let helpView = TextView()
    var helpEditor: LineEditor?
    var helpQuery = ""
    /// The commands that the reader looks for by name.
    lazy var palette = CommandPalette(bindings: keys.bindings)
    /// The columns that the list can have.
    lazy var columnChooser = ColumnChooser(shownColumns)
    /// Whether the last key changed what can be taken back.
    var offersUndo = false
    /// The line of text that the reader is asked for; nil where they are asked for none.
    var prompt: InputDialog?
    /// The shelves that the reader picks from.
    var shelfPicker: ShelfPicker?
    /// What they are picked for.
    var pickedFor: ActionTarget?
    /// The list that is deleted where the next key says so.
    var listToDelete: NamedList?
    /// What the reader changed.
    let historyTable = TableView(columns: HistoryDataSource.columns)
    let historySource = HistoryDataSource()
    /// Where the detail of a book was scrolled to in this run, by the book's index in the store.
    var detailLines: [Int: Int] = [:]
    /// The book that the detail shows, by its index in the store.
    var detailIndex: Int?
    /// Whether another book was selected, or the marks of this one changed, since the detail was made.
    var isDetailStale = true

    /// The list that is open.
    var list = NamedList.all
    /// The pane that has the keyboard.
    var focus = Focus.list
    /// How the panes share the window.
    var panes: Panes
    /// Where they are on the screen, since it was last drawn; nil where it is too small.
    var layout: Layout?
    /// The columns of the list, where the reader chose any.
    var columns: ListColumns?
    /// What covers the panes, the topmost last.
    var overlays: [Overlay] = []
    /// Whether the keys that may follow are shown.
    var isWhichKeyShown = false
    /// The divider that the mouse holds.
    var pressedDivider: Panes.Divider?
    /// The row that was pressed last with the mouse.
    var lastPress: Press?
    /// The commands of the hint bar, as it was drawn last.
    var hintsOfContext: (context: Command.Context, hints: [LabelledHint])?
    /// Where the commands of the hint bar are.
    var hintPlaces: [HintPlace] = []
    /// What the status line says, until the next key.
    var message = ""
    /// What was typed that has not come to a command yet.
    var keys: KeyInterpreter
    /// Whether the last key was ^c: the next one quits.
    var isInterrupted = false
    /// Where the reader was in the lists that they left in this run.
    var places: [ListPlace] = []
    /// The order that lists had before a query was opened that has one of its own, and that one.
    var orderOfQuery: (former: SortOrder, own: SortOrder)?
    /// What the list shows.
    let listing = ListPipeline()
    /// Whether something else was asked of it than it shows.
    var isListingStale = false
    /// The book that stays selected while the list changes; nil where the reader has moved since.
    var anchor: ScrollAnchor?
    /// The values of what is listed.
    let facetsTable = TableView(columns: FacetsDataSource.columns)
    let facetsSource: FacetsDataSource
    /// The count of them, while it goes on.
    var facetCount: FacetCount?
    /// The statistics of what is listed; nil where they are closed.
    var statistics: StatisticsScreen?
    /// Why the last search found nothing.
    var explanation: (query: Query, result: BackgroundTask<NoResultsDiagnosis>)?
    /// The search bar; nil where it is closed.
    var editor: LineEditor?
    /// Where the cursor is in the line in which the reader types.
    var typingCursor = Position(row: 0, column: 0)
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
    /// The places that the reader gave letters.
    var marks: [Bookmark] = []
    /// The row from which the reader marks all rows up to the selected one; nil where they do not.
    var rangeStart: Int?
    /// Opens a link in a program of its own.
    let opener: LinkOpener
    /// Where text is kept that the terminal has no clipboard for.
    let copies: CopiedText
    /// The reader's editor.
    let noteEditor: NoteEditor
    /// Where the reader is to be as soon as it is loaded; nil where they are there, or went elsewhere.
    var pendingJump: PendingJump?
    /// Whether the catalog was changed on the disk since it was read.
    var isChanged = false
    /// Whether it is read again by itself then.
    let follows: Bool
    /// Puts text on the clipboard of the terminal, where it has one.
    var clipboard: (String) -> Bool = { _ in false }
    /// Wakes `run(on:)` up, from any thread.
    var notify: @Sendable () -> Void = {}
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
    ///   - list: The list that is opened; nil for that in which the reader left.
    ///   - columns: The columns of the list; nil for those that the reader chose.
    ///   - settings: How the reader wants the browser to be.
    ///   - opener: Opens links.
    ///   - copies: Where text is kept that the terminal has no clipboard for.
    ///   - noteEditor: The reader's editor.
    public init(
        library: Library, catalogPath: String, preferences: PreferencesFile, notices: [String] = [],
        resumes: Bool = true, follows: Bool = false, query: Query? = nil, order: SortOrder? = nil,
        list: NamedList? = nil,
        columns: ListColumns? = nil,
        settings: Settings = Settings(), opener: LinkOpener = LinkOpener { _ in nil },
        copies: CopiedText = CopiedText(),
        noteEditor: NoteEditor = NoteEditor { _, _ in .problem("There is no editor here") }
    ) {
        self.noteEditor = noteEditor
        self.settings = settings
        self.opener = opener
        self.copies = copies
        panes = Panes(settings)
        keys = KeyInterpreter(settings.keys ?? .standard)
        self.follows = follows
        self.library = library
        self.catalogPath = catalogPath
        self.preferences = preferences
        listsSource = ListsDataSource(library: library)
        bookSource = BookListDataSource(library: library)
        facetsSource = FacetsDataSource(store: library.store)
        listsTable.dataSource = listsSource
        listsTable.delegate = self
        listsTable.reloadData()
        bookTable.dataSource = bookSource
        bookTable.delegate = self
        facetsTable.dataSource = facetsSource
        historyTable.dataSource = historySource
        message = notices.joined(separator: "; ")
        let place = resumes ? preferences.place(in: catalogPath) : nil
        arrange(as: preferences.arrangement(of: catalogPath))
        if let columns { self.columns = columns }
        if query != nil || order != nil || list != nil {
            open(place, askingFor: query, in: order, of: list)
        } else if let place {
            resume(at: place)
        } else {
            showBooks(of: .all)
        }
    }
}

extension Browser: TableViewDelegate {
    /// The detail is of another book now; it is made when it is next drawn or scrolled, not for every row passed.
    public func tableView(_ tableView: TableView, didSelectRowAt indexPath: IndexPath?) {
        if tableView === bookTable { isDetailStale = true }
        if tableView === listsTable { showSelectedList() }
    }
}
