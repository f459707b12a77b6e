import Foundation
import Shelves
import Storage
import TerminalTesting
import TerminalUI

@testable import Browser
@testable import Catalog

/// A reader with a home of their own, who starts the browser again and again.
final class Reader {
    let home = FileManager.default.temporaryDirectory.appendingPathComponent("stacks-" + UUID().uuidString)
    var books: [Book]
    /// The name of the catalog, by which places are remembered.
    var catalog = "/books/test.json"

    init(books: [Book]) {
        useUTF8Locale()
        self.books = books
    }

    /// A reader of so many books: "Book 1", "Book 2" ...
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
    /// - Returns: The terminal, with the screens it was shown.
    @discardableResult
    func browse(
        _ keys: String = "", columns: Int = 100, rows: Int = 24, source: (any BookSource)? = nil,
        notices: [String] = [], resumes: Bool = true
    ) throws -> ScriptedTerminal {
        let terminal = ScriptedTerminal(columns: columns, rows: rows, keys: keys)
        _ = try browse(on: terminal, source: source, notices: notices, resumes: resumes)
        return terminal
    }

    /// Starts the browser on `terminal`.
    ///
    /// - Returns: Why it ended.
    func browse(
        on terminal: ScriptedTerminal, source: (any BookSource)? = nil, notices: [String] = [], resumes: Bool = true
    ) throws -> Browser.Ending {
        let store = BookStore(source: source ?? FixedBookSource(name: "test.json", books: books))
        let favourites = Favourites(directory: dataDirectory)
        // As the program does: what cannot be read is none.
        try? favourites.load()
        let browser = Browser(
            library: Library(store: store, favourites: favourites), catalogPath: catalog,
            preferences: PreferencesFile(directory: stateDirectory), notices: notices, resumes: resumes)
        return browser.run(on: terminal)
    }

    /// The place that is remembered.
    var place: Preferences.Place? { PreferencesFile(directory: stateDirectory).place(in: catalog) }

    /// Replaces what is remembered.
    func remember(_ place: Preferences.Place) throws {
        try PreferencesFile(directory: stateDirectory).remember(place, in: catalog)
    }

    /// The content of the preferences file.
    func writePreferences(_ text: String) throws {
        try FileManager.default.createDirectory(atPath: stateDirectory, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: stateDirectory + "/preferences.json"))
    }
}

extension Book {
    /// A book where only what a test is about is named.
    static func make(
        title: String = "A Title", authors: [String] = ["An Author"], isbn: String? = nil, pageCount: Int? = nil,
        fiction: Bool? = nil
    ) -> Book {
        Book(title: title, authors: authors, isbn: isbn.map(ISBN.init), pageCount: pageCount, fiction: fiction)
    }
}

extension ScriptedTerminal {
    /// The row that has the sign of selection, from the title on and without what is right of the list; "" where there
    /// is none.
    var selection: String {
        let row = text.split(separator: "\n").first { $0.hasPrefix("▌") } ?? ""
        let list = row.split(separator: "│").first ?? ""
        return list.dropFirst().split(separator: "  ").first.map { $0.trimmingCharacters(in: .whitespaces) } ?? ""
    }

    /// The text right of the divider, a line each.
    var detail: [String] {
        text.split(separator: "\n").compactMap { line in
            line.firstIndex(of: "│").map {
                line[line.index(after: $0)...].trimmingCharacters(in: [" ", "▌"])
            }
        }
    }

    var title: String { row(0) }
    var status: String { row(-2).trimmingCharacters(in: .whitespaces) }
    var hints: String { row(-1) }
}
