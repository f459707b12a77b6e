import ConnectorProtocol
import ConnectorTesting
import Foundation
import TestSupport
import Testing

@testable import Connectors

/// Passwords in ~/.netrc, for the connector program with a home directory of its own.
@Suite("Passwords in .netrc", .usesServers) struct NetrcTests {
    private let server: ServerProcess
    private let home: TemporaryDirectory

    private static let secret = "secret-4711"

    init() throws {
        server = try ServerProcess(script: "faults.py")
        home = try TemporaryDirectory()
    }

    private func write(_ text: String, mode: mode_t) throws {
        let path = try home.write(text.utf8, to: ".netrc")
        try #require(chmod(path, mode) == 0)
    }

    /// Opens the protected catalog and copies it; answers a question for the password with none.
    ///
    /// - Returns: The replies, and whether the password was an argument or an environment variable of the program.
    private func copy(_ path: String = "private") throws -> (replies: [ConnectorReply.Content], isExposed: Bool) {
        let cache = home.path + "/cache"
        try? FileManager.default.createDirectory(atPath: cache, withIntermediateDirectories: false)
        let connector = try RunningConnector(environment: ["HOME": home.path])
        let source = "http://127.0.0.1:\(server.words[0])/\(path)"
        _ = try connector.greet(cache: cache, sources: [source])
        try connector.ask(2, .open(source: source, known: nil))
        var replies: [ConnectorReply.Content] = []
        while let reply = try connector.next() {
            replies.append(reply.content)
            switch reply.content {
            case .asked: try connector.ask(2, .answer(user: nil, secret: nil))
            case .ended(.opened): try connector.ask(3, .mirror(path: cache + "/new.jsonl"))
            default: break
            }
            if case .failed = reply.content { break }
            if case .ended(.mirrored) = reply.content { break }
        }
        let shown = connector.argumentsAndEnvironment
        #expect(shown.contains { $0.firstRange(of: Data("HOME=\(home.path)".utf8)) != nil })
        let isExposed = shown.contains { $0.firstRange(of: Data(Self.secret.utf8)) != nil }
        #expect(try connector.close() == 0)
        return (replies, isExposed)
    }

    @Test("A private file gives the password, which is not asked for, stored or exposed") func privateFile() throws {
        let entry = "login ann\n  password \(Self.secret)\n"
        for text in ["machine other.example login x password y\nmachine 127.0.0.1 \(entry)", "default \(entry)"] {
            try write(text, mode: 0o600)
            let (replies, isExposed) = try copy()
            guard case .ended(.mirrored(let copy))? = replies.last else {
                Issue.record("\(replies)")
                return
            }
            #expect(copy.isComplete && copy.rows == 1 && !isExposed)
            #expect(!replies.contains { if case .asked = $0 { true } else { false } })
            #expect(!"\(replies)".contains(Self.secret))
            let files = try #require(FileManager.default.enumerator(atPath: home.path + "/cache"))
            var count = 0
            for case let file as String in files {
                count += 1
                let content = FileManager.default.contents(atPath: "\(home.path)/cache/\(file)")
                #expect(content?.firstRange(of: Data(Self.secret.utf8)) == nil, "\(file)")
            }
            #expect(count > 0)
        }
    }

    @Test(
        "A file that other users can read is ignored, and the question and the failure say so",
        arguments: [0o640, 0o604])
    func publicFile(mode: mode_t) throws {
        try write("machine 127.0.0.1 login ann password \(Self.secret)\n", mode: mode)
        let host = "127.0.0.1:\(server.words[0])"
        let origin = try #require(ServerOrigin(of: "http://" + host))
        let question = CredentialQuestion(realm: "books", origin: origin, isNetrcIgnored: true)
        let replies = try copy().replies
        #expect(replies == [.asked(question), .failed(ConnectorFailure(.auth, .netrc, detail: host))])
    }

    @Test("A file without the host is not mentioned", arguments: [0o600, 0o644])
    func otherHost(mode: mode_t) throws {
        try write("machine other.example login ann password \(Self.secret)\n", mode: mode)
        let host = "127.0.0.1:\(server.words[0])"
        let origin = try #require(ServerOrigin(of: "http://" + host))
        let replies = try copy().replies
        #expect(
            replies == [
                .asked(CredentialQuestion(realm: "books", origin: origin)),
                .failed(ConnectorFailure(.auth, .password, detail: host)),
            ])
    }

    @Test(
        "The first entry for a host is used, with comments, quotation marks and macros",
        arguments: [
            (
                "machine a login x password y machine b login ann password key", "b",
                Credential(user: "ann", secret: "key")
            ),
            ("machine b\n  login ann\n  password key\n", "b", Credential(user: "ann", secret: "key")),
            (
                "machine b login ann password key\nmachine b login bob password other", "b",
                Credential(user: "ann", secret: "key")
            ),
            ("machine B.Example login ann password key", "b.example", Credential(user: "ann", secret: "key")),
            (
                "# machine b login x password y\nmachine b login ann password key", "b",
                Credential(user: "ann", secret: "key")
            ),
            (#"machine b login "ann b" password "k\"e\\y""#, "b", Credential(user: "ann b", secret: #"k"e\y"#)),
            (
                "macdef init\nmachine b login x password y\n\nmachine b login ann password key", "b",
                Credential(user: "ann", secret: "key")
            ),
            (
                "machine a login x password y\ndefault login ann password key", "b",
                Credential(user: "ann", secret: "key")
            ),
            ("machine b account z login ann password machine", "b", Credential(user: "ann", secret: "machine")),
            ("machine ::1 login ann password key", "[::1]", Credential(user: "ann", secret: "key")),
            ("machine b password key", "b", Credential(user: "", secret: "key")),
            ("machine b login ann", "b", nil),
            ("machine bb login ann password key", "b", nil),
            ("machine b.example.evil login ann password key", "b.example", nil),
            ("machine", "b", nil), ("", "b", nil),
        ] as [(String, String, Credential?)])
    func entries(text: String, host: String, credential: Credential?) {
        #expect(NetrcFile.credential(in: text, for: host) == credential)
    }

    @Test("A redirect does not take the password of the other server from the file") func redirect() throws {
        try write("machine localhost login ann password \(Self.secret)\n", mode: 0o600)
        let other = "http://localhost:\(server.words[1])"
        let replies = try copy("leave/redirect").replies
        #expect(replies == [.failed(ConnectorFailure(.auth, .otherServer, detail: other))])
        let seen = try Mirrored(source: "http://127.0.0.1:\(server.words[0])/seen").lines.joined()
        #expect(seen.contains("/guard") && !seen.contains("Authorization"))
    }
}
