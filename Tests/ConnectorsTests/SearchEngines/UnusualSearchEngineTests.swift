import Books
import ConnectorProtocol
import ConnectorTesting
import JSON
import TestSupport
import Testing

@testable import Connectors

/// A search engine with more books than can be requested by their number, which fails or lies on request.
@Suite("Large and unusual search engines", .serialized, .usesServers) struct UnusualSearchEngineTests {
    private static let count = 30_000

    private func start(_ arguments: String...) throws -> (server: ServerProcess, source: QueriedSource) {
        let server = try ServerProcess(script: "search.py", arguments: ["\(Self.count)"] + arguments)
        return (server, try QueriedSource("opensearch+http://127.0.0.1:\(server.words[0])/books"))
    }

    private static func id(_ number: Int) -> String {
        let digits = String(number)
        return "b" + String(repeating: "0", count: 6 - digits.count) + digits
    }

    /// The numbers of the books by year, those without a year last.
    private static let byYear: [Int] = (0..<count).sorted {
        func key(_ number: Int) -> (Int, Int) { (number % 50 == 7 ? 1000 : number % 100, number) }
        return key($0) < key($1)
    }

    @Test("Any row can be jumped to, also beyond 10,000, in each order", arguments: ["opensearch", "elasticsearch"])
    func jump(engine: String) throws {
        let (server, source) = try start(engine)
        for row in [0, 9_950, 10_000, 15_000, 15_100, 20_500, 29_990, 12_345] {
            let part = try source.page(at: .row(row), limit: 100)
            #expect(part.ids == (row..<min(row + 100, Self.count)).map(Self.id), "\(row)")
            #expect(part.end == PageEnd(count: BookTotal(Self.count, .exact)))
            let sorted = try source.page(sort: [.init("year")], at: .row(row), limit: 100)
            #expect(sorted.ids == Self.byYear[row...].prefix(100).map(Self.id), "\(row)")
        }
        // What was on the way is known: the next page, and a jump between known rows.
        _ = server.ask("log")
        #expect(try source.page(at: .row(12_445), limit: 100).ids.first == Self.id(12_445))
        #expect(server.ask("log") == "1")
    }

    @Test("The first page can be one in the middle", arguments: [9_950, 12_345, 20_050]) func start(row: Int) throws {
        let (server, source) = try start("opensearch")
        defer { withExtendedLifetime(server) {} }
        #expect(try source.page(at: .row(row), limit: 100).ids == (row..<row + 100).map(Self.id))
    }

    @Test("The row of a book is found by counting the books before it") func book() throws {
        let (server, source) = try start("opensearch")
        defer { withExtendedLifetime(server) {} }
        for row in [5, 12_345, 29_995] {
            let part = try source.page(sort: [.init("year")], at: .book(Self.id(Self.byYear[row])), limit: 3)
            #expect(part.first == row && part.ids == Self.byYear[row...].prefix(3).map(Self.id))
        }
    }

    @Test("Books that are added meanwhile change no page of a list", arguments: ["opensearch", "elasticsearch"])
    func snapshot(engine: String) throws {
        let (server, source) = try start(engine)
        _ = try source.page(sort: [.init("title", isDescending: true)], limit: 100)
        #expect(server.ask("add") == "done")
        let part = try source.page(sort: [.init("title", isDescending: true)], at: .row(100), limit: 100)
        #expect(part.ids.first == Self.id(Self.count - 101) && part.end.count == BookTotal(Self.count, .exact))
    }

    @Test("An expired point in time is opened again, and then shows the new books") func expired() throws {
        let (server, source) = try start("elasticsearch")
        #expect(try source.page(at: .row(15_000), limit: 10).ids.first == Self.id(15_000))
        #expect(server.ask("add") == "done")
        #expect(server.ask("expire") == "done")
        let part = try source.page(at: .row(15_010), limit: 10)
        #expect(part.ids.first == Self.id(15_010) && part.end.count == BookTotal(Self.count + 1, .exact))
    }

    @Test("A server without points in time is searched itself") func noSnapshot() throws {
        let (server, _) = try start("opensearch")
        #expect(server.ask("no-pit") == "done")
        let source = try QueriedSource("opensearch+http://127.0.0.1:\(server.words[0])/books")
        #expect(try source.page(at: .row(12_000), limit: 10).ids == (12_000..<12_010).map(Self.id))
        _ = server.ask("log")
        #expect(try source.page(at: .row(12_010), limit: 10).ids == (12_010..<12_020).map(Self.id))
        // Opening a point in time failed once, and the number is known.
        #expect(server.ask("log") == "1")
        #expect(server.ask("delete") == "done")
        let last = try source.page(at: .row(Self.count - 10), limit: 10)
        #expect(last.ids == (Self.count - 10..<Self.count - 1).map(Self.id))
        #expect(last.end.count == BookTotal(Self.count - 1, .exact))
    }

