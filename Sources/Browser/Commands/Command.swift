/// What the reader can ask the browser to do. Each is declared once, here: keys, hint bar, help screen and the README's
/// table all come from this list.
public enum Command: String, CaseIterable, Sendable {
    case down, up, top, end
    case halfPageDown, halfPageUp, pageDown, pageUp
    case centre
    case open, back, lists, switchPane
    case detailDown, detailUp
    case narrowPane, widenPane, columns
    case mark, markRange, markAll
    case favourite, putOnShelf, takeOffShelf
    case statusToRead, statusReading, statusRead, statusAbandoned, statusNone
    case rate, note
    case undo, redo, history
    case saveQuery, newShelf, renameList, deleteList
    case copyTitle, copyAuthors, copyISBN, copyRecord, openLink
    case search, nextMatch, previousMatch
    case sameAuthor, sameSeries, sameSubject, sameYear
    case backward, forward, setPlace, goToPlace
    case facets, exclude, statistics
    case sortByTitle, sortByAuthor, sortByYear, sortByPages, sortByRating, sortByAdded, sortByList
    case thenByTitle, thenByAuthor, thenByYear, thenByPages, thenByRating, thenByAdded
    case sectionByLetter, sectionByDecade, sectionBySeries, sectionByAuthor, sectionBySubject, sectionByFiction
    case sectionByStatus, sectionByNothing, nextSection, previousSection
    case cancel, help, palette, reload, redraw, suspend, quit, interrupt
}

extension Command {
    /// What a command is called, which keys give it, and what it does.
    public struct Declaration: Sendable {
        /// What it is called.
        public var title: String
        /// The keys that give it, as a reader would type them: "gg", "^d", "PgDn"; the first is shown in hints.
        public var keys: [String]
        /// What it does, in a sentence.
        public var help: String
        /// The short name in the hint bar, and where it applies; nil where it is not shown there.
        public var hint: Hint?
    }

    /// A command's place in the hint bar.
    public struct Hint: Sendable {
        /// What it is called there.
        public var text: String
        /// Where it is shown.
        public var contexts: Set<Context>
        /// The key that is shown, where others follow it; nil for the command's own.
        public var key: String?
    }

    /// What has the keyboard.
    public enum Context: CaseIterable, Sendable {
        case lists, books, detail, help, search, facets, statistics, columns, palette, history, shelves, prompt
    }

