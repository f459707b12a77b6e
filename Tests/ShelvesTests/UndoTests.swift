internal import CatalogTesting
import Foundation
import Storage
import TestSupport
import Testing

@testable import Books
@testable import Shelves

@Suite("User data: undo and redo") struct UndoTests {
    private let fixture: ShelvesFixture
    private let emma = Book.make(title: "Emma")
    private let persuasion = Book.make(title: "Persuasion")

    init() throws { fixture = try ShelvesFixture() }

    @Test func anEmptyJournalHasNothingToUndo() throws {
        let shelves = try fixture.loaded()
        #expect(try shelves.undo() == nil)
        #expect(try shelves.redo() == nil)
        #expect(try shelves.history(limit: 10) == [])
        #expect(fixture.names == [])
    }

    @Test func stepsAreUndoneAndDoneAgainInTurnAlsoAfterARestart() throws {
        let shelves = try fixture.loaded()
        try shelves.apply(.favourite(true), to: emma, persuasion)
        try shelves.apply(.rating(3), to: emma)
        try shelves.apply(.rating(4), to: emma)
        #expect(try shelves.undo()?.kind == .rating(4))
        #expect(shelves.books[emma.identity]?.rating == 3)
        let second = try fixture.loaded()
        #expect(try second.undo()?.kind == .rating(3))
        #expect(second.books[emma.identity]?.rating == nil)
        let step = try second.undo()
        #expect(step?.kind == .favourite(true))
        #expect(step?.bookCount == 2)
        #expect(step?.title == "Emma")
        #expect(second.isEmpty)
        #expect(try second.undo() == nil)
        let third = try fixture.loaded()
        #expect(try third.redo()?.kind == .favourite(true))
        #expect(third.books.count == 2)
        #expect(try third.redo()?.kind == .rating(3))
        #expect(try third.redo()?.kind == .rating(4))
        #expect(try third.redo() == nil)
        #expect(third.books[emma.identity]?.rating == 4)
        #expect(third.state == (try fixture.replayed()))
    }

    @Test func afterSomethingElseNothingIsDoneAgain() throws {
        let shelves = try fixture.loaded()
        try shelves.apply(.rating(3), to: emma)
        try shelves.undo()
        try shelves.apply(.rating(1), to: persuasion)
        #expect(try shelves.redo() == nil)
        #expect(try shelves.undo()?.kind == .rating(1))
        #expect(try shelves.undo() == nil)
        #expect(try shelves.redo()?.kind == .rating(1))
    }

    @Test func theDatesOfAStatusComeBack() throws {
        let shelves = try fixture.loaded()
        try shelves.apply(.status(.read), to: emma)
        fixture.moment.day = "2027-02-03"
        try shelves.apply(.status(.reading), to: emma)
        try shelves.apply(.status(.read), to: emma)
        #expect(shelves.books[emma.identity]?.statusDates == [.read: "2027-02-03", .reading: "2027-02-03"])
        try shelves.apply(.status(nil), to: emma)
        try shelves.undo()
        try shelves.undo()
        #expect(shelves.books[emma.identity]?.statusDates == [.read: "2026-11-21", .reading: "2027-02-03"])
        #expect(shelves.books[emma.identity]?.status == .reading)
    }

    @Test func theLastStepIsUndoneWhoeverMadeIt() throws {
        let first = try fixture.loaded()
        let second = try fixture.loaded()
        try first.apply(.rating(3), to: emma)
        try second.apply(.rating(4), to: persuasion)
        try first.load()
        #expect(try first.undo()?.kind == .rating(4))
        #expect(first.books[persuasion.identity] == nil)
    }

    @Test func unseenChangesOfAnotherInstanceAreNotUndone() throws {
        let first = try fixture.loaded()
        let second = try fixture.loaded()
        try first.apply(.rating(3), to: emma, persuasion)
        try second.apply(.favourite(true), to: emma)
        try second.apply(.rating(5), to: [second.target(emma)])
        // The first instance does not know this change when it undoes its own.
        #expect(try first.undo()?.kind == .rating(3))
        #expect(first.books[emma.identity]?.rating == 5)
        #expect(first.books[persuasion.identity] == nil)
        try second.load()
        #expect(second.state == first.state)
        #expect(try fixture.replayed() == first.state)
    }

