import ConnectorProtocol
import ConnectorTesting
import JSON
import TestSupport
import Testing

/// Uploading catalogs as one file.
@Suite("Uploads of catalogs", .usesServers) struct FileUploadTests {
    private let server: ServerProcess
    private static let rows = [#"{"title":"Emma"}"#, #"{"title":"Nana"}"#]
    private static let array = "[\n{\"title\":\"Emma\"},\n{\"title\":\"Nana\"}\n]\n"

    init() throws { server = try ServerProcess(script: "uploads.py") }

    private func address(_ path: String) -> String { "http://127.0.0.1:\(server.words[0])\(path)" }

    private func publish(
        _ path: String, known: SourceVersion? = nil, isDryRun: Bool = false, isForced: Bool = false,
        answers: [(user: String?, secret: String?)] = []
    ) throws -> Published {
        try Published(
            Self.rows, to: address(path), as: .file, known: known, isDryRun: isDryRun, isForced: isForced,
            answers: answers)
    }

    private func state(_ path: String) throws -> (content: String?, puts: [JSONValue]) {
        let state = try #require(JSONValue(parsing: server.ask(path).utf8))
        let puts = (state["seen"]?.elements ?? []).filter { $0.elements?.first?.string == "PUT" }
        return (state["content"]?.string, puts.compactMap { $0.elements?.last })
    }

    @Test("A new file has the format of its extension, and replaces no existing file")
    func newFiles() throws {
        let made = try publish("/plain/a.json")
        #expect(made.sent == 2 && made.refused == [])
        let json = try state("/plain/a.json")
        #expect(json.content == Self.array)
        #expect(json.puts.map { $0["If-None-Match"]?.string } == ["*"])
        #expect(json.puts.first?["Content-Type"]?.string == "application/json")
        _ = try publish("/plain/a.jsonl?x=1")
        #expect(try state("/plain/a.jsonl").puts.count == 1)
        #expect(
            JSONValue(parsing: server.ask("/plain/a.jsonl?x=1").utf8)?["content"]?.string == Self.rows.joined(
                separator: "\n") + "\n")
        #expect(throws: ConnectorFailure(.refused, .noEnding)) { try publish("/plain/a") }
        #expect(try Published([], to: address("/plain/none.json"), as: .file).sent == 0)
        #expect(try state("/plain/none.json").content == "[]\n")
    }

    @Test("An existing file is replaced in its format if it is the version that was read")
    func replacing() throws {
        #expect(server.ask("put /plain/b {\"title\":\"Old\"}") == "done")
        let made = try publish("/plain/b")
        #expect(made.sent == 2)
        let lines = try state("/plain/b")
        #expect(lines.content == Self.rows.joined(separator: "\n") + "\n")
        #expect(lines.puts.count == 1 && lines.puts[0]["If-Match"]?.string?.hasPrefix("\"") == true)
        #expect(server.ask("put /dated/b.json []") == "done")
        _ = try publish("/dated/b.json")
        #expect(try state("/dated/b.json").puts.first?["If-Unmodified-Since"] != nil)
        #expect(server.ask("put /weak/b.json []") == "done")
        _ = try publish("/weak/b.json")
        let weak = try state("/weak/b.json")
        #expect(weak.content == Self.array && weak.puts.first?["If-Match"] == nil)
    }

    @Test("Unchanged content is not sent again") func sameContent() throws {
        _ = try publish("/plain/c.json")
        let again = try publish("/plain/c.json", known: SourceVersion(etag: "\"older\""))
        #expect(again.sent == 0 && again.counted == 2)
        #expect(try state("/plain/c.json").puts.count == 1)
    }

