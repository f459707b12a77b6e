internal import CatalogTesting
import Foundation
import Storage
import TestSupport
import Testing

@testable import Books
@testable import Shelves

@Suite("User data: one journal line for a change of many books") struct BulkLineTests {
    private let fixture: ShelvesFixture

    init() throws { fixture = try ShelvesFixture() }

    /// Books without ISBN, each with its own identity.
    private var plain: [Book] { (1...40).map { Book(title: "Book \($0)", authors: ["Author \($0 % 7)"]) } }

    private func apply(_ change: UserDataChange, to books: [Book], in userData: UserData) throws {
        try userData.apply(change, to: books.map { userData.target($0) })
    }

    @Test func aChangeOfManyBooksIsOneLine() throws {
        let userData = try fixture.loaded()
        try apply(.rating(4), to: plain, in: userData)
        let lines = try fixture.lines()
        #expect(lines.count == 1)
        #expect(lines[0]["change"] as? String == "rating")
        #expect(lines[0]["books"] as? Int == 40)
        #expect(lines[0]["count"] as? Int == 40)
        #expect(lines[0]["value"] as? Int == 4)
        #expect(lines[0]["catalog"] as? String == "/books.json")
        let each = try #require(lines[0]["each"] as? [[String: Any]])
        #expect(each.count == 40)
        #expect(each[2]["title"] as? String == "Book 3")
        #expect(each[2]["book"] as? String == plain[2].identity.description)
        // Common members, and members that follow from the identity, are not repeated.
        #expect(Set(each[2].keys) == ["authors", "book", "title"])
    }

    @Test("A line of many books keeps the half stars of each") func halfStars() throws {
        let userData = try fixture.loaded()
        for (number, book) in plain.enumerated() where number > 0 {
            try apply(.rating(StarRating(halves: number % 11)), to: [book], in: userData)
        }
        for step in [1, -3, 4] {
            try apply(.ratingStep(halves: step), to: plain, in: userData)
            #expect(try fixture.lines().last?["count"] != nil)
            #expect(try fixture.replayed() == userData.state)
        }
        _ = try userData.undo()
        #expect(try fixture.replayed() == userData.state)
    }

    @Test func aChangeOfOneBookIsALineAsBefore() throws {
        let userData = try fixture.loaded()
        try apply(.rating(4), to: [plain[0]], in: userData)
        let lines = try fixture.lines()
        #expect(lines.count == 1)
        #expect(lines[0]["each"] == nil)
        #expect(lines[0]["title"] as? String == "Book 1")
    }

    @Test func theJournalAloneGivesTheSameUserData() throws {
        let userData = try fixture.loaded()
        try apply(.status(.reading), to: plain, in: userData)
        fixture.moment = Timestamp(date: "2026-12-24T09:30:00Z", day: "2026-12-24")
        // Half of them have an earlier date.
        try apply(.status(.read), to: Array(plain[..<20]), in: userData)
        try apply(.note("lent"), to: [plain[3]], in: userData)
        try apply(.favourite(true), to: Array(plain[10...]), in: userData)
        #expect(try fixture.lines().count == 4)
        #expect(try fixture.replayed() == userData.state)
        #expect(userData.books[plain[3].identity]?.statusDates == [.reading: "2026-11-21", .read: "2026-12-24"])
        try userData.saveSnapshot()
        #expect(try fixture.loaded().state == userData.state)
    }

    @Test func undoAndRedoOfManyBooksAreOneStepEach() throws {
        let userData = try fixture.loaded()
        try apply(.rating(2), to: [plain[5]], in: userData)
        let before = userData.state
        try apply(.rating(4), to: plain, in: userData)
        let after = userData.state
        let undone = try #require(try fixture.loaded().undo())
        #expect(undone.kind == .rating(4))
        #expect(undone.bookCount == 40)
        try userData.load()
        #expect(userData.state == before)
        #expect(try userData.redo()?.kind == .rating(4))
        #expect(userData.state == after)
        #expect(try fixture.replayed() == after)
        // The change, and for each reversal a line of its own and one for the books.
        #expect(try fixture.lines().count == 2 + 2 + 2)
        #expect(try userData.history(limit: 10).map(\.bookCount) == [40, 1])
    }

    @Test func anUndoLeavesOutWhatItsStepTells() throws {
        let userData = try fixture.loaded()
        try apply(.rating(2), to: [plain[5]], in: userData)
        try apply(.rating(4), to: plain, in: userData)
        try userData.undo()
        let each = try #require(try fixture.lines().last?["each"] as? [[String: Any]])
        #expect(each.count == 40)
        // Undone from the last book to the first. The book that had a rating gets it back.
        #expect(Set(each[3].keys) == ["book"])
        #expect(each[34]["value"] as? Int == 2)
        #expect(each[34]["title"] as? String == "Book 6")
        // A redo takes the titles from the step itself.
        let other = try fixture.loaded()
        try other.redo()
        #expect(other.books[plain[3].identity]?.title == "Book 4")
        #expect(try fixture.replayed() == other.state)
    }

