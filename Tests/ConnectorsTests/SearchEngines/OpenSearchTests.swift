import ConnectorProtocol
import ConnectorTesting
import Foundation
import JSON
import TestSupport
import Testing

/// The emulator of OpenSearch. The expected books are computed from the same books in another way.
@Suite("OpenSearch", .serialized, .usesServers) struct OpenSearchTests {
    /// A book of the index.
    struct Book: Decodable {
        let id: String
        let title: String
        let authors: [String]
        let subjects: [String]
        let publisher: String
        let isbn: String
        let language: String
        let fiction: Bool
        let year: Int?
        let pageCount: Int?

        /// The words of the title and the authors, in lower case.
        var words: [String] {
            ([title] + authors).joined(separator: " ").lowercased().split { !$0.isLetter && !$0.isNumber }.map(
                String.init)
        }
    }

    private let directory: TemporaryDirectory
    private let server: ServerProcess
    private let books: [Book]

    init() throws {
        directory = try TemporaryDirectory()
        server = try ServerProcess(script: "opensearch.py", arguments: [directory.path])
        books = try JSONDecoder().decode(
            [Book].self, from: Data(contentsOf: URL(filePath: directory.path + "/books.json")))
    }

    private func open(_ index: String = "books", fields: [String: [String]]? = nil) throws -> QueriedSource {
        try QueriedSource("opensearch+http://127.0.0.1:\(server.words[0])/\(index)", fields: fields)
    }

    private func ids(_ isMatch: (Book) -> Bool) -> [String] { books.filter(isMatch).map(\.id) }

    @Test("All books are listed in a stable order, with the exact number") func browse() throws {
        let source = try open()
        #expect(source.opened.mode == .paged && source.opened.kind == "opensearch")
        #expect(source.opened.abilities?.sorts == ["title", "author", "year", "pages"])
        let first = try source.page(limit: 100)
        #expect(first.ids == books.prefix(100).map(\.id))
        #expect(first.end == PageEnd(count: BookTotal(1200, .exact)))
        #expect(try source.page(at: .row(1150), limit: 100).ids == books[1150...].map(\.id))
        #expect(try source.page(at: .row(9000), limit: 100).rows.isEmpty)
        let row = try #require(first.rows.first)
        #expect(row["title"]?.string == books[0].title && row["isbn"]?.string == books[0].isbn)
    }

    private static let searches: [(query: String, isMatch: @Sendable (Book) -> Bool)] = [
        ("garden", { $0.words.contains("garden") }), ("gard", { $0.words.contains { $0.hasPrefix("gard") } }),
        ("title:mount", { $0.title.lowercased().contains("mount") }),
        ("title:\"mountain of bread\"", { $0.title.contains("mountain of bread") }),
        ("title:=\"the river of river 11\"", { $0.title == "The river of river 11" }),
        ("author:émilie", { $0.authors.contains("Émilie Brandt") }),
        ("author:\"umberto eco\"", { $0.authors.contains("Umberto Eco") }),
        ("subject:travel", { $0.subjects == ["World Travel"] }), ("subject:=cooking", { $0.subjects == ["Cooking"] }),
        ("publisher:\"house 5\"", { $0.publisher == "House 5" }),
        ("language:english", { $0.language == "en" || $0.language == "en-GB" }),
        ("language:de", { $0.language == "de" }),
        ("year:1950", { $0.year == 1950 }),
        ("year:1950..1959", { $0.year.map { (1950...1959).contains($0) } ?? false }),
        ("year:<1910", { $0.year.map { $0 < 1910 } ?? false }),
        ("pages:>=450", { $0.pageCount.map { $0 >= 450 } ?? false }),
        ("has:year", { $0.year != nil }), ("-has:pages", { $0.pageCount == nil }), ("is:fiction", { $0.fiction }),
        ("garden -winter", { $0.words.contains("garden") && !$0.words.contains("winter") }),
        ("garden | -has:year", { $0.words.contains("garden") || $0.year == nil }),
        (
            "(garden | winter) author:eco",
            {
                !Set($0.words).isDisjoint(with: ["garden", "winter"]) && $0.authors.contains("Umberto Eco")
            }
        ),
        ("Война", { $0.title.hasPrefix("Война") }), ("title:Ὀδύσσεια", { $0.title.hasPrefix("Ὀδύσσεια") }),
        ("title:ليلة", { $0.title.contains("ليلة") }), ("title:\"紅樓夢\"", { $0.title.hasPrefix("紅樓夢") }),
        ("title:\"a \\\"quoted\\\" \\\\ title\"", { $0.title.contains("quoted") }),
        ("title:Straße", { $0.title.hasPrefix("Straße") }), ("pages:<0", { _ in false }),
    ]

