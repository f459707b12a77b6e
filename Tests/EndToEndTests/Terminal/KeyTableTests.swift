import Foundation
import Glibc
import Testing

/// The key table: each key of each command is typed into the real program in a real terminal, and the screen is
/// compared with the expected one.
enum KeyTable {
    /// A group of commands in the help.
    enum Group: CaseIterable {
        case moving, panes, books, userData, editing, finding, order, program
    }

    /// Returns the examples of a group of commands.
    static func examples(of group: Group) -> [KeyExample] {
        let examples =
            switch group {
            case .moving: moving
            case .panes: panes
            case .books: books
            case .userData: own
            case .editing: editing
            case .finding: finding
            case .order: order
            case .program: program
            }
        return examples.flatMap(\.self)
    }

    private static let moving: [[KeyExample]] = [
        .of("down", ["j", "Down"], from: .position("1/7"), sees: .position("2/7"), .selection("  Emma")),
        .of(
            "up", ["k", "Up"], after: ["4j"], from: .position("5/7"), sees: .position("4/7"),
            .selection("  The Hobbit")),
        .of(
            "top", ["gg", "Home"], after: ["4j"], from: .position("5/7"), sees: .position("1/7"),
            .selection("  Second")),
        .of("end", ["G", "End"], from: .position("1/7"), sees: .position("7/7"), .selection("  Persuasion")),
        // 24 rows minus title, column headings, status and hints: a page of 20 books.
        .of(
            "half-page-down", ["^d"], from: .position("1/300"), on: .numbered,
            sees: .position("11/300"), .selection("Book 011")),
        .of(
            "half-page-up", ["^u"], after: ["40G"], from: .position("40/300"), on: .numbered,
            sees: .position("30/300"), .selection("Book 030")),
        .of(
            "page-down", ["^f", "PgDn"], from: .position("1/300"), on: .numbered,
            sees: .position("21/300"), .selection("Book 021")),
        .of(
            "page-up", ["^b", "PgUp"], after: ["40G"], from: .position("40/300"), on: .numbered,
            sees: .position("20/300"), .selection("Book 020")),
        // The twenty book rows start at the third row of the window.
        .of(
            "centre", ["zz"], after: ["40G"], from: .selectionInRow(21), on: .numbered,
            sees: .position("40/300"), .selectionInRow(12)),
        .of(
            "row-to-top", ["zt"], after: ["40G"], from: .selectionInRow(21), on: .numbered,
            sees: .position("40/300"), .selectionInRow(2)),
        .of(
            "row-to-bottom", ["zb"], after: ["40G", "zt"], from: .selectionInRow(2), on: .numbered,
            sees: .position("40/300"), .selectionInRow(21)),
        .of(
            "next-section", ["]"], after: ["Sd"], from: .position("4/7"), sees: .position("7/7"),
            .selection("  Cosmos")),
        .of(
            "previous-section", ["["], after: ["Sd", "j"], from: .position("5/7"),
            sees: .position("4/7"), .selection("  Second Foundation")),
        .of(
            "backward", ["^o", "H"], after: ["j", "aa"], from: .title("All books (2)  ⟂ author:"),
            sees: .title("All books (7)"), .position("2/7"), .selection("  Emma")),
        .of(
            "forward", ["gi"], after: ["j", "aa", "^o"], from: .title("All books (7)"), .position("2/7"),
            sees: .title("All books (2)  ⟂ author:"), .selection("  Emma")),
        .of(
            "set-bookmark", ["M"], after: ["3j"], from: .position("4/7"), then: ["b"],
            sees: .status("Bookmark b set. Return with 'b")
        ),
        .of(
            "go-to-bookmark", ["'"], after: ["3jMb", "gg"], from: .position("1/7"), then: ["b"],
            sees: .position("4/7"), .selection("  The Hobbit")),
        .of(
            "go-to-letter", ["gs"], after: ["st"], from: .title("All books (7) ▸ title ↑"), then: ["p"],
            sees: .position("5/7"), .selection("  Persuasion")),
    ]

