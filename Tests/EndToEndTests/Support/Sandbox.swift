import Foundation
import Glibc

/// A temporary directory for a test with the user's home and the catalogs. It is deleted after the test.
final class Sandbox {
    let path: String

    init() throws {
        var template = Array("/tmp/stacks-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure("there is no room for a temporary directory in /tmp") }
        path = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } } ?? ""
        try FileManager.default.createDirectory(atPath: path + "/home", withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The environment of programs in the sandbox, which inherits only PATH.
    var environment: [String: String] {
        [
            "HOME": path + "/home",
            "XDG_STATE_HOME": path + "/state",
            "XDG_DATA_HOME": path + "/data",
            "XDG_CONFIG_HOME": path + "/config",
            "XDG_CACHE_HOME": path + "/cache",
            "LANG": "C.UTF-8",
            "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
        ]
    }

    /// Returns the environment with changes; nil removes a variable.
    func environment(changing changes: [String: String?]) -> [String: String] {
        var environment = environment
        for (name, value) in changes { environment[name] = value }
        return environment
    }

    /// The file with the saved positions.
    var preferencesPath: String { path + "/state/stacks/preferences.json" }

    /// The journal with the favourites.
    var historyPath: String { path + "/data/stacks/history.jsonl" }

    /// Writes a file and creates its directories.
    ///
    /// - Returns: The path of the file.
    @discardableResult
    func write(_ text: String, to name: String) throws -> String { try write(Data(text.utf8), to: name) }

    /// Writes a file like `write(_:to:)`, from its bytes.
    @discardableResult
    func write(_ data: Data, to name: String) throws -> String {
        let file = name.hasPrefix("/") ? name : path + "/" + name
        let directory = URL(filePath: file).deletingLastPathComponent().path
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try data.write(to: URL(filePath: file))
        return file
    }

    /// Writes an executable script. A child process writes it: a file that this process has open for writing would also
    /// be open in children that other tests start at the same moment, and could not be executed.
    func writeProgram(_ script: String, to path: String) throws {
        let text = try write(script, to: path + ".text")
        let result = try run(["/usr/bin/install", "-m", "755", text, path])
        guard result.ending == .exit(0) else { throw Failure("install: \(result.error)") }
    }

    /// Writes a catalog with `count` books: "Book 001" and so on.
    ///
    /// - Returns: The path of the catalog.
    func writeCatalog(books count: Int, to name: String = "catalog.json") throws -> String {
        let records = (1...count).map { number in
            let digits = String(number).count < 4 ? String(1000 + number).dropFirst() : Substring(String(number))
            return #"{"title": "Book \#(digits)", "authors": ["Author \#(digits)"], "pageCount": \#(number)}"#
        }
        return try write("[\n" + records.joined(separator: ",\n") + "\n]\n", to: name)
    }

    /// Returns the content of a file as text; "" if it does not exist.
    func text(of file: String) -> String {
        String(decoding: (try? Data(contentsOf: URL(filePath: file))) ?? Data(), as: UTF8.self)
    }

    /// Returns the saved position in a catalog.
    func place(in catalog: String) throws -> [String: Any] {
        let json = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: preferencesPath)))
        let places = (json as? [String: Any])?["catalogs"] as? [String: Any]
        guard let place = places?[catalog] as? [String: Any] else {
            throw Failure("no place in \(catalog) is remembered: \(text(of: preferencesPath))")
        }
        return place
    }

    /// The result of a program that has ended.
    struct Result {
        var ending: ChildProcess.Ending
        var output: String
        var error: String
    }

    /// Runs a program to its end, with its output and standard error in files.
    func run(
        _ command: [String], changing changes: [String: String?] = [:], within limit: Duration = timeLimit
    ) throws -> Result {
        let names = ["output", "error"].map { "\(path)/\($0)-\(UInt32.random(in: 0...(.max)))" }
        defer { names.forEach { unlink($0) } }
        let files = names.map { open($0, O_RDWR | O_CREAT | O_CLOEXEC, 0o600) }
        defer { files.forEach { close($0) } }
        let process = try ChildProcess(
            command, environment: environment(changing: changes),
            streams: .descriptors(output: files[0], error: files[1]))
        let ending = try eventually(within: limit, or: "\(command) does not end") { process.poll() }
        return Result(ending: ending, output: text(of: names[0]), error: text(of: names[1]))
    }
}
