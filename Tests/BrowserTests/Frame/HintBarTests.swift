import Editing
import TerminalTesting
import TerminalUI
import Testing

@testable import Books
@testable import Browser

/// The hint bar shows the keys that work on the current screen.
@Suite("Hint bar") struct HintBarTests {
    private let user = User(bookCount: 3)

    private func hints(_ keys: String, columns: Int = 100) throws -> String {
        try user.browse(keys, columns: columns, resumes: false).hints
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
        #expect(try hints("t L j Enter t") == " u undo   L lists   ? help   q quit")
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
        #expect(try hints("") == " ? help   q quit")
        #expect(try hints("L") == " Enter open   + new shelf   ? help   q close")
        let source = changingSource([.success([]), .success([])])
        #expect(try user.browse("R", source: source, resumes: false).hints == " ? help   R reload   q quit")
    }

    @Test func screensWithoutRowsOfferNoRowCommands() throws {
        #expect(try hints("F / x y z z y Enter") == " / filter   Esc close")
        #expect(try hints("U") == " Esc close")
        user.books = []
        #expect(try hints("F") == " Esc close")
        #expect(try hints("%") == " Esc close")
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
        #expect(try hints("Enter", columns: 120).hasPrefix(" MOVE h back   FIND / f F   YOU"))
        user.books[0].description = String(repeating: "words and more ", count: 300)
        #expect(try hints("Enter", columns: 120).hasPrefix(" MOVE j k h back   FIND"))
    }

    @Test func groupsGiveWayToWhatIsOfferedNow() throws {
        #expect(try hints("t", columns: 120).hasPrefix(" u undo   MOVE j k   FIND / f F   YOU"))
        user.books.append(.make(title: "Another"))
        // With the keys of a file that can be edited, the first groups do not fit beside the offer.
        let path = try user.writeCatalog()
        let terminal = try user.browse(
            "S t t", columns: 110, source: user.edited(path), resumes: false)
        #expect(terminal.hints.hasPrefix(" u undo   FIND / f F   YOU"))
        let edited = try user.browse("Space t", columns: 110, source: user.edited(path), resumes: false)
        #expect(edited.hints.hasPrefix(" u undo   VIEW s sort"), "\(edited.hints)")
        #expect(edited.hints.hasSuffix("EDIT E edit X delete   : command   ? help"))
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
        #expect(try hints("", columns: 120).hasPrefix(" MOVE j k   FIND F5 f F   YOU *★ m◐ r☆ b shelf   VIEW"))
    }

    @Test func aClickOnAHintOfAGroupGivesItsCommand() throws {
        let row = Array(try hints("", columns: 120))
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
        #expect(try hints("Enter").hasPrefix(" h back"))
        user.books[0].description = String(repeating: "words and more ", count: 300)
        #expect(try hints("Enter").hasPrefix(" j down   h back"))
    }

    @Test(arguments: ["L", "F", "?", "U", "%"], ["s", "S", "m", "a", "y", "r"])
    func bookCommandsAreNotOfferedElsewhere(screen: String, key: String) throws {
        let terminal = try user.browse("t \(screen) \(key) (pause)", resumes: false)
        #expect(!terminal.pauses.contains(300))
        #expect(terminal.status.hasSuffix("\(key) does nothing here. Press ? for all keys"))
    }

    @Test func prefixKeysOfferOnlyApplicableCommands() throws {
        #expect(try user.browse("F g (pause)", resumes: false).popup("g") == ["g  Top"])
        #expect(try user.browse("L ' (pause)", resumes: false).popup("'") != [])
    }

    @Test func anInapplicableCommandOfThePaletteIsReported() throws {
        let terminal = try user.browse("L : " + typed("sort by title") + " Enter", resumes: false)
        #expect(terminal.status.hasSuffix("“Sort by title” is not available here"))
        #expect(try user.browse("L : r a t e Enter 4", resumes: false).popup("0 to 5") == [])
    }
}
