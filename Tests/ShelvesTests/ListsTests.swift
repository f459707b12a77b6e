import Testing

@testable import Books
@testable import Shelves

@Suite("User data: shelves and saved searches") struct ListsTests {
    private let fixture: ShelvesFixture

    init() throws { fixture = try ShelvesFixture() }

    @Test func shelvesAreMadeRenamedMovedAndDeleted() throws {
        let shelves = try fixture.loaded()
        let ids = try ["A", "B", "C"].map { try shelves.makeShelf(named: $0).id }
        #expect(ids == ["s1", "s2", "s3"])
        try shelves.renameShelf("s2", to: "  Bees \n and  birds ")
        try shelves.moveShelf("s3", to: -4)
        try shelves.deleteShelf("s1")
        let expected = [Shelf(id: "s3", name: "C"), Shelf(id: "s2", name: "Bees and birds")]
        #expect(shelves.shelves == expected)
        #expect(try fixture.loaded().shelves == expected)
    }

    @Test func anIdIsNeverGivenTwice() throws {
        let shelves = try fixture.loaded()
        try shelves.makeShelf(named: "A")
        try shelves.deleteShelf("s1")
        try shelves.saveSnapshot()
        #expect(try fixture.loaded().makeShelf(named: "A").id == "s2")
        try shelves.load()
        try shelves.undo()
        #expect(try shelves.makeShelf(named: "A").id == "s3")
    }

    @Test func namesAreUniqueIgnoringCase() throws {
        let shelves = try fixture.loaded()
        try shelves.makeShelf(named: "Été")
        try shelves.makeShelf(named: "B")
        #expect(throws: ShelvesError.nameIsTaken("Été")) { try shelves.makeShelf(named: " éTÉ ") }
        #expect(throws: ShelvesError.nameIsTaken("Été")) { try shelves.renameShelf("s2", to: "ÉTÉ") }
        #expect(throws: ShelvesError.nameIsBlank) { try shelves.makeShelf(named: " \n") }
        // Its own name with different case is available, and a saved search may have the name of a shelf.
        try shelves.renameShelf("s1", to: "ÉTÉ")
        try shelves.saveQuery(named: "Été", text: "year:2020", sort: nil)
        #expect(shelves.shelves.map(\.name) == ["ÉTÉ", "B"])
        // A name that another instance has used in the meantime is taken too.
        let other = try fixture.loaded()
        try other.makeShelf(named: "C")
        #expect(throws: ShelvesError.nameIsTaken("C")) { try shelves.makeShelf(named: "c") }
    }

    @Test func queriesAreSavedChangedMovedAndDeleted() throws {
        let shelves = try fixture.loaded()
        try shelves.saveQuery(named: "A", text: "author:austen", sort: "title")
        try shelves.saveQuery(named: "B", text: "x", sort: nil)
        try shelves.saveQuery(named: "C", text: "y", sort: nil)
        try shelves.changeQuery("q2", text: "z", sort: "year")
        try shelves.renameQuery("q1", to: "Jane")
        try shelves.moveQuery("q1", to: 9)
        try shelves.deleteQuery("q3")
        let expected = [
            SavedSearch(id: "q2", name: "B", text: "z", sort: "year"),
            SavedSearch(id: "q1", name: "Jane", text: "author:austen", sort: "title"),
        ]
        #expect(shelves.queries == expected)
        #expect(try fixture.loaded().queries == expected)
        try shelves.saveSnapshot()
        #expect(try fixture.loaded().queries == expected)
        for _ in 0..<7 { try shelves.undo() }
        #expect(shelves.queries == [])
        for _ in 0..<7 { try shelves.redo() }
        #expect(shelves.queries == expected)
    }

    @Test func missingEntriesAreNotChanged() throws {
        let shelves = try fixture.loaded()
        try shelves.renameShelf("s1", to: "A")
        try shelves.moveShelf("s1", to: 0)
        try shelves.deleteShelf("s1")
        try shelves.changeQuery("q1", text: "", sort: nil)
        #expect(fixture.names == [])
    }

    @Test func aDeletedShelfIsHiddenAndComesBackWithItsBooks() throws {
        let shelves = try fixture.loaded()
        let shelf = try shelves.makeShelf(named: "Summer")
        let book = Book.make()
        try shelves.apply(.shelf(shelf.id, true), to: book)
        try shelves.deleteShelf(shelf.id)
        let bookData = try #require(shelves.books[book.identity])
        #expect(shelves.shown(bookData).isEmpty)
        try shelves.saveSnapshot()
        let next = try fixture.loaded()
        #expect(try next.undo()?.kind == .deleteShelf(name: "Summer"))
        #expect(next.shelves == [shelf])
        #expect(next.books[book.identity].map(next.shown)?.shelves == [shelf.id])
    }
}
