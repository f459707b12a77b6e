import TerminalTesting
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
        #expect(try hints("L") == " Enter open   + new shelf   x export   ? help   q quit")
        try user.browse("+ a Enter")
        #expect(try hints("L G") == " Enter open   + new shelf   = rename   D delete   ? help   q quit")
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
        #expect(try hints("L") == " Enter open   + new shelf   ? help   q quit")
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
        #expect(try hints("t U") == " Enter go back here   u undo   Esc close")
        #expect(try hints("t j t u U") == " Enter go back here   u undo   ^r redo   Esc close")
    }

    @Test func scrollingIsOfferedOnlyIfNeeded() throws {
        #expect(try hints("Enter").hasPrefix(" h back"))
        user.books[0].description = String(repeating: "words and more ", count: 300)
        #expect(try hints("Enter").hasPrefix(" j down   h back"))
    }

    @Test(arguments: ["L", "F", "?", "U", "%"], ["s", "S", "m", "a", "y", "r"])
    func bookCommandsAreNotOfferedElsewhere(screen: String, key: String) throws {
        let terminal = try user.browse("t \(screen) \(key) (pause)", resumes: false)
        #expect(terminal.pauses == [nil])
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
