import Foundation
import Glibc

/// The programs that the tests run.
enum Programs {
    /// The root of the package, found from this file.
    static let packageRoot = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path

    /// The bundled catalog.
    static let bundledCatalog = packageRoot + "/Resources/catalog.json"

    /// The release build of stacks.
    static var stacks: String {
        get throws {
            try built(packageRoot + "/.build/release/stacks", by: "make build")
        }
    }

    /// The program that opens the terminal and crashes; it is built with the tests, in the same directory.
    static var crashProbe: String {
        get throws {
            try builtWithTests("CrashProbe")
        }
    }

    /// The debug build of stacks that is made with the tests, beside its stacks-connect.
    static var stacksOfTests: String {
        get throws {
            _ = try builtWithTests("stacks-connect")
            return try builtWithTests("stacks")
        }
    }

    private static func builtWithTests(_ name: String) throws -> String {
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let directory = URL(filePath: tests).deletingLastPathComponent().path
        return try built(directory + "/" + name, by: "make build-tests")
    }

    /// The terminal multiplexer in which stacks runs.
    static var tmux: String {
        get throws { try installed("tmux") }
    }

    /// The system call tracer, which also injects failures.
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

/// The reason why a test cannot continue.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// The maximum time for anything on a busy machine.
let timeLimit = Duration.seconds(30)

/// Calls `probe` until it returns a result.
///
/// - Throws: `Failure` with `complaint` if there is no result within `limit`.
func eventually<Result>(
    within limit: Duration = timeLimit, or complaint: @autoclosure () -> String, _ probe: () throws -> Result?
) throws -> Result {
    let deadline = ContinuousClock.now + limit
    while true {
        if let result = try probe() { return result }
        if ContinuousClock.now > deadline { throw Failure(complaint()) }
        usleep(5_000)
    }
}
