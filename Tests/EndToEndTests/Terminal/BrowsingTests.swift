import Foundation
import Testing

/// Keys and screens in a real terminal.
@Suite("On a terminal: browsing") struct Browsing {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
    }

    @Test func theBundledCatalogOpensWithTheDetailOfItsFirstBook() throws {
        let terminal = try Tmux(in: sandbox, opening: Programs.bundledCatalog)
        let screen = try terminal.wait(forPosition: "1/11")
        #expect(screen.hasTitle(" All books (11)"))
        #expect(screen.title.hasSuffix("catalog.json · 11 books"))
        let titles = [
            "Fight Club", "2001: A Space Odyssey", "Ulysses", "Catch-22", "The Stand", "On The Road",
            "Heart of Darkness", "A Brief History of Time", "Dispatches", "Harry Potter and Prisoner of Azkaban",
            "Dragons Love Tacos",
        ]
        for (row, title) in titles.enumerated() { #expect(screen.body[row + 1].dropFirst().hasPrefix(title)) }
        #expect(screen.selection.hasPrefix("▌Fight Club"))
        let detail = screen.body.map { $0.split(separator: "│ ").dropFirst().joined() }.filter { !$0.isEmpty }
        #expect(detail.first == "Fight Club")
        #expect(detail.contains("Chuck Palahniuk"))
        #expect(detail.contains { $0.hasPrefix("ISBN") && $0.hasSuffix("978-0393039764") })
        #expect(detail.contains("208 pp   Fiction"))
        #expect(screen.hints.contains("? help"))
        #expect(try terminal.isAlternateScreenShown)
    }

    @Test func theCursorIsOnTheSelectedRow() throws {
        let terminal = try Tmux(in: sandbox, opening: Programs.bundledCatalog)
        try terminal.wait(forPosition: "1/11")
        #expect(try terminal.cursorRow == 3)
        #expect(try terminal.cursorColumn == 0)
        try terminal.type("3j")
        try terminal.wait(forPosition: "4/11")
        #expect(try terminal.cursorRow == 6)
        #expect(try terminal.cursorColumn == 0)
    }

    @Test func keysMoveTheSelection() throws {
        let catalog = try sandbox.writeCatalog(books: 300)
        let terminal = try Tmux(in: sandbox, columns: 80, rows: 24, opening: catalog)
        try terminal.wait(forPosition: "1/300")
        // 24 rows minus title, column headings, status and hints: a page of 20 books.
        for (keys, position) in [
            ("j", "2/300"), ("5j", "7/300"), ("2k", "5/300"), ("k", "4/300"), ("G", "300/300"), ("j", "300/300"),
            ("gg", "1/300"), ("k", "1/300"), ("120G", "120/300"), ("999G", "300/300"), ("120gg", "120/300"),
        ] {
            try terminal.type(keys)
            try terminal.wait(forPosition: position)
        }
        for (key, position) in [
            ("C-d", "130/300"), ("C-u", "120/300"), ("PageDown", "140/300"), ("PageUp", "120/300"), ("C-f", "140/300"),
            ("C-b", "120/300"), ("Down", "121/300"), ("Up", "120/300"), ("End", "300/300"), ("PageDown", "300/300"),
            ("Home", "1/300"), ("C-u", "1/300"),
        ] {
            try terminal.press(key)
            let screen = try terminal.wait(forPosition: position)
            let number = String(1000 + (Int(position.prefix { $0 != "/" }) ?? 0)).dropFirst()
            #expect(screen.selection.contains("Book \(number)"))
            // The detail pane shows the same book.
            #expect(screen.body[0].hasSuffix("│ Book \(number)"))
        }
    }

    @Test func aRowPastTheEndIsTheLastRow() throws {
        let terminal = try Tmux(in: sandbox, opening: Programs.bundledCatalog)
        try terminal.wait(forPosition: "1/11")
        try terminal.type("120G")
        #expect(try terminal.wait(forPosition: "11/11").selection.contains("Dragons Love Tacos"))
        try terminal.type("99999999999999999999999j")
        try terminal.type("k")
        try terminal.wait(forPosition: "10/11")
    }

    @Test func aFavouriteGetsAndLosesItsStar() throws {
        let terminal = try Tmux(in: sandbox, opening: Programs.bundledCatalog)
        try terminal.wait(forPosition: "1/11")
        try terminal.type("4jt")
        // The window may be captured while it is drawn.
        let marked = try terminal.wait(for: "the star in the card, and the message") { screen in
            screen.shows("★ Favourite: The Stand") && screen.body.contains { $0.hasSuffix("│ YOU  ★ Favourite") }
        }
        #expect(marked.selection.hasPrefix("▌★ The Stand"))
        try terminal.type("t")
        #expect(try !terminal.wait(for: "Removed from favourites: The Stand").body.contains { $0.contains("★") })
    }

    @Test func helpShowsTheKeysAndCloses() throws {
        let terminal = try Tmux(in: sandbox, opening: Programs.bundledCatalog)
        let before = try terminal.wait(forPosition: "1/11")
        try terminal.type("?")
        let help = try terminal.wait(for: "Go down one row; 5j goes down five.")
        #expect(help.title.hasPrefix(" Help"))
        #expect(help.shows("Go down one row; 5j goes down five."))
        #expect(!help.shows("Fight Club"))
        // In help, keys of the list do not affect the list, and q does not quit.
        try terminal.type("tq")
        try terminal.wait(for: "what it showed before, at 1/11") { $0 == before }
        try terminal.press("F1")
        try terminal.wait(for: " Help")
        try terminal.press("Escape")
        try terminal.wait(for: "what it showed before, at 1/11") { $0 == before }
    }

    @Test func interruptingOnceWarnsAndTwiceQuits() throws {
        let terminal = try Tmux(in: sandbox, opening: Programs.bundledCatalog)
        try terminal.wait(forPosition: "1/11")
        try terminal.press("C-c")
        try terminal.wait(for: "Press ^c again to quit")
        // Another key resets the count.
        try terminal.type("j")
        try terminal.wait(forPosition: "2/11")
        try terminal.press("C-c")
        try terminal.wait(for: "Press ^c again to quit")
        try terminal.press("C-c")
        #expect(try terminal.waitForEnd() == .exit(0))
        #expect(try sandbox.place(in: Programs.bundledCatalog)["row"] as? Int == 1)
    }

    @Test func pastedTextNeverActsAsKeys() throws {
        let terminal = try Tmux(in: sandbox, opening: Programs.bundledCatalog)
        try terminal.wait(forPosition: "1/11")
        try terminal.paste("jjtt*LG?q\nQ\u{3}\u{3}")
        // A key typed after it is handled after it.
        try terminal.type("j")
        let screen = try terminal.wait(forPosition: "2/11")
        #expect(!screen.body.contains { $0.contains("★") })
        #expect(screen.hasTitle(" All books (11)"))
        #expect(sandbox.text(of: sandbox.historyPath).isEmpty)
    }

    @Test func anUnknownKeyDoesNothing() throws {
        let terminal = try Tmux(in: sandbox, opening: Programs.bundledCatalog)
        try terminal.wait(forPosition: "1/11")
        // A sequence of some terminal in which t and q are not keys.
        try terminal.type("\u{1B}[1;97t")
        try terminal.type("\u{1B}[99q")
        try terminal.type("j")
        #expect(try !terminal.wait(forPosition: "2/11").body.contains { $0.contains("★") })
    }

    @Test func theCatalogIsNeverWritten() throws {
        let catalog = try sandbox.write(sandbox.text(of: Programs.bundledCatalog), to: "catalog.json")
        let before = try FileManager.default.attributesOfItem(atPath: catalog)
        let content = try Data(contentsOf: URL(filePath: catalog))
        #expect(content.count > 1000)
        let terminal = try Tmux(in: sandbox, opening: catalog)
        try terminal.wait(forPosition: "1/11")
        try terminal.type("tjtjt")
        try terminal.wait(for: "★ Favourite: Ulysses")
        try terminal.type("R")
        try terminal.wait(for: "Reloaded: 11 books")
        try terminal.type("Lqq")
        #expect(try terminal.waitForEnd() == .exit(0))
        let after = try FileManager.default.attributesOfItem(atPath: catalog)
        #expect(try Data(contentsOf: URL(filePath: catalog)) == content)
        #expect(after[.modificationDate] as? Date == before[.modificationDate] as? Date)
        #expect(after[.systemFileNumber] as? Int == before[.systemFileNumber] as? Int)
    }
}
