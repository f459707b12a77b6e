import Foundation
import Testing

/// Books are added, edited, moved and deleted with keys.
@Suite("On a terminal: editing a catalog") struct EditingOnScreen {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    /// A layout of a catalog file.
    enum Form: CaseIterable {
        case pretty, crlf, lines

        /// The name of the file.
        var name: String { self == .lines ? "books.jsonl" : "books.json" }

        /// Returns a catalog of records with a title and an author in this layout.
        func text(_ records: [(title: String, author: String)]) -> String {
            switch self {
            case .pretty:
                let parts = records.map {
                    "  {\n    \"title\": \"\($0.title)\",\n    \"authors\": [\"\($0.author)\"]\n  }"
                }
                return "[\n" + parts.joined(separator: ",\n") + "\n]\n"
            case .crlf:
                let parts = records.map { "\t{\"title\": \"\($0.title)\", \"authors\": [\"\($0.author)\"]}" }
                return "[\r\n" + parts.joined(separator: ",\r\n") + "\r\n]\r\n"
            case .lines:
                return records.map { "{\"title\":\"\($0.title)\",\"authors\":[\"\($0.author)\"]}\n" }.joined()
            }
        }

        /// The lines that Git counts as added and deleted when the four books have become `edited`.
        var changedLines: String { self == .pretty ? "6 6" : "2 2" }
    }

    private static let books = [
        (title: "Alpha", author: "Ann One"), (title: "Beta", author: "Ben Two"), (title: "Gamma", author: "Gus Three"),
        (title: "Delta", author: "Dan Four"), (title: "Omega", author: "Oda Five"),
    ]

    /// The books after adding one after Beta, renaming Gamma and moving it after Delta, and deleting Alpha.
    private static let edited = [
        (title: "Beta", author: "Ben Two"), (title: "Novum", author: "Ida Newton"),
        (title: "Delta", author: "Dan Four"), (title: "Gamma rays", author: "Gus Three"),
        (title: "Omega", author: "Oda Five"),
    ]

    @Test(arguments: Form.allCases) func onlyTheEditedLinesOfTheFileChange(form: Form) throws {
        let original = form.text(Self.books)
        let catalog = try sandbox.write(original, to: form.name)
        try sandbox.addToGit(catalog)
        let terminal = try Tmux(in: sandbox, opening: catalog)
        try terminal.wait(forPosition: "1/5")
        try terminal.type("j")
        try terminal.wait(forPosition: "2/5")
        try terminal.addBook(title: "Novum", authors: "Ida Newton")
        #expect(try terminal.screen.selection.contains("Novum"))
        try terminal.type("j")
        try terminal.edit(field: 0, to: "Gamma rays", saying: "Changed Gamma")
        try terminal.press("C-Down")
        try terminal.wait(for: "Moved Gamma rays")
        // An undone edit leaves no trace.
        try terminal.type("GX")
        try terminal.wait(for: "Deleted Omega")
        try terminal.wait(forUnsaved: 3)
        try terminal.type("u")
        try terminal.wait(for: "the book again") { $0.shows("Omega") && $0.title.contains("· 2 unsaved") }
        try terminal.type("ggX")
        try terminal.wait(for: "Deleted Alpha")
        try terminal.wait(forUnsaved: 3)
        // Nothing is written before the save command.
        #expect(sandbox.text(of: catalog) == original)
        try terminal.saveCatalog()
        #expect(sandbox.text(of: catalog) == form.text(Self.edited))
        #expect(try sandbox.changedLines(of: catalog) == form.changedLines)
        try terminal.quit()

        // Undo everything, including edits before the save and in another session.
        try terminal.open(catalog)
        try terminal.wait(forPosition: "1/5")
        for title in ["Alpha", "Beta", "Gamma", "Delta"] {
            try terminal.type("u")
            try terminal.wait(for: "Undone: ")
            if title == "Alpha" { try terminal.wait(for: "the deleted book") { $0.shows("Alpha") } }
            try terminal.press("Home")
        }
        try terminal.wait(forPosition: "1/5")
        try terminal.wait(for: "the books as they were") { screen in
            let titles = Self.books.map(\.title)
            return titles.indices.allSatisfy { screen.body[$0 + 1].contains(titles[$0] + " ") }
        }
        try terminal.saveCatalog()
        #expect(sandbox.text(of: catalog) == original)
        #expect(try sandbox.changedLines(of: catalog) == "")
        // Redo everything.
        for _ in 0..<4 { try terminal.press("C-r") }
        try terminal.wait(for: "the edits again") { screen in
            !screen.listed.contains { $0.hasPrefix("Alpha") } && screen.shows("Gamma rays")
        }
        try terminal.saveCatalog()
        #expect(sandbox.text(of: catalog) == form.text(Self.edited))
    }

