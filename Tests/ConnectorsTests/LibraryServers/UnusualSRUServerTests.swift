import ConnectorProtocol
import ConnectorTesting
import JSON
import TestSupport
import Testing

@testable import Connectors

/// SRU servers that differ from the standard, fail or lie.
@Suite("Unusual SRU servers", .serialized, .usesServers) struct UnusualSRUServerTests {
    private let server: ServerProcess

    init() throws { server = try ServerProcess(script: "sru.py") }

    private var host: String { "127.0.0.1:\(server.words[0])" }
    private func open(_ path: String) throws -> QueriedSource { try QueriedSource("sru+http://\(host)/\(path)") }
    private static func titles(_ range: Range<Int>) -> [String] { range.map { "Book \($0)" } }

    @Test(
        "Records as escaped text, and servers that send few at a time, give the same rows",
        arguments: ["plain", "packed", "few"])
    func variants(path: String) throws {
        let part = try open(path).page(at: .row(30), limit: 40)
        #expect(part.titles == Self.titles(30..<70) && part.ids.first == "n30")
        #expect(part.end == PageEnd(count: BookTotal(120, .exact)))
    }

    @Test("A server that sends fewer records than it counted is not believed") func short() throws {
        let source = try open("short")
        #expect(try source.page(limit: 50).titles == Self.titles(0..<50))
        #expect(throws: ConnectorFailure(.server, .incomplete, detail: "120")) {
            try source.page(at: .row(40), limit: 50)
        }
    }

    @Test("A record that the server cannot send says why, in its place") func badRecord() throws {
        let part = try open("bad-record").page(limit: 6)
        #expect(part.titles[3] == "[Record temporarily unavailable]" && part.titles[4] == "Book 4")
        #expect(part.end.isPartial)
    }

    @Test(
        "A number is only exact if the server says so",
        arguments: [("estimate", BookTotal.Kind.approximate), ("minimum", .atLeast)])
    func precision(path: String, kind: BookTotal.Kind) throws {
        let source = try open(path)
        #expect(try source.page(limit: 5).end.count == BookTotal(120, kind))
        // The end is where no more records come.
        #expect(try source.page(at: .row(110), limit: 50).titles == Self.titles(110..<120))
    }

    @Test("A search of only a part of the server is called one") func partial() throws {
        #expect(try open("partial").page(limit: 5).end.isPartial)
        #expect(try !open("plain").page(limit: 5).end.isPartial)
    }

    @Test("A server that needs a search says so, and then finds") func needsQuery() throws {
        let source = try open("search-only")
        #expect(throws: ConnectorFailure(.refused, .needsQuery, detail: "Query syntax error")) { try source.page() }
        #expect(try source.page("book", limit: 3).titles == Self.titles(0..<3))
    }

    @Test("A field without an index is ignored and named, from then on without asking") func noIndex() throws {
        let source = try open("no-year")
        _ = server.ask("log")
        for _ in 0..<2 {
            #expect(try source.page("king year:1999", limit: 3).end.ignoredTerms == ["year:1999"])
        }
        #expect(server.ask("log") == #"("king" and dc.date = 1999)|"king"|"king""#)
    }

    @Test("A diagnostic without a message has the words of the standard") func numbers() throws {
        #expect(throws: ConnectorFailure(.server, .diagnostic, detail: "Unsupported boolean operator")) {
            try open("numbers-only").page("king")
        }
    }

    @Test("Another record schema or protocol version is tried if the server wants it", arguments: ["only-dc", "old"])
    func fallback(path: String) throws {
        #expect(try open(path).page(limit: 3).titles == Self.titles(0..<3))
    }

    @Test("A schema that the user gives is not replaced") func givenSchema() throws {
        #expect(throws: ConnectorFailure(.server, .diagnostic, detail: "Unknown schema: mods")) {
            try open("only-dc?recordSchema=mods").page("king")
        }
    }

    @Test("A long list is not sorted, because some servers then sort only its first books") func long() throws {
        let source = try open("large")
        #expect(source.opened.abilities?.sorts == ["title"])
        #expect(throws: ConnectorFailure(.refused, .tooManyToSort, detail: "1000")) {
            try source.page("king", sort: [.init("title")])
        }
        #expect(try source.page("king", limit: 5).end.count == BookTotal(5000, .exact))
        #expect(try open("plain").opened.abilities?.sorts == [])
    }

    @Test("A response that is not one is refused with the reason") func wrong() throws {
        #expect(throws: ConnectorFailure(.server, .protocolMismatch, subject: host, detail: "SRU")) {
            try open("page")
        }
        #expect(throws: ConnectorFailure(.server, .protocolMismatch, subject: host, detail: "SRU")) {
            try open("cut").page()
        }
        #expect(throws: ConnectorFailure(.refused, .entity, at: .line(1))) { try open("entity").page() }
        #expect(throws: ConnectorFailure(.busy, .status, detail: "503 Service Unavailable", retryAfter: 120)) {
            try open("busy").page()
        }
        #expect(throws: ConnectorFailure(.server, .status, detail: "404 Not Found")) { try open("unknown").page() }
    }

    @Test("Nothing found is an empty list") func none() throws {
        let part = try open("plain").page("none")
        #expect(part.rows.isEmpty && part.end.count == BookTotal(0, .exact))
    }
}
