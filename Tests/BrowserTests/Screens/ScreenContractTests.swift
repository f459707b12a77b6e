import Books
import Editing
import Graphemes
import TerminalTesting
import TestSupport
import Testing

@testable import Books
@testable import Browser
@testable import Graphemes
@testable import Library
@testable import TerminalUI

/// Requirements for every screen.
@Suite("Every screen")
struct ScreenContractTests {
    /// A screen and the keys that open it.
    struct Opening: CustomTestStringConvertible, Sendable {
        let name: String
        let context: CommandContext
        let keys: String
        var testDescription: String { name }
        /// Opens the screen if keys alone cannot.
        var push: (@Sendable (App) -> Void)?
    }

    static let openings = [
        Opening(name: "the books", context: .books, keys: "j"),
        Opening(name: "the lists", context: .lists, keys: "L"),
        Opening(name: "the detail", context: .detail, keys: "Enter"),
        Opening(name: "help", context: .help, keys: "?"),
        Opening(name: "help's filter", context: .search, keys: "? / j"),
        Opening(name: "the search bar", context: .search, keys: "/ ("),
        Opening(name: "the palette", context: .palette, keys: ":"),
        Opening(name: "the jump", context: .jump, keys: "f b"),
        Opening(name: "the column chooser", context: .columns, keys: "|"),
        Opening(name: "the picker of a field to sort by", context: .fields, keys: "s o"),
        Opening(name: "the picker of a field to group by", context: .fields, keys: "S o t i"),
        Opening(name: "the picker of catalogs", context: .catalogs, keys: "O"),
        Opening(name: "the shelf picker", context: .shelves, keys: "b x"),
        Opening(name: "the form of a book", context: .form, keys: "E ^e ; (pause)"),
        Opening(name: "the form of several books", context: .form, keys: "Space Space E j Down Up"),
        Opening(name: "the form of a new book", context: .form, keys: "A x Enter"),
        Opening(name: "the question whether books get one title", context: .form, keys: "Space Space E x"),
        Opening(name: "what is replaced", context: .prompt, keys: "E ^r t r"),
        Opening(name: "what a replacement would do", context: .replacement, keys: "V E ^r s / k / K / Enter"),
        Opening(name: "the unsaved changes", context: .changes, keys: "X g d"),
        Opening(name: "the question about books that are not listed", context: .books, keys: "Space / 3 Enter m d"),
        Opening(name: "the question whether changes are discarded", context: .form, keys: "E j Esc"),
        Opening(name: "the export dialog", context: .prompt, keys: "x"),
        Opening(name: "the input dialog", context: .prompt, keys: "+"),
        Opening(name: "the delete confirmation", context: .lists, keys: "L G D"),
        Opening(name: "the history", context: .history, keys: "U"),
        Opening(name: "the history's filter", context: .search, keys: "U / t"),
        Opening(name: "the reading log", context: .log, keys: "m d m L"),
        Opening(name: "the readings of a book", context: .log, keys: "j m d m l"),
        Opening(name: "the duplicates", context: .duplicates, keys: "g D"),
        Opening(name: "the values of a field", context: .values, keys: "g V"),
        Opening(name: "the new name of a value", context: .prompt, keys: "g V Enter"),
        Opening(name: "what was found of several books", context: .lookup, keys: "Space Space g l"),
        Opening(name: "the question about servers", context: .prompt, keys: "j") {
            $0.push(LookupDialog([.example]) { _, _ in })
        },
        Opening(name: "the choice of a scan", context: .shelves, keys: "g b"),
        Opening(name: "a scan", context: .shelves, keys: "g b Enter 9 Enter 9 7 8 0 1 4 1 4 3 9 5 8 7 Enter"),
        Opening(name: "the days of a reading", context: .prompt, keys: "m D 2 0 1 9 Enter m L E"),
        Opening(name: "the goal", context: .prompt, keys: "% E"),
        Opening(name: "facets", context: .facets, keys: "F"),
        Opening(name: "statistics", context: .statistics, keys: "%"),
        Opening(name: "the messages", context: .messages, keys: "t : m e s s a g e s Enter"),
        Opening(name: "the record", context: .record, keys: "j : r e c o r d Enter"),
        Opening(name: "the index of the guide", context: .guide, keys: ": g u i d e Enter"),
        Opening(name: "a page of the guide", context: .guide, keys: ": g u i d e Enter Enter Tab"),
        Opening(name: "the guide's filter", context: .search, keys: ": g u i d e Enter / w"),
        Opening(name: "the clashes", context: .clashes, keys: "j") { $0.push(ClashScreen.example) },
        Opening(name: "the password dialog", context: .prompt, keys: "j") {
            $0.push(PasswordDialog(LockedSource.question, for: LockedForReading(source: LockedSource(books: []))))
        },
        Opening(name: "what may follow a key", context: .books, keys: "s (pause)"),
    ]

