import Editing
import TerminalTesting
import TerminalUI
import Testing

@testable import Books
@testable import Browser

/// The hint bar shows the keys that work on the current screen.
@Suite("Hint bar") struct HintBarTests {
    private let user = User(bookCount: 3)

    /// The hints with at most three blanks between them.
    private func hints(_ keys: String, columns: Int = 100) throws -> String {
        try user.browse(keys, columns: columns, resumes: false).hints.replacing(#/ {4,}/#, with: "   ")
    }

    /// The column of a hint; nil if it is not shown.
    private func column(of hint: String, in terminal: ScriptedTerminal) -> Int? {
        let row = Array(" " + terminal.hints + " ")
        return (0..<row.count).first { row[$0...].starts(with: " \(hint) ") }
    }

    @Test func theSearchBarHasItsKeys() throws {
        #expect(try hints("/ b o o k") == " Enter keep   ↓ ↑ move   Esc cancel")
        #expect(try hints("/ a u t") == " Enter keep   Tab complete   ↓ ↑ move   Esc cancel")
        #expect(try hints("/ b o k o") == " Enter keep   Tab accept   Esc cancel")
        #expect(try hints("/ b o k o", columns: 50).contains("Esc cancel"))
    }

    @Test func otherInputDialogsHaveTheirKeys() throws {
        #expect(try hints("+") == " Enter create   Esc cancel")
        #expect(try hints("b x") == " Enter add   Esc close")
        #expect(try hints(": q u i t").hasPrefix(" Enter run"))
        #expect(try hints(": x y z z y") == " Esc close")
        #expect(try hints("? /") == " Enter keep   ↓ ↑ move   Esc show all")
        #expect(try hints("/ b Enter W") == " Enter save   Esc cancel")
    }

    @Test func onlyUserListsCanBeRenamedAndDeleted() throws {
        #expect(try hints("L") == " Enter open   + new shelf   x export   ? help   q close")
        try user.browse("+ a Enter")
        #expect(try hints("L G") == " Enter open   + new shelf   = rename   D delete   ? help   q close")
        #expect(try hints("L G D") == " y delete   Esc keep")
    }

    @Test(arguments: ["L j Enter", "L j j Enter", "+ n e w Enter L G Enter"])
    func anEmptyListOffersOtherLists(keys: String) throws {
        #expect(try hints(keys) == " L lists   ? help   q quit")
    }

    @Test func anEmptiedListOffersUndo() throws {
        #expect(try hints("t L j Enter t") == " L lists   u undo   ? help   q quit")
    }

    @Test func anEmptySavedSearchOffersOtherLists() throws {
        #expect(try hints("/ x y z z y Enter W Enter Esc L G Enter") == " L lists   ? help   q quit")
    }

    @Test func aSearchThatFindsNothingCanBeChangedAndCleared() throws {
        #expect(try hints("/ x y z z y Enter") == " / search   Esc clear search   ? help   q quit")
        #expect(try hints("/ x y z z y Enter", columns: 50) == " / search   Esc clear search   ? help   q quit")
        #expect(try hints("/ b o o k Enter").contains("Esc") == false)
    }

    @Test func anEmptyCatalogOffersNoSearchAndNoLists() throws {
        user.books = []
        #expect(try hints("").drop { $0 == " " } == "? help   q quit")
        #expect(try hints("L") == " Enter open   + new shelf   ? help   q close")
        let source = changingSource([.success([]), .success([])])
        #expect(try user.browse("R", source: source, resumes: false).hints.hasPrefix(" R reload   "))
    }

    @Test func screensWithoutRowsOfferNoRowCommands() throws {
        #expect(try hints("F / x y z z y Enter") == " / filter   Esc close")
        #expect(try hints("U") == " Esc close")
        user.books = []
        #expect(try hints("F") == " Esc close")
        #expect(try hints("%") == " E goal   Esc close")
    }

    @Test func theExportDialogExplainsTab() throws {
        #expect(try hints("x") == " Enter export   Tab leave out your data   Esc cancel")
        #expect(try hints("x Tab") == " Enter export   Tab include your data   Esc cancel")
        #expect(try hints("x ^u") == " Esc cancel")
    }

    @Test func theHistoryHasItsKeys() throws {
        #expect(try hints("t U") == " Enter undo to here   u undo   / filter   Esc close")
        #expect(try hints("t j t u U") == " Enter undo to here   u undo   ^r redo   / filter   Esc close")
    }

    @Test func aWideWindowHasHintsInGroups() throws {
        #expect(
            try hints("", columns: 110)
                == " MOVE j k   FIND / f F   YOU t★ m◐ r☆ b shelf e note   VIEW s sort S group c cards   : command   ? help"
        )
        #expect(try hints("", columns: 109).hasPrefix(" Enter open   L lists"))
        // Sections can be moved between if there are some.
        #expect(try hints("/ b Enter S t j", columns: 120).hasPrefix(" MOVE j k   FIND"))
        user.books.append(.make(title: "Another"))
        #expect(try hints("S t j", columns: 120).hasPrefix(" MOVE j k ] [   FIND"))
    }

