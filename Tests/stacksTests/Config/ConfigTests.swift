import Browser
import Catalog
import ConnectorProtocol
import Foundation
import Search
import Storage
import TerminalUI
import TestSupport
import Testing

@testable import Search
@testable import stacks

@Suite("Config file: values") struct ConfigTests {
    private func config(_ text: String) -> Config { Config(ConfigText(text), path: "/etc/config.toml") }

    /// Returns the warnings as "line: sentence".
    private func warnings(_ text: String) -> [String] {
        config(text).warnings.map { "\($0.line ?? 0): \($0.sentence)" }
    }

    @Test func settingsInTheFileApply() throws {
        let config = config(
            """
            theme = "dark"
            mouse = false
            columns = ["title", "author", "year"]
            cards = true
            [display]
            original-script = true
            [keys]
            favourite = ["t", "F2"]
            sort-by-title = "^x t"
            [panes]
            lists = 160
            tabs = 110
            list = 55
            [lists]
            tidy-up = false
            [reading]
            goal = 30
            [covers]
            show = false
            remote = true
            servers = ["covers.openlibrary.org"]
            [catalogs]
            home = "/books/home.json"
            "at work" = "/books/work.json"
            """)
        #expect(config.warnings.isEmpty)
        #expect(config.theme == "dark")
        #expect(config.mouse == false)
        #expect(config.settings.columns == ListColumns([.title, .author, .year]))
        #expect(config.settings.showsCards && config.settings.showsOriginalScript)
        #expect(config.settings.listsPaneWidth == 160)
        #expect(config.settings.tabsWidth == 110)
        #expect(config.settings.listShare == 55)
        #expect(config.settings.readingGoal == 30 && !config.settings.hasTidyUp)
        #expect(!config.settings.covers.shows && config.settings.covers.isRemote)
        #expect(
            config.settings.covers.servers.map(\.description).sorted() == [
                "http://covers.openlibrary.org", "https://covers.openlibrary.org",
            ])
        let keys = try #require(config.settings.keys)
        #expect(keys.keys(of: .favourite) == [[.character("t")], [.function(2)]])
        #expect(keys.keys(of: .sort(.title)) == [[.control("x"), .character("t")]])
        #expect(keys.keys(of: .sort(.author)) == KeyBindings.standard.keys(of: .sort(.author)))
        #expect(config.catalogs == ["home": "/books/home.json", "at work": "/books/work.json"])
        #expect(config.catalogNames == ["home", "at work"])
        #expect(config.lines[["keys", "sort-by-title"]] == 9)
    }

    @Test func missingSettingsAreNil() {
        let config = config("# nothing\n[keys]\n[panes]\n[reading]\n[covers]\n[catalogs]\n")
        #expect(config.warnings.isEmpty)
        #expect(config.settings.keys == nil)
        #expect(config.settings.columns == nil)
        #expect(config.settings.listsPaneWidth == nil && config.settings.tabsWidth == nil)
        #expect(!config.settings.showsCards)
        #expect(config.settings.listShare == nil)
        #expect(config.settings.readingGoal == nil)
        #expect(config.settings.covers.shows && !config.settings.covers.isRemote)
        #expect(config.settings.covers.servers.isEmpty && config.coverServers == nil)
        #expect(config.theme == nil && config.mouse == nil && config.catalogs.isEmpty)
    }

    @Test func aTableMayStandOnOneLine() {
        #expect(config("panes = { list = 30 }\nkeys.quit = \"Q\"").settings.listShare == 30)
        #expect(config("keys.quit = \"Q\"").settings.keys?.keys(of: .quit) == [[.character("Q")]])
    }

    @Test func theGoalIsANumberOfBooks() {
        #expect(config("reading.goal = 12").settings.readingGoal == 12)
        #expect(config("").settings.hasTidyUp && config("[lists]\ntidy-up = true").settings.hasTidyUp)
        #expect(warnings("[lists]\ntidyup = false") == ["2: unknown setting “tidyup” in [lists]"])
        #expect(config("[reading]\ngoal = 1").settings.readingGoal == 1)
        for text in ["0", "-3", "100001"] {
            #expect(config("reading.goal = \(text)").readingGoal == nil)
            #expect(
                warnings("[reading]\ngoal = \(text)")
                    == ["2: goal needs a number of books a year from 1 to 100,000, not \(text)"])
        }
        #expect(
            warnings("[reading]\ngoal = \"many\"\ngaol = 3") == [
                "2: goal: expected a number of books a year, got a string",
                "3: unknown setting “gaol” in [reading]",
            ])
        #expect(
            warnings("reading = 30") == [
                "1: reading: expected a table: put [reading] on a line of its own, got a whole number"
            ])
    }

    @Test func aServerOfCoversIsAHostWithAPortOrAnAddress() {
        let pasted = config("[covers]\nservers = [\"https://covers.example/b/\", \"other.example:8080\"]\n")
        #expect(
            pasted.settings.covers.servers.map(\.description).sorted() == [
                "http://other.example:8080", "https://covers.example", "https://other.example:8080",
            ])
        #expect(config("[covers]\nservers = [\"\"]\n").warnings.count == 1)
    }

    @Test func coversComeFromTheNamedServersAndThoseOfCatalogs() {
        let config = config(
            """
            [covers]
            servers = ["Covers.OpenLibrary.org"]
            [catalogs]
            home = "/books/home.json"
            feed = "https://Books.example:8080/opds"
            cluster = "clickhouse://one.example,two.example/books"
            """)
        #expect(config.warnings.isEmpty)
        #expect(config.coverServers == ["Covers.OpenLibrary.org"])
        #expect(
            config.settings.covers.servers.map(\.description).sorted() == [
                "http://covers.openlibrary.org", "http://one.example:8123", "http://two.example:8123",
                "https://books.example:8080", "https://covers.openlibrary.org",
            ])
        let none = self.config("covers = { servers = [] }")
        #expect(none.coverServers == [] && none.settings.covers.servers.isEmpty)
    }

    @Test func settingsOfCoversAreFlagsAndAListOfServers() {
        #expect(
            warnings("[covers]\nshow = 1\nremote = \"no\"\nservers = \"a.example\"\nwidth = 3") == [
                "2: show: expected true or false, got a whole number",
                "3: remote: expected true or false, got a string",
                "4: servers: expected a list: servers = [\"covers.openlibrary.org\"], got a string",
                "5: unknown setting “width” in [covers]",
            ])
        #expect(warnings("[covers]\nshown = true") == ["2: unknown setting “shown” in [covers]. Did you mean “show”?"])
        let config = config("[covers]\nshow = 1\nservers = [1]")
        #expect(config.settings.covers.shows && config.coverServers == nil)
    }

    @Test func theLimitOfCopiesIsANumberOfMegabytes() {
        #expect(config("copies.limit = 20000").copyLimit == 20_000)
        #expect(config("[copies]").copyLimit == nil)
        for text in ["0", "-1", "1000000001"] {
            #expect(
                warnings("[copies]\nlimit = \(text)")
                    == ["2: limit needs a number of megabytes from 1 to 1,000,000,000, not \(text)"])
        }
        #expect(
            warnings("[copies]\nlimit = \"8 GB\"\nlimits = 3") == [
                "2: limit: expected a number of megabytes, got a string",
                "3: unknown setting “limits” in [copies]",
            ])
    }

    @Test func theListsPaneCanBeDisabled() {
        #expect(config("[panes]\nlists = 0").listsPaneWidth == .max)
        #expect(config("[panes]\nlists = false").listsPaneWidth == .max)
    }

    @Test func theRowOfListsCanBeDisabled() {
        #expect(config("[panes]\ntabs = 0").tabsWidth == .max)
        #expect(config("[panes]\ntabs = false").tabsWidth == .max)
        #expect(warnings("[panes]\ntabs = -1") == ["2: tabs needs a number of columns, or false for never, not -1"])
        #expect(
            warnings("[panes]\ntabs = true") == [
                "2: tabs: expected a number of columns, or false for never, got true or false"
            ])
    }

    @Test func aWarningSaysFileLineAndColumn() {
        var path = "/etc/config.toml"
        #expect(ConfigWarning(sentence: "a").sentence(in: path) == "/etc/config.toml: a")
        #expect(ConfigWarning(line: 7, sentence: "a").sentence(in: path) == "/etc/config.toml, line 7: a")
        path = (ProcessInfo.processInfo.environment["HOME"] ?? "") + "/c.toml"
        #expect(ConfigWarning(line: 7, column: 3, sentence: "a").sentence(in: path) == "~/c.toml, line 7, column 3: a")
    }

    @Test func anUnknownThemeIsReported() {
        #expect(
            warnings("\ntheme = \"drak\"") == [
                "2: unknown theme “drak”. Themes: terminal, light, dark, contrast"
            ])
    }

    @Test func anUnknownSettingIsReported() {
        #expect(warnings("colums = []") == ["1: unknown setting “colums”. Did you mean “columns”?"])
        #expect(warnings("editor = \"vi\"") == ["1: unknown setting “editor”"])
        #expect(
            warnings("[panes]\n\nlits = 3") == [
                "3: unknown setting “lits” in [panes]. Did you mean “lists”?"
            ])
        #expect(
            warnings("[display]\noriginal-scripts = true\noriginal-script = 1") == [
                "2: unknown setting “original-scripts” in [display]",
                "3: original-script: expected true or false, got a whole number",
            ])
    }

    @Test func aSettingInTheWrongTableIsReportedWithTheRightPlace() {
        #expect(
            warnings("[panes]\ntheme = \"dark\"") == [
                "2: unknown setting “theme” in [panes]. Put it above the first line that starts with ["
            ])
        #expect(
            warnings("[keys]\nmouse = false") == [
                "2: unknown command “mouse”. Put it above the first line that starts with ["
            ])
    }

    @Test func valuesOfTheWrongTypeAreReported() {
        #expect(warnings("theme = 3") == ["1: theme: expected text: theme = \"dark\", got a whole number"])
        #expect(warnings("mouse = \"no\"") == ["1: mouse: expected true or false, got a string"])
        #expect(
            warnings("columns = \"title\"") == [
                "1: columns: expected a list: columns = [\"title\", \"author\"], got a string"
            ])
        #expect(
            warnings("columns = [\"title\", 2]") == [
                "1: columns: expected a list: columns = [\"title\", \"author\"], got a list containing a whole number"
            ])
        #expect(
            warnings("keys = 1") == ["1: keys: expected a table: put [keys] on a line of its own, got a whole number"])
        #expect(warnings("panes = []") == ["1: panes: expected a table: put [panes] on a line of its own, got a list"])
        #expect(
            warnings("[[catalogs]]\na = 1") == [
                "1: catalogs: expected a table: put [catalogs] on a line of its own, got a list containing a table"
            ])
        #expect(
            warnings("[keys]\nquit = false") == [
                "2: quit: expected a key or a list of keys: quit = [\"t\", \"*\"], got true or false"
            ])
        #expect(
            warnings("[panes]\nlists = true\nlist = 0.5") == [
                "2: lists: expected a number of columns, or false for never, got true or false",
                "3: list: expected a percentage from 10 to 90, got a number with a point",
            ])
        #expect(
            warnings("[catalogs]\nhome = 1979") == [
                "2: catalog home: expected a path: home = \"~/books.json\", got a whole number"
            ])
    }

    @Test func numbersOutOfRangeAreReported() {
        let text = "[panes]\nlists = -1\nlist = 91"
        #expect(
            warnings(text) == [
                "2: lists needs a number of columns, or false for never, not -1",
                "3: list needs a percentage from 10 to 90, not 91",
            ])
        #expect(config(text).listShare == nil)
    }

    @Test func misspelledColumnsAreReportedAndTheOthersApply() {
        let text = "columns = [\"title\", \"titel\", \"zzzzzzzz\", \"title\", \"year\"]"
        #expect(
            warnings(text) == [
                "1: unknown column “titel”. Did you mean “title”?",
                "1: column title is listed twice",
            ])
        // Only some catalog may have it.
        #expect(config(text).columns == ListColumns([.title, .named("zzzzzzzz"), .year]))
        #expect(config("columns = [\"title:30\", \"shelf mark:12\"]").columns?.names == ["title:30", "shelf mark:12"])
        #expect(warnings("columns = []") == ["1: columns is empty. Name at least one, or remove the line"])
        #expect(config("columns = []").columns == nil)
    }

    @Test func invalidCatalogNamesAreReported() {
        let text =
            "[catalogs]\nsearch = \"/a\"\n\"a/b\" = \"/a\"\n-x = \"/a\"\n\"\" = \"/a\"\nhome = \"a.json\"\nok = \"/a\""
        #expect(
            warnings(text) == [
                "2: search is a command of stacks. Give the catalog another name",
                "3: “a/b” cannot name a catalog: names have no / and do not start with -",
                "4: “-x” cannot name a catalog: names have no / and do not start with -",
                "5: “” cannot name a catalog: names have no / and do not start with -",
                "6: the path of catalog home must start with /, ~/ or https://",
            ])
        #expect(config(text).catalogs == ["ok": "/a"])
    }

    @Test func aCatalogOnAServerHasAUserAndAProgramForItsPassword() {
        let text = """
            [catalogs]
            plain = "https://Books.example/opds"
            club = {source = "https://books.example", user = "ann", password-cmd = ["pass", "show", "x"]}
            a = {source = "/a.json", pass = 1}
            b = {source = "/b.json", password-cmd = "pass show x"}
            c = {user = "ann"}
            """
        let club = Config.RemoteSource(user: "ann", passwordCommand: ["pass", "show", "x"])
        let read = config(text)
        #expect(read.remoteSources == ["https://books.example/": club])
        #expect(
            read.catalogs["plain"] == "https://Books.example/opds" && read.catalogs["club"] == "https://books.example")
        #expect(
            read.warnings.map(\.sentence) == [
                "a catalog has no setting “pass”",
                "password-cmd of catalog b must be a list of texts: [\"pass\", \"show\", \"books\"]",
                "catalog c: expected a path: c = \"~/books.json\", got a table",
            ])
    }

    @Test func theTildeStandsForTheHomeDirectory() {
        #expect(config("[catalogs]\na = \"~/b\"").catalogs["a"] == environmentValue("HOME").map { $0 + "/b" })
    }

    @Test func unknownCommandsAreReported() {
        #expect(
            warnings("[keys]\nfavorite = \"t\"\nquit = \"x\"") == [
                "2: unknown command “favorite”. Did you mean “favourite”?"
            ])
        #expect(
            warnings("[keys]\nsort-by-title = \"x\"\nsortByTitle = \"y\"") == [
                "3: the keys of sort-by-title are already set on line 2"
            ])
    }

    @Test func warningsAreInTheOrderOfTheirLines() {
        let lines = config("keys.quit = \"PgDwn\"\nzzzzzzzz = 1\nmouse = yes\ntheme = 1").warnings.map(\.line)
        #expect(lines == [1, 2, 3, 4])
    }

    @Test func theStatusLineHasRoomForTwoWarningsOfMany() {
        let few = config("a1 = 1\nb1 = 1\nc1 = 1")
        #expect(few.shortNotices == few.notices)
        let many = config("a1 = 1\nb1 = 1\nc1 = 1\nd1 = 1")
        #expect(many.notices.count == 4)
        #expect(many.shortNotices == many.notices.prefix(2) + ["2 more warnings. See them with: stacks config"])
    }
}

