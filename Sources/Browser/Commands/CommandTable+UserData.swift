internal import Books

/// Rows of the table of commands: selecting books, user data, editing, copying.
extension CommandInfo {
    /// Selecting rows.
    static let rowSelection = group(
        .books,
        [
            .init(
                .selectRow, "select", "Select", ["Space"], .bookPanes.union([.values]),
                "Select or deselect the row and move down; commands act on all selected books."),
            .init(
                .selectRange, "select-range", "Select a range", ["v"], .bookPanes,
                "Select the rows from here to where you go; v again ends the range."),
            .init(
                .selectAll, "select-all", "Select all", ["V"], .bookPanes,
                "Select all books of the list, or deselect all."),
        ])

    /// User data, shelves and saved searches.
    static let userData = group(
        .userData,
        [
            .init(
                .favourite, "favourite", "Favourite", ["t", "*"], .bookPanes,
                "Add to or remove from favourites.", synonyms: ["star", "like", "heart", "love"],
                changes: .selectedBooks,
                hint: CommandHint(text: "favourite", contexts: [.books, .detail])),
            .init(
                .putOnShelf, "put-on-shelf", "Add to a shelf", ["b"], .bookPanes,
                "Add to an existing or new shelf.", synonyms: ["collection", "tag"], changes: .selectedBooks),
            .init(
                .takeOffShelf, "take-off-shelf", "Remove from a shelf", ["B"], .bookPanes,
                "Remove from a shelf.", changes: .selectedBooks),
            .init(
                .status(.toRead), "status-to-read", "To read", ["mt"], .bookPanes,
                "Mark as to read.", synonyms: ["want to read", "later", "wishlist"], changes: .selectedBooks),
            .init(
                .status(.reading), "status-reading", "Reading", ["mr"], .bookPanes,
                "Mark as reading.", synonyms: ["start", "begin", "currently"], changes: .selectedBooks),
            .init(
                .status(.read), "status-read", "Read", ["md"], .bookPanes,
                "Mark as read.", synonyms: ["finish", "finished", "done", "completed"], changes: .selectedBooks),
            .init(
                .status(.abandoned), "status-abandoned", "Abandoned", ["mx"], .bookPanes,
                "Mark as abandoned.", synonyms: ["give up", "stop reading", "did not finish", "dnf"],
                changes: .selectedBooks),
            .init(
                .status(nil), "status-none", "No status", ["mn"], .bookPanes,
                "Clear the reading status.", changes: .selectedBooks),
            .init(
                .progress, "progress", "Progress", ["mp"], .bookPanes,
                "Enter the page or the percentage that you have reached: 180, 45%.", synonyms: ["page", "percentage"],
                changes: .selectedBooks),
            .init(
                .statusOn(.toRead), "status-to-read-on", "To read since …", ["mT"], .bookPanes,
                "Mark as to read since a day: yesterday, last sunday, 12 mar, 2024-03.", changes: .selectedBooks),
            .init(
                .statusOn(.reading), "status-reading-on", "Reading since …", ["mR"], .bookPanes,
                "Mark as reading since a day; reading again begins a new reading.", changes: .selectedBooks),
            .init(
                .statusOn(.read), "status-read-on", "Read on …", ["mD"], .bookPanes,
                "Mark as read on a day.", synonyms: ["finish", "finished", "done", "completed"], changes: .selectedBooks
            ),
            .init(
                .statusOn(.abandoned), "status-abandoned-on", "Abandoned on …", ["mX"], .bookPanes,
                "Mark as abandoned on a day.", changes: .selectedBooks),
            .init(
                .moveDayBack, "day-back", "A day earlier", ["-"], .bookPanes,
                "Right after a status, move its day back by one; repeat for another day.",
                synonyms: ["yesterday", "date"], changes: .selectedBooks),
            .init(
                .bookLog, "book-log", "Readings of this book", ["ml"], .bookPanes,
                "Show when you read the book, and change or remove readings.", synonyms: ["reading log", "history"],
                opens: LogScreen.openerOfBook),
            .init(
                .log, "log", "Reading log", ["mL"], .bookPanes.union([.log]),
                "Show your readings of all books, the latest first, and change or remove them.",
                synonyms: ["diary", "journal"], opens: LogScreen.opener),
            .init(
                .editReading, "edit-reading", "Edit the reading", ["E"], [.log],
                "Edit the days of the reading and how it ended: 9 mar to 12 apr, 2019 to 2020 abandoned.",
                changes: .other, like: .editBook, hint: CommandHint(text: "edit", contexts: [.log])),
            .init(
                .removeReading, "remove-reading", "Remove the reading", ["X"], [.log],
                "Remove the reading from the log.", changes: .other, like: .deleteBook,
                hint: CommandHint(text: "remove", contexts: [.log])),
            .init(
                .setGoal, "set-goal", "Set the goal", ["E"], [.statistics],
                "Set the number of books to read this year, in place of the goal of the settings.",
                synonyms: ["challenge"], changes: .other, like: .editBook,
                hint: CommandHint(text: "goal", contexts: [.statistics])),
            .init(
                .rate, "rate", "Rate", ["r"], .bookPanes,
                "Rate from 1 to 5: r4; r+ and r- change by half a star, r0 removes the rating.",
                synonyms: ["star", "stars", "score"],
                changes: .selectedBooks, argument: .rating),
            .init(
                .repeatMarking, "repeat-marking", "Repeat the last marking", ["."], .bookPanes,
                "Mark this book as the last one: favourite, status, rating or shelf.", changes: .selectedBooks),
            .init(
                .note, "note", "Note", ["e"], .bookPanes,
                "Edit a note on the book in $VISUAL or $EDITOR.", synonyms: ["comment", "review", "annotate"],
                changes: .oneBook),
            .init(
                .undo, "undo", "Undo", ["u"],
                .panes.union([.history, .log, .statistics, .duplicates, .values, .lookup]),
                "Undo the last change of your data, even after a restart.", synonyms: ["revert", "take back"],
                changes: .other,
                hint: CommandHint(text: "undo", contexts: [.history, .log, .duplicates, .values])),
            .init(
                .redo, "redo", "Redo", ["^r"],
                .panes.union([.history, .log, .statistics, .duplicates, .values, .lookup]),
                "Redo the change that was last undone.", changes: .other,
                hint: CommandHint(text: "redo", contexts: [.history])),
            .init(
                .history, "history", "History", ["U"], .panes.union([.history]),
                "Show all changes; Enter undoes all changes after the current one, / filters.",
                synonyms: ["log", "changes"], changes: .other,
                opens: HistoryScreen.opener),
            .init(
                .saveSearch, "save-search", "Save search", ["W"], .bookPanes,
                "Save this search as a list that updates itself.", synonyms: ["keep"], changes: .other),
            .init(
                .newShelf, "new-shelf", "New shelf", ["+"], .panes,
                "Create a shelf.", changes: .other,
                hint: CommandHint(text: "new shelf", contexts: [.lists])),
            .init(
                .renameList, "rename-list", "Rename", ["="], [.lists],
                "Rename the shelf or saved search; J and K reorder it.", changes: .other,
                hint: CommandHint(text: "rename", contexts: [.lists])),
            .init(
                .deleteList, "delete-list", "Delete", ["D"], [.lists],
                "Delete the shelf or saved search (asks first). Its books are kept.", changes: .other,
                hint: CommandHint(text: "delete", contexts: [.lists])),
            .init(
                .moveList(.down), "move-list-down", "Move the list down", ["J"], [.lists],
                "Move the shelf or saved search down.", changes: .other,
                like: .scrollDetail(.down)),
            .init(
                .moveList(.up), "move-list-up", "Move the list up", ["K"], [.lists],
                "Move the shelf or saved search up.", changes: .other,
                like: .scrollDetail(.up)),
        ])

