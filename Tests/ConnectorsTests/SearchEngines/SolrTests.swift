import ConnectorProtocol
import ConnectorTesting
import Foundation
import JSON
import TestSupport
import Testing

@testable import Connectors

/// A fake of Solr. The expected books are computed from the same books in another way.
@Suite("Solr", .serialized, .usesServers) struct SolrTests {
    /// A book of the core.
    struct Book: Decodable {
        let id: String
        let title_t: String
        let author_t: [String]
        let subject_ss: [String]
        let isbn_ss: [String]
        let language_s: String
        let fiction_b: Bool
        let year_i: Int?
        let pages_i: Int?

        var title: String { title_t }
        /// The words of the title and the authors, in lower case.
        var words: [String] {
            ([title] + author_t).joined(separator: " ").lowercased().split { !$0.isLetter && !$0.isNumber }
                .map(String.init)
        }
    }

    private let directory: TemporaryDirectory
    private let server: ServerProcess
    private let books: [Book]

    init() throws {
        directory = try TemporaryDirectory()
        server = try ServerProcess(script: "solr.py", arguments: [directory.path])
        books = try JSONDecoder().decode(
            [Book].self, from: Data(contentsOf: URL(filePath: directory.path + "/books.json")))
    }

    private func open(fields: [String: [String]]? = nil) throws -> QueriedSource {
        try QueriedSource("solr+http://127.0.0.1:\(server.words[0])/solr/books", fields: fields)
    }

    /// The books by year, those without a year last.
    private func byYear(descending isDescending: Bool = false) -> [Book] {
        books.sorted { left, right in
            guard left.year_i != right.year_i else { return left.id < right.id }
            guard let first = left.year_i, let second = right.year_i else { return left.year_i != nil }
            return isDescending ? first > second : first < second
        }
    }

    @Test("Any row can be jumped to, also beyond 10,000, and later pages follow a mark") func browse() throws {
        let source = try open()
        #expect(source.opened.kind == "solr" && source.opened.abilities?.sorts == ["title", "year", "pages"])
        for row in [0, 9_950, 12_345, 12_445, 24_990, 15_000] {
            let part = try source.page(at: .row(row), limit: 100)
            #expect(part.ids == books[row...].prefix(100).map(\.id), "\(row)")
            #expect(part.end == PageEnd(count: BookTotal(25_000, .exact)))
        }
        _ = server.ask("log")
        #expect(try source.page(at: .row(15_100), limit: 100).ids.first == books[15_100].id)
        #expect(server.ask("log") == "1")
        #expect(try source.page(at: .row(30_000), limit: 100).rows.isEmpty)
    }

    private static let searches: [(query: String, isMatch: @Sendable (Book) -> Bool)] = [
        ("gard", { $0.words.contains { $0.hasPrefix("gard") } || $0.title.contains("gard") }),
        ("title:\"mountain of bread\"", { $0.title.contains("mountain of bread") }),
        ("title:=\"The river of river 11\"", { $0.title == "The river of river 11" }),
        ("author:émilie", { $0.author_t.contains("Émilie Brandt") }),
        ("author:\"umberto eco\"", { $0.author_t.contains("Umberto Eco") }),
        ("subject:Travel", { $0.subject_ss == ["World Travel"] }), ("language:en", { $0.language_s != "de" }),
        ("year:1950..1959", { $0.year_i.map { (1950...1959).contains($0) } ?? false }),
        ("pages:>=490", { $0.pages_i.map { $0 >= 490 } ?? false }), ("-has:pages", { $0.pages_i == nil }),
        ("is:fiction", { $0.fiction_b }), ("pages:<0", { _ in false }),
        ("title:garden -winter", { $0.words.contains("garden") && !$0.words.contains("winter") }),
        (
            "(title:garden | title:winter) author:eco",
            {
                !Set($0.words).isDisjoint(with: ["garden", "winter"]) && $0.author_t.contains("Umberto Eco")
            }
        ),
        ("Война", { $0.title.hasPrefix("Война") }), ("title:紅樓夢", { $0.title.hasPrefix("紅樓夢") }),
        ("title:\"a \\\"quoted\\\" \\\\ title\"", { $0.title.contains("quoted") }),
        (
            "title:=\"O'Neill: (a) [b] {c} ~d* ^e? +f -g /h/ 43\"",
            { $0.title.hasPrefix("O'Neill") && $0.id == "s000043" }
        ),
    ]