    @Test(
        "If a shard fails, or the time is over, the number is at least, and the list partial",
        arguments: ["shard", "timeout"])
    func partial(mode: String) throws {
        let (server, source) = try start("opensearch")
        #expect(server.ask(mode) == "done")
        let part = try source.page(limit: 10)
        #expect(part.end.isPartial && part.end.count?.kind == .atLeast)
        #expect(part.ids == (0..<20).filter { mode == "timeout" || $0 % 3 != 2 }.prefix(10).map(Self.id))
    }

    @Test("An answer with too few books is not believed") func short() throws {
        let (server, source) = try start("opensearch")
        #expect(server.ask("short") == "done")
        #expect(throws: ConnectorFailure(.server, .incomplete, detail: "\(Self.count)")) { try source.page(limit: 10) }
    }

    @Test("A server that requires a password is given it, once") func password() throws {
        let (server, _) = try start("opensearch")
        #expect(server.ask("private") == "done")
        let address = "opensearch+http://127.0.0.1:\(server.words[0])/books"
        let source = try QueriedSource(address, answers: [("ann", "secret-4711")])
        #expect(source.questions.map(\.realm) == ["books"])
        #expect(try source.page(limit: 3).ids == (0..<3).map(Self.id))
        #expect(throws: ConnectorFailure(.auth, .password, detail: "127.0.0.1:\(server.words[0])")) {
            try QueriedSource(address)
        }
    }

    @Test("Errors have the words of the server") func errors() throws {
        let (server, source) = try start("opensearch")
        #expect(server.ask("clauses") == "done")
        #expect(throws: ConnectorFailure(.server, .diagnostic, detail: "maxClauseCount is set to 1024")) {
            try source.page("book")
        }
        #expect(server.ask("page") == "done")
        #expect(
            throws: ConnectorFailure(
                .server, .protocolMismatch, subject: "127.0.0.1:\(server.words[0])", detail: "JSON")
        ) {
            try source.page("book")
        }
        #expect(server.ask("busy") == "done")
        #expect(throws: ConnectorFailure(.busy, .diagnostic, detail: "Data too large")) {
            try QueriedSource("opensearch+http://127.0.0.1:\(server.words[0])/books").page()
        }
    }

    @Test("A request to a slow server is cancelled within a moment") func cancel() throws {
        let (server, source) = try start("opensearch")
        #expect(server.ask("slow") == "done")
        let start = ContinuousClock.now
        let stop = start + .milliseconds(300)
        #expect(throws: ConnectorFailure(.cancelled)) {
            try source.page("book", isCancelled: { ContinuousClock.now > stop })
        }
        // Without being cancelled it takes five seconds at least.
        #expect(ContinuousClock.now - stop < .seconds(3))
        #expect(server.ask("go") == "done")
        #expect(try source.page(limit: 5).ids == (0..<5).map(Self.id))
    }
}

@Suite("Addresses and fields of search engines") struct EngineAddressTests {
    @Test(
        "An address has the engine, the server with its usual port, and the path",
        arguments: [
            ("opensearch+http://books.example/catalog", "http://books.example:9200", "catalog"),
            ("opensearch+https://books.example:443/catalog/?x=1#a", "https://books.example:443", "catalog"),
            ("solr+http://[::1]/solr/books", "http://[::1]:8983", "solr/books"),
            ("SOLR+HTTPS://ann@Books.Example/solr/a%20b", "https://books.example:8983", "solr/a%20b"),
        ])
    func address(text: String, server: String, path: String) throws {
        let address = try #require(EngineAddress(text))
        #expect(address.server == server && address.path == path)
    }

    @Test(
        "Other addresses are not those of a search engine",
        arguments: [
            "opensearch+http://books.example", "opensearch+http://books.example/", "opensearch+ftp://books.example/a",
            "http://books.example/a", "opensearch:books", "solr+http:///a", "",
        ])
    func noAddress(text: String) { #expect(EngineAddress(text) == nil) }

    @Test("A field has the names of the profile, without selectors, or else the usual ones") func names() {
        let names = EngineNames(
            of: ["authors", "author_s", "by", "people.full", "creators.name", "title_t", "name", "label"],
            endings: ["", "_t", "_s"])
        #expect(names.fields(for: .authors, in: nil) == ["authors", "author_s"])
        let paths = ["authors": ["people[*].full", "$.by", "creators[?@.role=='aut'].name"]]
        #expect(names.fields(for: .authors, in: paths) == ["people.full", "by", "creators.name"])
        #expect(names.fields(for: .title, in: paths) == ["title_t"])
        #expect(EngineNames(of: ["name", "label"]).fields(for: .title, in: nil) == ["name"])
    }

    @Test("No character of a wildcard's value has a meaning") func wildcard() {
        #expect(OpenSearchQuery.wildcardEscaped(#"a*b?c\d"e Война"#) == #"a\*b\?c\\d"e Война"#)
    }
}
