import ConnectorProtocol
import Foundation
import Glibc
import Graphemes
import Remote
import TerminalTesting
import TerminalUI
import Testing

@testable import Books
@testable import Browser
@testable import Library

/// Covers in the card of a book and as a grid, the third form of the list.
@Suite("Covers: on the screen")
struct CoversTests {
    private let user = User(bookCount: 30)
    /// A user who has not chosen a form yet.
    private var fresh: User { User(bookCount: 30) }

    /// A picture within a record; what it has is the business of the connector program.
    private static let picture = "data:image/png;base64,iVBORw0KGgo="

    /// A user with two books of two authors, the first of which has a cover.
    private func reader(cover: String, ofSecond second: String? = nil) -> User {
        var (first, other) = (
            Book.make(title: "Emma", authors: ["Jane Austen"]), Book.make(title: "Cosmos", authors: ["Carl Sagan"])
        )
        first.description = Array(repeating: "A long text about the book.", count: 20).joined(separator: " ")
        (first.cover, other.cover) = (cover, second)
        return User(books: [first, other])
    }

    private func browse(
        _ user: User, steps: [ScriptedTerminal.Step], columns: Int = 120, form: PictureSupport.Form = .cells,
        resumes: Bool = false
    ) throws -> ScriptedTerminal {
        let terminal = ScriptedTerminal(size: Size(rows: 24, columns: columns), steps: steps)
        terminal.pictures = PictureSupport(form: form)
        _ = try user.browse(on: terminal, resumes: resumes)
        return terminal
    }

    private func browse(
        _ user: User, _ keys: String = "", columns: Int = 120, form: PictureSupport.Form = .cells, resumes: Bool = false
    ) throws -> ScriptedTerminal {
        try browse(
            user, steps: ScriptedTerminal.Step.keys(keys), columns: columns, form: form, resumes: resumes)
    }

    /// Whether a place is left to a cover.
    private func hasFrame(_ terminal: ScriptedTerminal) -> Bool { terminal.text.contains("┌──") }

    // MARK: - Forms