    private static let panes: [[KeyExample]] = [
        .of(
            "open", ["Enter", "l", "Right"], from: .selection("  Second Foundation"),
            sees: .detail("▌Second Foundation"), .position("1/7")),
        .of(
            "back", ["h", "Left"], after: ["Enter"], from: .detail("▌Second Foundation"),
            sees: .detail(" Second Foundation"), .selection("  Second Foundation")),
        .of("back", ["h", "Left"], from: .position("1/7"), sees: .title("Lists"), .text("Favourites")),
        .of("lists", ["L", ","], from: .position("1/7"), sees: .title("Lists"), .text("Favourites"), .position("1/8")),
        .of(
            "go-to-list", ["g1"], after: ["L", "j", "Enter"], from: .title("Favourites (0)"),
            sees: .title("All books (7)")
        ),
        .of("go-to-list", ["g2"], from: .title("All books (7)"), sees: .title("Favourites (0)")),
        .of("go-to-list", ["g3"], from: .title("All books (7)"), sees: .title("To read (1)")),
        .of("go-to-list", ["g4"], from: .title("All books (7)"), sees: .title("Reading (1)")),
        .of("go-to-list", ["g5"], from: .title("All books (7)"), sees: .title("Read (2)")),
        .of("go-to-list", ["g6"], after: fourShelves, from: .title("Lists"), sees: .title("alps (0)")),
        .of("go-to-list", ["g7"], after: fourShelves, from: .title("Lists"), sees: .title("beach (0)")),
        .of("go-to-list", ["g8"], after: fourShelves, from: .title("Lists"), sees: .title("coast (0)")),
        .of("go-to-list", ["g9"], after: fourShelves, from: .title("Lists"), sees: .title("dunes (0)")),
        .of("switch-pane", ["Tab"], from: .detail(" Second Foundation"), sees: .detail("▌Second Foundation")),
        .of(
            "previous-pane", ["BackTab"], from: .selection("  Second Foundation"),
            sees: .text("▌Subjects")),
        .of(
            "next-link", ["Tab"], after: ["Enter"], from: .detail("▌Second Foundation"),
            sees: .text("▌Foundation")),
        .of(
            "next-link", ["Tab"], after: [":", "guide", "Enter"], from: .title("Guide"), .status("1/"),
            sees: .status("2/")),
        .of(
            "previous-link", ["BackTab"], after: ["Enter", "Tab"], from: .text("▌Foundation"),
            sees: .no("▌Foundation"), .selection("  Second Foundation")),
        .of(
            "previous-link", ["BackTab"], after: [":", "guide", "Enter", "Tab"], from: .title("Guide"), .status("2/"),
            sees: .status("1/")),
        // A window with nine rows between the bars, and a book with a longer description.
        .of(
            "detail-down", ["J"], after: ["4j"], from: .detail(" Cosmos"), columns: 80, rows: 12,
            sees: .detail(" Carl Sagan"), .position("5/7")),
        .of(
            "detail-up", ["K"], after: ["4j", "2J"], from: .position("5/7"), .no(" Carl Sagan    │ Carl Sagan"),
            columns: 80,
            rows: 12, sees: .detail(" Carl Sagan")),
        .of("narrow-pane", ["<"], from: .divider(at: 72), sees: .divider(at: 71)),
        .of("widen-pane", [">"], from: .divider(at: 72), sees: .divider(at: 73)),
        .of(
            "cards", ["c"], from: .text("Title"), .position("1/7"), sees: .no("Title"),
            .status("Cards; c shows covers")),
        .of(
            "fetch-cover", ["gc"], from: .position("1/7"),
            sees: .status("The catalog has no cover of this book. E edits the book")),
        .of(
            "columns", ["|"], from: .position("1/7"), sees: .text("─ Columns ─"), .text("[x] Title"), .text("[ ] ISBN")),
        .of(
            "move-column-down", ["J"], after: ["|", "2j"], from: .selection("  Second Foundation"),
            sees: .selection("  Isaac Asimov"), .text("▌[x] Title")),
        .of(
            "move-column-up", ["K"], after: ["|", "2j", "J"], from: .selection("  Isaac Asimov"),
            sees: .selection("  Second Foundation"), .text("▌[x] Title")),
        .of(
            "narrow-column", ["<"], after: ["|", "2j"], from: .text("▌[x] Title                auto"),
            sees: .text("▌[x] Title                  41")),
        .of(
            "widen-column", [">"], after: ["|", "2j"], from: .text("▌[x] Title                auto"),
            sees: .text("▌[x] Title                  43")),
        .of("toggle-column", ["Space"], after: ["|", "2j"], from: .text("▌[x] Title"), sees: .text("▌[ ] Title")),
    ]

    private static let books: [[KeyExample]] = [
        .of(
            "select", ["Space"], from: .position("1/7"), sees: .status(" 2/7  1 selected"),
            .text("▪● Second Foundation")),
        .of(
            "select-range", ["v"], after: ["j"], from: .position("2/7"), then: ["2j"],
            sees: .status(" 4/7  3 selected"), .text("▪  Emma"), .text("▪● Foundation"), .text("◆○ The Hobbit")),
        .of(
            "select-all", ["V"], from: .position("1/7"),
            sees: .status(" 1/7  7 selected"), .text("◆● Second Foundation"), .text("▪  Persuasion")),
        .of("copy-title", ["yt"], from: .position("1/7"), plays: copies("Second Foundation")),
        .of("copy-authors", ["ya"], from: .position("1/7"), plays: copies("Isaac Asimov")),
        .of("copy-isbn", ["yi"], from: .position("1/7"), plays: copies("978-0553293364")),
        .of("copy-record", ["yj"], from: .position("1/7"), plays: copiesRecord),
        .of("open-link", ["o"], after: ["4j"], from: .position("5/7"), plays: opensLink),
        .of("export", ["x"], from: .position("1/7"), sees: .text("Export 7 books"), .text("Format: JSON")),
    ]

    private static let newShelf = ["L", "+", "beach", "Enter"]
    private static let fourShelves = twoShelves + ["+", "coast", "Enter", "+", "dunes", "Enter"]
    private static let twoShelves = ["L", "+", "alps", "Enter", "+", "beach", "Enter"]

