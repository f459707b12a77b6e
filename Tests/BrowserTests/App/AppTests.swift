import TerminalTesting
import TestSupport
import Testing

@testable import Browser
@testable import Library
@testable import Shelves
@testable import TerminalUI

/// The screen after keys.
@Suite("From key to screen")
struct AppTests {
    private let user = User(books: [
        .make(title: "The Stand", authors: ["Stephen King"], isbn: "978-0307947307", pageCount: 1200, fiction: true),
        .make(title: "Dispatches", authors: ["Michael Herr"], isbn: "0000000001", pageCount: nil, fiction: false),
        .make(title: "", authors: []),
    ])

    @Test func theFirstScreenHasAllBooksAndTheDetailOfTheFirst() throws {
        let terminal = try user.browse()
        #expect(terminal.hasTitle(" All books (3)"))
        #expect(terminal.title.hasSuffix("test.json · 3 books"))
        #expect(terminal.selection == "The Stand")
        #expect(
            terminal.detail.prefix(6) == [
                "The Stand", "Stephen King", "1,200 pp   Fiction", "", "FACTS " + String(repeating: "─", count: 30),
                "ISBN  978-0307947307",
            ])
        #expect(terminal.status == "1/3")
        #expect(
            terminal.hints.replacing(#/ {4,}/#, with: "   ")
                == " Enter open   L lists   t favourite   / search   s sort   ? help   q quit")
    }

    @Test func theDetailFollowsTheSelection() throws {
        let terminal = try user.browse("j")
        #expect(terminal.detail[0] == "Dispatches")
        #expect(terminal.detail[2] == "Non-fiction")
        #expect(terminal.detail[5] == "ISBN  0000000001 (not a valid ISBN)")
        #expect(terminal.status == "2/3")
    }

    @Test func unknownFieldsAreLeftOut() throws {
        let terminal = try user.browse("G")
        #expect(terminal.selection == "Untitled")
        #expect(terminal.detail.filter { !$0.isEmpty } == ["Untitled"])
    }

    @Test(arguments: [
        ("j", 2), ("Down j", 3), ("5 j", 6), ("G", 300), ("End", 300), ("G g g", 1), ("G Home", 1), ("1 2 0 G", 120),
        ("9 9 9 G", 300), ("j k k k", 1), ("5 j 3 k", 3), ("^d", 11), ("^d ^u", 1), ("^f", 21), ("PgDn PgDn", 41),
        ("G ^b", 280), ("G PgUp PgUp", 260), ("2 ^f", 41), ("9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 j", 300),
    ])
    func keysMoveToARow(keys: String, row: Int) throws {
        // 24 rows minus title, status, hints and column headings: 20 rows of books.
        #expect(try User(bookCount: 300).browse(keys).status == "\(row)/300")
    }

    @Test("In an input, a key with Alt edits by word or closes it, and does nothing on the screen below")
    func altInInputs() throws {
        var terminal = try user.browse("/ t h e Space s t a n d Alt-b Alt-Backspace")
        #expect(terminal.status.contains("stand") && !terminal.status.contains("the"))
        for keys in ["/ s t a Alt-t", "/ s t a Alt-X", "b x Alt-X", "f x Alt-t", ": x Alt-X", "A x Alt-q"] {
            terminal = try user.browse(keys)
            let last = keys.split(separator: " ").last ?? ""
            #expect(terminal.status.contains("\(last) is not bound"), "\(keys)")
            #expect(terminal.selection == "The Stand", "\(keys)")
        }
        #expect(user.saved.books.isEmpty)
    }

    @Test("In a list, a key with Alt is Esc and the key, but for those that quit or delete")
    func altInLists() throws {
        #expect(try user.browse("Alt-j", resumes: false).selection == "Dispatches")
        #expect(try user.browse("5 Alt-j", resumes: false).selection == "Dispatches")
        for key in ["Alt-q", "Alt-X", "Alt-Backspace"] {
            let terminal = try user.browse("j " + key, resumes: false)
            #expect(terminal.selection == "Dispatches" && terminal.status.contains("\(key) is not bound"))
        }
    }

    @Test("^l draws the screen again wherever it is typed, and keeps what is typed")
    func redraw() throws {
        for keys in ["", "/ k i", "b x", "A", "E", "x", "+", "m D", "s", "?", "%", ":", "F"] {
            #expect(try user.browse(keys + " ^l").repaintCount == 1, "\(keys)")
        }
    }

    @Test func aCountBeingTypedIsShown() throws {
        #expect(try User(bookCount: 300).browse("1 2").status.hasSuffix("12"))
    }

    @Test func zzCentresTheSelectedRow() throws {
        let terminal = try User(bookCount: 300).browse("1 0 0 G z z")
        #expect(terminal.row(12).hasPrefix("▌Book 100"))
    }

    @Test func theCursorIsOnTheSelectedRow() throws {
        let terminal = try user.browse("j")
        #expect(terminal.cursor == Position(row: 3, column: 0))
    }

    @Test func thePaneWithTheKeyboardHasTheCursorAndItsSign() throws {
        let list = try user.browse("j")
        #expect(list.row(1).contains("│ Dispatches"))
        let detail = try user.browse("Tab")
        #expect(detail.row(1).contains("│▌Dispatches"))
        #expect(detail.cursor == Position(row: 1, column: 61))
    }

    @Test func escapeAndBackLeaveTheDetail() throws {
        for leaving in ["Esc", "h", "Left", "BackTab", "9 Tab", "Tab Esc Esc"] {
            #expect(try user.browse("Enter").hints.contains("h back"))
            #expect(try user.browse("Enter \(leaving)").hints.hasPrefix(" Enter open"), "\(leaving)")
        }
    }

    @Test func theDetailScrollsFromEitherPane() throws {
        let long = User(books: [.make(title: (1...400).map { "word\($0)" }.joined(separator: " "))])
        let top = try long.browse(resumes: false).detail[0]
        #expect(top.hasPrefix("word1 "))
        #expect(try !long.browse("J", resumes: false).detail[0].hasPrefix("word1 "))
        #expect(try long.browse("J K", resumes: false).detail[0] == top)
        #expect(try long.browse("Tab j", resumes: false).detail[0] == long.browse("J", resumes: false).detail[0])
        #expect(try long.browse("Tab G", resumes: false).detail.contains("An Author"))
        #expect(try long.browse("Tab G g g", resumes: false).detail[0] == top)
    }

    @Test func listsShowTheirCounts() throws {
        let terminal = try user.browse("t L")
        #expect(terminal.title.hasPrefix(" Lists"))
        #expect(terminal.row(2).contains("All books") && terminal.row(2).contains(" 3 │"))
        #expect(terminal.row(3).contains("Favourites") && terminal.row(3).contains(" 1 │"))
    }

    @Test func aListIsOpenedAndLeft() throws {
        #expect(try user.browse("t L j Enter").hasTitle(" Favourites (1)"))
        #expect(try user.browse("h l").hasTitle(" Favourites (1)"))
        let lists = try user.browse("L Enter h")
        #expect(lists.title.hasPrefix(" Lists") && lists.selection == "★ Favourites")
    }

    @Test func aListKeepsItsPosition() throws {
        #expect(try user.browse("j j L Enter").status == "3/3")
    }

    @Test func anEmptyListSaysHowToFillIt() throws {
        let terminal = try user.browse("L j Enter")
        #expect(terminal.row(2).contains("No favourites yet. Press t on a book to add it"))
        #expect(terminal.status == "0/0")
        // An empty list: the commands have no effect and do no harm.
        #expect(try user.browse("L j Enter t j G Enter J 5 k PgDn z z").status.hasPrefix("0/0"))
    }

    @Test func anEmptyCatalogIsAScreen() throws {
        let terminal = try User(books: []).browse("t j k G Enter J R")
        #expect(terminal.row(2).contains("This catalog has no books."))
    }

    @Test func helpShowsTheKeysAndIsClosed() throws {
        #expect(try user.browse("?", rows: 150).text.contains("Add to or remove from favourites"))
        for closing in ["q", "Esc", "?", "h", "^c"] {
            #expect(try user.browse("? \(closing)").title.hasPrefix(" All books"), "\(closing)")
        }
    }

    @Test func keysThatActOnBooksDoNothingInHelp() throws {
        let terminal = try user.browse("? t Tab R Esc")
        #expect(terminal.selection == "The Stand")
        #expect(terminal.hints.hasPrefix(" Enter open"))
    }

    @Test func helpScrollsAndSaysWhereItIs() throws {
        #expect(try user.browse("?", rows: 200).status == "")
        // The number of lines changes with each new command.
        let count = try #require(try user.browse("?", rows: 13).status.split(separator: "/").last.flatMap { Int($0) })
        #expect(count > Command.allCases.count)
        #expect(try user.browse("?", rows: 13).status == "1-10/\(count)")
        #expect(try user.browse("? J j", rows: 13).status == "3-12/\(count)")
        #expect(try user.browse("? G", rows: 13).status == "\(count - 9)-\(count)/\(count)")
        #expect(try user.browse("? G Esc ?", rows: 13).status == "1-10/\(count)")
    }

    @Test func aKeyWithoutACommandSaysWhereHelpIs() throws {
        #expect(try user.browse("Z").status == "1/3  Z is not bound. Press ? for all keys")
    }

    @Test func theHintBarIsCondensedIfNecessary() throws {
        #expect(try user.browse(columns: 50).hints == " Enter open  L lists  t favourite  ? help  q quit")
    }

    @Test func aTitleWithNothingToSeeIsUntitled() throws {
        let unseen = User(books: [.make(title: "\u{200B}\u{200B}")])
        #expect(try unseen.browse().selection == "Untitled")
    }

    @Test func qQuitsAndSoDoesInterruptingTwice() throws {
        for keys in ["q", "Q", "^c ^c"] {
            let terminal = ScriptedTerminal(columns: 80, rows: 24, keys: keys)
            #expect(try user.browse(on: terminal) == .quit)
        }
        let once = ScriptedTerminal(columns: 80, rows: 24, keys: "^c j ^c")
        #expect(try user.browse(on: once) == .terminalGone)
        #expect(once.status.contains("Press ^c again to quit"))
    }

    @Test func signalsEndTheBrowserAndSaveThePosition() throws {
        let terminal = ScriptedTerminal(
            size: Size(rows: 24, columns: 80), steps: [.events([.key(.down)]), .events([.termination(signal: 15)])])
        #expect(try user.browse(on: terminal) == .signal(15))
        #expect(user.place?.row == 1)
    }

    @Test func pastedTextIsNotKeys() throws {
        let terminal = ScriptedTerminal(size: Size(rows: 24, columns: 80), steps: [.events([.paste("jjtq")])])
        #expect(try user.browse(on: terminal) == .terminalGone)
        #expect(terminal.selection == "The Stand")
    }

    @Test func suspensionAndRedrawReachTheTerminal() throws {
        let terminal = try user.browse("^z ^l")
        #expect(terminal.suspensionCount == 1)
        #expect(terminal.repaintCount == 1)
        let asked = ScriptedTerminal(size: Size(rows: 24, columns: 80), steps: [.events([.suspendRequest])])
        _ = try user.browse(on: asked)
        #expect(asked.suspensionCount == 1)
    }

    @Test func theLayoutFollowsTheWindow() throws {
        let terminal = ScriptedTerminal(
            size: Size(rows: 24, columns: 80),
            steps: [
                .resize(Size(rows: 20, columns: 70)), .resize(Size(rows: 15, columns: 50)), .events([.key(.enter)]),
                .resize(Size(rows: 4, columns: 19)), .events([.key(.escape)]), .resize(Size(rows: 24, columns: 80)),
            ])
        _ = try user.browse(on: terminal)
        let screens = terminal.screens.map(\.text)
        #expect(screens[0].contains("│"))
        #expect(screens[1].contains("───") && screens[1].contains(" pp "))
        #expect(screens[2].contains("Dispatches") && !screens[2].contains(" pp "))
        #expect(!screens[3].contains("Dispatches") && screens[3].contains(" pp "))
        #expect(screens[4].hasPrefix("Window too small"))
        #expect(screens[6] == screens[0])
    }

    @Test(.thorough) func everySizeIsDrawn() throws {
        for rows in 0...20 {
            for columns in 0...45 {
                let terminal = try user.browse("j Tab ? Esc L", columns: columns, rows: rows)
                #expect(terminal.screens.allSatisfy { $0.size == Size(rows: rows, columns: columns) })
            }
        }
    }

    @Test func noticesAreShownUntilTheNextKey() throws {
        #expect(try user.browse(notices: ["Mind the gap"]).status == "1/3  Mind the gap")
        #expect(try user.browse("j", notices: ["Mind the gap"]).status == "2/3")
    }
}
