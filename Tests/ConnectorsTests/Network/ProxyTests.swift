import ConnectorProtocol
import ConnectorTesting
import Foundation
import TestSupport
import Testing

@testable import Connectors

/// The choice of a proxy, which error messages name.
@Suite("Proxy settings") struct ProxySettingsTests {
    private func proxy(for url: String, _ variables: [String: String]) -> String? {
        ProxySettings { variables[$0] }.proxy(for: url)
    }

    @Test("The variable for the scheme takes precedence over all_proxy; HTTP_PROXY has no effect") func variables() {
        let all = [
            "http_proxy": "http://ann:secret@a.example:1/", "https_proxy": "b.example:2",
            "all_proxy": "socks5://c.example:3",
        ]
        #expect(proxy(for: "http://x.example/y", all) == "a.example:1")
        #expect(proxy(for: "HTTPS://x.example/y", all) == "b.example:2")
        #expect(proxy(for: "http://x.example", ["all_proxy": "socks5://c.example:3"]) == "c.example:3")
        #expect(proxy(for: "https://x.example", ["HTTPS_PROXY": "d.example"]) == "d.example")
        #expect(proxy(for: "http://x.example", ["ALL_PROXY": "d.example"]) == "d.example")
        #expect(proxy(for: "http://x.example", ["HTTP_PROXY": "d.example"]) == nil)
        #expect(proxy(for: "http://x.example", ["http_proxy": "", "all_proxy": ""]) == nil)
        #expect(proxy(for: "http://x.example", [:]) == nil)
    }

    @Test(
        "no_proxy exempts hosts, domains, networks and all hosts, with or without a port",
        arguments: [
            ("books.example", "books.example", true), ("Books.Example", "books.example", true),
            ("example", "books.example", true), (".example", "books.example", true),
            (".books.example", "books.example", true), ("ooks.example", "books.example", false),
            ("a.example,books.example", "books.example", true), ("a.example books.example", "books.example", true),
            ("a.example, .example", "books.example", true), ("*", "books.example", true),
            ("a.example,*", "books.example", true), ("*.example", "books.example", false),
            ("books.example:80", "books.example", true), ("books.example:80", "books.example:8080", false),
            (".example:8080", "books.example:8080", true), ("*:8080", "books.example:8080", true),
            ("*:8080", "books.example", false), ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.11", false),
            ("192.0.2.0/24", "192.0.2.11", true), ("192.0.2.0/24", "192.0.3.11", false),
            ("192.0.2.0/23", "192.0.3.11", true), ("2001:db8::1", "[2001:db8::1]", true),
            ("[2001:db8::1]", "[2001:db8::1]", true), ("[2001:db8::1]:80", "[2001:db8::1]:8080", false),
            ("2001:db8::/32", "[2001:db8::1]:8080", true), ("", "books.example", false),
            ("", "localhost:8080", true), ("", "127.0.0.1", true), ("", "[::1]:8080", true),
        ])
    func exceptions(value: String, host: String, isExempt: Bool) {
        let variables = ["http_proxy": "proxy.example:3128", "no_proxy": value]
        #expect((proxy(for: "http://\(host)/x", variables) == nil) == isExempt)
        #expect(proxy(for: "http://\(host)/x", ["http_proxy": "p", "NO_PROXY": value]) == (isExempt ? nil : "p"))
    }

    @Test("libcurl gets the exempt hosts in its own form") func libcurl() {
        func exceptions(_ value: String, _ url: String) -> String {
            ProxySettings { $0 == "no_proxy" ? value : nil }.exceptions(for: url)
        }
        #expect(exceptions("", "http://a.example") == "localhost,127.0.0.1,::1")
        #expect(exceptions("a.example *", "http://b.example") == "*")
        #expect(
            exceptions("a.example:80, b.example", "http://a.example") == "a.example,b.example,localhost,127.0.0.1,::1")
        #expect(exceptions("a.example:80", "https://a.example") == "localhost,127.0.0.1,::1")
    }
}