    private static let own: [[KeyExample]] = [
        .of(
            "favourite", ["t", "*"], from: .selection("  Second Foundation"),
            sees: .selection("★ Second Foundation"), .status("★ Favourite: Second Foundation"),
            .text("YOU  ★ Favourite")),
        .of(
            "put-on-shelf", ["b"], from: .position("1/7"), then: ["beach", "Enter"],
            sees: .status("Added Second Foundation to new shelf “beach”"), .text("Shelf: ")),
        .of(
            "take-off-shelf", ["B"], after: ["b", "beach", "Enter"], from: .text("Shelf: "),
            sees: .status("Removed Second Foundation from “beach”"), .no("Shelf: ")),
        .of(
            "status-to-read", ["mt"], from: .position("1/7"),
            sees: .status("To read: Second Foundation"), .text("To read since today")),
        .of(
            "status-reading", ["mr"], from: .position("1/7"),
            sees: .status("Reading: Second Foundation"), .text("Reading since today")),
        .of(
            "status-read", ["md"], from: .position("1/7"),
            sees: .status("Read: Second Foundation"), .text("Read today")),
        .of(
            "status-abandoned", ["mx"], from: .position("1/7"),
            sees: .status("Abandoned: Second Foundation"), .text("Abandoned today")),
        .of(
            "status-none", ["mn"], after: ["mx"], from: .text("Abandoned today"),
            sees: .status("Status cleared: Second Foundation"), .no("Abandoned")),
        .of(
            "status-to-read-on", ["mT"], from: .position("1/7"), then: ["mar 2024", "Enter"],
            sees: .status("To read, March 2024: Second Foundation"), .text("To read since Mar 2024")),
        .of(
            "status-reading-on", ["mR"], from: .position("1/7"), then: ["12 mar 2024", "Enter"],
            sees: .status("Reading, 12 March 2024: Second Foundation"), .text("Reading since 12 Mar 2024")),
        .of(
            "status-read-on", ["mD"], from: .position("1/7"), then: ["2019", "Enter"],
            sees: .status("Read, 2019: Second Foundation"), .text("Read 2019")),
        .of(
            "status-abandoned-on", ["mX"], from: .position("1/7"), then: ["Enter"],
            sees: .status("Abandoned, today: Second Foundation"), .text("Abandoned today")),
        .of(
            "progress", ["mp"], from: .position("1/7"), then: ["180", "Enter"],
            sees: .status("At page 180: Second Foundation"), .text("p. 180 of ")),
        .of(
            "rate", ["r"], from: .position("1/7"), then: ["3"],
            sees: .status("★★★☆☆: Second Foundation"), .text("My rating ")),
        .of(
            "repeat-marking", ["."], after: ["t", "j"], from: .position("2/7"),
            sees: .status("★ Favourite: Emma")),
        .of(
            "day-back", ["-"], after: ["md"], from: .status("Read: Second Foundation"),
            sees: .status("Read, yesterday: Second Foundation. - goes back another day")),
        .of(
            "book-log", ["ml"], after: ["md"], from: .status("Read: Second Foundation"),
            sees: .title("Readings of Second Foundation"), .position("1/1"), .text("Isaac Asimov")),
        .of(
            "log", ["mL"], after: ["md", "j", "mr"], from: .status("Reading: Emma"),
            sees: .title("Reading log"), .position("1/2"), .text("Second Foundation")),
        .of(
            "edit-reading", ["E"], after: ["md", "mL"], from: .title("Reading log"),
            then: ["^u", "2019 to 2020", "Enter"],
            sees: .status("Second Foundation: read from 2019 to 2020")),
        .of(
            "remove-reading", ["X"], after: ["md", "mL"], from: .position("1/1"),
            sees: .status("Removed from the log: Second Foundation"), .text("No readings yet")),
        .of(
            "set-goal", ["E"], after: ["%"], from: .title("Statistics"), then: ["30", "Enter"],
            sees: .status("30 books"), .text("0 of 30 books")),
        .of("note", ["e"], from: .position("1/7"), plays: writesANote),
        .of(
            "undo", ["u"], after: ["t"], from: .selection("★ Second Foundation"),
            sees: .selection("  Second Foundation"), .status("Undone: added Second Foundation to favourites")),
        .of(
            "redo", ["^r"], after: ["t", "u"], from: .selection("  Second Foundation"),
            sees: .selection("★ Second Foundation"), .status("Redone: added Second Foundation to favourites")),
        .of(
            "history", ["U"], after: ["t", "j", "r5"], from: .status("★★★★★: Emma"),
            sees: .title("History"), .position("1/2"), .text("Added Second Foundation to favourites")),
        .of(
            "save-search", ["W"], after: ["/austen", "Enter"], from: .title("All books (2)  ⟂ austen"), then: ["Enter"],
            sees: .status("Saved search: austen")),
        .of(
            "new-shelf", ["+"], after: ["L"], from: .title("Lists"), then: ["beach", "Enter"],
            sees: .status("New shelf: beach"), .position("8/9"), .selection("▪ beach")),
        .of(
            "rename-list", ["="], after: newShelf, from: .selection("▪ beach"), then: ["^u", "dunes", "Enter"],
            sees: .status("Renamed to “dunes”"), .selection("▪ dunes")),
        .of(
            "delete-list", ["D"], after: newShelf, from: .selection("▪ beach"), then: ["y"],
            sees: .status("Deleted “beach”. u restores it"), .position("8/8")),
        .of(
            "move-list-down", ["J"], after: twoShelves + ["k"], from: .position("8/10"), .selection("▪ alps"),
            sees: .position("9/10"), .selection("▪ alps")),
        .of(
            "move-list-up", ["K"], after: twoShelves, from: .position("9/10"), .selection("▪ beach"),
            sees: .position("8/10"), .selection("▪ beach")),
    ]

    /// Adds the same book twice.
    private static let twins = ["A", "Enter", "Twin", "Enter", "A", "Enter", "Twin", "Enter"]

