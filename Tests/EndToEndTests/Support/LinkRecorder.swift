import Foundation

/// Programs that stand for a web browser, and write down with which arguments they were started.
struct LinkRecorder {
    private let sandbox: Sandbox
    private var directory: String { sandbox.path + "/bin" }
    private var record: String { sandbox.path + "/opened" }

    /// Installs them in `sandbox`: one as xdg-open, one by another name.
    init(in sandbox: Sandbox) throws {
        self.sandbox = sandbox
        for name in ["xdg-open", "my-browser"] {
            // A line for each start: the name, and each argument in angle brackets.
            let script = "#!/bin/sh\n{ printf '%s' \"${0##*/}\"; printf ' <%s>' \"$@\"; echo; } >>'\(record)'\n"
            try sandbox.writeProgram(script, to: directory + "/" + name)
        }
    }

    private var path: String { directory + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin") }

    /// The changes to the environment with which xdg-open is found.
    var xdgOpen: [String: String?] { ["PATH": path, "BROWSER": nil] }

    /// Those with which the reader's own browser is named.
    var ownBrowser: [String: String?] { ["PATH": path, "BROWSER": "my-browser"] }

    /// The recorded lines. The last one may still be being written, and counts once it has its line feed.
    var lines: [String] {
        sandbox.text(of: record).split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    /// The arguments of each start, as soon as there were so many.
    func opened(count: Int) throws -> [[String]] {
        try eventually(or: "\(count) starts are waited for, and there are \(lines)") {
            lines.count >= count ? lines : nil
        }.map { line in
            line.split(separator: " <").dropFirst().map { String($0.dropLast()) }
        }
    }
}
