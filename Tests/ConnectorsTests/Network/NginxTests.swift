import ConnectorProtocol
import ConnectorTesting
import Glibc
import JSON
import TestSupport
import Testing

/// Catalogs on nginx.
@Suite("Catalogs on nginx", .serialized, .usesServers) struct NginxTests {
    private let directory: TemporaryDirectory
    private let server: ServerProcess
    private static let count = 4000

    init() throws {
        directory = try TemporaryDirectory()
        server = try ServerProcess(script: "nginx.py", arguments: [directory.path])
    }

    private func address(_ path: String) -> String { "http://127.0.0.1:\(server.words[0])/\(path)" }

    @Test("A file is copied completely, and again only if it has changed") func conditional() throws {
        let first = try Mirrored(source: address("books.jsonl"))
        #expect(first.copy.isComplete && first.copy.rows == Self.count)
        let version = first.copy.version
        #expect(version.etag != nil && version.modified != nil)
        // Either validator is enough.
        for known in [version, SourceVersion(etag: version.etag), SourceVersion(modified: version.modified)] {
            #expect(try Mirrored(source: address("books.jsonl"), known: known).opened.isFresh)
        }
        #expect(server.ask("log").contains(" 304 "))
        #expect(server.ask("add") == "done")
        let second = try Mirrored(source: address("books.jsonl"), known: version)
        #expect(!second.opened.isFresh && second.copy.rows == Self.count + 1)
    }

    @Test("Content is the same with compression and over HTTP/2") func compressed() throws {
        let plain = try Mirrored(source: address("books.jsonl"))
        #expect(try Mirrored(source: address("compressed/books.jsonl")).lines == plain.lines)
        setenv("SSL_CERT_FILE", Self.certificate, 1)
        defer { unsetenv("SSL_CERT_FILE") }
        let encrypted = try Mirrored(source: "https://127.0.0.1:\(server.words[1])/books.jsonl")
        #expect(encrypted.lines == plain.lines && encrypted.copy.isComplete)
        #expect(server.ask("log").contains("HTTP/2.0"))
    }

    @Test("An untrusted certificate is refused") func certificate() throws {
        #expect(throws: ConnectorFailure(.refused, .certificate, detail: "127.0.0.1:\(server.words[1])")) {
            try Mirrored(source: "https://127.0.0.1:\(server.words[1])/books.jsonl")
        }
    }

    private static var certificate: String {
        #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined() + "/Servers/certificates/trusted.pem"
    }

    @Test("A password is requested, and again after a wrong one") func password() throws {
        let right = (user: "ann" as String?, secret: "secret-4711" as String?)
        let copy = try Mirrored(source: address("club/books.jsonl"), answers: [("ann", "wrong"), right])
        #expect(copy.copy.rows == 1 && copy.questions.map(\.realm) == ["club", "club"])
        #expect(throws: ConnectorFailure.self) { try Mirrored(source: address("club/books.jsonl")) }
    }

    @Test("An interrupted download is resumed if the server confirms that the file is unchanged")
    func ranges() throws {
        let proxy = try ServerProcess(script: "delay.py", arguments: [server.words[0], "1"])
        func behindProxy(_ path: String) -> String { "http://127.0.0.1:\(proxy.words[0])/\(path)" }
        let whole = try Mirrored(source: address("books.jsonl"))
        #expect(proxy.ask("once") == "done")
        #expect(try Mirrored(source: behindProxy("books.jsonl")).lines == whole.lines)
        #expect(server.ask("log").contains(" 206 "))
        #expect(proxy.ask("once") == "done")
        let cut = try Mirrored(source: behindProxy("plain/books.jsonl"))
        #expect(!cut.copy.isComplete && cut.copy.defects.contains { $0.kind == .cut } && cut.copy.rows > 100)
    }
}