    /// Editing the catalog.
    static let editing = group(
        .editing,
        [
            .init(
                .addBook, "add-book", "Add a book", ["A"], .bookPanes,
                "Add a book to the catalog after the current one.", synonyms: ["new", "create"], changes: .other,
                needs: .editing,
                hint: CommandHint(text: "add a book", contexts: [.books])),
            .init(
                .editBook, "edit-book", "Edit", ["E"], .bookPanes,
                "Edit the fields of the book, or of all selected books.", synonyms: ["change", "modify", "fields"],
                changes: .selectedBooks, needs: .editing,
                hint: CommandHint(text: "edit", contexts: [.books, .detail])),
            .init(
                .scan, "scan", "Scan books", ["gb"], .panes,
                "Scan the bar codes of books, one after the other: add them, find them, or put them on a shelf.",
                synonyms: ["isbn", "barcode", "inventory", "scanner"], changes: .other, needs: .localIndex,
                opens: ScanPicker.opener),
            .init(
                .lookUp, "look-up", "Look up", ["gl"], .bookPanes,
                "Look the book up in other catalogs and library servers, or all selected ones; ^g does in the form.",
                synonyms: ["isbn", "fetch", "metadata", "download", "fill", "server"], changes: .selectedBooks,
                needs: .editing),
            .init(
                .fillBooks, "fill-books", "Fill empty fields", ["a"], [.lookup],
                "Fill the empty fields of all listed books with the values on which the sources agree.",
                changes: .other,
                hint: CommandHint(text: "fill all", contexts: [.lookup])),
            .init(
                .editRecord, "edit-record", "Edit the record", ["^x ^e"], .bookPanes,
                "Edit the record of the book as JSON in $VISUAL or $EDITOR.", changes: .oneBook, needs: .editing),
            .init(
                .deleteBook, "delete-book", "Delete the book", ["X"], .bookPanes,
                "Delete the book, or all selected books, from the catalog.", synonyms: ["remove"],
                changes: .selectedBooks, needs: .editing,
                hint: CommandHint(text: "delete", contexts: [.books, .detail])),
            .init(
                .moveBook(.down), "move-book-down", "Move the book down", ["^Down"], .bookPanes,
                "Move the book down in the order of the catalog.", changes: .oneBook, needs: .editing),
            .init(
                .moveBook(.up), "move-book-up", "Move the book up", ["^Up"], .bookPanes,
                "Move the book up in the order of the catalog.", changes: .oneBook, needs: .editing),
            .init(
                .duplicates, "duplicates", "Duplicates", ["gD"], .panes,
                "Show the books that are in the catalog more than once, side by side, and merge them.",
                synonyms: ["merge", "double", "duplicate", "clean", "deduplicate"], needs: .localIndex,
                opens: DuplicatesScreen.opener),
            .init(
                .otherValue, "other-value", "Other value", ["Space"], [.duplicates],
                "Keep the next value of the field; on the first row, the next record.", like: .selectRow,
                hint: CommandHint(text: "other value", contexts: [.duplicates])),
            .init(
                .mergeAlike, "merge-alike", "Merge all alike", ["a"], [.duplicates],
                "Merge all groups of the same kind as this one, after a question with their numbers.", changes: .other,
                hint: CommandHint(text: "all alike", contexts: [.duplicates])),
            .init(
                .notSame, "not-same", "Not the same", ["n"], [.duplicates],
                "Say that the books of the group are different ones; it is not shown again.", changes: .other,
                hint: CommandHint(text: "not the same", contexts: [.duplicates])),
            .init(
                .values, "values", "Values", ["gV"], .panes.union([.facets]),
                "Show the values of a field with their counts, those that may be one together; rename, merge or delete them.",
                synonyms: ["authors", "tags", "variants", "clean", "rename"], needs: .localIndex,
                opens: ValuesScreen.opener),
            .init(
                .mergeValues, "merge-values", "Merge values", ["m"], [.values],
                "Give the current value to all books that have one of the selected values, or one that may be the same.",
                changes: .other, hint: CommandHint(text: "merge into this", contexts: [.values])),
            .init(
                .deleteValue, "delete-value", "Delete the value", ["X"], [.values],
                "Remove the value, or all selected ones, from all books that have it (asks first).", changes: .other,
                like: .deleteBook, hint: CommandHint(text: "delete", contexts: [.values])),
            .init(
                .chooseMine, "choose-mine", "Choose mine", ["m"], [.clashes],
                "Keep your value in the conflict screen.",
                hint: CommandHint(text: "mine", contexts: [.clashes])),
            .init(
                .chooseTheirs, "choose-theirs", "Choose theirs", ["t"], [.clashes],
                "Keep the other value in the conflict screen.",
                hint: CommandHint(text: "theirs", contexts: [.clashes])),
            .init(
                .chooseAllMine, "choose-all-mine", "Choose all mine", ["M"], [.clashes],
                "Keep all your values in the conflict screen.",
                hint: CommandHint(text: "all mine", contexts: [.clashes])),
            .init(
                .chooseAllTheirs, "choose-all-theirs", "Choose all theirs", ["T"], [.clashes],
                "Keep all other values in the conflict screen.",
                hint: CommandHint(text: "all theirs", contexts: [.clashes])),
            .init(
                .changes, "changes", "Unsaved changes", ["gd"], .panes,
                "Show the unsaved changes: books, fields, and the difference that saving makes to the file.",
                needs: .editing, opens: ChangesScreen.opener),
            .init(
                .saveCatalog, "save-catalog", "Save the catalog", ["^s"],
                .panes.union([.clashes, .changes, .duplicates, .values, .lookup]),
                "Save the changes of the catalog.", synonyms: ["write"], changes: .other, keepsJump: true,
                needs: .editing,
                hint: CommandHint(text: "save", contexts: [.lists, .books, .detail, .clashes, .changes])),
        ])

    /// Copying, links and export.
    static let copying = group(
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
                synonyms: ["marc", "raw"],
                opens: RecordScreen.opener),
            .init(
                .openLink, "open-link", "Open link", ["o"], .bookPanes,
                "Open the link or calibre file of the book in $BROWSER or with xdg-open; 2o opens its second link.",
                synonyms: ["browser", "website", "url"]
            ),
            .init(
                .export, "export", "Export", ["x"], .panes,
                "Export the selected or listed books to a file: JSON, CSV, SQLite, MARCXML, BibTeX or others.",
                synonyms: ["save as", "convert", "download"],
                hint: CommandHint(text: "export", contexts: [.lists]), opens: ExportDialog.opener),
        ])
}
