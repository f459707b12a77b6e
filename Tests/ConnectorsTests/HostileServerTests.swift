import ConnectorProtocol
import ConnectorTesting
import Foundation
import JSON
import TestSupport
import Testing

@testable import Connectors

/// Servers that lie about each of their numbers (Tests/Servers/lying.py): every request ends with rows or a failure.
@Suite("Servers with hostile numbers", .serialized, .usesServers)
struct HostileServerTests {
    private static let values = ["zero", "minus", "p31", "p32", "p53", "p63", "p64", "text"]
    private let server: ServerProcess

    init() throws { server = try ServerProcess(script: "lying.py") }

    private func address(_ kind: String, _ value: String) -> String {
        switch kind {
        case "z3950": "z3950://127.0.0.1:\(server.words[1])/\(value)"
        case "clickhouse": "clickhouse://127.0.0.1:\(server.words[0])/\(value)"
        default: "\(kind)+http://127.0.0.1:\(server.words[0])/\(kind)/\(value)"
        }
    }

    @Test(arguments: ["sru", "z3950", "xsearch", "opensearch", "solr", "clickhouse"], values)
    func listsOnServers(kind: String, value: String) throws {
        let source: QueriedSource
        do {
            source = try QueriedSource(address(kind, value))
        } catch let failure as ConnectorFailure {
            // Text in place of a number may not be an answer of this kind of server at all.
            #expect(failure.kind == .server || failure.kind == .offline, "\(failure)")
            return
        }
        let ends: [PageRequest.Position] = [
            .row(0), .row(9_990), .row(1 << 31), .row(1 << 40), .book("b5"), .book("n5"), .value("b"), .value("1999"),
        ]
        var counts: [Int] = []
        for sort in [[], [PageRequest.SortKey("title")], [.init("year", isDescending: true)]] {
            for query in [nil, "book", "year:1900..2000"] {
                for position in ends {
                    guard let part = try? source.page(query, sort: sort, at: position, limit: 64) else { continue }
                    counts.append(part.end.count?.value ?? 0)
                    #expect((0...1 << 40).contains(part.end.count?.value ?? 0), "\(kind) \(value) \(position)")
                    #expect((0...1 << 41).contains(part.first ?? 0), "\(kind) \(value) \(position)")
                }
                if let last = counts.max(), last > 64 {
                    _ = try? source.page(query, sort: sort, at: .row(last - 64), limit: 64)
                    _ = try? source.page(query, sort: sort, at: .row(last - 1), limit: 64)
                }
            }
        }
        _ = try? source.books(["b1", "n1", "b9223372036854775807"])
        if ["p31", "p32", "p53", "p63"].contains(value) {
            #expect(!counts.isEmpty, "\(kind) \(value) has no part of a list")
        }
    }

    /// Few requests, since only one is sent a second.
    @Test(arguments: values) func works(value: String) throws {
        let source = try QueriedSource(address("openlibrary", value))
        let part = try source.page("book", limit: 64)
        #expect(part.rows.count == 64 && (0...1 << 40).contains(part.end.count?.value ?? 0))
        _ = try? source.page("isbn:9780553103540", at: .row(1 << 40), limit: 64)
    }

    @Test(arguments: ["calibre/", "atom", "publications", "csv/books.csv", "json/books.jsonl"], values)
    func copies(kind: String, value: String) throws {
        let parts = kind.split(separator: "/", omittingEmptySubsequences: false)
        let rest = parts.count > 1 ? "/" + parts[1] : ""
        let address = "http://127.0.0.1:\(server.words[0])/\(parts[0])/\(value)\(rest)"
        let copy = try Mirrored(source: address)
        #expect(copy.copy.rows == copy.lines.count && copy.copy.rows >= 20)
        if parts[0] == "calibre" {
            // The copy of a library is brought up to date from the rows of the last one.
            let known = SourceVersion(modified: "2026-01-01T00:00:00+00:00")
            let next = try Mirrored(source: address, known: known, last: copy.lines)
            #expect(next.copy.rows == copy.copy.rows)
        }
    }

    @Test(arguments: ["length", "range", "busy"], values)
    func heads(kind: String, value: String) {
        let copy = try? Mirrored(source: "http://127.0.0.1:\(server.words[0])/\(kind)/\(value)")
        #expect(copy.map { $0.copy.rows <= 120 } ?? true)
    }
}
