public import Books
internal import Catalog
public import Search
public import TerminalUI

/// A command of the browser. A command with variants has the variant as its associated value.
public enum Command: Hashable, Sendable {
    case move(Motion)
    case open, back, lists, goToList, switchPane, previousPane
    case scrollDetail(Step), resizePane(Resizing)
    case cards, fetchCover, columns, moveColumn(Step), toggleColumn, resizeColumn(Resizing)
    case selectRow, selectRange, selectAll
    case favourite, putOnShelf, takeOffShelf, status(Book.ReadingStatus?), statusOn(Book.ReadingStatus), progress, rate,
        note, repeatMarking, moveDayBack, log, bookLog, editReading, removeReading, setGoal
    case duplicates, otherValue, mergeAlike, notSame, values, mergeValues, deleteValue
    case undo, redo, history
    case addBook, scan, lookUp, fillBooks, editBook, editRecord, deleteBook, moveBook(Step), changes, saveCatalog
    case chooseMine, chooseTheirs, chooseAllMine, chooseAllTheirs
    case saveSearch, newShelf, renameList, deleteList, moveList(Step)
    case copy(CopiedPart), openLink, export
    case search, match(Direction), same(RelatedBooks), jump
    case backward, forward, setBookmark, goToBookmark, goToLetter
    case facets, tick, exclude, fold, clearTicks, statistics, record
    case sort(SortOrder.Key?), thenSort(SortOrder.Key), section(SectionKey?), sortByField, sectionByField
    case cancel, help, guide, link(Direction), palette, openCatalog, messages, reload, redraw, suspend, quit, interrupt

    /// A movement in rows or text.
    public enum Motion: Hashable, Sendable {
        case down, up, top, end, halfPageDown, halfPageUp, pageDown, pageUp, nextSection, previousSection
        /// Scrolls the current row to an edge of the screen, or to its middle.
        case scrollTo(TableView.ScreenPlace)
        /// Goes to the row at an edge of the screen, or in its middle.
        case goTo(TableView.ScreenPlace)
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
        form, replacement, messages, record, changes, clashes, jump, guide, catalogs, log, duplicates, values,
        lookup
}
