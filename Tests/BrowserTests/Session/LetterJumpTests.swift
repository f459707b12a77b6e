import TerminalTesting
import Testing

@testable import Books

/// Going to a letter or year with gs.
@Suite("Going to a letter or year")
struct LetterJumpTests {
    private let user: User

    init() {
        let books: [(title: String, author: String, year: Int?)] = [
            ("The Zoo", "Ann Mann", 1990), ("Étude", "Bo Lee", 1984), ("A Moon", "Cy Abel", 2001),
            ("Apple", "Di Zola", nil), ("Möbius", "Ed Moss", 1985), ("Война", "Fay Lee", 1869),
            ("Nest", "Guy Orr", 1984),
        ]
        user = User(
            books: books.map { title, author, year in
                var book = Book.make(title: title, authors: [author])
                book.published = year.map { PartialDate(year: $0) }
                return book
            })
    }

    private func current(after keys: String) throws -> String {
        try user.browse(keys, resumes: false).selection
    }

    @Test(
        "gs and a letter goes to the first title with it, or the next one",
        arguments: [
            ("a", "Apple"), ("m", "Möbius"), ("M", "Möbius"), ("e", "Étude"), ("é", "Étude"), ("b", "Étude"),
            ("z", "The Zoo"), ("в", "Война"), ("0", "Apple"),
        ])
    func titles(letter: String, title: String) throws {
        #expect(try current(after: "s t g s \(letter)") == title)
    }

    @Test(
        "In the reversed order, too", arguments: [("m", "A Moon"), ("n", "Nest"), ("b", "Apple"), ("z", "The Zoo")])
    func reversed(letter: String, title: String) throws {
        #expect(try current(after: "s t s t g s \(letter)") == title)
    }

    @Test(
        "Authors have the letter of their family name",
        arguments: [("a", "A Moon"), ("l", "Étude"), ("m", "The Zoo"), ("o", "Nest"), ("p", "Apple")])
    func authors(letter: String, title: String) throws {
        #expect(try current(after: "s a g s \(letter)") == title)
    }

    @Test(
        "A number before gs is a year in the order of years",
        arguments: [
            ("s y 1 9 8 4 g s", "Étude"), ("s y 1 9 8 6 g s", "Möbius"), ("s y s y 1 9 8 6 g s", "The Zoo"),
            ("s y s y 1 9 8 4 g s", "Étude"), ("s y s y 3 0 0 0 g s", "Apple"),
        ])
    func years(keys: String, title: String) throws {
        #expect(try current(after: keys) == title)
    }

    @Test(
        "In a grouped list, the section of the letter or year is found",
        arguments: [
            ("S t g s m", "A Moon"), ("S t g s c", "Étude"), ("S t g s z", "The Zoo"), ("S a g s m", "The Zoo"),
            ("S d 1 9 8 9 g s", "Étude"), ("S d 1 8 6 0 g s", "Война"), ("S d 1 9 7 0 g s", "Étude"),
        ])
    func sections(keys: String, title: String) throws {
        #expect(try current(after: keys) == title)
    }

    @Test("A list without letters or years says how to get them")
    func unsorted() throws {
        let terminal = try user.browse("j g s m", resumes: false)
        #expect(terminal.status == "2/7  This list has no letters or years to go to. Sort it by title with st")
        #expect(
            try user.browse("S r g s m", resumes: false).status.hasSuffix("Sort it by title with st"))
    }

    @Test("A letter among numbers is refused; a number among letters is the start of a title")
    func wrongKind() throws {
        #expect(
            try user.browse("s y g s m", resumes: false).status.hasSuffix(
                "The list is in the order of numbers. Type one before gs"))
        #expect(try current(after: "s t G 1 9 8 4 g s") == "Apple")
    }

    @Test("The keys that can follow are shown")
    func hint() throws {
        #expect(try user.browse("s t g s (pause)", resumes: false).text.contains("the first letter"))
    }
}
