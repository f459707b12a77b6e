import Foundation
import Testing

/// The reader's own statistics in `stacks stats`.
@Suite("stacks stats: your reading") struct ReadingStatisticsCommandTests {
    let sandbox: Sandbox
    private let catalog: String
    private let year = Calendar.current.component(.year, from: .now)

    /// Writes a catalog of three books, and user data: a book of another catalog that was read in 2021.
    init() throws {
        sandbox = try Sandbox()
        catalog = try sandbox.write(
            #"[{"title": "A", "pageCount": 50}, {"title": "B", "pageCount": 300}, {"title": "C"}]"#, to: "books.json")
        let header = "Book Id,Title,Author,ISBN,ISBN13,My Rating,Date Read,Date Added,Bookshelves,Exclusive Shelf"
        let table = try sandbox.write(
            "\(header)\n1,Other,Somebody,,,0,2021/05/06,2021/05/06,,read\n", to: "goodreads.csv")
        _ = try sandbox.run([Programs.stacks, "import", table, "--catalog", catalog])
    }

    private func stats(_ arguments: String...) throws -> Sandbox.Result {
        try sandbox.run([Programs.stacks, "stats", catalog] + arguments)
    }

    private func reading(_ arguments: String...) throws -> NSDictionary {
        let result = try sandbox.run([Programs.stacks, "stats", catalog, "--format", "json"] + arguments)
        #expect(result.ending == .exit(0), "\(result.error)")
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? NSDictionary)
        return try #require(object["reading"] as? NSDictionary)
    }

    private func setGoal(_ goal: Int) throws {
        try sandbox.write("[reading]\ngoal = \(goal)\n", to: sandbox.path + "/config/stacks/config.toml")
    }

    @Test func jsonHasItsFormat() throws {
        let found = try reading()
        #expect(
            Set(found.allKeys.compactMap { $0 as? String }) == [
                "today", "books", "withoutDate", "withoutPageCount", "beingRead", "pages", "goal", "years", "months",
                "calendar",
            ])
        #expect(found["books"] as? Int == 1 && found["withoutPageCount"] as? Int == 1)
        #expect(found["goal"] is NSNull)
        #expect(
            found["years"] as? [NSDictionary] == [
                ["year": 2021, "books": 1, "withoutPageCount": 1, "pages": 0, "days": 1]
            ])
        #expect(found["months"] as? [NSDictionary] == [["month": "2021-05", "books": 1, "pages": 0, "days": 1]])
        let calendar = try #require(found["calendar"] as? NSDictionary)
        #expect(calendar["to"] as? String == found["today"] as? String)
        #expect(calendar["levels"] as? [Int] == [] && (calendar["days"] as? [NSDictionary])?.isEmpty == true)
        // The list and the query restrict only the charts of the catalog.
        #expect(try reading("--query", "title:A") == found)
    }

    @Test func theGoalIsThatOfTheConfigFile() throws {
        try setGoal(12)
        let goal = try #require(try reading()["goal"] as? NSDictionary)
        #expect(goal["year"] as? Int == year && goal["books"] as? Int == 12 && goal["read"] as? Int == 0)
        let text = try stats().output
        #expect(text.contains("\nYour reading in all lists ────"))
        #expect(text.contains("\n0 of 12 books in \(year)  ····"))
        #expect(text.contains("\nAll years: 1 book (page count unknown)\n"))
    }

    @Test func aYearIsReviewed() throws {
        let review = try stats("--year", "2021")
        #expect(review.output.hasPrefix("2021: 1 book (page count unknown), 1 day\n\nJan  0 books  0 pages\n"))
        #expect(review.output.contains("\nMay  1 book   – pages  ████"))
        let json = try stats("--year", "2021", "--format", "json")
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? NSDictionary)
        #expect(object["books"] as? Int == 1 && object["withoutPageCount"] as? Int == 1)
        let readings = try #require(object["readings"] as? [NSDictionary])
        #expect(readings.map { $0["title"] as? String } == ["Other"] && readings[0]["end"] as? String == "2021-05-06")
        let nothing = try stats("--year", "2020")
        #expect(nothing.ending == .exit(1) && nothing.error.contains("Nothing was read in 2020"))
        #expect(try stats("--year", "2021", "--list", "Read").ending == .exit(64))
        #expect(try stats("--year", "21").ending == .exit(64))
    }

    @Test func whatIsReadTodayIsInTextAndPicture() throws {
        let terminal = try Tmux(in: sandbox, opening: catalog)
        try terminal.wait(forPosition: "1/3")
        // A is read from its first page to its last on this day.
        try terminal.type("mrmd")
        try terminal.wait(for: "Read")
        try terminal.type("%")
        try terminal.wait(for: "This year: 1 book, 50 pages, 1 day")
        try terminal.type("qq")
        #expect(try terminal.waitForEnd() == .exit(0))
        let text = try stats().output
        #expect(text.contains("\nThis year: 1 book, 50 pages, 1 day\n"))
        #expect(text.contains("\n· none  █ 1") || text.contains("\n· none  ░ 1–49  █ 50 or more pages\n"))
        let picture = sandbox.path + "/picture.svg"
        #expect(try stats("--svg", picture).ending == .exit(0))
        let reader =
            "import sys, xml.etree.ElementTree as e; r = e.parse(sys.argv[1]).getroot(); "
            + "print('\\n'.join(t.text for t in r.iter('{http://www.w3.org/2000/svg}title')))"
        let titles = try sandbox.run(["/usr/bin/python3", "-c", reader, picture])
        #expect(titles.ending == .exit(0), "\(titles.error)")
        let lines = titles.output.split(separator: "\n")
        // Each day of the calendar, the last of which is today, has a title.
        #expect(lines.count { $0.hasSuffix("\(year): 50 pages") } == 2)
        #expect(lines.count { $0.hasSuffix(": nothing") } >= 363)
    }
}
