import Storage
import TestSupport
import Testing

@testable import Books
@testable import Catalog
@testable import CatalogTesting
@testable import Indexing

/// The detected profile of a catalog, the location of its records, and whether all of them are read.
@Suite("JSON file: detecting real formats") struct DetectionTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// Returns the profile, the paths of the records, and their titles.
    private func reading(_ text: String, by profile: Profile? = nil) throws -> String {
        let path = try directory.write(text.utf8, to: "catalog.json")
        let store = JSONFileCatalog(path: path, profile: profile)
        try store.readAll()
        let format = try #require(store.format)
        let paths = format.recordPaths.map(\.description).joined(separator: " ")
        let titles = (0..<store.index.count).map { store.book(at: $0)?.title ?? "?" }
        #expect((0..<store.index.count).map { store.summary(of: BookID($0)).value?.title ?? "?" } == titles)
        let omitted = store.defects.omissionCount > 0 ? " -\(store.defects.omissionCount)" : ""
        return "\(format.profile.name) \(paths): \(titles.joined(separator: ", "))\(omitted)"
    }

    private static let schemaPaths = [
        "Book", "Audiobook", "schema:Book", "http://schema.org/Book", "https://schema.org/Book",
    ]
    .map { "@graph[?@.@type=='\($0)']" }.joined(separator: " ")

    @Test(arguments: [
        // OPDS 2.0: feeds with publications, with groups, with both in any order, with only links; a single
        // publication.
        (
            #"{"metadata":{"title":"F"},"publications":[{"metadata":{"title":"A"}},{"metadata":{"title":"B"}}]}"#,
            "opds publications[*] groups[*].publications[*]: A, B"
        ),
        (
            #"{"metadata":{"title":"F"},"groups":[{"metadata":{"title":"G"},"publications":[{"metadata":{"title":"A"}}]},"#
                + #"{"links":[],"publications":[{"metadata":{"title":"B"}}]}],"publications":[{"metadata":{"title":"C"}}]}"#,
            "opds publications[*] groups[*].publications[*]: A, B, C"
        ),
        (
            #"{"publications":[{"metadata":{"title":"A"}}],"groups":[{"publications":[]},"#
                + #"{"publications":[{"metadata":{"title":"B"}}],"x":[{"title":"no"}]}],"metadata":{}}"#,
            "opds publications[*] groups[*].publications[*]: A, B"
        ),
        (#"{"metadata":{"title":"A"},"links":[]}"#, "opds $: A"),
        (#"[{"metadata":{"title":"A"}},{"metadata":{"title":{"en":"B"}}}]"#, "opds [*]: A, B"),
        // Google Books: a list of volumes, and a single one.
        (
            #"{"kind":"books#volumes","totalItems":1,"items":[{"volumeInfo":{"title":"A"}}]}"#, "google items[*]: A"
        ),
        (
            #"[{"kind":"books#volume","volumeInfo":{"title":"A"}},{"kind":"books#volume","volumeInfo":{"title":"B"}}]"#,
            "google [*]: A, B"
        ),
        // Gutendex.
        (
            #"{"count":1,"results":[{"id":1,"title":"A","bookshelves":[],"authors":[{"name":"X"}]}]}"#,
            "gutendex results[*]: A"
        ),
        (
            "{\"title\":\"A\",\"bookshelves\":[],\"authors\":[{\"name\":\"X\"}]}\n"
                + "{\"title\":\"B\",\"bookshelves\":[],\"authors\":[]}\n", "gutendex : A, B"
        ),
        // Open Library: a search, an edition, several editions as JSON Lines.
        (#"{"numFound":1,"docs":[{"title":"A","author_name":["X"]}]}"#, "openlibrary-search docs[*]: A"),
        (#"{"type":{"key":"/type/edition"},"title":"A"}"#, "openlibrary-edition $: A"),
        (
            "{\"type\":{\"key\":\"/type/edition\"},\"title\":\"A\"}\n{\"type\":{\"key\":\"/type/edition\"},\"title\":\"B\"}",
            "openlibrary-edition : A, B"
        ),
        (#"{"entries":[{"type":{"key":"/type/edition"},"title":"A"}]}"#, "openlibrary-edition entries[*]: A"),
        // Solr.
        (
            #"{"responseHeader":{},"response":{"numFound":1,"docs":[{"title_tsim":["A"]},{"title_vern_ssim":["א"]}]}}"#,
            "blacklight response.docs[*]: A, א"
        ),
        // schema.org.
        (#"{"@context":"https://schema.org","@graph":[{"@type":"Book","name":"A"}]}"#, "schema \(Self.schemaPaths): A"),
        // Other nodes of a graph are not books.
        (
            #"{"@context":"https://schema.org","@graph":[{"@type":"WebPage","name":"no"},{"@type":["Book","Product"],"name":"A"},"#
                + #"{"@type":"Person","name":"no"},{"@type":"Audiobook","name":"B"}]}"#,
            "schema \(Self.schemaPaths): A, B"
        ),
        // Lists of links and empty search results are catalogs without books.
        (
            #"{"metadata":{"title":"F"},"navigation":[{"title":"no"}]}"#,
            "opds publications[*] groups[*].publications[*]: "
        ),
        (#"{"kind":"books#volumes","totalItems":0}"#, "google items[*]: "),
        (#"{"kind":"books#volume","volumeInfo":{"title":"A"}}"#, "google $: A"),
        // Any of the first records can decide.
        (#"{"docs":[{"title":"A"},{"title":"B","author_name":["X"]}]}"#, "openlibrary-search docs[*]: A, B"),
        (#"[{"title":"A","authors":"X"},{"title":"B","authors":"X & Y","author_sort":"X"}]"#, "calibre [*]: A, B"),
        (#"{"people":[{"name":"X"},{"name":"Y"}],"list":[{"title":"A","author":"X"}]}"#, "native list[*]: A"),
        (#"{"@context":"https://schema.org","@type":"Book","name":"A"}"#, "schema $: A"),
        (#"[{"@type":["Book","Product"],"name":"A"}]"#, "schema [*]: A"),
        // CSL: the types take precedence over the keys.
        (
            #"[{"id":"a","type":"book","title":"A"},{"id":"b","type":"chapter","title":"B"}]"#, "csl [*]: A, B"
        ),
        (#"{"items":[{"id":"a","type":"book","title":"A"}]}"#, "csl items[*]: A"),
        (#"[{"id":1,"type":"hardcover","title":"A"}]"#, "native [*]: A"),
        (#"[{"type":"book","title":"A"}]"#, "native [*]: A"),
        // calibre.
        (#"[{"title":"A","author_sort":"X","authors":"X & Y"}]"#, "calibre [*]: A"),
        (#"[{"title":"A","series_index":1.0,"authors":"X & Y"}]"#, "calibre [*]: A"),
        (#"[{"title":"A","series_index":1.0,"authors":["X"]}]"#, "native [*]: A"),
        // The keys of a minority of records do not count.
        (
            #"[{"title":"A","authors":["X"]},{"title":"B","author_sort":"X"},{"title":"C"},{"metadata":{"title":"x"},"title":"D"}]"#,
            "native [*]: A, B, C, D"
        ),
    ])
    func aKnownFormatIsDetected(text: String, reading: String) throws {
        #expect(try self.reading(text) == reading)
    }

    @Test(arguments: [
        (#"[{"title":"A"},{"name":"B"}]"#, "native [*]: A, B"),
        (#"{"title":"A"}"#, "native $: A"),
        (#"{"name":"A","isbn":"x","books":[{"title":"part"}]}"#, "native $: A"),
        // A list may have a name.
        (#"{"name":"My books","books":[{"title":"A"},{"title":"B"}]}"#, "native books[*]: A, B"),
        (#"{"a":{"title":"A"},"b":{"title":"B"}}"#, "native [*]: A, B"),
        (#"{"a":{"title":"A","authors":["X"]},"b":{},"c":7}"#, "native [*]: A,  -1"),
        (#"{"meta":{"name":"m"},"data":{"books":[{"title":"A"},{"title":"B"}]}}"#, "native data.books[*]: A, B"),
        // The larger array, and all with the same last key, at any position; indices are omitted.
        (
            #"{"people":[{"name":"X"}],"shelves":[{"name":"s","books":[{"title":"A"},{"title":"B"}]},"#
                + #"{"name":"t","books":[{"title":"C"}]}],"more":{"books":[{"title":"D"}]},"end":[{"title":"no"}]}"#,
            "native shelves[*].books[*] more.books[*]: A, B, C, D"
        ),
        (#"{"a":[{"title":"no"}],"b":[{"title":"A"},{"title":"B"}]}"#, "native b[*]: A, B"),
        (#"[{"data":[{"title":"A"}]},{"data":[{"title":"B"},{"title":"C"}]}]"#, "native [*].data[*]: A, B, C"),
        (#"[[{"title":"A"}],[{"title":"B"}]]"#, "native [*][*]: A, B"),
        (#"{"x y":{"a.b":[{"title":"A"}]}}"#, "native x y['a.b'][*]: A"),
        // Objects within records are not records, however many there are.
        (
            #"{"b":[{"title":"A","isbn":"x","parts":[{"title":"1"},{"title":"2"},{"title":"3"}]}]}"#, "native b[*]: A"
        ),
        (#"{"books":[{"title":"A","books":[{"title":"no"}]}]}"#, "native books[*]: A"),
    ])
    func anyJSONWithBooksIsRead(text: String, reading: String) throws {
        #expect(try self.reading(text) == reading)
    }

    private func profile(records: String) throws -> Profile {
        try Profile(parsing: #"{"name":"mine","records":\#(records),"fields":{"title":"t"}}"#.utf8)
    }

    @Test(arguments: [
        (
            #""data.list[*]""#, #"{"x":[{"t":"no"}],"data":{"list":[{"t":"A"},7,{"t":"B"}],"more":1}}"#,
            "data.list[*]: A, B -1"
        ),
        // A further step within each element.
        (
            #""hits[*].book""#, #"{"hits":[{"t":"no","book":{"t":"A"}},{"book":{"t":"B"}},{"t":"none"}]}"#,
            "hits[*].book: A, B"
        ),
        // Elements that pass a filter.
        (
            #""hits[?@.kind=='b']""#, #"{"hits":[{"kind":"b","t":"A"},{"kind":"c","t":"no"},{"kind":"b","t":"B"}]}"#,
            "hits[?@.kind=='b']: A, B"
        ),
        // The values of an object, a single record, the elements of a named array, an element of an array.
        (#""by.id[*]""#, #"{"by":{"id":{"1":{"t":"A"},"2":{"t":"B"}},"x":2}}"#, "by.id[*]: A, B"),
        (#""data.book""#, #"{"data":{"x":1,"book":{"t":"A"}},"y":[]}"#, "data.book: A"),
        (#""data.books""#, #"{"data":{"books":[{"t":"A"},{"t":"B"}]}}"#, "data.books: A, B"),
        (#""pages[1].books[*]""#, #"{"pages":[{"books":[{"t":"no"}]},{"books":[{"t":"A"}]}]}"#, "pages[1].books[*]: A"),
        (#"["a[*]","b[*]"]"#, #"{"b":[{"t":"B"}],"c":[{"t":"no"}],"a":[{"t":"A"}]}"#, "a[*] b[*]: B, A"),
        // Lines are records, and so are the elements of an array without the paths of the profile.
        (#""data.list[*]""#, "{\"t\":\"A\"}\n{\"t\":\"B\"}\n", ": A, B"),
        (#""data.list[*]""#, #"[{"t":"A"}]"#, "[*]: A"),
    ])
    func aChosenProfileIsUsed(records: String, text: String, reading: String) throws {
        #expect(try self.reading(text, by: profile(records: records)) == "mine " + reading)
    }

    @Test func aProfileWithoutRecordsIsReported() throws {
        let path = try directory.write(#"{"books":[{"t":"A"}]}"#.utf8, to: "catalog.json")
        let source = JSONFileLoader(path: path, profile: try profile(records: #""data[*]""#))
        #expect(throws: CatalogError.notACatalog(path: path, .noRecords(profile: "mine"))) { try source.load() }
    }

    /// The text before and after the records, and the records themselves, may be longer than a chunk.
    @Test(.thorough) func recordsAreFoundAfterAndBeforeLongText() throws {
        let filling = String(repeating: #"{"a": [1, 2, 3]}, "#, count: 20_000)
        let books = (0..<3000).map { #"{"title": "\#($0)", "text": "\#(String(repeating: "x", count: 100))"}"# }
        let text =
            #"{"before": [\#(filling)0], "parts": [{"books": [\#(books.joined(separator: ","))]}, {"n": [\#(filling)0]}, "#
            + #"{"books": [\#(books.joined(separator: ","))]}], "after": [\#(filling)0]}"#
        let expected = "native parts[*].books[*]: " + (0..<6000).map { "\($0 % 3000)" }.joined(separator: ", ")
        #expect(try reading(text) == expected)
    }

    @Test func aCachedIndexBelongsToItsProfile() throws {
        let cache = IndexCache(directory: directory.path + "/index")
        let books = (0..<20_000).map { #"{"title": "Title \#($0)", "t": "T \#($0)", "authors": ["An author of it"]}"# }
        let path = try directory.write("[\(books.joined(separator: ",\n"))]".utf8, to: "catalog.json")
        let mine = try profile(records: #""[*]""#)
        for (profile, title) in [(nil, "Title 7"), (mine, "T 7"), (nil, "Title 7"), (mine, "T 7")] {
            let source = JSONFileLoader(path: path, cache: cache, profile: profile)
            let records = try source.load()
            while records.state.isLoading { records.loadMore() }
            #expect(records.book(7).value?.title == title)
            #expect(records.format?.isDetected == (profile == nil))
            let content = IndexCache.Content(
                format: try #require(records.format).key, segments: records.index.segments, problems: records.problems,
                positions: ProblemPositions())
            cache.keep(content, of: records.file, fingerprint: try #require(try records.file.fingerprint()))
            let known = try #require(
                try JSONFileRecords(knownTo: cache, path, by: profile))
            #expect(known.book(7).value?.title == title)
            #expect(known.summary(of: 7).value?.title == title)
            #expect(known.format == records.format)
            #expect(
                try JSONFileRecords(knownTo: cache, path, by: profile == nil ? mine : nil) == nil)
        }
    }
}
