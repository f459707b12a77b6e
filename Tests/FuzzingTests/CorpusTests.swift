import Foundation
import Fuzzing
import TestSupport
import Testing

/// The inputs that fuzzing has found are read again by each of its targets. `make fuzz` looks for new ones.
@Suite("Fuzzing: kept inputs") struct CorpusTests {
    static let package = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")

    /// The kept inputs.
    static func inputs() throws -> [[UInt8]] {
        let corpus = package.appending(path: "Tests/Fuzzing/corpus")
        let files = FileManager.default.enumerator(at: corpus, includingPropertiesForKeys: nil)
        return try (files?.allObjects as? [URL] ?? []).filter { !$0.hasDirectoryPath }.map {
            [UInt8](try Data(contentsOf: $0))
        }
    }

    /// In a process of its own, since a target that finds an error ends it.
    @Test(.thorough, arguments: fuzzTargets) func everyKeptInputIsRead(target: String) async {
        await #expect(processExitsWith: .success) { [target] in
            let inputs = try CorpusTests.inputs()
            try #require(inputs.count > 50)
            for input in inputs { try #require(fuzz(input, target: target)) }
        }
    }

    @Test func theMakefileRunsAllTargets() throws {
        let makefile = try String(contentsOf: Self.package.appending(path: "Makefile"), encoding: .utf8)
        let list = try #require(makefile.firstMatch(of: /FUZZ_TARGETS \?= ((?:[a-z \t]|\\\n)+)/)?.output.1)
        #expect(list.replacing("\\", with: "").split(whereSeparator: \.isWhitespace).map(String.init) == fuzzTargets)
    }
}
