import CatalogTesting
import Storage
import Testing

@testable import Books
@testable import Shelves

@Suite("User data: books that are not the same") struct DistinctionTests {
    private let fixture: ShelvesFixture
    private let emma = Book.make(title: "Emma")
    private let other = Book.make(title: "Emma, a novel")

    init() throws { fixture = try ShelvesFixture() }

    private func version() throws -> Int {
        SnapshotReading(try fixture.bytes(of: fixture.snapshotPath)).snapshot.version
    }

    @Test("what the reader says is kept, over restarts, and undone and redone") func changes() throws {
        let userData = try fixture.loaded()
        try userData.apply(.distinction("1", true), to: [emma, other].map { userData.target($0) })
        #expect(userData.hasDistinctions)
        #expect(try fixture.loaded().books.values.map(\.distinctions) == [["1"], ["1"]])
        #expect(try fixture.replayed() == userData.state)
        #expect(try userData.undo()?.kind == .distinction(true))
        #expect(!userData.hasDistinctions && userData.isEmpty)
        try userData.redo()
        try userData.saveSnapshot()
        #expect(try fixture.loaded().books.values.map(\.distinctions) == [["1"], ["1"]])
        #expect(try userData.history(limit: 9).first?.bookCount == 2)
    }

    @Test("it is shown in no list and in no card") func hidden() throws {
        let userData = try fixture.loaded()
        try userData.apply(.distinction("1", true), to: [userData.target(emma)])
        let bookData = try #require(Array(userData.books.values).first)
        #expect(!bookData.isEmpty && userData.shown(bookData).isEmpty)
    }

    /// Earlier versions would write a snapshot without it.
    @Test("the version of the snapshot is raised before, and never falls") func versionComesFirst() throws {
        let userData = try fixture.loaded()
        try userData.apply(.favourite(true), to: [userData.target(emma)])
        try userData.saveSnapshot()
        #expect(try version() == 3)
        try userData.apply(.distinction("1", true), to: [emma, other].map { userData.target($0) })
        #expect(try version() == 4)
        try userData.undo()
        try userData.saveSnapshot()
        #expect(try version() == 4)
    }

    @Test("it follows a book that is described otherwise, and those that are merged have that of all") func moves()
        throws
    {
        let userData = try fixture.loaded()
        try userData.apply(.distinction("1", true), to: [userData.target(emma)])
        try userData.apply(.distinction("2", true), to: [userData.target(other)])
        let identities = [emma, other].map { BookIdentity(key: BookIdentity.Key(of: $0)) }
        let new = Book.make(title: "Emma (1815)")
        try userData.move([UserDataMove(identities: identities, book: new, catalog: nil)])
        #expect(userData.books.values.map(\.distinctions) == [["1", "2"]])
        try userData.undo()
        #expect(
            userData.books.values.map(\.distinctions).sorted { ($0.first ?? "") < ($1.first ?? "") } == [["1"], ["2"]])
    }
}
