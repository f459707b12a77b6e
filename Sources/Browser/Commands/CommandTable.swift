public import Books
internal import Catalog
public import Search

/// What the reader can ask the browser to do. A command that needs to know what of has it as its value.
public enum Command: Hashable, Sendable {
    case move(Motion)
    case open, back, lists, switchPane
    case scrollDetail(Step), resizePane(Resizing)
    case columns, moveColumn(Step), toggleColumn, resizeColumn(Resizing)
    case selectRow, selectRange, selectAll
    case favourite, putOnShelf, takeOffShelf, status(Book.ReadingStatus?), rate, note
    case undo, redo, history
    case saveSearch, newShelf, renameList, deleteList, moveList(Step)
    case copy(CopiedPart), openLink, export
    case search, match(Direction), same(RelatedBooks)
    case backward, forward, setBookmark, goToBookmark
    case facets, exclude, statistics
    case sort(SortOrder.Key?), thenSort(SortOrder.Key), section(SectionKey?)
    case cancel, help, palette, messages, reload, redraw, suspend, quit, interrupt

    /// A way through rows or text.
    public enum Motion: Hashable, Sendable {
        case down, up, top, end, halfPageDown, halfPageUp, pageDown, pageUp, centre, nextSection, previousSection
    }

    /// A step downwards or upwards.
    public enum Step: Hashable, Sendable {
        case down, up
    }

    /// The next one, or the one before.
    public enum Direction: Hashable, Sendable {
        case next, previous
    }

    /// Where a divider goes.
    public enum Resizing: Hashable, Sendable {
        case narrower, wider
    }

    /// What of a book is copied.
    public enum CopiedPart: Hashable, Sendable {
        case title, authors, isbn, record
    }
}

/// What has the keyboard.
public enum CommandContext: CaseIterable, Sendable {
    case lists, books, detail, help, search, facets, statistics, columns, palette, history, shelves, prompt, messages
}

/// Each command once: dispatch, hint bar, help, palette, the README's table, the man page and the config file's names of keys
/// all come from this table.
extension CommandInfo {
    /// All commands, in the order of the palette and the README.
    public static let all: [CommandInfo] =
        moving + panes + rowSelection + userData + copying + searching + travelling + counting + sorting + grouping
        + sectionMoving + program

    /// Going through rows and text.
    private static let moving = group(
        .moving,
        [
            .init(
                .move(.down), "down", "Down", ["j", "Down"], .scrolling,
                "Go to the next row; with a count, so many rows: 5j.",
                hint: CommandHint(text: "down", contexts: [.detail, .help, .statistics, .messages])),
            .init(
                .move(.up), "up", "Up", ["k", "Up"], .scrolling,
                "Go to the row before; with a count, so many rows: 5k."),
            .init(
                .move(.top), "top", "Top", ["gg", "Home"], .scrolling,
                "Go to the first row; with a count, to that row: 120gg."),
            .init(
                .move(.end), "end", "End", ["G", "End"], .scrolling,
                "Go to the last row; with a count, to that row: 120G."),
            .init(
                .move(.halfPageDown), "half-page-down", "Half a page down", ["^d"], .scrolling,
                "Go down by half a screen."),
            .init(
                .move(.halfPageUp), "half-page-up", "Half a page up", ["^u"], .scrolling,
                "Go up by half a screen."),
            .init(
                .move(.pageDown), "page-down", "Page down", ["^f", "PgDn"], .scrolling,
                "Go down by a screen."),
            .init(
                .move(.pageUp), "page-up", "Page up", ["^b", "PgUp"], .scrolling,
                "Go up by a screen."),
            .init(
                .move(.centre), "centre", "Centre", ["zz"], .tables,
                "Scroll so that the selected row is in the middle."),
        ])

