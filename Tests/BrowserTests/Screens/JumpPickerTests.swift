import CatalogTesting
import Glibc
import Search
import TerminalTesting
import TerminalUI
import TestSupport
import Testing

@testable import Books
@testable import Browser
@testable import Library

@Suite("Jump") struct JumpPickerTests {
    private let user: User = {
        func book(_ title: String, _ author: String, _ series: String?, _ place: Double?, _ subjects: [String]) -> Book
        {
            var book = Book.make(title: title, authors: [author])
            (book.series, book.seriesPosition, book.subjects) = (series, place, subjects)
            return book
        }
        return User(books: [
            book("Mort", "Terry Pratchett", "Discworld", 4, ["Death"]),
            book("Emma", "Jane Austen", nil, nil, ["Marriage", "Villages"]),
            book("Equal Rites", "Terry Pratchett", "Discworld", 3, ["Magic"]),
            book("Dune", "Frank Herbert", "Dune", 1, ["Deserts"]),
            book("Persuasion", "Jane Austen", nil, nil, ["Marriage"]),
        ])
    }()

    /// The rows of the picker, each without its leading sign.
    private func rows(_ terminal: ScriptedTerminal) -> [String] {
        let popup = terminal.text.split(separator: "\n").drop { !$0.contains("┌─ Jump") }
        return popup.dropFirst(3).compactMap { line in
            guard let start = line.firstIndex(of: "│") else { return nil }
            let inside = line[line.index(after: start)...].drop { $0 == " " || $0 == "▌" }
            return inside.split(separator: "  ").first.map { _ in
                inside.split(separator: " ", omittingEmptySubsequences: true).prefix { $0 != "│" }.joined(
                    separator: " ")
            }
        }.filter { !$0.isEmpty }
    }

