import Foundation
import TestSupport
import Testing

/// `stacks publish` to an index of the emulator of OpenSearch.
@Suite("stacks publish: OpenSearch") struct OpenSearchPublishTests {
    private let sandbox: Sandbox
    private let server: ServerProcess
    private let directory = try? TemporaryDirectory()
    private let catalog: String

    init() throws {
        sandbox = try Sandbox()
        server = try ServerProcess(
            script: "opensearch.py", arguments: [try #require(directory).path, "20"])
        catalog = try sandbox.write(Novels.catalog, to: "novels.json")
    }

    private func stacks(_ arguments: String...) throws -> Sandbox.Result {
        try sandbox.run([Programs.stacksOfTests] + arguments)
    }

    @Test("A catalog is published, found by its address, and not sent again; another index is left alone")
    func published() throws {
        let target = "opensearch+http://127.0.0.1:\(server.words[0])/novels"
        let dry = try stacks("publish", catalog, target, "--dry-run")
        #expect(dry.ending == .exit(0) && dry.output.hasPrefix("PUT /novels-"), "\(dry)")
        #expect(dry.output.contains("Would load "))
        let made = try stacks("publish", catalog, target)
        #expect(made.ending == .exit(0) && made.output.hasPrefix("Published ") && made.error == "", "\(made)")
        let again = try stacks("publish", catalog, target)
        #expect(again.ending == .exit(0) && again.output.contains("already has"), "\(again)")
        let local = try stacks("search", "", catalog, "--sort", "title")
        let remote = try stacks("search", "", target, "--sort", "title")
        #expect(remote.ending == .exit(0) && remote.output == local.output, "\(remote)")
        let other = try stacks("publish", catalog, "opensearch+http://127.0.0.1:\(server.words[0])/books")
        #expect(
            other.ending == .exit(64) && other.error.contains("was not published by stacks. Name another index"),
            "\(other)")
    }
}