    private static let editing: [[KeyExample]] = [
        .of("add-book", ["A"], from: .position("1/7"), sees: .text("─ Add a book "), .text("▌ ISBN")),
        .of(
            "edit-book", ["E"], after: ["j"], from: .position("2/7"), sees: .text("─ Edit Emma "),
            .text("▌ Title             Emma")),
        .of("scan", ["gb"], from: .position("1/7"), sees: .text("─ Scan books "), .text("▌Add to the catalog")),
        .of("look-up", ["gl"], from: .position("1/7"), sees: .text("─ Look up in library servers? ")),
        .of("fill-books", ["a"], from: .position("1/7"), plays: fillsBooks),
        .of("edit-record", ["^x ^e"], from: .position("1/7"), plays: editsARecord),
        .of("delete-book", ["X"], from: .position("1/7"), sees: .position("1/6"), .status("Deleted Second Foundation")),
        .of(
            "move-book-down", ["^Down"], from: .position("1/7"), sees: .position("2/7"),
            .status("Moved Second Foundation")),
        .of(
            "move-book-up", ["^Up"], after: ["j"], from: .position("2/7"), sees: .position("1/7"), .status("Moved Emma")
        ),
        .of("duplicates", ["gD"], from: .position("1/7"), sees: .title("Duplicates"), .text("No duplicates")),
        .of(
            "other-value", ["Space"], after: twins + ["gD"], from: .text("▌Record       no. 2"), then: ["Space"],
            sees: .text("▌Record       no. 3")),
        .of(
            "merge-alike", ["a"], after: twins + ["gD"], from: .title("Duplicates · equal records"), then: ["y"],
            sees: .status("Merged 2 books"), .text("No duplicates")),
        .of(
            "not-same", ["n"], after: twins + ["gD"], from: .title("Duplicates · equal records"),
            sees: .status("Not the same: 2 books, Twin"), .text("No duplicates")),
        .of("values", ["gV"], from: .position("1/7"), sees: .title("Values of Authors"), .text("Jane Austen")),
        .of(
            "merge-values", ["m"], after: ["gV", "Space"], from: .title("Values of Authors"), then: ["y"],
            sees: .status("Changed ")),
        .of(
            "delete-value", ["X"], after: ["gV"], from: .title("Values of Authors"), then: ["y"],
            sees: .status("Changed ")),
        .of("choose-mine", ["m"], from: .position("1/7"), plays: chooses("[x] Second FoundationXY")),
        .of("choose-theirs", ["t"], from: .position("1/7"), plays: chooses("[x] Third Foundation")),
        .of("choose-all-mine", ["M"], from: .position("1/7"), plays: chooses("[x] Second FoundationXY")),
        .of("choose-all-theirs", ["T"], from: .position("1/7"), plays: chooses("[x] Third Foundation")),
        .of("changes", ["gd"], from: .position("1/7"), sees: .status("No unsaved changes")),
        .of("save-catalog", ["^s"], from: .position("1/7"), sees: .status("No unsaved changes")),
    ]

    /// Edits a title here and on disk, and chooses one side with the key.
    private static func chooses(
        _ text: String
    ) -> @Sendable (_ stage: KeyExample.Stage, _ key: String) throws -> Void {
        { stage, key in
            let before = try String(contentsOfFile: stage.catalog, encoding: .utf8)
            for key in ["E", "XY", "Enter"] { try stage.terminal.press(declared: key) }
            try stage.terminal.wait(for: "Changed Second Foundation")
            try before.replacing("Second Foundation", with: "Third Foundation")
                .write(toFile: stage.catalog, atomically: true, encoding: .utf8)
            try stage.terminal.press(declared: "^s")
            let screen = try stage.terminal.wait(for: "Conflicts")
            #expect(!screen.description.contains(text))
            try stage.terminal.press(declared: key)
            try stage.terminal.wait(for: text)
        }
    }

    private static let finding: [[KeyExample]] = [
        .of(
            "search", ["/"], from: .position("1/7"), then: ["austen"],
            sees: .status(" /austen"), .list(["Emma", "Persuasion"])),
        .of(
            "search", ["/"], after: ["t", "j", "r5", "U"], from: .title("History"), .position("1/2"),
            then: ["favourites"], sees: .status(" /favourites"), .text("Added Second Foundation to favourites")),
        .of(
            "next-match", ["n"], after: ["/austen", "Esc"], from: .title("All books (7)"), .position("1/7"),
            sees: .position("2/7"), .selection("  Emma")),
        .of(
            "previous-match", ["N"], after: ["/austen", "Esc"], from: .title("All books (7)"), .position("1/7"),
            sees: .position("7/7"), .selection("  Persuasion")),
        .of(
            "same-author", ["aa"], after: ["j"], from: .position("2/7"),
            sees: .title("All books (2)  ⟂ author:"), .list(["Emma", "Persuasion"]), .selection("  Emma")),
        .of(
            "same-series", ["as"], from: .position("1/7"),
            sees: .title("All books (2)  ⟂ series:"), .list(["Second Foundation", "Foundation"])),
        .of(
            "same-subject", ["aj"], after: ["3j"], from: .position("4/7"),
            sees: .title("All books (2)  ⟂ subject:"), .list(["The Hobbit", "The Two Towers"])),
        .of(
            "same-year", ["ay"], after: ["4j"], from: .position("5/7"),
            sees: .title("All books (1)  ⟂ year:1980"), .list(["Cosmos"])),
        .of(
            "jump", ["f"], from: .position("1/7"), then: ["jaus"],
            sees: .text("┌─ Jump (1) ─"), .text("author  Jane Austen"), .text("2 books")),
        .of(
            "facets", ["F"], from: .position("1/7"),
            sees: .title("All books (7)"), .selection("[ ] Isaac Asimov"), .text(" Science fiction")),
        .of(
            "tick", ["Space"], after: ["F"], from: .selection("[ ] Isaac Asimov"),
            sees: .title("All books (2)  ⟂ author:"), .selection("[x] Isaac Asimov")),
        .of(
            "exclude", ["-"], after: ["F"], from: .selection("[ ] Isaac Asimov"),
            sees: .title("All books (5)  ⟂ -author:"), .no("Asimov    ")),
        .of(
            "clear-ticks", ["u"], after: ["F", "Space"], from: .selection("[x] Isaac Asimov"),
            sees: .title("All books (7)"), .no("[x]")),
        .of(
            "fold", ["za"], after: ["F"], from: .selection("[ ] Isaac Asimov"),
            sees: .text("▸   Authors"), .no("[ ] Isaac Asimov")),
        .of(
            "statistics", ["%"], from: .position("1/7"),
            sees: .title("Statistics of All books (7)"), .text("7 books, 4 authors, 4 subjects, 2 series"),
            .text("1950s"), .text("█")),
    ]

