import Foundation
import Shelves
import TerminalTesting
import Testing

@testable import Browser
@testable import Library
@testable import TerminalUI

/// Shelves are created, filled, renamed, moved and deleted, by one instance and by two.
@Suite("Shelves")
struct ShelfPickerTests {
    private let user = User(bookCount: 5)

    /// The names in the lists screen, starting with the user's first list.
    private func names(_ terminal: ScriptedTerminal) -> [String] {
        (9...20).map { String(terminal.row($0).prefix { $0 != "│" }) }.prefix { $0.contains { $0.isLetter } }
            .map { $0.trimmingCharacters(in: [" ", "▌", "▪"]).components(separatedBy: "  ")[0] }
            .filter { $0 != "SHELVES" }
    }

    // MARK: - Books

    @Test func bCreatesAShelfForTheBook() throws {
        let terminal = try user.browse("b " + typed("beach") + " Enter")
        #expect(terminal.status == "1/5  Added Book 1 to new shelf “beach”")
        #expect(terminal.detail.contains("YOU  Shelf: beach"))
        let shelf = try user.browse("L G Enter", resumes: false)
        #expect(shelf.hasTitle(" beach (1)"))
    }

    @Test func thePickerFiltersByWordsAndOffersANewShelfForUnusedNames() throws {
        try user.browse("b " + typed("beach reads") + " Enter b " + typed("winter") + " Enter")
        let all = try user.browse("b")
        let rows = all.popup("Add to a shelf").prefix(4).map { $0.components(separatedBy: "  ")[0] }
        #expect(
            rows
                == [">", "Shelf", "▌beach reads", "winter"])
        #expect(
            try user.browse("b " + typed("rea")).popup("Add to a shelf").contains { $0.hasPrefix("▌beach reads") })
        #expect(try user.browse("b " + typed("rea")).text.contains("New shelf: rea"))
        #expect(!(try user.browse("b " + typed("WINTER")).text.contains("New shelf")))
        // Two lists with the same name could not be distinguished.
        #expect(!(try user.browse("b " + typed("favourites")).text.contains("New shelf")))
        #expect(try user.browse("b " + typed("rea") + " Esc").popup("Add to a shelf").isEmpty)
    }

    @Test func sectionsAndFacetsUseTheUsersStatus() throws {
        let sections = try user.browse("j m r S r")
        #expect(sections.text.contains("Reading") && sections.status.hasPrefix("1/5"))
        // A change moves the book to another section at once.
        let changed = try user.browse("m d")
        #expect(!changed.text.contains("Reading  ") && changed.text.contains("Read  "))
        #expect(try user.browse("F G").text.contains("Read  "))
    }

    @Test func aBookIsAddedToTheCurrentShelf() throws {
        try user.browse("b a Enter b b Enter j")
        let terminal = try user.browse("j b Down Enter", resumes: false)
        #expect(terminal.status == "2/5  Added Book 2 to “b”")
        #expect(terminal.detail.contains("YOU  Shelf: b"))
    }

    @Test func aBookIsRemovedFromItsOnlyShelfAtOnceOrFromAChosenOne() throws {
        try user.browse("b a Enter")
        #expect(try user.browse("B").status == "1/5  Removed Book 1 from “a”")
        try user.browse("b a Enter b b Enter b c Enter")
        let choice = try user.browse("B")
        #expect(choice.popup("Remove from a shelf").count > 3)
        #expect(try user.browse("B b Enter").status == "1/5  Removed Book 1 from “b”")
        #expect(try user.browse().detail.contains("YOU  Shelves: a, c"))
        #expect(try user.browse("B").popup("Remove from a shelf").allSatisfy { !$0.contains("b") })
    }

    @Test func removingABookFromNoShelfIsReported() throws {
        #expect(try user.browse("B").status == "1/5  This book is on no shelf")
        #expect(try user.browse("Space Space B").status.hasSuffix("These books are on no shelf"))
    }

    @Test func selectedBooksAreRemovedTogether() throws {
        try user.browse("Space Space b a Enter")
        let terminal = try user.browse("V B", resumes: false)
        #expect(terminal.status.hasSuffix("Removed 5 books from “a”"))
        #expect(user.saved.isEmpty)
    }

    // MARK: - The lists screen

    @Test func aShelfIsCreatedRenamedMovedAndDeleted() throws {
        let made = try user.browse("L + " + typed(" beach  reads ") + " Enter + b Enter + c Enter")
        #expect(names(made) == ["beach reads", "b", "c"])
        #expect(made.selection == "▪ c")
        #expect(made.status == "10/10  New shelf: c")
        #expect(names(try user.browse("L K")) == ["beach reads", "c", "b"])
        let top = try user.browse("L 5 K", resumes: false)
        #expect(names(top) == ["beach reads", "c", "b"])
        let moved = try user.browse("L G 5 K", resumes: false)
        #expect(names(moved) == ["b", "beach reads", "c"] && moved.selection == "▪ b")
        #expect(names(try user.browse("L G 2 k J", resumes: false)) == ["beach reads", "b", "c"])
        let renamed = try user.browse("L G = " + typed(" d") + " Enter", resumes: false)
        #expect(names(renamed) == ["beach reads", "b", "c d"])
        #expect(renamed.status == "10/10  Renamed to “c d”")
        let question = try user.browse("L G D", resumes: false)
        #expect(question.status == "10/10  Delete shelf “c d” (0 books)? y delete, Esc keep")
        #expect(names(question).count == 3)
        let deleted = try user.browse("L G D y", resumes: false)
        #expect(names(deleted) == ["beach reads", "b"])
        #expect(deleted.status == "9/9  Deleted “c d”. u restores it")
        #expect(names(try user.browse("L u", resumes: false)) == ["beach reads", "b", "c d"])
    }

    @Test(arguments: ["D", "n", "Esc", "Enter", "Space", "u", "q", "Y"])
    func anyOtherKeyKeepsTheShelf(key: String) throws {
        try user.browse("b a Enter")
        let terminal = try user.browse("L G D " + key, resumes: false)
        #expect(terminal.status == "8/8  Kept “a”")
        #expect(user.saved.shelves.map(\.name) == ["a"])
    }

    @Test func pastedTextAndTheMouseKeepTheShelf() throws {
        try user.browse("b a Enter")
        for event in [Event.paste("y"), .mouse(Mouse(.press, at: Position(row: 3, column: 5), time: 0))] {
            try user.browse(
                steps: ScriptedTerminal.Step.keys("L G D") + [.events([event])] + ScriptedTerminal.Step.keys("j"),
                resumes: false)
            #expect(user.saved.shelves.map(\.name) == ["a"])
        }
    }

    @Test(arguments: [
        ("a", "“a” already exists. Choose another name"),
        ("A", "“a” already exists. Choose another name"),
        (" a ", "“a” already exists. Choose another name"),
        ("to  read", "“To read” already exists. Choose another name"),
        ("", "A name needs at least one letter"), ("  ", "A name needs at least one letter"),
    ])
    func aTakenOrBlankNameIsReportedAndCanBeChanged(name: String, sentence: String) throws {
        try user.browse("b a Enter b b Enter")
        let terminal = try user.browse("L + " + typed(name) + " Enter", resumes: false)
        #expect(terminal.row(-2).hasPrefix(" Name of the new shelf: " + name))
        #expect(terminal.row(-1).hasPrefix(" " + sentence))
        let renaming = try user.browse("L G = ^u " + typed(name) + " Enter", resumes: false)
        #expect(renaming.row(-1).hasPrefix(" " + sentence))
        #expect(user.saved.shelves.map(\.name) == ["a", "b"])
    }

    @Test func aShelfNameMayChangeCase() throws {
        try user.browse("b " + typed("beach") + " Enter")
        let terminal = try user.browse("L G = ^u " + typed("Beach") + " Enter", resumes: false)
        #expect(terminal.status == "8/8  Renamed to “Beach”")
    }

    @Test func builtInListsCannotBeChanged() throws {
        for key in ["=", "D"] {
            let terminal = try user.browse("L j " + key, resumes: false)
            #expect(terminal.status == "2/7  Built-in lists cannot be renamed, moved or deleted")
            #expect(terminal.isCursorShown == false)
        }
    }

    @Test func escapeClosesAnInputDialog() throws {
        #expect(try user.browse("+ a Esc").status == "1/5")
        #expect(user.saved.shelves.isEmpty)
        #expect(try user.browse("+ a ^c").status == "1/5  Press ^c again to quit")
    }

    @Test func aShelfIsCreatedFromTheListToo() throws {
        #expect(try user.browse("j + a Enter").status == "2/5  New shelf: a")
    }

    // MARK: - The open list

    @Test func renamingTheOpenShelfChangesTheTitle() throws {
        try user.browse("b a Enter")
        let terminal = try user.browse("L G Enter L = ^u n Enter Enter", resumes: false)
        #expect(terminal.hasTitle(" n (1)"))
        // Going back to the shelf shows the new name too.
        let back = try user.browse("L G Enter / B o o k Enter a a L G = ^u m Enter ^o ^o", resumes: false)
        #expect(back.title.hasPrefix(" m  ⟂ Book"))
    }

    @Test func deletingTheOpenShelfShowsTheListsScreen() throws {
        try user.browse("b a Enter b b Enter b c Enter")
        let terminal = try user.browse("L G k Enter L D y", resumes: false)
        #expect(terminal.title.hasPrefix(" Lists"))
        #expect(names(terminal) == ["a", "c"])
        #expect(terminal.selection == "▪ c")
        // No history entry leads back to it.
        let back = try user.browse("L G Enter / B Enter a a L G D y ^o", resumes: false)
        #expect(!back.title.contains("c ("))
    }

    @Test func deletingAListInTheListsPaneShowsTheNext() throws {
        try user.browse("b a Enter b b Enter")
        let terminal = try user.browse("L G k D y", columns: 150, resumes: false)
        #expect(terminal.title.hasPrefix(" Lists"))
        #expect(terminal.status.hasPrefix("8/8  Deleted “a”"))
    }

    /// Two users of one home; the second one acts between two keys of the first.
    private func browse(
        _ before: String, while other: String, then after: String = "5", resumes: Bool = false
    ) throws -> ScriptedTerminal {
        let terminal = InterruptedTerminal(
            size: Size(rows: 24, columns: 100), keys: before, then: after
        ) { [user] in
            _ = try user.browse(other, resumes: false)
        }
        _ = user.makeApp(resumes: resumes).run(on: terminal)
        #expect(terminal.problem == nil)
        return terminal.screens
    }

    @Test func changesOfAnotherInstanceAppearAtTheNextKey() throws {
        let list = try browse("j", while: "t")
        #expect(list.row(2).hasPrefix(" ★ Book 1"))
        let lists = try browse("L", while: "b a Enter")
        #expect(names(lists) == ["a"])
    }

    @Test func anOpenShelfDeletedByAnotherInstanceIsReportedAndClosed() throws {
        try user.browse("j b a Enter")
        let terminal = try browse("L G Enter", while: "L G D y")
        #expect(terminal.hasTitle(" All books (5)"))
        #expect(terminal.status.hasPrefix("1/5  “a” was deleted in another window"))
        let renamed = try {
            try user.browse("u", resumes: false)
            return try browse("L G Enter", while: "L G = z Enter")
        }()
        #expect(renamed.hasTitle(" az (1)"))
    }

    @Test func theCurrentBookStaysCurrentWhenAnotherInstanceAddsBooks() throws {
        try user.browse("j j t j t")
        let terminal = try browse("L j Enter j", while: "t")
        #expect(terminal.hasTitle(" Favourites (3)"))
        #expect(terminal.selection == "★ Book 4")
    }

    @Test func thePickerDoesNotAffectAnotherBookInTheSameRow() throws {
        try user.browse("t j t")
        let terminal = try browse("L j Enter b a", while: "t", then: "b Enter")
        #expect(terminal.status.contains("Nothing changed"))
        #expect(user.saved.books.values.allSatisfy { $0.shelves.isEmpty })
    }

    @Test func renamingADeletedShelfIsNotReportedAsDone() throws {
        try user.browse("b a Enter")
        let terminal = try browse("L G =", while: "L G D y", then: "b Enter")
        #expect(terminal.status.hasSuffix("“a” has been deleted"))
        #expect(user.saved.shelves.isEmpty)
    }

    // MARK: - Resume

    @Test func theOpenShelfIsResumedByItsIdAfterMoving() throws {
        try user.browse("j b a Enter j b b Enter L G Enter")
        #expect(user.place?.lastViewedListIndex == 8)
        try user.browse("L K", resumes: true)
        let place = try #require(user.place)
        #expect(place.lastViewedListIndex == -1)
        try user.browse("L G k Enter", resumes: false)
        try user.browse("L G k J", resumes: false)
        try user.remember(Preferences.Place(lastViewedListIndex: 6, list: "shelf:s1", row: 0, scrollOffset: 0))
        #expect(try user.browse().hasTitle(" a (1)"))
    }

    @Test func aDeletedShelfIsResumedAsTheListAtItsIndex() throws {
        try user.browse("b a Enter j b b Enter L G k Enter")
        let kept = user.saved
        try kept.deleteShelf(try #require(kept.shelves.first?.id))
        let terminal = try user.browse()
        #expect(terminal.hasTitle(" b (1)"))
    }

    // MARK: - Mouse, narration, small windows

    @Test func aClickSelectsInThePickerAndADoubleClickPicks() throws {
        try user.browse("j b a Enter b b Enter k")
        let open = ScriptedTerminal.Step.keys("b")
        let popup = try user.browse("b", resumes: false)
        let rows = popup.text.split(separator: "\n", omittingEmptySubsequences: false)
        let row = try #require(rows.firstIndex { $0.contains("│  b  ") || $0.contains("│ b ") || $0.contains(" b   ") })
        let column = 35
        let one = try user.browse(steps: open + [.click(row: row, column: column)], resumes: false)
        #expect(one.popup("Add to a shelf").contains { $0.hasPrefix("▌b") })
        let two = try user.browse(
            steps: open + [.click(row: row, column: column, time: 1), .click(row: row, column: column, time: 99)],
            resumes: false)
        #expect(two.status == "1/5  Added Book 1 to “b”")
    }

    @Test func thePickerAndInputDialogsAreAnnounced() throws {
        let prompt = try user.narrate("+ a b Enter", resumes: false).answers
        #expect(
            prompt.suffix(4).map { $0.first ?? "" } == [
                "Name of the new shelf: ", "Name of the new shelf: a", "Name of the new shelf: ab",
                "All books (5)",
            ])
        #expect(prompt.last?.last == "New shelf: ab")
        let picker = try user.narrate("b", resumes: false).answer
        #expect(picker.contains("Add to a shelf") && picker.last == "ab, 0, 1 of 1")
        let question = try user.narrate("L G D", resumes: false).answer
        #expect(question == ["Delete shelf “ab” (0 books)? y delete, Esc keep"])
        #expect(try user.narrate("r (pause)", resumes: false).answer.contains("3: ★★★☆☆"))
    }

    @Test(arguments: [(20, 5), (25, 8), (40, 10)])
    func inputDialogsAndThePickerFitSmallWindows(columns: Int, rows: Int) throws {
        let prompt = try user.browse("L + a b", columns: columns, rows: rows, resumes: false)
        #expect(prompt.row(-2).contains("ab"))
        let made = try user.browse("b x y Enter", columns: columns, rows: rows, resumes: false)
        #expect(made.status.hasPrefix("1/5  Added"))
    }
}

