import TestSupport
import Testing

@testable import Books
@testable import Catalog
@testable import CatalogTesting
@testable import JSON

/// Keys of records, and columns of tables, that tell a field by their names.
@Suite("Detection: fields by their names") struct NamedKeysTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// Returns the keys of one record that are read because of their names.
    private func keys(_ json: String, isTable: Bool = true) throws -> [String] {
        let record = try JSONValue.make(json)
        let profile = ProfileRecognition.profile(of: [record], isTable: isTable)
        return try #require(Profile.builtIn(named: profile)).namedKeys(in: [record], isTable: isTable)
    }

    @Test(
        "Names in a dozen languages tell a field, whatever their case and separators",
        arguments: [
            (#"{"Titel":"Der See","Autor":"Anna Alpha","Seiten":"320","Verlag":"Haus","Jahr":"2001"}"#, 5),
            (#"{"Titre":"Le lac","Auteur":"Anne","Nombre de pages":"320","Éditeur":"Maison","Année":"2001"}"#, 5),
            (#"{"titolo":"Il lago","autore":"Anna","editore":"Casa","lingua":"it"}"#, 4),
            (#"{"TÍTULO":"El lago","AUTOR":"Ana","IDIOMA":"es","PÁGINAS":"320"}"#, 4),
            (#"{"Название":"Озеро","Автор":"Анна","Издательство":"Дом","Год":"2001","Язык":"ru"}"#, 5),
            (#"{"书名":"湖","作者":"安娜","出版社":"屋","页数":"320"}"#, 4),
            (#"{"タイトル":"湖","著者":"アンナ","出版社":"家"}"#, 3),
            (#"{"Title":"The Lake","Publishers":"House","Seiten":"320","Shelf mark":"Hall 3"}"#, 2),
        ])
    func languages(json: String, count: Int) throws {
        #expect(try keys(json).count == count)
        #expect(try keys(json, isTable: false).count == count)
    }

    @Test(
        "A doubtful name counts in a table of books, and only without a better one",
        arguments: [
            (#"{"book":"The Lake","author":"Ann"}"#, ["book"]), (#"{"label":"The Lake","author":"Ann"}"#, ["label"]),
            (#"{"label":"EMI","band":"Abba","year":"1976"}"#, []), (#"{"book":"Gen","verse":"1"}"#, []),
            (#"{"heading":"The Lake","Titel":"Der See","author":"Ann"}"#, ["Titel"]),
        ])
    func doubtful(json: String, expected: [String]) throws {
        #expect(try keys(json) == expected)
        #expect(try keys(json, isTable: false) == (expected == ["Titel"] ? expected : []))
    }

    @Test(
        "What may be something else is not read",
        arguments: [
            // The library's number, the reader's note, the length of a film, and the state of a series.
            #"{"title":"The Lake","author":"Ann","Barcode":"31234000123456"}"#,
            #"{"title":"The Lake","author":"Ann","Note":"7"}"#, #"{"title":"The Lake","author":"Ann","Length":"120"}"#,
            #"{"title":"The Lake","author":"Ann","score":"87"}"#,
            #"{"title":"The Lake","author":"Ann","averageRating":8.7}"#,
            // A second key of a field stays with the other fields, and an ISBN would change whose marks are whose.
            #"{"title":"The Lake","author":"Ann","publisher":"House","Verlag":"Haus","isbn10":"0306406152"}"#,
            // Without titles, the wizard makes a profile.
            #"{"werk":"Der Prozess","verfasser":"Franz Kafka","seiten":312}"#,
            // Only the records of catalogs of all kinds are read by names.
            #"{"Key":"K","Item Type":"book","Publication Title":"","Title":"The Lake","Seiten":"3"}"#,
        ])
    func notRead(json: String) throws { #expect(try keys(json) == [] && keys(json, isTable: false) == []) }

    @Test("The best key of a field is read, and the others stay where they were") func oneKey() throws {
        #expect(try keys(#"{"title":"T","author":"A","averageRating":4.1,"myRating":5}"#) == ["averageRating"])
        #expect(try keys(#"{"title":"T","author":"A","Verlag":"B","éditeur":"C"}"#) == ["Verlag"])
    }

    @Test("A key that is null everywhere does not count, but an empty column does") func nulls() throws {
        let json = #"{"title":null,"titel":"A","author":"B"}"#
        #expect(try keys(json, isTable: false) == ["titel"] && keys(json) == [])
    }

    @Test("A status in words is read where the key says that it is one of reading") func statusWords() throws {
        for (key, word, status) in [
            ("Read Status", "currently-reading", Book.ReadingStatus.reading), ("Lesestatus", "gelesen", .read),
            ("status", "to read", .toRead), ("status", "finished", nil), ("status", "planned", nil),
        ] {
            let mapping = FieldMapping(rules: [.status: .init([.init(FieldPath(steps: [.name(key)]))])])
            let record = JSONValue.object([.init(key: key, value: .string(word))])
            #expect(mapping.book(from: record).status == status, "\(key): \(word)")
        }
    }

    @Test("A catalog opens by its names, and again from its kept index") func catalog() throws {
        let rows = (1...20_000).map {
            #"{"Titel":"Der See \#($0)","Autor":"Anna Alpha","Seiten":\#($0),"Signatur":"A"}"#
        }
        let path = try directory.write(("[" + rows.joined(separator: ",\n") + "]").utf8, to: "bücher.json")
        let cache = IndexCache(directory: directory.path + "/cache")
        for _ in 0..<2 {
            let catalog = JSONFileCatalog(path: path, cache: cache)
            try catalog.readAll()
            let book = try #require(catalog.book(at: 6))
            #expect(book.title == "Der See 7" && book.authors == ["Anna Alpha"] && book.pageCount == 7)
            #expect(book.own.map(\.field.id) == ["signatur"] && book.otherFields.isEmpty)
            #expect(catalog.format?.profile.name == "native")
            #expect(catalog.format?.namedKeys == ["Titel", "Autor", "Seiten"])
        }
    }

    @Test("Rows of the CSV of stacks are recognized only in tables") func ownTable() throws {
        let names = ["id", "title", "authors", "isbn", "pages", "year", "publisher", "language", "series", "subjects"]
        let record = JSONValue.object(names.map { .init(key: $0, value: .string("x")) })
        #expect(ProfileRecognition.profile(of: [record], isTable: true) == ProfileRecognition.own)
        #expect(ProfileRecognition.profile(of: [record]) == ProfileRecognition.native)
    }

    @Test("Mostly empty columns tell the program that wrote a table") func emptyColumns() throws {
        let columns = ["Title", "Authors", "ISBN/UID", "Read Status", "Moods", "Pace", "Star Rating"]
        let first = JSONValue.object(columns.map { .init(key: $0, value: $0 == "Title" ? .string("Emma") : .null) })
        let rest = try (1...7).map { try JSONValue.make(#"{"Title":"Dune \#($0)","Authors":"Frank Herbert"}"#) }
        #expect(ProfileRecognition.profile(of: [first] + rest, isTable: true) == "storygraph")
    }
}
