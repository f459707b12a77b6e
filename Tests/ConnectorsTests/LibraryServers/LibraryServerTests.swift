import ConnectorProtocol
import ConnectorTesting
import Foundation
import JSON
import TestSupport
import Testing

/// The ways to Zebra.
enum ZebraProtocol: String, CaseIterable {
    case sru, z3950

    func address(port: String) -> String {
        switch self {
        case .sru: "sru+http://127.0.0.1:\(port)/Default"
        case .z3950: "z3950://127.0.0.1:\(port)/Default"
        }
    }
}

/// Zebra over SRU and Z39.50. The expected books are computed from the same books in another way.
@Suite("Library servers", .serialized, .usesServers) struct LibraryServerTests {
    private let server: ZebraServer

    init() throws { server = try ZebraServer() }

    private func open(_ kind: ZebraProtocol) throws -> QueriedSource {
        try QueriedSource(kind.address(port: server.port))
    }

    @Test(
        "All books are listed, with the exact number, and any row can be jumped to", arguments: ZebraProtocol.allCases)
    func browse(kind: ZebraProtocol) throws {
        let source = try open(kind)
        #expect(source.opened.mode == .paged && source.opened.kind == kind.rawValue)
        #expect(source.opened.profile == "native" && source.opened.abilities?.jump == .anywhere)
        #expect(source.opened.abilities?.sorts.contains("title") == true)
        let first = try source.page(limit: 64)
        #expect(first.end == PageEnd(count: BookTotal(300, .exact)) && first.first == 0)
        #expect(first.ids == server.books.prefix(64).map(\.id))
        let middle = try source.page(at: .row(211), limit: 20)
        #expect(middle.first == 211 && middle.ids == server.books[211..<231].map(\.id))
        let last = try source.page(at: .row(290), limit: 64)
        #expect(last.ids == server.books[290...].map(\.id))
        let behind = try source.page(at: .row(5000), limit: 64)
        #expect(behind.rows.isEmpty && behind.end.count == BookTotal(300, .exact))
    }

    @Test("A row has the fields of the record, and all of the record", arguments: ZebraProtocol.allCases)
    func row(kind: ZebraProtocol) throws {
        let book = server.books[13]
        let row = try #require(try open(kind).page(at: .row(13), limit: 1).rows.first)
        #expect(row["title"]?.string == book.title && book.title == "Война и мир 13")
        #expect(row["authors"]?.elements?.compactMap(\.string) == [book.author])
        #expect(row["isbn"]?.elements?.compactMap(\.string) == [book.isbn])
        #expect(row["published"]?.string == String(book.year))
        #expect(row["publisher"]?.string == book.publisher)
        #expect(row["subjects"]?.elements?.compactMap(\.string) == [book.subject])
        #expect(row["languages"]?.elements?.compactMap(\.string) == [book.language])
        #expect(row["marc"]?["fields"]?.elements?.count == 9)
    }

    /// Searches with the books that they find.
    private static let searches: [(query: String, isMatch: @Sendable (ZebraServer.Book) -> Bool)] = [
        ("garden", { $0.titleWords.contains("garden") }),
        ("title:garden", { $0.titleWords.contains("garden") }),
        ("title:\"mountain of bread\"", { $0.title.contains("mountain of bread") }),
        ("title:=\"the river of river 11\"", { $0.title == "The river of river 11" }),
        ("author:brandt", { $0.author == "Brandt, Émilie" }),
        ("author:émilie", { $0.author == "Brandt, Émilie" }),
        ("author:\"eco, umberto\"", { $0.author == "Eco, Umberto" }),
        ("subject:cooking", { $0.subject == "Cooking" }),
        ("series:\"series 3\"", { $0.series == "Series 3" }),
        ("publisher:\"house 5\"", { $0.publisher == "House 5" }),
        ("language:de", { $0.language == "ger" }),
        ("language:french", { $0.language == "fre" }),
        ("year:1950", { $0.year == 1950 }),
        ("year:1950..1959", { (1950...1959).contains($0.year) }),
        ("year:<1910", { $0.year < 1910 }),
        ("year:>=2010", { $0.year >= 2010 }),
        ("garden author:eco", { $0.titleWords.contains("garden") && $0.author.hasPrefix("Eco") }),
        ("garden | winter", { !Set($0.titleWords).isDisjoint(with: ["garden", "winter"]) }),
        ("garden -winter", { $0.titleWords.contains("garden") && !$0.titleWords.contains("winter") }),
        ("-garden", { !$0.titleWords.contains("garden") }),
        ("-garden -winter", { Set($0.titleWords).isDisjoint(with: ["garden", "winter"]) }),
        ("garden | -winter", { $0.titleWords.contains("garden") || !$0.titleWords.contains("winter") }),
        (
            "(garden | winter) -author:eco",
            {
                !Set($0.titleWords).isDisjoint(with: ["garden", "winter"]) && !$0.author.hasPrefix("Eco")
            }
        ),
        ("Война", { $0.title.hasPrefix("Война") }), ("紅樓夢", { $0.title.hasPrefix("紅樓夢") }),
        ("title:ليلة", { $0.title.contains("ليلة") }), ("title:Ὀδύσσεια", { $0.title.hasPrefix("Ὀδύσσεια") }),
        ("title:Émile", { $0.title.hasPrefix("Émile") }), ("title:Straße", { $0.title.hasPrefix("Straße") }),
        ("title:\"\\\"quoted\\\"\"", { $0.title.contains("quoted") }),
        ("title:\"a \\\"quoted\\\" title with a \\\\\"", { $0.title.contains("quoted") }),
    ]

