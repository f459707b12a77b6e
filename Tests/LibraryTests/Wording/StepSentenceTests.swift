internal import CatalogTesting
import Foundation
import Testing

@testable import Books
@testable import Library
@testable import Shelves

@Suite("Changes in words") struct StepSentenceTests {
    private let userData = UserData(directory: nil)

    private func target(_ title: String) -> UserDataTarget {
        let book = Book(title: title)
        return UserDataTarget(
            book: book, identity: BookIdentity(key: BookIdentity.Key(of: book)), identities: [], catalog: nil)
    }

    /// Makes a change and undoes it: the line of the history, and the message of the undo.
    private func words(_ change: UserDataChange, _ titles: String...) throws -> [String] {
        try userData.apply(change, to: titles.map(target))
        return try undone()
    }

    private func undone() throws -> [String] {
        let step = try #require(try userData.undo())
        return [step.sentence, Message.undone.text(of: step)]
    }

    @Test func aStatusNamesTheBookFirst() throws {
        #expect(try words(.status(.read), "Mort") == ["Mort: marked read", "Undone: marked Mort as read"])
        #expect(try words(.status(.toRead), "Mort") == ["Mort: marked to read", "Undone: marked Mort as to read"])
        #expect(
            try words(.status(.reading), "Mort", "Emma")
                == ["2 books: marked reading", "Undone: marked 2 books as reading"])
    }

    @Test func aNewShelfNamesItsBooks() throws {
        #expect(
            try words(.shelfNamed("beach"), "Mort")
                == ["Added Mort to new shelf “beach”", "Undone: added Mort to new shelf “beach”"])
        #expect(
            try words(.shelfNamed("beach"), "Mort", "Emma")
                == ["Added 2 books to new shelf “beach”", "Undone: added 2 books to new shelf “beach”"])
        try userData.makeShelf(named: "w")
        #expect(try undone() == ["New shelf “w”", "Undone: new shelf “w”"])
    }

    @Test func anImportNamesItsFile() throws {
        let imports = ["Mort", "Emma"].map { UserDataImport(target: target($0), changes: [.rating(3), .note("n")]) }
        try userData.apply(imports, from: "reader.csv")
        #expect(
            try undone() == ["Imported reader.csv: 2 books", "Undone: import of reader.csv (2 books)"])
        try userData.apply(Array(imports.prefix(1)), from: "reader.csv")
        #expect(try undone() == ["Imported reader.csv: 1 book", "Undone: import of reader.csv (1 book)"])
    }

    @Test func goingBackCountsTheChanges() throws {
        for rating in 1...4 { try userData.apply(.rating(StarRating(whole: rating)), to: [target("Mort \(rating)")]) }
        try userData.goBack(to: try #require(try userData.history(limit: 9).last))
        #expect(try undone() == ["Undid 3 changes", "Undone: undo of 3 changes"])
    }
}
