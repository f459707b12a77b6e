internal import CatalogTesting
import Foundation
import Storage
import TestSupport
import Testing

@testable import Books
@testable import Shelves

/// What the user does at once is one undo step and one line of the history, though it is several lines of the journal.
@Suite("User data: one act is one step") struct OneActTests {
    private let fixture: ShelvesFixture
    private let emma = Book.make(title: "Emma")
    private let persuasion = Book.make(title: "Persuasion")

    init() throws { fixture = try ShelvesFixture() }

    /// The books with a rating and a note each, and on a new shelf.
    private func importBooks(_ userData: UserData) throws {
        let changes: [UserDataChange] = [.rating(4), .note("n"), .shelfNamed("Beach")]
        try userData.apply(
            [emma, persuasion].map { UserDataImport(target: userData.target($0), changes: changes) },
            from: "reader.csv")
    }

    private func journalText() throws -> String {
        String(decoding: try fixture.bytes(of: fixture.journalPath), as: UTF8.self)
    }

    // MARK: - A new shelf and its books

    @Test func aNewShelfAndItsBookAreTwoLinesOfOneStep() throws {
        try fixture.loaded().apply(.shelfNamed("Beach"), to: emma)
        let lines = try fixture.lines()
        #expect(lines.map { $0["change"] as? String } == ["shelves", "shelf"])
        #expect(lines.map { $0["seq"] as? Int } == [1, 2])
        #expect(lines.map { $0["step"] as? Int } == [nil, 1])
        #expect(lines[1]["shelf"] as? String == "s1")
        let step = try #require(try fixture.loaded().history(limit: 10).first)
        #expect(try fixture.loaded().history(limit: 10).count == 1)
        #expect(step.kind == .makeShelf(name: "Beach"))
        #expect(step.title == "Emma" && step.bookCount == 1)
        #expect(step.book?.identity == emma.identity)
    }

    @Test func undoAndRedoOfANewShelfIncludeItsBooks() throws {
        let userData = try fixture.loaded()
        try userData.apply(.shelfNamed("Beach"), to: emma, persuasion)
        let after = userData.state
        #expect(try userData.undo()?.bookCount == 2)
        #expect(userData.shelves == [] && userData.isEmpty)
        #expect(try userData.undo() == nil)
        let next = try fixture.loaded()
        #expect(try next.redo()?.kind == .makeShelf(name: "Beach"))
        #expect(next.state.books == after.books && next.shelves == [Shelf(id: "s1", name: "Beach")])
        #expect(try next.redo() == nil)
        #expect(try fixture.replayed() == next.state)
        #expect(try next.history(limit: 10).map(\.isUndone) == [false])
        try next.undo()
        #expect(try fixture.replayed().shelves.entries == [])
    }

    @Test func aShelfThatExistsIsUsedWhoeverMadeIt() throws {
        let (first, second) = (try fixture.loaded(), try fixture.loaded())
        try second.makeShelf(named: "Beach")
        try first.apply(.shelfNamed("beach"), to: emma)
        #expect(first.shelves == [Shelf(id: "s1", name: "Beach")])
        #expect(first.books[emma.identity]?.shelves == ["s1"])
        #expect(try first.undo()?.kind == .shelf(name: "Beach", true))
        #expect(first.shelves.count == 1)
    }

    @Test func withoutBooksOrANameNoShelfIsCreated() throws {
        let userData = try fixture.loaded()
        try userData.apply(.shelfNamed("Beach"), to: [])
        try userData.apply(.shelfNamed(" \n"), to: emma)
        #expect(userData.shelves == [])
        #expect(fixture.names == [])
    }