/// The program with proxies in its environment. Host names in "invalid" do not exist; only the proxy knows them.
@Suite("Catalogs through proxies", .usesServers) struct ProxyTests {
    private let server: ServerProcess

    init() throws { server = try ServerProcess(script: "faults.py") }

    private var proxy: String { "127.0.0.1:\(server.words[0])" }

    /// Returns the failure to open a source with these environment variables; nil if it is open.
    private func failure(_ source: String, _ environment: [String: String]) throws -> ConnectorFailure? {
        let cache = try TemporaryDirectory()
        let connector = try RunningConnector(environment: environment)
        _ = try connector.greet(cache: cache.path, sources: [source])
        try connector.ask(2, .open(source: source, known: nil))
        let reply = try connector.end()
        #expect(try connector.close() == 0)
        switch reply?.content {
        case .ended(.opened)?: return nil
        case .failed(let failure)?: return failure
        default: throw CancellationError()
        }
    }

    @Test("http_proxy, https_proxy and all_proxy are used") func variables() throws {
        let source = "http://books.invalid/ok"
        #expect(try failure(source, [:]) == ConnectorFailure(.offline, .noName, detail: "books.invalid"))
        for name in ["http_proxy", "all_proxy", "ALL_PROXY"] {
            #expect(try failure(source, [name: "http://\(proxy)"]) == nil, "\(name)")
        }
        #expect(try failure(source, ["https_proxy": "http://\(proxy)"])?.reason == .noName)
        let tests = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
        for name in ["https_proxy", "HTTPS_PROXY", "all_proxy"] {
            let variables = [name: proxy, "SSL_CERT_FILE": "\(tests)/Servers/certificates/other-name.pem"]
            #expect(try failure("https://books.example:\(server.words[3])/ok", variables) == nil, "\(name)")
        }
    }

    @Test(
        "no_proxy exempts hosts",
        arguments: [
            ("books.invalid", true), ("invalid", true), (".invalid", true), ("*", true), ("a.example,*", true),
            ("books.invalid:80", true), ("books.invalid:81", false), ("a.example", false), ("oks.invalid", false),
        ])
    func exceptions(value: String, isExempt: Bool) throws {
        let failure = try failure("http://books.invalid/ok", ["http_proxy": proxy, "no_proxy": value])
        #expect(failure == (isExempt ? ConnectorFailure(.offline, .noName, detail: "books.invalid") : nil))
    }

    @Test("A proxy that fails or refuses is named instead of the server", arguments: ["http", "https"])
    func failures(scheme: String) throws {
        let variable = scheme + "_proxy"
        let source = "\(scheme)://books.invalid/ok"
        #expect(
            try failure(source, [variable: "http://127.0.0.1:1"])
                == ConnectorFailure(.offline, .proxyConnection, detail: "127.0.0.1:1"))
        #expect(
            try failure(source, [variable: "http://proxy.invalid:3128"])
                == ConnectorFailure(.offline, .proxyName, detail: "proxy.invalid:3128"))
        let guarded = "\(scheme)://guarded.invalid/ok"
        let needsPassword = ConnectorFailure(.auth, .proxyPassword, detail: proxy)
        #expect(try failure(guarded, [variable: "http://\(proxy)"]) == needsPassword)
        #expect(try failure(guarded, [variable: "http://ann:wrong@\(proxy)"]) == needsPassword)
        if scheme == "http" {
            #expect(try failure(guarded, [variable: "http://ann:proxy-4711@\(proxy)"]) == nil)
        } else {
            #expect(
                try failure("https://forbidden.invalid/ok", [variable: "http://\(proxy)"])
                    == ConnectorFailure(.server, .proxyRefused, subject: proxy, detail: "403"))
        }
    }

    @Test("A server that is exempt from the proxy is named itself") func exemptServer() throws {
        let failure = try failure("http://127.0.0.1:1/ok", ["http_proxy": "http://\(proxy)"])
        #expect(failure == ConnectorFailure(.offline, .noConnection, detail: "127.0.0.1:1"))
    }
}
