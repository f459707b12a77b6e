import CatalogTesting
import TerminalUI
import Testing

@testable import Books
@testable import Browser
@testable import Catalog
@testable import Graphemes
@testable import Indexing
@testable import Library
@testable import Search
@testable import Threading

@Suite("Statistics page")
struct StatisticsPageTests {
    init() { useUTF8Locale() }

    private func charts(of books: [Book], userData: UserDataFilter = UserDataFilter()) throws -> StatisticsCharts {
        let store = BookStore(source: InMemoryCatalog(name: "books", books: books))
        let count = store.index.countStatistics(
            of: BookList(allOf: books.count), userData: userData, on: ThreadPool(threadCount: 1))
        #expect(count.wait(milliseconds: 10_000) != nil)
        return StatisticsCharts(try #require(count.value), in: store)
    }

    private func book(
        _ title: String = "A", authors: [String] = [], year: Int? = nil, pages: Int? = nil, language: String? = nil
    ) -> Book {
        var book = Book(title: title, authors: authors, pageCount: pages)
        book.published = year.map { PartialDate(year: $0) }
        book.languages = [language].compactMap(\.self)
        return book
    }

    private func text(_ charts: StatisticsCharts, width: Int) -> [String] {
        let canvas = StatisticsPage(charts, width: width).drawn()
        return (0..<canvas.size.rows).map(canvas.text(ofRow:))
    }

    @Test func aChartHasItsTitleAndARowForEachValue() throws {
        let charts = try charts(of: [
            book(authors: ["Ann"], year: 1995), book(authors: ["Ann", "Bob"], year: 1999), book(year: 2021), book(),
        ])
        #expect(
            text(charts, width: 60).prefix(14) == [
                "4 books, 2 authors",
                "",
                "Decades ────────────────────────────────────────────────────",
                "1995–2021, median 1999",
                "1995 █   █                     █ 2021",
                "1990s        2   50 %  █████████████████████████████████████",
                "2000s        0    0 %",
                "2010s        0    0 %",
                "2020s        1   25 %  ██████████████████▌",
                "Not known    1   25 %",
                "",
                "Authors ────────────────────────────────────────────────────",
                "Ann          2   50 %  █████████████████████████████████████",
                "Bob          1   25 %  ██████████████████▌",
            ])
    }

    @Test func booksWithoutASeriesAreNotCounted() throws {
        var first = book()
        first.series = "Dune"
        let lines = text(try charts(of: [first, book()]), width: 60)
        let series = try #require(lines.firstIndex { $0.hasPrefix("Series ") })
        #expect(lines[series + 1].hasPrefix("Dune ") && lines[series + 2] == "No series    1   50 %")
    }

