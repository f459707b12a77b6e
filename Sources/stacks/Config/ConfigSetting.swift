internal import Browser
internal import Catalog
internal import Remote

/// A setting of the config file with its default and its meaning, for the guide.
struct ConfigSetting {
    /// The name, with that of its table: "panes.lists".
    let name: String
    /// The default as it is written in the file; "" if there is none.
    let standard: String
    /// The meaning, and the possible values. It is Markdown.
    let meaning: String

    /// All settings, in the order of the file.
    static let all = [
        ConfigSetting(
            name: "theme", standard: "\"\(ConfigTheme.names[0])\"",
            meaning: "The colours: \(ConfigTheme.names.map { "`\($0)`" }.joined(separator: ", "))."),
        ConfigSetting(
            name: "mouse", standard: "true",
            meaning: "Whether stacks uses the mouse; with `false`, the terminal selects text as usual."),
        ConfigSetting(
            name: "columns", standard: "",
            meaning: "The columns of the list, from left to right, of: \(columnNames). By default as many as fit."),
        ConfigSetting(
            name: "cards", standard: "false",
            meaning: "Whether the list shows cards of two or three lines for each book instead of columns."),
        ConfigSetting(
            name: "display.original-script", standard: "false",
            meaning: "Whether rows show the title of a book in original script, where the catalog has one."),
        ConfigSetting(
            name: "panes.lists", standard: String(ConfigListing.Standard.listsPaneWidth),
            meaning: "The window width, in columns, from which the lists have their own pane; `false`: never."),
        ConfigSetting(
            name: "panes.tabs", standard: String(ConfigListing.Standard.tabsWidth),
            meaning: "The window width from which the lists stand in a row under the title bar; `false`: never."
        ),
        ConfigSetting(
            name: "panes.list", standard: String(ConfigListing.Standard.listShare),
            meaning: "The width of the list beside the detail as a percentage, 10 to 90."),
        ConfigSetting(
            name: "lists.tidy-up", standard: "true",
            meaning: "Whether the searches for missing and wrong values stand behind the lists, as “Tidy up”."),
        ConfigSetting(
            name: "reading.goal", standard: "",
            meaning: "Your goal: the number of books to read in a year. By default there is none."),
        ConfigSetting(
            name: "covers.show", standard: "true",
            meaning: "Whether covers are shown, in terminals that can."),
        ConfigSetting(
            name: "covers.remote", standard: "false",
            meaning: "Whether covers are fetched from servers as you come to a book; otherwise `gc` fetches one."),
        ConfigSetting(
            name: "covers.servers", standard: "",
            meaning:
                "The servers that covers may come from, such as `covers.openlibrary.org`, besides those of catalogs."),
        ConfigSetting(
            name: "copies.limit", standard: String(CopyLimits.standardCopy >> 20),
            meaning: "The largest size of the copy of a catalog that is not JSON, in megabytes."),
        ConfigSetting(
            name: "lookup.sources", standard: "",
            meaning:
                "The catalogs and library servers in which books are looked up, by name; with `[]`, nothing is. By "
                + "default all of them, and the browser asks before a server sees anything."),
        ConfigSetting(
            name: "keys.COMMAND", standard: "",
            meaning: "The keys of a command, in place of the default ones: a key, a list of keys, or `[]` for none."),
        ConfigSetting(
            name: "catalogs.NAME", standard: "",
            meaning: "A name for a catalog: its path or address, or a table with `source`, `user`, `password-cmd` and "
                + "`encoding`."),
    ]

    private static let columnNames = ListColumn.ofEveryBook.map { "`\($0.rawValue)`" }.joined(separator: ", ")
}