    @Test func goingBackReversesTheWholeStep() throws {
        let userData = try fixture.loaded()
        try userData.apply(.rating(1), to: emma)
        try userData.apply(.shelfNamed("Beach"), to: emma, persuasion)
        try userData.goBack(to: try #require(try userData.history(limit: 10).last))
        #expect(userData.shelves == [] && userData.books.count == 1)
        #expect(try userData.undo()?.kind == .goBack(stepCount: 1))
        #expect(userData.shelves.count == 1 && userData.books.count == 2)
    }

    @Test func aNewShelfOnAnotherThreadIsOneStepToo() throws {
        let userData = try fixture.loaded()
        let copy = UserData(userData.fork)
        let books = (1...60).map { Book(title: "Book \($0)") }
        _ = try copy.apply(.shelfNamed("Beach"), to: books.map { copy.target($0) }) { _ in true }
        userData.receive(copy.fork)
        #expect(try fixture.lines().count == 2)
        #expect(try userData.undo()?.bookCount == 60)
        #expect(userData.shelves == [] && userData.isEmpty)
    }

    // MARK: - Imports

    @Test func anImportIsOneStepNamedAfterItsFile() throws {
        let userData = try fixture.loaded()
        try importBooks(userData)
        let lines = try fixture.lines()
        #expect(lines.map { $0["change"] as? String } == ["rating", "note", "shelves", "shelf"])
        #expect(lines.map { $0["step"] as? Int } == [nil, 1, 1, 1])
        #expect(lines.map { $0["import"] as? String } == ["reader.csv", nil, nil, nil])
        #expect(lines[0]["books"] as? Int == 2)
        let history = try fixture.loaded().history(limit: 10)
        #expect(history.map(\.kind) == [.imported(file: "reader.csv")])
        #expect(history.map(\.bookCount) == [2])
        #expect(try userData.undo()?.kind == .imported(file: "reader.csv"))
        #expect(userData.shelves == [] && userData.isEmpty)
        #expect(try userData.undo() == nil)
        #expect(try userData.redo()?.kind == .imported(file: "reader.csv"))
        #expect(userData.books.count == 2 && userData.shelves.count == 1)
        // The undo and the redo are no imports.
        #expect(try fixture.lines().count { $0["import"] != nil } == 1)
        #expect(try fixture.replayed() == userData.state)
    }

    @Test func anImportOfOneBookNamesItsFileToo() throws {
        let userData = try fixture.loaded()
        try userData.apply([UserDataImport(target: userData.target(emma), changes: [.rating(2)])], from: "a.txt")
        let step = try #require(try fixture.loaded().history(limit: 1).first)
        #expect(step.kind == .imported(file: "a.txt") && step.bookCount == 1)
    }

    @Test func aSnapshotKeepsTheSteps() throws {
        let userData = try fixture.loaded()
        try importBooks(userData)
        try userData.apply(.shelfNamed("Winter"), to: emma)
        try userData.saveSnapshot()
        let next = try fixture.loaded()
        #expect(try next.history(limit: 10).map(\.kind) == [.makeShelf(name: "Winter"), .imported(file: "reader.csv")])
        try next.undo()
        try next.saveSnapshot()
        let last = try fixture.loaded()
        try last.undo()
        #expect(last.isEmpty && last.shelves == [])
    }

    @Test func anImportBesideChangesOfAnotherInstanceStaysOneStep() throws {
        let (first, second) = (try fixture.loaded(), try fixture.loaded())
        try second.apply(.shelfNamed("Other"), to: persuasion)
        try importBooks(first)
        #expect(first.shelves.map(\.name) == ["Other", "Beach"])
        try first.undo()
        #expect(first.shelves.map(\.name) == ["Other"])
        #expect(first.books[persuasion.identity]?.shelves == ["s1"])
        try second.load()
        #expect(second.state == first.state)
    }

    // MARK: - Crashes

    /// The program was killed, or the power failed, while the lines of a step were written.
    @Test func aTornStepIsConsistentAndUndone() throws {
        let userData = try fixture.loaded()
        try userData.apply(.shelfNamed("Beach"), to: emma, persuasion)
        let bytes = try fixture.bytes(of: fixture.journalPath)
        let end = try #require(bytes.firstIndex(of: UInt8(ascii: "\n"))) + 1
        for count in [end, end + 1, end + 40, bytes.count - 2] {
            try fixture.write(bytes[..<count], to: fixture.journalPath)
            try? FileManager.default.removeItem(atPath: fixture.snapshotPath)
            let next = try fixture.loaded()
            #expect(next.shelves.map(\.name) == ["Beach"] && next.isEmpty, "\(count) bytes")
            let step = try #require(try next.history(limit: 10).first)
            #expect(step.kind == .makeShelf(name: "Beach") && step.bookCount == 0 && step.title == nil)
            #expect(try next.undo()?.kind == .makeShelf(name: "Beach"))
            #expect(next.shelves == [])
            #expect(try next.redo() != nil)
            #expect(next.shelves.count == 1)
        }
    }

    // MARK: - Other versions

    /// The members that earlier versions read. They skip others, as this one does.
    private static let earlierMembers: Set = [
        "at", "authors", "book", "books", "catalog", "change", "count", "each", "hash", "id", "isbn", "name", "old",
        "seq", "shelf", "source", "step", "title", "value",
    ]

    @Test func earlierVersionsReadEverythingButTheNameOfTheFile() throws {
        let userData = try fixture.loaded()
        try importBooks(userData)
        try userData.apply(.shelfNamed("Winter"), to: emma)
        for line in try fixture.lines() {
            #expect(Set(line.keys).subtracting(Self.earlierMembers).isSubset(of: ["import"]))
        }
        // What they see: the lines without that member.
        let text = try journalText()
        let seen = text.replacing(#""import":"reader.csv","#, with: "")
        #expect(seen != text)
        try fixture.write(seen.utf8, to: fixture.journalPath)
        try? FileManager.default.removeItem(atPath: fixture.snapshotPath)
        let earlier = try fixture.loaded()
        #expect(earlier.state == userData.state)
        #expect(earlier.unreadableLineCount == 0)
        #expect(try earlier.history(limit: 10).map(\.kind) == [.makeShelf(name: "Winter"), .several])
    }

    @Test func unknownMembersAreSkippedByThisVersionToo() throws {
        let line =
            #"{"act":{"of":[1]},"book":"isbn:9780441478125","change":"favourite","future":"x","seq":1,"value":true}"#
        try fixture.write((line + "\n").utf8, to: fixture.journalPath)
        let userData = try fixture.loaded()
        #expect(userData.books.count == 1 && userData.unreadableLineCount == 0)
    }

    @Test func stepsOfEarlierVersionsStayTwo() throws {
        let lines = [
            #"{"at":"2026-11-21T09:30:00Z","change":"shelves","id":"s1","name":"Beach","old":null,"seq":1,"value":{"index":0,"name":"Beach"}}"#,
            #"{"at":"2026-11-21T09:30:00Z","book":"isbn:9780441478125","change":"shelf","name":"Beach","old":false,"seq":2,"shelf":"s1","title":"Emma","value":true}"#,
        ]
        try fixture.write((lines.joined(separator: "\n") + "\n").utf8, to: fixture.journalPath)
        let userData = try fixture.loaded()
        #expect(
            try userData.history(limit: 10).map(\.kind) == [.shelf(name: "Beach", true), .makeShelf(name: "Beach")])
        try userData.undo()
        #expect(userData.shelves.count == 1 && userData.isEmpty)
        try userData.undo()
        #expect(userData.shelves == [])
    }
}
