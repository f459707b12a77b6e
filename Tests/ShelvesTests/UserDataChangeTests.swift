internal import CatalogTesting
import Foundation
import Testing

@testable import Books
@testable import Shelves

@Suite("User data: changes") struct UserDataChangeTests {
    private let fixture: ShelvesFixture
    private let emma = Book.make(title: "Emma", isbn: "0441478123")
    private let persuasion = Book.make(title: "Persuasion")

    init() throws { fixture = try ShelvesFixture() }

    @Test func eachPartOfAMarkIsKept() throws {
        let shelves = try fixture.loaded()
        let summer = try shelves.makeShelf(named: "Summer")
        try shelves.apply(.favourite(true), to: emma)
        try shelves.apply(.shelf(summer.id, true), to: emma)
        try shelves.apply(.status(.reading), to: emma)
        fixture.moment.day = "2026-12-01"
        try shelves.apply(.status(.read), to: emma)
        try shelves.apply(.rating(4), to: emma)
        try shelves.apply(.note("Handsome, clever, and\nrich \"…\""), to: emma)
        for shelves in [shelves, try fixture.loaded()] {
            let bookData = try #require(shelves.books[emma.identity])
            #expect(bookData.isFavourite)
            #expect(bookData.shelves == [summer.id])
            #expect(bookData.status == .read)
            #expect(bookData.statusDates == [.reading: "2026-11-21", .read: "2026-12-01"])
            #expect(bookData.rating == 4)
            #expect(bookData.note == "Handsome, clever, and\nrich \"…\"")
            #expect(bookData.title == "Emma")
            #expect(bookData.authors == ["Jane Austen"])
            #expect(bookData.keys == MatchKeys(of: emma))
            #expect(bookData.catalog == "/books.json")
        }
    }

    @Test func aMarkThatSaysNothingIsNone() throws {
        let shelves = try fixture.loaded()
        try shelves.apply(.rating(0), to: emma)
        try shelves.apply(.status(.abandoned), to: emma)
        try shelves.apply(.rating(nil), to: emma)
        #expect(shelves.books[emma.identity]?.status == .abandoned)
        try shelves.apply(.status(nil), to: emma)
        #expect(shelves.isEmpty)
        #expect(try fixture.loaded().isEmpty)
    }

    @Test func aChangeWithoutEffectIsNotAStep() throws {
        let shelves = try fixture.loaded()
        try shelves.apply(.favourite(false), to: emma)
        try shelves.apply(.note("  \n"), to: emma)
        #expect(fixture.names == [])
        try shelves.apply(.status(.read), to: emma)
        fixture.moment.day = "2027-01-01"
        try shelves.apply(.status(.read), to: emma)
        #expect(try fixture.lines().count == 1)
        #expect(shelves.books[emma.identity]?.statusDates == [.read: "2026-11-21"])
        let count = shelves.changeCount
        try shelves.apply(.rating(nil), to: emma)
        #expect(shelves.changeCount == count)
    }

    @Test("Each book's rating changes by half stars, within 0 to 5, and 0 is none")
    func ratingSteps() throws {
        let shelves = try fixture.loaded()
        func ratings() -> [Double?] { [emma, persuasion].map { shelves.books[$0.identity]?.rating?.stars } }
        try shelves.apply(.rating(4), to: emma)
        try shelves.apply(.ratingStep(halves: 1), to: emma, persuasion)
        #expect(ratings() == [4.5, 0.5])
        #expect(try fixture.replayed() == shelves.state)
        try shelves.apply(.ratingStep(halves: -1), to: emma, persuasion)
        #expect(ratings() == [4, nil])
        for _ in 1...3 { try shelves.apply(.ratingStep(halves: 1), to: emma) }
        #expect(ratings() == [5, nil])
        try shelves.saveSnapshot()
        #expect(try fixture.loaded().state == shelves.state)
        // Books whose ratings became different ones are one step of the history.
        try shelves.apply(.rating(2), to: persuasion)
        try shelves.apply(.ratingStep(halves: -1), to: emma, persuasion)
        #expect(ratings() == [4.5, 1.5])
        #expect(try shelves.undo()?.kind == .ratingStep(halves: -1))
        #expect(ratings() == [5, 2])
        #expect(try shelves.redo()?.kind == .ratingStep(halves: -1))
        #expect(try fixture.loaded().history(limit: 9).first { $0.kind == .ratingStep(halves: -1) }?.bookCount == 2)
        #expect(ratings() == [4.5, 1.5])
    }

