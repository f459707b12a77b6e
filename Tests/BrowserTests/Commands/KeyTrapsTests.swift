import CatalogTesting
import Foundation
import Shelves
import TerminalTesting
import Testing

@testable import Books
@testable import Browser
@testable import Library
@testable import Search
@testable import TerminalUI

/// Keys that mean something else elsewhere, and those that a reader of other programs expects.
@Suite("Keys: traps") struct KeyTrapsTests {
    private let user = User(bookCount: 100)

    private func ending(_ keys: String) throws -> App.Ending {
        try user.browse(on: ScriptedTerminal(columns: 100, rows: 24, keys: keys), resumes: false)
    }

    @Test(
        "q quits from the list of books only, and goes back elsewhere",
        arguments: [
            "L", "Enter", "?", "F", "%", "U", "|", "L ?", "Enter ?", ": m e s s a g e s Enter",
        ])
    func quitting(keys: String) throws {
        #expect(try ending(keys + " q") == .terminalGone)
        #expect(try ending(keys + " q q q") == .quit)
        #expect(try ending("q") == .quit)
    }

    @Test("zt and zb scroll the current row to the edges, zz to the middle") func scrolling() throws {
        func row(_ keys: String) throws -> Int {
            let terminal = try user.browse("5 0 G " + keys, resumes: false)
            #expect(terminal.status.hasPrefix("50/100"))
            return terminal.cursor.row
        }
        #expect(try row("z t") == 2)
        #expect(try row("z b") == 21)
        #expect(try (10...13).contains(row("z z")))
    }

    @Test("The rows at the edges of the screen can be bound, such as to H and L") func screenRows() throws {
        var bindings = KeyBindings.standard
        for key in ["H", "M", "L"] { bindings.unbind([.character(Character(key))]) }
        bindings.bind([.character("H")], to: .move(.goTo(.top)))
        bindings.bind([.character("M")], to: .move(.goTo(.middle)))
        bindings.bind([.character("L")], to: .move(.goTo(.bottom)))
        user.settings.keys = bindings
        #expect(try user.browse("5 0 G z t H", resumes: false).status.hasPrefix("50/100"))
        #expect(try user.browse("5 0 G z t L", resumes: false).status.hasPrefix("69/100"))
        #expect(try user.browse("5 0 G z t M", resumes: false).status.hasPrefix("59/100"))
        #expect(try user.browse("L H", resumes: false).status.hasPrefix("1/100"))
        // The other keys of these commands stay.
        #expect(try user.browse(",", resumes: false).hints.contains("q close"))
    }

    @Test("A number and % go to that percentage of the list", arguments: [(50, 51), (1, 2), (100, 100), (999, 100)])
    func percentage(percent: Int, row: Int) throws {
        let keys = String(percent).map(String.init).joined(separator: " ")
        #expect(try user.browse(keys + " %", resumes: false).status.hasPrefix("\(row)/100"))
    }

    // MARK: - Repeating

    private func userData(_ keys: String) throws -> [String: UserBookData] {
        let user = User(bookCount: 10)
        let app = user.makeApp(resumes: false)
        _ = app.run(on: ScriptedTerminal(columns: 100, rows: 24, keys: keys))
        let books = app.session.library.userData.books.values
        return Dictionary(books.map { ($0.title, $0) }, uniquingKeysWith: { first, _ in first })
    }

    @Test(
        ". marks further books as the last one",
        arguments: ["t", "m r", "m D y e s t e r d a y Enter", "r 4", "r +", "b a Enter"])
    func repeating(keys: String) throws {
        let books = try userData(keys + " j . j j . ")
        let (first, second, fourth) = (books["Book 1"], books["Book 2"], books["Book 4"])
        #expect(first != nil && books["Book 3"] == nil && books.count == 3)
        for other in [second, fourth] {
            #expect(other?.isFavourite == first?.isFavourite && other?.status == first?.status)
            #expect(other?.rating == first?.rating && other?.shelves == first?.shelves)
            #expect(other?.readingLog == first?.readingLog)
        }
    }

    @Test(". repeats what was done, and not its opposite") func repeatingTwice() throws {
        let books = try userData("t j t t j . k . ")
        #expect(books["Book 1"]?.isFavourite == true)
        #expect(books["Book 2"]?.isFavourite != true && books["Book 3"]?.isFavourite != true)
        // A status that the book has already stays, with its reading.
        let kept = try user.browse("m d j . .", resumes: false)
        #expect(kept.status.contains("Read already: Book 2"))
        #expect(try userData("m d j . .")["Book 2"]?.readingLog.readings.count == 1)
    }

    @Test("Without a marking, . says what it needs") func nothingToRepeat() throws {
        #expect(
            try user.browse(".", resumes: false).status == "1/100  Nothing to repeat yet. Mark a book first, as with t")
    }

    // MARK: - The position

    @Test("The position is saved in a pause of a second") func saving() throws {
        var rows: [Int?] = []
        let note: () -> ScriptedTerminal.Step = { [user] in
            .wakeUps(until: { _ in
                rows.append(PreferencesFile(directory: user.stateDirectory).place(in: user.catalog)?.row)
                return true
            })
        }
        let terminal = try user.browse(
            steps: ScriptedTerminal.Step.keys("j j j") + [note()] + ScriptedTerminal.Step.keys("(pause)")
                + ScriptedTerminal.Step.keys("(pause) g") + [note()], resumes: false)
        #expect(terminal.pauses.first.flatMap(\.self).map { (900...1000).contains($0) } == true)
        #expect(rows.count == 2 && rows[0] == nil)
        // What is written in the background is there soon.
        #expect(PreferencesFile(directory: user.stateDirectory).place(in: user.catalog)?.row == 3)
        // Nothing is written while nothing changes, nor while a command is being typed.
        #expect(terminal.pauses.last == .some(nil))
    }
}
