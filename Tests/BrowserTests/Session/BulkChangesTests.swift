import Books
internal import CatalogTesting
import Foundation
import Indexing
import Library
import Shelves
import Testing
import Threading

@testable import Browser
@testable import TerminalUI

@Suite("User data: changes of many books") struct BulkChangesTests {
    private let user = User(bookCount: 3000)

    @Test func aChangeOfManyBooksIsSavedWhole() throws {
        try user.browse("V m d")
        #expect(user.saved.books.count == 3000)
        #expect(user.saved.books.values.allSatisfy { $0.status == .read })
        #expect(try user.saved.history(limit: 5).map(\.bookCount) == [3000])
    }

    @Test func itIsUndoneAndRedoneWhole() throws {
        try user.browse("V m d")
        try user.browse("u")
        #expect(user.saved.isEmpty)
        try user.browse("^r")
        #expect(user.saved.books.count == 3000)
    }

    @Test func aKeyTogglesIfAllHaveTheValueAndSetsItIfSomeHave() throws {
        try user.browse("t")
        try user.browse("V t")
        #expect(user.saved.books.values.count { $0.isFavourite } == 3000)
        try user.browse("V t")
        #expect(user.saved.isEmpty)
    }

    @Test func titleAndAuthorsAreStoredWithEachBook() throws {
        try user.browse("V r 4")
        #expect(user.saved.books.values.map(\.title).sorted() == user.books.map(\.title).sorted())
        #expect(user.saved.books.values.allSatisfy { $0.rating == 4 })
    }

    /// An app in which a change of all books waits for `gate`.
    private func waiting(_ gate: Locked<Bool>) throws -> App {
        let app = user.makeApp(resumes: false)
        app.update()
        _ = app.draw(size: Size(rows: 24, columns: 100))
        let change = try #require(
            app.session.library.startChange(of: user.books.indices.map { BookID($0) }, missing: [], notifying: {}) {
                _ in
                _ = gate.wait(for: { $0 ? true : nil })
                return .favourite(true)
            })
        app.session.begin(PendingBulkChange(change: change, activity: "Changing 3,000 books") { _ in "Changed" })
        return app
    }

    @Test func escapeStopsItAndNothingIsChanged() throws {
        let gate = Locked(false)
        let app = try waiting(gate)
        let pending = try #require(app.session.changing.bulkChange)
        pending.change.stop()
        gate.change { $0 = true }
        _ = app.perform(CommandRequest(command: .cancel))
        app.session.finishBulkChange()
        #expect(app.session.status.text == "Stopped. Nothing was changed")
        #expect(app.session.changing.bulkChange == nil)
        #expect(app.session.library.userData.isEmpty)
        #expect(user.saved.isEmpty)
    }

    @Test func furtherChangesOfUserDataWaitAndOtherCommandsWork() throws {
        let gate = Locked(false)
        let app = try waiting(gate)
        _ = app.perform(CommandRequest(command: .favourite))
        #expect(app.session.status.text == "Changing 3,000 books first. Esc stops it")
        _ = app.perform(CommandRequest(command: .undo))
        #expect(app.session.status.text == "Changing 3,000 books first. Esc stops it")
        _ = app.perform(CommandRequest(command: .move(.end)))
        #expect(app.session.books.table.currentRow == 2999)
        gate.change { $0 = true }
        app.session.finishBulkChange()
        #expect(app.session.status.text == "Changed")
        #expect(app.session.library.userData.books.count == 3000)
        _ = app.perform(CommandRequest(command: .favourite))
        #expect(app.session.library.userData.books.count == 2999)
    }

    @Test func aChangeTypedRightBehindAnotherIsMadeAfterIt() throws {
        // It waits for the change, also on a busy machine.
        user.settings.timeBudget = 60_000
        let gate = Locked(false)
        let app = try waiting(gate)
        let opener = Thread {
            usleep(20_000)
            gate.change { $0 = true }
        }
        opener.start()
        // The first book is taken back from what all books get.
        _ = app.perform(CommandRequest(command: .favourite))
        #expect(app.session.changing.bulkChange == nil)
        #expect(app.session.library.userData.books.count == 2999)
    }

    @Test func progressOfALongChangeIsShown() throws {
        let gate = Locked(false)
        let app = try waiting(gate)
        // Longer than an imperceptible delay.
        _ = gate.wait(milliseconds: 120) { $0 }
        app.session.receive()
        #expect(app.session.status.text == "Changing 3,000 books: 0 %. Esc stops")
        gate.change { $0 = true }
        app.session.finishBulkChange()
    }
}