    @Test("A snapshot keeps half stars beside whole ones, which earlier versions read") func halfStars() throws {
        let shelves = try fixture.loaded()
        try shelves.apply(.rating(StarRating(halves: 9)), to: emma)
        try shelves.apply(.rating(StarRating(halves: 1)), to: persuasion)
        try shelves.saveSnapshot()
        let text = String(decoding: try fixture.bytes(of: fixture.snapshotPath), as: UTF8.self)
        for whole in [4, 0] {
            let line = text.split(separator: "\n").first { $0.contains("\"rating\":\(whole)") }
            #expect(line?.contains("\"half\":true") == true)
        }
        #expect(try fixture.loaded().state == shelves.state)
    }

    @Test func booksCannotBeAddedToAMissingShelf() throws {
        let shelves = try fixture.loaded()
        try shelves.apply(.shelf("s1", true), to: emma)
        #expect(shelves.isEmpty)
    }

    @Test func manyBooksAreOneAppendAndOneStep() throws {
        let shelves = try fixture.loaded()
        try shelves.apply(.favourite(true), to: emma)
        try shelves.apply(.favourite(true), to: emma, persuasion, .make(title: "Sanditon"))
        let lines = try fixture.lines()
        #expect(lines.map { $0["seq"] as? Int } == [1, 2])
        #expect(lines.map { $0["step"] as? Int } == [nil, nil])
        #expect(lines.map { $0["books"] as? Int } == [nil, 2])
    }

    @Test func duplicatesGetTheirOwnUserData() throws {
        let shelves = try fixture.loaded()
        let targets = (1...3).map { _ in
            UserDataTarget(book: persuasion, identity: persuasion.identity, identities: [], catalog: nil)
        }
        let identities = try shelves.apply(.rating(3), to: targets)
        #expect(identities.map { $0.map(\.occurrence) } == [[1], [2], [3]])
        #expect(shelves.books.count == 3)
    }

    @Test func valuesAreSetInTheFirstRecordAndRemovedFromAll() throws {
        let shelves = try fixture.loaded()
        try shelves.apply(.favourite(true), to: emma)
        try shelves.apply(.rating(2), to: persuasion)
        let both = UserDataTarget(
            book: emma, identity: emma.identity, identities: [emma.identity, persuasion.identity], catalog: nil)
        try shelves.apply(.favourite(true), to: [both])
        #expect(shelves.books[persuasion.identity]?.isFavourite == false)
        try shelves.apply(.rating(5), to: [both])
        #expect(shelves.books[emma.identity]?.rating == 5)
        try shelves.apply(.rating(nil), to: [both])
        #expect(shelves.books[emma.identity]?.rating == nil)
        #expect(shelves.books[persuasion.identity] == nil)
    }

    @Test func aMarkWhoseBookIsGoneCanBeChanged() throws {
        let shelves = try fixture.loaded()
        try shelves.apply(.favourite(true), to: emma)
        try shelves.apply(.note("lent to Ann"), to: [UserDataTarget(absent: emma.identity)])
        #expect(shelves.books[emma.identity]?.note == "lent to Ann")
        // User data that is gone cannot be changed.
        try shelves.apply(.note("?"), to: [UserDataTarget(absent: persuasion.identity)])
        #expect(shelves.books.count == 1)
    }

    @Test func withoutADirectoryAllIsKeptInMemory() throws {
        let shelves = UserData(directory: nil)
        #expect(!shelves.isSaved)
        let shelf = try shelves.makeShelf(named: "Summer")
        try shelves.apply(.shelf(shelf.id, true), to: emma)
        try shelves.apply(.rating(4), to: emma)
        #expect(try shelves.undo()?.kind == .rating(4))
        #expect(shelves.books[emma.identity]?.shelves == [shelf.id])
        #expect(try shelves.redo()?.kind == .rating(4))
        #expect(shelves.books[emma.identity]?.rating == 4)
        try shelves.saveSnapshot()
        #expect(try shelves.history(limit: 10).count == 3)
    }

    @Test func timesAreUTCAndDaysTheReaders() throws {
        let moment = Timestamp.now
        #expect(abs(try Date(moment.date, strategy: .iso8601).timeIntervalSinceNow) < 60)
        #expect(moment.date.count == 20 && moment.date.hasSuffix("Z"))
        #expect(moment.day.count == 10)
    }
}
