import Foundation
import Testing

@Suite("On a terminal: another catalog without leaving") struct OtherCatalogsTests {
    private let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    @Test("O opens another catalog and comes back, each at its place, and a wrong one is refused")
    func thereAndBack() throws {
        try sandbox.write(Novels.catalog, to: "novels.json")
        try sandbox.write(#"[{"title": "Leaves of Grass", "authors": ["Walt Whitman"]}]"#, to: "poems.json")
        try sandbox.write("title,author\nThe Raven,Edgar Allan Poe\n", to: "table.csv")
        let terminal = try Tmux(in: sandbox, opening: sandbox.path + "/novels.json")
        try terminal.type("jjt")
        try terminal.wait(for: "Favourite: ")
        try terminal.type("O\(sandbox.path)/poe\t")
        try terminal.wait(for: "poems.json")
        try terminal.type("\n")
        try terminal.wait(for: "poems.json · 1 book")
        #expect(try terminal.screen.shows("Leaves of Grass"))
        // Back: the picker has the catalog that was left, which is where it was, with its favourite.
        try terminal.type("O\n")
        try terminal.wait(forPosition: "3/7")
        try terminal.type("u")
        try terminal.wait(for: "Undone: added ")
        // A file that is not there is refused, and the catalog stays.
        try terminal.type("O\(sandbox.path)/missing.json\n")
        try terminal.wait(for: "no such file")
        try terminal.wait(forPosition: "3/7")
        // A table is copied by the connector program.
        try terminal.type("O\(sandbox.path)/table.csv\n")
        try terminal.wait(for: "The Raven")
        try terminal.quit()
        #expect(try sandbox.run([Programs.stacks, "lists"]).ending == .exit(0))
    }
}
