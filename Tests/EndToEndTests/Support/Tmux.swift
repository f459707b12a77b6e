import Foundation
import Glibc

/// A terminal: a tmux server with one window that runs one program at a time.
final class Tmux {
    private let sandbox: Sandbox
    private let program: String
    // Each window has a server of its own: the server of the window before may still be ending.
    private let socket: String

    /// Opens a window and runs `command` in it, in the environment of the sandbox with these changes.
    init(
        in sandbox: Sandbox, columns: Int = 120, rows: Int = 40, running command: [String],
        changing changes: [String: String?] = [:]
    ) throws {
        self.sandbox = sandbox
        socket = "\(sandbox.path)/tmux-\(UInt32.random(in: 0...(.max)))"
        program = try Programs.tmux
        // The window stays after its program has ended, so that the last screen can be checked.
        try tmux(
            ["start-server", ";", "set-option", "-g", "remain-on-exit", "on", ";", "new-session", "-d"]
                + ["-x", String(columns), "-y", String(rows), "--"] + Self.changing(changes, for: command))
    }

    /// Opens a window and runs stacks in it.
    convenience init(
        in sandbox: Sandbox, columns: Int = 120, rows: Int = 40, opening catalog: String?,
        changing changes: [String: String?] = [:]
    ) throws {
        let command = try [Programs.stacks] + [catalog].compactMap(\.self)
        try self.init(in: sandbox, columns: columns, rows: rows, running: command, changing: changes)
    }

    deinit {
        // Kill at once: a program that ends gracefully would write to a sandbox that is being deleted.
        if let id = try? processID { Self.end(treeOf: id) }
        _ = try? tmux(["kill-server"])
    }

    private static func end(treeOf id: pid_t) {
        let children = children(of: id)
        kill(id, SIGKILL)
        children.forEach(end(treeOf:))
    }

    /// Runs another program in the window and kills the previous one if it is still running.
    func run(_ command: [String], changing changes: [String: String?] = [:]) throws {
        try tmux(["respawn-pane", "-k", "--"] + Self.changing(changes, for: command))
    }

    /// Runs stacks again.
    func open(_ catalog: String?, changing changes: [String: String?] = [:]) throws {
        try run([Programs.stacks] + [catalog].compactMap(\.self), changing: changes)
    }

    private static func changing(_ changes: [String: String?], for command: [String]) -> [String] {
        if changes.isEmpty { return command }
        let taken = changes.filter { $0.value == nil }.keys.sorted().flatMap { ["-u", $0] }
        let given = changes.compactMapValues(\.self).map { $0.key + "=" + $0.value }.sorted()
        return ["/usr/bin/env"] + taken + given + command
    }

    // MARK: Typing

    /// Types characters.
    func type(_ text: String) throws {
        try tmux(["send-keys", "-l", "--", text])
    }

    /// Presses keys by their tmux names: "Enter", "C-d", "PageDown".
    func press(_ keys: String...) throws {
        try tmux(["send-keys"] + keys)
        // A key that comes with Escape is a key with Alt.
        if keys.last == "Escape" { usleep(100_000) }
    }

    /// Presses keys by their name in the key table: "j", "gg", "^d", "PgDn".
    func press(declared name: String) throws {
        if name.dropFirst().contains(" ^") {
            return try name.split(separator: " ").map(String.init).forEach(press(declared:))
        }
        let names = [
            "PgDn": "PageDown", "PgUp": "PageUp", "Esc": "Escape", "^Up": "C-Up", "^Down": "C-Down", "BackTab": "BTab",
        ]
        let own = ["Down", "Up", "Left", "Right", "Home", "End", "Enter", "Tab", "Space", "F1"]
        if own.contains(name) || names[name] != nil {
            try press(names[name] ?? name)
        } else if name.count == 2, name.hasPrefix("^") {
            try press("C-" + name.dropFirst())
        } else {
            try type(name)
        }
    }

    /// Pastes text, as a bracketed paste if the program has enabled it.
    func paste(_ text: String) throws {
        try tmux(["set-buffer", "-b", "pasted", "--", text, ";", "paste-buffer", "-p", "-d", "-b", "pasted"])
    }

    /// Resizes the window.
    func resize(columns: Int, rows: Int) throws {
        try tmux(["resize-window", "-x", String(columns), "-y", String(rows)])
    }

    /// Allows programs to set the clipboard.
    func letProgramsCopy() throws {
        try tmux(["set-option", "-s", "set-clipboard", "on"])
    }

    /// Resizes the window several times as fast as possible.
    func resize(many sizes: [(columns: Int, rows: Int)]) throws {
        try tmux(
            Array(
                sizes.map { ["resize-window", "-x", String($0.columns), "-y", String($0.rows)] }.joined(separator: [";"]
                )
            ))
    }

    // MARK: Looking

    /// The text copied last; "" if there is none.
    var clipboard: String {
        get throws {
            // The command fails without a buffer.
            (try? tmux(["show-buffer"])) ?? ""
        }
    }

