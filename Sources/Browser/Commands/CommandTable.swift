public import Books
internal import Catalog
public import Search

/// A command of the browser. A command with variants has the variant as its associated value.
public enum Command: Hashable, Sendable {
    case move(Motion)
    case open, back, lists, goToList, switchPane
    case scrollDetail(Step), resizePane(Resizing)
    case cards, columns, moveColumn(Step), toggleColumn, resizeColumn(Resizing)
    case selectRow, selectRange, selectAll
    case favourite, putOnShelf, takeOffShelf, status(Book.ReadingStatus?), statusOn(Book.ReadingStatus), progress, rate,
        note
    case undo, redo, history
    case addBook, editBook, editRecord, deleteBook, moveBook(Step), changes, saveCatalog
    case chooseMine, chooseTheirs, chooseAllMine, chooseAllTheirs
    case saveSearch, newShelf, renameList, deleteList, moveList(Step)
    case copy(CopiedPart), openLink, export
    case search, match(Direction), same(RelatedBooks), jump
    case backward, forward, setBookmark, goToBookmark, goToLetter
    case facets, tick, exclude, statistics, record
    case sort(SortOrder.Key?), thenSort(SortOrder.Key), section(SectionKey?), sortByField, sectionByField
    case cancel, help, guide, link(Direction), palette, messages, reload, redraw, suspend, quit, interrupt

    /// A movement in rows or text.
    public enum Motion: Hashable, Sendable {
        case down, up, top, end, halfPageDown, halfPageUp, pageDown, pageUp, centre, nextSection, previousSection
    }

    /// A step down or up.
    public enum Step: Hashable, Sendable {
        case down, up
    }

    /// The next or the previous one.
    public enum Direction: Hashable, Sendable {
        case next, previous
    }

    /// The direction in which a divider or column width changes.
    public enum Resizing: Hashable, Sendable {
        case narrower, wider
    }

    /// The part of a book that is copied.
    public enum CopiedPart: Hashable, Sendable {
        case title, authors, isbn, record
    }
}

/// The part of the screen that has the keyboard.
public enum CommandContext: CaseIterable, Sendable {
    case lists, books, detail, help, search, facets, statistics, columns, palette, history, shelves, fields, prompt,
        form, replacement, messages, record, changes, clashes, jump, guide
}

/// The table of commands. Dispatch, the hint bar, help, the palette, the guide's table, the man page and the names in
/// the config file all come from it.
extension CommandInfo {
    /// All commands, in the order of the palette and the guide.
    public static let all: [CommandInfo] =
        [
            moving, panes, rowSelection, userData, editing, copying, searching, travelling, counting, sorting, grouping,
            sectionMoving, program,
        ].flatMap(\.self)

    /// Movement in rows and text.
    private static let moving = group(
        .moving,
        [
            .init(
                .move(.down), "down", "Down", ["j", "Down"], .scrolling,
                "Go down one row; 5j goes down five.",
                hint: CommandHint(
                    text: "down", contexts: [.detail, .help, .statistics, .messages, .record, .changes, .guide])),
            .init(
                .move(.up), "up", "Up", ["k", "Up"], .scrolling,
                "Go up one row; 5k goes up five."),
            .init(
                .move(.top), "top", "Top", ["gg", "Home"], .scrolling,
                "Go to the first row; 120gg goes to row 120."),
            .init(
                .move(.end), "end", "End", ["G", "End"], .scrolling,
                "Go to the last row; 120G goes to row 120."),
            .init(
                .move(.halfPageDown), "half-page-down", "Half a page down", ["^d"], .scrolling,
                "Scroll down half a screen."),
            .init(
                .move(.halfPageUp), "half-page-up", "Half a page up", ["^u"], .scrolling,
                "Scroll up half a screen."),
            .init(
                .move(.pageDown), "page-down", "Page down", ["^f", "PgDn"], .scrolling,
                "Scroll down one screen."),
            .init(
                .move(.pageUp), "page-up", "Page up", ["^b", "PgUp"], .scrolling,
                "Scroll up one screen."),
            .init(
                .move(.centre), "centre", "Centre", ["zz"], .tables,
                "Scroll the current row to the middle of the screen."),
        ])

