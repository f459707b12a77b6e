import CatalogTesting
import Testing

@testable import Books
@testable import Catalog
@testable import Formats
@testable import Graphemes
@testable import Indexing
@testable import Library
@testable import Shelves
@testable import stacks

@Suite("Import: the logs of two machines") struct MergedLogsTests {
    init() { useUTF8Locale() }

    private let emma = [BookID(0)]
    private let dune = [BookID(1)]

    private func library() -> Library {
        let books = [
            Book(title: "Emma", authors: ["Jane Austen"], isbn: ISBN("9780141439587")),
            Book(title: "Dune", authors: ["Frank Herbert"]),
        ]
        let store = BookStore(source: InMemoryCatalog(name: "test", books: books))
        return Library(store: store, userData: UserData(directory: nil))
    }

    /// The machine at home: Emma was read twice and is being read, and Dune was read.
    private func home() throws -> Library {
        let library = library()
        try library.apply(.status(.toRead, on: "2018-12-24"), to: emma)
        try library.apply(.status(.reading, on: "2019-04-01"), to: emma)
        try library.apply(.status(.read, on: "2019-05-01"), to: emma)
        var log = try #require(self.log(library, emma))
        log.add(Reading(end: "2021", outcome: .finished))
        try library.apply(.readingLog(.read, log), to: emma)
        try library.apply(.status(.reading, on: "2026-03-09"), to: emma)
        try library.apply(.progress(.page(180), on: "2026-03-12"), to: emma)
        try library.apply(.status(.read, on: "2024-06"), to: dune)
        return library
    }

    /// The machine of the way: it knows the first reading less exactly, one more reading, and goes on with the last one.
    private func away() throws -> Library {
        let library = library()
        try library.apply(.status(.read, on: "2019-05"), to: emma)
        try library.apply(.status(.reading, on: "2023-01-01"), to: emma)
        try library.apply(.status(.abandoned, on: "2023-02-01"), to: emma)
        try library.apply(.status(.reading, on: "2026-03-09"), to: emma)
        try library.apply(.progress(.percent(70), on: "2026-03-20"), to: emma)
        try library.apply(.status(.read, on: "2026-03-21"), to: emma)
        try library.apply(.status(.read, on: "2024-06-03"), to: dune)
        return library
    }

    /// The readings of Emma on both machines.
    private let readings = [
        Reading(start: "2019-04-01", end: "2019-05-01", outcome: .finished),
        Reading(end: "2021", outcome: .finished),
        Reading(start: "2023-01-01", end: "2023-02-01", outcome: .abandoned),
        Reading(
            start: "2026-03-09", end: "2026-03-21", outcome: .finished,
            progress: [ReadingProgress(.page(180), on: "2026-03-12"), ReadingProgress(.percent(70), on: "2026-03-20")]),
    ]

    private func exported(_ library: Library, as format: ExportFormat) -> ImportedFile? {
        var text: [UInt8] = []
        var export = BookExport(
            BookList(allOf: library.store.index.count), of: library.store,
            as: format.formatter(includesUserData: true), userDataOf: library)
        #expect(export.write(.max, to: &text) == .finished)
        return try? ImportedFile(text, shownPath: "f")
    }

    private func plan(_ file: ImportedFile?, in library: Library) throws -> ImportPlan {
        let imported = try ImportedBooks(try #require(file), destination: .favourites)
        return ImportPlan(imported.books, in: library, replaces: false)
    }

    private func log(_ library: Library, _ book: [BookID]) -> ReadingLog? {
        library.userData(of: book[0])?.readingLog
    }

    @Test(
        "imported into one in either order, they are one log with each reading once",
        arguments: [ExportFormat.json, .csv, .goodreads, .storygraph], [false, true])
    func merged(format: ExportFormat, homeFirst: Bool) throws {
        let files = [exported(try home(), as: format), exported(try away(), as: format)]
        let one = library()
        for file in homeFirst ? files : files.reversed() { try plan(file, in: one).apply(from: "f") }
        #expect(log(one, emma) == ReadingLog(toRead: "2018-12-24", readings: readings))
        #expect(one.userData(of: emma[0])?.status == .read)
        #expect(log(one, dune)?.readings == [Reading(end: "2024-06-03", outcome: .finished)])
        for file in files { #expect(try !plan(file, in: one).changesAnything) }
    }

    @Test("one takes in the other's, and then the other takes in what both know")
    func exchanged() throws {
        let (home, away) = (try home(), try away())
        try plan(exported(away, as: .json), in: home).apply(from: "f")
        try plan(exported(home, as: .json), in: away).apply(from: "f")
        #expect(log(home, emma)?.readings == readings)
        #expect(log(away, emma)?.readings == readings)
        #expect(home.userData(of: emma[0])?.status == .read && away.userData(of: emma[0])?.status == .read)
        #expect(try !plan(exported(away, as: .json), in: home).changesAnything)
    }

    @Test("an import is one undo step, and counts the readings that it adds or completes") func undone() throws {
        let home = try home()
        let before = log(home, emma)
        let plan = try plan(exported(try away(), as: .json), in: home)
        // The abandoned and the last one of Emma, and Dune's with its day.
        #expect(plan.counts.readings == 3)
        #expect(plan.counts.statuses == 1)
        #expect(plan.counts.nouns == ["1 status", "3 readings"])
        try plan.apply(from: "f")
        #expect(log(home, emma)?.readings == readings)
        _ = try home.userData.undo()
        #expect(log(home, emma) == before)
        #expect(log(home, dune)?.readings == [Reading(end: "2024-06", outcome: .finished)])
    }

    @Test("a status without any day leaves one of yours and your log alone") func undated() throws {
        let one = library()
        try one.apply(.status(.reading, on: "2026-03-09"), to: emma)
        let list = try ImportedBooks(
            try ImportedFile(Array("9780141439587\n".utf8), shownPath: "f"), destination: .status(.read))
        let plan = ImportPlan(list.books, in: one, replaces: false)
        #expect(!plan.changesAnything && plan.counts.kept == 1)
        try ImportPlan(list.books, in: one, replaces: true).apply(from: "f")
        #expect(one.userData(of: emma[0])?.status == .read)
    }
}
