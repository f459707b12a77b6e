import Testing

@testable import Books
@testable import Catalog
@testable import Formats
@testable import Graphemes
@testable import Indexing
@testable import Library
@testable import Shelves
@testable import stacks

/// User data exported on one machine and imported on another with the same catalog is the same there.
@Suite("Import: exported user data is restored unchanged") struct UserDataRoundTripTests {
    init() { useUTF8Locale() }

    private static let books = [
        Book(title: "Emma", authors: ["Jane Austen"], isbn: ISBN("9780141439587")),
        Book(title: "Emma (Classics, #1)", authors: ["Jane Austen"], isbn: ISBN("9780141439587")),
        Book(title: "Faust: A Tragedy", authors: ["Goethe, Johann Wolfgang von", "Another; Name", "C"]),
        Book(title: "Without anything"),
        Book(title: "Straße\u{202E}x", authors: ["Ægir"]),
        Book(title: "", authors: []),
        Book(title: "Read once"),
    ]

    private func library(_ books: [Book] = books) -> Library {
        let store = BookStore(source: InMemoryCatalog(name: "test", books: books))
        return Library(store: store, userData: UserData(directory: nil))
    }

    /// The user data of the books by row.
    private static let userData: [Int: PrintedUserData] = [
        0: userData(favourite: true, note: "A \"fine\" one, said\nB <i>&amp; C</i>:\n\n  a < b & c;\ttab <3\n- end"),
        1: userData(
            shelves: ["Read me", "a, b", "c; d", "favorites", "sci-fi", "\"quoted\""], status: .reading,
            dates: [.toRead: "2024-12-31", .reading: "2025-01-02"]),
        2: userData(status: .abandoned, dates: [.read: "2019-06-07", .abandoned: "2025-02"], rating: 2.5),
        4: userData(favourite: true, shelves: ["sci-fi"], status: .read, dates: [.read: "2025-11-21"], rating: 5),
        5: userData(
            status: .toRead, dates: [.toRead: "2023-01-15"], rating: 0.5, note: " blanks around "),
        3: userData(
            status: .reading,
            log: ReadingLog(
                toRead: "2018-12",
                readings: [
                    Reading(outcome: .finished), Reading(end: "2019", outcome: .finished),
                    Reading(start: "2019-05-01", end: "2019-06-02", outcome: .finished),
                    Reading(
                        start: "2020-01-01", end: "2020-01-20", outcome: .abandoned,
                        progress: [ReadingProgress(.percent(20), on: "2020-01-10")]),
                    Reading(
                        start: "2026-03-09",
                        progress: [
                            ReadingProgress(.page(180), on: "2026-03-12"),
                            ReadingProgress(.page(1200), on: "2026-03-20"),
                        ]),
                ])),
        6: userData(log: ReadingLog(readings: [Reading(end: "2019-05-01", outcome: .finished)])),
    ]

    private static func userData(
        favourite: Bool = false, shelves: [String] = [], status: Book.ReadingStatus? = nil,
        dates: [Book.ReadingStatus: String] = [:], log: ReadingLog? = nil, rating: Double? = nil, note: String? = nil
    ) -> PrintedUserData {
        var userData = PrintedUserData()
        userData.isFavourite = favourite
        userData.shelves = shelves.sorted()
        (userData.status, userData.readingLog) = (status, log ?? ReadingLog(statusDates: dates, status: status))
        (userData.rating, userData.note) = (rating.flatMap { StarRating(exactly: $0) }, note)
        return userData
    }

