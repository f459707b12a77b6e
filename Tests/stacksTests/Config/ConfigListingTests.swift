import Browser
import Testing

@testable import stacks

@Suite("Config file: listing") struct ConfigListingTests {
    private func config(_ text: String) -> Config { Config(ConfigText(text), path: "/etc/config.toml") }

    @Test func eachLineSaysWhereItIsFrom() {
        let listing = ConfigListing(
            config: config(
                """
                theme = "dark"
                [keys]
                search = "*"
                sort-by-title = []
                """)
        ).text
        let lines = listing.split(separator: "\n")
        #expect(lines.first == "# /etc/config.toml")
        for line in [
            "theme = \"dark\"  # /etc/config.toml, line 1", "mouse = true  # default",
            "# goal = 30  # default: no goal", "show = true  # default", "remote = false  # default",
            "# servers = [\"covers.openlibrary.org\"]  # default: those of catalogs",
            "# columns = [\"title\", \"author\", \"series\", \"year\"]  # default: as many as fit",
            "cards = false  # default",
            "lists = 140  # default", "list = 60  # default", "search = [\"*\"]  # /etc/config.toml, line 3",
            "favourite = [\"t\"]  # default, without the keys bound above",
            "sort-by-title = []  # /etc/config.toml, line 4",
            "top = [\"gg\", \"Home\"]  # default", "interrupt = [\"^c\"]  # default",
        ] { #expect(lines.contains(Substring(line)), "\(line)") }
    }

    @Test func theGuideHasEverySettingWithItsDefault() {
        let settings = Dictionary(uniqueKeysWithValues: ConfigSetting.all.map { ($0.name, $0.standard) })
        var names: Set<String> = []
        var table = ""
        for line in ConfigListing(config: Config()).text.split(separator: "\n").dropFirst() {
            if line.hasPrefix("[") {
                table = line.dropFirst().dropLast() + "."
                continue
            }
            let parts = line.split(separator: " = ", maxSplits: 1)
            guard table != "keys.", table != "catalogs.", let value = parts.last?.split(separator: "  #").first else {
                continue
            }
            // A setting without a default is in a comment.
            let isSet = !line.hasPrefix("#")
            let name = table + parts[0].drop { "# ".contains($0) }
            names.insert(name)
            #expect(settings[name] == (isSet ? String(value) : ""), "\(name)")
        }
        #expect(Set(settings.keys) == names.union(["keys.COMMAND", "catalogs.NAME"]))
        #expect(names.count == 15)
        #expect(GuideTable.settings.rows[2].hasPrefix("| `theme` | `\"terminal\"` | The colours: `terminal`, "))
    }

    @Test func aMissingFileIsListedWithItsPath() {
        #expect(
            ConfigListing(config: Config(path: "/x/config.toml")).text.hasPrefix(
                "# /x/config.toml does not exist; create it with: stacks config --edit\n"))
        #expect(
            ConfigListing(config: Config()).text.hasPrefix(
                "# no config file: HOME is not set\n"))
    }

    @Test func thePrintedConfigIsEquivalent() throws {
        let text = #"""
            mouse = false
            columns = ["isbn", "title"]
            cards = true
            [display]
            original-script = true
            [keys]
            search = ["\\", "\"", "^x  ^s", "↓"]
            down = ["z"]
            interrupt = "^g"
            [panes]
            lists = false
            tabs = 90
            list = 10
            [lists]
            tidy-up = false
            [reading]
            goal = 24
            [covers]
            show = false
            remote = true
            servers = ["covers.openlibrary.org", "a \"b\".example"]
            [copies]
            limit = 100
            [lookup]
            sources = ["home", "dnb"]
            [catalogs]
            "a \"b\" é\u0007" = "/x\\y\u001B[31m\u202E"
            home = "/h"
            """#
        for config in [config(text), config(""), config("[keys]\nquit = \"s\"")] {
            let printed = self.config(ConfigListing(config: config).text)
            #expect(printed.warnings.isEmpty, "\(printed.warnings)")
            #expect(printed.theme == config.theme ?? "terminal")
            #expect(printed.mouse == config.mouse ?? true)
            #expect(printed.columns == config.columns)
            #expect(printed.cards == config.cards ?? false)
            #expect(printed.originalScript == config.originalScript ?? false)
            #expect(printed.listsPaneWidth == config.listsPaneWidth ?? 140)
            #expect(printed.tabsWidth == config.tabsWidth ?? 100)
            #expect(printed.listShare == config.listShare ?? 60)
            #expect(printed.tidyUp == config.tidyUp ?? true)
            #expect(printed.readingGoal == config.readingGoal)
            #expect(printed.showsCovers == config.showsCovers ?? true)
            #expect(printed.fetchesCovers == config.fetchesCovers ?? false)
            #expect(printed.coverServers == config.coverServers)
            #expect(printed.copyLimit == config.copyLimit ?? 8192)
            #expect(printed.lookupSources == config.lookupSources)
            #expect(printed.catalogs == config.catalogs)
            let keys = try #require(printed.keys).bindings
            for command in Command.allCases {
                #expect(keys.keys(of: command) == (config.keys?.bindings ?? .standard).keys(of: command), "\(command)")
            }
        }
    }

    @Test func noControlSequenceOfTheFileReachesTheTerminal() {
        let text = ConfigListing(config: config("catalogs.\"a\\u001B\" = \"/\\u009b31m\"")).text
        #expect(text.contains(#""a\u001B" = "/\u009B31m""#))
        #expect(!text.unicodeScalars.contains { $0.properties.generalCategory == .control && $0 != "\n" })
    }

    @Test func theTemplateSetsNothingAndItsCommentsAreRight() {
        let template = ConfigTemplate.text
        let empty = config(template)
        #expect(empty.warnings.isEmpty)
        #expect(empty.lines.isEmpty)
        let lines = template.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.hasPrefix("# ") && line.contains(" = ") ? line.dropFirst(2) : line
        }
        let full = config(lines.joined(separator: "\n"))
        #expect(full.warnings.isEmpty, "\(full.warnings)")
        #expect(full.lines.count == 21)
        for column in ListColumn.ofEveryBook { #expect(template.contains(column.rawValue)) }
        for theme in ConfigTheme.names { #expect(template.contains(theme)) }
    }
}
