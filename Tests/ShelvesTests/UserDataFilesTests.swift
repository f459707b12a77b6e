internal import CatalogTesting
import Foundation
import Storage
import TestSupport
import Testing

@testable import Books
@testable import Shelves

/// Saving changes, and sharing them between instances.
@Suite("User data: files") struct UserDataFilesTests {
    private let fixture: ShelvesFixture
    private let emma = Book.make(title: "Emma")
    private let persuasion = Book.make(title: "Persuasion")
    private let mort = Book.make(title: "Mort", isbn: "0441478123")
    private let sourcery = Book.make(title: "Sourcery", isbn: "0441478123")

    init() throws { fixture = try ShelvesFixture() }

    private var blocked: String { fixture.directory.path + "/blocked" }

    @Test func atFirstThereIsNothing() throws {
        let shelves = try fixture.loaded()
        #expect(shelves.isEmpty && shelves.shelves == [] && shelves.queries == [])
        #expect(shelves.isSaved)
        #expect(shelves.notice == nil)
        try shelves.saveSnapshot()
        #expect(fixture.names == [])
    }

    @Test func changesOfTwoInstancesAreMerged() throws {
        let first = try fixture.loaded()
        let second = try fixture.loaded()
        try first.apply(.favourite(true), to: emma)
        try second.apply(.rating(2), to: persuasion)
        // The second instance loaded the first one's change before it wrote.
        #expect(second.books.count == 2)
        #expect(first.books.count == 1)
        let count = first.changeCount
        try first.load()
        #expect(first.changeCount > count)
        #expect(first.state == second.state)
        try first.load()
        #expect(first.changeCount == count + 1)
        #expect(try fixture.lines().map { $0["seq"] as? Int } == [1, 2])
    }

    @Test func ofTwoChangesToOneThingTheLaterCounts() throws {
        let first = try fixture.loaded()
        let second = try fixture.loaded()
        try first.apply(.rating(1), to: emma)
        try second.apply(.rating(2), to: emma)
        try first.load()
        #expect(first.books[emma.identity]?.rating == 2)
        #expect(first.books.count == 1)
        #expect(try second.undo()?.kind == .rating(2))
        #expect(second.books[emma.identity]?.rating == 1)
    }

    @Test func booksThatTwoMarkAtOnceByOneNameAreKeptApart() throws {
        let first = try fixture.loaded()
        let second = try fixture.loaded()
        try first.apply(.rating(1), to: mort)
        let identities = try second.apply(.rating(2), to: [second.target(sourcery)])
        #expect(identities == [[BookIdentity(key: mort.identity.key, occurrence: 2)]])
        for shelves in [second, try fixture.loaded()] {
            #expect(shelves.books.count == 2)
            #expect(shelves.books[mort.identity]?.title == "Mort")
            #expect(shelves.books[identities[0][0]]?.rating == 2)
        }
        // Changes of one book by two instances are in one record.
        try first.load()
        try first.apply(.favourite(true), to: emma)
        try second.apply(.note("n"), to: emma)
        #expect(second.books.count == 3)
    }

    @Test func shelvesThatTwoMakeAtOnceAreKeptApart() throws {
        try fixture.write([], to: blocked)
        let first = UserData(directory: blocked)
        #expect(throws: ShelvesError.self) { try first.makeShelf(named: "Summer") }
        #expect(first.shelves == [Shelf(id: "s1", name: "Summer")])
        #expect(throws: FileError.self) { try first.apply(.shelf("s1", true), to: emma) }
        try FileManager.default.removeItem(atPath: blocked)
        let second = UserData(directory: blocked)
        try second.makeShelf(named: "SUMMER")
        try first.save()
        #expect(first.shelves == [Shelf(id: "s1", name: "SUMMER"), Shelf(id: "s2", name: "Summer 2")])
        #expect(first.books[emma.identity]?.shelves == ["s2"])
        try second.load()
        #expect(second.state == first.state)
    }

    @Test func anUnsavedChangeIsSavedWithTheNext() throws {
        try fixture.write([], to: blocked)
        let shelves = UserData(directory: blocked)
        let error = #expect(throws: FileError.self) { try shelves.apply(.rating(4), to: emma) }
        #expect(error?.path.hasPrefix(blocked) == true)
        #expect(shelves.books[emma.identity]?.rating == 4)
        #expect(throws: FileError.self) { try shelves.saveSnapshot() }
        try FileManager.default.removeItem(atPath: blocked)
        try shelves.apply(.rating(3), to: persuasion)
        let second = UserData(directory: blocked)
        try second.load()
        #expect(second.state == shelves.state)
        #expect(second.books.count == 2)
    }

