import Foundation
import TerminalTesting
import TerminalUI
import Testing

@testable import Browser
@testable import Library

/// The reader's statistics on the screen, recorded in Tests/GoldenScreens/reading.
///
/// They depend on the day, which the release cannot be given; therefore these screens are recorded here.
/// `STACKS_RECORD_SCREENS=1 swift test --skip-build --filter ReadingScreens` records them again.
@Suite("Reading statistics on the screen") struct ReadingScreensTests {
    /// A screen and the keys that lead to it.
    struct Scene: CustomTestStringConvertible, Sendable {
        var name: String
        var about: String
        var keys: String
        var goal: Int? = 12
        var testDescription: String { name }
    }

    static let scenes = [
        Scene(name: "charts", about: "The goal of the year, the months, and the days of twelve months.", keys: "%"),
        Scene(name: "scrolled", about: "The same, half a page further down.", keys: "% ^d"),
        Scene(name: "lists", about: "The books of this year below the preview of a list.", keys: "L"),
        Scene(name: "no-goal", about: "Without a goal in the config file.", keys: "%", goal: nil),
    ]
    static let sizes = [(200, 50), (120, 36), (80, 24), (60, 20), (50, 15)].map { Size(rows: $0.1, columns: $0.0) }

    private static let directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../../GoldenScreens/reading").standardized

    @Test(arguments: Self.scenes, Self.sizes)
    func everyScreenEqualsItsRecording(scene: Scene, size: Size) throws {
        let terminal = try ReadersYear.user(goal: scene.goal)
            .browse(scene.keys, columns: size.columns, rows: size.rows, resumes: false)
        let ruler = String(
            (1...size.columns).map { column -> Character in
                column % 10 == 0 ? Character(String(column / 10 % 10)) : column % 5 == 0 ? "+" : "-"
            })
        let text = [
            "# \(scene.about)",
            "# Catalog: A reader's year (Tests/BrowserTests/Support/ReadersYear.swift). Keys: \(scene.keys). "
                + "Window: \(size.columns) x \(size.rows).",
            ruler, terminal.text, ruler, "",
        ].joined(separator: "\n")
        let file = Self.directory.appending(path: "\(scene.name)-\(size.columns)x\(size.rows).txt")
        if ProcessInfo.processInfo.environment["STACKS_RECORD_SCREENS"] != nil {
            try FileManager.default.createDirectory(at: Self.directory, withIntermediateDirectories: true)
            try text.write(to: file, atomically: true, encoding: .utf8)
        } else {
            #expect(try String(contentsOf: file, encoding: .utf8) == text)
        }
    }

    @Test func everyRecordingHasAScreen() throws {
        let expected = Self.scenes.flatMap { scene in
            Self.sizes.map { "\(scene.name)-\($0.columns)x\($0.rows).txt" }
        }
        #expect(try Set(FileManager.default.contentsOfDirectory(atPath: Self.directory.path)) == Set(expected))
    }

    // MARK: - Figures worked out by hand

    @Test func theMonthsHaveTheirBooksAndPages() throws {
        let text = try ReadersYear.user().browse("%", columns: 80, rows: 60, resumes: false).text
        // Eight books of this year; 25 November is day 329 of 365, so that 10.8 of 12 are expected, and
        // 8 * 365 / 329 = 8.9.
        #expect(text.contains(" 8 of 12 books in 2026  ███"))
        #expect(text.contains("2 books behind; 9 by the end of the year at this pace"))
        // 474 + 249 + 255 + 604 + 310 + 443 + 328 + 92 + 182 pages. Days: 22 in January, 10, 12, 26 + 25 of Dune, 1, 1 of
        // Cosmos, 1 of Sapiens, 14, 12 and 13.
        #expect(text.contains("This year: 8 books, 2,937 pages (1 page count unknown), 137 days"))
        // With Beloved and Foundation in 2019.
        #expect(text.contains("All years: 10 books, 3,516 pages (1 page count unknown), 1 being read"))
        func row(_ month: String) -> [Substring] {
            text.split(separator: "\n").first { $0.hasPrefix(" " + month) }?.split(separator: " ") ?? []
        }
        #expect(row("Dec 2025").prefix(3) == ["Dec", "2025", "1"] && row("Dec 2025").contains("324"))
        #expect(row("Jan 2026").contains("474"))
        // Of Dune, 151 pages and half of another 151 are of April, the others of May.
        #expect(row("Apr 2026").contains("227") && row("Apr 2026")[2] == "0")
        #expect(row("May 2026").contains("378") && row("May 2026")[2] == "1")
        #expect(row("Jun 2026").contains("310"))
        #expect(row("Jul 2026").prefix(3) == ["Jul", "2026", "1"])
        // Sapiens was read in August, nobody knows when.
        #expect(row("Aug 2026").contains("443"))
        #expect(row("Oct 2026").contains("92") && row("Oct 2026")[2] == "0")
        #expect(row("Nov 2026").contains("182"))
    }

    @Test func levelsAreToldBySignsAndNotByColoursAlone() throws {
        let terminal = try ReadersYear.user().browse("%", columns: 200, rows: 50, resumes: false)
        for sign in ReadingPage.levelSigns { #expect(terminal.text.contains(sign + " ")) }
    }

    @Test func theyAreSaidInLineMode() throws {
        let told = try ReadersYear.user().narrate("%", resumes: false).answer
        #expect(told.contains("Your reading, in all lists"))
        #expect(told.contains("Goal: 8 of 12 books in 2026, 67 %"))
        #expect(told.contains("May 2026: 1 book, 378 pages, 25 days"))
    }

    @Test(arguments: [(20, 5), (30, 10), (40, 12), (57, 20), (118, 30), (300, 80)])
    func theyFitEachWindow(columns: Int, rows: Int) throws {
        let user = try ReadersYear.user()
        #expect(
            try user.browse("%", columns: columns, rows: rows, resumes: false).title.hasPrefix(" Statistics"))
    }

    @Test func whatIsMarkedNowCounts() throws {
        let user = try ReadersYear.user()
        // The first book, of 324 pages, is read again on the real day.
        user.settings.today = nil
        let before = try user.browse("%", columns: 80, rows: 60, resumes: false).text
        let after = try user.browse("m r m d %", columns: 80, rows: 60, resumes: false).text
        #expect(before.contains("All years: 10 books, 3,516 pages (1 page count unknown), 1 being read"))
        #expect(after.contains("All years: 11 books, 3,840 pages (1 page count unknown), 1 being read"))
    }
}
