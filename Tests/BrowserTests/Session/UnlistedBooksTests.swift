import Catalog
import Library
import Shelves
import TerminalTesting
import TerminalUI
import Testing

@testable import Books
@testable import Browser
@testable import Editing
@testable import Indexing

/// Commands on selected books that the list does not show.
@Suite("Selected books that are not listed")
struct UnlistedBooksTests {
    private let user = User(bookCount: 40)

    private func start(_ keys: String) -> App {
        let app = user.makeApp(resumes: false)
        _ = app.draw(size: Size(rows: 12, columns: 100))
        type(keys, in: app)
        return app
    }

    private func type(_ keys: String, in app: App) {
        for case .events(let events) in ScriptedTerminal.Step.keys(keys) {
            for event in events {
                _ = app.handle(event)
                app.update()
                _ = app.draw(size: Size(rows: 12, columns: 100))
            }
        }
    }

    /// The numbers of the books that are marked as read.
    private func read(in app: App) -> [Int] {
        (0..<40).filter { app.session.library.status(of: BookID($0)) == .read }.map { $0 + 1 }
    }

    private func title(of app: App) -> String { app.draw(size: Size(rows: 12, columns: 100)).canvas.text(ofRow: 0) }

    @Test("The title bar says how many of the selected books are listed")
    func titleBar() {
        let app = start("2 Space / 1 2 Enter")
        #expect(title(of: app).contains("2 selected, none listed"))
        type("Space", in: app)
        #expect(title(of: app).contains("3 selected, 1 listed"))
        type("Esc", in: app)
        #expect(!title(of: app).contains("selected"))
    }

    @Test("A command asks; y changes the selected books, n the current one, and another key none")
    func question() {
        let keys = "2 Space / 1 2 Enter m d"
        let asked = start(keys)
        #expect(
            asked.session.status.text
                == "Mark 2 selected books that are not listed as read? y change, n this one, Esc cancel")
        #expect(read(in: asked) == [])
        type("Esc", in: asked)
        #expect(read(in: asked) == [] && asked.session.status.text == "2 selected books not changed")
        type("m d n", in: asked)
        #expect(read(in: asked) == [12])
        // The selection is still there.
        type("m d y", in: asked)
        #expect(read(in: asked) == [1, 2, 12])
    }

    @Test("Of books that are listed in part, both numbers are named")
    func inPart() {
        let app = start("2 Space / 1 2 Enter Space m d")
        #expect(
            app.session.status.text
                == "Mark 3 selected books as read (2 of them are not listed)? y change, n this one, Esc cancel")
        type("y", in: app)
        #expect(read(in: app) == [1, 2, 12])
    }

    @Test("The rows of an open range are selected before the books are counted")
    func ranges() {
        let app = start("2 Space / 1 2 Enter v m d")
        #expect(
            app.session.status.text
                == "Mark 3 selected books as read (2 of them are not listed)? y change, n this one, Esc cancel")
        type("y", in: app)
        #expect(read(in: app) == [1, 2, 12])
    }

    @Test("A command that takes one book says so instead of asking")
    func oneBook() {
        #expect(start("2 Space / 1 2 Enter e").session.status.text.contains("Notes take one book at a time"))
    }

    @Test("Rows that are scrolled away, sorted or grouped count as listed")
    func scrolled() {
        let app = start("2 Space G m d")
        #expect(read(in: app) == [1, 2])
        type("s t G m n", in: app)
        #expect(read(in: app) == [])
    }

    @Test(
        "Each command that changes books asks",
        arguments: ["t", "m r", "m D", "m n", "m p", "r 4", "b", "B", "X", "E"])
    func commands(keys: String) throws {
        let user = User(bookCount: 40)
        let path = try user.writeCatalog()
        let app = user.makeApp(source: user.edited(path), resumes: false)
        app.session.library.store.edited?.base.readRest()
        app.session.receive()
        _ = app.draw(size: Size(rows: 12, columns: 100))
        type("2 Space / 1 2 Enter " + keys, in: app)
        #expect(app.top is ConfirmDialog, "\(app.session.status.text)")
        #expect(app.session.status.text.contains("2 selected books that are not listed"))
    }

    @Test("The answer n holds until what it opened is done")
    func dialogs() {
        let app = start("2 Space / 1 2 Enter m D n y e s t e r d a y Enter")
        #expect(read(in: app) == [12])
        type("b n b e a c h Enter", in: app)
        #expect(app.session.library.userData.books.values.count { !$0.shelves.isEmpty } == 1)
    }

    @Test("In an empty list there is nothing else that could be changed")
    func emptyList() {
        let app = start("2 Space / z z z Enter m d")
        #expect(app.session.status.text.hasSuffix("? y change, Esc cancel"))
        type("n", in: app)
        #expect(read(in: app) == [])
        type("m d y", in: app)
        #expect(read(in: app) == [1, 2])
    }
}
