import TerminalTesting
import Testing

@testable import Books
@testable import Browser

@Suite("Years before Christ") struct YearsBeforeChristTests {
    private let user: User

    init() {
        var books = ["Republic", "Poetics", "Emma"].map { Book.make(title: $0) }
        for (number, year) in [-375, -350, 1815].enumerated() { books[number].published = PartialDate(year: year) }
        user = User(books: books)
    }

    /// The words of a screen, separated by single blanks.
    private func words(_ keys: String) throws -> String {
        try user.browse(keys, columns: 120, resumes: false).text.split { " \n".contains($0) }.joined(separator: " ")
    }

    @Test func listAndDetailNameTheYear() throws {
        let list = try words("")
        #expect(list.contains("Republic An Author 375 BC"))
        #expect(list.contains("Poetics An Author 350 BC"))
        #expect(list.contains("│ An Author · 375 BC"))
    }

    @Test func sectionsFacetsAndStatisticsNameTheDecadeAlike() throws {
        for screen in ["S d", "F", "%"] {
            let text = try words(screen)
            #expect(text.contains("370s BC 1"), "\(screen)")
            #expect(text.contains("350s BC 1"), "\(screen)")
            #expect(!text.contains("-3"), "\(screen)")
        }
    }

    @Test func statisticsNameTheYears() throws { #expect(try words("%").contains("375 BC–1815, median 350 BC")) }

    @Test func aDecadeIsFoundByItsName() throws {
        #expect(try user.browse("F / 3 5 0 s Enter Enter", resumes: false).selection == "Poetics")
    }
}