    /// Panes and columns.
    private static let panes = group(
        .panes,
        [
            .init(
                .open, "open", "Open", ["Enter", "l", "Right"],
                [.lists, .books, .facets, .columns, .history, .replacement, .guide],
                "Open the list, or focus the detail of the book.",
                hint: CommandHint(
                    text: "open",
                    otherTexts: [.facets: "show", .history: "undo to here", .replacement: "change"],
                    contexts: [.lists, .books, .facets, .history, .replacement, .guide])),
            .init(
                .back, "back", "Back", ["h", "Left"], .commanding,
                "Go back from the detail to the list, or from the list to the lists.",
                hint: CommandHint(text: "back", contexts: [.detail])),
            .init(
                .lists, "lists", "Lists", ["L", ","], .commanding,
                "Show all lists with their counts.",
                hint: CommandHint(text: "lists", contexts: [.books, .detail])),
            .init(
                .goToList, "go-to-list", "Go to a list", (1...9).map { "g\($0)" }, .panes,
                "Go to the list with this number in the row of lists: g3.", argument: .listNumber),
            .init(
                .switchPane, "switch-pane", "Switch pane", ["Tab"], .panes.union([.facets]),
                "Switch between list and detail."),
            .init(
                .scrollDetail(.down), "detail-down", "Scroll the detail down", ["J"],
                .bookPanes.union([.help, .statistics]), "Scroll the detail down, from either pane."),
            .init(
                .scrollDetail(.up), "detail-up", "Scroll the detail up", ["K"],
                .bookPanes.union([.help, .statistics]), "Scroll the detail up, from either pane."),
            .init(
                .resizePane(.narrower), "narrow-pane", "Narrower pane", ["<"], .panes,
                "Move the divider left or up; 5< moves it five columns."),
            .init(
                .resizePane(.wider), "widen-pane", "Wider pane", [">"], .panes,
                "Move the divider right or down; 5> moves it five columns."),
            .init(
                .cards, "cards", "Cards", ["c"], .bookPanes,
                "Show each book as a card of two or three lines; repeat for columns."),
            .init(
                .columns, "columns", "Columns", ["|"], .panes.union([.columns]),
                "Choose the columns of the list.",
                opens: ColumnChooser.opener),
            .init(
                .moveColumn(.down), "move-column-down", "Move the column down", ["J"], [.columns],
                "Move the column down: in the list, to the right.",
                like: .scrollDetail(.down),
                hint: CommandHint(text: "move", contexts: [.columns], pair: .moveColumn(.up))),
            .init(
                .moveColumn(.up), "move-column-up", "Move the column up", ["K"], [.columns],
                "Move the column up: in the list, to the left.", like: .scrollDetail(.up)),
            .init(
                .resizeColumn(.narrower), "narrow-column", "Narrower column", ["<"], [.columns],
                "Make the column narrower; 5< by five.",
                like: .resizePane(.narrower),
                hint: CommandHint(text: "width", contexts: [.columns], pair: .resizeColumn(.wider))),
            .init(
                .resizeColumn(.wider), "widen-column", "Wider column", [">"], [.columns],
                "Make the column wider; 5> by five.",
                like: .resizePane(.wider)),
            .init(
                .toggleColumn, "toggle-column", "Show or hide the column", ["Space"], [.columns],
                "Show or hide the column.", like: .selectRow,
                hint: CommandHint(text: "show or hide", contexts: [.columns])),
        ])

    /// Selecting rows.
    private static let rowSelection = group(
        .books,
        [
            .init(
                .selectRow, "select", "Select", ["Space"], .bookPanes,
                "Select or deselect the row and move down; commands act on all selected books."),
            .init(
                .selectRange, "select-range", "Select a range", ["v"], .bookPanes,
                "Select the rows from here to where you go; v again ends the range."),
            .init(
                .selectAll, "select-all", "Select all", ["V"], .bookPanes,
                "Select all books of the list, or deselect all."),
        ])