    @Test func theHistoryStartsWithTheNewestStep() throws {
        let shelves = try fixture.loaded()
        try shelves.makeShelf(named: "Summer")
        fixture.moment.date = "2026-11-22T00:00:00Z"
        try shelves.apply(.shelf("s1", true), to: emma, persuasion)
        try shelves.renameShelf("s1", to: "Winter")
        try shelves.apply(.note("n"), to: emma)
        try shelves.undo()
        try shelves.saveQuery(named: "Q", text: "t", sort: nil)
        let history = try fixture.loaded().history(limit: 10)
        #expect(
            history.map(\.kind) == [
                .saveQuery(name: "Q"), .note("n"), .renameShelf(from: "Summer", to: "Winter"),
                .shelf(name: "Summer", true), .makeShelf(name: "Summer"),
            ])
        #expect(history.map(\.isUndone) == [false, true, false, false, false])
        #expect(history.map(\.bookCount) == [0, 1, 0, 2, 0])
        #expect(history.map(\.title) == [nil, "Emma", nil, "Emma", nil])
        #expect(history.map(\.date).suffix(2) == ["2026-11-22T00:00:00Z", "2026-11-21T09:30:00Z"])
        #expect(try shelves.history(limit: 2) == Array(history.prefix(2)))
        #expect(try shelves.history(limit: 0) == [])
    }

    @Test func goingBackIsOneStepThatCanBeUndone() throws {
        let shelves = try fixture.loaded()
        for rating in 1...5 { try shelves.apply(.rating(StarRating(whole: rating)), to: emma) }
        try shelves.undo()
        let steps = try shelves.history(limit: 10)
        try shelves.goBack(to: steps[3])
        #expect(shelves.books[emma.identity]?.rating == 2)
        let history = try shelves.history(limit: 10)
        #expect(history.map(\.isUndone) == [false, true, true, true, false, false])
        #expect(history[0].kind == .goBack(stepCount: 2))
        try shelves.goBack(to: history[0])
        #expect(try shelves.history(limit: 10) == history)
        #expect(try shelves.undo()?.kind == .goBack(stepCount: 2))
        #expect(shelves.books[emma.identity]?.rating == 4)
        #expect(try shelves.history(limit: 10).map(\.isUndone) == [true, true, false, false, false, false])
        #expect(try shelves.redo()?.kind == .goBack(stepCount: 2))
        #expect(shelves.books[emma.identity]?.rating == 2)
        try shelves.undo()
        #expect(try shelves.undo()?.kind == .rating(4))
        #expect(shelves.books[emma.identity]?.rating == 3)
        #expect(try fixture.replayed() == shelves.state)
    }

    @Test func linesOfEarlierVersionsAreUndone() throws {
        try fixture.write(
            (#"{"seq":1,"change":"favourite","value":true,"book":"isbn:9780441478125"}"# + "\n").utf8,
            to: fixture.journalPath)
        let shelves = try fixture.loaded()
        #expect(try shelves.undo()?.kind == .favourite(true))
        #expect(shelves.isEmpty)
        try shelves.redo()
        #expect(shelves.books.count == 1)
    }

    @Test(.thorough) func aLongHistoryIsReadAsFarAsNeeded() throws {
        let shelves = try fixture.loaded()
        let note = String(repeating: "x", count: 4000)
        for index in 0..<60 { try shelves.apply(.note(note + "\(index)"), to: emma) }
        #expect(try fixture.bytes(of: fixture.journalPath).count > 3 << 16)
        #expect(try shelves.history(limit: 55).count == 55)
        #expect(try shelves.history(limit: 1000).map(\.id) == (1...60).reversed().map { $0 })
        for _ in 0..<40 { try shelves.undo() }
        #expect(shelves.books[emma.identity]?.note == note + "19")
        for _ in 0..<40 { try shelves.redo() }
        #expect(try shelves.redo() == nil)
        #expect(shelves.books[emma.identity]?.note == note + "59")
        // A step longer than the part of the journal that is read first.
        let books = (0..<40).map { Book.make(title: "Book \($0) \(note)") }
        try shelves.apply(.favourite(true), to: books.map { shelves.target($0) })
        #expect(try shelves.undo()?.bookCount == 40)
        #expect(shelves.books.count == 1)
        #expect(try shelves.redo()?.bookCount == 40)
        #expect(shelves.books.count == 41)
    }

    @Test func unsavedChangesCanBeUndone() throws {
        let path = fixture.directory.path + "/blocked"
        try fixture.write([], to: path)
        let shelves = UserData(directory: path)
        #expect(throws: FileError.self) { try shelves.apply(.rating(2), to: emma) }
        #expect(throws: FileError.self) { try shelves.apply(.rating(3), to: emma) }
        try FileManager.default.removeItem(atPath: path)
        #expect(try shelves.undo()?.kind == .rating(3))
        let next = UserData(directory: path)
        try next.load()
        #expect(next.books[emma.identity]?.rating == 2)
        #expect(try next.history(limit: 5).map(\.isUndone) == [true, false])
    }
}
