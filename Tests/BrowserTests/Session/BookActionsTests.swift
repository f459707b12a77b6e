import Foundation
import Shelves
import TerminalTesting
import Testing

@testable import Books
@testable import Browser

/// Status, rating and note, from the key to the disk.
@Suite("Status, rating and note")
struct BookActionsTests {
    private let user = User(bookCount: 5)

    /// User data on two books that are then replaced by others, so that the first ones are missing from the catalog.
    private func readerOfMissing(_ keys: String = "t j t") throws -> User {
        let user = User(bookCount: 2)
        try user.browse(keys)
        user.books[0] = .make(title: "Another", authors: ["Somebody"])
        return user
    }

    // MARK: - Status

    @Test func aKeyPressedAgainDoesNotRemoveAReadingThatTookLonger() throws {
        try user.browse("m R " + typed("2024") + " Enter")
        let again = try user.browse("m r", resumes: false)
        #expect(again.status == "1/5  Reading already: Book 1. Press mR for another day")
        #expect(again.detail.contains { $0.hasPrefix("YOU  ◐ Reading since 2024") })
        try user.browse("m d", resumes: false)
        let read = try user.browse("m d", resumes: false)
        #expect(read.status == "1/5  Read already: Book 1. Press mr to read it again, mD for another day")
        #expect(try user.browse("m n", resumes: false).status == "1/5  Status cleared: Book 1")
    }

