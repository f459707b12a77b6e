import Foundation
import Testing

/// Pages through whole catalogs: the divider is in its column in every row, according to two terminal emulators. Part
/// of `make test-data`; requires the variable STACKS_DATA.
@Suite("On a terminal: real catalogs") struct CatalogsOnScreenDataTests {
    let sandbox: Sandbox
    let data: String

    init() throws {
        sandbox = try Sandbox()
        data = try #require(ProcessInfo.processInfo.environment["STACKS_DATA"], "run make test-data")
    }

    private static let sizes = [(80, 24), (120, 40)]

    @Test(arguments: sizes)
    func titlesOfProjectGutenbergInOtherScripts(columns: Int, rows: Int) throws {
        let catalog = data + "/gutenberg/native-derived-multiscript.json"
        try check(catalog, count: 2621, columns: columns, rows: rows)
    }

    @Test(arguments: sizes)
    func naughtyStringsAsTitlesAndAuthors(columns: Int, rows: Int) throws {
        let strings = try JSONDecoder().decode(
            [String].self, from: Data(contentsOf: URL(filePath: data + "/blns/blns.json")))
        try #require(strings.count == 515)
        let books = strings.map { ["title": $0] as [String: Any] }.enumerated().map { number, book in
            book.merging(["authors": [strings[(number + 1) % strings.count]]]) { first, _ in first }
        }
        let catalog = sandbox.path + "/blns.json"
        try JSONSerialization.data(withJSONObject: books).write(to: URL(filePath: catalog))
        try check(catalog, count: 515, columns: columns, rows: rows)
    }

    @Test(arguments: [
        "14-lone-surrogate.json", "15-nul-and-controls.json", "16-bidi-override.json", "17-zwj-combining.json",
        "18-newlines-in-title.json", "19-huge-title.json", "11-bom-utf8.json", "13-latin1.json", "22-wrong-types.json",
        "23-nulls.json", "24-missing-keys.json", "25-mixed-array.json", "26-duplicate-keys.json", "28-big-ints.json",
        "30-ndjson-bad-line.jsonl", "35-isbn-forms.json",
    ])
    func oddAndBrokenBooks(file: String) throws {
        try check(data + "/malformed-books/" + file, count: nil, columns: 80, rows: 24)
    }

    /// Pages through a catalog, and checks each page with both emulators.
    private func check(_ catalog: String, count: Int?, columns: Int, rows: Int) throws {
        let divider = (columns * 6 + 5) / 10
        // Wide and tall windows have a row of tabs below the title.
        let tabs = columns >= 100 && rows >= 28 ? 1 : 0
        let body = (1 + tabs)..<(rows - 2)
        let terminal = try Tmux(
            in: sandbox, columns: columns, rows: rows, running: [Programs.stacks, "--no-resume", catalog])
        let other = try PseudoTerminal(
            columns: columns, rows: rows, running: [Programs.stacks, "--no-resume", catalog],
            environment: sandbox.environment(changing: ["TERM": SecondEmulator.type]))
        // The rest of a catalog is loaded in the background.
        let first = try terminal.wait(for: "the whole catalog") { screen in
            screen.position.hasPrefix("1/") && (count.map { screen.position == "1/\(Self.grouped($0))" } ?? true)
        }
        // A message would take rows from the panes until the next key.
        try terminal.type("k")
        other.type("k")
        try terminal.wait(for: "the panes") { !$0.shows("Fix the file") }
        let last = try #require(count ?? Int(first.position.dropFirst(2).filter(\.isNumber)))
        try other.wait(for: "All books")
        try other.waitForSilence(of: .milliseconds(400))
        var row = 1
        var offsets: [Int] = []
        while true {
            let position = "\(Self.grouped(row))/\(Self.grouped(last))"
            let screen = try terminal.wait(forPosition: position)
            let cells = try terminal.cells(inColumn: divider, rows: body)
            #expect(cells == body.map { _ in "│" }, "tmux at \(position): \(Self.defects(in: cells, of: screen))")
            try other.waitForSilence(of: .milliseconds(40))
            offsets.append(other.output.count)
            if row == last { break }
            try terminal.press("PageDown")
            other.type("\u{6}")
            row = min(row + body.count - 1, last)
        }
        let screens = try SecondEmulator.screens(
            of: other.output, after: offsets, columns: columns, rows: rows, in: sandbox)
        for (page, cells) in screens.enumerated() {
            for row in body where cells[row][divider] != "│" {
                Issue.record("libvterm on page \(page + 1), row \(row): \(cells[row].joined().debugDescription)")
            }
            #expect(cells[rows - 2].joined().contains("/\(Self.grouped(last))"))
        }
    }

    /// Returns a number with separators between thousands, as on the screen: "2,621".
    private static func grouped(_ number: Int) -> String {
        number < 1000 ? String(number) : "\(number / 1000)," + String(1000 + number % 1000).dropFirst()
    }

    private static func defects(in cells: [String], of screen: Screen) -> String {
        zip(cells, screen.body).filter { $0.0 != "│" }.map { $0.1.debugDescription }.joined(separator: "\n")
    }
}