    /// Panes and columns.
    private static let panes = group(
        .panes,
        [
            .init(
                .open, "open", "Open", ["Enter", "l", "Right"], [.lists, .books, .facets, .columns, .history],
                "Open the list, or go to the detail of the book.",
                hint: CommandHint(
                    text: "open", otherTexts: [.facets: "show", .history: "go back here"],
                    contexts: [.lists, .books, .facets, .history])),
            .init(
                .back, "back", "Back", ["h", "Left"], .commanding,
                "Go back: from the detail to the list, from the list to the lists.",
                hint: CommandHint(text: "back", contexts: [.detail])),
            .init(
                .lists, "lists", "Lists", ["L", ","], .commanding,
                "Show all lists with their counts.",
                hint: CommandHint(text: "lists", contexts: [.books, .detail])),
            .init(
                .switchPane, "switch-pane", "Switch pane", ["Tab"], .panes,
                "Go from the list to the detail, and back."),
            .init(
                .scrollDetail(.down), "detail-down", "Scroll the detail down", ["J"],
                .bookPanes.union([.help, .statistics]), "Scroll the detail of the book down, from either pane."),
            .init(
                .scrollDetail(.up), "detail-up", "Scroll the detail up", ["K"],
                .bookPanes.union([.help, .statistics]), "Scroll the detail of the book up, from either pane."),
            .init(
                .resizePane(.narrower), "narrow-pane", "Narrower pane", ["<"], .panes,
                "Move the divider to the left, or up; with a count, by so many columns: 5<."),
            .init(
                .resizePane(.wider), "widen-pane", "Wider pane", [">"], .panes,
                "Move the divider to the right, or down; with a count, by so many columns: 5>."),
            .init(
                .columns, "columns", "Columns", ["|"], .panes.union([.columns]),
                "Choose the columns of the list: Space shows or hides one, J and K move it, < and > give it a width.",
                opens: ColumnChooser.opener),
            .init(
                .moveColumn(.down), "move-column-down", "Move the column down", ["J"], [.columns],
                "Among the columns, move the selected one down: in the list, to the right.",
                like: .scrollDetail(.down),
                hint: CommandHint(text: "move", contexts: [.columns], pair: .moveColumn(.up))),
            .init(
                .moveColumn(.up), "move-column-up", "Move the column up", ["K"], [.columns],
                "Among the columns, move the selected one up: in the list, to the left.", like: .scrollDetail(.up)),
            .init(
                .resizeColumn(.narrower), "narrow-column", "Narrower column", ["<"], [.columns],
                "Among the columns, make the selected one narrower; with a count, by so many columns: 5<.",
                like: .resizePane(.narrower),
                hint: CommandHint(text: "width", contexts: [.columns], pair: .resizeColumn(.wider))),
            .init(
                .resizeColumn(.wider), "widen-column", "Wider column", [">"], [.columns],
                "Among the columns, make the selected one wider; with a count, by so many columns: 5>.",
                like: .resizePane(.wider)),
            .init(
                .toggleColumn, "toggle-column", "Show or hide the column", ["Space"], [.columns],
                "Among the columns, show or hide the selected one.", like: .selectRow,
                hint: CommandHint(text: "show or hide", contexts: [.columns])),
        ])

    /// Choosing rows.
    private static let rowSelection = group(
        .books,
        [
            .init(
                .selectRow, "select", "Mark", ["Space"], .bookPanes,
                "Mark the row, or no longer, and go on; commands act on all marked books."),
            .init(
                .selectRange, "select-range", "Mark a range", ["v"], .bookPanes,
                "Mark all rows from this one to where you go, until v again."),
            .init(
                .selectAll, "select-all", "Mark all", ["V"], .bookPanes,
                "Mark all rows of the list, or none where all are marked."),
        ])

