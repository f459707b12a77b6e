import Foundation
import Glibc
import Testing

/// A reader's year, typed key by key on its days. The clock is set by faketime, which works through the dynamic loader:
/// the tests run the debug build, because the release is static.
@Suite("On a terminal: a year in the life of a reader") struct YearOfReadingTests {
    let sandbox: Sandbox
    let catalog: String

    /// Writes a catalog of seven novels, and a goal of five books a year.
    init() throws {
        sandbox = try Sandbox()
        catalog = try sandbox.write(Novels.catalog, to: "novels.json")
        try sandbox.write("[reading]\ngoal = 5\n", to: sandbox.path + "/config/stacks/config.toml")
    }

    /// What a reader does on an evening.
    private struct Evening {
        /// The day.
        var day: String
        /// The number of the book.
        var book: Int
        /// The keys; a text after a prompt ends with the key Enter.
        var keys: [String]
        /// What the program answers.
        var answer: String
    }

    /// Emma, twice; The Hobbit; Persuasion, abandoned; and Cosmos, which was read the year before.
    private static let year: [Evening] = [
        Evening(day: "2025-01-03", book: 5, keys: ["mD", "2024-12-30"], answer: "Read, 30 December 2024: Cosmos"),
        Evening(day: "2025-01-05", book: 2, keys: ["mr"], answer: "Reading: Emma"),
        Evening(day: "2025-01-12", book: 2, keys: ["mp", "122"], answer: "At page 122: Emma"),
        Evening(day: "2025-02-03", book: 2, keys: ["md"], answer: "Read: Emma"),
        Evening(day: "2025-03-09", book: 4, keys: ["mR", "yesterday"], answer: "Reading, yesterday: The Hobbit"),
        Evening(day: "2025-03-20", book: 4, keys: ["mp", "50%"], answer: "At 50\u{A0}%: The Hobbit"),
        // The second of April is a Wednesday.
        Evening(day: "2025-04-02", book: 4, keys: ["mD", "last sunday"], answer: "Read, 30 March 2025: The Hobbit"),
        Evening(day: "2025-06-15", book: 7, keys: ["mr"], answer: "Reading: Persuasion"),
        Evening(day: "2025-06-20", book: 7, keys: ["mp", "40"], answer: "At page 40: Persuasion"),
        Evening(day: "2025-07-01", book: 7, keys: ["mx"], answer: "Abandoned: Persuasion"),
        Evening(day: "2025-08-10", book: 2, keys: ["mr"], answer: "Reading: Emma"),
        Evening(day: "2025-08-31", book: 2, keys: ["mp", "308"], answer: "At page 308: Emma"),
        Evening(day: "2025-10-01", book: 2, keys: ["mD", "12 sep"], answer: "Read, 12 September 2025: Emma"),
    ]

    /// Opens the catalog in the evening of `day`.
    private func open(_ catalog: String, on day: String, in sandbox: Sandbox) throws -> Tmux {
        let terminal = try Tmux(
            in: sandbox, columns: 120, rows: 36, running: Self.stacks(on: day) + [catalog],
            // The program waits for real time.
            changing: ["TZ": "UTC", "FAKETIME_DONT_FAKE_MONOTONIC": "1"])
        try terminal.wait(for: "the list") { $0.position.hasSuffix("/7") }
        return terminal
    }

    private static func stacks(on day: String) throws -> [String] {
        try ["/usr/bin/faketime", "-f", "@\(day) 20:00:00", Programs.stacksOfTests]
    }

    /// Types what the reader does on these evenings; each ends with `kill -9` as soon as the program has answered.
    private func live(_ evenings: [Evening], in sandbox: Sandbox) throws {
        for evening in evenings {
            let terminal = try open(catalog, on: evening.day, in: sandbox)
            try terminal.type("\(evening.book)G")
            try terminal.wait(forPosition: "\(evening.book)/7")
            try terminal.type(evening.keys[0])
            for text in evening.keys.dropFirst() {
                try terminal.wait(for: ": ")
                try terminal.type(text)
                try terminal.press("Enter")
            }
            try terminal.wait(for: "\(evening.book)/7  \(evening.answer)")
            #expect(kill(try program(of: terminal), SIGKILL) == 0)
            _ = try terminal.waitForEnd()
        }
    }

