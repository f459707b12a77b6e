import Foundation
import Testing

/// What only one catalog knows of its books is used like the fields of every book.
@Suite("On a terminal: a catalog's own fields") struct OwnFieldsOnScreen {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private static let records = [
        #"{"title": "Emma", "author": "Jane Austen", "location": "Hall, shelf 3", "price": 4.5, "lentTo": "Ada"}"#,
        #"{"title": "Persuasion", "author": "Jane Austen", "location": "Study", "price": 12, "lentTo": null}"#,
        #"{"title": "Дым", "author": "Иван Тургенев", "location": "Hall, shelf 1", "price": 7.25, "signed": true}"#,
        #"{"title": "書斎", "author": "夏目漱石", "location": "書斎", "price": 9.75, "signed": false}"#,
    ]

    private func catalog() throws -> String {
        try sandbox.write("[\n  " + Self.records.joined(separator: ",\n  ") + "\n]\n", to: "own.json")
    }

    @Test("A column, an order, a group, a search, a facet", arguments: [(120, 40), (80, 24), (50, 15)])
    func use(columns: Int, rows: Int) throws {
        let terminal = try Tmux(in: sandbox, columns: columns, rows: rows, opening: try catalog())
        try terminal.wait(forPosition: "1/4")
        try terminal.type("so")
        try terminal.wait(for: "Sort by a field")
        try terminal.type("price")
        try terminal.press("Enter")
        let sorted = try terminal.wait(for: "Sorted by price")
        #expect(sorted.body[0].contains("Price ↑") && sorted.body[1].contains("4.5"))
        try terminal.type("So")
        try terminal.wait(for: "Group by a field")
        try terminal.type("loc")
        try terminal.press("Enter")
        try terminal.wait(for: "the groups") { $0.body[1].contains("Hall, shelf 1") && $0.shows("Grouped by location") }
        try terminal.type("Sn/hall")
        try terminal.wait(for: "No match. In Location: hall (2).")
        try terminal.press("Tab")
        try terminal.wait(for: "the books in the hall") { $0.shows("/location:hall") && $0.shows("1/2") }
        try terminal.press("Escape")
        try terminal.wait(for: "all books") { !$0.shows("/location") && $0.shows("1/4") }
        try terminal.type("F/study")
        try terminal.press("Enter", "Space")
        try terminal.wait(for: "the ticked value") { $0.shows("location:=Study") && $0.shows("[x] Study") }
        try terminal.press("Enter")
        try terminal.wait(for: "Persuasion alone") { $0.title.contains("1 of 4") && $0.body[1].contains("Persuasion") }
    }

    @Test("An edit changes one line, and keeps the type of the number") func edit() throws {
        let path = try catalog()
        try sandbox.addToGit(path)
        let terminal = try Tmux(in: sandbox, columns: 80, rows: 40, opening: path)
        try terminal.wait(forPosition: "1/4")
        try terminal.type("E")
        func lines(of screen: Screen) -> [String] { screen.body.filter { $0.hasPrefix("│") } }
        let form = try terminal.wait(for: "the form") { lines(of: $0).contains { $0.contains("Location") } }
        let lines = lines(of: form)
        let number = try #require(lines.firstIndex { $0.contains("Location") })
        let first = try #require(lines.firstIndex { $0.contains("Title") })
        for _ in first..<number { try terminal.press("Down") }
        try terminal.press("C-u")
        try terminal.type("Stu")
        try terminal.press("Tab")
        try terminal.wait(for: "Study")
        try terminal.press("Down", "C-u")
        try terminal.type("5")
        try terminal.press("Enter")
        try terminal.wait(for: "Changed Emma")
        try terminal.press("C-s")
        try terminal.wait(for: "1 book changed")
        #expect(try sandbox.changedLines(of: path) == "1 1")
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let new = Self.records[0].replacing("Hall, shelf 3", with: "Study").replacing("4.5", with: "5")
        #expect(text.contains(new))
    }

    @Test("Commands name them, and errors list them") func commands() throws {
        let path = try catalog()
        func output(_ arguments: String...) throws -> String {
            let result = try sandbox.run([Programs.stacks] + arguments)
            return result.output + result.error
        }
        #expect(try output("search", "location:hall price:<5", path) == "Emma\tJane Austen\n")
        #expect(try output("search", "\"Lent to\":ada", path) == "Emma\tJane Austen\n")
        #expect(try output("search", "", path, "--sort=-price", "--limit", "1") == "Persuasion\tJane Austen\n")
        #expect(try output("search", "", path, "--sort", "colour").contains("random, location, price, lent-to, signed"))
        #expect(try output("search", "hall", path).contains("No match. In Location: hall (2)."))
        #expect(try output("--columns", "title,colour", path).contains("favourite, location, price, lent-to, signed"))
        #expect(try output("stats", path).contains("4.5 to 12, mean 8.38, sum 33.5"))
        #expect(try output("check", path).contains("Lent to"))
    }
}