    /// What the reader says of books, and their shelves and saved searches.
    private static let userData = group(
        .own,
        [
            .init(
                .favourite, "favourite", "Favourite", ["t", "*"], .bookPanes,
                "Make the book a favourite, or no longer one. Saved at once.",
                hint: CommandHint(text: "favourite", contexts: [.books, .detail])),
            .init(
                .putOnShelf, "put-on-shelf", "Put on a shelf", ["b"], .bookPanes,
                "Put the book on a shelf, one that is there or a new one."),
            .init(
                .takeOffShelf, "take-off-shelf", "Take off a shelf", ["B"], .bookPanes,
                "Take the book off a shelf."),
            .init(
                .status(.toRead), "status-to-read", "To read", ["mt"], .bookPanes,
                "Note that you want to read the book."),
            .init(
                .status(.reading), "status-reading", "Reading", ["mr"], .bookPanes,
                "Note that you are reading the book."),
            .init(
                .status(.read), "status-read", "Read", ["md"], .bookPanes,
                "Note that you have read the book."),
            .init(
                .status(.abandoned), "status-abandoned", "Abandoned", ["mx"], .bookPanes,
                "Note that you have given the book up."),
            .init(
                .status(nil), "status-none", "No status", ["mn"], .bookPanes,
                "Forget how far you have come with the book."),
            .init(
                .rate, "rate", "Rate", ["r"], .bookPanes,
                "Rate the book from 1 to 5, typed behind it: r4; 0 takes the rating away.", argument: .rating),
            .init(
                .note, "note", "Note", ["e"], .bookPanes,
                "Write a note on the book, in $VISUAL or $EDITOR."),
            .init(
                .undo, "undo", "Undo", ["u"], .panes.union([.history]),
                "Take the last change of your marks, shelves or queries back, also after a restart.",
                hint: CommandHint(text: "undo", contexts: [.history])),
            .init(
                .redo, "redo", "Redo", ["^r"], .panes.union([.history]),
                "Make the change again that was taken back last.",
                hint: CommandHint(text: "redo", contexts: [.history])),
            .init(
                .history, "history", "History", ["U"], .panes.union([.history]),
                "Show all changes; Enter takes back all that came after the selected one.",
                opens: HistoryScreen.opener),
            .init(
                .saveSearch, "save-search", "Save the query", ["W"], .bookPanes,
                "Make a list of what is searched for, that fills itself from now on."),
            .init(
                .newShelf, "new-shelf", "New shelf", ["+"], .panes,
                "Make a shelf.",
                hint: CommandHint(text: "new shelf", contexts: [.lists])),
            .init(
                .renameList, "rename-list", "Rename", ["="], [.lists],
                "Call the selected shelf or query something else; J and K move it.",
                hint: CommandHint(text: "rename", contexts: [.lists])),
            .init(
                .deleteList, "delete-list", "Delete", ["D"], [.lists],
                "Delete the selected shelf or query, when y follows. Its books stay where they are.",
                hint: CommandHint(text: "delete", contexts: [.lists])),
            .init(
                .moveList(.down), "move-list-down", "Move the list down", ["J"], [.lists],
                "Among the lists, move the selected shelf or query down; on another, scroll the detail.",
                like: .scrollDetail(.down)),
            .init(
                .moveList(.up), "move-list-up", "Move the list up", ["K"], [.lists],
                "Among the lists, move the selected shelf or query up; on another, scroll the detail.",
                like: .scrollDetail(.up)),
        ])

    /// What leaves the program.
    private static let copying = group(
        .books,
        [
            .init(
                .copy(.title), "copy-title", "Copy title", ["yt"], .bookPanes,
                "Copy the title to the clipboard, of marked books one a line."),
            .init(
                .copy(.authors), "copy-authors", "Copy authors", ["ya"], .bookPanes,
                "Copy the authors to the clipboard."),
            .init(
                .copy(.isbn), "copy-isbn", "Copy ISBN", ["yi"], .bookPanes,
                "Copy the ISBN to the clipboard."),
            .init(
                .copy(.record), "copy-record", "Copy record", ["yj"], .bookPanes,
                "Copy the record to the clipboard, as JSON."),
            .init(
                .openLink, "open-link", "Open link", ["o"], .bookPanes,
                "Open the link of the book, http or https, in $BROWSER or with xdg-open; with a count, that of its number: 2o."
            ),
            .init(
                .export, "export", "Export", ["x"], .panes,
                "Export the selected books, or else those listed, to a file: JSON, CSV, Goodreads, BibTeX or CSL-JSON.",
                needs: .localIndex, hint: CommandHint(text: "export", contexts: [.lists]), opens: ExportDialog.opener),
        ])