    @Test("Each field is searched, and conditions are joined") func search() throws {
        let source = try open()
        for (query, isMatch) in Self.searches {
            let expected = books.filter(isMatch).map(\.id)
            let part = try source.page(query, limit: 300)
            #expect(part.ids == Array(expected.prefix(300)), "\(query)")
            #expect(part.end == PageEnd(count: BookTotal(expected.count, .exact)), "\(query)")
            #expect(query == "pages:<0" || !expected.isEmpty, "\(query)")
        }
        #expect(try source.page("isbn:\(books[7].isbn_ss[0])").ids == [books[7].id])
        #expect(try source.page("is:favourite series:x").end.ignoredTerms == ["is:favourite", "series:x"])
        // The fields of a profile take precedence.
        let other = try open(fields: ["title": ["language_s"]])
        #expect(
            try other.page("title:GB", limit: 1).end.count
                == BookTotal(books.count { $0.language_s == "en-GB" }, .exact))
    }

    @Test("Lists are sorted both ways with missing values last, and the row of a book is counted") func sort() throws {
        let source = try open()
        for isDescending in [false, true] {
            let expected = byYear(descending: isDescending).map(\.id)
            let sort = [PageRequest.SortKey("year", isDescending: isDescending)]
            for row in [0, 11_000, 24_000] {
                #expect(try source.page(sort: sort, at: .row(row), limit: 50).ids == Array(expected[row..<row + 50]))
                let part = try source.page(sort: sort, at: .book(expected[row]), limit: 2)
                #expect(part.first == row && part.ids == Array(expected[row..<row + 2]))
            }
        }
        #expect(try source.books(["s000700", "none", "s000003"]).map { $0["id"]?.string } == ["s000700", "s000003"])
        #expect(throws: ConnectorFailure(.unsupported, .cannotSort, detail: "author")) {
            try source.page(sort: [.init("author")])
        }
        #expect(throws: ConnectorFailure(.unsupported, .noBook, detail: "none")) { try source.page(at: .book("none")) }
    }

    @Test("A partial answer is called one, and one with fewer books than counted is not believed") func lies() throws {
        let source = try open()
        #expect(server.ask("partial") == "done")
        let part = try source.page(limit: 10)
        #expect(part.end.isPartial && part.end.count?.kind == .atLeast && part.ids[1] == "s000002")
        #expect(server.ask("count") == "done")
        #expect(throws: ConnectorFailure(.server, .incomplete, detail: "11")) {
            try source.page("title:=\"The river of river 11\"")
        }
    }

    @Test("Errors have the words of the server") func errors() throws {
        let source = try open()
        let host = "127.0.0.1:\(server.words[0])"
        #expect(server.ask("error") == "done")
        #expect(
            throws: ConnectorFailure(
                .server, .diagnostic, detail: "org.apache.solr.search.SyntaxError: Cannot parse")
        ) { try source.page("x") }
        #expect(server.ask("busy") == "done")
        #expect(throws: ConnectorFailure(.busy, .diagnostic, detail: "no servers hosting shard: shard1")) {
            try source.page("x")
        }
        #expect(server.ask("page") == "done")
        #expect(throws: ConnectorFailure(.server, .protocolMismatch, subject: host, detail: "JSON")) {
            try source.page("x")
        }
        #expect(server.ask("go") == "done")
        #expect(throws: ConnectorFailure(.server, .noIndex, detail: "solr/shelf")) {
            try QueriedSource("solr+http://\(host)/solr/shelf")
        }
    }

    @Test("A request to a slow server is cancelled within a moment") func cancel() throws {
        let source = try open()
        #expect(server.ask("slow") == "done")
        let stop = ContinuousClock.now + .milliseconds(300)
        #expect(throws: ConnectorFailure(.cancelled)) {
            try source.page("book", isCancelled: { ContinuousClock.now > stop })
        }
        // Without being cancelled it takes five seconds at least.
        #expect(ContinuousClock.now - stop < .seconds(3))
    }
}

@Suite("Queries of Solr") struct SolrTextTests {
    @Test(
        "No character of a value has a meaning",
        arguments: [
            ("king", "\"king\"", "king"), (#"a "b" \c"#, #""a \"b\" \\c""#, #"a\ \"b\"\ \\c"#),
            ("+-&|!(){}[]^~*?:/", "\"+-&|!(){}[]^~*?:/\"", #"\+\-\&\|\!\(\)\{\}\[\]\^\~\*\?\:\/"#),
            ("a\nb\u{0}", "\"a b \"", #"a\ b\ "#), ("Война 紅樓夢", "\"Война 紅樓夢\"", #"Война\ 紅樓夢"#),
        ])
    func escaped(text: String, phrase: String, word: String) {
        #expect(SolrText.quoted(text) == phrase)
        #expect(SolrText.word(text) == word)
    }
}