    @Test func emptyChartsAreOmittedAndListed() throws {
        let charts = try charts(of: [book(authors: ["Ann"], pages: 7)])
        #expect(charts.charts.map(\.title) == ["Pages", "Authors", "Field coverage"])
        #expect(
            charts.missing == "No data for: year, subject, language, series, kind, status, rating, date added.")
        #expect(text(charts, width: 80).contains { $0.hasPrefix("No data for: year, subject,") })
    }

    @Test func anEmptyListHasAMessage() throws {
        let charts = try charts(of: [])
        #expect(text(charts, width: 80) == ["This list is empty."])
        #expect(charts.spoken(after: nil) == ["This list is empty."])
        let canvas = StatisticsPage(charts, width: 80).drawn(heading: ["books.json"])
        #expect(canvas.text == "books.json\nThis list is empty.")
    }

    @Test func anOutlierYearDoesNotCompressTheChart() throws {
        let years = (1900..<2000).map { $0 } + [-750, 3019]
        let rows = try charts(of: years.map { book(year: $0) }).charts[0].rows
        #expect(rows.map(\.label).prefix(2) == ["before 1900", "1900s"])
        #expect(rows.map(\.label).suffix(2) == ["1990s", "after 1999"])
        #expect(rows.count == 12)
        #expect(rows.first?.count == 1 && rows.first?.isRest == true)
    }

    @Test func valuesWithOneBookEachAreOmitted() throws {
        let authors = try charts(of: (0..<12).map { book(authors: ["Author \($0)"]) }).charts[0]
        #expect(authors.summary == "12, with one book each")
        #expect(authors.rows.isEmpty)
    }

    @Test func omittedRowsAreReported() throws {
        let books = (0..<30).flatMap { number in
            (0...(number / 10)).map { _ in book(authors: ["Author \(number)"]) }
        }
        let authors = try charts(of: books).charts[0]
        #expect(authors.extent == "top 10 of 30")
        #expect(authors.rows.count == 10)
    }

    @Test func thePageFitsEachWidth() throws {
        let names = [
            "村上春樹と雪国", "Лев Толстой", "नागार्जुन", "👩‍👩‍👧‍👦 family", String(repeating: "long ", count: 50),
            "a\u{1B}[31mred", "עמוס עוז",
        ]
        let books = (0..<60).map { number in
            book(
                authors: [names[number % names.count]], year: 1800 + number * 4, pages: number * 30 + 1,
                language: ["en", "fr", "de"][number % 3])
        }
        let charts = try charts(of: books)
        for width in [1, 2, 5, 20, 39] + Array(40...200) {
            let canvas = StatisticsPage(charts, width: width).drawn(heading: ["雪国 / " + names[4]])
            #expect(canvas.size.columns == width)
            let lines = (0..<canvas.size.rows).map(canvas.text(ofRow:))
            #expect(lines.allSatisfy { $0.displayColumns <= width })
            #expect(lines.joined().unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F })
            if width < 40 { continue }
            for title in ["Decades ─", "Pages ─", "Authors ─", "Languages ─", "Field coverage ─"] {
                #expect(lines.contains { $0.contains(title) }, "\(title) in \(width) columns")
            }
        }
    }

    @Test func twoChartsStandBesideEachOtherFromAHundredColumnsOn() throws {
        let charts = try charts(of: [book(authors: ["Ann"], year: 1995, pages: 200), book(authors: ["Ann"])])
        func hasTwoColumns(_ width: Int) -> Bool {
            text(charts, width: width).contains { $0.hasPrefix("Decades ─") && $0.contains("─    ") }
        }
        #expect(!hasTwoColumns(99))
        #expect(hasTwoColumns(100))
    }

    @Test func theColumnsAreBalanced() {
        #expect(ChartColumns.columns(forHeights: [5, 1, 1, 1, 2]) == [0, 1, 1, 1, 1])
        #expect(ChartColumns.columns(forHeights: [2, 2]) == [0, 1])
        #expect(ChartColumns.columns(forHeights: [3]) == [0])
        #expect(ChartColumns.columns(forHeights: []) == [])
    }

    @Test func aTimelineFillsTheWidth() throws {
        let timeline = try #require(charts(of: (1900...1999).map { book(year: $0) }).charts[0].timeline)
        #expect(timeline.range == 1900...1999)
        #expect(timeline.counts(limit: 200) == Array(repeating: 1, count: 100))
        #expect(timeline.counts(limit: 50) == Array(repeating: 2, count: 50))
        #expect(timeline.counts(limit: 30) == Array(repeating: 4, count: 25))
        #expect(timeline.counts(limit: 1) == [100])
    }

    @Test func userDataIsCounted() throws {
        var userData = UserDataFilter(favourites: [1])
        userData.statuses = [.read: [0]]
        userData.ratings = [4: [0], 2: [1]]
        let charts = try charts(of: [book(), book(), book()], userData: userData)
        #expect(charts.summary == "3 books, 1 favourite")
        let status = try #require(charts.charts.first { $0.title == "Status" })
        #expect(status.rows.map(\.label) == ["To read", "Reading", "Read", "Abandoned", "No status"])
        #expect(status.rows.map(\.count) == [0, 0, 1, 0, 2])
        let ratings = try #require(charts.charts.first { $0.title == "Ratings" })
        #expect(ratings.rows.map(\.label) == ["★★★★★", "★★★★☆", "★★★☆☆", "★★☆☆☆", "★☆☆☆☆", "Not rated"])
        #expect(ratings.rows.map(\.count) == [0, 1, 0, 1, 0, 1])
        #expect(ratings.summary == "3 stars on average")
    }

    @Test func halfStarsHaveRowsIfABookHasThem() throws {
        var books = (1...4).map { book("Book \($0)") }
        for (number, rating) in [4.5, 4.3, 4, 0.5].enumerated() { books[number].rating = rating }
        let charts = try charts(of: books)
        let ratings = try #require(charts.charts.first { $0.title == "Ratings" })
        #expect(
            ratings.rows.map(\.label) == ["★★★★★", "★★★★½", "★★★★☆", "★★★☆☆", "★★☆☆☆", "★☆☆☆☆", "½☆☆☆☆"])
        #expect(ratings.rows.map(\.count) == [0, 2, 1, 0, 0, 0, 1])
        // (4.5 + 4.5 + 4 + 0.5) / 4
        #expect(ratings.summary == "3.38 stars on average")
    }
}
