import CatalogTesting
import TestSupport
import Testing
import Threading

@testable import Books
@testable import Catalog
@testable import Editing
@testable import Indexing
@testable import Library
@testable import Shelves

@Suite("Previews of changes") struct ChangePreviewTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// Opens a catalog of these records.
    private func library(_ records: [String]) throws -> Library {
        let path = try directory.write("[\(records.joined(separator: ",\n"))]".utf8, to: "books.json")
        let file = JSONFileCatalog(path: path)
        let catalog = EditedCatalog(file, journalPath: nil, isDirect: true)
        try catalog.open()
        file.readRest()
        _ = catalog.receive()
        return Library(store: BookStore(source: catalog), userData: UserData(directory: nil))
    }

    private func preview(
        _ text: String, _ field: BookField, in library: Library, of ids: [BookID]? = nil
    ) throws -> ChangePreview {
        let ids = ids ?? (0..<library.store.index.count).map { BookID($0) }
        let task = try library.startPreview(of: FieldTransform(text, of: field), ids) {}
        let preview = task.wait { false }
        #expect(task.fraction == 1)
        return try #require(preview)
    }

    private static func record(_ title: String, _ rest: String = "") -> String { #"{"title": "\#(title)"\#(rest)}"# }

    @Test func theMostFrequentChangesComeFirst() throws {
        let records = ["Penguin Books", "Ace Books", "Penguin Books", "Murray", "DAW Books"].map {
            Self.record("T", #", "publisher": "\#($0)""#)
        }
        let library = try library(records + [Self.record("None")])
        let preview = try preview("s/ Books$//", .publisher, in: library)
        #expect(preview.rows.map(\.old) == ["Penguin Books", "Ace Books", "DAW Books"])
        #expect(preview.rows.map(\.new) == ["Penguin", "Ace", "DAW"])
        #expect(preview.rows.map(\.bookCount) == [2, 1, 1])
        #expect(preview.rowCount == 3)
        #expect((preview.changedCount, preview.unchangedCount, preview.failedCount) == (4, 2, 0))
        #expect(preview.firstFailure == nil)
        let few = try self.preview("s/ Books$//", .publisher, in: library, of: [3, 0])
        #expect((few.changedCount, few.unchangedCount) == (1, 1))
        // Nothing was changed.
        #expect(library.store.bookAtHand(0)?.publisher == "Penguin Books")
    }

    @Test func itemsOfListsHaveTheirOwnRows() throws {
        let library = try library([
            Self.record("A", #", "subjects": ["sci-fi", "Sci-Fi", "x"]"#),
            Self.record("B", #", "subjects": ["sci-fi"]"#),
            Self.record("C", #", "subjects": ["x"]"#),
        ])
        let replaced = try preview("s/sci-fi/SF/i", .subjects, in: library)
        #expect(replaced.rows.map(\.old) == ["sci-fi", "Sci-Fi"] && replaced.rows.map(\.new) == ["SF", "SF"])
        #expect(replaced.rows.map(\.bookCount) == [2, 1])
        #expect((replaced.changedCount, replaced.unchangedCount) == (2, 1))
        let added = try preview("+x; y", .subjects, in: library)
        #expect(added.rows.map(\.old) == ["", ""] && added.rows.map(\.new) == ["y", "x"])
        #expect(added.rows.map(\.bookCount) == [3, 1])
        let removed = try preview("-x", .subjects, in: library)
        #expect(removed.rows == [.init(old: "x", new: "", bookCount: 2)])
    }

    @Test func booksWithoutAResultAreCounted() throws {
        let library = try library([
            Self.record("Emma", #", "pageCount": 474"#), Self.record("Dune", #", "pageCount": 40"#),
            Self.record("Ubik", #", "pageCount": 202"#), Self.record("Kim"),
        ])
        let preview = try preview("s/4/x/", .pageCount, in: library)
        #expect((preview.changedCount, preview.unchangedCount, preview.failedCount) == (0, 2, 2))
        #expect(preview.firstFailure == "Pages of Emma cannot become “x74”. Give a whole number above 0")
        #expect(preview.rows.isEmpty && preview.rowCount == 0)
    }

    @Test func aThousandRowsAreKept() throws {
        let titles = (0..<3000).map { String($0 + 1000) }
        let library = try library((titles + ["2500", "3999"]).map { Self.record($0) })
        let preview = try preview("s/$/!/", .title, in: library)
        let expected = ["2500", "3999"] + titles.filter { $0 != "2500" && $0 != "3999" }.prefix(998)
        #expect(preview.rows.map(\.old) == expected)
        #expect(preview.rows.map(\.new) == expected.map { $0 + "!" })
        #expect(preview.rowCount == 3000 && preview.changedCount == 3002)
    }

    @Test func longTextsAreCutAroundTheDifference() throws {
        let long = String(repeating: "word ", count: 1000)
        let library = try library([Self.record("A", #", "description": "\#(long)old \#(long)end""#)])
        let row = try #require(try preview("s/old/new/", .description, in: library).rows.first)
        #expect(row.old.hasPrefix("…word") && row.old.hasSuffix("…") && row.old.contains(" old word"))
        #expect(row.new.contains(" new word") && row.new.count < 250)
    }

    @Test func noBooksHaveAnEmptyPreview() throws {
        let preview = try preview("trim", .title, in: try library([Self.record("A")]), of: [])
        #expect((preview.changedCount, preview.unchangedCount, preview.rowCount) == (0, 0, 0))
    }

    @Test func aCancelledPreviewHasNoResult() throws {
        let library = try library((0..<5000).map { Self.record("Book \($0)") })
        let ids = (0..<200).flatMap { _ in (0..<5000).map { BookID($0) } }
        let notices = Locked(0)
        let task = try library.startPreview(of: FieldTransform("titlecase", of: .title), ids) {
            notices.change { $0 += 1 }
        }
        // The progress is told before the end.
        let isTold = notices.wait(milliseconds: 10_000) { $0 > 0 }
        #expect(isTold && task.fraction < 1)
        task.cancel()
        #expect(task.isMade && task.value == nil)
    }

    @Test func theSameChangeIsMadeByAnEdit() throws {
        let library = try library([Self.record("emma"), Self.record("DUNE"), Self.record("Ubik")])
        let transform = try FieldTransform("titlecase", of: .title)
        let edit = BookEdit(.changed, [0, 1, 2], title: "Emma", .bulk(.transforming([transform])))
        let made = try #require(try library.make(edit))
        #expect(made.outcome.bookCount == 2)
        let catalog = try #require(library.store.edited)
        #expect((0..<3).map { catalog.book(BookID($0)).value?.title } == ["Emma", "Dune", "Ubik"])
    }

    @Test func anEditWithAResultThatIsNoValueChangesNothing() throws {
        let library = try library([
            Self.record("Emma", #", "pageCount": 474"#), Self.record("Kim", #", "pageCount": 9"#),
        ])
        let transforms = [try FieldTransform("s/^/A /", of: .title), try FieldTransform("s/9/x/", of: .pageCount)]
        #expect(throws: CatalogEditError.notAValue(.pageCount, text: "x", title: "Kim")) {
            try library.make(BookEdit(.changed, [0, 1], title: "Emma", .bulk(.transforming(transforms))))
        }
        #expect(library.store.bookAtHand(0)?.title == "Emma")
    }
}
