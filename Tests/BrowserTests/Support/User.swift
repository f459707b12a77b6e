import CatalogTesting
import Foundation
import Indexing
import Remote
import Shelves
import TerminalTesting
import TerminalUI

@testable import Books
@testable import Browser
@testable import Catalog
@testable import Editing
@testable import Graphemes
@testable import Library
@testable import Threading

/// A user with a temporary home who starts the browser repeatedly.
final class User {
    let home = FileManager.default.temporaryDirectory.appendingPathComponent("stacks-" + UUID().uuidString)
    var books: [Book]
    /// The name of the catalog, under which positions are saved.
    var catalog = "/books/test.json"
    /// The settings of the browser. The row of lists and the group of what is to be tidied up have tests of their own, and
    /// so has work that lasts longer than a frame: elsewhere, no key is handled before it has ended, however busy the
    /// machine is.
    var settings = {
        var settings = Settings()
        settings.tabsWidth = .max
        settings.hasTidyUp = false
        settings.timeBudget = 60_000
        return settings
    }()
    /// Whether the terminal has a clipboard, and the file for copies if not.
    var hasClipboard = true
    var copies = CopiedText()
    /// The opened links in order, and the problem with each, if any.
    private(set) var openedLinks: [String] = []
    var linkProblem: String?
    /// The result of the program that opens links, computed in the background; nil if it ends at once.
    var slowOpener: (@Sendable () -> OpeningOutcome)?
    /// The warnings at startup.
    var warnings: [Warning] = []
    /// The user's editor for notes, and the notes and titles that it was given.
    var writeNote: (String) -> NoteEditor.Outcome = { .text($0) }
    /// The user's editor for records.
    var editRecord: (String) -> NoteEditor.Outcome = { .text($0) }
    /// The sources in which books are looked up.
    var lookup: LookupService?
    /// The program that makes covers, if it is installed.
    var connector: ConnectorProgram?
    /// The catalog that comes with stacks.
    var sample: SampleCatalog?
    /// The directory of the guide, if it is installed.
    var guide: String?
    private(set) var givenNotes: [(note: String, title: String)] = []

    init(books: [Book]) {
        useUTF8Locale()
        self.books = books
    }

    /// Creates a user with `bookCount` books: "Book 1", "Book 2" ...
    convenience init(bookCount: Int) {
        self.init(books: (1...max(1, bookCount)).map { Book.make(title: "Book \($0)") }.prefix(bookCount).map(\.self))
    }

    deinit {
        try? FileManager.default.removeItem(at: home)
    }

    var stateDirectory: String { home.path + "/state" }
    var dataDirectory: String { home.path + "/data" }

    /// Starts the browser, types `keys`, and closes the terminal.
    ///
    /// - Returns: The terminal with all screens.
    @discardableResult
    func browse(
        _ keys: String = "", columns: Int = 100, rows: Int = 24, source: (any CatalogSource)? = nil,
        notices: [String] = [], resumes: Bool = true
    ) throws -> ScriptedTerminal {
        try browse(
            steps: ScriptedTerminal.Step.keys(keys), columns: columns, rows: rows, source: source, notices: notices,
            resumes: resumes)
    }

    /// Starts the browser, plays `steps`, and closes the terminal.
    ///
    /// - Returns: The terminal with all screens.
    @discardableResult
    func browse(
        steps: [ScriptedTerminal.Step], columns: Int = 100, rows: Int = 24, source: (any CatalogSource)? = nil,
        notices: [String] = [], resumes: Bool = true
    ) throws -> ScriptedTerminal {
        let terminal = ScriptedTerminal(size: Size(rows: rows, columns: columns), steps: steps)
        terminal.hasClipboard = hasClipboard
        _ = try browse(on: terminal, source: source, notices: notices, resumes: resumes)
        return terminal
    }

    /// Starts the browser in line mode, types `keys`, and closes the terminal.
    func narrate(_ keys: String = "", resumes: Bool = true) throws -> ScriptedLineTerminal {
        let terminal = ScriptedLineTerminal(steps: ScriptedTerminal.Step.keys(keys))
        _ = makeApp(resumes: resumes).run(on: terminal)
        return terminal
    }

