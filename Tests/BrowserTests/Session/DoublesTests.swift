import CatalogTesting
import Foundation
import Indexing
import Shelves
import TerminalTesting
import TerminalUI
import Testing

@testable import Books
@testable import Browser
@testable import Catalog
@testable import Editing
@testable import Library

/// Editing one of several duplicates, which have the same title, authors and ISBN and are distinguished only by their
/// order.
@Suite("User data of duplicates when one of them is edited")
struct DoublesTests {
    private let user = User(books: ["Twin", "Other", "Twin", "Twin"].map { .make(title: $0) })
    private let path: String

    init() throws { path = try user.writeCatalog() }

    /// Types keys in the browser, and returns the notes of the books in order, "-" if there is none.
    private func notes(after keys: String) throws -> [String] {
        _ = try user.browse(keys, source: user.edited(path), resumes: false)
        let catalog = user.edited(path)
        try catalog.open()
        catalog.base.readRest()
        _ = catalog.receive()
        let index = UserDataIndex(user.saved, in: catalog.index)
        return (0..<catalog.index.count).map { index.userData(of: BookID($0))?.rating?.number ?? "-" }
    }

    /// Rates the duplicates 1, 3 and 4.
    private func rate() throws {
        #expect(try notes(after: "r 1 2 j r 3 j r 4") == ["1", "-", "3", "4"])
    }

    @Test func otherDuplicatesKeepTheirUserDataWhenTheFirstIsRenamed() throws {
        try rate()
        #expect(try notes(after: "E 2 Enter") == ["1", "-", "3", "4"])
        #expect(try notes(after: "u") == ["1", "-", "3", "4"])
        #expect(try notes(after: "^r") == ["1", "-", "3", "4"])
    }

    @Test func otherDuplicatesKeepTheirUserDataWhenOneIsDeletedAndRestored() throws {
        try rate()
        let left = try notes(after: "j j X")
        #expect(left.count == 3 && left[0] == "1" && left[1] == "-" && left[2] == "4")
        #expect(try notes(after: "u") == ["1", "-", "3", "4"])
        let rest = try notes(after: "X")
        #expect(rest.count == 3 && rest[1] == "3" && rest[2] == "4")
        #expect(try notes(after: "u") == ["1", "-", "3", "4"])
    }

    @Test func userDataFollowsAMovedDuplicate() throws {
        try rate()
        #expect(try notes(after: "3 ^Down") == ["-", "3", "4", "1"])
        #expect(try notes(after: "u") == ["1", "-", "3", "4"])
    }

    @Test func aBookThatBecomesADuplicateKeepsItsUserData() throws {
        try rate()
        #expect(try notes(after: "j r 5") == ["1", "5", "3", "4"])
        #expect(try notes(after: "j E ^u T w i n Enter") == ["1", "5", "3", "4"])
        #expect(try notes(after: "u") == ["1", "5", "3", "4"])
    }

    @Test func aNewDuplicateHasNoUserData() throws {
        try rate()
        // The new book comes before the last two of them.
        let keys = "j A Down T w i n Down J a n e Space A u s t e n Enter"
        #expect(try notes(after: keys) == ["1", "-", "-", "3", "4"])
        #expect(try notes(after: "u") == ["1", "-", "3", "4"])
    }
}
