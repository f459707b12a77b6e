import Foundation
import Testing

/// Screens recorded in readable files: Tests/GoldenScreens/NAME-COLUMNSxROWS.txt, one folder per screen, with README.md
/// as the index.
///
/// Each file lists the keys and the catalog, and contains the screen between two rulers. A screen that differs fails.
/// If the change is intended, `STACKS_RECORD_SCREENS=1 swift test --skip-build --filter GoldenScreens` records the files
/// again: review the changes (git diff) before committing them.
@Suite("Golden screens") struct GoldenScreens {
    /// A screen and the keys that lead to it.
    struct Scene: CustomTestStringConvertible, Sendable {
        /// The name of the screen.
        var name: String
        /// A description of the expected screen.
        var about: String
        var catalog = Catalog.bundled
        /// A catalog that was opened before, with the keys typed there.
        var other: Catalog?
        var before: [String] = []
        /// The keys by their names in the key table.
        var keys: [String] = []
        /// What the screen shows when all that the first keys started is done, by their number.
        var milestones: [Int: String] = [:]
        /// A replacement in the novels by another program, before the last key.
        var replacement: (old: String, new: String)?
        /// A text that appears when the screen is ready.
        var sign: String?
        var sizes = Self.allSizes

        static let newSizes = [Size(200, 50), Size(120, 36), Size(80, 24), Size(60, 20)]
        static let allSizes = [Size(200, 50), Size(120, 40), Size(80, 24), Size(60, 20), Size(50, 15)]
        var testDescription: String { name }

        /// The keys as a line of text.
        var keyText: String {
            keys.isEmpty
                ? "none" : keys.map { $0 == "|" ? "`\\|`" : "`\($0)`" }.joined(separator: " ")
        }

        /// The catalog as a word.
        var catalogText: String { "\(catalog)" }
    }

    /// A window size.
    struct Size: Sendable {
        var columns: Int
        var rows: Int

        init(_ columns: Int, _ rows: Int) {
            self.columns = columns
            self.rows = rows
        }
    }

    /// The open catalog.
    enum Catalog: String, Sendable {
        case bundled = "Resources/catalog.json"
        case novels = "Novels (Tests/EndToEndTests/Support/Novels.swift)"
        case scripts = "Scripts (Tests/EndToEndTests/Support/Scripts.swift)"
        case empty = "an empty array"
    }

    private static let jumpSizes = [Size(200, 50), Size(120, 36), Size(80, 24), Size(60, 20)]

    private static let guideSizes = [Size(120, 40), Size(80, 24), Size(50, 15)]

