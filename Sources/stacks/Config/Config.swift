internal import Browser
internal import ConnectorProtocol
internal import Library
internal import TerminalUI
internal import Text

/// The valid settings of the user's config file.
///
/// Command-line options override them; unset ones have the defaults of stacks.
struct Config {
    /// The name of the theme; nil if unset.
    var theme: String?
    /// Whether the mouse is used; nil if unset.
    var mouse: Bool?
    /// The columns of the list from left to right; nil if unset.
    var columns: ListColumns?
    /// Whether the list shows cards instead of columns; nil if unset.
    var cards: Bool?
    /// Whether rows show titles in original script; nil if unset.
    var originalScript: Bool?
    /// The minimum width of the terminal in columns for a separate lists pane, `Int.max` for never; nil if unset.
    var listsPaneWidth: Int?
    /// The minimum width of the terminal in columns for a row of lists, `Int.max` for never; nil if unset.
    var tabsWidth: Int?
    /// The width of the book list in per cent, 10...90; nil if unset.
    var listShare: Int?
    /// Whether there are lists of what is to be tidied up; nil if unset.
    var tidyUp: Bool?
    /// The number of books to read in a year, at least 1; nil if unset.
    var readingGoal: Int?
    /// Whether covers are shown; nil if unset.
    var showsCovers: Bool?
    /// Whether covers are fetched from servers without being asked for; nil if unset.
    var fetchesCovers: Bool?
    /// The hosts that covers may be fetched from, beside those of catalogs; nil if unset.
    var coverServers: [String]?
    /// The maximum size of a copy in megabytes, at least 1; nil if unset.
    var copyLimit: Int?
    /// The names of the sources in which books are looked up; nil if unset, and none to look nothing up.
    var lookupSources: [String]?
    /// The key bindings; nil if unset.
    var keys: ConfigKeys?
    /// The paths and addresses of catalogs by name.
    var catalogs: [String: String] = [:]
    /// The encodings of catalogs by their paths and addresses.
    var encodings: [String: String] = [:]
    /// The sign-in settings of servers, by the addresses of their catalogs.
    var remoteSources: [String: RemoteSource] = [:]
    /// The names of `catalogs` in the order of the file.
    var catalogNames: [String] = []

    /// The sign-in settings of a catalog's server.
    struct RemoteSource: Hashable {
        /// The user, if the address does not name one.
        var user: String?
        /// The program that prints the password, with its arguments.
        var passwordCommand: [String]?
    }

    /// The path of the file; nil if HOME is not set.
    var path: String?
    /// Whether the file exists, readable or not.
    var isPresent = false
    /// The reason why the file is not read, if another user could have written it.
    var distrust: String?
    /// The line of each setting, by its path of names from the top level.
    var lines: [[String]: Int] = [:]
    /// The warnings about the file, in the order of its lines.
    var warnings: [ConfigWarning] = []

    /// The settings that the browser uses.
    var settings: Settings {
        var settings = Settings()
        settings.keys = keys?.bindings
        settings.columns = columns
        settings.showsCards = cards ?? false
        settings.showsOriginalScript = originalScript ?? false
        settings.listsPaneWidth = listsPaneWidth
        settings.tabsWidth = tabsWidth
        settings.listShare = listShare
        settings.hasTidyUp = tidyUp ?? true
        settings.readingGoal = readingGoal
        if let theme = theme.flatMap(Theme.init(named:)) { settings.theme = theme }
        if let mouse { settings.usesMouse = mouse }
        settings.covers.shows = showsCovers ?? true
        settings.covers.isRemote = fetchesCovers ?? false
        settings.covers.servers = Set(
            (coverServers ?? []).flatMap(Self.origins) + catalogs.values.flatMap(ServerOrigin.all(in:)))
        return settings
    }

    /// Returns the servers that a host, with a port or without, or an address names.
    static func origins(ofServer name: String) -> [ServerOrigin] {
        (name.contains("://") ? [name] : ["https://" + name, "http://" + name]).flatMap(ServerOrigin.all(in:))
    }

    /// The warnings as sentences with their positions.
    var notices: [String] {
        guard let path else { return [] }
        return warnings.map { $0.sentence(in: path) }
    }

    /// The warnings shortened for a status line: at most three sentences.
    var shortNotices: [String] {
        let all = notices
        let shown = 2
        if all.count <= shown + 1 { return all }
        return all.prefix(shown) + [ConfigMessage.moreWarnings.text((all.count - shown).grouped)]
    }
}
