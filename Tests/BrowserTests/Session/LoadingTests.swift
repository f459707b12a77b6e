import CatalogTesting
import Foundation
import Shelves
import TerminalTesting
import Testing

@testable import Books
@testable import Browser
@testable import Catalog
@testable import Indexing
@testable import JSON
@testable import Library
@testable import Search
@testable import TerminalUI

/// A catalog that is still being loaded: the screen, and the effect of keys.
@Suite("Catalog that is still being loaded")
struct LoadingTests {
    /// A hundred books, loaded in batches of twenty.
    private let user = User(bookCount: 100)

    private func source() -> GrowingSource { GrowingSource(user.books, by: 20) }

    /// Types `script`, a list of keys in which "+" loads more books.
    private func browse(
        _ script: String, _ source: GrowingSource? = nil, resumes: Bool = false
    ) throws -> ScriptedTerminal {
        let steps = script.split(separator: " ").map { name in
            if name == "+" { return ScriptedTerminal.Step.events([.wakeUp]) }
            guard let key = Key(name: String(name)) else { preconditionFailure("no key is called \(name)") }
            return .events([.key(key)])
        }
        let terminal = ScriptedTerminal(size: Size(rows: 24, columns: 100), steps: steps)
        _ = try user.browse(on: terminal, source: source ?? self.source(), resumes: resumes)
        return terminal
    }

    // MARK: Progress

    @Test func theTitleSaysHowFarTheCatalogIsLoaded() throws {
        let terminal = try browse("+ + + +")
        let titles = terminal.screens.map { $0.text(ofRow: 0) }
        for (title, count) in zip(titles, [20, 40, 60, 80]) {
            #expect(title.hasPrefix(" All books "))
            #expect(title.hasSuffix("test.json · \(count) books so far, \(count) %"))
        }
        #expect(terminal.hasTitle(" All books (100)"))
        #expect(terminal.title.hasSuffix("test.json · 100 books"))
    }

    @Test func withoutATotalOnlyTheLoadedBooksAreCounted() throws {
        let source = source()
        source.knowsFraction = false
        #expect(try browse("+", source).title.hasSuffix("test.json · 40 books so far"))
    }

    @Test func booksThatWereLoadedAreListedAndTheSelectionStays() throws {
        let terminal = try browse("j j + +")
        #expect(terminal.selection == "Book 3")
        #expect(terminal.status == "3/60")
        #expect(try browse("j j + + 5 5 j").selection == "Book 58")
    }

    @Test func theListsCountWhatIsLoaded() throws {
        let terminal = try browse("L +")
        #expect(terminal.row(2).contains("All books") && terminal.row(2).contains(" 40 "))
    }

    @Test func wakingUpForNothingChangesNothing() throws {
        let terminal = try browse("j + + + + + + +")
        #expect(terminal.status == "2/100")
    }

    // MARK: Going to what is not loaded yet

    @Test func theEndIsFollowedUntilItIsKnown() throws {
        #expect(try browse("G").status == "20/20  Going to the end")
        #expect(try browse("G +").status == "40/40  Going to the end")
        #expect(try browse("G + + + +").status == "100/100")
        #expect(try browse("G + + + +").selection == "Book 100")
    }

    @Test(arguments: [("k", 39), ("g g", 1), ("3 G", 3), ("^u", 30), ("j", 40), ("z z", 40)])
    func anotherMovementEndsFollowingTheEnd(keys: String, row: Int) throws {
        #expect(try browse("G + \(keys) + +").status == "\(row)/80")
    }

    @Test func aJumpToAnUnloadedRowIsCompletedLater() throws {
        #expect(try browse("5 0 G").status == "20/20  Going to row 50")
        #expect(try browse("5 0 G +").status == "40/40  Going to row 50")
        #expect(try browse("5 0 G + +").status == "50/60")
        #expect(try browse("5 0 G + + + +").status == "50/100")
        #expect(try browse("5 0 0 G + + + +").status == "100/100")
    }