    private static let byAuthor = [
        "Second Foundation", "Foundation", "Emma", "Persuasion", "Cosmos", "The Hobbit", "The Two Towers",
    ]

    private static let order: [[KeyExample]] = [
        .of(
            "sort-by-title", ["st"], from: .position("1/7"),
            sees: .title("All books (7) ▸ title ↑"),
            .list(["Cosmos", "Emma", "Foundation", "The Hobbit", "Persuasion", "Second Foundation", "The Two Towers"]),
            .selection("  Second Foundation")),
        .of(
            "sort-by-title", ["st"], after: ["st"], from: .title("All books (7) ▸ title ↑"),
            sees: .title("All books (7) ▸ title ↓"),
            .list(["The Two Towers", "Second Foundation", "Persuasion", "The Hobbit", "Foundation", "Emma", "Cosmos"])),
        .of(
            "sort-by-author", ["sa"], from: .position("1/7"), sees: .title("All books (7) ▸ author ↑"), .list(byAuthor)),
        .of(
            "sort-by-year", ["sy"], from: .position("1/7"),
            sees: .title("All books (7) ▸ year ↓"),
            .list(["Cosmos", "The Two Towers", "Second Foundation", "Foundation", "The Hobbit", "Persuasion", "Emma"])),
        .of(
            "sort-by-pages", ["sp"], from: .position("1/7"),
            sees: .title("All books (7) ▸ pages ↑"),
            .list(["Second Foundation", "Persuasion", "Foundation", "The Hobbit", "The Two Towers", "Cosmos", "Emma"])),
        .of(
            "sort-by-rating", ["sr"], from: .position("1/7"),
            sees: .title("All books (7) ▸ rating ↓"),
            .list(["Emma", "The Hobbit", "The Two Towers", "Second Foundation", "Foundation", "Cosmos", "Persuasion"])),
        .of(
            "sort-by-added", ["sd"], from: .position("1/7"),
            sees: .title("All books (7) ▸ date added ↓"),
            .list(["Cosmos", "Persuasion", "Emma", "Second Foundation", "Foundation", "The Hobbit", "The Two Towers"])),
        .of(
            "sort-by-mine", ["sm"], after: ["2j", "r5", "k", "r3"], from: .status("★★★☆☆: Emma"),
            sees: .title("All books (7) ▸ my rating ↓"),
            .list(["Foundation", "Emma", "Second Foundation", "The Hobbit", "Cosmos", "The Two Towers", "Persuasion"])),
        .of(
            "sort-by-read", ["sf"], after: ["j", "md", "j", "md-"], from: .status("Read, yesterday: Foundation"),
            sees: .title("All books (7) ▸ date read ↓"),
            .list(["Emma", "Foundation", "Second Foundation", "The Hobbit", "Cosmos", "The Two Towers", "Persuasion"])),
        .of(
            "sort-by-status", ["ss"], after: ["G", "mt"], from: .status("To read: Persuasion"),
            sees: .title("All books (7) ▸ status ↑"), .text("Persuasion")),
        .of("sort-randomly", ["sR"], from: .position("1/7"), sees: .title("All books (7) ▸ random")),
        .of(
            "then-by-mine", ["sSm"], after: ["2j", "r5", "sa"], from: .title("All books (7) ▸ author ↑"),
            sees: .title("All books (7) ▸ author ↑ my rating ↓"),
            .list(["Foundation", "Second Foundation", "Emma", "Persuasion", "Cosmos", "The Hobbit", "The Two Towers"])),
        .of(
            "then-by-read", ["sSf"], after: ["G", "md", "sa"], from: .title("All books (7) ▸ author ↑"),
            sees: .title("All books (7) ▸ author ↑ date read ↓"),
            .list(["Second Foundation", "Foundation", "Persuasion", "Emma", "Cosmos", "The Hobbit", "The Two Towers"])),
        .of(
            "then-by-status", ["sSs"], after: ["G", "md", "sa"], from: .title("All books (7) ▸ author ↑"),
            sees: .title("All books (7) ▸ author ↑ status ↑"),
            .list(["Second Foundation", "Foundation", "Persuasion", "Emma", "Cosmos", "The Hobbit", "The Two Towers"])),
        .of(
            "sort-by-field", ["so"], from: .position("1/7"),
            sees: .text("─ Sort by a field ─"), .text("▌Title"), .text(" Author")),
        .of(
            "sort-by-list", ["sl"], after: ["st"], from: .title("All books (7) ▸ title ↑"),
            sees: .no(" ▸ "), .list(Novels.titles), .status("Sorted in list order")),
        .of(
            "then-by-title", ["sSt"], after: ["sa"], from: .list(byAuthor),
            sees: .title("All books (7) ▸ author ↑ title ↑"),
            .list(["Foundation", "Second Foundation", "Emma", "Persuasion", "Cosmos", "The Hobbit", "The Two Towers"])),
        .of(
            "then-by-author", ["sSa"], after: ["sr"], from: .title("All books (7) ▸ rating ↓"),
            sees: .title("All books (7) ▸ rating ↓ author ↑"),
            .list(["Emma", "The Hobbit", "The Two Towers", "Second Foundation", "Foundation", "Persuasion", "Cosmos"])),
        .of(
            "then-by-year", ["sSy"], after: ["sa"], from: .list(byAuthor),
            sees: .title("All books (7) ▸ author ↑ year ↓"),
            .list(["Second Foundation", "Foundation", "Persuasion", "Emma", "Cosmos", "The Two Towers", "The Hobbit"])),
        .of(
            "then-by-pages", ["sSp"], after: ["sa"], from: .list(byAuthor),
            sees: .title("All books (7) ▸ author ↑ pages ↑"),
            .list(["Second Foundation", "Foundation", "Persuasion", "Emma", "Cosmos", "The Hobbit", "The Two Towers"])),
        .of(
            "then-by-rating", ["sSr"], after: ["sa"], from: .list(byAuthor),
            sees: .title("All books (7) ▸ author ↑ rating ↓"),
            .list(["Second Foundation", "Foundation", "Emma", "Persuasion", "Cosmos", "The Hobbit", "The Two Towers"])),
        .of(
            "then-by-added", ["sSd"], after: ["sa"], from: .list(byAuthor),
            sees: .title("All books (7) ▸ author ↑ date added ↓"),
            .list(["Second Foundation", "Foundation", "Persuasion", "Emma", "Cosmos", "The Hobbit", "The Two Towers"])),
        .of(
            "section-by-letter", ["St"], from: .position("1/7"),
            sees: .title("All books (7) ▸ letter"),
            .list([
                "C", "Cosmos", "E", "Emma", "F", "Foundation", "H", "The Hobbit", "P", "Persuasion", "S",
                "Second Foundation", "T", "The Two Towers",
            ])),
        .of(
            "section-by-decade", ["Sd"], from: .position("1/7"),
            sees: .title("All books (7) ▸ decade"),
            .list([
                "1810s", "Emma", "Persuasion", "1930s", "The Hobbit", "1950s", "Second Foundation", "Foundation",
                "The Two Towers", "1980s", "Cosmos",
            ])),
        .of(
            "section-by-series", ["Ss"], from: .position("1/7"),
            sees: .title("All books (7) ▸ series"),
            .list([
                "Foundation", "#1 Foundation", "#3 Second Foundation", "Middle-earth", "#1 The Hobbit",
                "#3 The Two Towers", "No series", "Emma", "Cosmos", "Persuasion",
            ])),
        .of(
            "section-by-author", ["Sa"], from: .position("1/7"),
            sees: .title("All books (7) ▸ author"),
            .list([
                "Isaac Asimov", "Second Foundation", "Foundation", "Jane Austen", "Emma", "Persuasion", "Carl Sagan",
                "Cosmos", "J. R. R. Tolkien", "The Hobbit", "The Two Towers",
            ])),
        .of(
            "section-by-subject", ["Sj"], from: .position("1/7"),
            sees: .title("All books (7) ▸ subject"),
            .list([
                "Astronomy", "Cosmos", "Fantasy", "The Hobbit", "The Two Towers", "Romance", "Emma", "Persuasion",
                "Science fiction", "Second Foundation", "Foundation",
            ])),
        .of(
            "section-by-fiction", ["Sf"], from: .position("1/7"),
            sees: .title("All books (7) ▸ kind"),
            .list([
                "Fiction", "Second Foundation", "Emma", "Foundation", "The Hobbit", "The Two Towers", "Persuasion",
                "Non-fiction", "Cosmos",
            ])),
        .of(
            "section-by-status", ["Sr"], from: .position("1/7"),
            sees: .title("All books (7) ▸ status"),
            .list([
                "To read", "The Hobbit", "Reading", "Cosmos", "Read", "Second Foundation", "Foundation", "No status",
                "Emma", "The Two Towers", "Persuasion",
            ])),
        .of(
            "section-by-field", ["So"], from: .position("1/7"), then: ["decade", "Enter"],
            sees: .title("All books (7) ▸ decade"), .status("Grouped by decade")),
        .of(
            "section-by-nothing", ["Sn"], after: ["Sd"], from: .title("All books (7) ▸ decade"),
            sees: .no("▸ decade"), .list(Novels.titles), .status("Not grouped")),
    ]