    @Test("Changes of others are replaced only with --force") func changedByOthers() throws {
        let changed = ConnectorFailure(.busy, .changed)
        #expect(throws: changed) { try publish("/race/d.json") }
        #expect(try state("/race/d.json").content?.contains("Of another") == true)
        #expect(server.ask("put /plain/d.json [{\"title\":\"Of another\"}]") == "done")
        #expect(throws: changed) { try publish("/plain/d.json", known: SourceVersion(etag: "\"older\"")) }
        #expect(server.ask("put /dated/d.json [{\"title\":\"Of another\"}]") == "done")
        #expect(throws: changed) { try publish("/dated/d.json", known: SourceVersion(modified: "older")) }
        #expect(try publish("/plain/d.json", known: SourceVersion(etag: "\"older\""), isForced: true).sent == 2)
        let forced = try state("/plain/d.json")
        #expect(forced.content == Self.array && forced.puts.first?["If-Match"] == nil)
    }

    @Test("A file without a version, or other than JSON, is not replaced") func notReplaceable()
        throws
    {
        #expect(server.ask("put /bare/e.json []") == "done")
        #expect(throws: ConnectorFailure(.refused, .noVersion)) { try publish("/bare/e.json") }
        #expect(try publish("/bare/e.json", isForced: true).sent == 2)
        #expect(server.ask("put /plain/e.json <html>") == "done")
        #expect(throws: ConnectorFailure(.format, .notACatalog)) { try publish("/plain/e.json", isForced: true) }
        #expect(try state("/plain/e.json").content == "<html>")
    }

    @Test("A dry run writes nothing") func dryRun() throws {
        #expect(try publish("/plain/f.json", isDryRun: true).sent == 2)
        let state = try state("/plain/f.json")
        #expect(state.content == nil && state.puts == [])
    }

    @Test(
        "Each refusal has its own kind and reason, and the file is unchanged",
        arguments: [
            ("forbidden", ConnectorFailure.Kind.server, ConnectorFailure.Reason.status), ("500", .server, .status),
            ("readonly", .server, .status), ("full", .server, .status), ("busy", .busy, .status),
            ("moved", .refused, .redirect), ("private", .auth, .password), ("cut", .offline, .brokenOff),
        ] as [(String, ConnectorFailure.Kind, ConnectorFailure.Reason)])
    func refusals(kind: String, failure: ConnectorFailure.Kind, reason: ConnectorFailure.Reason) throws {
        let path = "/\(kind)/g.json"
        #expect(server.ask("put \(path) []") == "done")
        #expect {
            try publish(path)
        } throws: { error in
            let error = error as? ConnectorFailure
            return error?.kind == failure && error?.reason == reason
        }
        #expect(try state(path).content == "[]")
        #expect(try state("/plain/elsewhere.json").content == nil)
    }

    @Test(
        "A password is requested if the server requires it, and sent with the file again",
        arguments: ["private", "digest"])
    func passwords(kind: String) throws {
        let path = "/\(kind)/h.json"
        let made = try publish(path, answers: [("ann", "secret-4711")])
        #expect(made.sent == 2 && made.questions.count == 1)
        #expect(try state(path).content == Self.array)
    }

    @Test("A file that was stored before the connection broke is published") func lostAnswer() throws {
        #expect(try publish("/lost/i.json").sent == 2)
        #expect(try state("/lost/i.json").content == Self.array)
    }

    @Test("The upload of a large file reports progress and can be cancelled") func progress() throws {
        let rows = (0..<40_000).map { "{\"title\":\"Book \($0)\",\"authors\":[\"Writer\"],\"subjects\":[\"History\"]}" }
        let made = try Published(rows, to: address("/slow/j.json"), as: .file)
        #expect(made.sent == 40_000 && !made.progress.isEmpty)
        let sent = made.progress.compactMap(\.received)
        #expect(sent == sent.sorted() && made.progress.allSatisfy { $0.total == 40_000 })
        #expect(throws: ConnectorFailure(.cancelled)) {
            try Published(rows, to: address("/slow/k.json"), as: .file) { $0 > 2 }
        }
        #expect(try state("/slow/k.json").content == nil)
    }
}