struct ConfigFileTests {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private var file: ConfigFile {
        ConfigFile(in: Directories(state: nil, data: nil, cache: nil, config: directory.path))
    }

    private func warnings() -> [String] { file.read().warnings.map { "\($0.line ?? 0): \($0.sentence)" } }

    @Test func aMissingFileSetsNothingWithoutAWarning() {
        let config = file.read()
        #expect(config.warnings.isEmpty)
        #expect(!config.isPresent)
        #expect(config.path == directory.path + "/config.toml")
        let nowhere = ConfigFile(in: Directories(state: nil, data: nil, cache: nil, config: nil)).read()
        #expect(nowhere.path == nil && nowhere.notices.isEmpty)
    }

    @Test func theFileIsRead() throws {
        try directory.write("\u{FEFF}theme = \"light\"\r\nmouse = 1\r\n".utf8, to: "config.toml")
        #expect(file.read().theme == "light")
        #expect(warnings() == ["2: mouse: expected true or false, got a whole number"])
    }

    @Test func aDirectoryIsReported() throws {
        try FileManager.default.createDirectory(
            atPath: directory.path + "/config.toml", withIntermediateDirectories: false)
        #expect(warnings() == ["0: it is a directory; the file is ignored"])
    }

    @Test func binaryContentIsReported() throws {
        try directory.write([0x61, 0xFF], to: "config.toml")
        #expect(warnings() == ["0: not UTF-8 text; the file is ignored"])
        try directory.write("a = 1\0".utf8, to: "config.toml")
        #expect(warnings() == ["0: it contains a NUL character; the file is ignored"])
    }

    @Test func aTooLargeFileIsReported() throws {
        try directory.write(repeatElement(UInt8(ascii: "\n"), count: 1 << 20), to: "config.toml")
        #expect(warnings().isEmpty)
        try directory.write(repeatElement(UInt8(ascii: "\n"), count: 1 << 20 + 1), to: "config.toml")
        #expect(warnings() == ["0: larger than a megabyte; the file is ignored"])
    }

    @Test func aPipeIsReported() throws {
        #expect(mkfifo(directory.path + "/config.toml", 0o600) == 0)
        #expect(warnings() == ["0: it is not a regular file; the file is ignored"])
    }

    @Test(.enabled(if: geteuid() != 0)) func anUnreadableFileIsReported() throws {
        let path = try directory.write("a".utf8, to: "config.toml")
        chmod(path, 0)
        #expect(warnings() == ["0: it cannot be read, permission denied; the file is ignored"])
    }
}
