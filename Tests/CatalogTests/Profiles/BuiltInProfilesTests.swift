import Foundation
import Testing

@testable import Books
@testable import Catalog
@testable import CatalogTesting

@Suite("Profiles: built-in profiles") struct BuiltInProfilesTests {
    private static let directory = URL(filePath: #filePath)
        .deletingLastPathComponent().appending(path: "../../../Resources/profiles")

    @Test func eachFileIsAProfileOfTheProgram() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.directory.path)
        #expect(files.sorted() == Profile.builtInNames.map { $0 + ".json" }.sorted())
        for name in Profile.builtInNames {
            let text = try Data(contentsOf: Self.directory.appending(path: name + ".json"))
            #expect(Profile.builtInText(named: name).map { Data($0) } == text)
            let profile = try #require(Profile.builtIn(named: name))
            #expect(profile.name == name)
            // The embedded text parses to the same profile.
            #expect(profile == (try Profile(parsing: text)))
        }
        #expect(Profile.builtIn(named: "nothing") == nil)
        #expect(Set(Profile.builtInNames.compactMap { Profile.builtIn(named: $0)?.fingerprint }).count == files.count)
    }

    @Test(arguments: [
        ("native", ["[*]"]), ("opds", ["publications[*]", "groups[*].publications[*]", "$"]), ("csl", ["[*]"]),
        ("calibre", ["[*]"]), ("gutendex", ["results[*]"]), ("openlibrary-search", ["docs[*]"]),
        ("openlibrary-edition", ["$", "entries[*]"]), ("google", ["items[*]", "$"]),
        ("blacklight", ["response.docs[*]"]),
        (
            "schema",
            [
                "@graph[?@.@type=='Book']", "@graph[?@.@type=='Audiobook']",
                "@graph[?@.@type=='schema:Book']", "@graph[?@.@type=='http://schema.org/Book']",
                "@graph[?@.@type=='https://schema.org/Book']", "$",
            ]
        ),
    ])
    func recordsAreWhereTheFormatHasThem(name: String, records: [String]) throws {
        #expect(try Profile.make(named: name).records.map(\.description) == records)
    }

    /// Records with all fields of their formats.
    static let records: [(profile: String, json: String)] = [
        (
            "zotero-json",
            #"""
            {"itemID":1,"itemType":"book","citationKey":"lem2002","title":"Solaris","creators":[
             {"creatorType":"author","firstName":"Stanisław","lastName":"Lem"},
             {"creatorType":"translator","firstName":"Joanna","lastName":"Kilmartin"}],
             "date":"2002-11-01","publisher":"Harcourt","ISBN":"9780156027601","numPages":"204","language":"en",
             "tags":[{"tag":"Planets"}],"series":"Classics","seriesNumber":"3","abstractNote":"A planet thinks.",
             "dateAdded":"2024-01-02T03:04:05Z","shelf":"A3"}
            """#
        ),
        (
            "inventaire",
            #"""
            {"_id":"b1","entity":"isbn:9780156027601","details":"Lent","created":1500000000000,"snapshot":{
             "entity:title":"Solaris","entity:subtitle":"A novel","entity:authors":"Stanisław Lem",
             "entity:lang":"en","entity:series":"Classics","entity:ordinal":"3","entity:image":"/img/e/1"}}
            """#
        ),
        (
            "vufind",
            #"""
            {"id":"b1","title":"Solaris","authors":{"primary":{"Lem, Stanisław":{"role":["author"]}},
             "secondary":{"Kilmartin, Joanna":{"role":["translator"]}},"corporate":[]},"formats":["Book"],
             "languages":["English"],"series":[{"name":"Classics","number":"3"}],"subjects":[["Planets"],["Seas"]],
             "urls":[{"url":"https://books.example/1","desc":"Text"}]}
            """#
        ),
        (
            "native",
            #"""
            {"id":"b1","title":"Solaris","subtitle":"A novel","sortTitle":"Solaris","authors":["Stanisław Lem"],
             "isbn":"9780156027601","pageCount":204,"fiction":true,"publisher":"Harcourt","published":"2002-11-01",
             "languages":["en"],"subjects":["Planets"],"series":"Classics","seriesPosition":3,
             "description":"A planet thinks.","cover":"solaris.jpg","identifiers":{"oclc":"1"},
             "contributors":[{"name":"Joanna Kilmartin","role":"translator"}],"rating":4.5,"status":"read",
             "dateAdded":"2024-01-02","shelf":"A3"}
            """#
        ),
        (
            "opds",
            #"""
            {"metadata":{"@type":"http://schema.org/Book","title":"Solaris","subtitle":"A novel","sortAs":"Solaris",
             "identifier":"urn:uuid:1","altIdentifier":["urn:isbn:9780156027601",{"scheme":"oclc","value":"1"}],
             "author":[{"name":"Stanisław Lem","sortAs":"Lem"}],"translator":"Joanna Kilmartin",
             "contributor":[{"name":"Steve Cox","role":"reviser"}],"numberOfPages":204,"publisher":{"name":"Harcourt"},
             "published":"2002-11-01T00:00:00Z","language":["en"],"subject":[{"code":"FIC","name":"Planets"}],
             "belongsTo":{"series":{"name":"Classics","position":3}},"description":"A planet thinks.","rights":"All"},
             "links":[{"rel":"self","href":"x"}],"images":[{"rel":"cover","href":"solaris.jpg","type":"image/jpeg"}]}
            """#
        ),
        (
            "csl",
            #"""
            {"id":"lem","type":"book","title":"Solaris","author":[{"family":"Lem","given":"Stanisław"}],
             "translator":[{"family":"Kilmartin","given":"Joanna"}],"ISBN":"9780156027601","number-of-pages":"204",
             "publisher":"Harcourt","issued":{"date-parts":[[2002,11,1]]},"language":"en","keyword":"Planets, Minds",
             "collection-title":"Classics","collection-number":"3","abstract":"A planet thinks.","DOI":"10.1/2",
             "publisher-place":"New York"}
            """#
        ),
        (
            "calibre",
            #"""
            {"id":7,"title":"Solaris","sort":"Solaris","authors":"Stanisław Lem & A && B","isbn":"9780156027601",
             "publisher":"Harcourt","pubdate":"2002-11-01T00:00:00+00:00","languages":["eng"],"tags":["Planets"],
             "series":"Classics","series_index":3.0,"comments":"<p>A planet thinks.</p>","cover":"/c/cover.jpg",
             "identifiers":{"isbn":"9780156027601","goodreads":"1"},"rating":8,"timestamp":"2024-01-02T10:00:00+00:00",
             "*pages":204,"author_sort":"Lem, Stanisław","*shelf":"A3"}
            """#
        ),
        (
            "gutendex",
            #"""
            {"id":84,"title":"Solaris","authors":[{"name":"Lem, Stanisław","birth_year":1921,"death_year":2006}],
             "translators":[{"name":"Kilmartin, Joanna","birth_year":null,"death_year":null}],"subjects":["Planets"],
             "bookshelves":["Poland"],"languages":["en"],"summaries":["A planet thinks."],"copyright":false,
             "formats":{"text/html":"s.html","image/jpeg":"solaris.jpg"},"download_count":12}
            """#
        ),
        (
            "openlibrary-search",
            #"""
            {"key":"/works/OL1W","title":"Solaris","subtitle":"A novel","author_name":["Stanisław Lem"],
             "isbn":["9780156027601","0156027607"],"number_of_pages_median":204,"publisher":["Harcourt"],
             "first_publish_year":1961,"language":["eng"],"subject":["Planets"],"cover_i":12,"oclc":["1"],
             "ratings_average":4.1,"edition_count":3,"author_key":["OL1A"]}
            """#
        ),
        (
            "openlibrary-edition",
            #"""
            {"key":"/books/OL1M","title":"Solaris","subtitle":"A novel","by_statement":"Stanisław Lem",
             "isbn_10":["0156027607"],"isbn_13":["9780156027601"],"number_of_pages":204,"publishers":["Harcourt"],
             "publish_date":"2002","languages":[{"key":"/languages/eng"}],"subjects":["Planets"],"series":["Classics"],
             "description":{"type":"/type/text","value":"A planet thinks."},"covers":[12,13],
             "identifiers":{"goodreads":["1"]},"lccn":["71123456"],"contributors":[{"role":"Translator","name":"J. K."}],
             "created":{"type":"/type/datetime","value":"2008-04-01T03:28:50"},"type":{"key":"/type/edition"},"weight":"1 lb"}
            """#
        ),
        (
            "google",
            #"""
            {"kind":"books#volume","id":"g1","volumeInfo":{"title":"Solaris","subtitle":"A novel",
             "authors":["Stanisław Lem"],"publisher":"Harcourt","publishedDate":"2002-11-01","description":"A planet thinks.",
             "industryIdentifiers":[{"type":"ISBN_13","identifier":"9780156027601"},{"type":"OTHER","identifier":"UOM:1"}],
             "pageCount":204,"categories":["Planets"],"averageRating":4.5,"ratingsCount":3,"language":"en",
             "imageLinks":{"smallThumbnail":"s.jpg","thumbnail":"solaris.jpg"}},"saleInfo":{"country":"PL"}}
            """#
        ),
        (
            "blacklight",
            #"""
            {"id":"00282214","title_vern_ssim":["Солярис"],"title_tsim":["Soli͡aris"],"subtitle_tsim":"roman",
             "author_tsim":"Lem, Stanisław","author_addl_tsim":["Kilmartin, Joanna"],"isbn_ssim":["9780156027601"],
             "published_ssim":["New York"],"pub_date_si":2002,"pub_date_ssim":["2002"],"language_ssim":["Urdu"],
             "subject_ssim":["Planets"],"title_series_tsim":["Classics"],"lc_callnum_ssim":["PG7158"],
             "title_si":"soliaris","format":"Book","marc_ss":"<xml/>"}
            """#
        ),
        (
            "schema",
            #"""
            {"@context":"https://schema.org","@type":"Book","@id":"#solaris","name":"Solaris",
             "alternativeHeadline":"A novel","author":{"@type":"Person","name":"Stanisław Lem"},
             "translator":{"@type":"Person","name":"Joanna Kilmartin"},"isbn":"9780156027601","numberOfPages":204,
             "publisher":{"@type":"Organization","name":"Harcourt"},"datePublished":"2002-11-01","inLanguage":"en",
             "genre":"Planets","isPartOf":{"@type":"BookSeries","name":"Classics"},"position":3,
             "description":"A planet thinks.","image":"solaris.jpg",
             "identifier":{"@type":"PropertyValue","propertyID":"oclc","value":"1"},
             "aggregateRating":{"ratingValue":4.5,"ratingCount":2},"bookFormat":"Paperback"}
            """#
        ),
        (
            "library",
            #"""
            {"id":"isbn:9780156027601","sourceID":"b1","title":"Solaris","subtitle":"A novel","sortTitle":"Solaris",
             "isbn":"9780156027601","pageCount":204,"fiction":true,"publisher":"Harcourt","published":"2002-11-01",
             "series":"Classics","seriesPosition":3,"description":"A planet thinks.","cover":"solaris.jpg","rating":4.5,
             "status":"read","dateAdded":"2024-01-02","authors":["Stanisław Lem"],
             "contributors":[{"name":"Joanna Kilmartin","role":"translator"}],"language":["en"],"subjects":["Planets"],
             "identifiers":[{"scheme":"oclc","value":"1"}]}
            """#
        ),
    ]

    @Test func everyFieldOfAFormatIsRead() throws {
        /// The books described by the records above.
        let expected: [String: Book] = {
            var all: [String: Book] = [:]
            for (name, _) in Self.records {
                var book = Book(
                    title: "Solaris", authors: ["Stanisław Lem"], isbn: ISBN("9780156027601"), pageCount: 204)
                book.subtitle = "A novel"
                book.publisher = "Harcourt"
                book.published = PartialDate(year: 2002, month: 11, day: 1)
                book.languages = ["en"]
                book.subjects = ["Planets"]
                book.series = "Classics"
                book.seriesPosition = 3
                book.description = "A planet thinks."
                book.cover = "solaris.jpg"
                all[name] = book
            }
            func change(_ name: String, _ body: (inout Book) -> Void) {
                if var book = all[name] {
                    body(&book)
                    all[name] = book
                }
            }
            change("native") {
                $0.sourceID = "b1"
                $0.sortTitle = "Solaris"
                $0.fiction = true
                $0.identifiers = [.init(scheme: "oclc", value: "1")]
                $0.contributors = [.init(name: "Joanna Kilmartin", role: "translator")]
                $0.rating = 4.5
                $0.status = .read
                $0.dateAdded = PartialDate(year: 2024, month: 1, day: 2)
                $0.otherFields = [.init(path: "shelf", text: "A3")]
            }
            change("library") {
                $0.sourceID = "b1"
                $0.sortTitle = "Solaris"
                $0.fiction = true
                $0.identifiers = [.init(scheme: "oclc", value: "1")]
                $0.contributors = [.init(name: "Joanna Kilmartin", role: "translator")]
                $0.rating = 4.5
                $0.status = .read
                $0.dateAdded = PartialDate(year: 2024, month: 1, day: 2)
            }
            change("opds") {
                $0.sourceID = "urn:uuid:1"
                $0.isbn = ISBN("urn:isbn:9780156027601")
                $0.sortTitle = "Solaris"
                $0.identifiers = [.init(scheme: "oclc", value: "1")]
                $0.contributors = [
                    .init(name: "Joanna Kilmartin", role: "translator"), .init(name: "Steve Cox", role: "reviser"),
                ]
                $0.otherFields = [.init(path: "metadata.rights", text: "All")]
            }
            change("csl") {
                $0.sourceID = "lem"
                $0.subtitle = nil
                $0.cover = nil
                $0.subjects = ["Planets", "Minds"]
                $0.identifiers = [.init(scheme: "doi", value: "10.1/2")]
                $0.contributors = [.init(name: "Joanna Kilmartin", role: "translator")]
                $0.otherFields = [.init(path: "publisher-place", text: "New York")]
            }
            change("calibre") {
                $0.sourceID = "7"
                $0.subtitle = nil
                $0.sortTitle = "Solaris"
                $0.authors = ["Stanisław Lem", "A & B"]
                $0.cover = "/c/cover.jpg"
                $0.identifiers = [.init(scheme: "goodreads", value: "1")]
                $0.rating = 4
                $0.dateAdded = PartialDate(year: 2024, month: 1, day: 2)
                $0.otherFields = [.init(path: "['*shelf']", text: "A3")]
            }
            change("gutendex") {
                $0 = Book(title: "Solaris", authors: ["Lem, Stanisław"])
                $0.sourceID = "84"
                $0.languages = ["en"]
                $0.subjects = ["Planets"]
                $0.description = "A planet thinks."
                $0.cover = "solaris.jpg"
                $0.contributors = [.init(name: "Kilmartin, Joanna", role: "translator")]
                $0.otherFields = [.init(path: "copyright", text: "false"), .init(path: "download_count", text: "12")]
            }
            change("openlibrary-search") {
                $0.sourceID = "/works/OL1W"
                $0.published = PartialDate(year: 1961)
                ($0.series, $0.seriesPosition, $0.description) = (nil, nil, nil)
                $0.cover = "12"
                $0.identifiers = [.init(scheme: "oclc", value: "1")]
                $0.rating = 4.1
                $0.otherFields = [.init(path: "edition_count", text: "3")]
            }
            change("openlibrary-edition") {
                $0.sourceID = "/books/OL1M"
                $0.published = PartialDate(year: 2002)
                $0.seriesPosition = nil
                $0.cover = "12"
                $0.identifiers = [.init(scheme: "goodreads", value: "1"), .init(scheme: "lccn", value: "71123456")]
                $0.contributors = [.init(name: "J. K.", role: "Translator")]
                $0.dateAdded = PartialDate(year: 2008, month: 4, day: 1)
                $0.otherFields = [
                    .init(path: "covers", text: "13"), .init(path: "weight", text: "1 lb"),
                ]
            }
            change("google") {
                $0.sourceID = "g1"
                ($0.series, $0.seriesPosition) = (nil, nil)
                $0.identifiers = [.init(scheme: "OTHER", value: "UOM:1")]
                $0.rating = 4.5
                $0.otherFields = [.init(path: "volumeInfo.ratingsCount", text: "3")]
            }
            change("blacklight") {
                $0.title = "Солярис"
                $0.sourceID = "00282214"
                $0.subtitle = "roman"
                $0.authors = ["Lem, Stanisław"]
                $0.pageCount = nil
                $0.sortTitle = "soliaris"
                $0.publisher = "New York"
                $0.published = PartialDate(year: 2002)
                $0.languages = ["ur"]
                ($0.seriesPosition, $0.description, $0.cover) = (nil, nil, nil)
                $0.identifiers = [.init(scheme: "call number", value: "PG7158")]
                $0.contributors = [.init(name: "Kilmartin, Joanna")]
                $0.otherFields = [.init(path: "format", text: "Book")]
            }
            change("zotero-json") {
                $0.sourceID = "lem2002"
                ($0.subtitle, $0.sortTitle, $0.fiction, $0.cover, $0.rating, $0.status) = (nil, nil, nil, nil, nil, nil)
                $0.identifiers = []
                $0.contributors = [.init(name: "Joanna Kilmartin", role: "translator")]
                $0.dateAdded = PartialDate(year: 2024, month: 1, day: 2)
                $0.otherFields = [.init(path: "shelf", text: "A3")]
            }
            change("inventaire") {
                $0.isbn = ISBN("isbn:9780156027601")
                $0.sourceID = "b1"
                ($0.pageCount, $0.fiction, $0.sortTitle, $0.publisher, $0.published) = (nil, nil, nil, nil, nil)
                ($0.subjects, $0.description, $0.cover, $0.rating) = ([], nil, "/img/e/1", nil)
                ($0.status, $0.dateAdded, $0.identifiers, $0.contributors) = (nil, nil, [], [])
                $0.otherFields = [.init(path: "details", text: "Lent"), .init(path: "created", text: "1500000000000")]
            }
            change("vufind") {
                $0.sourceID = "b1"
                $0.authors = ["Lem, Stanisław"]
                ($0.isbn, $0.pageCount, $0.fiction, $0.subtitle, $0.sortTitle) = (nil, nil, nil, nil, nil)
                ($0.publisher, $0.published, $0.description, $0.cover) = (nil, nil, nil, nil)
                ($0.subjects, $0.rating, $0.status, $0.dateAdded) = (["Planets", "Seas"], nil, nil, nil)
                $0.identifiers = [.init(scheme: "url", value: "https://books.example/1")]
                $0.contributors = [.init(name: "Kilmartin, Joanna", role: "contributor")]
                $0.otherFields = [.init(path: "urls[0].desc", text: "Text")]
            }
            change("schema") {
                $0.sourceID = "#solaris"
                $0.identifiers = [.init(scheme: "oclc", value: "1")]
                $0.contributors = [.init(name: "Joanna Kilmartin", role: "translator")]
                $0.rating = 4.5
            }
            return all
        }()
        for (name, json) in Self.records {
            var book = try Profile.make(named: name).mapping.book(from: .make(json))
            // The members beside the names of people and ratings have their own test.
            if name == "schema" { book.otherFields = [] }
            #expect(book == expected[name], "\(name)")
        }
    }

    @Test(arguments: [
        ("native", #"{"name":"T"}"#), ("opds", #"{"metadata":{"title":{"en":"T","fr":"t"}}}"#),
        ("csl", #"{"title-short":"T"}"#),
        ("openlibrary-edition", #"{"full_title":"T"}"#), ("blacklight", #"{"title_display":"T"}"#),
        ("blacklight", #"{"title_vern_ssim":"T","title_tsim":["U"]}"#), ("schema", #"{"headline":"T"}"#),
        ("google", #"{"volumeInfo":{"title":"T"}}"#),
    ])
    func titlesAreReadUnderAllTheirNames(name: String, json: String) throws {
        #expect(try Profile.make(named: name).mapping.book(from: .make(json)).title == "T")
    }

    @Test(arguments: [
        ("native", #"{"author":"A"}"#, ["A"]), ("native", #"{"authors":[{"name":"A"},"B",""]}"#, ["A", "B"]),
        ("opds", #"{"metadata":{"author":"A"}}"#, ["A"]), ("opds", #"{"metadata":{"author":{"name":"A"}}}"#, ["A"]),
        ("opds", #"{"metadata":{"author":["A",{"name":"B"}]}}"#, ["A", "B"]),
        ("csl", #"{"author":[{"literal":"A"}]}"#, ["A"]),
        ("csl", #"{"editor":[{"family":"E"}]}"#, ["E"]), ("calibre", #"{"authors":"A & B"}"#, ["A", "B"]),
        ("gutendex", #"{"authors":[]}"#, []), ("openlibrary-edition", #"{"authors":[{"key":"/authors/OL1A"}]}"#, []),
        ("openlibrary-edition", #"{"authors":[{"name":"A"}]}"#, ["A"]),
        ("blacklight", #"{"author_vern_ssim":"A","author_tsim":"B"}"#, ["A"]),
        ("schema", #"{"author":"A"}"#, ["A"]), ("schema", #"{"author":[{"name":"A"},{"name":"B"}]}"#, ["A", "B"]),
    ])
    func authorsAreReadInAllTheirForms(name: String, json: String, authors: [String]) throws {
        #expect(try Profile.make(named: name).mapping.book(from: .make(json)).authors == authors)
    }

    @Test(arguments: [
        ("native", #"{"status":"PUBLISH"}"#, ["status: PUBLISH"]), ("native", #"{"status":"reading"}"#, []),
        ("native", #"{"_id":{"$oid":"53"},"pages":1,"x":2}"#, ["x: 2"]),
        (
            "opds", #"{"metadata":{"title":"T","modified":"2017"},"links":[],"images":[{"href":"a"}]}"#,
            ["metadata.modified: 2017"]
        ),
    ])
    func unreadableValuesBecomeOtherFields(name: String, json: String, expected: [String]) throws {
        let book = try Profile.make(named: name).mapping.book(from: .make(json))
        #expect(book.otherFields.map { "\($0.path): \($0.text)" } == expected)
    }

    @Test func seriesAreReadInAllTheirForms() throws {
        let mapping = try Profile.make(named: "opds").mapping
        for (json, position) in [
            (#"{"series":"S"}"#, nil), (#"{"series":{"name":"S","position":2}}"#, 2.0),
            (#"{"series":[{"name":"S","position":2},{"name":"T","position":3}]}"#, 2.0), (#"{"series":["S"]}"#, nil),
        ] {
            for key in ["belongsTo", "belongs_to"] {
                let book = mapping.book(from: try .make(#"{"metadata":{"\#(key)":\#(json)}}"#))
                #expect(book.series == "S")
                #expect(book.seriesPosition == position)
            }
        }
    }
}

extension Profile {
    /// Returns the built-in profile with this name.
    static func make(named name: String) throws -> Profile {
        try #require(Profile.builtIn(named: name))
    }
}
