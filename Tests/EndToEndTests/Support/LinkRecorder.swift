import Foundation

/// Programs that replace a web browser and record their arguments.
struct LinkRecorder {
    private let sandbox: Sandbox
    private var directory: String { sandbox.path + "/bin" }
    private var record: String { sandbox.path + "/opened" }

    /// Installs two programs in `sandbox`: xdg-open, and one with another name.
    init(in sandbox: Sandbox) throws {
        self.sandbox = sandbox
        for name in ["xdg-open", "my-browser"] {
            // One line per start: the name, and each argument in angle brackets.
            let script = "#!/bin/sh\n{ printf '%s' \"${0##*/}\"; printf ' <%s>' \"$@\"; echo; } >>'\(record)'\n"
            try sandbox.writeProgram(script, to: directory + "/" + name)
        }
    }

    private var path: String { directory + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin") }

    /// The environment in which xdg-open is found.
    var xdgOpen: [String: String?] { ["PATH": path, "BROWSER": nil] }

    /// The environment that names the user's browser.
    var usersBrowser: [String: String?] { ["PATH": path, "BROWSER": "my-browser"] }

    /// The recorded lines. A line that is still being written has no line feed and does not count.
    var lines: [String] {
        sandbox.text(of: record).split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    /// Waits for `count` starts and returns the arguments of each.
    func opened(count: Int) throws -> [[String]] {
        try eventually(or: "\(count) starts are waited for, and there are \(lines)") {
            lines.count >= count ? lines : nil
        }.map { line in
            line.split(separator: " <").dropFirst().map { String($0.dropLast()) }
        }
    }
}
