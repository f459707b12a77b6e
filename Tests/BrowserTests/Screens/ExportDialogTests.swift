import Foundation
import TerminalTesting
import TerminalUI
import Testing

@testable import Books
@testable import Browser
@testable import Shelves
@testable import Storage

@Suite("Export: the listed books, or the selected ones, to a file") struct ExportDialogTests {
    private let user = User(books: [
        .make(title: "Emma", authors: ["Jane Austen"], isbn: "9780141439587"),
        .make(title: "Persuasion", authors: ["Jane Austen"]), .make(title: "Cosmos", authors: ["Carl Sagan"]),
    ])
    private let directory: String

    init() throws {
        directory = user.home.path + "/exports"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    }

    /// Starts the browser in a window with room for long paths in the status line.
    @discardableResult
    private func browse(_ keys: String, resumes: Bool = true) throws -> ScriptedTerminal {
        try user.browse(keys, columns: 240, resumes: resumes)
    }

    private func path(_ name: String) -> String { directory + "/" + name }

    /// Returns the keys that export to a file with this name.
    private func exporting(to name: String, _ more: String = "") -> String { "x ^u \(typed(path(name))) \(more) Enter" }

    private func text(of name: String) -> String? { try? String(contentsOfFile: path(name), encoding: .utf8) }

    private func titles(in name: String) throws -> [String] {
        let data = try Data(contentsOf: URL(filePath: path(name)))
        let books = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
        return books.compactMap { $0["title"] as? String }
    }