    /// The process of stacks: faketime waits for it, and must live to remove its shared memory.
    private func program(of terminal: Tmux) throws -> pid_t {
        let child = children(of: try terminal.processID).first ?? 0
        let name = try String(contentsOfFile: "/proc/\(child)/comm", encoding: .utf8)
        try #require(child > 1 && name == "stacks\n", "\(name)")
        return child
    }

    private func run(_ arguments: [String], on day: String, in sandbox: Sandbox) throws -> Sandbox.Result {
        try sandbox.run(
            Self.stacks(on: day) + arguments, changing: ["TZ": "UTC", "FAKETIME_DONT_FAKE_MONOTONIC": "1"])
    }

    /// The log as `stacks log` prints it: start, end, what became of it, progress and title.
    private func log(in sandbox: Sandbox) throws -> [String] {
        let result = try run(["log", catalog], on: "2025-11-25", in: sandbox)
        #expect(result.ending == .exit(0), "\(result.error)")
        return result.output.split(separator: "\n").map { line in
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
            return (columns.prefix(4) + [columns[5]]).joined(separator: "|")
        }
    }

    /// The log of the whole year, the latest reading first.
    private static let wholeLog = [
        "2025-08-10|2025-09-12|read|p. 308 on 2025-08-31|Emma",
        "2025-06-15|2025-07-01|abandoned|p. 40 on 2025-06-20|Persuasion",
        "2025-03-08|2025-03-30|read|50 % on 2025-03-20|The Hobbit",
        "2025-01-05|2025-02-03|read|p. 122 on 2025-01-12|Emma",
        "|2024-12-30|read||Cosmos",
    ]

    @Test(
        "killed after every entry, the log has each of them, and the statistics agree with figures worked out by hand")
    func wholeYear() throws {
        try live(Self.year, in: sandbox)
        #expect(try log(in: sandbox).sorted() == Self.wholeLog.sorted())

        // Emma: 122 pages from 5 to 12 January, then 352 pages in the 22 days to 3 February: 16 a day, 19 days of them in
        // January. The Hobbit: 155 and 155 of 310 pages, all in March. Persuasion: 40 pages from 15 to 20 June. Emma
        // again: 308 pages from 10 to 31 August, the other 166 up to 12 September. Cosmos: 365 pages, on one day.
        let months: [[String: Any]] = [
            ["month": "2024-12", "books": 1, "pages": 365, "days": 1],
            ["month": "2025-01", "books": 0, "pages": 122 + 19 * 16, "days": 27],
            ["month": "2025-02", "books": 1, "pages": 3 * 16, "days": 3],
            ["month": "2025-03", "books": 1, "pages": 310, "days": 23],
            ["month": "2025-06", "books": 0, "pages": 40, "days": 6],
            ["month": "2025-08", "books": 0, "pages": 308, "days": 22],
            ["month": "2025-09", "books": 1, "pages": 166, "days": 12],
        ]
        let result = try run(["stats", catalog, "--format", "json"], on: "2025-11-25", in: sandbox)
        let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? NSDictionary
        let reading = try #require(object?["reading"] as? NSDictionary)
        #expect(reading["months"] as? NSArray == months as NSArray, "\(result.output)")
        #expect(
            reading["years"] as? NSArray == [
                ["year": 2024, "books": 1, "withoutPageCount": 0, "pages": 365, "days": 1],
                ["year": 2025, "books": 3, "withoutPageCount": 0, "pages": 1298, "days": 93],
            ])
        // 25 November is day 329 of 365: an even pace would be 4.5 of 5 books, and 3 books make 3.3 in a year.
        let goal = try #require(reading["goal"] as? NSDictionary)
        #expect(goal["year"] as? Int == 2025 && goal["books"] as? Int == 5 && goal["read"] as? Int == 3)
        #expect(goal["ahead"] as? Int == -1 && goal["forecast"] as? Int == 3)

