import TestSupport
import Testing

/// `stacks publish` to the servers of a cluster.
@Suite("stacks publish: ClickHouse") struct ClickHousePublishTests {
    private let stage: PublishingStage
    private var server: ServerProcess { stage.server }

    init() throws { stage = try PublishingStage(script: "clickhouse.py") }

    private func address(_ place: String, hosts: Int = 2) -> String {
        "clickhouse://" + server.words.prefix(hosts).map { "127.0.0.1:\($0)" }.joined(separator: ",") + "/\(place)"
    }

    @Test("A dry run prints the statements; a catalog is loaded, not sent again, and replaced by another selection")
    func published() throws {
        let target = address("library?cluster=two")
        let dry = try stage.publish(target, "--dry-run")
        #expect(dry.ending == .exit(0) && dry.output.hasPrefix("CREATE DATABASE IF NOT EXISTS `library`;\n"), "\(dry)")
        #expect(dry.output.contains("Would load ") && dry.output.contains("ENGINE = Distributed(`two`, "))
        #expect(server.ask("sql 1 SELECT name FROM system.databases WHERE name = 'library'") == "\"\"")
        let made = try stage.publish(target)
        #expect(made.ending == .exit(0) && made.output.hasPrefix("Published ") && made.error == "", "\(made)")
        let again = try stage.publish(target)
        #expect(again.ending == .exit(0) && again.output.contains("already has"), "\(again)")
        let some = try stage.publish(target, "--query", "foundation")
        #expect(some.ending == .exit(0) && some.output.hasPrefix("Published "), "\(some)")
        #expect(some.output != made.output)
    }

    @Test("Each failure has its message and exit status")
    func failures() throws {
        let one = try stage.publish(address("library?cluster=two", hosts: 1))
        #expect(one.ending == .exit(65) && one.error.contains("Name each host once"), "\(one)")
        let unknown = try stage.publish(address("library?cluster=nine"))
        #expect(unknown.ending == .exit(69) && unknown.error.contains("no cluster nine"), "\(unknown)")
        let malformed = try stage.publish(address(""))
        #expect(malformed.ending == .exit(64) && malformed.error.contains("clickhouse://HOST:PORT"), "\(malformed)")
        #expect(server.ask("stop 2") == "done")
        let dead = try stage.publish(address("library?cluster=two"))
        #expect(dead.ending == .exit(68) && dead.error.contains("127.0.0.1:\(server.words[1])"), "\(dead)")
    }
}