    private var files: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []).sorted() }

    @Test func theListedBooksAreExported() throws {
        let terminal = try browse("t / a u s t e n Enter s t " + exporting(to: "a.json"))
        #expect(try titles(in: "a.json") == ["Emma", "Persuasion"])
        #expect(terminal.status.contains("Exported 2 books to \(path("a.json"))"))
        #expect(text(of: "a.json")?.contains(#""userData":{"favourite":true}"#) == true)
        #expect(files == ["a.json"])
    }

    @Test func theSelectedBooksAreExportedInTheOrderOfTheList() throws {
        try browse("s t g g Space G Space " + exporting(to: "a.json"))
        #expect(try titles(in: "a.json") == ["Cosmos", "Persuasion"])
    }

    @Test func missingBooksAreNotExported() throws {
        try browse("V t")
        user.books.removeFirst()
        let terminal = try browse("L j " + exporting(to: "a.json"), resumes: false)
        #expect(try titles(in: "a.json") == ["Persuasion", "Cosmos", "Emma"])
        #expect(text(of: "a.json")?.contains(#""inCatalog":false"#) == true)
        #expect(terminal.status.contains("Exported 3 books"))
    }

    @Test(arguments: [
        ("a.jsonl", #"{"id":"isbn:9780141439587","title":"Emma""#), ("a.csv", "id,title,authors,"),
        ("a.goodreads.csv", "Book Id,Title,Author,"), ("a.calibre.csv", "author_sort,authors,comments,"),
        ("a.bib", "@book{austen-9780141439587,"),
        ("a.csl.json", "[\n{\"id\":\"isbn:9780141439587\",\"type\":\"book\""),
        ("a.ris", "TY  - BOOK\r\nID  - isbn:9780141439587\r\nTI  - Emma\r\n"),
        ("a.mods", #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n<modsCollection "),
        ("a.marcxml", #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n<collection "),
        ("a.opds", #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n<feed "),
        ("a.html", "<!DOCTYPE html>\n<html lang=\"en\">\n"),
    ])
    func theFileExtensionSelectsTheFormat(name: String, start: String) throws {
        try browse("t " + exporting(to: name))
        #expect(text(of: name)?.hasPrefix(start) == true)
    }

    @Test func aFormatWithoutItsProgramIsRejected() throws {
        let terminal = try browse(exporting(to: "a.db"))
        #expect(terminal.status.contains("SQLite database needs stacks-connect. Install it"))
        #expect(files == [])
    }

    @Test func onlyBooksWithDataAreForGoodreads() throws {
        let terminal = try browse("t " + exporting(to: "a.goodreads.csv"))
        #expect(terminal.status.contains("Exported 1 book to "))
        #expect(text(of: "a.goodreads.csv")?.contains("Cosmos") == false)
        let none = try browse("t " + exporting(to: "b.goodreads.csv"))
        #expect(none.status.contains("Not exported: none of these books has data of yours"))
        #expect(files == ["a.goodreads.csv"])
    }

    @Test func tabExcludesUserData() throws {
        let terminal = try browse("t x")
        #expect(terminal.popup("Export 3 books")[4] == "Your data: included. Tab leaves it out")
        #expect(try browse("x Tab").popup("Export 3 books")[4] == "Your data: left out. Tab includes it")
        try browse(exporting(to: "a.json", "Tab"))
        #expect(text(of: "a.json")?.contains("userData") == false)
    }

    @Test func aNameIsSuggested() throws {
        func proposal(_ keys: String) throws -> String {
            try browse(keys, resumes: false).popup("Export 3 books").first ?? "none"
        }
        #expect(try proposal("x") == "File: test-export.json")
        #expect(try proposal("V x") == "File: selection.json")
        try browse("V t")
        #expect(try proposal("L j x") == "File: favourites.json")
        #expect(try proposal("/ a | o Enter x") == "File: a-o.json")
        #expect(
            try browse("x", resumes: false).popup("Export 3 books")[1...] == [
                "Format: JSON", "Or: .jsonl .records.json .csv .goodreads.csv .storygraph.csv",
                ".calibre.csv .bib .csl.json .mrc .marcxml .mods .ris .opds .html",
                "Your data: included. Tab leaves it out",
            ])
    }

    @Test func aFileIsOverwrittenOnlyAfterConfirmation() throws {
        try Data("old".utf8).write(to: URL(filePath: path("a.json")))
        let asked = try browse(exporting(to: "a.json"))
        #expect(asked.status.contains("Overwrite \(path("a.json"))? y overwrite, Esc keep"))
        #expect(text(of: "a.json") == "old")
        // The name can then be changed.
        let kept = try browse(exporting(to: "a.json") + " n ^u \(typed(path("b.csv"))) Enter")
        #expect(text(of: "a.json") == "old")
        #expect(kept.status.contains("Exported 3 books"))
        try browse(exporting(to: "a.json") + " y")
        #expect(try titles(in: "a.json") == ["Emma", "Persuasion", "Cosmos"])
    }

    @Test func anInvalidPathIsReported() throws {
        let unknown = try browse(exporting(to: "a.xyz"))
        #expect(unknown.status.contains("End the file name with a format"))
        #expect(unknown.popup("Export 3 books")[1] == "End the name with")
        try FileManager.default.createDirectory(atPath: path("d.json"), withIntermediateDirectories: false)
        #expect(try browse(exporting(to: "d.json")).status.contains("is not a file. Choose another name"))
        #expect(try browse(exporting(to: "none/a.json")).status.contains("Not exported: no such file"))
        user.catalog = path("books.json")
        try Data("[]".utf8).write(to: URL(filePath: user.catalog))
        #expect(try browse(exporting(to: "books.json")).status.contains("This file is the catalog itself"))
        #expect(text(of: "books.json") == "[]")
        #expect(try browse("x Esc").popup("Export 3 books").isEmpty)
        let none = try browse("L 3 G x")
        #expect(none.status.contains("No books to export"))
    }

    // MARK: - Narrow windows

    /// The lines wrap at the window's width, but are at most 66 columns wide.
    @Test(arguments: [50, 80, 120]) func allFormatsAreNamedInAWindowOfAnyWidth(columns: Int) throws {
        let app = user.makeApp()
        _ = app.draw(size: Size(rows: 24, columns: columns))
        press("x", app)
        let screen = app.draw(size: Size(rows: 24, columns: columns)).canvas.text
        for ending in [".jsonl", ".csv", ".goodreads.csv", ".calibre.csv", ".bib", ".csl.json", ".ris"] {
            #expect(screen.contains(ending), "\(ending) in \(screen)")
        }
        #expect(screen.contains("Your data: included. Tab leaves it out"))
        press("^u", app)
        let unnamed = app.draw(size: Size(rows: 24, columns: columns)).canvas.text
        #expect(unnamed.contains("End the name with") && unnamed.contains(".csl.json"))
    }

    // MARK: - Many books

    /// A browser with many books that has just started an export to a file with this name.
    private func appExporting(to name: String, _ more: String = "") -> App {
        let many = User(bookCount: 3000)
        many.settings.timeBudget = 0
        let app = many.makeApp()
        _ = app.draw(size: Self.size)
        for _ in 0..<1000 where app.session.books.progress != nil { app.update() }
        press(exporting(to: name) + " " + more, app)
        return app
    }

    private static let size = Size(rows: 24, columns: 240)

    private func press(_ keys: String, _ app: App) {
        for case .events(let events) in ScriptedTerminal.Step.keys(keys) { events.forEach { _ = app.handle($0) } }
    }

    @Test func aLongExportShowsItsProgress() throws {
        let app = appExporting(to: "a.jsonl")
        _ = app.handle(.wakeUp)
        let screen = app.draw(size: Self.size).canvas.text
        #expect(screen.contains("Exporting to a.jsonl") && screen.contains(" of 3,000 books, "))
        #expect(screen.contains("Esc stops"))
        // The file appears when it is complete.
        #expect(text(of: "a.jsonl") == nil)
        for _ in 0..<10_000 where app.screens.count > 1 { _ = app.handle(.wakeUp) }
        #expect(app.session.status.text == "Exported 3,000 books to \(path("a.jsonl"))")
        #expect(text(of: "a.jsonl")?.split(separator: "\n").count == 3000)
        #expect(files == ["a.jsonl"])
    }

    @Test func escStopsItAndLeavesNothing() throws {
        try Data("old".utf8).write(to: URL(filePath: path("a.json")))
        let app = appExporting(to: "a.json", "y")
        _ = app.handle(.wakeUp)
        press("Esc", app)
        #expect(app.screens.count == 1)
        #expect(app.session.status.text == "Export stopped. No file was written")
        _ = app.handle(.wakeUp)
        #expect(text(of: "a.json") == "old")
        // The temporary file is deleted with the export.
        #expect(files == ["a.json"])
    }
}