    @Test func closingTheFormChangesNothing() throws {
        let original = Form.lines.text(Self.books)
        let catalog = try sandbox.write(original, to: "books.jsonl")
        let terminal = try Tmux(in: sandbox, opening: catalog)
        try terminal.wait(forPosition: "1/5")
        try terminal.type("E")
        try terminal.wait(for: "─ Edit Alpha")
        try terminal.press("Enter")
        try terminal.wait(for: "the form to be closed") { !$0.shows("─ Edit ") }
        try terminal.press("C-s")
        try terminal.wait(for: "No unsaved changes")
        #expect(sandbox.text(of: catalog) == original)
        try terminal.quit()
        // The directory is made ahead, so that a change needs fewer flushes.
        let edits = try? FileManager.default.contentsOfDirectory(atPath: sandbox.path + "/state/stacks/edits")
        #expect(edits ?? [] == [])
    }

    @Test func theRecordIsEditedAsTextAndAcceptedOnlyIfValid() throws {
        let catalog = try sandbox.write(Form.lines.text(Self.books), to: "books.jsonl")
        let editor = sandbox.path + "/editor"
        try sandbox.writeProgram(
            "#!/bin/sh\nsed -i \"s/Alpha/$(cat '\(sandbox.path)/title')/\" \"$1\"\n", to: editor)
        let terminal = try Tmux(in: sandbox, opening: catalog, changing: ["EDITOR": editor])
        try terminal.wait(forPosition: "1/5")
        try sandbox.write("Al\"pha", to: "title")
        try terminal.press("C-x", "C-e")
        try terminal.wait(for: "Record unchanged")
        #expect(try !terminal.screen.title.contains("unsaved"))
        try sandbox.write("Alphabet", to: "title")
        try terminal.press("C-x", "C-e")
        try terminal.wait(for: "Changed Alpha")
        try terminal.wait(forUnsaved: 1)
        try terminal.saveCatalog()
        #expect(sandbox.text(of: catalog) == Form.lines.text(Self.books).replacing("Alpha", with: "Alphabet"))
    }

    // MARK: - Read-only catalogs

    @Test func aFileWithHardLinksIsRejectedAtTheFirstCommand() throws {
        let catalog = try sandbox.write(Form.lines.text(Self.books), to: "books.jsonl")
        try FileManager.default.linkItem(atPath: catalog, toPath: sandbox.path + "/other.jsonl")
        let terminal = try Tmux(in: sandbox, opening: catalog)
        try terminal.wait(forPosition: "1/5")
        for keys in ["A", "E", "X"] {
            try terminal.type(keys)
            try terminal.wait(for: "has other names (hard links)")
            #expect(try !terminal.screen.shows("─ Edit ") && !terminal.screen.shows("─ Add "))
            try terminal.type("gg")
            try terminal.wait(for: "no message") { !$0.shows("hard links") }
        }
    }

    @Test func aPipeIsRejectedAtTheFirstCommand() throws {
        let catalog = try sandbox.write(Form.lines.text(Self.books), to: "books.jsonl")
        let stacks = try Programs.stacks
        let terminal = try Tmux(in: sandbox, running: ["/bin/sh", "-c", "cat '\(catalog)' | '\(stacks)' -"])
        try terminal.wait(forPosition: "1/5")
        for keys in ["A", "E", "X"] {
            try terminal.type(keys)
            try terminal.wait(for: "Read-only format. x exports an editable copy")
            try terminal.type("gg")
            try terminal.wait(for: "no message") { !$0.shows("Read-only") }
        }
    }
}
