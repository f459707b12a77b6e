import Dispatch
import Glibc
import TerminalTesting
import TerminalUI
import TestSupport
import Testing

@testable import Browser

/// Opening a catalog that is on a slow disk.
@Suite("Opening a slow catalog") struct OpeningProgressTests {
    private let user = User(bookCount: 3)
    private let outcome = Outcome()

    /// The outcome of opening the catalog, for which the thread that opens it waits.
    private final class Outcome: Sendable {
        private let isKnown = DispatchSemaphore(value: 0)
        nonisolated(unsafe) private var value = OpeningOutcome.opened

        func end(_ value: OpeningOutcome) {
            self.value = value
            isKnown.signal()
        }

        func wait() -> OpeningOutcome {
            isKnown.wait()
            return value
        }
    }

    /// Starts to open a catalog.
    private func begin() -> App {
        user.settings.timeBudget = 100
        user.slowCatalog = { [outcome] in outcome.wait() }
        user.knownCatalogs = [KnownCatalog(path: "/slow/books.json")]
        let app = user.makeApp(resumes: false)
        app.update()
        _ = type("O Enter", in: app)
        return app
    }

    private func type(_ keys: String, in app: App) -> App.Ending? {
        for case .events(let events) in ScriptedTerminal.Step.keys(keys) {
            for event in events { if case .quit(let ending) = app.handle(event) { return ending } }
            app.update()
        }
        return nil
    }

    /// Waits for the end of the program or of the opening.
    private func ending(of app: App) -> App.Ending? {
        for _ in 0..<1000 where app.top is OpeningProgress {
            usleep(10_000)
            if case .quit(let ending) = app.handle(.wakeUp) { return ending }
        }
        return nil
    }

    private func text(of app: App) -> String { app.draw(size: Size(rows: 24, columns: 100)).canvas.text }

    @Test("The screen says what is being opened, and keys are kept for that catalog") func opened() {
        let app = begin()
        #expect(text(of: app).contains("Opening /slow/books.json"))
        #expect(text(of: app).contains("Esc stop"))
        #expect(type("j q", in: app) == nil)
        // A click stops nothing, and a paste is kept, too.
        _ = app.handle(.mouse(Mouse(.press, at: Position(row: 3, column: 3), time: 0)))
        _ = app.handle(.paste("emma"))
        #expect(app.session.status.text == "Opening /slow/books.json")
        #expect(app.session.status.log == ["Opening /slow/books.json"])
        outcome.end(.opened)
        #expect(ending(of: app) == .open(NextCatalog(path: "/slow/books.json")))
        #expect(app.unhandledEvents == [.key(.character("j")), .key(.character("q")), .paste("emma")])
    }

    @Test("Esc stops it, and the present catalog stays") func stopped() {
        let app = begin()
        #expect(type("j Esc", in: app) == nil)
        #expect(app.session.status.text == "Stopped opening /slow/books.json")
        outcome.end(.opened)
        #expect(type("j", in: app) == nil && app.session.books.table.currentRow == 1)
        #expect(app.handle(.wakeUp).isNone && app.top === app.main)
    }

    @Test("Why it could not be opened is said, and the keys for it are dropped") func failed() {
        let app = begin()
        #expect(type("j", in: app) == nil)
        outcome.end(.failed("/slow/books.json: it is gone"))
        #expect(ending(of: app) == nil && app.top === app.main)
        #expect(app.session.status.text == "/slow/books.json: it is gone")
        #expect(app.session.books.table.currentRow == 0 && app.unhandledEvents.isEmpty)
    }
}