    static let scenes = [
        Scene(name: "books/list", about: "The list of books, as stacks starts.", sign: "1/11"),
        Scene(
            name: "lists/favourites", about: "Two favourites, and what was done last in the status line.",
            keys: ["j", "t", "3j", "t"], sign: "★ Favourite: The Stand"),
        Scene(
            name: "lists/tidy-up", about: "The searches for what is missing or wrong, behind the lists.",
            catalog: .novels, keys: ["L", "G", "Enter"], sign: "▾ Tidy up"),
        Scene(
            name: "lists/series-gaps", about: "Series with gaps, whose headings say which numbers are missing.",
            catalog: .novels, keys: ["L", "G", "Enter", "G", "Enter"], sign: "#2 missing"),
        Scene(name: "books/sections", about: "The list in sections by first letter.", keys: ["St"], sign: "by letter"),
        Scene(
            name: "books/sections-by-decade", about: "The list in sections by decade, sorted by year.",
            catalog: .novels,
            keys: ["Sd", "sy", "sy"], sign: "year ↑"),
        Scene(name: "search-bar/typing", about: "A search while it is typed.", keys: ["/", "stephen"], sign: "1/2"),
        Scene(
            name: "search-bar/kept", about: "What a search found, kept with Enter.", keys: ["/", "stephen", "Enter"],
            sign: "? help"),
        Scene(
            name: "search-bar/mistake", about: "A mistake in a query; what stands before it still filters.",
            keys: ["/", "stephen pages:many"], sign: "^"),
        Scene(
            name: "search-bar/nothing-found", about: "A search that finds nothing says which word it was.",
            keys: ["/", "stephen xyzzy"], sign: "No match for “xyzzy”"),
        Scene(
            name: "search-bar/nearly-spelled", about: "A word that is misspelled, and what is spelled nearly so.",
            keys: ["/", "stephn"], sign: "Did you mean"),
        Scene(name: "lists/all", about: "All lists with their counts.", keys: ["L"], sign: "Favourites"),
        Scene(
            name: "lists/preview", about: "The lists in groups, and a preview of the current one.", catalog: .novels,
            keys: [
                "mt", "j", "mr", "j", "mt", "b", "comfort", "Enter", "/", "author:austen", "Enter", "W", "Enter", "L",
                "gg", "2j",
            ], sign: "3/10", sizes: jumpSizes),
        Scene(
            name: "detail/book", about: "The detail has the keyboard.", catalog: .novels, keys: ["4j", "Enter"],
            sign: "▌Cosmos"),
        Scene(
            name: "duplicates/groups", about: "Two equal records, side by side, before they are merged.",
            catalog: .novels, keys: ["A", "Enter", "Twin", "Enter", "A", "Enter", "Twin", "Enter", "gD"],
            milestones: [4: "Added Twin", 8: "Added Twin"],
            // Until all are compared, the progress follows.
            sign: "Duplicates · equal records  "),
        Scene(
            name: "lookup/servers", about: "The servers that a lookup would ask, before the first one.",
            catalog: .novels, keys: ["gl"], sign: "Look up in library servers?", sizes: Scene.newSizes),
        Scene(
            name: "scan/choice", about: "What becomes of the books that are scanned.", catalog: .novels, keys: ["gb"],
            sign: "Add to the catalog", sizes: Scene.newSizes),
        Scene(
            name: "values/authors", about: "The authors with the number of books of each.", catalog: .novels,
            keys: ["gV"], sign: "1/4"),
        Scene(
            name: "facets/facets", about: "Facets of what is listed.", catalog: .novels, keys: ["F"],
            sign: "Isaac Asimov"),
        Scene(
            name: "facets/filtered", about: "Facets whose names have a word, while it is typed.", catalog: .novels,
            keys: ["F", "/", "fo"], sign: "/fo"),
        Scene(
            name: "facets/ticked", about: "Ticked values of two facets, by which the list is filtered.",
            catalog: .novels,
            keys: ["F", "Space", "j", "Space", "/", "195", "Enter", "Space", "Esc"], sign: "[x]", sizes: Scene.newSizes),
        Scene(
            name: "cards/list", about: "The list as cards, with what is the reader's own.", catalog: .novels,
            keys: ["c", "t", "md", "r4", "j", "mr", "j"], sign: "3/7", sizes: Scene.newSizes),
        Scene(
            name: "cards/sections", about: "Cards in sections, with marked rows.", catalog: .bundled,
            keys: ["j", "Space", "k", "c", "St"], sign: "by letter", sizes: Scene.newSizes),
        Scene(
            name: "statistics/charts", about: "What is listed as charts.", catalog: .novels, keys: ["%"],
            sign: "7 books, 4"),
        Scene(
            name: "statistics/of-few", about: "Charts of what was searched for; what no book has is said.",
            keys: ["/", "stephen", "Enter", "%"], sign: "2 books"),
        Scene(name: "help/all", about: "All commands.", keys: ["?"], sign: " Help"),
        Scene(
            name: "help/filtered", about: "Commands that have a word in their help.", keys: ["?", "/", "clipboard"],
            sign: "clipboard"),
        Scene(
            name: "guide/index", about: "The pages of the guide, to choose from.", keys: [":", "guide", "Enter"],
            sign: " Guide", sizes: guideSizes),
        Scene(
            name: "guide/page", about: "A page of the guide: tables, in columns if they fit.",
            keys: [":", "guide", "Enter", "/", "exit", "Enter", "Enter"], sign: "Guide ▸ Exit codes", sizes: guideSizes),
        Scene(
            name: "guide/filtered", about: "The rows of a page that have a word, below their heading.",
            keys: [":", "guide", "Enter", "4", "Enter", "/", "clipboard"], sign: "Guide ▸ Keys / clipboard",
            sizes: guideSizes),
        Scene(name: "palette/all", about: "The command palette.", keys: [":"], sign: "Jump"),
        Scene(name: "palette/filtered", about: "The palette with a name typed.", keys: [":", "sort"], sign: ":sort"),
        Scene(
            name: "jump/no-letters", about: "Where one can jump: the lists, and the most frequent names.",
            catalog: .novels, keys: ["f"], sign: "subject", sizes: jumpSizes),
        Scene(
            name: "jump/author", about: "An author by some letters of the name, with the books.", catalog: .novels,
            keys: ["f", "jaus"], sign: "Jane Austen", sizes: jumpSizes),
        Scene(
            name: "jump/title", about: "A title by some of its letters, with the card of the book.", catalog: .novels,
            keys: ["f", "hob"], sign: "The Hobbit", sizes: jumpSizes),
        Scene(
            name: "detail/series", about: "The card of a book in a series that the reader has begun.",
            catalog: .novels, keys: ["3j", "md", "r4"], sign: "up next",
            sizes: [Size(200, 50), Size(120, 36), Size(80, 24)]),
        Scene(
            name: "lists/up-next", about: "The next book of a series begun, and the books to read.", catalog: .novels,
            keys: ["j", "mt", "G", "mt", "L", "7G", "Enter"], sign: "1/3", sizes: jumpSizes),
        Scene(name: "which-key/several-rows", about: "The keys that may follow s.", keys: ["s"], sign: "Sort by title"),
        Scene(
            name: "which-key/lists", about: "The keys that may follow g, among them the numbers of the lists.",
            keys: ["g"], sign: "V  Values"),
        Scene(name: "which-key/one-row", about: "The keys that may follow y.", keys: ["y"], sign: "Copy title"),
        Scene(
            name: "lists/tabs", about: "The lists in a row under the title bar, with their counts.", catalog: .novels,
            keys: [
                "t", "j", "t", "b", "comfort", "Enter", "j", "b", "dystopia", "Enter", "/", "author:austen", "Enter",
                "W", "Enter", "g2",
            ], sign: "2 of 7", sizes: [Size(120, 36), Size(100, 30), Size(99, 30)]),
        Scene(
            name: "which-key/bookmarks", about: "The places that have a letter, after '.",
            keys: ["2jMb", "gg", "Ma", "'"], sign: "row 3"),
        Scene(
            name: "columns/chooser", about: "The columns of the list, to choose from.", keys: ["|"], sign: "[x] Title"),
        Scene(
            name: "books/selection", about: "Marked rows, and a range that is being marked.",
            keys: ["Space", "j", "v", "2j"],
            sign: "4 selected"),
        Scene(
            name: "books/message", about: "A key that no command has.", keys: ["Z"], sign: "Z is not bound"),
        Scene(
            name: "books/sorted", about: "Sorted by author and then by title, reversed.", keys: ["sa", "sSt", "sSt"],
            sign: "title (from Z to A)"),
        Scene(name: "no-books/catalog", about: "A catalog without books.", catalog: .empty, sign: "0/0"),
        Scene(
            name: "no-books/favourites", about: "A list that has no books yet.", keys: ["L", "j", "Enter"],
            sign: "0/0"),
        Scene(
            name: "scripts/start", about: "Titles in many scripts, and some that would harm a terminal.",
            catalog: .scripts, sign: "1/52"),
        Scene(name: "scripts/end", about: "The same, at its end.", catalog: .scripts, keys: ["G"], sign: "52/52"),
        Scene(
            name: "panes/three", about: "Lists, list and detail beside each other; the lists have the keyboard.",
            keys: ["h"], sign: "1/8", sizes: [Size(160, 45), Size(140, 40)]),
        Scene(
            name: "dialogs/shelf-picker", about: "Shelves to put a book on, and one that would be new.",
            catalog: .novels,
            keys: ["b", "beach reads", "Enter", "j", "b", "winter", "Enter", "j", "b", "rea"], sign: "New shelf: rea"),
        Scene(
            name: "history/changes", about: "What was changed, and what of it was taken back.", catalog: .novels,
            keys: ["t", "j", "r4", "j", "b", "beach reads", "Enter", "u", "U"], sign: "undone"),
        Scene(
            name: "log/all", about: "The reader's readings of all books, the latest first.", catalog: .novels,
            keys: [
                "mR", "1 mar 2024", "Enter", "mD", "12 mar 2024", "Enter", "r4", "j", "mX", "2019", "Enter", "j", "mT",
                "2020", "Enter", "mR", "3 may 2025", "Enter", "mL",
            ], sign: "1/3"),
        Scene(
            name: "log/edit", about: "The days of a reading, and what they mean, before they are taken.",
            catalog: .novels, keys: ["mD", "2019", "Enter", "mL", "E", "^u", "12 mar 2018 to 2019 abandoned"],
            sign: "Enter abandoned"),
        Scene(
            name: "dialogs/save-search", about: "The name of a saved search.", catalog: .novels,
            keys: ["/", "author:austen year:<1816", "Enter", "W"], sign: "Name of this saved search"),
        Scene(name: "which-key/ratings", about: "The ratings that may follow r.", keys: ["r"], sign: "remove rating"),
        Scene(
            name: "detail/user-data", about: "The detail of a book with all that can be the reader's own.",
            catalog: .novels,
            keys: ["t", "md", "r4", "b", "beach reads", "Enter", "b", "winter", "Enter", "e"],
            sign: "Lent to Anna", sizes: [Size(160, 45), Size(120, 40), Size(80, 24)]),
        Scene(
            name: "lists/not-in-this-catalog", about: "Favourites of which some are in another catalog.",
            catalog: .novels,
            other: .bundled, before: ["t", "j", "t"], keys: ["j", "t", "L", "j", "Enter", "j"],
            sign: "Not in this catalog"),
        Scene(
            name: "dialogs/delete", about: "The question before a shelf is deleted.", catalog: .novels,
            keys: ["b", "beach reads", "Enter", "L", "G", "k", "D"], sign: "Delete shelf"),
        Scene(
            name: "lists/long-names", about: "All lists, with shelves and queries that have long names.",
            catalog: .novels,
            keys: [
                "b", "Summer holidays by the sea", "Enter", "/", "author:austen year:<1816 fiction:yes", "Enter", "W",
                "Enter", "L",
            ], sign: "author:austen"),
        Scene(
            name: "form/edit", about: "The form in which a book is edited, with a value that does not fit.",
            catalog: .novels, keys: ["4j", "E", "Down", "Down", "^u", "soon", "Enter"], sign: "is not"),
        Scene(
            name: "form/several", about: "The form for several books, which differ in some fields.", catalog: .novels,
            keys: ["2 ", "E", "Down", "^u"], sign: "(cleared)"),
        Scene(
            name: "form/locked", about: "The question before several books get the same title.", catalog: .novels,
            keys: ["2 ", "E", "x"], sign: "Give 2 books"),
        Scene(
            name: "form/replace", about: "What a replacement would do, before it is made.", catalog: .novels,
            keys: ["V", "E", "^r", "s/^The //", "Enter"], sign: "Replace in Title ·"),
        Scene(
            name: "form/changes", about: "The unsaved changes, with the difference that saving makes.",
            catalog: .novels, keys: ["j", "E", "2", "Enter", "j", "X", "gd"],
            milestones: [4: "Changed", 6: "Deleted"], sign: "Unsaved changes"),
        Scene(
            name: "books/unlisted", about: "The question before selected books are changed that are not listed.",
            catalog: .novels, keys: ["2 ", "/hobbit", "Enter", "md"], sign: "Mark 2 selected"),
        Scene(
            name: "form/completion", about: "The form with a value of the catalog that completes what was typed.",
            catalog: .novels, keys: ["A", "Down", "Persuasion", "Down", "aus", "Tab"], sign: "Jane Austen"),
        Scene(
            name: "form/new", about: "The form in which a book is added.", catalog: .novels, keys: ["A"],
            sign: "Add a book"),
        Scene(
            name: "form/clashes", about: "Two books that were changed here, and by another program in the file.",
            catalog: .novels, keys: ["j", "E", "Down", "^u", "Jane A.", "Enter", "G", "X", "^s"],
            milestones: [6: "Changed", 8: "Deleted"], replacement: ("Jane", "Janet"), sign: "Conflicts"),
        Scene(
            name: "panes/too-small", about: "A window too small for anything.", sign: "Window too small",
            sizes: [Size(19, 10), Size(40, 4)]),
    ]