    /// What this command is.
    public var declaration: Declaration {
        switch self {
        case .down:
            .init(
                "Down", ["j", "Down"], "Go to the next row; with a count, so many rows: 5j.",
                hint: .init(text: "down", contexts: [.detail, .help, .statistics]))
        case .up: .init("Up", ["k", "Up"], "Go to the row before; with a count, so many rows: 5k.")
        case .top: .init("Top", ["gg", "Home"], "Go to the first row; with a count, to that row: 120gg.")
        case .end: .init("End", ["G", "End"], "Go to the last row; with a count, to that row: 120G.")
        case .halfPageDown: .init("Half a page down", ["^d"], "Go down by half a screen.")
        case .halfPageUp: .init("Half a page up", ["^u"], "Go up by half a screen.")
        case .pageDown: .init("Page down", ["^f", "PgDn"], "Go down by a screen.")
        case .pageUp: .init("Page up", ["^b", "PgUp"], "Go up by a screen.")
        case .centre: .init("Centre", ["zz"], "Scroll so that the selected row is in the middle.")
        case .open:
            .init(
                "Open", ["Enter", "l", "Right"], "Open the list, or go to the detail of the book.",
                hint: .init(text: "open", contexts: [.lists, .books, .facets]))
        case .back:
            .init(
                "Back", ["h", "Left"], "Go back: from the detail to the list, from the list to the lists.",
                hint: .init(text: "back", contexts: [.detail]))
        case .lists:
            .init(
                "Lists", ["L", ","], "Show all lists with their counts.",
                hint: .init(text: "lists", contexts: [.books, .detail]))
        case .switchPane: .init("Switch pane", ["Tab"], "Go from the list to the detail, and back.")
        case .detailDown:
            .init(
                "Scroll the detail down", ["J"], "Scroll the detail of the book down, from either pane.",
                hint: .init(text: "move", contexts: [.columns], key: "J K"))
        case .detailUp: .init("Scroll the detail up", ["K"], "Scroll the detail of the book up, from either pane.")
        case .narrowPane:
            .init("Narrower pane", ["<"], "Move the divider to the left, or up; with a count, by so many columns: 5<.")
        case .widenPane:
            .init(
                "Wider pane", [">"], "Move the divider to the right, or down; with a count, by so many columns: 5>.",
                hint: .init(text: "width", contexts: [.columns], key: "< >"))
        case .columns:
            .init(
                "Columns", ["|"],
                "Choose the columns of the list: Space shows or hides one, J and K move it, < and > give it a width.")
        case .mark:
            .init(
                "Mark", ["Space"], "Mark the row, or no longer, and go on; commands act on all marked books.",
                hint: .init(text: "show or hide", contexts: [.columns]))
        case .markRange:
            .init("Mark a range", ["v"], "Mark all rows from this one to where you go, until v again.")
        case .markAll: .init("Mark all", ["V"], "Mark all rows of the list, or none where all are marked.")
        case .copyTitle:
            .init("Copy title", ["yt"], "Copy the title to the clipboard, of marked books one a line.")
        case .copyAuthors: .init("Copy authors", ["ya"], "Copy the authors to the clipboard.")
        case .copyISBN: .init("Copy ISBN", ["yi"], "Copy the ISBN to the clipboard.")
        case .copyRecord: .init("Copy record", ["yj"], "Copy the record to the clipboard, as JSON.")
        case .openLink:
            .init(
                "Open link", ["o"],
                "Open the link of the book, http or https, in $BROWSER or with xdg-open; with a count, that of its number: 2o."
            )
        case .favourite:
            .init(
                "Favourite", ["t", "*"], "Make the book a favourite, or no longer one. Saved at once.",
                hint: .init(text: "favourite", contexts: [.books, .detail]))
        case .putOnShelf: .init("Put on a shelf", ["b"], "Put the book on a shelf, one that is there or a new one.")
        case .takeOffShelf: .init("Take off a shelf", ["B"], "Take the book off a shelf.")
        case .statusToRead: .init("To read", ["mt"], "Note that you want to read the book.")
        case .statusReading: .init("Reading", ["mr"], "Note that you are reading the book.")
        case .statusRead: .init("Read", ["md"], "Note that you have read the book.")
        case .statusAbandoned: .init("Abandoned", ["mx"], "Note that you have given the book up.")
        case .statusNone: .init("No status", ["mn"], "Forget how far you have come with the book.")
        case .rate: .init("Rate", ["r"], "Rate the book from 1 to 5, typed behind it: r4; 0 takes the rating away.")
        case .note: .init("Note", ["e"], "Write a note on the book, in $VISUAL or $EDITOR.")
        case .undo:
            .init(
                "Undo", ["u"], "Take the last change of your marks, shelves or queries back, also after a restart.",
                hint: .init(text: "undo", contexts: [.history]))
        case .redo: .init("Redo", ["^r"], "Make the change again that was taken back last.")
        case .history:
            .init("History", ["U"], "Show all changes; Enter takes back all that came after the selected one.")
        case .saveQuery:
            .init("Save the query", ["W"], "Make a list of what is searched for, that fills itself from now on.")
        case .newShelf:
            .init(
                "New shelf", ["+"], "Make a shelf.", hint: .init(text: "new shelf", contexts: [.lists]))
        case .renameList:
            .init(
                "Rename", ["="], "Call the selected shelf or query something else; J and K move it.",
                hint: .init(text: "rename", contexts: [.lists]))
        case .deleteList:
            .init(
                "Delete", ["D"], "Delete the selected shelf or query, when y follows. Its books stay where they are.",
                hint: .init(text: "delete", contexts: [.lists]))
        case .search:
            .init(
                "Search", ["/"],
                "Look for words in title, authors, series, subjects and ISBN; see the README for all that can be asked for.",
                hint: .init(text: "search", contexts: [.books, .help]))
        case .nextMatch:
            .init("Next match", ["n"], "Go to the next book that the last search found, in the whole list.")
        case .previousMatch: .init("Previous match", ["N"], "Go to the one before.")
        case .sameAuthor: .init("Same author", ["aa"], "List the books of this author.")
        case .sameSeries: .init("Same series", ["as"], "List the books of this series.")
        case .sameSubject: .init("Same subject", ["aj"], "List the books on this subject, the first that the book has.")
        case .sameYear: .init("Same year", ["ay"], "List the books of this year.")
        case .backward: .init("Back where you were", ["^o", "H"], "Go back to the list and the book before.")
        case .forward:
            .init("Forward again", ["gi"], "Go to where you went back from; right after ^o the key Tab does so, too.")
        case .setPlace:
            .init("Set a mark", ["M"], "Remember this place by a letter: Ma. Kept from one start to the next.")
        case .goToPlace: .init("Go to a mark", ["'"], "Go to the place that has this letter: 'a.")
        case .facets:
            .init(
                "Facets", ["F"], "Show authors, subjects, languages, decades, series and kinds of what is listed.")
        case .exclude:
            .init(
                "Exclude", ["-"], "Among the facets, list what does not have this value.",
                hint: .init(text: "exclude", contexts: [.facets]))
        case .statistics:
            .init("Statistics", ["%"], "Show what is listed as charts: decades, pages, authors, languages and more.")
        case .sortByTitle:
            .init(
                "Sort by title", ["st"], "Sort by title, without its article; again, the other way round.",
                hint: .init(text: "sort", contexts: [.books], key: "s"))
        case .sortByAuthor: .init("Sort by author", ["sa"], "Sort by the family name of the first author.")
        case .sortByYear: .init("Sort by year", ["sy"], "Sort by the year of publication.")
        case .sortByPages: .init("Sort by pages", ["sp"], "Sort by the number of pages.")
        case .sortByRating: .init("Sort by rating", ["sr"], "Sort by rating.")
        case .sortByAdded: .init("Sort by date added", ["sd"], "Sort by the day when the book came to the catalog.")
        case .sortByList: .init("List order", ["sl"], "Order the books as the list has them.")
        case .thenByTitle: .init("Then by title", ["sSt"], "Where the order is the same, sort by title.")
        case .thenByAuthor: .init("Then by author", ["sSa"], "Where the order is the same, sort by author.")
        case .thenByYear: .init("Then by year", ["sSy"], "Where the order is the same, sort by year.")
        case .thenByPages: .init("Then by pages", ["sSp"], "Where the order is the same, sort by pages.")
        case .thenByRating: .init("Then by rating", ["sSr"], "Where the order is the same, sort by rating.")
        case .thenByAdded: .init("Then by date added", ["sSd"], "Where the order is the same, sort by date added.")
        case .sectionByLetter:
            .init("Sections by letter", ["St"], "Show the titles that begin with one letter together.")
        case .sectionByDecade: .init("Sections by decade", ["Sd"], "Show the books of one decade together.")
        case .sectionBySeries: .init("Sections by series", ["Ss"], "Show the books of one series together.")
        case .sectionByAuthor: .init("Sections by author", ["Sa"], "Show the books of one author together.")
        case .sectionBySubject:
            .init("Sections by subject", ["Sj"], "Show the books together whose first subject is one.")
        case .sectionByFiction: .init("Sections by kind", ["Sf"], "Show fiction and non-fiction apart.")
        case .sectionByStatus:
            .init("Sections by status", ["Sr"], "Show together what is to be read, and what was read.")
        case .sectionByNothing: .init("No sections", ["Sn"], "Show the list without sections.")
        case .nextSection: .init("Next section", ["]"], "Go to the first book of the next section.")
        case .previousSection:
            .init("Section before", ["["], "Go to the beginning of the section, or of the one before.")
        case .cancel:
            .init(
                "Cancel", ["Esc"],
                "Forget the count or keys typed so far; close help; go from the detail to the list; give the whole list back.",
                hint: .init(
                    text: "close",
                    contexts: [.help, .facets, .statistics, .columns, .palette, .history, .shelves, .prompt]))
        case .help:
            .init(
                "Help", ["?", "F1"], "Show all commands and their keys; / looks for one.",
                hint: .init(text: "help", contexts: [.lists, .books, .detail]))
        case .palette: .init("Command palette", [":"], "Find any command by its name, see its keys, and give it.")
        case .reload: .init("Reload", ["R"], "Read the catalog again from its file; the selected book stays selected.")
        case .redraw: .init("Redraw", ["^l"], "Draw the screen anew.")
        case .suspend: .init("Suspend", ["^z"], "Go to the shell; its command fg comes back.")
        case .quit:
            .init(
                "Quit", ["q", "Q"], "Leave stacks; the place is remembered. In help, q closes help.",
                hint: .init(text: "quit", contexts: [.lists, .books, .detail]))
        case .interrupt: .init("Interrupt", ["^c"], "Cancel, as Esc does; twice in a row, quit.")
        }
    }