    @Test("Each field is searched, also by the beginning of a word, and conditions are joined") func search() throws {
        let source = try open()
        for (query, isMatch) in Self.searches {
            let expected = ids(isMatch)
            let part = try source.page(query, limit: 1200)
            #expect(part.ids == expected, "\(query)")
            #expect(part.end == PageEnd(count: BookTotal(expected.count, .exact)), "\(query)")
            #expect(query == "pages:<0" || !expected.isEmpty, "\(query)")
        }
        #expect(try source.page("isbn:\(books[7].isbn)").ids == [books[7].id])
        #expect(try source.page(books[7].isbn).ids == [books[7].id])
    }

    @Test("What cannot be searched for is named, and hides no book") func ignored() throws {
        let part = try open().page("garden is:favourite series:x /gar.*n/", limit: 1200)
        #expect(part.ids == ids { $0.words.contains("garden") })
        #expect(part.end.ignoredTerms == ["is:favourite", "series:x", "/gar.*n/"])
    }

    @Test("Lists are sorted both ways by several keys, with missing values last") func sort() throws {
        let source = try open()
        for isDescending in [false, true] {
            let part = try source.page(
                "garden", sort: [.init("year", isDescending: isDescending), .init("title")], limit: 1200)
            let expected = books.filter { $0.words.contains("garden") }.sorted { left, right in
                guard left.year != right.year else {
                    return left.title.utf8.lexicographicallyPrecedes(right.title.utf8)
                }
                guard let first = left.year, let second = right.year else { return left.year != nil }
                return isDescending ? first > second : first < second
            }
            #expect(part.ids == expected.map(\.id) && expected.contains { $0.year == nil })
        }
        #expect(throws: ConnectorFailure(.unsupported, .cannotSort, detail: "series")) {
            try source.page(sort: [.init("series")])
        }
    }

    @Test("Books are found by their ids, and the row of a book in each order") func ids() throws {
        let source = try open()
        #expect(
            try source.books(["b00700", "b00003", "none", "b00077"]).compactMap { $0["id"]?.string } == [
                "b00700", "b00003", "b00077",
            ])
        for sort in [[], [.init("year")], [.init("author", isDescending: true)], [.init("pages", isDescending: true)]]
            as [[PageRequest.SortKey]]
        {
            let all = try source.page("-garden", sort: sort, limit: 1200).ids
            for row in [0, 17, 500, all.count - 1] {
                let part = try source.page("-garden", sort: sort, at: .book(all[row]), limit: 5)
                #expect(part.first == row && part.ids == Array(all[row...].prefix(5)), "\(sort) \(row)")
            }
        }
        #expect(throws: ConnectorFailure(.unsupported, .noBook, detail: "none")) { try source.page(at: .book("none")) }
    }

    @Test("The fields of a profile are searched and sorted by, whatever their names") func profile() throws {
        let fields = [
            "title": ["work.name"], "authors": ["people[*].full"], "published": ["released"], "isbn": ["number"],
        ]
        let source = try open("shop", fields: fields)
        #expect(source.opened.abilities?.sorts == ["title", "year"])
        #expect(try source.page("author:eco", limit: 1200).ids == ids { $0.authors.contains("Umberto Eco") })
        #expect(
            try source.page("year:1950..1959", limit: 1200).ids
                == ids {
                    $0.year.map { (1950...1959).contains($0) } ?? false
                })
        #expect(try source.page("isbn:\(books[9].isbn)").ids == [books[9].id])
        let titles = try source.page("title:garden", sort: [.init("title")], limit: 5).rows
        let expected = books.filter { $0.title.lowercased().contains("garden") }.map(\.title).sorted()
        #expect(titles.compactMap { $0["work"]?["name"]?.string } == Array(expected.prefix(5)))
        // Without the profile, nothing of it is known.
        #expect(try open("shop").page("author:eco").end.ignoredTerms == ["author:eco"])
    }

    @Test("A missing index is named, and a server that is gone") func missing() throws {
        #expect(throws: ConnectorFailure(.server, .noIndex, detail: "shelf")) { try open("shelf") }
        let source = try open()
        #expect(server.ask("kill") == "done")
        #expect(throws: ConnectorFailure(.offline, .noConnection, detail: "127.0.0.1:\(server.words[0])")) {
            try source.page()
        }
    }
}
