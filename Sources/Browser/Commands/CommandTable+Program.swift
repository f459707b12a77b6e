/// Rows of the table of commands: the whole program.
extension CommandInfo {
    /// Commands of the whole program.
    static let program = group(
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
                "Show all commands and their keys; / filters.", synonyms: ["keys", "shortcuts", "bindings"],
                keepsJump: true,
                hint: CommandHint(text: "help", contexts: [.lists, .books, .detail]),
                opens: HelpScreen.opener),
            .init(
                .guide, "guide", "Guide", [], .commanding,
                "Read the guide: a tour, how to search, your data, catalogs and more.",
                synonyms: ["manual", "tutorial", "documentation"], keepsJump: true,
                opens: GuideScreen.opener),
            .init(
                .palette, "palette", "Command palette", [":"], .commanding,
                "Find and run any command, open a list, or change a setting.", keepsJump: true,
                opens: CommandPalette.opener),
            .init(
                .openCatalog, "open-catalog", "Open a catalog", ["O"], .panes,
                "Open another catalog: one opened before, one of the config file, or any by its path or address.",
                synonyms: ["switch", "recent", "file"], opens: CatalogPicker.opener),
            .init(
                .messages, "messages", "Messages", [], .commanding,
                "Show current warnings and all messages since the start, newest first.",
                synonyms: ["warnings", "errors"], opens: MessagesScreen.opener
            ),
            .init(
                .reload, "reload", "Reload", ["R"], .panes,
                "Reload the catalog from its file; the current book stays current.", synonyms: ["refresh", "reread"],
                needs: .reloading,
                hint: CommandHint(text: "reload", contexts: [.books])),
            .init(
                .redraw, "redraw", "Redraw", ["^l"], .everywhere,
                "Redraw the screen.", synonyms: ["repaint", "refresh"], keepsJump: true),
            .init(
                .suspend, "suspend", "Suspend", ["^z"], .everywhere,
                "Suspend to the shell; its command fg returns.", keepsJump: true),
            .init(
                .quit, "quit", "Quit", ["q", "Q"], .commanding,
                "Quit; stacks resumes here next time. From lists, the detail and other screens, q goes back.",
                synonyms: ["exit", "leave"],
                keepsJump: true,
                hint: CommandHint(text: "quit", otherTexts: [.lists: "close"], contexts: [.lists, .books])),
            .init(
                .interrupt, "interrupt", "Interrupt", ["^c"], .everywhere,
                "Cancel like Esc; twice in a row quits.", keepsJump: true),
        ])
}