    @Test("The key shows cards, covers and columns in turn in a window of a hundred columns")
    func forms() throws {
        for columns in [100, 120] {
            let messages = try ["c", "c c", "c c c", "c c c c"].map { try browse(fresh, $0, columns: columns).status }
            #expect(
                messages == [
                    "1/30  Cards; c shows covers", "1/30  Covers; c shows columns", "1/30  Columns; c shows cards",
                    "1/30  Cards; c shows covers",
                ])
        }
    }

    @Test("Without room, pictures or the user's wish there are no covers")
    func twoForms() throws {
        func messages(columns: Int, form: PictureSupport.Form, hasCovers: Bool = true) throws -> [String] {
            try ["c", "c c"].map { keys in
                let user = fresh
                user.settings.covers.shows = hasCovers
                return try browse(user, keys, columns: columns, form: form).status
            }
        }
        let expected = ["1/30  Cards; c shows columns", "1/30  Columns; c shows cards"]
        #expect(try messages(columns: 99, form: .cells) == expected)
        #expect(try messages(columns: 120, form: .none) == expected)
        #expect(try messages(columns: 120, form: .cells, hasCovers: false) == expected)
    }

    @Test("Any form of pictures is enough for covers", arguments: PictureSupport.Form.allCases)
    func formsOfPictures(form: PictureSupport.Form) throws {
        #expect(try browse(fresh, "c c", form: form).row(1).hasPrefix("▌┌──") == (form != .none))
    }

    @Test("A book without a cover has a frame with its title in the grid")
    func grid() throws {
        let terminal = try browse(fresh, "c c")
        let frame = String(repeating: "─", count: 12)
        #expect(terminal.row(1).hasPrefix("▌┌\(frame)┐   ┌\(frame)┐   ┌\(frame)┐   ┌\(frame)┐"))
        #expect(terminal.row(2).hasPrefix("▌│Book 1      │   │Book 2      │   │Book 3      │   │Book 4      │"))
        #expect(terminal.row(3).hasPrefix("▌│            │   │            │"))
        #expect(terminal.row(11).hasPrefix("▌└\(frame)┘   └\(frame)┘"))
        #expect(terminal.row(12).hasPrefix("▌Book 1           Book 2           Book 3"))
        #expect(terminal.row(13).hasPrefix("▌An Author        An Author"))
        #expect(terminal.row(15).hasPrefix(" ┌\(frame)┐   ┌\(frame)┐"))
        #expect(terminal.row(16).hasPrefix(" │Book 5      │   │Book 6      │"))
    }

    @Test("Down and up move by a line of the grid, left and right by a cover")
    func arrows() throws {
        func position(_ keys: String) throws -> String {
            String(try browse(fresh, "c c " + keys).status.prefix { $0 != " " })
        }
        #expect(try position("j") == "5/30")
        #expect(try position("Down Down") == "9/30")
        #expect(try position("3 j") == "13/30")
        #expect(try position("3 j k") == "9/30")
        #expect(try position("Right") == "2/30")
        #expect(try position("Right Right j Left") == "6/30")
        // From the last cover of a line to the first one of the next.
        #expect(try position("Right Right Right Right") == "5/30")
        #expect(try position("G") == "30/30")
        #expect(try position("G Right") == "30/30")
        // The last line has two covers only.
        #expect(try position("Right Right Right 6 j j") == "30/30")
    }

    @Test("A count before an arrow to the side is not left for the next key, and the last message goes")
    func countBeforeArrow() throws {
        let position = String(try browse(fresh, "c c 2 Right j").status.prefix { $0 != " " })
        #expect(["6/30", "7/30"].contains(position))
        #expect(try browse(fresh, "c c Right").status == "2/30")
    }

    @Test("Left leads to the lists only from the first cover of a line, and in cards from everywhere")
    func left() throws {
        #expect(try browse(fresh, "c c Left").title.hasPrefix(" Lists"))
        #expect(try browse(fresh, "c c j Left").title.hasPrefix(" Lists"))
        #expect(try browse(fresh, "c c Right Left").status.hasPrefix("1/30"))
        #expect(try browse(fresh, "c j Left").title.hasPrefix(" Lists"))
        #expect(try browse(fresh, "c c c j Left").title.hasPrefix(" Lists"))
    }

    @Test("A click on a cover makes its book the current one")
    func click() throws {
        let steps = ScriptedTerminal.Step.keys("c c")
        #expect(try browse(fresh, steps: steps + [.click(row: 5, column: 20)]).status.hasPrefix("2/30"))
        #expect(try browse(fresh, steps: steps + [.click(row: 17, column: 3)]).status.hasPrefix("5/30"))
    }

    // MARK: - Preferences

    private func preferences() throws -> String {
        let text = try String(contentsOfFile: user.stateDirectory + "/preferences.json", encoding: .utf8)
        return text.filter { !$0.isWhitespace }
    }

    @Test("The form is remembered, also while a window has no room for it")
    func remembered() throws {
        _ = try browse(user, "c", resumes: true)
        #expect(try preferences().contains(#""cards":true"#))
        #expect(try !preferences().contains("covers"))
        #expect(try browse(user, resumes: true).row(1).hasPrefix("▌Book 1"))
        _ = try browse(user, "c", resumes: true)
        // Versions without covers show cards.
        #expect(try preferences().contains(#""cards":true"#))
        #expect(try preferences().contains(#""covers":true"#))
        #expect(try browse(user, resumes: true).row(1).hasPrefix("▌┌──"))
        #expect(try browse(user, columns: 80, resumes: true).row(1).hasPrefix("▌Book 1"))
        #expect(try browse(user, form: .none, resumes: true).row(1).hasPrefix("▌Book 1"))
        #expect(try preferences().contains(#""covers":true"#))
        #expect(try browse(user, resumes: true).row(1).hasPrefix("▌┌──"))
        _ = try browse(user, "c", resumes: true)
        #expect(try !preferences().contains("covers"))
        #expect(try browse(user, resumes: true).row(1).contains("Title"))
    }

    @Test("From covers that a window has no room for, the key leads to columns")
    func leavingHiddenCovers() throws {
        _ = try browse(user, "c c", resumes: true)
        let terminal = try browse(user, "c", columns: 80, resumes: true)
        #expect(terminal.status == "1/30  Columns; c shows cards")
        #expect(try browse(user, resumes: true).row(1).contains("Title"))
    }

    @Test("Cards as the setting can be left for covers, and that is remembered")
    func cardsAsSetting() throws {
        user.settings.showsCards = true
        _ = try browse(user, "c", resumes: true)
        #expect(try browse(user, resumes: true).row(1).hasPrefix("▌┌──"))
        _ = try browse(user, "c", resumes: true)
        #expect(try preferences().contains(#""cards":false"#))
        #expect(try browse(user, resumes: true).row(1).contains("Title"))
    }

    // MARK: - Card

    @Test("The card leaves a place to a cover at once, and none where there is no cover or covers are off")
    func placeInCard() throws {
        let user = reader(cover: Self.picture)
        let first = try browse(user)
        #expect(first.screens.first?.text.contains("┌──") == true)
        #expect(hasFrame(first))
        #expect(try !hasFrame(browse(user, "j")))
        #expect(try !hasFrame(browse(user, form: .none)))
        let plain = try browse(user, form: .none).text
        user.settings.covers.shows = false
        let off = try browse(user)
        #expect(off.text == plain)
        let without = reader(cover: "")
        #expect(try browse(without).text == browse(without, form: .none).text)
    }

    /// Makes the connector program of a user one that gives this reply to each request but the first.
    private func install(replying reply: String, for user: User) throws {
        // Writing to a program that has ended must not end the tests.
        signal(SIGPIPE, SIG_IGN)
        let cache = user.home.appending(path: "cache")
        try FileManager.default.createDirectory(
            at: cache.appending(path: "exports"), withIntermediateDirectories: true)
        let script = #"""
            #!/bin/sh
            while IFS= read -r line; do
                id=${line#*:}
                id=${id%%,*}
                case $line in
                *'"do":"hello"'*) reply='"end":true,"protocol":4,"kinds":[],"landlock":0,"seccomp":false' ;;
                *) reply='\#(reply)' ;;
                esac
                printf '{"re":%s,%s}\n' "$id" "$reply"
            done
            """#
        let program = user.home.appending(path: "connector")
        try Data((script + "\n").utf8).write(to: program)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program.path)
        user.connector = ConnectorProgram(path: program.path, cache: cache.path)
    }

    /// The rows and columns of the only frame on a screen.
    private func frame(on screen: Canvas) throws -> Rect {
        var corners: [String: Position] = [:]
        for row in 0..<screen.size.rows {
            for column in 0..<screen.size.columns where "┌┘".contains(screen[row, column].glyph.text) {
                corners[screen[row, column].glyph.text] = Position(row: row, column: column)
            }
        }
        let (start, end) = (try #require(corners["┌"]), try #require(corners["┘"]))
        return Rect(
            row: start.row, column: start.column, height: end.row + 1 - start.row, width: end.column + 1 - start.column)
    }

    @Test("When the picture comes, it is in its place, and the text beside it does not move")
    func pictureInCard() throws {
        let user = reader(cover: Self.picture)
        // Two cells beside each other.
        try install(replying: #""end":true,"columns":2,"rows":1,"cells":"AQECA////wMKCwwAABA=""#, for: user)
        let terminal = try browse(user, steps: [.pause, .wakeUps(until: { $0.hasPictures })])
        let (before, after) = (try #require(terminal.screens.first), try #require(terminal.screens.last))
        #expect(!before.hasPictures)
        try #require(after.hasPictures)
        let frame = try frame(on: before)
        for row in 0..<24 {
            for column in 0..<120 {
                let position = Position(row: row, column: column)
                let part = after.picture(row: row, column: column)
                if let part {
                    // At the bottom, in the middle.
                    #expect(row == frame.endRow - 1 && column == frame.column + (frame.width - 2) / 2 + part.column)
                    #expect(part.picture.size == Size(rows: 1, columns: 2))
                } else if !frame.contains(position) {
                    #expect(after[row, column] == before[row, column], "\(position)")
                }
            }
        }
        #expect(!after.text.contains("┌"))
    }

    @Test("The grid shows the picture of a book that has one, and the title of another")
    func pictureInGrid() throws {
        let user = reader(cover: Self.picture)
        try install(replying: #""end":true,"columns":2,"rows":1,"cells":"AQECA////wMKCwwAABA=""#, for: user)
        let keys = ScriptedTerminal.Step.keys("c c")
        let terminal = try browse(
            user, steps: keys + [.pause, .wakeUps(until: { $0.picture(row: 11, column: 7) != nil })])
        let screen = try #require(terminal.screens.last)
        #expect(screen.picture(row: 11, column: 7)?.column == 0 && screen.picture(row: 11, column: 8)?.column == 1)
        #expect(terminal.row(2).hasPrefix("▌                 │Cosmos      │"))
    }

    @Test("A picture that cannot be shown leaves its place to the reason")
    func failure() throws {
        for (reply, reason) in [
            (#""error":"format","reason":"damaged""#, "damaged"),
            (#""error":"refused","reason":"tooLarge""#, "too large"),
        ] {
            let user = reader(cover: Self.picture)
            try install(replying: reply, for: user)
            let terminal = try browse(user, steps: [.pause, .wakeUps(until: { $0.text.contains("Cover") })])
            #expect(hasFrame(terminal))
            let words = terminal.text.split { !$0.isLetter }
            #expect(words.contains("Cover") && reason.split(separator: " ").allSatisfy { words.contains($0) })
        }
    }

    @Test("Without the connector program, the place says so")
    func noProgram() throws {
        let terminal = try browse(reader(cover: Self.picture), "(pause)")
        #expect(terminal.text.contains("Cover") && terminal.text.contains("installed"))
    }

    // MARK: - Servers

    private static let question = "Fetch the cover from covers.example?"

    @Test("A book without a cover has none to fetch")
    func fetchNothing() throws {
        #expect(try browse(user, "g c").status.hasPrefix("1/30  The catalog has no cover of this book. "))
        #expect(
            try browse(user, "g c", form: .none).status
                == "1/30  Covers are not shown here. The guide says why")
        user.settings.covers.shows = false
        #expect(try browse(user, "g c").status == "1/30  Covers are not shown here. The guide says why")
    }

    @Test("A cover on this machine is read again")
    func fetchFile() throws {
        let user = reader(cover: "covers/a.jpg")
        user.catalog = try user.writeCatalog()
        #expect(try hasFrame(browse(user)))
        #expect(try browse(user, "g c").status == "1/2  The cover is on this machine. It is read again")
        let record = reader(cover: Self.picture)
        #expect(try browse(record, "g c").status == "1/2  The cover is on this machine. It is read again")
    }

    @Test("Where no cover has a place, the message says when it is fetched")
    func fetchWithoutPlace() throws {
        let user = reader(cover: "https://covers.example/1.jpg")
        user.settings.covers.servers = Set(ServerOrigin.all(in: "https://covers.example"))
        #expect(try browse(user, "g c").status == "1/2  Fetching the cover …")
        let narrow = ScriptedTerminal(size: Size(rows: 15, columns: 50), steps: ScriptedTerminal.Step.keys("g c"))
        narrow.pictures = PictureSupport(form: .cells)
        _ = try user.browse(on: narrow, resumes: false)
        #expect(narrow.text.contains("The cover is fetched when the window has a\n"))
    }

    @Test("Nothing is fetched from a server that the user has not named before he allows it")
    func unnamedServer() throws {
        let user = reader(cover: "https://covers.example/1.jpg", ofSecond: "https://covers.example/2.jpg")
        #expect(try !hasFrame(browse(user)))
        let question = try browse(user, "g c")
        #expect(question.text.contains(Self.question) && !hasFrame(question))
        let refused = try browse(user, "g c n")
        #expect(!refused.text.contains(Self.question) && !hasFrame(refused))
        let allowed = try browse(user, "g c y")
        #expect(allowed.status == "1/2  Fetching the cover …" && hasFrame(allowed))
        // The server is allowed until the end, but each cover is fetched only when it is asked for.
        #expect(try !hasFrame(browse(user, "g c y j")))
        let second = try browse(user, "g c y j g c")
        #expect(second.status == "2/2  Fetching the cover …" && hasFrame(second))
        #expect(try hasFrame(browse(user, "g c y j k")))
        #expect(try browse(user, "g c").text.contains(Self.question))
    }

    @Test("From a server that the user has named, a cover is fetched without a question")
    func namedServer() throws {
        let user = reader(cover: "https://Covers.example/1.jpg", ofSecond: "https://other.example/2.jpg")
        user.settings.covers.servers = Set(ServerOrigin.all(in: "https://covers.example"))
        #expect(try !hasFrame(browse(user)))
        let fetched = try browse(user, "g c")
        #expect(fetched.status == "1/2  Fetching the cover …" && hasFrame(fetched))
        #expect(try browse(user, "j g c").text.contains("Fetch the cover from other.example?"))
        // Another port of the same host is another server.
        let port = reader(cover: "https://covers.example:8080/1.jpg")
        port.settings.covers.servers = user.settings.covers.servers
        #expect(try browse(port, "g c").text.contains("Fetch the cover from covers.example:8080?"))
    }

    @Test("The server of the catalog is named")
    func serverOfCatalog() throws {
        let user = reader(cover: "https://covers.example/1.jpg")
        user.catalog = "https://covers.example/opds"
        #expect(try !hasFrame(browse(user)))
        #expect(try browse(user, "g c").status == "1/2  Fetching the cover …")
    }

    @Test("With the setting, covers come from servers as the reader comes to a book, but only from named ones")
    func remote() throws {
        let user = reader(cover: "https://covers.example/1.jpg", ofSecond: "https://other.example/2.jpg")
        user.settings.covers.isRemote = true
        #expect(try !hasFrame(browse(user)))
        user.settings.covers.servers = Set(ServerOrigin.all(in: "https://covers.example"))
        #expect(try hasFrame(browse(user)))
        #expect(try !hasFrame(browse(user, "j")))
        // What was allowed once is named until the end.
        #expect(try hasFrame(browse(user, "j g c y")))
    }
}
