import Catalog
import CatalogTesting
import TerminalTesting
import Testing

@testable import Books

/// Selecting rows, and commands on the selected books.
@Suite("Selecting rows")
struct RowSelectionTests {
    private let user = User(bookCount: 12)

    /// Returns the numbers of the books in selected rows, and the number in the status line.
    private func marked(_ keys: String, source: (any CatalogSource)? = nil) throws -> String {
        let terminal = try user.browse(keys, source: source, resumes: false)
        let signs: [Substring] = terminal.text.split(separator: "\n").filter { "▪◆".contains($0.prefix(1)) }
            .compactMap { $0.dropFirst(3).split(separator: " ").dropFirst().first }
        let told = terminal.status.split(separator: " ")
        let count = told.count > 2 && told[2] == "selected" ? told[1] : "0"
        return signs.joined(separator: " ") + ": " + count
    }

    @Test func spaceSelectsARowAndMovesDown() throws {
        let terminal = try user.browse("Space")
        #expect(terminal.row(2).hasPrefix("▪Book 1"))
        #expect(terminal.row(3).hasPrefix("▌Book 2"))
        #expect(terminal.status == "2/12  1 selected")
    }

    @Test func theCurrentRowShowsThatItIsSelected() throws {
        #expect(try user.browse("Space k").row(2).hasPrefix("◆Book 1"))
    }

    @Test(arguments: [
        ("", ": 0"), ("Space Space", "1 2: 2"), ("Space k Space", ": 0"), ("5 Space", "1 2 3 4 5: 5"),
        ("G Space", "12: 1"), ("G 5 Space", "12: 1"), ("G Space Space", ": 0"), ("k Space", "1: 1"),
        ("9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 Space", "1 2 3 4 5 6 7 8 9 10 11 12: 12"),
        // On a selected row, as many rows are deselected.
        ("5 Space g g 2 Space", "3 4 5: 3"), ("j Space k k 3 Space", "1 2 3: 3"),
    ])
    func spaceWithACountSelectsThatManyRows(keys: String, selected: String) throws {
        #expect(try marked(keys) == selected)
    }

    @Test(arguments: [
        ("v", "1: 1"), ("v j j", "1 2 3: 3"), ("v j j k", "1 2: 2"), ("5 G v k k", "3 4 5: 3"),
        ("v j j v", "1 2 3: 3"), ("v j j v j j", "1 2 3: 3"), ("v j j v G v k", "1 2 3 11 12: 5"),
        ("v G", "1 2 3 4 5 6 7 8 9 10 11 12: 12"), ("G v j j", "12: 1"), ("v k k", "1: 1"),
        // Above the start of the range and down again.
        ("5 G v k k j j j", "5 6: 2"), ("v j Esc", ": 0"), ("v j v Esc", ": 0"), ("Space v j Esc", "1: 1"),
        // Rows selected before stay selected.
        ("3 Space g g v j", "1 2 3: 3"), ("v j Space", "1: 1"),
    ])
    func aRangeExtendsFromItsStartToTheCurrentRow(keys: String, selected: String) throws {
        #expect(try marked(keys) == selected)
    }

    @Test func allAreSelectedAndThenNone() throws {
        #expect(try marked("V") == "1 2 3 4 5 6 7 8 9 10 11 12: 12")
        #expect(try marked("V V") == ": 0")
        #expect(try marked("Space V") == "1 2 3 4 5 6 7 8 9 10 11 12: 12")
        #expect(try marked("v G V") == ": 0")
    }

    @Test func selectingInAnEmptyListDoesNothing() throws {
        #expect(try marked("L j Enter Space v V j v") == ": 0")
        #expect(try marked("2 Space / q q q Enter V v j Space Esc") == "1 2: 2")
    }

    @Test func deselectingTheListedBooksKeepsTheOthersSelected() throws {
        // 1, 10, 11 and 12 contain a 1.
        #expect(try marked("3 Space / 1 Enter V V Esc Esc") == ": 0")
        #expect(try marked("3 Space / 1 Enter V V Esc") == "2 3: 2")
        #expect(try marked("3 Space / 1 Enter V Esc") == "1 2 3 10 11 12: 6")
    }