    /// User data, shelves and saved searches.
    private static let userData = group(
        .userData,
        [
            .init(
                .favourite, "favourite", "Favourite", ["t", "*"], .bookPanes,
                "Add to or remove from favourites.",
                hint: CommandHint(text: "favourite", contexts: [.books, .detail])),
            .init(
                .putOnShelf, "put-on-shelf", "Add to a shelf", ["b"], .bookPanes,
                "Add to an existing or new shelf."),
            .init(
                .takeOffShelf, "take-off-shelf", "Remove from a shelf", ["B"], .bookPanes,
                "Remove from a shelf."),
            .init(
                .status(.toRead), "status-to-read", "To read", ["mt"], .bookPanes,
                "Mark as to read."),
            .init(
                .status(.reading), "status-reading", "Reading", ["mr"], .bookPanes,
                "Mark as reading."),
            .init(
                .status(.read), "status-read", "Read", ["md"], .bookPanes,
                "Mark as read."),
            .init(
                .status(.abandoned), "status-abandoned", "Abandoned", ["mx"], .bookPanes,
                "Mark as abandoned."),
            .init(
                .status(nil), "status-none", "No status", ["mn"], .bookPanes,
                "Clear the reading status."),
            .init(
                .progress, "progress", "Progress", ["mp"], .bookPanes,
                "Enter the page or the part in per cent that you have reached: 180, 45%."),
            .init(
                .statusOn(.toRead), "status-to-read-on", "To read since …", ["mT"], .bookPanes,
                "Mark as to read since a day: yesterday, last sunday, 12 mar, 2024-03."),
            .init(
                .statusOn(.reading), "status-reading-on", "Reading since …", ["mR"], .bookPanes,
                "Mark as reading since a day; reading again begins a new reading."),
            .init(
                .statusOn(.read), "status-read-on", "Read on …", ["mD"], .bookPanes,
                "Mark as read on a day."),
            .init(
                .statusOn(.abandoned), "status-abandoned-on", "Abandoned on …", ["mX"], .bookPanes,
                "Mark as abandoned on a day."),
            .init(
                .rate, "rate", "Rate", ["r"], .bookPanes,
                "Rate from 1 to 5: r4; r0 removes the rating.", argument: .rating),
            .init(
                .note, "note", "Note", ["e"], .bookPanes,
                "Edit a note on the book in $VISUAL or $EDITOR."),
            .init(
                .undo, "undo", "Undo", ["u"], .panes.union([.history]),
                "Undo the last change of your data, even after a restart.",
                hint: CommandHint(text: "undo", contexts: [.history])),
            .init(
                .redo, "redo", "Redo", ["^r"], .panes.union([.history]),
                "Redo the change that was last undone.",
                hint: CommandHint(text: "redo", contexts: [.history])),
            .init(
                .history, "history", "History", ["U"], .panes.union([.history]),
                "Show all changes; Enter undoes all changes after the current one, / filters.",
                opens: HistoryScreen.opener),
            .init(
                .saveSearch, "save-search", "Save search", ["W"], .bookPanes,
                "Save this search as a list that updates itself."),
            .init(
                .newShelf, "new-shelf", "New shelf", ["+"], .panes,
                "Create a shelf.",
                hint: CommandHint(text: "new shelf", contexts: [.lists])),
            .init(
                .renameList, "rename-list", "Rename", ["="], [.lists],
                "Rename the shelf or saved search; J and K reorder it.",
                hint: CommandHint(text: "rename", contexts: [.lists])),
            .init(
                .deleteList, "delete-list", "Delete", ["D"], [.lists],
                "Delete the shelf or saved search (asks first). Its books are kept.",
                hint: CommandHint(text: "delete", contexts: [.lists])),
            .init(
                .moveList(.down), "move-list-down", "Move the list down", ["J"], [.lists],
                "Move the shelf or saved search down.",
                like: .scrollDetail(.down)),
            .init(
                .moveList(.up), "move-list-up", "Move the list up", ["K"], [.lists],
                "Move the shelf or saved search up.",
                like: .scrollDetail(.up)),
        ])

