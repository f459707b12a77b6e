internal import TerminalUI

/// Rows of the table of commands: moving, and the panes.
extension CommandInfo {
    /// Movement in rows and text.
    static let moving = group(
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
                .move(.scrollTo(.middle)), "centre", "Centre", ["zz"], .tables,
                "Scroll the current row to the middle of the screen."),
            .init(
                .move(.scrollTo(.top)), "row-to-top", "Row to the top", ["zt"], .tables,
                "Scroll the current row to the top of the screen."),
            .init(
                .move(.scrollTo(.bottom)), "row-to-bottom", "Row to the bottom", ["zb"], .tables,
                "Scroll the current row to the bottom of the screen."),
            .init(
                .move(.goTo(.top)), "screen-top", "Top of the screen", [], .tables,
                "Go to the first row on the screen."),
            .init(
                .move(.goTo(.middle)), "screen-middle", "Middle of the screen", [], .tables,
                "Go to the row in the middle of the screen."),
            .init(
                .move(.goTo(.bottom)), "screen-bottom", "Bottom of the screen", [], .tables,
                "Go to the last row on the screen."),
        ])

    /// Panes and columns.
    static let panes = group(
        .panes,
        [
            .init(
                .switchPane, "switch-pane", "Switch pane", ["Tab"], [.lists, .books, .facets, .duplicates, .values],
                "Go to the next pane: lists, books, detail."),
            .init(
                .previousPane, "previous-pane", "Previous pane", ["BackTab"], [.lists, .books, .duplicates, .values],
                "Go to the previous pane; the detail is entered at its last link."),
            .init(
                .link(.next), "next-link", "Next link", ["Tab"], [.detail, .guide],
                "Select the next name or link of the detail, or link of the guide; Enter follows it. In the guide, 3 and Enter open link 3.",
                like: .switchPane,
                hint: CommandHint(
                    text: "next link", otherTexts: [.detail: "next name"], contexts: [.detail, .guide])),
            .init(
                .link(.previous), "previous-link", "Previous link", ["BackTab"], [.detail, .guide],
                "Select the previous name or link of the detail, or link of the guide.",
                like: .previousPane),
            .init(
                .open, "open", "Open", ["Enter", "l", "Right"],
                [
                    .lists, .books, .detail, .facets, .columns, .history, .log, .replacement, .guide, .duplicates,
                    .values, .lookup,
                ],
                "Open the list, focus the detail of the book, or follow its selected name or link.",
                hint: CommandHint(
                    text: "open",
                    otherTexts: [
                        .detail: "follow", .facets: "keep filter", .history: "undo to here", .log: "show book",
                        .replacement: "change", .duplicates: "merge", .values: "rename", .lookup: "edit",
                    ],
                    contexts: [
                        .lists, .books, .detail, .facets, .history, .log, .replacement, .guide, .duplicates, .values,
                        .lookup,
                    ])),
            .init(
                .back, "back", "Back", ["h", "Left"], .commanding,
                "Go back from the detail to the list, or from the list to the lists.",
                hint: CommandHint(text: "back", contexts: [.detail])),
            .init(
                .lists, "lists", "Lists", ["L", ","], .commanding,
                "Show all lists with their counts.", synonyms: ["shelves", "saved searches"],
                hint: CommandHint(text: "lists", contexts: [.books, .detail])),
            .init(
                .goToList, "go-to-list", "Go to a list", (1...9).map { "g\($0)" }, .panes,
                "Go to the list with this number in the row of lists: g3.", argument: .listNumber),
            .init(
                .scrollDetail(.down), "detail-down", "Scroll the detail down", ["J"],
                .bookPanes.union([.help, .statistics]), "Scroll the detail down, from either pane."),
            .init(
                .scrollDetail(.up), "detail-up", "Scroll the detail up", ["K"],
                .bookPanes.union([.help, .statistics]), "Scroll the detail up, from either pane."),
            .init(
                .resizePane(.narrower), "narrow-pane", "Narrower pane", ["<"], .panes,
                "Move the divider left or up; 5< moves it five columns.", keepsJump: true),
            .init(
                .resizePane(.wider), "widen-pane", "Wider pane", [">"], .panes,
                "Move the divider right or down; 5> moves it five columns.", keepsJump: true),
            .init(
                .cards, "cards", "Cards", ["c"], .bookPanes,
                "Show each book as a card of two or three lines, then as a grid of covers in windows of 100 columns, then in columns again.",
                synonyms: ["view", "layout", "covers", "grid"]),
            .init(
                .fetchCover, "fetch-cover", "Fetch the cover", ["gc"], .bookPanes,
                "Fetch the cover of the book from the server that the catalog names.",
                synonyms: ["picture", "image", "download", "thumbnail"]),
            .init(
                .columns, "columns", "Columns", ["|"], .panes.union([.columns]),
                "Choose the columns of the list.", synonyms: ["fields", "show", "hide"],
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
                "Make the column narrower; 5< by five.", keepsJump: true,
                like: .resizePane(.narrower),
                hint: CommandHint(text: "width", contexts: [.columns], pair: .resizeColumn(.wider))),
            .init(
                .resizeColumn(.wider), "widen-column", "Wider column", [">"], [.columns],
                "Make the column wider; 5> by five.", keepsJump: true,
                like: .resizePane(.wider)),
            .init(
                .toggleColumn, "toggle-column", "Show or hide the column", ["Space"], [.columns],
                "Show or hide the column.", like: .selectRow,
                hint: CommandHint(text: "show or hide", contexts: [.columns])),
        ])

    /// Going back, and bookmarks.
    static let travelling = group(
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

    /// Movement between sections.
    static let sectionMoving = group(
        .moving,
        [
            .init(
                .move(.nextSection), "next-section", "Next section", ["]"], .sectioned,
                "Go to the next section."),
            .init(
                .move(.previousSection), "previous-section", "Previous section", ["["], .sectioned,
                "Go to the start of this section, or of the previous one."),
        ])
}