    @Test(arguments: Self.scenes)
    func everyScreenEqualsItsRecording(scene: Scene) throws {
        for size in scene.sizes {
            let sandbox = try Sandbox()
            let editor = sandbox.path + "/editor"
            try sandbox.writeProgram("#!/bin/sh\necho 'Lent to Anna, who wants it back.' >> \"$1\"\n", to: editor)
            let terminal = try Tmux(
                in: sandbox, columns: size.columns, rows: size.rows,
                running: [Programs.stacks, path(of: scene.other ?? scene.catalog, in: sandbox)],
                changing: ["EDITOR": editor])
            if scene.other != nil {
                try terminal.wait(for: "the first screen") { $0.position.contains("/") }
                for key in scene.before { try terminal.press(declared: key) }
                try terminal.press(declared: "q")
                _ = try terminal.waitForEnd()
                try terminal.open(path(of: scene.catalog, in: sandbox))
            }
            if scene.name != "panes/too-small" {
                try terminal.wait(for: "the first screen") { $0.position.contains("/") }
            }
            for (index, key) in scene.keys.enumerated() {
                if index == scene.keys.count - 1, let (old, new) = scene.replacement {
                    let path = sandbox.path + "/novels.json"
                    let text = try String(contentsOfFile: path, encoding: .utf8)
                    try text.replacing(old, with: new).write(toFile: path, atomically: true, encoding: .utf8)
                }
                try terminal.press(declared: key)
                if let milestone = scene.milestones[index + 1] { _ = try settled(terminal, showing: milestone) }
            }
            let recording = Recording(scene: scene, size: size)
            if ProcessInfo.processInfo.environment["STACKS_RECORD_SCREENS"] != nil {
                try recording.write(settled(terminal, showing: scene.sign).withoutDates)
            } else {
                let rows = try recording.rows
                try terminal.wait(for: "the screen of \(recording.path)") { $0.withoutDates.rows == rows }
            }
        }
    }