    private let user: User
    /// An editable catalog, for the commands that need one.
    private let file: String

    init() throws {
        var books = (1...12).map { Book.make(title: "Book \($0)", authors: ["Author \($0 % 3)"], pageCount: $0 * 100) }
        books[3].title = "書名"
        books[4].description = String(repeating: "word ", count: 200)
        user = User(books: books)
        file = try user.writeCatalog()
        user.guide = try user.writeGuide()
        user.lookup = LookupService(isConfigured: true) { [.example] }
        // A shelf that can be deleted, and changes for the history.
        try user.browse("+ w Enter t j t", resumes: false)
    }

    private static let usual = Size(rows: 24, columns: 100)

    private func open(_ opening: Opening, of catalog: EditedCatalog? = nil) -> App {
        let isEdited =
            [.form, .replacement, .changes].contains(opening.context) || opening.keys.hasPrefix("E ")
            || ["g V", "Space Space g l", "g b"].contains(where: opening.keys.hasPrefix)
        let source = catalog ?? (isEdited ? user.edited(file) : nil)
        let app = user.makeApp(source: source, resumes: false)
        _ = app.draw(size: Self.usual)
        for step in ScriptedTerminal.Step.keys(opening.keys) {
            switch step {
            case .events(let events): events.forEach { _ = app.handle($0) }
            case .pause: _ = app.handle(.timeOut)
            case .resize, .wakeUp, .wakeUps: break
            }
            app.update()
        }
        opening.push?(app)
        return app
    }