        let terminal = try open(catalog, on: "2025-11-25", in: sandbox)
        try terminal.type("%")
        try terminal.wait(for: "This year: 3 books, 1,298 pages, 93 days")
        try terminal.wait(for: "3 of 5 books in 2025")
        try terminal.type("q")
        try terminal.type("2G")
        try terminal.wait(for: "● Read 12 Sep, 2 times")
        for (query, titles) in [
            ("read:2025", ["Emma", "The Hobbit"]), ("read:2024", ["Cosmos"]), ("readings:>1", ["Emma"]),
            ("started:2025-06", ["Persuasion"]), ("status:abandoned", ["Persuasion"]),
        ] {
            try terminal.type("/")
            try terminal.press("C-u")
            try terminal.type(query)
            try terminal.press("Enter")
            let screen = try terminal.wait(for: query) {
                $0.rows[0].contains("⟂ \(query) ") && $0.position == "1/\(titles.count)"
            }
            for title in titles { #expect(screen.shows(title), "\(query)") }
            try terminal.press("Escape")
            try terminal.wait(for: "all books") { $0.position.hasSuffix("/7") }
        }
        // The year is one order of undo, from the last entry back.
        try terminal.type(String(repeating: "u", count: Self.year.count))
        try terminal.wait(for: "the undo of the first evening") {
            $0.status.contains("Undone: ") && $0.status.contains("Cosmos")
        }
        try terminal.quit()
        #expect(try log(in: sandbox).isEmpty)
    }

    @Test("killed at any moment, the log has all entries up to one, and all that were answered")
    func killedAtAnyMoment() throws {
        // The entries of each book, and how its log looks after each.
        let entries: [(keys: String, log: String)] = [
            ("mr", "reading"), ("mp40\r", "reading 40"), ("md", "read 40"), ("mr", "read 40, reading"),
            ("mx", "read 40, abandoned"),
        ]
        var states: [[String]] = [[]]
        for _ in Novels.titles {
            let done = states[states.count - 1]
            states += entries.map { done + [$0.log] }
        }
        var endings: Set<Int> = []
        for delay in stride(from: 5, through: 155, by: 10) {
            let terminal = try open(catalog, on: "2025-05-01", in: sandbox)
            let process = try program(of: terminal)
            Thread.detachNewThread {
                usleep(useconds_t(delay) * 1000)
                kill(process, SIGKILL)
            }
            // Keys that arrive together would be handled together.
            for _ in Novels.titles { for keys in entries.map(\.keys) + ["j"] { try terminal.type(keys) } }
            _ = try terminal.waitForEnd()
            let answered = try terminal.screen
            let found = try bookLogs()
            let count = try #require(states.firstIndex(of: found), "after \(delay) ms: \(found)")
            let book = try #require(Int(answered.position.prefix { $0 != "/" }))
            if answered.status.contains("Abandoned: ") { #expect(count >= book * entries.count) }
            endings.insert(count)
            for name in ["data", "state"] { try? FileManager.default.removeItem(atPath: sandbox.path + "/" + name) }
        }
        #expect(endings.count > 1, "all were killed at the same moment: \(endings)")
    }

    /// The readings of each book that has any, in the order of the catalog: what became of each, with the page.
    private func bookLogs() throws -> [String] {
        var logs: [String: [String]] = [:]
        for line in try log(in: sandbox) {
            let columns = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
            let page = columns[3].split(separator: " ").dropFirst().first.map { " " + $0 } ?? ""
            logs[columns[4], default: []].append((columns[2].isEmpty ? "reading" : columns[2]) + page)
        }
        // The finished reading comes first.
        return Novels.titles.compactMap { title in
            logs[title].map { $0.sorted { $0.hasPrefix("read ") && !$1.hasPrefix("read ") }.joined(separator: ", ") }
        }
    }

    @Test("the logs of two machines, imported into one in any order, are one log", arguments: [[0, 1], [1, 0]])
    func twoMachines(order: [Int]) throws {
        let machines = [sandbox, try Sandbox()]
        // At home in winter and at the summer house; the first reading of Emma was entered on both.
        let winter = Array(Self.year[0..<7])
        let summer = Array(Self.year[1..<4] + Self.year[7...])
        let exports = try zip(machines, [winter, summer]).map { machine, evenings in
            try live(evenings, in: machine)
            let file = machine.path + "/export.csv"
            #expect(
                try run(["export", catalog, "--output", file], on: "2025-11-25", in: machine).ending == .exit(0))
            return file
        }
        let third = try Sandbox()
        for number in order {
            let result = try run(["import", exports[number], "--catalog", catalog], on: "2025-11-25", in: third)
            #expect(result.ending == .exit(0), "\(result.error)")
        }
        #expect(try log(in: third).sorted() == Self.wholeLog.sorted())
        // Each of the two becomes the same, too.
        for (machine, other) in [(machines[0], exports[1]), (machines[1], exports[0])] {
            _ = try run(["import", other, "--catalog", catalog], on: "2025-11-25", in: machine)
            #expect(try log(in: machine).sorted() == Self.wholeLog.sorted())
        }
    }
}
