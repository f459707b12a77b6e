import ConnectorProtocol
import ConnectorTesting
import Glibc
import JSON
import TestSupport
import Testing

/// The test server, which simulates faults of networks and servers.
private let webServer = Result { try ServerProcess(script: "faults.py") }

private func address(_ path: String) throws -> String { "http://127.0.0.1:\(try webServer.get().words[0])/\(path)" }

private func failure(at path: String) throws -> ConnectorFailure? {
    do {
        _ = try Mirrored(source: address(path))
        return nil
    } catch let failure as ConnectorFailure {
        return failure
    }
}

@Suite("Catalogs on web servers", .usesServers) struct WebServerTests {
    @Test(
        "A catalog is copied completely, also compressed and after a redirect",
        arguments: [("ok", 1), ("books", 5000), ("gzip", 5000), ("moved", 1), ("resumed", 5000)])
    func whole(path: String, count: Int) throws {
        let copy = try Mirrored(source: address(path))
        #expect(copy.copy.isComplete && copy.copy.rows == count && copy.copy.defects.isEmpty)
        #expect(copy.opened.kind == "json")
    }

    @Test("After a broken connection, the download is resumed with the same bytes") func resumed() throws {
        #expect(try Mirrored(source: address("resumed")).lines == Mirrored(source: address("books")).lines)
    }

    @Test("A copy that the server reports as unchanged is not made again", arguments: ["etag", "modified"])
    func unchanged(path: String) throws {
        let first = try Mirrored(source: address(path))
        #expect(first.copy.isComplete && first.copy.version != SourceVersion())
        #expect(try Mirrored(source: address(path), known: first.copy.version).opened.isFresh)
        let other = SourceVersion(etag: "\"other\"", modified: "Sat, 01 Aug 2020 10:00:00 GMT")
        #expect(try !Mirrored(source: address(path), known: other).opened.isFresh)
    }

    @Test("A version with control characters is not kept, and never sent back") func controlCharacters() throws {
        #expect(try Mirrored(source: address("control")).copy.version == SourceVersion())
        for text in ["\"a\rX-Injected: 1\"", "a\nX-Injected: 1", "a\u{7F}"] {
            let known = SourceVersion(etag: text, modified: text)
            let other = "http://127.0.0.1:\(try webServer.get().words[1])/plain"
            #expect(try Mirrored(source: other, known: known).copy.rows == 1)
        }
        let seen = try Mirrored(source: address("seen")).lines.joined()
        #expect(seen.contains("/plain") && !seen.contains("Injected") && !seen.contains("\u{7F}"))
    }

    @Test(
        "A truncated body is never complete, however the connection ends, and ends with its last complete row",
        arguments: [
            ("cut", 100...200), ("cut_chunk", 1...1), ("cut_close", 1...1), ("cut_gzip", 1000...4000),
            ("cut_length", 1...1),
            ("cut_array", 1...2), ("cut_csv", 1...2), ("changed", 100...200), ("opds/cut", 2...2),
            ("opds/short", 3...3),
        ])
    func cut(path: String, rows: ClosedRange<Int>) throws {
        let copy = try Mirrored(source: address(path))
        #expect(!copy.copy.isComplete && copy.copy.defects.contains { $0.kind == .cut })
        #expect(rows.contains(copy.copy.rows), "\(copy.copy.rows)")
        #expect(copy.rows.count == copy.lines.count || path == "cut_array")
    }

    @Test(
        "Each fault has its own kind and reason",
        arguments: [
            ("empty", ConnectorFailure.Kind.offline, ConnectorFailure.Reason.brokenOff),
            ("reset", .offline, .brokenOff), ("garbage", .server, .notHTTP), ("headers", .server, .notHTTP),
            ("500", .server, .status), ("503", .busy, .status), ("429", .busy, .status), ("429_date", .busy, .status),
            ("403", .server, .status), ("none", .server, .status), ("401", .auth, .password),
            ("loop", .refused, .redirects), ("to_file", .refused, .redirect), ("to_gopher", .refused, .redirect),
            ("portal", .offline, .portal), ("511", .offline, .portal), ("auth/oauth", .auth, .signIn),
            ("auth/bearer", .auth, .signIn), ("login", .format, .html), ("nothing", .format, .empty),
            ("bomb", .refused, .tooLarge),
        ] as [(String, ConnectorFailure.Kind, ConnectorFailure.Reason)])
    func encodingErrors(path: String, kind: ConnectorFailure.Kind, reason: ConnectorFailure.Reason) throws {
        let failure = try failure(at: path)
        #expect(failure?.kind == kind && failure?.reason == reason, "\(String(describing: failure))")
    }