    /// Creates a library whose user changed the books one by one.
    private func libraryOfUser(_ userData: [Int: PrintedUserData]) throws -> Library {
        let library = library()
        var shelves: [String: Shelf.ID] = [:]
        for (row, data) in userData.sorted(by: { $0.key < $1.key }) {
            let book = [BookID(row)]
            if data.isFavourite { try library.apply(.favourite(true), to: book) }
            for name in data.shelves {
                if shelves[name] == nil { shelves[name] = try library.userData.makeShelf(named: name).id }
                try library.apply(.shelf(try #require(shelves[name]), true), to: book)
            }
            if data.status != nil || !data.readingLog.isEmpty {
                try library.apply(.readingLog(data.status, data.readingLog), to: book)
            }
            if let rating = data.rating { try library.apply(.rating(rating), to: book) }
            if let note = data.note { try library.apply(.note(note), to: book) }
        }
        return library
    }

    private func userData(of library: Library) -> [Int: PrintedUserData] {
        let formatting = UserDataFormatter(library.userData)
        var found: [Int: PrintedUserData] = [:]
        for row in 0..<library.store.index.count {
            found[row] = formatting.printed(library.userData(of: BookID(row)))
        }
        return found
    }

    private func exported(_ library: Library, as format: ExportFormat, guardsFormulas: Bool = false) -> [UInt8] {
        var text: [UInt8] = []
        var export = BookExport(
            BookList(allOf: library.store.index.count), missing: library.missingUserData, of: library.store,
            as: format.formatter(includesUserData: true, guardsFormulas: guardsFormulas), userDataOf: library)
        #expect(export.write(.max, to: &text) == .finished)
        return text
    }

    private func importing(_ text: [UInt8], into library: Library, replaces: Bool = false) throws -> ImportPlan {
        let imported = try ImportedBooks(try ImportedFile(text, shownPath: "f"), destination: .favourites)
        #expect(imported.problems == [])
        let plan = ImportPlan(imported.books, in: library, replaces: replaces)
        try plan.apply(from: "f")
        return plan
    }

    @Test(arguments: [ExportFormat.json, .jsonl, .csv, .goodreads, .storygraph])
    func theOtherMachineHasTheSameUserData(format: ExportFormat) throws {
        let given = Self.userData
        let first = try libraryOfUser(given)
        #expect(userData(of: first) == given)
        let text = exported(first, as: format)
        let second = library()
        _ = try importing(text, into: second)
        #expect(userData(of: second) == given)
        // Nothing is left to import on either machine.
        for library in [first, second] {
            for replaces in [false, true] {
                let plan = try importing(text, into: library, replaces: replaces)
                #expect(!plan.changesAnything)
                #expect(plan.counts.kept == 0)
            }
        }
        #expect(exported(second, as: format) == text)
    }

    @Test(arguments: [ExportFormat.json, .jsonl, .goodreads, .storygraph])
    func aNoteKeepsEachCharacter(format: ExportFormat) throws {
        let note = "👩‍👧 ❤️ \u{1B}[31m \u{202E}é\r\n &eacute; &#65; &lt;b>"
        let first = try libraryOfUser([0: Self.userData(note: note)])
        let second = library()
        let text = exported(first, as: format)
        #expect(text.allSatisfy { $0 >= 0x20 || $0 == 0x0A || $0 == 0x0D })
        _ = try importing(text, into: second)
        #expect(userData(of: second)[0]?.note == note)
    }

    @Test(arguments: [ExportFormat.csv, .goodreads, .storygraph], [true, false])
    func formulasAndTheirApostrophesStay(format: ExportFormat, guardsFormulas: Bool) throws {
        let notes = ["=1+1", "+1", "-1", "@SUM(A1)", "'=1", "''-1", "'Tis"]
        for note in notes {
            // The names of Goodreads shelves have no blanks and are separated by commas.
            let given = [0: Self.userData(shelves: [note, "b"].sorted(), note: note)]
            let text = exported(try libraryOfUser(given), as: format, guardsFormulas: guardsFormulas)
            let second = library()
            _ = try importing(text, into: second)
            #expect(userData(of: second)[0] == given[0], "\(note)")
        }
    }

    @Test(arguments: [ExportFormat.json, .jsonl, .csv, .goodreads, .storygraph])
    func booksMissingFromTheCatalogAreImported(format: ExportFormat) throws {
        let first = try libraryOfUser(Self.userData)
        let elsewhere = library([Book(title: "Other")])
        _ = try importing(exported(first, as: format), into: elsewhere)
        #expect(elsewhere.missingUserData.count == Self.userData.count)
        let back = library()
        _ = try importing(exported(elsewhere, as: format), into: back)
        #expect(userData(of: back)[1] == Self.userData[1])
        #expect(userData(of: back)[2] == Self.userData[2])
    }

    @Test func differingUserDataIsKeptUnlessReplaced() throws {
        let first = try libraryOfUser([
            0: Self.userData(status: .read, dates: [.reading: "2024-01-01", .read: "2024-02-02"], rating: 4)
        ])
        let text = exported(first, as: .json)
        let second = try libraryOfUser([
            0: Self.userData(status: .read, dates: [.read: "2025-05-05"], rating: 4, note: "mine")
        ])
        _ = try importing(text, into: second)
        // Readings of other days are other readings.
        #expect(userData(of: second)[0]?.statusDates == [.reading: "2024-01-01", .read: "2025-05-05"])
        #expect(userData(of: second)[0]?.readingLog.finishedCount == 2)
        _ = try importing(text, into: second, replaces: true)
        #expect(userData(of: second)[0]?.readingLog.finishedCount == 1)
        #expect(userData(of: second)[0]?.statusDates == [.reading: "2024-01-01", .read: "2024-02-02"])
        #expect(userData(of: second)[0]?.note == "mine")
    }
}
