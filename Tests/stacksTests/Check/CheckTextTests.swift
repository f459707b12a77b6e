import Testing

@testable import Books
@testable import Graphemes
@testable import Library
@testable import stacks

@Suite("Check: the report for people") struct CheckTextTests {
    init() { useUTF8Locale() }

    private static func report() -> CheckReport {
        var report = CheckReport(valid: true, records: 2000)
        report.fieldOrder = [.title, .authors, .isbn, .published, .series]
        report.fields = [
            "title": .init(count: 2000, share: 1), "authors": .init(count: 1999, share: 0.9995),
            "isbn": .init(count: 1, share: 0.0005), "published": .init(count: 500, share: 0.25),
            "series": .init(count: 0, share: 0),
        ]
        return report
    }

    private static func lines(_ report: CheckReport, columns: Int = 80) -> [String] {
        CheckText(report: report, name: "a.json", columns: columns).text.split(
            separator: "\n", omittingEmptySubsequences: false
        ).map(String.init)
    }

    @Test func coverageIsAlignedAndBarsAreAsLongAsTheShares() {
        let full = String(repeating: "█", count: 40)
        #expect(
            Self.lines(Self.report()) == [
                "a.json: valid, 2,000 books", "", "Fields", "  Title                 2,000  100 %  " + full,
                "  Authors               1,999   99 %  " + full.dropLast() + "▉",
                "  ISBN                      1   <1 %  ▏",
                "  Published               500   25 %  " + full.prefix(10), "  Not in any book: Series", "",
            ])
    }

    @Test(arguments: [(200, 40), (78, 40), (60, 22), (39, 1), (38, 0), (10, 0), (0, 0)])
    func barsFitTheTerminal(columns: Int, length: Int) {
        let title = Self.lines(Self.report(), columns: columns)[3]
        #expect(title.count { $0 == "█" } == length)
        if columns >= 38 { #expect(title.displayColumns <= columns) }
    }

    @Test(arguments: [
        (0, 5, "0 %"), (5, 5, "100 %"), (1, 1000, "<1 %"), (999, 1000, "99 %"), (1, 100, "1 %"), (29, 100, "29 %"),
        (29, 30, "97 %"), (1, 250, "<1 %"), (0, 0, "0 %"),
    ])
    func sharesAreRounded(count: Int, whole: Int, text: String) {
        #expect(count.percentage(of: whole) == text)
    }

    @Test func aCatalogWithoutBooksHasNoCoverage() {
        var report = Self.report()
        report.records = 0
        #expect(Self.lines(report) == ["a.json: valid, 0 books", ""])
    }

    @Test func theFirstThreeProblemsOfAKindAreShown() {
        var report = CheckReport(valid: true)
        report.problems = (1...5).map {
            .init(
                kind: "not a book", location: .init(line: $0, column: 2, byteOffset: $0 * 10),
                message: "not a book; skipped")
        }
        report.problemCounts = ["not a book": 1200]
        #expect(
            Self.lines(report).dropFirst() == [
                "", "Problems", "  not a book: 1,200",
                "    line 1, column 2 (byte 10): not a book; skipped",
                "    line 2, column 2 (byte 20): not a book; skipped",
                "    line 3, column 2 (byte 30): not a book; skipped", "    and 1,197 more", "",
            ])
    }

    @Test func duplicatesAndInvalidISBNsAreReported() {
        var report = CheckReport(valid: true)
        let places = (1...4).map { CheckReport.Location(line: $0, column: 1, byteOffset: $0 * 100) }
        report.doubles.isbn = .init(
            groups: 2, records: 6,
            first: [
                .init(value: "978-0441478125", places: places),
                .init(value: "978-0441478132", places: Array(places.prefix(2)), ids: ["isbn:1", "isbn:1~2"]),
            ])
        report.invalidISBNs = .init(
            count: 1, first: [.init(text: "12\u{1B}3", location: .init(line: 9, column: 8, byteOffset: 7))])
        #expect(
            Self.lines(report).dropFirst() == [
                "", "Duplicates", "  same ISBN: 2 groups, 6 books",
                "    978-0441478125: line 1 (byte 100), line 2 (byte 200), line 3 (byte 300), …",
                "    978-0441478132: line 1 (byte 100), line 2 (byte 200)",
                "", "Invalid ISBNs: 1", "    \"12\u{FFFD}3\" at line 9, column 8 (byte 7)", "",
            ])
    }

    @Test("What can be cleaned is named with the command that shows it, but not what all books lack")
    func cleaning() {
        var report = Self.report()
        report.cleaning.duplicateGroups = 36
        report.cleaning.valueGroups = ["authors": 3, "series": 1]
        report.cleaning.tidyUp = ["no-author": 12, "no-cover": 2000, "no-year": 0, "no-position": 1]
        let lines = Self.lines(report)
        let start = lines.firstIndex(of: "Cleaning") ?? 0
        #expect(
            lines[start...] == [
                "Cleaning",
                "  36 duplicate groups, other spellings apart. Review them with: stacks duplicates a.json",
                "  Authors: 3 groups of values that may be one. See them with: stacks values author a.json",
                "  Series: 1 group of values that may be one. See them with: stacks values series a.json",
                "  No author: 12 books. List them with: stacks search -- -has:author a.json",
                "  No number in series: 1 book. List them with: stacks search 'has:series -has:position' a.json",
                "  In the browser: gD duplicates, gV values, L “Tidy up”", "",
            ])
    }
}