    @Test("A server can demand a delay of at most an hour") func retryAfter() throws {
        #expect(try failure(at: "503")?.retryAfter == 7)
        #expect(try failure(at: "429_date")?.retryAfter == 3600)
        #expect(try failure(at: "500")?.retryAfter == nil)
    }

    @Test("An unreachable host and an unknown one are distinguished") func offline() throws {
        func reason(_ source: String) -> ConnectorFailure.Reason? {
            do {
                _ = try Mirrored(source: source)
                return nil
            } catch {
                return (error as? ConnectorFailure)?.reason
            }
        }
        #expect(reason("http://127.0.0.1:1/x") == .noConnection)
        #expect(reason("http://nowhere.invalid/x") == .noName)
    }

    @Test("An endless catalog can be stopped, and its rows so far are kept") func endless() throws {
        #expect(throws: ConnectorFailure(.cancelled)) {
            try Mirrored(source: address("endless"), stopsAfter: 100_000)
        }
    }
}

@Suite("Passwords for web servers", .usesServers) struct WebPasswordTests {
    @Test("A password is requested once, and again if it is refused") func asked() throws {
        let right = (user: "ann" as String?, secret: "secret-4711" as String?)
        let copy = try Mirrored(source: address("private"), answers: [right])
        #expect(copy.copy.isComplete && copy.copy.rows == 1)
        let origin = try #require(ServerOrigin(of: address("private")))
        #expect(copy.questions == [CredentialQuestion(realm: "books", origin: origin)])
        let second = try Mirrored(source: address("private"), answers: [("ann", "wrong"), right])
        #expect(second.questions.map(\.isRepeated) == [false, true])
    }

    @Test("Without a password, or after three wrong ones, the request fails") func refused() throws {
        let wrong = (user: "ann" as String?, secret: "wrong" as String?)
        for answers in [[], [(user: nil, secret: nil)], [wrong, wrong, wrong, wrong]]
            as [[(user: String?, secret: String?)]]
        {
            #expect(throws: (any Error).self) { try Mirrored(source: address("private"), answers: answers) }
        }
    }

    @Test("Instructions for signing in are passed on, and a password is sent without a challenge") func document()
        throws
    {
        let copy = try Mirrored(source: address("auth"), answers: [("4711", "0000"), ("4711", "1234")])
        #expect(copy.copy.isComplete && copy.copy.rows == 1)
        let instructions = SignInInstructions(
            title: "City Library", description: "Your card has the number.", userLabel: "Card number",
            secretLabel: "PIN")
        #expect(copy.questions.map(\.instructions) == [instructions, instructions])
        #expect(copy.questions.map(\.isRepeated) == [false, true])
    }

    @Test("Unsupported ways to sign in are named without a question") func otherWays() throws {
        #expect(try failure(at: "auth/oauth")?.detail == "OAuth or SAML")
        #expect(try failure(at: "auth/bearer")?.detail == "Bearer")
        #expect(throws: ConnectorFailure.self) { try Mirrored(source: address("auth/oauth"), answers: [("a", "b")]) }
    }

    @Test("A password does not follow a redirect to another origin") func crossing() throws {
        let copy = try Mirrored(source: address("private/cross"), answers: [("ann", "secret-4711")])
        #expect(copy.copy.isComplete)
        let other = "http://127.0.0.1:\(try webServer.get().words[0])/seen"
        let seen = try Mirrored(source: other).lines.joined()
        #expect(seen.contains("/ok") && !seen.contains("Authorization") && !seen.contains("secret"))
    }

    @Test(
        "A server to which a redirect, a link or a next page leads is not signed in to, and no password is asked for",
        arguments: [
            ("leave/redirect", "localhost"), ("leave/link", "localhost"), ("leave/feed", "localhost"),
            ("leave/port", "127.0.0.1"),
        ])
    func leaving(path: String, host: String) throws {
        let answers = [(user: "ann" as String?, secret: "secret-4711" as String?)]
        let other = "http://\(host):\(try webServer.get().words[1])"
        #expect(throws: ConnectorFailure(.auth, .otherServer, detail: other)) {
            try Mirrored(source: address(path), answers: answers)
        }
    }
}

@Suite("Encrypted connections to web servers", .serialized, .usesServers) struct WebEncryptionTests {
    /// Returns the failure for a catalog on an HTTPS server if the certificate with this name is trusted.
    private func failure(at path: String, on server: Int, trusting name: String?) throws -> ConnectorFailure? {
        let folder = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined() + "/Servers/certificates"
        if let name { setenv("SSL_CERT_FILE", "\(folder)/\(name).pem", 1) }
        defer { unsetenv("SSL_CERT_FILE") }
        do {
            let port = try webServer.get().words[server]
            #expect(try Mirrored(source: "https://127.0.0.1:\(port)/\(path)").copy.isComplete)
            return nil
        } catch let failure as ConnectorFailure {
            return failure
        }
    }