    @Test("Each field is searched, and conditions are joined", arguments: ZebraProtocol.allCases)
    func search(kind: ZebraProtocol) throws {
        let source = try open(kind)
        for (query, isMatch) in Self.searches {
            let expected = server.ids(isMatch)
            let part = try source.page(query, limit: 400)
            #expect(part.ids == expected, "\(query)")
            #expect(part.end == PageEnd(count: BookTotal(expected.count, .exact)), "\(query)")
            #expect(!expected.isEmpty, "\(query)")
        }
        let isbn = server.books[7].isbn
        #expect(try source.page("isbn:\(isbn)").ids == [server.books[7].id])
    }

    @Test("What the server cannot search for is named, and hides no book", arguments: ZebraProtocol.allCases)
    func ignored(kind: ZebraProtocol) throws {
        let part = try open(kind).page("garden is:favourite pages:>200 /gar.*n/", limit: 400)
        #expect(part.ids == server.ids { $0.titleWords.contains("garden") })
        #expect(part.end.ignoredTerms == ["is:favourite", "pages:>200", "/gar.*n/"])
    }

    @Test("A list is sorted both ways", arguments: ZebraProtocol.allCases)
    func sort(kind: ZebraProtocol) throws {
        let source = try open(kind)
        let found = server.books.filter { $0.titleWords.contains("garden") && $0.titleWords.first == "the" }
        for isDescending in [false, true] {
            let titles = try source.page(
                "title:garden", sort: [.init("title", isDescending: isDescending)], limit: 400
            ).titles
            let expected = found.map(\.title).sorted { ($0.lowercased() < $1.lowercased()) != isDescending }
            #expect(titles == expected)
            let years = try source.page(
                "title:garden", sort: [.init("year", isDescending: isDescending)], limit: 400
            ).rows.compactMap { $0["published"]?.string }
            #expect(years == found.map { String($0.year) }.sorted { ($0 < $1) != isDescending })
        }
        #expect(throws: ConnectorFailure(.unsupported, .cannotSort, detail: "pages")) {
            try source.page("garden", sort: [.init("pages")])
        }
    }

    @Test("Books are found by their ids, and the row of a book in a list", arguments: ZebraProtocol.allCases)
    func ids(kind: ZebraProtocol) throws {
        let source = try open(kind)
        let wanted = [250, 3, 77].map { server.books[$0].id } + ["(TEST)z999999"]
        #expect(try source.books(wanted).map { $0["id"]?.string } == wanted.dropLast().map { $0 })
        let gardens = server.ids { $0.titleWords.contains("garden") }
        let part = try source.page("garden", at: .book(gardens[20]), limit: 5)
        #expect(part.first == 20 && part.ids == Array(gardens[20..<25]))
        #expect(throws: ConnectorFailure(.unsupported, .noBook, detail: "(TEST)z999999")) {
            try source.page("garden", at: .book("(TEST)z999999"))
        }
    }

    @Test("A server that restarts is used again; one that is gone is named", arguments: ZebraProtocol.allCases)
    func restart(kind: ZebraProtocol) throws {
        let server = try ZebraServer(count: 30)
        let source = try QueriedSource(kind.address(port: server.port))
        #expect(try source.page(limit: 5).ids.count == 5)
        try server.tell("kill")
        #expect(throws: ConnectorFailure(.offline, .noConnection, detail: "127.0.0.1:\(server.port)")) {
            try source.page(at: .row(10), limit: 5)
        }
        try server.tell("start")
        #expect(try source.page(at: .row(10), limit: 5).ids == server.books[10..<15].map(\.id))
        try server.tell("add")
        #expect(try source.page("title:\(30)", limit: 5).ids == [server.books[30].id])
    }

    @Test("A server of Z39.50 that requires a password is given it, also when it restarts") func password() throws {
        let server = try ZebraServer(count: 30, isPrivate: true)
        let address = ZebraProtocol.z3950.address(port: server.port)
        let right = (user: "ann" as String?, secret: "secret-4711" as String?)
        let source = try QueriedSource(address, answers: [("ann", "wrong"), right])
        #expect(source.questions.map(\.isRepeated) == [false, true])
        #expect(source.questions.first?.origin.place == "127.0.0.1:\(server.port)")
        try server.tell("kill")
        try server.tell("start")
        #expect(try source.page(limit: 5).ids == server.books.prefix(5).map(\.id))
        #expect(throws: ConnectorFailure(.auth, .password, detail: "127.0.0.1:\(server.port)")) {
            try QueriedSource(address)
        }
    }

    @Test("A request to a server that hangs is cancelled within a moment", arguments: ZebraProtocol.allCases)
    func cancel(kind: ZebraProtocol) throws {
        let proxy = try ServerProcess(script: "delay.py", arguments: [server.port, "1"])
        let source = try QueriedSource(kind.address(port: proxy.words[0]))
        #expect(try source.page("garden", limit: 5).ids.count == 5)
        #expect(proxy.ask("stall") == "done")
        let start = ContinuousClock.now
        let stop = start + .milliseconds(300)
        #expect(throws: ConnectorFailure(.cancelled)) {
            try source.page("winter", limit: 5, isCancelled: { ContinuousClock.now > stop })
        }
        // Without being cancelled it takes five seconds at least.
        #expect(ContinuousClock.now - stop < .seconds(3))
        #expect(proxy.ask("go") == "done")
        #expect(
            try source.page("winter", limit: 5).ids
                == server.ids { $0.titleWords.contains("winter") }.prefix(5).map { $0 })
    }
}
