import TestSupport
import Testing

/// `stacks publish` to an index of the emulator of OpenSearch.
@Suite("stacks publish: OpenSearch") struct OpenSearchPublishTests {
    private let stage: PublishingStage

    init() throws { stage = try PublishingStage(script: "opensearch.py", "20") }

    @Test("A catalog is published, found by its address, and not sent again; another index is left alone")
    func published() throws {
        let target = "opensearch+http://127.0.0.1:\(stage.server.words[0])/novels"
        let dry = try stage.publish(target, "--dry-run")
        #expect(dry.ending == .exit(0) && dry.output.hasPrefix("PUT /novels-"), "\(dry)")
        #expect(dry.output.contains("Would load "))
        let made = try stage.publish(target)
        #expect(made.ending == .exit(0) && made.output.hasPrefix("Published ") && made.error == "", "\(made)")
        let again = try stage.publish(target)
        #expect(again.ending == .exit(0) && again.output.contains("already has"), "\(again)")
        let local = try stage.stacks("search", "", stage.catalog, "--sort", "title")
        let remote = try stage.stacks("search", "", target, "--sort", "title")
        #expect(remote.ending == .exit(0) && remote.output == local.output, "\(remote)")
        let other = try stage.publish("opensearch+http://127.0.0.1:\(stage.server.words[0])/books")
        #expect(
            other.ending == .exit(64) && other.error.contains("was not published by stacks. Name another index"),
            "\(other)")
    }
}