/// A terminal that runs an action between two keys.
private final class InterruptedTerminal: Terminal {
    let screens: ScriptedTerminal
    private(set) var problem: (any Error)?
    private var keysBefore: Int
    private let other: () throws -> Void

    init(size: Size, keys: String, then rest: String, _ other: @escaping () throws -> Void) {
        let before = ScriptedTerminal.Step.keys(keys)
        screens = ScriptedTerminal(size: size, steps: before + ScriptedTerminal.Step.keys(rest))
        keysBefore = before.count
        self.other = other
    }

    var size: Size { screens.size }
    var wakeUp: @Sendable () -> Void { {} }
    func show(_ canvas: Canvas, cursor: Position, isTyping: Bool) {
        screens.show(canvas, cursor: cursor, isTyping: isTyping)
    }
    func repaint() {}
    func use(_ theme: Theme) {}
    let pictures = PictureSupport.none
    func useMouse(_ isOn: Bool) {}
    func copy(_ text: String) -> Bool { true }
    func withTerminalReleased(_ body: () -> Void) { body() }
    func suspend() {}

    func waitForEvents(milliseconds: Int?) -> [Event] {
        if milliseconds == 0 { return screens.waitForEvents(milliseconds: milliseconds) }
        if keysBefore == 0 {
            do { try other() } catch { problem = error }
        }
        keysBefore -= 1
        return screens.waitForEvents(milliseconds: milliseconds)
    }
}