    @Test func aPendingJumpBelongsToItsList() throws {
        #expect(try browse("G L + + Enter +").status == "20/80")
        #expect(try browse("G L j Enter h k Enter + + +").status == "20/80")
    }

    // MARK: Resuming

    @Test(arguments: [10, 20, 21, 50, 100])
    func theSavedPositionIsResumedOnceLoaded(row: Int) throws {
        try user.browse("\(Array(String(row)).map(String.init).joined(separator: " ")) G")
        #expect(try browse("", resumes: true).status.hasPrefix("\(min(row, 20))/20"))
        #expect(try browse("+ + + +", resumes: true).status == "\(row)/100")
        #expect(try browse("+ + + +", resumes: true).selection == "Book \(row)")
    }

    @Test func quittingBeforeThePositionIsLoadedKeepsIt() throws {
        try user.browse("5 0 G 5 k")
        let before = try #require(user.place)
        #expect(before.row == 44)
        for script in ["", "+", "q", "? q q"] {
            _ = try browse(script, resumes: true)
            #expect(user.place == before, "\(script)")
        }
        // A user who has moved elsewhere stays there.
        _ = try browse("k", resumes: true)
        #expect(user.place?.row == 18)
    }

    @Test func theBookDecidesEvenIfItMovedAndIsLoadedLater() throws {
        try user.browse("9 0 G")
        user.books.removeFirst(15)
        let terminal = try browse("+ + + +", resumes: true)
        #expect(terminal.selection == "Book 90")
        #expect(terminal.status == "75/85")
        #expect(user.place?.row == 74)
    }