    @Test func changesOfOthersPrecedeUnsavedOnes() throws {
        try fixture.write([], to: blocked)
        let first = UserData(directory: blocked)
        #expect(throws: FileError.self) { try first.apply(.rating(4), to: emma) }
        #expect(throws: FileError.self) { try first.apply(.rating(5), to: persuasion) }
        #expect(throws: FileError.self) { try first.undo() }
        try FileManager.default.removeItem(atPath: blocked)
        let second = UserData(directory: blocked)
        try second.apply(.rating(1), to: emma)
        try second.apply(.note("n"), to: emma)
        try first.load()
        #expect(first.books[emma.identity]?.rating == 4)
        #expect(first.books[emma.identity]?.note == "n")
        try first.save()
        try second.load()
        #expect(second.state == first.state)
        // The earlier lines are the other instance's.
        #expect(try first.history(limit: 4).map(\.isUndone) == [true, false, false, false])
        try first.undo()
        #expect(first.books[emma.identity]?.rating == 1)
    }

    @Test func changesMadeBeforeTheFilesWereReadAreNotLost() throws {
        try fixture.loaded().apply(.rating(1), to: mort)
        try fixture.loaded().saveSnapshot()
        // The background thread reads before the change, and its result arrives after it.
        let content = try UserData.read(directory: fixture.directory.path)
        let shelves = fixture.instance()
        try shelves.apply(.rating(3), to: sourcery)
        try shelves.apply(.favourite(true), to: emma)
        shelves.receive(content)
        #expect(shelves.books.count == 3)
        #expect(shelves.state == (try fixture.loaded().state))
    }

    @Test func contentReadInTheBackgroundIsUpdated() throws {
        let other = try fixture.loaded()
        try other.apply(.rating(1), to: emma)
        let content = try UserData.read(directory: fixture.directory.path)
        try other.apply(.rating(2), to: emma)
        let shelves = fixture.instance()
        shelves.receive(content)
        #expect(shelves.books[emma.identity]?.rating == 1)
        try shelves.load()
        #expect(shelves.state == other.state)
    }

    @Test func aTornLastLineIsPassedOverAndSpoilsNoOther() throws {
        try fixture.loaded().apply(.rating(1), to: emma)
        try fixture.write(
            try fixture.bytes(of: fixture.journalPath) + Array(#"{"at":"2026-01-31T12:00:00Z","authors":["Ja"#.utf8),
            to: fixture.journalPath)
        let shelves = try fixture.loaded()
        #expect(shelves.books.count == 1)
        try shelves.apply(.rating(2), to: persuasion)
        #expect(try fixture.loaded().books.count == 2)
        #expect(try fixture.loaded().unreadableLineCount == 1)
    }

    @Test(arguments: [(1 << 53) - 1, 1 << 53, (1 << 53) + 1, Int.max, 1 << 52, -1, .min])
    func aDamagedSequenceNumberCostsNoChange(sequence: Int) throws {
        try fixture.write(
            (#"{"seq":\#(sequence),"change":"favourite","value":true,"book":"isbn:9780441478125"}"# + "\n").utf8,
            to: fixture.journalPath)
        try fixture.loaded().apply(.favourite(true), to: emma)
        try fixture.loaded().apply(.favourite(true), to: persuasion)
        #expect(try fixture.loaded().books.count == 3)
        #expect(try fixture.lines().dropFirst().map { $0["seq"] as? Int } == [1, 2])
    }

    @Test func anUnreadableJournalIsReported() throws {
        try FileManager.default.createDirectory(atPath: fixture.journalPath, withIntermediateDirectories: false)
        let error = #expect(throws: FileError.self) { try fixture.loaded() }
        #expect(error?.isDirectory == true)
    }

    @Test func aThousandChangesCopyNothing() throws {
        // A copy of 20,000 identities would take a millisecond.
        let shelves = UserData(directory: nil)
        let books = (0..<20_000).map { Book.make(title: "Book \($0)") }
        try shelves.apply(.favourite(true), to: books.map { shelves.target($0) })
        let time = try processorTime {
            for book in books.prefix(1000) { try shelves.apply(.rating(3), to: [shelves.target(book)]) }
        }
        #expect(time < .seconds(2))
    }
}
