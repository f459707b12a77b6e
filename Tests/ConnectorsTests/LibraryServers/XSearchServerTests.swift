import ConnectorProtocol
import ConnectorTesting
import JSON
import TestSupport
import Testing

@testable import Connectors

@Suite("Requests of LIBRIS") struct XSearchTextTests {
    private func expression(_ query: String) throws -> RecordServerQuery {
        let address = try #require(RecordServerAddress("xsearch+https://books.example/xsearch", of: "xsearch"))
        return RecordServerQuery(query, for: XSearchServer(address, RequestContext()), without: [])
    }

    @Test(
        "Fields have the search codes of LIBRIS",
        arguments: [
            ("isbn:9789113016313", "(isbn:9789113016313 OR isbn:9113016318)"), ("rummet", #""rummet""#),
            (#"title:"röda rummet""#, #"tit:"röda rummet""#), ("title:rummet", #"tit:"rummet""#),
            (#"author:"Strindberg, August""#, "forf:(strindberg august)"), ("author:Strindberg", #"forf:"Strindberg""#),
            (#"author:"not or King""#, "forf:(king)"), ("subject:konst", #"amne:"konst""#),
            ("publisher:Norstedt", #"förl:"Norstedt""#), ("language:sv", "språk:swe"),
            ("a title:b", #"("a" AND tit:"b")"#), ("a|b", #"("a" OR "b")"#), ("a -b", #"("a" NOT "b")"#),
            (#"title:"wh*t? \"now\\""#, #"tit:"wh t now""#),
        ])
    func fields(query: String, expected: String) throws {
        let translated = try expression(query)
        #expect(translated.expression == expected && translated.ignoredTerms.isEmpty)
    }

    @Test("What LIBRIS has no code for is named", arguments: ["series:x", "year:1990", "title:=x", "title:***"])
    func ignored(query: String) throws {
        let translated = try expression("king " + query)
        #expect(translated.expression == #""king""# && translated.ignoredTerms == [query])
    }

    @Test("An address keeps parameters of its own, and says how long to wait") func address() throws {
        let text = "XSearch+HTTPS://Books.example/xsearch?database=swepub&timeout=25#a"
        let address = try #require(RecordServerAddress(text, of: "xsearch"))
        #expect(address.base == "HTTPS://Books.example/xsearch" && address.host == "books.example")
        let request = address.request([("query", "a & b")])
        #expect(request.url == "HTTPS://Books.example/xsearch?database=swepub&query=a%20%26%20b")
        #expect(request.patience == 25 && request.connectPatience == 25)
        let usual = try #require(RecordServerAddress("xsearch+http://b/?timeout=0", of: "xsearch")).request([])
        #expect(usual.patience == nil && usual.connectPatience == nil && usual.url == "http://b/?")
        for other in ["https://books.example/xsearch", "xsearch+ftp://b/", "sru+https://b/", "xsearch:b"] {
            #expect(RecordServerAddress(other, of: "xsearch") == nil)
        }
    }
}

@Suite("LIBRIS", .serialized, .usesServers) struct XSearchServerTests {
    private let server: ServerProcess

    init() throws { server = try ServerProcess(script: "lookup.py") }

    private var host: String { "127.0.0.1:\(server.words[0])" }
    private func open(_ path: String) throws -> QueriedSource {
        try QueriedSource("xsearch+http://\(host)/\(path)/xsearch")
    }

    @Test("A record has the fields of MARC", arguments: ["libris", "bare/libris"]) func record(path: String) throws {
        let source = try open(path)
        #expect(source.opened.kind == "xsearch" && source.opened.abilities?.sorts == [])
        let part = try source.page("isbn:9789113016313")
        #expect(part.end == PageEnd(count: BookTotal(1, .exact)))
        let row = try #require(part.rows.first)
        #expect(part.ids == ["(SE-LIBR)10000001"] && part.titles == ["Röda rummet"])
        #expect(row["subtitle"]?.string == "skildringar ur artist- och författarlivet")
        #expect(row["authors"]?.elements == [.string("Strindberg, August")])
        #expect(row["isbn"]?.elements == [.string("978-91-1-301631-3")])
        #expect(row["pageCount"]?.string == "379 s" || row["pageCount"]?.string == "379 s.")
        #expect(row["publisher"]?.string == "Norstedt" && row["published"]?.string == "2009")
        #expect(row["languages"]?.elements == [.string("swe")])
        let url = server.ask("path")
        for parameter in ["format=marcxml", "format_level=full", "start=1&", "n=50"] {
            #expect(url.contains(parameter), "\(url)")
        }
    }

    @Test("Words find a book, another word none, and a book is found by its id") func searches() throws {
        let source = try open("libris")
        #expect(try source.page("title:röda title:rummet author:strindberg").titles == ["Röda rummet"])
        #expect(server.ask("log").hasSuffix(#" (tit:"röda" AND tit:"rummet" AND forf:"strindberg")"#))
        let none = try source.page("title:Hemsöborna")
        #expect(none.rows.isEmpty && none.end.count == BookTotal(0, .exact))
        #expect(try source.books(["(SE-LIBR)10000001"]).map { $0["title"]?.string } == ["Röda rummet"])
        #expect(server.ask("log").hasSuffix(" onr:10000001"))
        #expect(try source.books(["(SE-LIBR)7"]).isEmpty)
    }

    @Test("All of LIBRIS is not listed, and nothing is asked for that") func needsQuery() throws {
        let source = try open("libris")
        for query in [nil, "", "-rummet", "year:1990"] {
            #expect(throws: ConnectorFailure(.refused, .needsQuery, detail: host)) { try source.page(query) }
        }
        #expect(server.ask("log") == "")
    }

    @Test("An answer that is none is refused with the reason") func wrong() throws {
        let mismatch = ConnectorFailure(.server, .protocolMismatch, subject: host, detail: "Xsearch")
        for path in ["page/libris", "cut/libris"] {
            #expect(throws: mismatch) { try open(path).page("isbn:9789113016313") }
        }
        #expect(throws: mismatch) {
            try QueriedSource("xsearch+http://\(host)/loc").page("isbn:9780553103540")
        }
        #expect(throws: ConnectorFailure(.server, .diagnostic, detail: "parse")) { try open("error/libris").page("a") }
        #expect(throws: ConnectorFailure(.busy, .status, detail: "503 Service Unavailable")) {
            try open("busy/libris").page("a")
        }
    }

    @Test("A server may take as long as its address says, and no longer", arguments: ["sru", "xsearch"])
    func timeout(kind: String) throws {
        let place = kind == "sru" ? "loc?version=1.1&index-isbn=num&" : "libris/xsearch?"
        let slow = try QueriedSource("\(kind)+http://\(host)/slow/slow/slow/\(place)timeout=1")
        #expect(throws: ConnectorFailure(.offline, .timeOut, detail: host)) { try slow.page("isbn:9780553103540") }
        #expect(!server.ask("path").contains("timeout"))
        let patient = try QueriedSource("\(kind)+http://\(host)/slow/\(place)timeout=30")
        _ = try patient.page("isbn:9780553103540")
    }
}