    /// Searching.
    private static let searching = group(
        .finding,
        [
            .init(
                .search, "search", "Search", ["/"], .bookPanes.union([.help, .facets]),
                "Search titles, authors, series, subjects and ISBNs (syntax in the README); on other screens, filter.",
                hint: CommandHint(
                    text: "search", otherTexts: [.facets: "filter"], contexts: [.books, .help, .facets])),
            .init(
                .match(.next), "next-match", "Next match", ["n"], .bookPanes,
                "Go to the next book that the last search found, in the whole list.", needs: .localIndex),
            .init(
                .match(.previous), "previous-match", "Previous match", ["N"], .bookPanes,
                "Go to the one before.", needs: .localIndex),
            .init(
                .same(.author), "same-author", "Same author", ["aa"], .bookPanes,
                "List the books of this author."),
            .init(
                .same(.series), "same-series", "Same series", ["as"], .bookPanes,
                "List the books of this series."),
            .init(
                .same(.subject), "same-subject", "Same subject", ["aj"], .bookPanes,
                "List the books on this subject, the first that the book has."),
            .init(
                .same(.year), "same-year", "Same year", ["ay"], .bookPanes,
                "List the books of this year."),
        ])

    /// Going back and to bookmarks.
    private static let travelling = group(
        .moving,
        [
            .init(
                .backward, "backward", "Back where you were", ["^o", "H"], .panes,
                "Go back to the list and the book before."),
            .init(
                .forward, "forward", "Forward again", ["gi"], .panes,
                "Go to where you went back from; right after ^o the key Tab does so, too."),
            .init(
                .setBookmark, "set-bookmark", "Set a mark", ["M"], .panes,
                "Remember this place by a letter: Ma. Kept from one start to the next.", argument: .letter),
            .init(
                .goToBookmark, "go-to-bookmark", "Go to a mark", ["'"], .panes,
                "Go to the place that has this letter: 'a.", argument: .letter),
        ])

    /// Counting what is listed.
    private static let counting = group(
        .finding,
        [
            .init(
                .facets, "facets", "Facets", ["F"], .bookPanes.union([.facets]),
                "Count what is listed by author, subject, language, decade, series, kind, status, rating and shelf.",
                needs: .localIndex,
                opens: FacetsScreen.opener),
            .init(
                .exclude, "exclude", "Exclude", ["-"], [.facets],
                "Among the facets, list what does not have this value.", needs: .localIndex,
                hint: CommandHint(text: "exclude", contexts: [.facets])),
            .init(
                .statistics, "statistics", "Statistics", ["%"], .bookPanes.union([.statistics]),
                "Show what is listed as charts: decades, pages, authors, languages and more.", needs: .localIndex,
                opens: StatisticsScreen.opener),
        ])

    /// The order of the list.
    private static let sorting = group(
        .order,
        [
            .init(
                .sort(.title), "sort-by-title", "Sort by title", ["st"], .bookPanes,
                "Sort by title, without its article; again, the other way round.",
                hint: CommandHint(text: "sort", contexts: [.books], prefix: "s")),
            .init(
                .sort(.author), "sort-by-author", "Sort by author", ["sa"], .bookPanes,
                "Sort by the family name of the first author."),
            .init(
                .sort(.year), "sort-by-year", "Sort by year", ["sy"], .bookPanes,
                "Sort by the year of publication."),
            .init(
                .sort(.pages), "sort-by-pages", "Sort by pages", ["sp"], .bookPanes,
                "Sort by the number of pages."),
            .init(
                .sort(.rating), "sort-by-rating", "Sort by rating", ["sr"], .bookPanes,
                "Sort by rating."),
            .init(
                .sort(.added), "sort-by-added", "Sort by date added", ["sd"], .bookPanes,
                "Sort by the day when the book came to the catalog."),
            .init(
                .sort(nil), "sort-by-list", "List order", ["sl"], .bookPanes,
                "Order the books as the list has them."),
            .init(
                .thenSort(.title), "then-by-title", "Then by title", ["sSt"], .bookPanes,
                "Where the order is the same, sort by title."),
            .init(
                .thenSort(.author), "then-by-author", "Then by author", ["sSa"], .bookPanes,
                "Where the order is the same, sort by author."),
            .init(
                .thenSort(.year), "then-by-year", "Then by year", ["sSy"], .bookPanes,
                "Where the order is the same, sort by year."),
            .init(
                .thenSort(.pages), "then-by-pages", "Then by pages", ["sSp"], .bookPanes,
                "Where the order is the same, sort by pages."),
            .init(
                .thenSort(.rating), "then-by-rating", "Then by rating", ["sSr"], .bookPanes,
                "Where the order is the same, sort by rating."),
            .init(
                .thenSort(.added), "then-by-added", "Then by date added", ["sSd"], .bookPanes,
                "Where the order is the same, sort by date added."),
        ])