    /// Whether it cancels a pending jump to a row that is not loaded yet.
    var isAboutSelection: Bool {
        switch self {
        case .help, .palette, .redraw, .suspend, .quit, .interrupt, .narrowPane, .widenPane: false
        default: true
        }
    }

    /// What belongs to a command, typed behind its keys.
    enum Argument {
        /// A letter, a to z.
        case letter
        /// A rating, 0 to 5.
        case rating

        /// Whether `character` is one.
        func accepts(_ character: Character) -> Bool {
            switch self {
            case .letter: character.isASCII && character.isLowercase
            case .rating: ("0"..."5").contains(character)
            }
        }

        /// What it can be, for people.
        var label: String {
            switch self {
            case .letter: "a to z"
            case .rating: "0 to 5"
            }
        }
    }

    /// What belongs to it; nil for nothing.
    var argument: Argument? {
        switch self {
        case .setPlace, .goToPlace: .letter
        case .rate: .rating
        default: nil
        }
    }

    /// What commands have in common, in help and the palette.
    public enum Group: String, CaseIterable, Sendable {
        case moving = "Moving"
        case panes = "Panes and columns"
        case books = "Books"
        case own = "What is yours"
        case finding = "Finding"
        case order = "Order and sections"
        case program = "The program"
    }

    /// What it has in common with others.
    public var group: Group {
        switch self {
        case .down, .up, .top, .end, .halfPageDown, .halfPageUp, .pageDown, .pageUp, .centre, .nextSection,
            .previousSection, .backward, .forward, .setPlace, .goToPlace:
            .moving
        case .open, .back, .lists, .switchPane, .detailDown, .detailUp, .narrowPane, .widenPane, .columns: .panes
        case .favourite, .putOnShelf, .takeOffShelf, .statusToRead, .statusReading, .statusRead, .statusAbandoned,
            .statusNone, .rate, .note, .undo, .redo, .history, .saveQuery, .newShelf, .renameList, .deleteList:
            .own
        case .mark, .markRange, .markAll, .copyTitle, .copyAuthors, .copyISBN, .copyRecord, .openLink:
            .books
        case .search, .nextMatch, .previousMatch, .sameAuthor, .sameSeries, .sameSubject, .sameYear, .facets, .exclude,
            .statistics:
            .finding
        case .sortByTitle, .sortByAuthor, .sortByYear, .sortByPages, .sortByRating, .sortByAdded, .sortByList,
            .thenByTitle, .thenByAuthor, .thenByYear, .thenByPages, .thenByRating, .thenByAdded, .sectionByLetter,
            .sectionByDecade, .sectionBySeries, .sectionByAuthor, .sectionBySubject, .sectionByFiction,
            .sectionByStatus, .sectionByNothing:
            .order
        case .cancel, .help, .palette, .reload, .redraw, .suspend, .quit, .interrupt: .program
        }
    }

    /// A command as the hint bar shows it.
    struct ShownHint {
        var command: Command
        /// The key, where others follow it; nil for the command's own.
        var key: String?
        var text: String
    }

    /// The commands that the hint bar shows in `context`, in the order of their declaration.
    static func hints(in context: Context) -> [ShownHint] {
        allCases.compactMap { command in
            guard let hint = command.declaration.hint, hint.contexts.contains(context) else { return nil }
            return ShownHint(command: command, key: hint.key, text: hint.text)
        }
    }
}

extension Command.Declaration {
    fileprivate init(_ title: String, _ keys: [String], _ help: String, hint: Command.Hint? = nil) {
        self.init(title: title, keys: keys, help: help, hint: hint)
    }
}
