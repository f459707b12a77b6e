internal import Browser
internal import Library

/// How the reader wants stacks to be: what their config file says, as far as it can be.
///
/// Options go before it, and what it leaves open is as stacks has it of itself.
struct Config {
    /// The name of the theme; nil where none is named.
    var theme: String?
    /// Whether the mouse is used; nil where nothing is said.
    var mouse: Bool?
    /// The columns of the list, from left to right; nil where none are named.
    var columns: [ListColumn]?
    /// From how many columns of the window on the lists have a pane of their own, `Int.max` for never; nil where nothing
    /// is said.
    var listsPaneWidth: Int?
    /// The share of the list in per cent, 10 to 90; nil where nothing is said.
    var listShare: Int?
    /// The keys of the commands; nil where none are set.
    var keys: ConfigKeys?
    /// The paths of catalogs by their names.
    var catalogs: [String: String] = [:]

    /// The path of the file; nil where the reader has no home.
    var path: String?
    /// Whether there is such a file, readable or not.
    var isPresent = false
    /// The lines of what it sets, by the names that lead there from the top.
    var lines: [[String]: Int] = [:]
    /// What is wrong with it, from its top to its bottom.
    var warnings: [ConfigWarning] = []

    /// What the browser needs of it.
    var settings: Settings {
        var settings = Settings()
        settings.keys = keys?.bindings
        settings.columns = columns
        settings.listsPaneWidth = listsPaneWidth
        settings.listShare = listShare
        return settings
    }

    /// The warnings as sentences, each with its place.
    var notices: [String] {
        guard let path else { return [] }
        return warnings.map { $0.sentence(in: path) }
    }

    /// The same for a status line, which has no room for many.
    var shortNotices: [String] {
        let all = notices
        let shown = 2
        if all.count <= shown + 1 { return all }
        return all.prefix(shown) + ["\((all.count - shown).of("more warning")): stacks config has them"]
    }
}