    /// The device of the window, to which others can write too.
    var device: String {
        get throws { try value(of: "pane_tty") }
    }

    /// The current screen.
    var screen: Screen {
        get throws {
            let output = try tmux(["capture-pane", "-p"])
            return Screen(
                rows: output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init))
        }
    }

    /// The current screen with the escape sequences of colours, and with blanks up to the end of each row.
    var styledText: String {
        get throws { try tmux(["capture-pane", "-e", "-p", "-N"]) }
    }

    /// Whether the program uses the alternate screen, as full-screen programs do.
    var isAlternateScreenShown: Bool {
        get throws { try value(of: "alternate_on") == "1" }
    }

    /// The column of the cursor.
    var cursorColumn: Int {
        get throws { try Int(value(of: "cursor_x")) ?? -1 }
    }

    /// The row of the cursor.
    var cursorRow: Int {
        get throws { try Int(value(of: "cursor_y")) ?? -1 }
    }

    /// The process of the window.
    var processID: pid_t {
        get throws {
            // 0 would mean the process group of the tests.
            guard let id = try pid_t(value(of: "pane_pid")), id > 1 else { throw Failure("the window has no process") }
            return id
        }
    }

    /// Returns the cells of these rows in one column, as tmux stores them: the text of a cell, or nothing if the column
    /// is the second half of a wide character or beyond the end of a row. The first row of the screen must not have a
    /// wide character before that column.
    func cells(inColumn column: Int, rows: Range<Int>) throws -> [String] {
        func copyMode(_ command: String, times: Int = 1) -> [String] {
            times == 0 ? [] : ["send-keys", "-X", "-N", String(times), command, ";"]
        }
        try tmux(
            ["copy-mode", "-H", ";"] + copyMode("top-line") + copyMode("start-of-line")
                // A rectangle selection, in which the cursor can move beyond the text of a row.
                + copyMode("begin-selection") + copyMode("rectangle-toggle") + copyMode("clear-selection")
                + copyMode("cursor-right", times: column) + copyMode("cursor-down", times: rows.lowerBound)
                + copyMode("begin-selection") + copyMode("cursor-down", times: rows.count - 1)
                + ["send-keys", "-X", "copy-selection-and-cancel"])
        let copied = try tmux(["show-buffer", ";", "delete-buffer"])
        return copied.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    // MARK: Waiting

    /// Waits until the screen satisfies a condition.
    ///
    /// - Returns: The screen.
    @discardableResult
    func wait(for what: String, until isThere: (Screen) throws -> Bool) throws -> Screen {
        var last = Screen(rows: [])
        return try eventually(or: "waited for \(what), and the window shows\n\(last)") {
            last = try screen
            return try isThere(last) ? last : nil
        }
    }

    /// Waits until a row contains `text`.
    @discardableResult
    func wait(for text: String) throws -> Screen {
        try wait(for: "“\(text)”") { $0.shows(text) }
    }

    /// Waits until the status line begins with this position, such as "2/11", and the frame is complete: tmux also
    /// shows incomplete frames.
    @discardableResult
    func wait(forPosition position: String) throws -> Screen {
        try wait(for: "the place \(position)") { shown in
            guard shown.position == position else { return false }
            // The related books of a book appear with the next frame.
            usleep(20_000)
            return try shown.rows == screen.rows
        }
    }

    /// Waits until the alternate screen is shown or left.
    func wait(forAlternateScreen isShown: Bool) throws {
        _ = try eventually(or: "the other screen is \(isShown ? "not " : "still ")shown") {
            try isAlternateScreenShown == isShown ? true : nil
        }
    }

    /// Quits stacks, and expects it to exit with `code`.
    func quit(_ code: Int32 = 0) throws {
        try type("q")
        let ending = try waitForEnd()
        guard ending == .exit(code) else { throw Failure("stacks ended with \(ending)") }
    }

    /// Waits until the program has ended, and returns how it ended.
    func waitForEnd() throws -> ChildProcess.Ending {
        try eventually(or: "the program does not end") {
            if let code = try Int32(value(of: "pane_dead_status")) { return .exit(code) }
            if let number = try Int32(value(of: "pane_dead_signal")) { return .signal(number) }
            // tmux 3.3a sometimes misses that its child has ended, and notices it after another SIGCHLD.
            if try value(of: "pane_dead") == "1", let server = try pid_t(value(of: "pid")), server > 1 {
                kill(server, SIGCHLD)
            }
            return nil
        }
    }

    private func value(of variable: String) throws -> String {
        try tmux(["display-message", "-p", "#{\(variable)}"]).split(separator: "\n").first.map(String.init) ?? ""
    }

    @discardableResult
    private func tmux(_ arguments: [String]) throws -> String {
        let result = try sandbox.run([program, "-u", "-S", socket, "-f", "/dev/null"] + arguments)
        guard result.ending == .exit(0) else { throw Failure("tmux \(arguments): \(result.error)") }
        return result.output
    }
}
