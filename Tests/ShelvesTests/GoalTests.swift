internal import CatalogTesting
import Storage
import Testing

@testable import Books
@testable import Shelves

@Suite("User data: goals") struct GoalTests {
    private let fixture: ShelvesFixture

    init() throws { fixture = try ShelvesFixture() }

    private func version() throws -> Int {
        SnapshotReading(try fixture.bytes(of: fixture.snapshotPath)).snapshot.version
    }

    @Test("a goal is saved, changed, removed and undone") func changes() throws {
        let userData = try fixture.loaded()
        #expect(userData.goal(of: 2026) == nil)
        try userData.setGoal(30, of: 2026)
        try userData.setGoal(12, of: 2025)
        try userData.setGoal(0, of: 2026)
        #expect(try fixture.loaded().goal(of: 2026) == 0 && fixture.loaded().goal(of: 2025) == 12)
        #expect(try userData.undo()?.kind == .goal(year: 2026, 0))
        #expect(userData.goal(of: 2026) == 30)
        try userData.redo()
        #expect(userData.goal(of: 2026) == 0)
        try userData.setGoal(nil, of: 2026)
        #expect(userData.goal(of: 2026) == nil)
        #expect(try userData.history(limit: 9).map(\.kind).first == .goal(year: 2026, nil))
        #expect(try fixture.replayed() == userData.state)
    }

    @Test("a goal that is set already is not a change") func same() throws {
        let userData = try fixture.loaded()
        try userData.setGoal(30, of: 2026)
        try userData.setGoal(30, of: 2026)
        #expect(try userData.history(limit: 9).count == 1)
    }

    /// Earlier versions skip these lines, and must not write a snapshot without their changes.
    @Test("the version of the snapshot is raised before the first goal, and never falls") func versionComesFirst()
        throws
    {
        let userData = try fixture.loaded()
        try userData.apply(.favourite(true), to: Book.make(title: "Emma"))
        try userData.saveSnapshot()
        #expect(try version() == 3)
        try userData.setGoal(30, of: 2026)
        #expect(try version() == 4)
        try userData.saveSnapshot()
        #expect(try fixture.loaded().goal(of: 2026) == 30)
        try userData.undo()
        try userData.saveSnapshot()
        #expect(try version() == 4)
        let later = try fixture.loaded()
        #expect(later.goal(of: 2026) == nil && later.isSaved)
    }

    @Test("an instance that does not know the goal yet does not lower the version") func otherInstance() throws {
        let (first, second) = (try fixture.loaded(), try fixture.loaded())
        try second.setGoal(30, of: 2026)
        let books = (1...3).map { Book.make(title: "Book \($0)") }
        try first.apply(.favourite(true), to: books.map { first.target($0) })
        #expect(try version() == 4)
        #expect(try fixture.loaded().goal(of: 2026) == 30)
    }

    @Test("goals of several instances are kept") func instances() throws {
        let (first, second) = (try fixture.loaded(), try fixture.loaded())
        try first.setGoal(30, of: 2026)
        try second.setGoal(12, of: 2025)
        try second.setGoal(20, of: 2026)
        try first.load()
        #expect(first.goal(of: 2025) == 12 && first.goal(of: 2026) == 20)
        #expect(first.state == second.state)
    }
}