    private static let program: [[KeyExample]] = [
        .of(
            "cancel", ["Esc"], after: ["Enter"], from: .detail("▌Second Foundation"),
            sees: .detail(" Second Foundation"), .selection("  Second Foundation")),
        .of(
            "cancel", ["Esc"], after: ["/austen", "Enter"], from: .title("All books (2)  ⟂ austen"),
            sees: .title("All books (7)"), .position("1/7"), .list(Novels.titles)),
        .of("cancel", ["Esc"], after: ["2 "], from: .status("2 selected"), sees: .no("selected"), .no("▪")),
        .of(
            "help", ["?", "F1"], from: .position("1/7"),
            sees: .title("Help"), .text("Go down one row; 5j goes down five.")),
        .of("palette", [":"], from: .position("1/7"), sees: .text("─ Commands ─"), .text("▌Search ")),
        .of("open-catalog", ["O"], from: .position("1/7"), sees: .text("─ Open a catalog ─")),
        .of("reload", ["R"], from: .position("1/7"), plays: reloads),
        .of("redraw", ["^l"], from: .position("1/7"), plays: redraws),
        .of("suspend", ["^z"], from: .position("1/7"), plays: suspends),
        .of("quit", ["q", "Q"], after: ["2j"], from: .position("3/7"), plays: quits),
        .of("interrupt", ["^c"], from: .position("1/7"), sees: .status("Press ^c again to quit")),
    ]