    @Test(arguments: [
        ("m t", "To read", "○"), ("m r", "Reading", "◐"), ("m d", "Read", "●"), ("m x", "Abandoned", "✕"),
    ])
    func aStatusIsReportedShownWithItsDateAndListed(keys: String, name: String, glyph: String) throws {
        let terminal = try user.browse("j " + keys)
        #expect(terminal.status == "2/5  \(name): Book 2")
        let since = ["○", "◐"].contains(glyph) ? " since" : ""
        #expect(
            terminal.detail.contains { $0.hasPrefix("YOU  \(glyph) \(name)\(since) today") }, "\(terminal.detail)")
        let lists = try user.browse("L", columns: 80, resumes: false)
        let counts = (2...7).map {
            lists.row($0).prefix { $0 != "│" }.split(separator: " ").last.map(String.init) ?? ""
        }
        let row = try #require(
            ["All books", "Favourites", "To read", "Reading", "Read", "Abandoned"].firstIndex(of: name))
        #expect(counts == (0...5).map { $0 == 0 ? "5" : $0 == row ? "1" : "0" })
    }

    @Test func theSameStatusAgainRemovesIt() throws {
        let terminal = try user.browse("m r m r")
        #expect(terminal.status == "1/5  Status cleared: Book 1")
        #expect(!terminal.detail.contains { $0.hasPrefix("YOU") })
    }

    @Test func anotherStatusMovesTheBookToItsList() throws {
        let terminal = try user.browse("m t j m t k m r L j j Enter")
        #expect(terminal.hasTitle(" To read (1)"))
        #expect(terminal.selection == "○ Book 2")
        #expect(try user.browse("L j j j Enter", resumes: false).selection == "◐ Book 1")
    }

    @Test func clearingRemovesTheStatus() throws {
        #expect(try user.browse("m d m n").status == "1/5  Status cleared: Book 1")
        #expect(user.saved.isEmpty)
    }

    // MARK: - Rating

    @Test func aRatingIsReportedAndShownAsStars() throws {
        let terminal = try user.browse("r 3")
        #expect(terminal.status == "1/5  ★★★☆☆: Book 1")
        #expect(terminal.detail.contains("YOU  My rating ★★★☆☆"))
        #expect(try user.browse("r 5", resumes: false).detail.contains("YOU  My rating ★★★★★"))
    }

    @Test func zeroRemovesTheRating() throws {
        let terminal = try user.browse("r 4 r 0")
        #expect(terminal.status == "1/5  Rating removed: Book 1")
        #expect(!terminal.detail.contains { $0.contains("My rating") })
        #expect(user.saved.isEmpty)
    }

    @Test func otherKeysSetNoRating() throws {
        try user.browse("r 6 r Esc r x")
        #expect(user.saved.isEmpty)
    }

    @Test func theRatingKeysAreShownAfterAPause() throws {
        let terminal = try user.browse("r (pause)")
        #expect(terminal.text.contains("remove rating"))
        #expect(terminal.text.contains("★★★★☆"))
    }

    // MARK: - Notes

    @Test func aNoteIsWrittenShownAndEditedAgain() throws {
        user.writeNote = { _ in .text("Lent to Anna.\n\nNot yet back.\n") }
        let terminal = try user.browse("e")
        #expect(terminal.status == "1/5  Note saved: Book 1")
        let detail = terminal.detail
        let start = try #require(detail.firstIndex(of: "YOU  Note: Lent to Anna."))
        // The user's blank line is kept.
        #expect(Array(detail[start...].prefix(4)) == ["YOU  Note: Lent to Anna.", "", "Not yet back.", ""])
        try user.browse("e")
        #expect(user.givenNotes.map(\.note) == ["", "Lent to Anna.\n\nNot yet back."])
        #expect(user.givenNotes.map(\.title) == ["Book 1", "Book 1"])
    }

    @Test func anEmptyNoteIsDeleted() throws {
        user.writeNote = { _ in .text("x") }
        try user.browse("e")
        user.writeNote = { _ in .text(" \n\n") }
        let terminal = try user.browse("e")
        #expect(terminal.status == "1/5  Note deleted: Book 1")
        #expect(user.saved.isEmpty)
    }

    @Test func anUnchangedNoteChangesNothing() throws {
        try user.browse("e")
        #expect(try user.saved.history(limit: 10).isEmpty)
    }

    @Test func anEditorFailureIsReported() throws {
        user.writeNote = { _ in .problem("The note stays as it was: no editor") }
        #expect(try user.browse("e").status == "1/5  The note stays as it was: no editor")
    }

    @Test func notesTakeOneBookAtATime() throws {
        user.writeNote = { _ in .text("x") }
        #expect(try user.browse("Space Space e").status.hasSuffix("Notes take one book at a time; 2 are selected"))
        #expect(user.saved.isEmpty)
    }

    // MARK: - Marked rows

    @Test(arguments: [
        ("m t", "To read: 2 books"), ("r 2", "★★☆☆☆: 2 books"), ("t", "★ Favourite: 2 books"),
        ("b w Enter", "Added 2 books to new shelf “w”"),
    ])
    func commandsApplyToSelectedRowsAsOneStep(keys: String, message: String) throws {
        let terminal = try user.browse("Space j Space " + keys)
        #expect(terminal.status.hasSuffix(message))
        #expect(Set(user.saved.books.values.map(\.title)) == ["Book 1", "Book 3"])
        try user.browse("u")
        #expect(user.saved.isEmpty)
    }

    @Test func aStatusThatSomeSelectedBooksHaveIsGivenToAll() throws {
        let terminal = try user.browse("m r Space Space m r")
        #expect(terminal.status.hasSuffix("Reading: 2 books"))
        #expect(user.saved.books.values.allSatisfy { $0.status == .reading })
        #expect(try user.browse("V m r").status.hasSuffix("Reading: 5 books"))
        #expect(try user.browse("V m r").status.hasSuffix("Status cleared: 5 books"))
    }

    // MARK: - Not in this catalog

    @Test func missingBooksAreListedLast() throws {
        let user = try readerOfMissing()
        let terminal = try user.browse("L j Enter j", resumes: false)
        #expect(terminal.hasTitle(" Favourites (1 +1)"))
        #expect(terminal.status == "+1/1 +1")
        #expect(terminal.text.contains("Not in this catalog"))
        #expect(terminal.selection == "★ Book 1")
        #expect(terminal.detail.contains("Not in this catalog"))
    }

    @Test func userDataCommandsWorkOnMissingBooks() throws {
        let user = try readerOfMissing()
        user.writeNote = { _ in .text("Where is it?") }
        let terminal = try user.browse("L j Enter j r 4 m d e b " + typed("lost") + " Enter", resumes: false)
        #expect(terminal.status == "+1/1 +1  Added Book 1 to new shelf “lost”")
        #expect(terminal.selection == "★ ● Book 1")
        #expect(
            terminal.detail.contains("My rating ★★★★☆   Shelf: lost") && terminal.detail.contains("Note: Where is it?"))
        #expect(terminal.detail.contains { $0.hasPrefix("YOU  ● Read today") })
        let none = try user.browse("L j Enter j B", resumes: false)
        #expect(none.status == "+1/1 +1  Removed Book 1 from “lost”")
        #expect(try user.browse("L j Enter j B", resumes: false).status == "+1/1 +1  This book is on no shelf")
        let gone = try user.browse("L j Enter j t", resumes: false)
        #expect(gone.hasTitle(" Favourites (1)"))
        #expect(gone.status == "1/1  Removed from favourites: Book 1")
    }

    @Test func aReturningBookHasItsUserData() throws {
        let user = try readerOfMissing()
        try user.browse("L j Enter j r 4", resumes: false)
        user.books[0] = .make(title: "Book 1")
        let terminal = try user.browse(resumes: false)
        #expect(terminal.selection == "★ Book 1")
        #expect(terminal.detail.contains { $0.hasSuffix("My rating ★★★★☆") })
    }

    @Test func commandsThatNeedTheBookDoNothingToMissingOnes() throws {
        let user = try readerOfMissing()
        let before = user.saved.books
        for keys in ["y t", "y j", "o", "a a", "a s", "Space", "v j", "V", "Enter J K", "M a ' a", "z z", "n"] {
            let terminal = try user.browse("L j Enter j " + keys, resumes: false)
            #expect(terminal.hasTitle(" Favourites (1 +1)") || keys.hasPrefix("a"))
        }
        #expect(user.saved.books == before)
    }

    // MARK: - The rest of the screen

    @Test func theUndoHintIsShownOnlyAfterAChange() throws {
        #expect(!(try user.browse("j").hints.contains(" u undo ")))
        #expect(try user.browse("t").hints.contains(" u undo "))
        #expect(!(try user.browse("t j").hints.contains(" u undo ")))
        // A command without effect cannot be undone: u would undo something else.
        #expect(!(try user.browse("G m n").hints.contains(" u undo ")))
        #expect(!(try user.browse("G r 0").hints.contains(" u undo ")))
        #expect(try user.browse("m t").hints.contains(" u undo "))
        #expect(try user.browse("L + x Enter").hints.contains(" u undo "))
    }

    @Test func theDetailKeepsTheKeyboardWhileItsBookIsInTheList() throws {
        try user.browse("t j t")
        let terminal = try user.browse("L j Enter Enter r 4", resumes: false)
        #expect(terminal.row(1).contains("│▌Book 1"))
        let gone = try user.browse("L j Enter Enter t", resumes: false)
        #expect(gone.row(1).contains("│ Book 2"))
    }

    @Test func theNextBookIsCurrentAfterOneLeavesASortedList() throws {
        try user.browse("V t")
        let terminal = try user.browse("L j Enter s t j j t", resumes: false)
        #expect(terminal.selection == "★ Book 4")
    }

    @Test func theListsPaneFitsItsNames() throws {
        let name = "Summer holidays by the sea"
        let terminal = try user.browse("L + " + typed(name) + " Enter")
        #expect(terminal.row(10).contains(name))
        let small = try user.browse("L", columns: 40, rows: 20, resumes: false)
        #expect(small.row(10).contains("Summer holidays") && small.row(10).hasSuffix("0"))
    }
}

extension Dictionary.Values {
    /// Maps the elements to a property.
    fileprivate func map(_ path: KeyPath<Element, String>) -> [String] { map { $0[keyPath: path] } }
}