    /// Several threads write and read parts of a line.
    @Test func thousandsOfBooksKeepTheirOrder() throws {
        let books = (1...5000).map { Book(title: "Book \($0)", authors: ["Author"]) }
        let userData = try fixture.loaded()
        try apply(.favourite(true), to: books, in: userData)
        let each = try #require(try fixture.lines().first?["each"] as? [[String: Any]])
        #expect(each.map { $0["title"] as? String } == books.map(\.title))
        #expect(try fixture.replayed() == userData.state)
        try userData.undo()
        #expect(try fixture.replayed().books.isEmpty)
    }

    @Test func anImportOfSeveralFieldsIsALineForEach() throws {
        let userData = try fixture.loaded()
        try userData.apply(
            plain.map {
                UserDataImport(target: userData.target($0), changes: [.favourite(true), .rating(3), .note("n")])
            })
        let lines = try fixture.lines()
        #expect(lines.map { $0["change"] as? String } == ["favourite", "rating", "note"])
        #expect(lines.map { $0["step"] as? Int } == [nil, 1, 1])
        #expect(lines.map { $0["seq"] as? Int } == [1, 41, 81])
        #expect(try fixture.replayed() == userData.state)
        #expect(try userData.undo()?.kind == .several)
        #expect(userData.isEmpty)
    }

    /// A line is written completely or not at all, wherever a crash tears it.
    @Test func aTornLineChangesNothing() throws {
        let userData = try fixture.loaded()
        try apply(.rating(2), to: [plain[5]], in: userData)
        let before = userData.state
        try apply(.rating(4), to: plain, in: userData)
        let bytes = try fixture.bytes(of: fixture.journalPath)
        let start = try #require(bytes.firstIndex(of: UInt8(ascii: "\n"))) + 1
        for count in stride(from: start, to: bytes.count - 1, by: 61) {
            try fixture.write(bytes[..<count], to: fixture.journalPath)
            #expect(try fixture.replayed() == before, "\(count) bytes")
            let next = fixture.instance()
            try next.load()
            try next.apply(.favourite(true), to: plain[1])
            #expect(try fixture.replayed().books[plain[1].identity]?.isFavourite == true)
        }
    }

    @Test func aDamagedBookOfALineLosesNoOther() throws {
        let userData = try fixture.loaded()
        try apply(.rating(4), to: plain, in: userData)
        var text = String(decoding: try fixture.bytes(of: fixture.journalPath), as: UTF8.self)
        text = text.replacing(plain[7].identity.description, with: "hash:rubbish")
        try fixture.write(text.utf8, to: fixture.journalPath)
        try FileManager.default.removeItem(atPath: fixture.snapshotPath)
        let next = try fixture.loaded()
        #expect(next.books.count == 39)
        #expect(next.unreadableLineCount == 1)
    }

    /// Earlier versions skip these lines, and must not write a snapshot without their changes.
    @Test func theSnapshotHasTheVersionBeforeTheFirstSuchLine() throws {
        let userData = try fixture.loaded()
        try apply(.rating(2), to: [plain[5]], in: userData)
        #expect(!fixture.names.contains("shelves.json"))
        try apply(.rating(4), to: plain, in: userData)
        let snapshot = SnapshotReading(try fixture.bytes(of: fixture.snapshotPath)).snapshot
        #expect(snapshot.version == 3)
        // It has the state before, and the journal has the rest.
        #expect(snapshot.state.books.count == 1)
        #expect(try fixture.loaded().state == userData.state)
    }

    @Test func concurrentChangesAreKept() throws {
        let (first, second) = (try fixture.loaded(), try fixture.loaded())
        try first.apply(.rating(1), to: plain[0])
        try apply(.favourite(true), to: plain, in: second)
        try first.load()
        #expect(first.state == second.state)
        #expect(first.books[plain[0].identity]?.rating == 1)
        #expect(first.books[plain[0].identity]?.isFavourite == true)
        #expect(first.books.count == 40)
    }

    @Test func aCopyIsChangedAndHandedBack() throws {
        let userData = try fixture.loaded()
        try userData.apply(.rating(1), to: plain[0])
        let copy = UserData(userData.fork)
        try apply(.favourite(true), to: plain, in: copy)
        #expect(userData.books.count == 1)
        userData.receive(copy.fork)
        #expect(userData.state == copy.state)
        try userData.apply(.rating(2), to: plain[1])
        #expect(try fixture.replayed() == userData.state)
    }

    @Test func aChangeThatIsNotWantedAnyMoreWritesNothing() throws {
        let userData = try fixture.loaded()
        let copy = UserData(userData.fork)
        var calls = 0
        let result = try copy.apply(.rating(3), to: plain.map { copy.target($0) }) { _ in
            calls += 1
            return calls < 2
        }
        #expect(result == nil)
        #expect(!fixture.names.contains("history.jsonl"))
    }
}