    /// Editing the catalog.
    private static let editing = group(
        .editing,
        [
            .init(
                .addBook, "add-book", "Add a book", ["A"], .bookPanes,
                "Add a book to the catalog after the current one.", needs: .editing,
                hint: CommandHint(text: "add a book", contexts: [.books])),
            .init(
                .editBook, "edit-book", "Edit", ["E"], .bookPanes,
                "Edit the fields of the book, or of all selected books.", needs: .editing,
                hint: CommandHint(text: "edit", contexts: [.books, .detail])),
            .init(
                .editRecord, "edit-record", "Edit the record", ["^x ^e"], .bookPanes,
                "Edit the record of the book as JSON in $VISUAL or $EDITOR.", needs: .editing),
            .init(
                .deleteBook, "delete-book", "Delete the book", ["X"], .bookPanes,
                "Delete the book, or all selected books, from the catalog.", needs: .editing,
                hint: CommandHint(text: "delete", contexts: [.books, .detail])),
            .init(
                .moveBook(.down), "move-book-down", "Move the book down", ["^Down"], .bookPanes,
                "Move the book down in the order of the catalog.", needs: .editing),
            .init(
                .moveBook(.up), "move-book-up", "Move the book up", ["^Up"], .bookPanes,
                "Move the book up in the order of the catalog.", needs: .editing),
            .init(
                .chooseMine, "choose-mine", "Choose mine", ["m"], [.clashes],
                "Keep your value of what was changed on both sides.",
                hint: CommandHint(text: "mine", contexts: [.clashes])),
            .init(
                .chooseTheirs, "choose-theirs", "Choose theirs", ["t"], [.clashes],
                "Keep the other value of what was changed on both sides.",
                hint: CommandHint(text: "theirs", contexts: [.clashes])),
            .init(
                .chooseAllMine, "choose-all-mine", "Choose all mine", ["M"], [.clashes],
                "Keep your values of all that was changed on both sides.",
                hint: CommandHint(text: "all mine", contexts: [.clashes])),
            .init(
                .chooseAllTheirs, "choose-all-theirs", "Choose all theirs", ["T"], [.clashes],
                "Keep the other values of all that was changed on both sides.",
                hint: CommandHint(text: "all theirs", contexts: [.clashes])),
            .init(
                .changes, "changes", "Unsaved changes", ["gd"], .panes,
                "Show the unsaved changes: books, fields, and the difference that saving makes to the file.",
                needs: .editing, opens: ChangesScreen.opener),
            .init(
                .saveCatalog, "save-catalog", "Save the catalog", ["^s"], .panes.union([.clashes, .changes]),
                "Save the changes of the catalog.", needs: .editing,
                hint: CommandHint(text: "save", contexts: [.lists, .books, .detail, .clashes, .changes])),
        ])

    /// Copying, links and export.
    private static let copying = group(
        .books,
        [
            .init(
                .copy(.title), "copy-title", "Copy title", ["yt"], .bookPanes,
                "Copy the title to the clipboard; of several books, one per line."),
            .init(
                .copy(.authors), "copy-authors", "Copy authors", ["ya"], .bookPanes,
                "Copy the authors to the clipboard."),
            .init(
                .copy(.isbn), "copy-isbn", "Copy ISBN", ["yi"], .bookPanes,
                "Copy the ISBN to the clipboard."),
            .init(
                .copy(.record), "copy-record", "Copy record", ["yj"], .bookPanes,
                "Copy the record to the clipboard as JSON."),
            .init(
                .record, "record", "Record", [], .bookPanes,
                "Show the record of the book as librarians read it: tags, indicators and subfields of MARC 21.",
                opens: RecordScreen.opener),
            .init(
                .openLink, "open-link", "Open link", ["o"], .bookPanes,
                "Open the link or calibre file of the book in $BROWSER or with xdg-open; 2o opens its second link."
            ),
            .init(
                .export, "export", "Export", ["x"], .panes,
                "Export the selected or listed books to a file: JSON, CSV, SQLite, MARCXML, BibTeX or others.",
                hint: CommandHint(text: "export", contexts: [.lists]), opens: ExportDialog.opener),
        ])

    /// Searching.
    private static let searching = group(
        .finding,
        [
            .init(
                .search, "search", "Search", ["/"], .bookPanes.union([.lists, .help, .facets, .history, .guide]),
                "Search titles, authors, series, subjects and ISBNs; filter other screens.",
                hint: CommandHint(
                    text: "search", otherTexts: [.facets: "filter", .history: "filter"],
                    contexts: [.books, .help, .facets, .history, .guide])),
            .init(
                .match(.next), "next-match", "Next match", ["n"], .bookPanes,
                "Go to the next book in the list that matches the last search.", needs: .localIndex),
            .init(
                .match(.previous), "previous-match", "Previous match", ["N"], .bookPanes,
                "Go to the previous book that matches the last search.", needs: .localIndex),
            .init(
                .same(.author), "same-author", "Same author", ["aa"], .bookPanes,
                "List books by this author."),
            .init(
                .same(.series), "same-series", "Same series", ["as"], .bookPanes,
                "List books of this series."),
            .init(
                .same(.subject), "same-subject", "Same subject", ["aj"], .bookPanes,
                "List books on the first subject of this book."),
            .init(
                .same(.year), "same-year", "Same year", ["ay"], .bookPanes,
                "List books of this year."),
            .init(
                .jump, "jump", "Jump", ["f"], .panes,
                "Go to a title, author, series, subject or list by some of its letters; Tab filters the list by it.",
                opens: JumpPicker.opener),
        ])