    @Test func escapeEndsLaterStatesBeforeTheSelection() throws {
        #expect(try marked("2 Space Esc") == ": 0")
        #expect(try marked("2 Space / 1 Enter Esc") == "1 2: 2")
        #expect(try marked("2 Space / 1 Enter Esc Esc") == ": 0")
        #expect(try marked("2 Space Tab Esc") == "1 2: 2")
    }

    @Test func theSelectionSurvivesSearchingAndSorting() throws {
        #expect(try marked("3 Space / 2") == "2: 0")
        #expect(try marked("3 Space / 2 Enter") == "2: 3")
        #expect(try marked("3 Space s t s t") == "3 2 1: 3")
    }

    @Test func theSelectionSurvivesAChangeOfLists() throws {
        #expect(try marked("3 Space L Enter") == "1 2 3: 3")
        #expect(try marked("3 Space t L j Enter") == "1 2 3: 3")
    }

    @Test func theSelectionFollowsItsBooksAfterAReload() throws {
        let books = user.books
        let source = changingSource([.success(books), .success([Book.make(title: "New 0")] + books.dropFirst())])
        #expect(try marked("3 Space R", source: source) == "2 3: 2")
    }

    /// A range consists of visible rows; a search or a sort ends it.
    @Test func aRangeEndsWhenTheListChanges() throws {
        #expect(try marked("v j j / 9 Enter Esc") == "1 2 3: 3")
        // 12 rows, then one: the first row of the range no longer exists.
        #expect(try marked("G v / 9 Enter") == ": 1")
        #expect(try marked("G v k / 9 Enter j j Esc") == "11 12: 2")
        #expect(try marked("v j s t s t") == "2 1: 2")
        #expect(try marked("/ 1 Enter j v j / Backspace Enter") == "10 11: 2")
        #expect(try marked("v j j S t") == "1 2 3: 3")
        #expect(try marked("v j j a a") == "1 2 3: 3")
        #expect(try marked("v j j L Enter") == "1 2 3: 3")
        #expect(try marked("v j j M a G ' a") == "1 2 3 4 5 6 7 8 9 10 11 12: 12")
        #expect(try marked("v j j R") == "1 2 3: 3")
        user.books.removeLast(3)
        #expect(try marked("s t s t g g v j s l") == "8 9: 2")
    }

    @Test func aRangeCanUseAnyMovement() throws {
        #expect(try marked("v 3 j") == "1 2 3 4: 4")
        #expect(try marked("3 G v g g") == "1 2 3: 3")
    }

    // MARK: - Commands on marked books

    private func favourites(_ keys: String) throws -> [String] {
        let terminal = try user.browse(keys, resumes: false)
        return terminal.text.split(separator: "\n").filter { $0.contains("★") && $0.contains("Book") }
            .compactMap { $0.dropFirst(3).split(separator: " ").dropFirst().first.map(String.init) }
    }

    @Test func allSelectedBooksBecomeFavouritesOrNoneIfAllAre() throws {
        let all = try user.browse("3 Space t", resumes: false)
        #expect(all.status == "4/12  3 selected  ★ Favourite: 3 books")
        let none = try user.browse("3 Space t", resumes: false)
        #expect(none.status == "4/12  3 selected  Removed from favourites: 3 books")
        #expect(!none.text.contains("★"))
    }

    @Test func ifSomeAreFavouritesAllBecomeFavourites() throws {
        #expect(try favourites("j t k 3 Space g g t Esc") == ["1", "2", "3"])
        #expect(try favourites("") == ["1", "2", "3"])
    }

    @Test func anUnfinishedRangeCountsAsSelected() throws {
        #expect(try favourites("v j j t Esc") == ["1", "2", "3"])
    }

    @Test func selectedFavouritesLeaveTheirListTogether() throws {
        try user.browse("5 Space t")
        let terminal = try user.browse("L j Enter j 2 Space t", resumes: false)
        #expect(terminal.hasTitle(" Favourites (3)"))
        #expect(terminal.text.contains("★ Book 1") && terminal.text.contains("★ Book 4"))
        #expect(!terminal.text.contains("★ Book 2") && !terminal.text.contains("★ Book 3"))
    }

    @Test func booksThatLeftTheListStaySelected() throws {
        try user.browse("2 Space t")
        #expect(try marked("L j Enter V t L k Enter") == "1 2: 2")
    }
}
