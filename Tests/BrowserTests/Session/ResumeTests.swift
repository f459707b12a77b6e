import CatalogTesting
import Foundation
import TerminalTesting
import Testing

@testable import Books
@testable import Browser
@testable import Catalog
@testable import Indexing
@testable import Library

/// A restart resumes at the last position, or at the nearest valid one.
@Suite("Resuming")
struct ResumeTests {
    private let user = User(bookCount: 100)

    @Test func listBookAndScrollPositionAreResumed() throws {
        let before = try user.browse("5 0 G 5 k")
        let after = try user.browse()
        #expect(after.selection == "Book 45")
        #expect(after.text == before.text)
    }

    @Test func withoutASavedPositionAllBooksOpens() throws {
        #expect(try user.browse().title.hasPrefix(" All books"))
        #expect(try user.browse("j L", resumes: false).title.hasPrefix(" Lists"))
        #expect(try user.browse(resumes: false).status == "1/100")
    }

    @Test func theListsScreenIsStoredAsMinusOne() throws {
        let terminal = ScriptedTerminal(columns: 80, rows: 24, keys: "t L j Enter")
        _ = try user.browse(on: terminal)
        #expect(user.place?.lastViewedListIndex == 1)
        try user.browse("L")
        #expect(user.place?.lastViewedListIndex == -1)
        let lists = try user.browse()
        #expect(lists.title.hasPrefix(" Lists") && lists.selection == "★ Favourites")
    }

    @Test func theBookDecidesIfItsRowHasMoved() throws {
        try user.browse("4 0 G")
        user.books.removeFirst(10)
        let terminal = try user.browse()
        #expect(terminal.selection == "Book 40")
        #expect(terminal.status == "30/90")
    }

    @Test func theScreenMovesWithTheBook() throws {
        try user.browse("5 0 G 5 k")
        let before = try user.browse()
        user.books.removeFirst(10)
        let after = try user.browse()
        /// The rows without the detail, which counts the books of the author.
        func list(_ terminal: ScriptedTerminal) -> [Substring] {
            (2..<22).map { terminal.row($0).prefix { $0 != "│" } }
        }
        // The same books in the same rows of the screen.
        #expect(list(after) == list(before))
    }

    @Test func theRowDecidesIfTheBookIsGone() throws {
        try user.browse("4 0 G")
        user.books.remove(at: 39)
        let terminal = try user.browse()
        #expect(terminal.selection == "Book 41")
        #expect(terminal.status == "40/99  The book you left is no longer in this list")
    }

    @Test func anEmptiedListIsResumed() throws {
        try user.browse("t L j Enter")
        try FileManager.default.removeItem(atPath: user.dataDirectory)
        let terminal = try user.browse()
        #expect(terminal.hasTitle(" Favourites (0)"))
    }

    /// A file edited by hand may contain any numbers, and a book that has moved.
    @Test(arguments: [(0, Int.max), (.max, 0), (.max, .max), (0, .min), (.min, .max), (.max, .min)])
    func anyStoredNumbersLeadToAValidPosition(row: Int, scrollOffset: Int) throws {
        try user.browse("3 0 G")
        let book = try #require(user.place?.book)
        try user.remember(.init(lastViewedListIndex: 0, row: row, scrollOffset: scrollOffset, book: book))
        #expect(try user.browse().status == "30/100")
    }

    @Test func theNearestDuplicateIsResumed() throws {
        user.books[4] = .make(title: "Twin")
        user.books[49] = .make(title: "Twin")
        try user.browse("5 0 G")
        user.books.removeFirst(3)
        let terminal = try user.browse()
        #expect(terminal.selection == "Twin")
        #expect(terminal.status == "47/97")
    }

    @Test(arguments: ["", "9780441478125"], ["", "9780393039764"])
    func aBookWhoseISBNChangedIsResumed(before: String, after: String) throws {
        user.books[39].isbn = ISBN(before)
        try user.browse("4 0 G")
        user.books[39].isbn = ISBN(after)
        #expect(try user.browse().status == "40/100")
        user.books[39].isbn = ISBN(before)
        user.books.removeFirst(10)
        #expect(try user.browse().status == "30/90")
    }

    @Test func booksWithTheSameTitleKeepTheirRow() throws {
        user.books = Array(repeating: .make(title: "Twin"), count: 9)
        try user.browse("4 j")
        #expect(try user.browse().status == "5/9")
    }

    @Test func positionsAreSavedPerCatalog() throws {
        try user.browse("5 G")
        user.catalog = "/books/other.json"
        #expect(try user.browse("7 G").status == "7/100")
        user.catalog = "/books/test.json"
        #expect(try user.browse().status == "5/100")
    }

    /// Every stored index leads to a valid row or to the lists screen, for all sizes of catalogs.
    @Test(arguments: [0, 1, 2, 10, 11, 1000, 1_000_000])
    func everyStoredIndexLeadsToAValidPosition(size: Int) throws {
        let source = CountedSource(count: size)
        for index in [-1, 0, 1, size - 1, size, size + 1, .max] {
            for row in [index, .min] {
                // Looking for a missing book reads all books, which is too slow for a million.
                let book = size > 1000 ? nil : "hash:0000000000000001"
                try user.remember(.init(lastViewedListIndex: index, row: row, scrollOffset: row, book: book))
                let terminal = try user.browse("j", source: source)
                if index < 0 {
                    #expect(terminal.title.hasPrefix(" Lists"))
                } else if index == 0 {
                    let expected = size == 0 ? 0 : min(min(max(row, 0), size - 1) + 2, size)
                    #expect(terminal.status.hasPrefix("\(expected.grouped)/\(size.grouped)"))
                } else {
                    let names = ["Favourites", "To read", "Reading", "Read", "Abandoned", "Up next"]
                    #expect(terminal.hasTitle(" \(names[min(index - 1, names.count - 1)]) (0)"))
                }
            }
        }
    }
}

/// A catalog of any size that needs almost no memory.
private final class CountedSource: LocallyIndexed {
    let name = "counted.json"
    let index: BookIndex

    init(count: Int) {
        let size = IndexSegment.size(count: count, columns: [], textCount: 0)
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 8)
        memory.initializeMemory(as: UInt8.self, repeating: 0)
        var index = BookIndex()
        index.append(IndexSegment(count: count, memory: UnsafeRawBufferPointer(memory), owner: nil))
        self.index = index
    }

    func open() {}
    var count: BookCount { .exactly(index.count) }
    var state: SourceState { .ready }
    var defects: CatalogDefects { CatalogDefects() }
    func summary(of id: BookID) -> Slot<BookSummary> { book(id).map(BookSummary.init(of:)) }
    func book(_ id: BookID) -> Slot<Book> { .ready(Book.make(title: "Book \(id.index + 1)")) }
    var all: any RowSource { BookList(allOf: index.count) }
    func start(waking wake: @escaping @Sendable () -> Void) {}
    func receive() -> Bool { false }
}
