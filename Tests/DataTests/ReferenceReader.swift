import Foundation
import JSON
import Testing

/// The reference readers of formats: Python packages that `make reference-readers` installs below .build.
enum ReferenceReader {
    /// Returns the records of a file according to the reference reader of a format.
    static func records(_ kind: String, _ path: String, _ more: String...) throws -> [JSONValue] {
        try lines([kind, path] + more).compactMap { JSONValue(parsing: $0.utf8) }
    }

    /// Returns the records as JSON Lines.
    static func lines(_ arguments: [String]) throws -> [String] {
        let tests = URL(filePath: #filePath).deletingLastPathComponent()
        let package = tests.deletingLastPathComponent().deletingLastPathComponent()
        let python = package.appending(path: ".build/reference/bin/python").path
        try #require(FileManager.default.isExecutableFile(atPath: python), "run: make reference-readers")
        return try output(of: python, [tests.appending(path: "reference.py").path] + arguments)
    }

    /// Returns the output lines of a program, which must end with one of the statuses that mean success.
    static func output(of program: String, _ arguments: [String], succeeding statuses: [Int32] = [0]) throws
        -> [String]
    {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        let (output, errors) = (Pipe(), FileHandle(forWritingAtPath: "/dev/null"))
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        try #require(statuses.contains(process.terminationStatus), "\(program) \(arguments)")
        return data.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
    }
}

extension JSONValue {
    /// The value with the members of each object sorted by key, for comparison.
    var sorted: JSONValue {
        switch self {
        case .array(let elements): .array(elements.map(\.sorted))
        case .object(let members):
            .object(members.map { Member(key: $0.key, value: $0.value.sorted) }.sorted { $0.key < $1.key })
        default: self
        }
    }
}
