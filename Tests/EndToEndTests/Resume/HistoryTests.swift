import Foundation
import Testing

/// The history of changes, in the real program.
@Suite("History on the screen") struct HistoryOnTheScreen {
    @Test func timesAreThoseOfTheClockOnTheReadersWall() throws {
        let sandbox = try Sandbox()
        // Fourteen hours before London, as on the Line Islands.
        let terminal = try Tmux(in: sandbox, opening: Programs.bundledCatalog, changing: ["TZ": "LINT-14"])
        try terminal.wait(forPosition: "1/11")
        let before = Date()
        try terminal.type("t")
        try terminal.wait(for: "★ Favourite: Fight Club")
        try terminal.type("U")
        let screen = try terminal.wait(for: "History")
        let format = DateFormatter()
        format.dateFormat = "yyyy-MM-dd HH:mm"
        format.timeZone = TimeZone(secondsFromGMT: 14 * 3600)
        // A minute may have begun meanwhile.
        #expect([before, Date()].map(format.string(from:)).contains { screen.selection.hasPrefix("▌" + $0) })
    }

    @Test func aNoteIsInTheEditorOfTheReader() throws {
        let sandbox = try Sandbox()
        let editor = sandbox.path + "/my editor"
        // It is given the terminal, a file that nobody else can read, and what was there before.
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

    @Test(arguments: [
        ("false", "ended with exit code 1"), ("no-such-editor", "cannot start no-such-editor"),
        ("kill -9 $$ #", "was ended by signal 9"),
    ])
    func anEditorThatFailsLeavesTheNoteAndTheScreen(editor: String, sentence: String) throws {
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