    /// The sections of the list.
    private static let grouping = group(
        .order,
        [
            .init(
                .section(.letter), "section-by-letter", "Sections by letter", ["St"], .bookPanes,
                "Show the titles that begin with one letter together.", needs: .localIndex),
            .init(
                .section(.decade), "section-by-decade", "Sections by decade", ["Sd"], .bookPanes,
                "Show the books of one decade together.", needs: .localIndex),
            .init(
                .section(.series), "section-by-series", "Sections by series", ["Ss"], .bookPanes,
                "Show the books of one series together.", needs: .localIndex),
            .init(
                .section(.author), "section-by-author", "Sections by author", ["Sa"], .bookPanes,
                "Show the books of one author together.", needs: .localIndex),
            .init(
                .section(.subject), "section-by-subject", "Sections by subject", ["Sj"], .bookPanes,
                "Show the books together whose first subject is one.", needs: .localIndex),
            .init(
                .section(.fiction), "section-by-fiction", "Sections by kind", ["Sf"], .bookPanes,
                "Show fiction and non-fiction apart.", needs: .localIndex),
            .init(
                .section(.status), "section-by-status", "Sections by status", ["Sr"], .bookPanes,
                "Show together what is to be read, and what was read.", needs: .localIndex),
            .init(
                .section(nil), "section-by-nothing", "No sections", ["Sn"], .bookPanes,
                "Show the list without sections."),
        ])

    /// Going from section to section.
    private static let sectionMoving = group(
        .moving,
        [
            .init(
                .move(.nextSection), "next-section", "Next section", ["]"], .sectioned,
                "Go to the first book of the next section."),
            .init(
                .move(.previousSection), "previous-section", "Section before", ["["], .sectioned,
                "Go to the beginning of the section, or of the one before."),
        ])

    /// The program as a whole.
    private static let program = group(
        .program,
        [
            .init(
                .cancel, "cancel", "Cancel", ["Esc"], .everywhere,
                "Forget the count or keys typed so far; close help; go from the detail to the list; give the whole list back.",
                hint: CommandHint(text: "close", contexts: .closing)),
            .init(
                .help, "help", "Help", ["?", "F1"], .commanding,
                "Show all commands and their keys; / looks for one.",
                hint: CommandHint(text: "help", contexts: [.lists, .books, .detail]),
                opens: HelpScreen.opener),
            .init(
                .palette, "palette", "Command palette", [":"], .commanding,
                "Find any command by its name, see its keys, and give it.",
                opens: CommandPalette.opener),
            .init(
                .messages, "messages", "Messages", [], .commanding,
                "Show the warnings that hold, and all messages of this run, newest first.", opens: MessagesScreen.opener
            ),
            .init(
                .reload, "reload", "Reload", ["R"], .panes,
                "Read the catalog again from its file; the selected book stays selected.", needs: .reloading),
            .init(
                .redraw, "redraw", "Redraw", ["^l"], .everywhere,
                "Draw the screen anew."),
            .init(
                .suspend, "suspend", "Suspend", ["^z"], .everywhere,
                "Go to the shell; its command fg comes back."),
            .init(
                .quit, "quit", "Quit", ["q", "Q"], .commanding,
                "Leave stacks; the place is remembered. In help, q closes help.",
                hint: CommandHint(text: "quit", contexts: [.lists, .books, .detail])),
            .init(
                .interrupt, "interrupt", "Interrupt", ["^c"], .everywhere,
                "Cancel, as Esc does; twice in a row, quit."),
        ])
}
