import Foundation
import Testing

/// The parts of the guide that come from the program.
@Suite("Guide: generated parts") struct GeneratedGuide {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private func generate(_ options: [String], in root: String = Programs.packageRoot) throws -> Sandbox.Result {
        try sandbox.run(
            ["/usr/bin/python3", root + "/Resources/guide/generate.py", "--stacks", Programs.stacks] + options)
    }

    @Test func thePagesAreUpToDate() throws {
        let result = try generate(["--check"])
        #expect(result.ending == .exit(0), "\(result.error)")
    }

    @Test func aPageThatIsOutOfDateIsFoundAndWritten() throws {
        // A copy of what the script reads.
        let root = sandbox.path + "/copy"
        for folder in ["Resources/guide", "Tests/Pictures", "Tests/Reliability", "Tests/Servers"] {
            let parent = URL(filePath: root + "/" + folder).deletingLastPathComponent()
            try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
            try FileManager.default.copyItem(
                atPath: Programs.packageRoot + "/" + folder, toPath: root + "/" + folder)
        }
        let page = root + "/Resources/guide/exit-codes.md"
        let original = sandbox.text(of: page)
        #expect(original.contains("| 66 | no such file |"))
        try original.replacing("no such file", with: "a file that is gone").write(
            toFile: page, atomically: true, encoding: .utf8)
        let result = try generate(["--check"], in: root)
        #expect(result.ending == .exit(1))
        #expect(result.error.contains("out of date: exit-codes.md. Run make guide"))
        #expect(try generate([], in: root).ending == .exit(0))
        #expect(sandbox.text(of: page) == original)
        // The figures of a run replace those of the page.
        let figures = root + "/figures"
        try "| check | promise | method | figure | time |\n|---|---|---|---|---|\n| `kills` | a | b | 7 of 7 | 1 s |\n"
            .write(toFile: figures, atomically: true, encoding: .utf8)
        #expect(try generate(["--figures", figures], in: root).ending == .exit(0))
        let promises = sandbox.text(of: root + "/Resources/guide/promises.md")
        #expect(promises.contains(" | 7 of 7 | `kills` |"))
    }
}
