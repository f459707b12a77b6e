internal import CatalogTesting
import Foundation
import Glibc
import Storage
import TestSupport
import Testing

@testable import Books
@testable import Shelves

/// Saving changes on another thread.
@Suite("User data: saving in the background") struct SavingInBackgroundTests {
    private let fixture: ShelvesFixture
    private let emma = Book.make(title: "Emma")
    private let persuasion = Book.make(title: "Persuasion")

    init() throws { fixture = try ShelvesFixture() }

    private func savingInBackground(_ directory: String? = nil) -> UserData {
        let userData = directory.map { UserData(directory: $0) } ?? fixture.instance()
        userData.saveInBackground {}
        return userData
    }

    /// Runs a body while another process writes the journal, as on a disk that is slow.
    private func whileNothingIsSaved(_ body: () throws -> Void) throws {
        let lock = open(fixture.journalPath + ".lock", O_RDWR | O_CREAT, 0o600)
        try #require(lock >= 0 && flock(lock, LOCK_EX) == 0)
        defer { close(lock) }
        try body()
    }

    private var sequences: [Int?] { get throws { try fixture.lines().map { $0["seq"] as? Int } } }

    @Test func aChangeIsThereBeforeItIsSaved() throws {
        let userData = savingInBackground()
        try whileNothingIsSaved {
            try userData.apply(.favourite(true), to: emma)
            #expect(userData.books[emma.identity]?.isFavourite == true)
            #expect(try !userData.receiveSaved(waiting: 20))
            #expect(userData.isSaving && !userData.hasUnsavedChanges)
        }
        #expect(try userData.receiveSaved(waiting: 10_000))
        #expect(!userData.isSaving)
        #expect(try sequences == [1])
    }

    @Test func laterChangesFollowEarlierOnes() throws {
        let userData = savingInBackground()
        try whileNothingIsSaved {
            try userData.apply(.rating(1), to: emma)
            try userData.apply(.rating(2), to: emma)
            try userData.apply(.favourite(true), to: persuasion)
        }
        #expect(try userData.receiveSaved(waiting: 10_000))
        #expect(try sequences == [1, 2, 3])
        #expect(userData.books[emma.identity]?.rating == 2)
        #expect(try fixture.replayed() == userData.state)
        #expect(try fixture.loaded().state == userData.state)
    }

    @Test func aChangeIsUndoneAndRedoneWhileItIsSaved() throws {
        let userData = savingInBackground()
        try whileNothingIsSaved {
            try userData.apply(.rating(1), to: emma)
            try userData.apply(.rating(2), to: emma)
            #expect(try userData.undo()?.kind == .rating(2))
            #expect(userData.books[emma.identity]?.rating == 1)
            #expect(try userData.undo()?.kind == .rating(1))
            #expect(try userData.redo()?.kind == .rating(1))
        }
        #expect(try userData.receiveSaved(waiting: 10_000))
        #expect(userData.books[emma.identity]?.rating == 1)
        let next = try fixture.loaded()
        #expect(next.state == userData.state)
        #expect(try next.redo()?.kind == .rating(2))
    }

    @Test func changesOfOthersComeBeforeThoseThatWereNotSavedYet() throws {
        let userData = savingInBackground()
        try userData.load()
        let other = try fixture.loaded()
        try other.apply(.rating(4), to: persuasion)
        try whileNothingIsSaved {
            try userData.apply(.rating(1), to: emma)
            try userData.apply(.rating(2), to: emma)
            #expect(try userData.undo()?.kind == .rating(2))
        }
        let count = userData.changeCount
        #expect(try userData.receiveSaved(waiting: 10_000))
        #expect(userData.changeCount > count)
        #expect(userData.books[persuasion.identity]?.rating == 4)
        #expect(userData.books[emma.identity]?.rating == 1)
        #expect(try sequences == [1, 2, 3, 4, 5])
        #expect(try fixture.loaded().state == userData.state)
        // The undo names its step by the number that it has now.
        #expect(try fixture.loaded().redo()?.kind == .rating(2))
    }

    @Test func whatCannotBeSavedIsKeptForTheNextChange() throws {
        let directory = fixture.directory.path + "/blocked"
        try fixture.write([], to: directory)
        let userData = savingInBackground(directory)
        try? userData.apply(.rating(1), to: emma)
        #expect(throws: FileError.self) { _ = try userData.receiveSaved(waiting: 10_000) }
        #expect(!userData.isSaving && userData.hasUnsavedChanges)
        try FileManager.default.removeItem(atPath: directory)
        try userData.apply(.rating(2), to: emma)
        #expect(try userData.receiveSaved(waiting: 10_000))
        #expect(!userData.hasUnsavedChanges)
        let next = UserData(directory: directory)
        try next.load()
        #expect(next.books[emma.identity]?.rating == 2)
        #expect(try next.undo()?.kind == .rating(2))
        #expect(next.books[emma.identity]?.rating == 1)
    }

    @Test func aCopyHasWhatWasBeingSavedAndDoesNotWriteItAgain() throws {
        let userData = savingInBackground()
        try userData.apply(.rating(1), to: emma)
        let copy = UserData(userData.fork)
        #expect(!userData.isSaving)
        try copy.apply(.rating(2), to: emma)
        #expect(try sequences == [1, 2])
    }

    @Test func theSnapshotAtTheEndHasWhatWasBeingSaved() throws {
        let userData = savingInBackground()
        try userData.apply(.rating(3), to: emma)
        try userData.saveSnapshot()
        #expect(!userData.isSaving && userData.newLineCount == 0)
        try FileManager.default.removeItem(atPath: fixture.journalPath)
        #expect(try fixture.loaded().books[emma.identity]?.rating == 3)
    }
}