    @Test("A certificate must be trusted, match the host name, and not be expired") func certificates() throws {
        #expect(try failure(at: "ok", on: 2, trusting: "trusted") == nil)
        #expect(try failure(at: "ok", on: 2, trusting: nil)?.reason == .certificate)
        #expect(try failure(at: "ok", on: 2, trusting: "expired")?.reason == .certificate)
        #expect(try failure(at: "ok", on: 3, trusting: "other-name")?.reason == .certificate)
        #expect(try failure(at: "ok", on: 4, trusting: "expired")?.reason == .certificate)
    }

    @Test("An encrypted request is not redirected to an unencrypted connection") func downgrade() throws {
        #expect(try failure(at: "to_http", on: 2, trusting: "trusted")?.reason == .redirect)
        #expect(try failure(at: "moved", on: 2, trusting: "trusted") == nil)
    }

    @Test("Encrypted and unencrypted servers are not confused") func mismatch() throws {
        #expect(try failure(at: "ok", on: 0, trusting: nil)?.reason == .encryption)
        let port = try webServer.get().words[2]
        #expect(throws: ConnectorFailure.self) { try Mirrored(source: "http://127.0.0.1:\(port)/ok") }
    }

    @Test("A server may have only an IPv6 address") func version6() throws {
        let port = try webServer.get().words[5]
        guard port != "0" else { return }
        #expect(try Mirrored(source: "http://[::1]:\(port)/ok").copy.isComplete)
    }
}

@Suite("OPDS feeds on web servers", .usesServers) struct WebFeedTests {
    @Test("Each page of each list is copied once; facets, searches and other servers are not requested") func lists()
        throws
    {
        let copy = try Mirrored(source: address("opds"))
        #expect(copy.copy.isComplete && copy.opened.kind == "opds")
        let ids = copy.rows.compactMap { $0["id"]?.string }
        #expect(Set(ids) == Set((0...50).map { "urn:book:\($0)" }) && ids.count == 51)
        #expect(copy.copy.version == SourceVersion())
    }

    @Test("Relative links become absolute") func links() throws {
        let copy = try Mirrored(source: address("opds"))
        let links = copy.rows.first?["links"]?.elements?.compactMap { $0["href"]?.string }
        #expect(links == [try address("files/0")])
        let second = try Mirrored(source: address("opds2"))
        #expect(second.rows.last?["images"]?.elements?.first?["href"]?.string == (try address("covers/5.jpg")))
    }

    @Test("All pages of OPDS 2.0 are copied") func publications() throws {
        let copy = try Mirrored(source: address("opds2"))
        #expect(copy.copy.isComplete && copy.copy.rows == 6 && copy.opened.profile == "opds")
        #expect(copy.rows.compactMap { $0["metadata"]?["title"]?.string } == (0..<6).map { "Book \($0)" })
    }

    @Test(
        "Books of groups are read with the lists of their groups, without duplicates",
        arguments: ["opds/groups", "opds2/groups"])
    func groups(path: String) throws {
        let copy = try Mirrored(source: address(path))
        let ids = copy.rows.compactMap { $0["id"]?.string ?? $0["metadata"]?["identifier"]?.string }
        #expect(copy.copy.isComplete && ids.count == 8)
        #expect(Set(ids) == Set([1, 2, 3, 4, 11, 12, 13, 14].map { "urn:book:\($0)" }))
    }

    @Test("A catalog without lists reports its search, and #search= uses it")
    func search() throws {
        for (path, ids) in [("opds/find", ["urn:book:80", "urn:book:81"]), ("opds2/find", ["urn:book:90"])] {
            let all = try Mirrored(source: address(path))
            #expect(all.copy.rows == 0 && all.opened.facts["search"] != nil)
            let found = try Mirrored(source: address(path) + "#search=white%20whale&")
            #expect(
                found.rows.compactMap { $0["id"]?.string ?? $0["metadata"]?["identifier"]?.string } == ids, "\(path)")
            #expect(found.copy.isComplete && found.copy.version == SourceVersion())
            #expect(try Mirrored(source: address(path) + "#search=nothing").copy.rows == 0)
        }
        for path in ["opds2", "ok"] {
            #expect(throws: ConnectorFailure(.unsupported, .noSearch)) {
                try Mirrored(source: address(path) + "#search=whale")
            }
        }
    }

    @Test("A feed linked by a web page is opened") func page() throws {
        let copy = try Mirrored(source: address("page"))
        #expect(copy.copy.isComplete && copy.copy.rows == 51)
    }
}