    @Test func aMissingBookIsReportedOnceAllIsLoaded() throws {
        try user.browse("9 0 G")
        user.books.remove(at: 89)
        #expect(try browse("+ + +", resumes: true).status == "80/80  Going to where you left off, row 90")
        #expect(
            try browse("+ + + +", resumes: true).status == "90/99  The book you left is no longer in this list")
    }

    // MARK: Favourites

    @Test func favouritesAppearAsTheyAreLoaded() throws {
        try user.browse("3 0 G t 9 0 G t L")
        let terminal = try browse("L j Enter + + + +")
        let titles = terminal.screens.map { $0.text(ofRow: 0) }
        for (title, count) in zip(titles.dropFirst(3), [0, 1, 1, 1, 2]) {
            #expect(title.hasPrefix(" Favourites ") && title.contains(" · \(count) of "), "\(title)")
        }
        #expect(terminal.row(2).hasPrefix("▌★ Book 30"))
        #expect(terminal.row(3).hasPrefix(" ★ Book 90"))
        #expect(try browse("+ 3 0 G").selection == "★ Book 30")
    }

    @Test func userDataAddedDuringLoadingIsKept() throws {
        try user.browse("3 0 G t")
        // The second batch contains a book with user data.
        let terminal = try browse("t + +")
        #expect(terminal.row(2).hasPrefix("▌★ Book 1"))
        #expect(terminal.row(3).hasPrefix("   Book 2"))
        #expect(try browse("+ + + + L j Enter").hasTitle(" Favourites (2)"))
    }

    @Test(arguments: ["", "R"])
    func muchUserDataIsShownOnceItsBooksAreLocated(keys: String) throws {
        let user = User(bookCount: 2500)
        try user.browse("v G t")
        let app = user.makeApp(resumes: false)
        _ = app.run(on: ScriptedTerminal(columns: 100, rows: 24, keys: keys))
        var turns = 0
        while app.session.library.shownUserData(of: 2499) == nil, turns < 5000 {
            _ = app.session.library.receive {}
            usleep(1000)
            turns += 1
        }
        #expect(app.session.library.shownUserData(of: 2499)?.isFavourite == true)
        #expect(app.session.library.count(of: .favourites) == ListCount(books: 2500))
    }

    @Test("rows show user data as soon as it is located", arguments: [false, true])
    func rowsFollow(isSorted: Bool) throws {
        let user = User(bookCount: 2500)
        try user.browse("v G t")
        let app = user.makeApp(resumes: false)
        func firstRow() -> String { app.draw(size: Size(rows: 24, columns: 100)).canvas.text(ofRow: 2) }
        if isSorted { _ = app.perform(CommandRequest(command: .sort(.title))) }
        app.update()
        #expect(!firstRow().contains("★"))
        app.session.startBackgroundWork()
        var turns = 0
        while app.session.library.shownUserData(of: 0) == nil, turns < 5000 {
            _ = app.handle(.wakeUp)
            usleep(1000)
            turns += 1
        }
        #expect(firstRow().contains("★"))
    }

    @Test func theVersionOfUserDataIsAnotherWhenABookIsLoadedThatHasSome() throws {
        let (books, userData) = ((0..<6).map { Book.make(title: "\($0)") }, UserData(directory: nil))
        let whole = InMemoryCatalog(name: "test.json", books: books)
        try Library(store: BookStore(source: whole), userData: userData).apply(.favourite(true), to: [0, 5])
        let library = Library(store: BookStore(source: GrowingSource(books, by: 3)), userData: userData)
        #expect(library.userData(of: 0)?.isFavourite == true)
        let before = library.version(of: [.userData, .places])
        library.store.start {}
        #expect(library.receive {})
        #expect(library.store.index.count == 6 && library.version(of: [.userData, .places]) != before)
        #expect(library.userData(of: 5)?.isFavourite == true)
        #expect(library.missingUserData.isEmpty)
    }

    @Test func muchUserDataIsLocatedInTheBackground() throws {
        let user = User(bookCount: 5000)
        try user.browse("v G t")
        let shelves = UserData(directory: user.dataDirectory)
        try shelves.load()
        let library = Library(store: BookStore(source: GrowingSource(user.books, by: 2500)), userData: shelves)
        #expect(library.userData(of: 2499)?.isFavourite == true)
        #expect(library.missingUserData(in: .favourites).count == 2500)
        library.store.start {}
        let hasMore = library.receive {}
        #expect(hasMore && library.store.index.count == 5000)
        #expect(library.userData(of: 2500) == nil)
        // A change requires the current user data: this toggles the favourite off and on.
        try library.apply(.favourite(false), to: [4000])
        #expect(library.userData(of: 4000) == nil)
        #expect(library.userData(of: 4999)?.isFavourite == true)
        var turns = 0
        while library.missingUserData(in: .favourites).count > 0, turns < 5000 {
            _ = library.receive {}
            usleep(1000)
            turns += 1
        }
        #expect(library.books(in: .favourites).count == 4999)
        #expect(library.userData(of: 4000) == nil && library.userData(of: 4001) != nil)
    }

    @Test func userDataOfDuplicatesIsRightWhenTheyAreLoadedLater() throws {
        user.books = (0..<100).map { .make(title: $0 % 10 == 5 ? "Twin" : "Book \($0)") }
        try user.browse("3 6 G t")
        // The fourth duplicate has the user data; until it is loaded, those before it have none of their own.
        let terminal = try browse("g g + + + + L j Enter")
        #expect(terminal.hasTitle(" Favourites (1)"))
        #expect(terminal.selection == "★ Twin")
        #expect(try browse("g g + + + + 3 6 G").row(21).hasPrefix("▌★ Twin"))
        #expect(try browse("g g + + + + 3 6 G t L j Enter").hasTitle(" Favourites (0)"))
    }

    @Test func aBookIsMadeAFavouriteMeanwhile() throws {
        let terminal = try browse("j t + +")
        #expect(terminal.row(3).hasPrefix("▌★ Book 2"))
        #expect(try browse("+ + + + L j Enter").hasTitle(" Favourites (1)"))
    }

    // MARK: Faults

    @Test func problemsAreReportedOnceAllIsLoaded() throws {
        let source = source()
        source.finalDefects = CatalogDefects(
            omissionCount: 2, omissions: [.init(position: TextPosition(line: 30, column: 1, byteOffset: 900))])
        #expect(try browse("+ + +", source).status == "1/80")
        let terminal = try browse("+ + + +", source)
        #expect(terminal.status.hasPrefix("1/100  Skipped 2 items that are not books (first: line 30,"))
        #expect(terminal.status.hasSuffix("Fix the file and reload it"))
        #expect(try browse("+ + + + j", source).status == "2/100")
    }

    @Test func aMissingRecordIsReported() throws {
        let source = source()
        source.missing = [1]
        let terminal = try browse("j", source)
        #expect(terminal.row(3).hasPrefix("▌No longer there: the catalog"))
        #expect(terminal.detail[0].hasPrefix("No longer there"))
        #expect(terminal.row(2).contains("Book 1"))
        #expect(try browse("j t", source).status == "2/20  No longer there: the catalog changed on disk")
        #expect(try browse("t L j Enter", source).hasTitle(" Favourites (1)"))
    }

    // MARK: Reading again

    @Test func reloadingReturnsToTheBook() throws {
        let source = source()
        #expect(try browse("+ + 5 0 G R", source).title.hasSuffix("test.json · 20 books so far, 20 %"))
        let terminal = try browse("g g + + 5 0 G R + + + +", source)
        #expect(terminal.selection == "Book 50")
        #expect(terminal.title.hasSuffix("test.json · 100 books"))
        #expect(source.loadCount == 3)
    }

    @Test func reloadingFindsABookThatMoved() throws {
        let source = source()
        source.next = GrowingSource(Array(user.books.dropFirst(30)), by: 20)
        let terminal = try browse("+ + 5 0 G R + + + +", source)
        #expect(terminal.selection == "Book 50")
        #expect(terminal.status.hasPrefix("20/70"))
    }

    @Test func aPipeIsNotReloaded() throws {
        let source = source()
        source.canReload = false
        let terminal = try browse("+ R", source)
        #expect(terminal.status == "1/40  A catalog from standard input cannot be reloaded")
        #expect(source.loadCount == 1)
        #expect(try browse("+ R + + +", source).title.hasSuffix("test.json · 100 books"))
    }
}