    @Test func everyContextHasAScreen() {
        #expect(Set(Self.openings.map(\.context)) == Set(CommandContext.allCases))
        for opening in Self.openings { #expect(open(opening).front.context == opening.context, "\(opening.name)") }
    }

    @Test(.thorough, arguments: openings)
    func aScreenIsWholeInEveryWindow(opening: Opening) {
        let app = open(opening)
        let low = (1...130).flatMap { columns in [1, 5, 12].map { Size(rows: $0, columns: columns) } }
        let narrow = (1...45).flatMap { rows in
            [1, 12, 20, 41, 60, 80, 100, 130].map { Size(rows: rows, columns: $0) }
        }
        for size in low + narrow {
            let (canvas, cursor) = app.draw(size: size)
            #expect(canvas.size == size)
            #expect(canvas.isWhole, "\(size)")
            #expect((0..<size.rows).contains(cursor.row) && (0..<size.columns).contains(cursor.column), "\(size)")
        }
    }

    @Test(.thorough, arguments: openings)
    func drawingASecondTimeChangesNothing(opening: Opening) {
        let app = open(opening)
        // A kept search is written in the background.
        app.session.preferences.finish {}
        for size in [Self.usual, Size(rows: 15, columns: 50), Size(rows: 45, columns: 160), Size(rows: 3, columns: 9)] {
            let first = app.draw(size: size)
            let state = Self.state(of: app)
            let second = app.draw(size: size)
            #expect(first.canvas.text == second.canvas.text)
            #expect((0..<size.rows).allSatisfy { Array(first.canvas.row($0)) == Array(second.canvas.row($0)) })
            #expect(first.cursor == second.cursor)
            #expect(Self.state(of: app) == state)
        }
    }

    /// All state of the screens and the session as text.
    private static func state(of app: App) -> String {
        var text = ""
        dump(app, to: &text, maxDepth: 7)
        return text
    }

    @Test(arguments: openings)
    func everyCommandOfItsContextIsHandled(opening: Opening) {
        for info in CommandInfo.all where info.contexts.contains(opening.context) {
            let app = open(opening)
            let response = app.respond(to: CommandRequest(command: info.command, argument: "a"))
            guard case .done = response else {
                Issue.record("\(info.title) is not done in \(opening.name)")
                continue
            }
        }
    }

    @Test(arguments: openings)
    func commandsOfOtherContextsAreIgnored(opening: Opening) {
        let app = open(opening)
        for info in CommandInfo.all where !info.contexts.contains(opening.context) {
            guard case .ignored = app.respond(to: CommandRequest(command: info.command)) else {
                Issue.record("\(info.title) is done in \(opening.name)")
                continue
            }
        }
        #expect(app.front.context == opening.context)
    }

    @Test(arguments: openings)
    func itIsAnnounced(opening: Opening) {
        let app = open(opening)
        var output = ScreenReaderOutput()
        _ = app.draw(size: ScreenReaderOutput.windowSize)
        #expect(!output.lines(of: app).isEmpty)
        // Lines are not announced twice.
        #expect(output.lines(of: app) == [])
    }

    @Test(arguments: openings)
    func theMouseIsHarmless(opening: Opening) {
        let app = open(opening)
        for row in 0..<24 {
            for column in stride(from: 0, to: 100, by: 7) {
                for action in [Mouse.Action.wheel(1), .wheel(-1), .drag, .release] {
                    _ = app.handle(.mouse(Mouse(action, at: Position(row: row, column: column), time: 0)))
                }
            }
        }
        #expect(app.front.context == opening.context)
        #expect(app.draw(size: Self.usual).canvas.isWhole)
    }

    @Test(arguments: openings)
    func aQuestionWaitsUntilItIsClosed(opening: Opening) throws {
        for question in SessionQuestion.allCases {
            let app = open(opening, of: try user.lockedLibrary())
            #expect(app.front.context == opening.context)
            let screen = app.top
            user.ask([question], of: app)
            if screen !== app.main || app.keys.isAwaitingMore {
                #expect(app.top === screen, "\(question) interrupts \(opening.name)")
            }
            for _ in 0..<8 where app.top === screen || app.askedQuestion == nil { app.closeWithAKey() }
            #expect(app.top !== screen && app.askedQuestion == question, "\(question) after \(opening.name)")
        }
    }

    /// A class with much state has many reasons to change.
    @Test func noTypeHasMuchState() {
        let app = open(Self.openings[0])
        let parts: [Any] = [
            app, app.session, app.session.books, app.session.status, app.main, app.main.lists, app.main.books,
            app.main.detail, app.session.books.rows, app.hintBar,
        ]
        for part in parts + Self.openings.map({ open($0).top }) {
            #expect(Mirror(reflecting: part).children.count <= 15, "\(type(of: part))")
        }
    }
}

extension Canvas {
    /// Whether each wide character has its second cell, and each second cell its wide character.
    var isWhole: Bool {
        (0..<size.rows).allSatisfy { row in
            let cells = Array(self.row(row))
            return cells.indices.allSatisfy { column in
                let isFollowed = column + 1 < cells.count && cells[column + 1].isContinuation
                return (cells[column].glyph.columns == 2) == isFollowed
            } && cells.first?.isContinuation != true
        }
    }
}

extension LookupSource {
    /// A server that knows a title and two values of each book.
    static let example = LookupSource(name: "loc", path: "sru+https://books.example/", isServer: true) {
        { query in
            guard case .isbn(let isbn) = query else { return [Book.make(title: "Book", pageCount: 7)] }
            var book = Book.make(title: "Book", authors: ["Ann"], pageCount: 7)
            book.isbn = isbn
            return [book]
        }
    }
}