    @Test func withoutLettersThereAreTheListsAndTheMostFrequentNames() throws {
        let rows = rows(try user.browse("f", columns: 70, rows: 30))
        #expect(rows.prefix(3) == ["list All books 5 books", "list Favourites 0 books", "list To read 0 books"])
        #expect(
            rows[7...9] == ["subject Marriage 2 books", "series Discworld 2 books", "author Jane Austen 2 books"])
    }

    @Test func eachKeyNarrowsTheTargets() throws {
        #expect(rows(try user.browse("f d u", columns: 70))[0] == "series Dune 1 book")
        #expect(rows(try user.browse("f d u", columns: 70))[1] == "title Dune Frank Herbert")
        #expect(rows(try user.browse("f j a", columns: 70)) == ["author Jane Austen 2 books"])
        let nothing = try user.browse("f q q", columns: 70)
        #expect(nothing.text.contains("Nothing has these letters in this order"))
    }

    @Test func enterOnATitleGoesToTheBookInTheList() throws {
        let terminal = try user.browse("f p e r s Enter")
        #expect(terminal.hasTitle(" All books (5)"))
        #expect(terminal.selection == "Persuasion")
        #expect(try user.browse("g g f p e r s Enter ^o").selection == "Mort")
    }

    @Test func aBookThatIsNotListedIsGoneToInAllBooks() throws {
        let terminal = try user.browse("/ m o r t Enter f p e r s Enter")
        #expect(terminal.hasTitle(" All books (5)"))
        #expect(terminal.selection == "Persuasion")
    }

    @Test func enterOnANameListsItsBooks() throws {
        let terminal = try user.browse("f a u s t Enter")
        #expect(terminal.hasTitle(" All books (2)  ⟂ author:=\"Jane Austen\""))
        #expect(terminal.selection == "Emma")
        #expect(try user.browse("f d i s c Enter", resumes: false).title.contains("series:=Discworld"))
        #expect(try user.browse("f m a r r Enter", resumes: false).title.contains("subject:=Marriage"))
    }

    @Test func enterOnAListOpensIt() throws {
        #expect(try user.browse("f f a v Enter").hasTitle(" Favourites (0)"))
        #expect(try user.browse("f f a v Enter ^o", resumes: false).hasTitle(" All books (5)"))
    }

    @Test func tabFiltersTheOpenListByIt() throws {
        let terminal = try user.browse("t j t f a u s t Tab")
        #expect(terminal.title.contains("author:=\"Jane Austen\""))
        #expect(try user.browse("f f a v Tab", resumes: false).hasTitle(" All books (2)  ⟂ is:favourite"))
        let both = try user.browse("f f a v Tab f a u s t Tab", resumes: false)
        #expect(both.hasTitle(" All books (1)  ⟂ is:favourite author:=\"Jane Austen\""))
        let refused = try user.browse("f u p n Tab", resumes: false)
        #expect(refused.text.contains("No search finds the books of this list"))
    }

    @Test func aWideWindowHasAPreview() throws {
        let author = try user.browse("f a u s t", columns: 120)
        #expect(author.text.contains("│ Jane Austen"))
        #expect(author.text.contains("│ 2 books"))
        #expect(author.text.contains("│ Persuasion"))
        let series = try user.browse("f d i s c", columns: 120).text
        let (third, fourth) = (series.firstRange(of: "│ Equal Rites"), series.firstRange(of: "│ Mort"))
        #expect(third != nil && fourth != nil && third!.lowerBound < fourth!.lowerBound)
        #expect(try user.browse("f p e r s", columns: 120).text.contains("│ Persuasion"))
        #expect(try user.browse("f a l l", columns: 120).text.contains("│ 5 books"))
    }

    @Test func escClosesItAndChangesNothing() throws {
        let terminal = try user.browse("j f a u s t Esc")
        #expect(terminal.selection == "Emma")
        #expect(!terminal.text.contains("Jump"))
    }

    @Test func theLineModePrintsTheFirstTarget() throws {
        let answers = try user.narrate("f a u s t").answers
        #expect(answers.contains { $0.contains { $0.hasPrefix("Jump (") } })
        #expect(answers.last == ["›aust", "Jump (1)", "author, Jane Austen, 2 books, 1 of 1"])
    }

    @Test(arguments: [(20, 5), (30, 8), (50, 15), (100, 24), (200, 50)])
    func itFitsInEveryWindow(columns: Int, rows: Int) throws {
        let terminal = try user.browse("f a u s t Enter", columns: columns, rows: rows)
        #expect(terminal.text.contains("Emma"))
    }

    @Test func ofAServerThereAreTheListsAndTheBooksOnTheScreen() throws {
        let source = PagedSource(
            (1...200).map { Book.make(title: "Book \($0)", authors: ["Author \($0 % 5)"]) }, pageSize: 20)
        let steps: [ScriptedTerminal.Step] =
            [.events([.wakeUp])] + ScriptedTerminal.Step.keys("f a u t h 2")
        let terminal = try user.browse(steps: steps, source: source, resumes: false)
        #expect(terminal.text.contains("Jump to a list or a book on the screen (1)"))
        #expect(terminal.text.contains("author  Author 2"))
        // What the screen needs is all that is asked for.
        #expect(Set(source.requestedPages).isSubset(of: [0, 1]))
    }

    @Test(.thorough) func inALargeCatalogTheNamesArriveLater() throws {
        let user = User(books: (0..<6000).map { Book.make(title: "Book \($0)", authors: ["Author \($0 % 300)"]) })
        let app = user.makeApp()
        _ = app.handle(.key(.character("f")))
        for character in "author 7" { _ = app.handle(.key(.character(character))) }
        func isFound() -> Bool {
            _ = app.draw(size: Size(rows: 30, columns: 120))
            guard let picker = app.screens.last as? JumpPicker else { return false }
            return picker.table.rowCount > 0 && picker.title.hasPrefix("Jump (")
        }
        for _ in 0..<1000 where !isFound() {
            usleep(10_000)
            _ = app.handle(.wakeUp)
        }
        #expect(isFound())
        _ = app.handle(.key(.enter))
        app.update()
        #expect(app.session.books.request.query.text == "author:=\"Author 7\"")
    }
}
