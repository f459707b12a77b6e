import Foundation
import Glibc
import Library
import Shelves
import TerminalTesting
import Testing

@testable import Browser
@testable import TerminalUI

/// Changes that are being saved, on a disk that is slow.
@Suite("Confirming changes") struct ConfirmationsTests {
    private let user = User(bookCount: 5)
    private let terminal = ScriptedTerminal(size: Size(rows: 24, columns: 100), steps: [])

    init() throws {
        user.settings.timeBudget = 16
        // The files are there.
        let userData = UserData(directory: user.dataDirectory)
        _ = try userData.makeShelf(named: "New")
    }

    /// Starts a browser that saves in the background.
    private func start() -> App {
        let app = user.makeApp(resumes: false)
        app.session.connect(to: terminal)
        app.update()
        _ = app.draw(size: terminal.size)
        return app
    }

    private func type(_ keys: String, in app: App) {
        for case .events(let events) in ScriptedTerminal.Step.keys(keys) {
            events.forEach { _ = app.handle($0) }
            app.update()
        }
    }

    /// Lets no process write the journal until the descriptor that this returns is closed.
    private func lockJournal() throws -> Int32 {
        let lock = open(user.dataDirectory + "/history.jsonl.lock", O_RDWR | O_CREAT, 0o600)
        try #require(lock >= 0 && flock(lock, LOCK_EX) == 0)
        return lock
    }

    private func finish(_ app: App) {
        for _ in 0..<1000 where app.session.library.userData.isSaving {
            usleep(10_000)
            _ = app.handle(.wakeUp)
        }
    }

    private var savedFavourites: [String] {
        get throws {
            let userData = UserData(directory: user.dataDirectory)
            try userData.load()
            return userData.books.values.filter(\.isFavourite).map(\.title).sorted()
        }
    }

    @Test func keysThatMoveAreAnsweredWhileAFavouriteIsSaved() throws {
        let app = start()
        let lock = try lockJournal()
        type("t", in: app)
        #expect(app.session.status.text == "Saving your changes …")
        #expect(app.session.status.offer == nil)
        type("j j", in: app)
        #expect(app.session.books.table.currentRow == 2)
        #expect(app.session.status.text == "")
        #expect(try savedFavourites == [])
        close(lock)
        finish(app)
        #expect(try savedFavourites == ["Book 1"])
        // A message is shown until the next key, however long saving takes.
        #expect(app.session.status.text == "")
    }

    @Test func aFavouriteIsConfirmedOnceItIsSaved() throws {
        let app = start()
        let lock = try lockJournal()
        type("t", in: app)
        #expect(app.session.status.text == "Saving your changes …")
        close(lock)
        finish(app)
        #expect(app.session.status.text == "★ Favourite: Book 1")
        #expect(app.session.status.offer == .undo)
    }

    @Test func theLastOfSeveralChangesIsConfirmed() throws {
        // Both changes are saved while the second one waits.
        user.settings.timeBudget = 1000
        let app = start()
        let lock = try lockJournal()
        type("t", in: app)
        #expect(app.session.status.text == "Saving your changes …")
        close(lock)
        type("j t", in: app)
        #expect(app.session.status.text == "★ Favourite: Book 2")
        #expect(try savedFavourites == ["Book 1", "Book 2"])
    }

    @Test func aFavouriteIsUndoneWhileItIsSaved() throws {
        let app = start()
        let lock = try lockJournal()
        type("t j t u", in: app)
        close(lock)
        finish(app)
        #expect(app.session.status.text == "Undone: added Book 2 to favourites")
        #expect(try savedFavourites == ["Book 1"])
    }

    @Test func whyAChangeIsNotSavedIsSaidAfterwards() throws {
        let app = start()
        let lock = try lockJournal()
        defer { close(lock) }
        type("t j", in: app)
        // A lock is waited for for two seconds.
        finish(app)
        #expect(app.session.status.text.hasPrefix("Not saved; the next change tries again: "))
        #expect(app.session.library.userData.hasUnsavedChanges)
    }

    @Test func anEditIsNotMadeBesideAChangeThatIsBeingSaved() throws {
        let app = start()
        let lock = try lockJournal()
        type("t", in: app)
        #expect(!app.session.awaitSavedUserData())
        #expect(app.session.status.text == "Your last change is still being saved. Try again in a moment")
        close(lock)
        finish(app)
        #expect(app.session.awaitSavedUserData())
    }

    @Test func theEndWaitsForAChangeAndSaysSo() throws {
        let lock = try lockJournal()
        let opener = Thread {
            usleep(500_000)
            close(lock)
        }
        opener.start()
        let ended = ScriptedTerminal(columns: 100, rows: 24, keys: "t q")
        #expect(try user.browse(on: ended, resumes: false) == .quit)
        #expect(ended.text.contains("Saving your changes …"))
        #expect(try savedFavourites == ["Book 1"])
    }

    @Test func aQuickEndSaysNothing() throws {
        user.settings.timeBudget = 60_000
        let ended = ScriptedTerminal(columns: 100, rows: 24, keys: "t q")
        #expect(try user.browse(on: ended, resumes: false) == .quit)
        #expect(!ended.text.contains("Saving"))
        #expect(try savedFavourites == ["Book 1"])
    }
}
