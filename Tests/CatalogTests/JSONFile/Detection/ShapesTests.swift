import TestSupport
import Testing

@testable import Books
@testable import Catalog
@testable import CatalogTesting
@testable import Indexing

/// Catalogs whose books contain other named objects, and texts that look like catalogs.
@Suite("JSON file: books among other named things") struct ShapesTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// Returns the books in a text, and the paths of their records.
    private func reading(_ text: String) throws -> (paths: String, books: [Book]) {
        let path = try directory.write(text.utf8, to: "catalog.json")
        let catalog = JSONFileCatalog(path: path)
        try catalog.readAll()
        let format = try #require(catalog.format)
        let books = try (0..<catalog.index.count).map { try #require(catalog.book(at: $0)) }
        return (format.recordPaths.map(\.description).joined(separator: " "), books)
    }

    /// A record for a single book in the form used by shops and libraries.
    private static let record = """
        {
          "id": "b1f2",
          "title": "The Left Hand of Darkness",
          "description": "An envoy visits a world without sexes.",
          "language": "English",
          "formats": [
            {"name": "Hardcover", "isbn": "9780441478057", "pages": 286},
            {"name": "Paperback", "isbn": "9780441478125", "pages": 304},
            {"name": "EPUB", "id": "e1"}
          ],
          "creators": [
            {"name": "Ursula K. Le Guin", "role": "author"},
            {"name": "China Miéville", "role": "foreword"}
          ],
          "links": [
            {"title": "Buy", "href": "https://example.org/buy", "rel": "buy"},
            {"title": "Sample", "href": "https://example.org/sample", "rel": "sample"}
          ],
          "images": [{"name": "front", "url": "front.jpg"}, {"name": "back", "url": "back.jpg"}]
        }
        """

    @Test func aRecordWithNamedObjectsIsOneBook() throws {
        let (paths, books) = try reading(Self.record)
        #expect(paths == "$")
        #expect(books.map(\.title) == ["The Left Hand of Darkness"])
        #expect(books.first?.authors == ["Ursula K. Le Guin"])
        #expect(books.first?.languages == ["en"])
    }

    /// A list within the record may be longer than a chunk.
    @Test func aSingleRecordIsTheBookEvenAfterALongList() throws {
        let reviews = (0..<2000).map { #"{"title": "Review \#($0)", "name": "Reader \#($0)", "text": "Good."}"# }
        let text = #"{"title": "Emma", "reviews": [\#(reviews.joined(separator: ","))], "isbn": "9780141439587"}"#
        #expect(try reading(text).books.map(\.title) == ["Emma"])
        let early = #"{"title": "Emma", "author": "Jane Austen", "isbn": "9780141439587", "reviews": [\#(reviews[0])"#
        let rest = reviews.dropFirst().joined(separator: ",") + "]}"
        #expect(try reading(early + "," + rest).books.map(\.title) == ["Emma"])
    }

    @Test func aRecordWithinAResponseIsTheBook() throws {
        let (paths, books) = try reading(#"{"status": "ok", "took": 3, "data": {"book": \#(Self.record)}}"#)
        #expect(paths == "data.book")
        #expect(books.map(\.title) == ["The Left Hand of Darkness"])
    }

    @Test func aPageOfProductsContainsItsProducts() throws {
        let (paths, books) = try reading(
            """
            {
              "title": "Science fiction", "page": 1, "pages": 12,
              "filters": [{"name": "Price", "id": 1}, {"name": "Format", "id": 2}, {"name": "Age", "id": 3}],
              "products": [
                {
                  "title": "Dune", "price": 9.99,
                  "formats": [{"name": "Paperback", "isbn": "9780441013593"}, {"name": "Audio", "isbn": "9781427201430"}]
                },
                {
                  "title": "Ubik", "price": 8.5,
                  "formats": [{"name": "Paperback", "isbn": "9780547572291"}, {"name": "EPUB", "isbn": "9780547728278"}]
                }
              ],
              "breadcrumbs": [
                {"title": "Home", "href": "/"}, {"title": "Books", "href": "/b"}, {"title": "SF", "href": "/b/sf"}
              ]
            }
            """)
        #expect(paths == "products[*]")
        #expect(books.map(\.title) == ["Dune", "Ubik"])
    }

    @Test(arguments: [
        // Books with authors take precedence over deeper and longer lists of names.
        (
            #"{"books":[{"title":"A","author":"X","tags":[{"name":"t"},{"name":"u"},{"name":"v"}]}]}"#,
            "books[*]: A"
        ),
        (
            #"{"list":[{"title":"A","identifier":"urn:x"}],"a":{"people":[{"name":"P","id":1},{"name":"Q"}]}}"#,
            "list[*]: A"
        ),
        (#"{"subjects":[{"title":"s"},{"title":"t"}],"items":[{"title":"A","isbn":"x"}]}"#, "items[*]: A"),
        // A field specific to books decides.
        (#"{"menu":[{"title":"Home"},{"title":"Help"}],"items":[{"title":"A","cover":"a.jpg"}]}"#, "items[*]: A"),
        // An outer list takes precedence over inner ones, and shelves with only names are not books.
        (#"{"items":[{"title":"A","parts":[{"title":"1"},{"title":"2"}]}]}"#, "items[*]: A"),
        (
            #"{"shelves":[{"title":"s","books":[{"name":"A","author":"X"},{"name":"B","author":"Y"}]}]}"#,
            "shelves[*].books[*]: A, B"
        ),
        // A catalog may have a description.
        (
            #"{"title":"Mine","description":"d","language":"en","books":[{"title":"A","author":"X"},{"title":"B","isbn":"x"}]}"#,
            "books[*]: A, B"
        ),
        (#"{"meta":{"title":"Mine","publisher":"me"},"books":[{"title":"A","author":"X"}]}"#, "books[*]: A"),
        (
            #"{"name":"Mine","author":"me","books":[{"title":"A","author":"X"},{"title":"B","author":"Y"}]}"#,
            "books[*]: A, B"
        ),
        // The values of an object are books, whatever they contain.
        (
            #"{"1":{"title":"A","author":"X","formats":[{"name":"p","isbn":"1"}]},"2":{"title":"B","author":"Y"}}"#,
            "[*]: A, B"
        ),
        // A top-level array is always used.
        (#"[{"name":"A"},{"name":"B"}]"#, "[*]: A, B"), (#"[{"name":"A","writer":"X","type":"paperback"}]"#, "[*]: A"),
        (#"[{"title":"A","created":"2024-01-01","type":"book"}]"#, "[*]: A"),
    ])
    func theArrayOfBooksIsFound(text: String, expected: String) throws {
        let (paths, books) = try reading(text)
        #expect("\(paths): \(books.map(\.title).joined(separator: ", "))" == expected)
    }

    /// A licence for a protected book.
    private static let licence = """
        {
          "provider": "https://example.org",
          "id": "ef15e740-697f-11e3-949a-0800200c9a66",
          "issued": "2013-11-04T01:08:15+01:00",
          "encryption": {
            "profile": "http://example.org/basic-profile",
            "user_key": {"text_hint": "Your library card", "algorithm": "sha256"}
          },
          "links": [
            {"rel": "hint", "href": "https://example.org/hint", "type": "text/html", "title": "Hint"},
            {"rel": "publication", "href": "https://example.org/file.epub", "title": "The book", "length": 264929}
          ],
          "rights": {"print": 10, "copy": 2048, "start": "2013-11-04T01:08:15+01:00"},
          "user": {"id": "d9f298a7", "name": "A reader", "email": "reader@example.org", "encrypted": ["email"]},
          "signature": {"algorithm": "sha256", "value": "q/3IInic9c/EaJHyG1Kkqk5v1zlJNsiQBmxz4lykhyD3dA2jg2ZzrOenYU9GxP"}
        }
        """

    private static let events = """
        [
          {"type": "register", "name": "Reader's phone", "id": "709e1380", "timestamp": "2016-07-14T00:00:00Z"},
          {"type": "return", "name": "Reader's phone", "id": "709e1380", "timestamp": "2016-08-14T00:00:00Z"}
        ]
        """

    private static let status = """
        {
          "id": "ef15e740",
          "status": "active",
          "message": "The license is active.",
          "updated": {"license": "2014-08-05T00:00:00Z", "status": "2016-08-08T00:00:00Z"},
          "links": [{"rel": "license", "href": "https://example.org/license", "title": "Licence"}],
          "potential_rights": {"end": "2014-09-13T00:00:00Z"},
          "events": \(events)
        }
        """

    private static let licenceText = """
        {
          "key": "mit", "name": "MIT License", "spdx_id": "MIT", "url": "https://example.org/licenses/mit",
          "description": "A short and simple permissive license.",
          "permissions": ["commercial-use", "modifications"], "conditions": ["include-copyright"],
          "body": "Permission is hereby granted, free of charge", "featured": true
        }
        """

    @Test(
        arguments: [
            (licence, .object), (licenceText, .object), (status, .object), (events, .array),
            (String(events.dropFirst(2).dropLast(2)).replacing("},\n", with: "}\n"), .jsonLines),
            (#"{"events": \#(events)}"#, .object),
            // Events and links, without names.
            (#"[{"id": 7, "type": "event", "actor": {"id": 1, "name": "x"}, "created_at": "2024-05-01"}]"#, .array),
            (
                #"[{"id":7,"type":"push","data":{"commits":[{"author":{"name":"x"}}],"labels":[{"name":"bug"}]}}]"#,
                .array
            ),
            (#"{"links": [{"title": "Next", "href": "/2", "rel": "next"}, {"title": "Last", "href": "/9"}]}"#, .object),
            // People, licences, repositories: names without a field specific to books.
            (#"{"users": [{"id": 1, "name": "Ada", "email": "a@example.org"}, {"id": 2, "name": "Bob"}]}"#, .object),
            (#"{"licenses": [{"name": "MIT License", "licenseId": "MIT", "isOsiApproved": true}]}"#, .object),
            (#"{"items": [{"id": 1, "name": "stacks", "language": "Swift", "license": {"name": "MIT"}}]}"#, .object),
            (#"{"sections": [{"name": "Manual", "pages": [{"name": "Start", "href": "a.html"}]}]}"#, .object),
        ] as [(String, CatalogError.Content)])
    func objectsWithoutBooksAreNotACatalog(text: String, content: CatalogError.Content) throws {
        let path = try directory.write(text.utf8, to: "other.json")
        #expect(throws: CatalogError.notACatalog(path: path, content)) { try JSONFileLoader(path: path).load() }
    }
}