    // MARK: - Keys with effects outside the screen

    private static func copies(_ text: String) -> @Sendable (KeyExample.Stage, String) throws -> Void {
        { stage, key in
            try stage.terminal.letProgramsCopy()
            #expect(try stage.terminal.clipboard.isEmpty)
            try stage.terminal.press(declared: key)
            try stage.terminal.wait(for: "Copied: ")
            #expect(try stage.terminal.clipboard == text)
        }
    }

    @Sendable private static func copiesRecord(_ stage: KeyExample.Stage, _ key: String) throws {
        try stage.terminal.letProgramsCopy()
        try stage.terminal.press(declared: key)
        try stage.terminal.wait(for: "Copied: record of Second Foundation")
        let record = try JSONSerialization.jsonObject(with: Data(stage.terminal.clipboard.utf8)) as? [String: Any]
        #expect(record?["title"] as? String == "Second Foundation")
        #expect(record?["seriesPosition"] as? Int == 3)
    }

    @Sendable private static func opensLink(_ stage: KeyExample.Stage, _ key: String) throws {
        let links = try LinkRecorder(in: stage.sandbox)
        // The program that opens links is found through the environment.
        try stage.terminal.run([Programs.stacks, "--no-resume", stage.catalog], changing: links.xdgOpen)
        try stage.terminal.wait(forPosition: "1/7")
        try stage.terminal.type("4j")
        try stage.terminal.wait(forPosition: "5/7")
        try stage.terminal.press(declared: key)
        try stage.terminal.wait(for: "Opened https://example.org/cosmos")
        #expect(try links.opened(count: 1) == [["https://example.org/cosmos"]])
    }

    @Sendable private static func writesANote(_ stage: KeyExample.Stage, _ key: String) throws {
        let editor = stage.sandbox.path + "/editor"
        try stage.sandbox.writeProgram("#!/bin/sh\necho 'Lent to Anna.' >> \"$1\"\n", to: editor)
        let directory = stage.sandbox.path
        try stage.terminal.run(
            [Programs.stacks, stage.catalog], changing: ["EDITOR": editor, "XDG_RUNTIME_DIR": directory])
        try stage.terminal.wait(forPosition: "1/7")
        try stage.terminal.press(declared: key)
        #expect(try stage.terminal.wait(for: "Note saved: Second Foundation").shows("Lent to Anna."))
        // The editor gets the existing note and returns the new one.
        try stage.terminal.press(declared: key)
        try stage.terminal.wait(for: "both lines") { screen in
            screen.rows.count { $0.contains("Lent to Anna.") } == 2
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: directory).filter {
            $0.hasPrefix("stacks-note-")
        }
        #expect(left.isEmpty)
    }

    @Sendable private static func editsARecord(_ stage: KeyExample.Stage, _ key: String) throws {
        let editor = stage.sandbox.path + "/editor"
        try stage.sandbox.writeProgram("#!/bin/sh\nsed -i 's/Second Foundation/Third Foundation/' \"$1\"\n", to: editor)
        let directory = stage.sandbox.path
        try stage.terminal.run(
            [Programs.stacks, stage.catalog], changing: ["EDITOR": editor, "XDG_RUNTIME_DIR": directory])
        try stage.terminal.wait(forPosition: "1/7")
        try stage.terminal.press(declared: key)
        #expect(try stage.terminal.wait(for: "Changed Second Foundation").shows("Third Foundation"))
        let left = try FileManager.default.contentsOfDirectory(atPath: directory).filter {
            $0.hasPrefix("stacks-record-")
        }
        #expect(left.isEmpty)
    }