    /// Going back, and bookmarks.
    private static let travelling = group(
        .moving,
        [
            .init(
                .backward, "backward", "Go back", ["^o", "H"], .panes,
                "Go back to the previous list and book."),
            .init(
                .forward, "forward", "Go forward", ["gi"], .panes,
                "Go forward again (or Tab, straight after ^o)."),
            .init(
                .setBookmark, "set-bookmark", "Set a bookmark", ["M"], .panes,
                "Set a bookmark with a letter: Ma. Bookmarks are kept when you quit.", argument: .letter),
            .init(
                .goToBookmark, "go-to-bookmark", "Go to a bookmark", ["'"], .panes,
                "Go to the bookmark with this letter: 'a.", argument: .letter),
            .init(
                .goToLetter, "go-to-letter", "Go to a letter or year", ["gs"], .bookPanes,
                "In a sorted or grouped list: gsm goes to the letter M, 1984gs to the year 1984.",
                argument: .firstCharacter),
        ])

    /// Facets and statistics.
    private static let counting = group(
        .finding,
        [
            .init(
                .facets, "facets", "Facets", ["F"], .bookPanes.union([.facets]),
                "Filter the list by author, subject, language, decade, series, kind, status, rating, shelf, year read.",
                needs: .localIndex,
                opens: FacetsScreen.opener),
            .init(
                .tick, "tick", "Tick", ["Space"], [.facets],
                "Tick or untick the value: books must have one of the ticked values of each facet.",
                needs: .localIndex, like: .selectRow, hint: CommandHint(text: "tick", contexts: [.facets])),
            .init(
                .exclude, "exclude", "Exclude", ["-"], [.facets],
                "List the books without this value.", needs: .localIndex,
                hint: CommandHint(text: "exclude", contexts: [.facets])),
            .init(
                .statistics, "statistics", "Statistics", ["%"], .bookPanes.union([.statistics]),
                "Show charts of the listed books: decades, pages, authors, languages and more.", needs: .localIndex,
                opens: StatisticsScreen.opener),
        ])

    /// Sorting.
    private static let sorting = group(
        .order,
        [
            .init(
                .sort(.title), "sort-by-title", "Sort by title", ["st"], .bookPanes,
                "Sort by title, ignoring articles; repeat to reverse.",
                hint: CommandHint(text: "sort", contexts: [.books], prefix: "s")),
            .init(
                .sort(.author), "sort-by-author", "Sort by author", ["sa"], .bookPanes,
                "Sort by the first author’s family name."),
            .init(
                .sort(.year), "sort-by-year", "Sort by year", ["sy"], .bookPanes,
                "Sort by year of publication."),
            .init(
                .sort(.pages), "sort-by-pages", "Sort by pages", ["sp"], .bookPanes,
                "Sort by number of pages."),
            .init(
                .sort(.rating), "sort-by-rating", "Sort by rating", ["sr"], .bookPanes,
                "Sort by rating."),
            .init(
                .sort(.added), "sort-by-added", "Sort by date added", ["sd"], .bookPanes,
                "Sort by the date added to the catalog."),
            .init(
                .sortByField, "sort-by-field", "Sort by a field", ["so"], .bookPanes,
                "Choose any field to sort by, also those that only this catalog has.",
                opens: ScreenOpener(context: .fields, make: FieldPicker.ofOrders)),
            .init(
                .sort(nil), "sort-by-list", "List order", ["sl"], .bookPanes,
                "Restore the order of the list."),
            .init(
                .thenSort(.title), "then-by-title", "Then by title", ["sSt"], .bookPanes,
                "Break ties by title."),
            .init(
                .thenSort(.author), "then-by-author", "Then by author", ["sSa"], .bookPanes,
                "Break ties by author."),
            .init(
                .thenSort(.year), "then-by-year", "Then by year", ["sSy"], .bookPanes,
                "Break ties by year."),
            .init(
                .thenSort(.pages), "then-by-pages", "Then by pages", ["sSp"], .bookPanes,
                "Break ties by pages."),
            .init(
                .thenSort(.rating), "then-by-rating", "Then by rating", ["sSr"], .bookPanes,
                "Break ties by rating."),
            .init(
                .thenSort(.added), "then-by-added", "Then by date added", ["sSd"], .bookPanes,
                "Break ties by date added."),
        ])

