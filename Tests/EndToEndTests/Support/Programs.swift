import Foundation
import Glibc

/// The programs that are driven.
enum Programs {
    /// The root of the package, found from this file.
    static let packageRoot = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path

    /// The catalog that comes with stacks.
    static let bundledCatalog = packageRoot + "/Resources/catalog.json"

    /// The release of stacks.
    static var stacks: String {
        get throws {
            try built(packageRoot + "/.build/release/stacks", by: "make build")
        }
    }

    /// The program that takes the terminal and dies; it is built with the tests, and stands beside them.
    static var crashProbe: String {
        get throws {
            let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            let directory = URL(filePath: tests).deletingLastPathComponent().path
            return try built(directory + "/CrashProbe", by: "swift build --build-tests")
        }
    }

    /// The terminal multiplexer in which stacks is driven.
    static var tmux: String {
        get throws { try installed("tmux") }
    }

    /// The tracer of system calls, which can also have them fail.
    static var strace: String {
        get throws { try installed("strace") }
    }

    private static func installed(_ name: String) throws -> String {
        let directories = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        for directory in directories.split(separator: ":") {
            let path = String(directory) + "/" + name
            if FileManager.default.isExecutableFile(atPath: path) { return path }
        }
        throw Failure("\(name) is not installed: make test installs it")
    }

    private static func built(_ path: String, by command: String) throws -> String {
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw Failure("there is no \(path): build it with \(command)")
        }
        return path
    }
}

/// Why a test cannot go on.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// How long anything may take on a busy machine before it counts as not happening.
let patience = Duration.seconds(10)

/// What `probe` returns as soon as it returns something.
///
/// - Throws: `Failure` with what `complaint` says where the patience ends first.
func eventually<Result>(
    within limit: Duration = patience, or complaint: @autoclosure () -> String, _ probe: () throws -> Result?
) throws -> Result {
    let deadline = ContinuousClock.now + limit
    while true {
        if let result = try probe() { return result }
        if ContinuousClock.now > deadline { throw Failure(complaint()) }
        usleep(5_000)
    }
}