    /// Fills fields of two books from another catalog.
    @Sendable private static func fillsBooks(_ stage: KeyExample.Stage, _ key: String) throws {
        let other = try stage.sandbox.write(
            #"[{"title": "Emma", "isbn": "9780141439587", "publisher": "Penguin"}]"#, to: "other.json")
        try stage.sandbox.write(
            "[lookup]\nsources = [\"other\"]\n[catalogs]\nother = \"\(other)\"\n", to: "config/stacks/config.toml")
        try stage.terminal.run([Programs.stacks, stage.catalog])
        try stage.terminal.wait(forPosition: "1/7")
        for key in ["V", "gl"] { try stage.terminal.press(declared: key) }
        try stage.terminal.wait(for: "Publisher Penguin · other")
        try stage.terminal.press(declared: key)
        try stage.terminal.wait(for: "Changed Emma")
    }

    @Sendable private static func reloads(_ stage: KeyExample.Stage, _ key: String) throws {
        try stage.sandbox.write(
            stage.sandbox.text(of: stage.catalog).replacing("\n]", with: #",{"title": "Walden", "authors": []}]"#),
            to: stage.catalog)
        try stage.terminal.press(declared: key)
        try stage.terminal.wait(forPosition: "1/8")
        #expect(try stage.terminal.wait(for: "Reloaded: 8 books").shows("Walden"))
    }

    @Sendable private static func redraws(_ stage: KeyExample.Stage, _ key: String) throws {
        // The years and the related books appear with later frames.
        try stage.terminal.wait(for: "1815")
        let before = try stage.terminal.wait(for: "as: show series")
        let device = try FileHandle(forWritingTo: URL(filePath: stage.terminal.device))
        try device.write(contentsOf: Data("\u{1B}[10;5Hwhat another program wrote".utf8))
        try stage.terminal.wait(for: "what another program wrote")
        try stage.terminal.press(declared: key)
        try stage.terminal.wait(for: "the screen as it was") { $0 == before }
    }

    @Sendable private static func suspends(_ stage: KeyExample.Stage, _ key: String) throws {
        try stage.terminal.run(["/bin/bash", "--norc", "--noprofile", "-i"], changing: ["PS1": "ready> "])
        try stage.terminal.wait(for: "ready>")
        try stage.terminal.type("\(Programs.stacks) \(stage.catalog)\n")
        try stage.terminal.wait(for: "1815")
        let before = try stage.terminal.wait(for: "as: show series")
        try stage.terminal.press(declared: key)
        try stage.terminal.wait(forAlternateScreen: false)
        try stage.terminal.wait(for: "Stopped")
        try stage.terminal.type("fg\n")
        try stage.terminal.wait(for: "the screen as it was") { $0 == before }
    }

    @Sendable private static func quits(_ stage: KeyExample.Stage, _ key: String) throws {
        try stage.terminal.press(declared: key)
        #expect(try stage.terminal.waitForEnd() == .exit(0))
        #expect(try stage.sandbox.place(in: stage.catalog)["row"] as? Int == 2)
    }
}

/// Every command and every key needs an example.
@Suite("On a terminal: the key table is complete") struct TheKeyTable {
    @Test func everyKeyOfEveryCommandIsTyped() throws {
        let typed = KeyTable.Group.allCases.flatMap(KeyTable.examples(of:)).map { "\($0.command) \($0.key)" }
        let declared = try declaredKeys()
        #expect(!declared.isEmpty)
        #expect(declared.subtracting(typed).isEmpty, "keys without an example")
        #expect(Set(typed).subtracting(declared).isEmpty, "examples of keys that no command has")
    }

    /// Returns the name of each command with each of its keys, from the settings that the program prints.
    private func declaredKeys() throws -> Set<String> {
        let sandbox = try Sandbox()
        let settings = try sandbox.run([Programs.stacks, "config"]).output
        let lines = settings.split(separator: "\n").drop { $0 != "[keys]" }.dropFirst().prefix { !$0.hasPrefix("[") }
        return Set(
            lines.flatMap { line in
                guard let name = line.firstMatch(of: /^[a-z-]+/)?.output else { return [String]() }
                return line.matches(of: /"([^"]+)"/).map { "\(name) \($0.output.1)" }
            })
    }

    @Test(arguments: KeyTable.Group.allCases)
    func aCommandHasItsExamplesInOneGroup(group: KeyTable.Group) {
        let commands = Set(KeyTable.examples(of: group).map(\.command))
        #expect(!commands.isEmpty)
        for other in KeyTable.Group.allCases where other != group {
            #expect(commands.isDisjoint(with: KeyTable.examples(of: other).map(\.command)))
        }
    }
}

/// Moving in the list, between sections, and back to earlier positions.
@Suite("On a terminal: keys for moving") struct KeysThatMove {
    @Test(arguments: KeyTable.examples(of: .moving))
    func eachKeyHasItsEffect(example: KeyExample) throws { try example.play() }
}

/// Panes, dividers and columns.
@Suite("On a terminal: keys for panes") struct KeysOfPanes {
    @Test(arguments: KeyTable.examples(of: .panes))
    func eachKeyHasItsEffect(example: KeyExample) throws { try example.play() }
}

/// Commands for books.
@Suite("On a terminal: keys for books") struct KeysForBooks {
    @Test(arguments: KeyTable.examples(of: .books))
    func eachKeyHasItsEffect(example: KeyExample) throws { try example.play() }
}

/// Commands for user data.
@Suite("On a terminal: keys for user data") struct KeysForUserData {
    @Test(arguments: KeyTable.examples(of: .userData))
    func eachKeyHasItsEffect(example: KeyExample) throws { try example.play() }
}

/// Commands that change the catalog.
@Suite("On a terminal: keys for editing") struct KeysThatEdit {
    @Test(arguments: KeyTable.examples(of: .editing))
    func eachKeyHasItsEffect(example: KeyExample) throws { try example.play() }
}

/// Search, matches, related books and facets.
@Suite("On a terminal: keys for searching") struct KeysThatFind {
    @Test(arguments: KeyTable.examples(of: .finding))
    func eachKeyHasItsEffect(example: KeyExample) throws { try example.play() }
}

/// Sorting and grouping.
@Suite("On a terminal: keys for sorting and grouping") struct KeysThatOrder {
    @Test(arguments: KeyTable.examples(of: .order))
    func eachKeyHasItsEffect(example: KeyExample) throws { try example.play() }
}

/// Help, the palette, the terminal and quitting.
@Suite("On a terminal: keys for help, the terminal and quitting") struct KeysOfTheProgram {
    @Test(arguments: KeyTable.examples(of: .program))
    func eachKeyHasItsEffect(example: KeyExample) throws { try example.play() }
}