    @Test func everyRecordingHasAScreen() throws {
        let files = try FileManager.default.subpathsOfDirectory(atPath: Recording.directory)
            // Screens that depend on the day are recorded by the tests of the browser.
            .filter { $0.hasSuffix(".txt") && !$0.hasPrefix("reading/") }
        let expected = Self.scenes.flatMap { scene in
            scene.sizes.map { "\(scene.name)-\($0.columns)x\($0.rows).txt" }
        }
        #expect(Set(files) == Set(expected))
    }

    @Test func theIndexDescribesEveryScreen() throws {
        let index = try String(contentsOfFile: Recording.directory + "/README.md", encoding: .utf8)
        for scene in Self.scenes {
            let row = "| \(scene.name) | \(scene.keyText) | \(scene.catalogText) | \(scene.about) |"
            #expect(index.contains(row), "add to Tests/GoldenScreens/README.md: \(row)")
        }
    }

    private func path(of catalog: Catalog, in sandbox: Sandbox) throws -> String {
        switch catalog {
        case .bundled: Programs.bundledCatalog
        case .novels: try sandbox.write(Novels.catalog, to: "novels.json")
        case .scripts: try sandbox.write(Scripts.catalog, to: "scripts.json")
        case .empty: try sandbox.write("[]\n", to: "empty.json")
        }
    }