    /// Starts the browser on `terminal`.
    ///
    /// - Returns: The reason why it ended.
    func browse(
        on terminal: ScriptedTerminal, source: (any CatalogSource)? = nil, notices: [String] = [], resumes: Bool = true
    ) throws -> App.Ending {
        makeApp(source: source, notices: notices, resumes: resumes).run(on: terminal)
    }

    /// Opens another catalog on another thread, if it is not there at once.
    var slowCatalog: (@Sendable () -> OpeningOutcome)?
    /// The catalogs that the picker offers.
    var knownCatalogs: [KnownCatalog] = []

    /// Creates the browser as at startup.
    func makeApp(
        source: (any CatalogSource)? = nil, notices: [String] = [], resumes: Bool = true, start: Start? = nil
    ) -> App {
        let store = BookStore(source: source ?? InMemoryCatalog(name: "test.json", books: books))
        let shelves = UserData(directory: dataDirectory)
        // Like the program: unreadable user data is treated as empty.
        try? shelves.load()
        let services = Services(
            opener: LinkOpener { [weak self] link, notify in
                self?.openedLinks.append(link.text)
                guard let self, let slowOpener else {
                    return BackgroundTask(made: self?.linkProblem.map(OpeningOutcome.failed) ?? .opened)
                }
                return BackgroundTask(notifying: notify) { _ in slowOpener() }
            }, copies: copies,
            noteEditor: NoteEditor { [weak self] note, title in
                self?.givenNotes.append((note, title))
                return self?.writeNote(note) ?? .problem("nobody is there")
            },
            recordEditor: RecordEditor { [weak self] record, _, accept in
                switch self?.editRecord(record) {
                case .text(let text): accept(text)
                case .problem(let sentence): sentence
                case nil: "nobody is there"
                }
            }, lookup: lookup, connector: { [weak self] in self?.connector }, sample: sample,
            catalogs: OtherCatalogs(
                known: { [knownCatalogs] _ in knownCatalogs },
                open: { [weak self] _, notify in
                    guard let slowCatalog = self?.slowCatalog else { return BackgroundTask(made: .opened) }
                    return BackgroundTask(notifying: notify) { _ in slowCatalog() }
                }),
            guide: { [weak self] in self?.guide })
        let session = Session(
            library: Library(store: store, userData: shelves, catalogPath: catalog), catalogPath: catalog,
            preferences: PreferencesFile(directory: stateDirectory), settings: settings, services: services,
            notices: notices, warnings: warnings)
        return App(session, start: start ?? Start(resumes: resumes))
    }

    /// Writes the books to a catalog file in native format, which stacks can edit.
    ///
    /// - Returns: The path of the file.
    func writeCatalog() throws -> String {
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        let file = home.appending(path: "catalog.json")
        try JSONEncoder().encode(books).write(to: file)
        return file.path
    }

    /// Writes a guide of three pages; `pages` replaces or adds some.
    ///
    /// - Returns: The path of its directory.
    func writeGuide(_ pages: [String: String] = [:]) throws -> String {
        let directory = home.appending(path: "guide")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let standard = [
            "index.md": """
            # The guide

            | page | what it has |
            |---|---|
            | [Searching](searching.md) | words and *fields* |
            | [Keys](keys.md#more-keys) | all keys |
            | [Nowhere](nowhere.md) | no such page |
            """,
            "searching.md": """
            # Searching

            Type `/` and words. See [the keys](keys.md), <https://example.org/a> or [this](#fields).

            - one word finds a word
            - two words find both,
              in any order

            ## Fields

            ```
            stacks search 'author:austen'
            ```
            """,
            "keys.md": "# Keys\n\n| keys | command |\n|---|---|\n| `\\|` | Columns |\n\n"
                + (1...40).map { "Line \($0)\n\n" }.joined() + "## More keys\n\nThe end.\n",
        ]
        for (name, text) in standard.merging(pages, uniquingKeysWith: { $1 }) {
            try Data(text.utf8).write(to: directory.appending(path: name))
        }
        return directory.path
    }

    /// Returns the catalog in a file with its unsaved edits.
    func edited(_ path: String) -> EditedCatalog {
        EditedCatalog(
            JSONFileCatalog(path: path), journalPath: EditedCatalog.journalPath(of: path, in: stateDirectory))
    }