    /// Grouping.
    private static let grouping = group(
        .order,
        [
            .init(
                .section(.letter), "section-by-letter", "Group by letter", ["St"], .bookPanes,
                "Group books by the first letter of the title.", needs: .localIndex),
            .init(
                .section(.decade), "section-by-decade", "Group by decade", ["Sd"], .bookPanes,
                "Group books by decade.", needs: .localIndex),
            .init(
                .section(.series), "section-by-series", "Group by series", ["Ss"], .bookPanes,
                "Group books by series.", needs: .localIndex),
            .init(
                .section(.author), "section-by-author", "Group by author", ["Sa"], .bookPanes,
                "Group books by first author.", needs: .localIndex),
            .init(
                .section(.subject), "section-by-subject", "Group by subject", ["Sj"], .bookPanes,
                "Group books by first subject.", needs: .localIndex),
            .init(
                .section(.fiction), "section-by-fiction", "Group by kind", ["Sf"], .bookPanes,
                "Group fiction and non-fiction.", needs: .localIndex),
            .init(
                .section(.status), "section-by-status", "Group by status", ["Sr"], .bookPanes,
                "Group books by reading status.", needs: .localIndex),
            .init(
                .sectionByField, "section-by-field", "Group by a field", ["So"], .bookPanes,
                "Choose any field to group by, also those that only this catalog has.", needs: .localIndex,
                opens: ScreenOpener(context: .fields, make: FieldPicker.ofSections)),
            .init(
                .section(nil), "section-by-nothing", "Ungroup", ["Sn"], .bookPanes,
                "Show the list without groups."),
        ])

    /// Movement between sections.
    private static let sectionMoving = group(
        .moving,
        [
            .init(
                .move(.nextSection), "next-section", "Next section", ["]"], .sectioned,
                "Go to the next section."),
            .init(
                .move(.previousSection), "previous-section", "Previous section", ["["], .sectioned,
                "Go to the start of this section, or of the previous one."),
        ])

    /// Commands of the whole program.
    private static let program = group(
        .program,
        [
            .init(
                .cancel, "cancel", "Cancel", ["Esc"], .everywhere,
                "Cancel the keys typed so far, close a screen, leave the detail, or clear the search.",
                hint: CommandHint(
                    text: "close", otherTexts: [.books: "clear search", .clashes: "cancel", .guide: "back"],
                    contexts: .closing.union([.books]))),
            .init(
                .help, "help", "Help", ["?", "F1"], .commanding,
                "Show all commands and their keys; / filters.",
                hint: CommandHint(text: "help", contexts: [.lists, .books, .detail]),
                opens: HelpScreen.opener),
            .init(
                .guide, "guide", "Guide", [], .commanding,
                "Read the guide: a tour, how to search, your data, catalogs and more.", opens: GuideScreen.opener),
            .init(
                .link(.next), "next-link", "Next link", ["Tab"], [.guide],
                "Select the next link of a page of the guide; Enter opens it, 3 and Enter open link 3.",
                like: .switchPane, hint: CommandHint(text: "next link", contexts: [.guide])),
            .init(
                .link(.previous), "previous-link", "Previous link", ["BackTab"], [.guide],
                "Select the previous link of a page of the guide."),
            .init(
                .palette, "palette", "Command palette", [":"], .commanding,
                "Find and run any command.",
                opens: CommandPalette.opener),
            .init(
                .messages, "messages", "Messages", [], .commanding,
                "Show current warnings and all messages since the start, newest first.", opens: MessagesScreen.opener
            ),
            .init(
                .reload, "reload", "Reload", ["R"], .panes,
                "Reload the catalog from its file; the current book stays current.", needs: .reloading,
                hint: CommandHint(text: "reload", contexts: [.books])),
            .init(
                .redraw, "redraw", "Redraw", ["^l"], .everywhere,
                "Redraw the screen."),
            .init(
                .suspend, "suspend", "Suspend", ["^z"], .everywhere,
                "Suspend to the shell; its command fg returns."),
            .init(
                .quit, "quit", "Quit", ["q", "Q"], .commanding,
                "Quit; stacks resumes here next time. On other screens, q closes them.",
                hint: CommandHint(text: "quit", contexts: [.lists, .books, .detail])),
            .init(
                .interrupt, "interrupt", "Interrupt", ["^c"], .everywhere,
                "Cancel like Esc; twice in a row quits."),
        ])
}