    /// Returns the screen once it shows the text and no longer changes: tmux also shows incomplete frames.
    private func settled(_ terminal: Tmux, showing sign: String?) throws -> Screen {
        var last = try terminal.wait(for: sign ?? "anything") { screen in sign.map(screen.shows) ?? true }
        var since = ContinuousClock.now
        return try eventually(or: "the screen does not come to rest:\n\(last)") {
            let now = try terminal.screen
            if now != last { (last, since) = (now, .now) }
            return ContinuousClock.now - since > .milliseconds(120) ? now : nil
        }
    }

    /// The file of a recorded screen.
    private struct Recording {
        var scene: Scene
        var size: Size

        static let directory = Programs.packageRoot + "/Tests/GoldenScreens"
        var path: String { Self.directory + "/\(scene.name)-\(size.columns)x\(size.rows).txt" }

        /// A ruler that counts columns: "----+----1----+----2".
        private var ruler: String {
            String(
                (1...size.columns).map { column -> Character in
                    column % 10 == 0 ? Character(String(column / 10 % 10)) : column % 5 == 0 ? "+" : "-"
                })
        }

        var rows: [String] {
            get throws {
                let lines = try String(contentsOfFile: path, encoding: .utf8).split(
                    separator: "\n", omittingEmptySubsequences: false
                ).map(String.init)
                guard let first = lines.firstIndex(of: ruler), let last = lines.lastIndex(of: ruler), first < last
                else {
                    throw Failure("\(path) has not two rulers: record it anew")
                }
                return Array(lines[(first + 1)..<last])
            }
        }

        func write(_ screen: Screen) throws {
            let keys = scene.keys.isEmpty ? "none" : scene.keys.joined(separator: " ")
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
            let lines =
                [
                    "# \(scene.about)",
                    "# Catalog: \(scene.catalog.rawValue). Keys: \(keys). Window: \(size.columns) x \(size.rows).",
                    ruler,
                ] + screen.rows + [ruler, ""]
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
        }
    }
}

extension Screen {
    /// The screen with all dates replaced by the same day.
    fileprivate var withoutDates: Screen {
        Screen(
            rows: rows.map { row in
                row.replacing(#/20\d\d-\d\d-\d\d \d\d:\d\d/#, with: "2026-11-21 20:15")
                    // In the history; at midnight, a change is of yesterday.
                    .replacing(#/yesterday \d\d:\d\d/#, with: "today 20:15    ")
                    .replacing(#/today \d\d:\d\d/#, with: "today 20:15")
                    .replacing(#/20\d\d-\d\d-\d\d/#, with: "2026-11-21")
                    // The place of the catalog on this machine.
                    .replacing(#/File: \/.*$/#, with: "File: …")
            })
    }
}
