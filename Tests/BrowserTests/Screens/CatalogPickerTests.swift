import Foundation
import TerminalTesting
import TerminalUI
import TestSupport
import Testing

@testable import Browser
@testable import Storage

/// Opening another catalog from the browser.
@Suite("Catalog picker") struct CatalogPickerTests {
    private let user = User(bookCount: 3)
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
        for name in ["novels.json", "novels of old.csv", "poems.json", ".hidden"] {
            _ = try folder.write("[]".utf8, to: name)
        }
        try FileManager.default.createDirectory(atPath: folder.path + "/shelf", withIntermediateDirectories: false)
        _ = try folder.write("[]".utf8, to: "shelf/one.json")
        user.knownCatalogs = [
            KnownCatalog(path: "/books/recent.json"), KnownCatalog(name: "town", path: "https://town.example/opds"),
            KnownCatalog(path: user.catalog),
        ]
    }

    /// Types keys, and returns the screen and the catalog to open.
    private func browse(_ keys: String, typing path: String = "", then rest: String = "") -> (ScriptedTerminal, String?)
    {
        let steps =
            ScriptedTerminal.Step.keys(keys) + (path.isEmpty ? [] : [.events([.paste(path)])])
            + ScriptedTerminal.Step.keys(rest)
        let terminal = ScriptedTerminal(size: Size(rows: 24, columns: 100), steps: steps)
        let ending = user.makeApp(resumes: false).run(on: terminal)
        if case .open(let next) = ending { return (terminal, next.path) }
        return (terminal, nil)
    }

    private func rows(_ terminal: ScriptedTerminal) -> [String] {
        terminal.popup("Open a catalog").dropFirst(2).map { $0.hasPrefix("▌") ? String($0.dropFirst()) : $0 }.filter {
            !$0.isEmpty
        }
    }

    @Test("It lists the catalogs opened before and those of the config file, without the present one") func known() {
        let (terminal, next) = browse("O")
        #expect(rows(terminal).map { $0.split(separator: "  ").first.map(String.init) } == ["recent.json", "town"])
        #expect(rows(terminal).first?.contains("/books/recent.json") == true && next == nil)
        #expect(browse("O Enter").1 == "/books/recent.json")
        // A name of the config file is opened by that name, with its settings.
        #expect(browse("O t o w n Enter").1 == "town" && browse("O Down Enter").1 == "town")
        #expect(browse("O Esc j").1 == nil && browse("O Esc j").0.status.hasPrefix("2/3"))
    }

    @Test("A path is completed by the files of its directory, and opened") func paths() throws {
        let path = folder.path + "/"
        let (terminal, _) = browse("O", typing: path)
        #expect(rows(terminal) == ["novels of old.csv", "novels.json", "poems.json", "shelf/"])
        #expect(browse("O", typing: path, then: "p Enter").1 == path + "poems.json")
        // Tab completes as far as all files agree, and then with the current one.
        #expect(browse("O", typing: path + "n", then: "Tab Down Tab Enter").1 == path + "novels.json")
        #expect(browse("O", typing: path + "shelf", then: "Enter Enter").1 == path + "shelf/one.json")
        let missing = browse("O", typing: path + "missing.json")
        #expect(missing.0.text.contains("No such file here. Tab completes a path, Enter opens the typed one"))
        #expect(browse("O", typing: path + "missing.json", then: "Enter").1 == path + "missing.json")
        #expect(browse("O", typing: "https://new.example/opds", then: "Enter").1 == "https://new.example/opds")
    }

    @Test("The catalogs of a directory are offered above the newest one, which stays after Esc") func directory() throws
    {
        func offered(_ keys: String) -> (ScriptedTerminal, App.Ending) {
            let terminal = ScriptedTerminal(size: Size(rows: 24, columns: 100), steps: ScriptedTerminal.Step.keys(keys))
            let start = Start(offering: ["/books/older.json", "/books/oldest.csv"])
            return (terminal, user.makeApp(start: start).run(on: terminal))
        }
        #expect(
            rows(offered("").0).map { $0.split(separator: "  ").first.map(String.init) } == [
                "older.json", "oldest.csv",
            ])
        #expect(offered("c s v Enter").1 == .open(NextCatalog(path: "/books/oldest.csv")))
        #expect(offered("Esc j").0.status.hasPrefix("2/3"))
    }

    @Test("Without other catalogs, it says what to type") func nothingKnown() {
        user.knownCatalogs = []
        #expect(browse("O").0.text.contains("No other catalog yet. Type a path or an address"))
    }
}