    /// Returns the books of the catalog in a file with its unsaved edits.
    func editedBooks(_ path: String) throws -> [Book] {
        let catalog = edited(path)
        try catalog.open()
        catalog.base.readRest()
        _ = catalog.receive()
        return (0..<catalog.index.count).compactMap { catalog.book(BookID($0)).value }
    }

    /// The user data on disk.
    var saved: UserData {
        let shelves = UserData(directory: dataDirectory)
        try? shelves.load()
        return shelves
    }

    /// The saved position.
    var place: Preferences.Place? { PreferencesFile(directory: stateDirectory).place(in: catalog) }

    /// Replaces the saved position.
    func remember(_ place: Preferences.Place) throws {
        try PreferencesFile(directory: stateDirectory).remember(place, in: catalog)
    }

    /// Writes the preferences file.
    func writePreferences(_ text: String) throws {
        try FileManager.default.createDirectory(atPath: stateDirectory, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: stateDirectory + "/preferences.json"))
    }
}

extension Book {
    /// Creates a book from the values that matter to a test.
    static func make(
        title: String = "A Title", authors: [String] = ["An Author"], isbn: String? = nil, pageCount: Int? = nil,
        fiction: Bool? = nil
    ) -> Book {
        Book(title: title, authors: authors, isbn: isbn.map(ISBN.init), pageCount: pageCount, fiction: fiction)
    }
}

extension ScriptedTerminal {
    /// The current row without its bar and the panes beside it; "" if there is none.
    var selection: String {
        let row = text.split(separator: "\n").first { $0.hasPrefix("▌") } ?? ""
        let list = row.split(separator: "│").first ?? ""
        return list.dropFirst().split(separator: "  ").first.map { $0.trimmingCharacters(in: .whitespaces) } ?? ""
    }

    /// The text to the right of the divider, one string per row.
    var detail: [String] {
        text.split(separator: "\n").compactMap { line in
            line.firstIndex(of: "│").map {
                line[line.index(after: $0)...].trimmingCharacters(in: [" ", "▌", "┃"])
            }
        }
    }

    /// Returns the rows of the popup with this title, without its frame; empty if it is not open.
    func popup(_ title: String) -> [String] {
        let rows = text.split(separator: "\n", omittingEmptySubsequences: false).map(Array.init)
        let head = Array("┌─ " + title + " ─")
        for (number, row) in rows.enumerated() {
            guard
                let column = row.indices.first(where: { row[$0...].starts(with: head) }),
                let end = row[column...].firstIndex(of: "┐")
            else { continue }
            return rows[(number + 1)...].prefix { $0.count > column && $0[column] == "│" }
                .map { String($0[(column + 2)..<(end - 1)]).trimmingCharacters(in: .whitespaces) }
        }
        return []
    }

    var title: String { row(0) }

    /// Whether the title bar begins with `text`. A number in parentheses after the name of a list, as in
    /// " Favourites (3)", is the number of its books, which stands at the right end or with the position.
    func hasTitle(_ text: String) -> Bool {
        guard let match = text.wholeMatch(of: #/( [^(]*?) \(([\d,]+(?: \+\d+)?)\)(.*)/#) else {
            return title.hasPrefix(text)
        }
        let (name, count, rest) = (match.1, match.2, match.3)
        let counts = [" · \(count) of ", " · \(count) book"]
        let isCounted =
            counts.contains(where: title.contains)
            || (-4 ... -1).contains { line in
                row(line).split(separator: " ").contains { $0.hasSuffix("/\(count)") }
                    || row(line).contains("/\(count) ") || row(line).hasSuffix("/\(count)")
            }
        return title.hasPrefix("\(name)\(rest)") && isCounted
    }

    /// The status area as one line: from the row with the position, or else the row above the hint bar. The position is
    /// without its share in per cent.
    var status: String {
        let start = (-4 ... -2).last { row($0).firstMatch(of: #/^ [\d,]+\/[\d,]+/#) != nil } ?? -2
        return (start ... -2).map { row($0).trimmingCharacters(in: .whitespaces) }.joined(separator: " ")
            .replacing(#/ · \d+\u{A0}%/#, with: "", maxReplacements: 1)
    }
    var hints: String { row(-1) }
}

/// Returns the keys that type `text` one after another, for `User.browse`.
func typed(_ text: String) -> String {
    text.map { $0 == " " ? "Space" : String($0) }.joined(separator: " ")
}
