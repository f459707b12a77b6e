import Foundation
import Testing

/// Files as other programs write them, compared with what is right. Part of `make test-data`; requires the variable
/// STACKS_DATA.
@Suite("Files of other programs") struct ForeignProgramsDataTests {
    /// Files that are not read as expected, with the reason.
    private static let known = [
        // The file has "ï", the expectation "ë".
        "utf8-with-one-bad-byte-becomes-chinese.csv"
    ]

    @Test func eachIsReadAsItShouldBe() throws {
        let data = try #require(ProcessInfo.processInfo.environment["STACKS_DATA"], "run make test-data")
        let sandbox = try Sandbox()
        let result = try sandbox.run(
            ["/usr/bin/python3", Programs.packageRoot + "/Tests/DataTests/wild.py", Programs.stacks, data + "/wild"],
            within: .seconds(300))
        let lines = result.output.split(separator: "\n").map { String($0) }
        #expect(lines.last?.hasSuffix("failed") == true, "\(result.error)")
        let wrong = lines.dropLast().filter { line in !Self.known.contains { line.hasPrefix($0 + ":") } }
        #expect(wrong == [])
        // What is read as expected now is no longer known to be wrong.
        #expect(lines.count - 1 - wrong.count == Self.known.count, "\(lines)")
    }
}