    @Test func theGroupsOfTheDetailAreItsOwn() throws {
        #expect(
            try hints("Enter", columns: 120).hasPrefix(" MOVE h back Tab next name Enter follow   FIND / f F   YOU"))
        user.books[0].description = String(repeating: "words and more ", count: 300)
        #expect(try hints("Enter", columns: 120).hasPrefix(" MOVE j k h back Tab next name Enter follow   FIND"))
    }

    @Test func aWindowWithRoomHasWordsInPlaceOfSigns() throws {
        let words = "YOU t favourite m status r rate b shelf e note"
        #expect(try hints("", columns: 125).contains(words))
        #expect(try hints("", columns: 120).contains("YOU t★ m◐ r☆ b shelf e note"))
    }

    @Test(arguments: [50, 80, 100, 110, 120, 160])
    func noHintMovesWhateverIsOffered(columns: Int) throws {
        let source = { try self.user.edited(self.user.writeCatalog()) }
        let keys = ["", "t", "t u", "t u ^r", "Space", "Space E ^e t i t l e Enter"]
        var columnsOfHints: [String: Set<Int>] = [:]
        for keys in keys {
            let terminal = try user.browse(keys, columns: columns, source: source(), resumes: false)
            for hint in ["Enter open", "L lists", "/ search", "? help", "q quit", "u undo", "MOVE", "YOU", ": command"]
            {
                if let column = column(of: hint, in: terminal) { columnsOfHints[hint, default: []].insert(column) }
            }
        }
        #expect(columnsOfHints.values.allSatisfy { $0.count == 1 }, "\(columnsOfHints)")
        #expect(columnsOfHints["? help"] != nil && columnsOfHints["u undo"] != nil)
    }

    @Test func redoIsOfferedAfterUndo() throws {
        #expect(try hints("t", columns: 120).contains("   u undo   : command"))
        #expect(try hints("t u", columns: 120).contains("   ^r redo   : command"))
        #expect(try hints("t u ^r", columns: 120).contains("   u undo   : command"))
        #expect(try !hints("t u j", columns: 120).contains("redo"))
        // Nothing was undone.
        #expect(try !User(bookCount: 1).browse("u", columns: 120).hints.contains("redo"))
    }

    @Test func theLastHintsGiveWayToWhatIsOfferedNow() throws {
        #expect(try hints("t", columns: 110).hasPrefix(" MOVE j k   FIND / f F   YOU t★ m◐ r☆ b shelf e note   u undo"))
        #expect(
            try hints("t", columns: 80) == " Enter open   L lists   t favourite   / search   u undo   ? help   q quit")
        #expect(try hints("t", columns: 50) == " Enter open  L lists   u undo   ? help  q quit")
        let path = try user.writeCatalog()
        let edited = try user.browse("Space", columns: 120, source: user.edited(path), resumes: false)
        #expect(edited.hints.hasPrefix(" MOVE j k   FIND / f F   YOU t★ m◐ r☆"), "\(edited.hints)")
        #expect(edited.hints.contains("E edit  X delete"), "\(edited.hints)")
    }

    @Test func otherPanesAndEmptyListsHaveNoGroups() throws {
        for (keys, start) in [
            ("L", " Enter open   + new shelf"), ("L j Enter", " L lists   ? help"), ("/ x y z z y Enter", " / search"),
            ("/", " Enter keep"), (":", " Enter run"), ("U", " Esc close"), ("F", " Enter keep filter"),
        ] { #expect(try hints(keys, columns: 120).hasPrefix(start), "\(keys)") }
    }

    @Test func groupsShowTheBoundKeysOnly() throws {
        var bindings = KeyBindings.standard
        bindings.unbind([.character("t")])
        bindings.unbind([.character("e")])
        bindings.bind([.function(5)], to: .search)
        bindings.unbind([.character("/")])
        user.settings.keys = bindings
        #expect(
            try hints("", columns: 120).hasPrefix(
                " MOVE j k   FIND F5 f F   YOU * favourite m status r rate b shelf   VIEW"))
    }

    @Test func aClickOnAHintOfAGroupGivesItsCommand() throws {
        let row = Array(try user.browse(columns: 120, resumes: false).hints)
        func click(_ text: String) throws -> ScriptedTerminal {
            let column = try #require((0..<row.count).first { row[$0...].starts(with: text) })
            return try user.browse(
                steps: [.click(row: 23, column: column)], columns: 120, resumes: false)
        }
        #expect(try click("? help").title.hasPrefix(" Help"))
        #expect(try click("t★").status.hasPrefix("1/3  ★ Favourite"))
        #expect(try click("F   ").text.contains("▌[ ] An Author"))
        #expect(try click("s sort").text.contains("Sort by title"))
        #expect(try click("m◐").text.contains("Abandoned"))
        // A label is no command.
        #expect(try click("VIEW").status == "1/3")
    }

    @Test func scrollingIsOfferedOnlyIfNeeded() throws {
        #expect(try hints("Enter").hasPrefix(" Tab next name   Enter follow   h back"))
        user.books[0].description = String(repeating: "words and more ", count: 300)
        #expect(try hints("Enter").hasPrefix(" j down   Tab next name   Enter follow"))
    }

    @Test(arguments: ["L", "F", "?", "U", "%"], ["s", "S", "m", "a", "y", "r"])
    func bookCommandsAreNotOfferedElsewhere(screen: String, key: String) throws {
        let terminal = try user.browse("t \(screen) \(key) (pause)", resumes: false)
        #expect(!terminal.pauses.contains(300))
        #expect(terminal.status.hasSuffix("\(key) does nothing here. Press ? for all keys"))
    }

    @Test func prefixKeysOfferOnlyApplicableCommands() throws {
        let keys = try user.browse("F g (pause)", resumes: false).popup("g").joined(separator: " ")
        #expect(keys.contains("g  Top") && keys.contains("V  Values") && !keys.contains("Go "), "\(keys)")
        #expect(try user.browse("L ' (pause)", resumes: false).popup("'") != [])
    }

    @Test func anInapplicableCommandOfThePaletteIsReported() throws {
        let terminal = try user.browse("L : " + typed("sort by title") + " Enter", resumes: false)
        #expect(terminal.status.hasSuffix("“Sort by title” is not available here"))
        #expect(try user.browse("L : r a t e Enter 4", resumes: false).popup("0 to 5") == [])
    }
}
