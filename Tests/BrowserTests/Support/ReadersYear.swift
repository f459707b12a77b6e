import Shelves

@testable import Books
@testable import Browser
@testable import Catalog
@testable import Indexing
@testable import Library

/// A reader who has kept a log of a year: books read with progress, twice, without a start, in a month, and abandoned.
enum ReadersYear {
    /// The day that counts as today, Wednesday, 25 November 2026.
    static let today = CalendarDay(number: 20_782)

    private static let entries: [(title: String, author: String, pages: Int?, log: ReadingLog)] = [
        ("Beloved", "Toni Morrison", 324, log(("2025-12-10", "2025-12-31"))),
        ("Emma", "Jane Austen", 474, log(("2026-01-03", "2026-01-24"))),
        ("Persuasion", "Jane Austen", 249, log(("2026-02-01", "2026-02-10"), at: [(.page(100), "2026-02-04")])),
        ("Foundation", "Isaac Asimov", 255, log(("2019", "2019"), ("2026-03-09", "2026-03-20"))),
        (
            "Dune", "Frank Herbert", 604,
            log(("2026-04-05", "2026-05-25"), at: [(.percent(25), "2026-04-20"), (.percent(50), "2026-05-10")])
        ),
        ("The Hobbit", "J. R. R. Tolkien", 310, log((nil, "2026-06-14"))),
        ("Cosmos", "Carl Sagan", nil, log(("2026-07-01", "2026-07-19"))),
        ("Sapiens", "Yuval Noah Harari", 443, log(("2026-08", "2026-08-30"))),
        ("1984", "George Orwell", 328, log(("2026-09-12", "2026-09-25"))),
        (
            "Ulysses", "James Joyce", 730,
            ReadingLog(readings: [
                Reading(
                    start: "2026-10-01", end: "2026-10-20", outcome: .abandoned,
                    progress: [ReadingProgress(.page(92), on: "2026-10-12")])
            ])
        ),
        (
            "The Dispossessed", "Ursula K. Le Guin", 341,
            ReadingLog(readings: [
                Reading(start: "2026-11-09", progress: [ReadingProgress(.page(182), on: "2026-11-21")])
            ])
        ),
    ]

    private static func log(
        _ readings: (start: String?, end: String?)..., at progress: [(ReadingProgress.Place, String)] = []
    ) -> ReadingLog {
        ReadingLog(
            readings: readings.map { start, end in
                Reading(
                    start: start, end: end, outcome: .finished,
                    progress: progress.map { ReadingProgress($0.0, on: $0.1) })
            })
    }

    /// Returns a user with this log, and a goal of `goal` books.
    static func user(goal: Int? = 12) throws -> User {
        let user = User(
            books: entries.map { Book.make(title: $0.title, authors: [$0.author], pageCount: $0.pages) })
        user.settings.today = today
        user.settings.readingGoal = goal
        let userData = UserData(directory: user.dataDirectory)
        try userData.load()
        let library = Library(
            store: BookStore(source: InMemoryCatalog(name: "test.json", books: user.books)), userData: userData,
            catalogPath: user.catalog)
        for (index, entry) in entries.enumerated() {
            let status: Book.ReadingStatus? =
                switch entry.log.readings.last?.outcome {
                case .finished: .read
                case .abandoned: .abandoned
                case nil: .reading
                }
            try library.apply(.readingLog(status, entry.log), to: [BookID(index)])
        }
        return user
    }
}