/// A catalog that loads some books at once, and as many more each time the browser is woken.
private final class GrowingSource: LocallyIndexed, Reloadable {
    let name = "test.json"
    var canReload = true
    var knowsFraction = true
    /// The books whose records are gone.
    var missing: Set<Int> = []
    /// The problems, known when loading ends.
    var finalDefects = CatalogDefects()
    /// The source after the next reload.
    var next: GrowingSource?
    private(set) var loadCount = 0
    fileprivate let books: [Book]
    fileprivate let step: Int

    init(_ books: [Book], by step: Int) {
        self.books = books
        self.step = step
    }

    private(set) var index = BookIndex()
    private var isLoading = false
    /// The source of the current books.
    private lazy var source: GrowingSource = self

    func open() { if loadCount == 0 { reload() } }

    func reload() {
        loadCount += 1
        if loadCount > 1, let next { source = next }
        index = BookIndex()
        isLoading = false
        grow()
    }

    var isOutdated: Bool { false }
    func watch(waking wake: @escaping @Sendable () -> Void) -> AnyObject? { nil }
    var count: BookCount { .exactly(index.count) }
    var all: any RowSource { BookList(allOf: index.count) }
    func summary(of id: BookID) -> Slot<BookSummary> { book(id).map(BookSummary.init(of:)) }

    private func grow() {
        var builder = SegmentWriter()
        for book in source.books.dropFirst(index.count).prefix(source.step) { builder.add(book, offset: 0) }
        for segment in builder.take() { index.append(segment) }
    }

    func book(_ id: BookID) -> Slot<Book> { source.missing.contains(id.index) ? .gone : .ready(source.books[id.index]) }

    var state: SourceState {
        if index.count == source.books.count { return .ready }
        return .loading(fraction: source.knowsFraction ? Double(index.count) / Double(source.books.count) : nil)
    }

    var defects: CatalogDefects { state == .ready ? source.finalDefects : CatalogDefects() }

    func start(waking wake: @escaping @Sendable () -> Void) { isLoading = true }

    func receive() -> Bool {
        guard isLoading, state.isLoading else { return false }
        grow()
        return true
    }
}
