import ConnectorProtocol
import ConnectorTesting
import Foundation
import JSON
import TestSupport
import Testing
import Threading

@testable import Connectors

@Suite("Queries and records of Open Library") struct OpenLibraryTextTests {
    private func expression(_ query: String) throws -> RecordServerQuery {
        let address = try #require(RecordServerAddress("openlibrary+https://books.example", of: "openlibrary"))
        return RecordServerQuery(query, for: OpenLibraryServer(address, RequestContext()), without: [])
    }

    @Test(
        "Queries are those of Solr",
        arguments: [
            ("thrones", #""thrones""#), ("title:game author:martin", #"(title:"game" AND author:"martin")"#),
            (#"author:"Martin, George R. R.""#, #"author:("Martin" AND "George" AND "R" AND "R")"#),
            (#"title:"a \"b\" c""#, #"title:"a \"b\" c""#), ("language:de", #"language:"ger""#),
            ("year:1996", "first_publish_year:1996"), ("year:1990..2000", "first_publish_year:[1990 TO 2000]"),
            ("year:>=1990", "first_publish_year:[1990 TO *]"), ("a -subject:b", #"("a" NOT subject:"b")"#),
        ])
    func queries(query: String, expected: String) throws {
        let translated = try expression(query)
        #expect(translated.expression == expected && translated.ignoredTerms.isEmpty)
        let request = OpenLibraryText.Request(expected)
        #expect(request.editions.isEmpty && request.search == expected)
    }

    @Test("A query for ISBNs only is one for editions")
    func isbns() throws {
        let text = try #require(try expression("isbn:9780553103540|isbn:9780141439587").expression)
        let request = OpenLibraryText.Request(text)
        #expect(
            request.editions == [
                "ISBN:9780553103540", "ISBN:0553103547", "ISBN:9780141439587", "ISBN:0141439580",
            ])
        #expect(request.search == nil)
        for other in ["isbn:9780553103540 title:game", "isbn:9780553103540|game", "-isbn:9780553103540"] {
            let text = try #require(try expression(other).expression)
            #expect(OpenLibraryText.Request(text).editions.isEmpty && OpenLibraryText.Request(text).search == text)
        }
        let quoted = try #require(try expression(#""isbn:1 OR isbn:2""#).expression)
        #expect(OpenLibraryText.Request(quoted).editions.isEmpty)
    }

    @Test("Ids are those of editions and of works") func ids() {
        func expression(_ id: String) -> String? { OpenLibraryText.expression(for: .word(id), in: .id) }
        let texts = ["OL1M", "OL2W", "OL3M"].compactMap(expression)
        #expect(texts == ["olid:OL1M", #"key:"/works/OL2W""#, "olid:OL3M"])
        #expect(expression("OL1A") == nil && expression("b 1M") == nil && expression("1M") == nil)
        let request = OpenLibraryText.Request(OpenLibraryText.syntax.or(texts))
        #expect(request.editions == ["OLID:OL1M", "OLID:OL3M"] && request.search == #"key:"/works/OL2W""#)
    }

    private func row(_ text: String, _ make: (JSONValue) -> JSONValue) throws -> JSONValue {
        make(try #require(JSONValue(parsing: text.utf8)))
    }

    @Test("An edition with little is read as well") func smallEdition() throws {
        let row = try row(
            #"{"key": "/books/OL5M", "title": "Emma", "pagination": "xii, 474 p.", "by_statement": "by Jane Austen.","#
                + #" "series": ["Penguin classics"], "identifiers": {"project_gutenberg": ["158"], "lccn": []}}"#,
            OpenLibraryRecord.row(ofEdition:))
        #expect(row["id"]?.string == "OL5M" && row["pageCount"]?.string == "xii, 474 p.")
        #expect(row["authors"]?.elements == [.string("Jane Austen")] && row["series"]?.string == "Penguin classics")
        #expect(row["identifiers"]?["gutenberg"]?.string == "158" && row["identifiers"]?["lccn"] == nil)
        for key in ["isbn", "publisher", "cover", "description", "published"] { #expect(row[key] == nil) }
        let nameless = try self.row(#"{"title": "A"}"#, OpenLibraryRecord.row(ofEdition:))
        #expect(nameless["id"]?.string?.hasPrefix(LibraryRecord.hashPrefix) == true)
    }

    @Test("A request waits for the rest of the interval, the first one does not") func pace() throws {
        let pace = RequestPace(milliseconds: 300)
        let context = RequestContext()
        let start = MonotonicTime.milliseconds
        try pace.wait(in: context)
        #expect(MonotonicTime.milliseconds - start < 250)
        try pace.wait(in: context)
        try pace.wait(in: context)
        #expect(MonotonicTime.milliseconds - start >= 600)
        context.isCancelled = { true }
        #expect(throws: ConnectorFailure(.cancelled)) { try pace.wait(in: context) }
    }
}

@Suite("Open Library", .serialized, .usesServers) struct OpenLibraryServerTests {
    private let server: ServerProcess

    init() throws { server = try ServerProcess(script: "lookup.py") }

    private var host: String { "127.0.0.1:\(server.words[0])" }
    private static let isbn = "isbn:9780553103540"

    /// The connector without its waits.
    private func open(_ path: String = "openlibrary", _ context: RequestContext) throws -> RecordServerConnector {
        let text = "openlibrary+http://\(host)/\(path)"
        let address = try #require(RecordServerAddress(text, of: "openlibrary"))
        return RecordServerConnector(OpenLibraryServer(address, context, pace: RequestPace(milliseconds: 0)))
    }

    private func page(
        _ query: String?, _ path: String = "openlibrary", at row: Int = 0, limit: Int = 50
    ) throws -> BookPage {
        let context = RequestContext()
        let request = PageRequest(query: query, sort: [], at: .row(row), limit: limit, generation: 1)
        return try open(path, context).page(request)
    }

    @Test("Both ISBNs of an edition give one row with all its fields") func edition() throws {
        let page = try page(Self.isbn)
        #expect(server.ask("log").hasSuffix(" ISBN:9780553103540,ISBN:0553103547"))
        #expect(server.ask("path").hasPrefix("/openlibrary/api/books?bibkeys=ISBN%3A9780553103540"))
        #expect(page.rows.count == 1 && page.end.count == BookTotal(1, .exact))
        let row = try #require(page.rows.first)
        let texts = [
            "id": "OL1000001M", "title": "A Game of Thrones", "subtitle": "Book One of A Song of Ice and Fire",
            "publisher": "Bantam Books", "published": "August 1996", "description": "Maps on lining papers.",
            "cover": "https://covers.openlibrary.org/b/id/1000001-L.jpg",
        ]
        for (key, text) in texts { #expect(row[key]?.string == text, "\(key)") }
        #expect(row["authors"]?.elements == [.string("George R. R. Martin")] && row["pageCount"]?.integer == 694)
        #expect(row["isbn"]?.elements == [.string("9780553103540"), .string("0553103547")])
        #expect(row["subjects"]?.elements == [.string("Fantasy fiction")])
        #expect(row["identifiers"]?["goodreads"]?.string == "1000001")
        #expect(row["identifiers"]?["openlibrary"]?.string == "OL1000001M")
        #expect(row["identifiers"]?["isbn_13"] == nil)
        let none = try self.page("isbn:9780141439587")
        #expect(none.rows.isEmpty && none.end.count == BookTotal(0, .exact))
    }

    @Test("A work has what belongs to an edition only if it has no other one") func works() throws {
        let page = try page("title:game title:thrones")
        #expect(server.ask("log").hasSuffix(#" (title:"game" AND title:"thrones")"#))
        #expect(page.rows.map { $0["id"]?.string } == ["OL1000001W", "OL1000002W"])
        #expect(page.end.count == BookTotal(2, .exact))
        let several = try #require(page.rows.first)
        let single = try #require(page.rows.last)
        #expect(several["authors"]?.elements == [.string("George R. R. Martin")])
        #expect(several["published"]?.string == "1996")
        #expect(several["cover"]?.string == "https://covers.openlibrary.org/b/id/1000001-L.jpg")
        for key in ["isbn", "publisher", "pageCount", "languages"] { #expect(several[key] == nil, "\(key)") }
        #expect(single["isbn"]?.elements == [.string("9780000000019"), .string("0000000019")])
        #expect(single["publisher"]?.string == "Alpha" && single["pageCount"]?.integer == 120)
        #expect(single["languages"]?.elements == [.string("eng")] && single["cover"] == nil)
        #expect(single["subtitle"]?.string == "A Companion")
    }

    @Test("A list is fetched in parts, and an empty answer is an empty list") func parts() throws {
        let page = try page("thrones", at: 1, limit: 1)
        #expect(page.rows.map { $0["id"]?.string } == ["OL1000002W"] && page.end.count == BookTotal(2, .exact))
        #expect(server.ask("path").contains("limit=1&offset=1&fields=key%2Ctitle"))
        let none = try self.page("title:persuasion")
        #expect(none.rows.isEmpty && none.end.count == BookTotal(0, .exact))
    }

    @Test("Editions and works are found by their ids") func ids() throws {
        let context = RequestContext()
        let rows = try open("openlibrary", context).books(withIDs: ["OL1000002W", "OL1000001M"])
        #expect(rows.map { $0["title"]?.string } == ["Game of Thrones", "A Game of Thrones"])
    }

    @Test("All of Open Library is not listed, and nothing is asked for that") func needsQuery() throws {
        for query in [nil, "", "-thrones"] {
            #expect(throws: ConnectorFailure(.refused, .needsQuery, detail: host)) { try page(query) }
        }
        #expect(server.ask("log") == "")
    }

    @Test("An answer that is none is refused with the reason", arguments: ["page", "cut", "list"])
    func wrong(path: String) throws {
        let mismatch = ConnectorFailure(.server, .protocolMismatch, subject: host, detail: "Open Library")
        for query in [Self.isbn, "thrones"] {
            #expect(throws: mismatch) { try page(query, "\(path)/openlibrary") }
        }
    }

    @Test("A message of the server is shown, and one that is busy says so") func messages() throws {
        #expect(throws: ConnectorFailure(.server, .diagnostic, detail: "a bracket is missing")) {
            try page("thrones", "error/openlibrary")
        }
        #expect(throws: ConnectorFailure(.busy, .status, detail: "503 Service Unavailable")) {
            try page(Self.isbn, "busy/openlibrary")
        }
    }

    @Test("At most one request a second is sent, with the name and version of the program") func pace() throws {
        let source = try QueriedSource("openlibrary+http://\(host)/openlibrary")
        #expect(source.opened.kind == "openlibrary")
        for _ in 0..<3 { _ = try source.page(Self.isbn) }
        let times = server.ask("log").split(separator: "|").compactMap { line in
            line.split(separator: " ").first.flatMap { Int($0) }
        }
        #expect(times.count == 3 && zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= 900 }, "\(times)")
        #expect(server.ask("agent") == "stacks/\(StacksVersion.number)")
    }
}
