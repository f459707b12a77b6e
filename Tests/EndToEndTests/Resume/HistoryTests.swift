import Foundation
import Testing

/// The history of changes in the real program.
@Suite("History on the screen") struct HistoryOnTheScreen {
    @Test func timesAreInTheLocalTimeZone() throws {
        let sandbox = try Sandbox()
        // UTC+14, as on the Line Islands.
        let terminal = try Tmux(in: sandbox, opening: Programs.bundledCatalog, changing: ["TZ": "LINT-14"])
        try terminal.wait(forPosition: "1/11")
        let before = Date()
        try terminal.type("t")
        try terminal.wait(for: "★ Favourite: Fight Club")
        try terminal.type("U")
        let screen = try terminal.wait(for: "History")
        let format = DateFormatter()
        format.dateFormat = "HH:mm"
        format.timeZone = TimeZone(secondsFromGMT: 14 * 3600)
        // A new minute may have begun.
        #expect([before, Date()].map(format.string(from:)).contains { screen.selection.hasPrefix("▌today " + $0) })
    }

    @Test func aNoteIsEditedInTheUsersEditor() throws {
        let sandbox = try Sandbox()
        let editor = sandbox.path + "/my editor"
        // The editor has the terminal and a private file with the previous note.
        try sandbox.writeProgram(
            "#!/bin/sh\nstat -c '%a' \"$2\" > \(sandbox.path)/mode\nprintf 'first\\n\\nsecond %s\\n' \"$1\" > \"$2\"\ntest -t 0\n",
            to: editor)
        let terminal = try Tmux(
            in: sandbox, opening: Programs.bundledCatalog, changing: ["VISUAL": "'\(editor)' -x", "EDITOR": "false"])
        try terminal.wait(forPosition: "1/11")
        try terminal.type("e")
        let screen = try terminal.wait(for: "Note saved: Fight Club")
        #expect(screen.shows("first") && screen.shows("second -x"))
        #expect(sandbox.text(of: sandbox.path + "/mode") == "600\n")
    }

    /// The header is the first line of the file and not part of the note.
    @Test(arguments: [
        (#"printf 'Lent to Ada\n' >> "$1""#, "Lent to Ada", "Lent to Ada\nLent to Ada"),
        (#"sed -i 1d "$1"; printf '# Lent\nto Ada\n' >> "$1""#, "# Lent\nto Ada", "# Lent\nto Ada\n# Lent\nto Ada"),
        (#"printf '<!-- Lent -->\nto Ada\n' > "$1""#, "<!-- Lent -->\nto Ada", "<!-- Lent -->\nto Ada"),
    ])
    func theHeaderAboveANoteIsNotSaved(script: String, first: String, second: String) throws {
        let sandbox = try Sandbox()
        let (editor, header) = (sandbox.path + "/editor", sandbox.path + "/header")
        try sandbox.writeProgram("#!/bin/sh\nhead -n 1 \"$1\" > '\(header)'\n\(script)\n", to: editor)
        let terminal = try Tmux(in: sandbox, opening: Programs.bundledCatalog, changing: ["EDITOR": editor])
        try terminal.wait(forPosition: "1/11")
        for note in [first, second] {
            // The note may be the same as before, but the file of the header is a new one.
            unlink(header)
            try terminal.type("e")
            try terminal.wait(for: "the note to be saved") { _ in
                try sandbox.text(of: header) == "<!-- Note on Fight Club (this line is not saved) -->\n"
                    && self.note(in: sandbox) == note
            }
        }
    }

    /// Returns the note on the first book as printed by the command line.
    private func note(in sandbox: Sandbox) throws -> String? {
        let result = try sandbox.run([
            Programs.stacks, "show", "978-0393039764", Programs.bundledCatalog, "--format", "json",
        ])
        let books = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]]
        return (books?.first?["userData"] as? [String: Any])?["note"] as? String
    }

    @Test(arguments: [
        ("false", "ended with exit code 1"), ("no-such-editor", "cannot start no-such-editor"),
        ("kill -9 $$ #", "was ended by signal 9"),
    ])
    func aFailingEditorKeepsTheNoteAndTheScreen(editor: String, sentence: String) throws {
        let sandbox = try Sandbox()
        let terminal = try Tmux(in: sandbox, opening: Programs.bundledCatalog, changing: ["EDITOR": editor])
        try terminal.wait(forPosition: "1/11")
        try terminal.type("e")
        let screen = try terminal.wait(for: "Note not changed")
        #expect(screen.rows.joined(separator: " ").contains(sentence))
        #expect(screen.shows("Fight Club"))
        #expect(sandbox.text(of: sandbox.historyPath).isEmpty)
    }
}
