import Books
import CatalogTesting
import Foundation
import Indexing
import JSON
import Storage
import TestSupport
import Testing

@testable import Catalog
@testable import Editing

@Suite("Editing a catalog file") struct CatalogFileTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// Returns the text of the file after saving `change`.
    private func changed(
        _ text: String, named name: String = "books.json", _ change: (FileEditor) throws -> Void
    ) throws -> String {
        let path = try directory.write(text.utf8, to: name)
        let editor = try editor(path)
        try change(editor)
        #expect(try editor.save())
        return try content(path)
    }

    private func editor(_ path: String) throws -> FileEditor { try FileEditor(path) }

    private func content(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    }

    /// Sets one field of a book.
    private func set(
        _ field: BookField, of index: Int, in editor: FileEditor, _ change: (inout Book) -> Void
    ) throws {
        var book = try #require(editor.book(BookID(index)))
        change(&book)
        try editor.set([field], of: BookID(index), to: book)
    }

    private static let pretty = """
        {
          "made": "by hand", "version": 1.0,
          "books": [
            {
              "title": "Emma",
              "authors": ["Jane Austen"],
              "x-shelf": [ 7,8 ],
              "year": 1815
            },
            {
              "title": "Dr\\u00e1cula",   "authors": ["Bram Stoker"], "year": 1897
            }
          ],
          "end": null
        }

        """

    // MARK: - The kept index

    @Test("The index cached after a change is that of the changed file", .thorough, arguments: [0, 1, 2, 3])
    func theCachedIndexIsThatOfTheChangedFile(_ form: Int) throws {
        let records = (0..<20_000).map {
            #"{"title": "Title \#($0)", "authors": ["A\#($0 % 7)"], "year": \#(1900 + $0 % 100), "id": \#($0)}"#
        }
        let lines = records.joined(separator: form == 0 ? "\n" : ",\n")
        let text = form == 0 ? lines + "\n" : "[\n" + lines + "\n]\n"
        let path = try directory.write(text.utf8, to: form == 0 ? "books.jsonl" : "books.json")
        let cache = IndexCache(directory: directory.path + "/index")
        func open(keeping isKept: Bool) throws -> JSONFileCatalog {
            let catalog = JSONFileCatalog(path: path, cache: isKept ? cache : nil)
            try catalog.open()
            catalog.readRest()
            catalog.finishKeepingIndex()
            return catalog
        }
        let editor = try FileEditor(try open(keeping: true))
        switch form {
        case 0, 1:
            for number in [0, 5, 6, 7000, 19_999] {
                try set(.title, of: number, in: editor) { $0.title += " and something that is longer" }
            }
        case 2: try editor.remove([0, 1, 500, 501, 19_999].map { BookID($0) })
        default: try editor.add([Book(title: "New", authors: ["Nobody"]), Book(title: "Newer")])
        }
        #expect(try editor.save())
        let kept = JSONFileCatalog(path: path, cache: cache)
        try kept.open()
        // Nothing is read, because the index is cached.
        #expect(kept.state == .ready)
        let read = try open(keeping: false)
        #expect(kept.index.count == read.index.count)
        for number in 0..<read.index.count {
            let id = BookID(number)
            guard kept.index.offset(at: number) == read.index.offset(at: number),
                kept.index.keys(of: id) == read.index.keys(of: id), kept.book(id).value == read.book(id).value,
                kept.index.facts(at: number).year == read.index.facts(at: number).year
            else { return #expect(Bool(false), "\(number)") }
        }
    }

    // MARK: - Fields

    @Test func aFieldIsChangedAndNothingElse() throws {
        let result = try changed(Self.pretty) {
            try set(.published, of: 0, in: $0) { $0.published = PartialDate(year: 1816) }
        }
        #expect(result == Self.pretty.replacing("1815", with: "1816"))
    }

    @Test func aChangeAndItsReverseGiveTheSameBytes() throws {
        let path = try directory.write(Self.pretty.utf8, to: "books.json")
        for title in ["Ästhetik/1", "Emma"] {
            let editor = try editor(path)
            try set(.title, of: 0, in: editor) { $0.title = title }
            #expect(try editor.save())
            // The neighbour shows how non-ASCII letters are written in this catalog.
            #expect(try content(path).contains(JSONValue.string(title).json.replacing("Ä", with: "\\u00c4")))
        }
        #expect(try content(path) == Self.pretty)
    }

    @Test func nothingIsWrittenWithoutAChange() throws {
        let path = try directory.write(Self.pretty.utf8, to: "books.json")
        let before = RandomAccessInput.Fingerprint(ofFileAt: path)
        let editor = try editor(path)
        try set(.title, of: 0, in: editor) { $0.title = "Emma" }
        #expect(editor.isEmpty)
        #expect(try editor.save())
        #expect(RandomAccessInput.Fingerprint(ofFileAt: path) == before)
    }

    @Test func aValueIsWrittenInTheCatalogsForm() throws {
        let calibre =
            #"[{"title":"Emma","authors":"Austen, Jane","tags":["a"],"formats":[],"rating":8,"uuid":"u"},"#
            + #"{"title":"Kim","authors":["Kipling, Rudyard"],"tags":["a"],"formats":[],"rating":8,"uuid":"v"}]"#
        let result = try changed(calibre) {
            try set(.authors, of: 0, in: $0) { $0.authors = ["Jane Austen", "Bram Stoker"] }
        }
        #expect(result.contains("Stoker"))
        let path = try directory.write(result.utf8, to: "again.json")
        #expect(try editor(path).book(BookID(0))?.authors == ["Jane Austen", "Bram Stoker"])
    }

    @Test func unrepresentableValuesAreRejected() throws {
        let page =
            #"{"count":1,"next":null,"previous":null,"results":[{"id":1,"title":"Emma","authors":[{"name":"Austen, Jane","birth_year":1775,"death_year":1817}],"subjects":[],"bookshelves":[],"languages":["en"],"copyright":false,"media_type":"Text","formats":{},"download_count":1}]}"#
        let path = try directory.write(page.utf8, to: "books.json")
        let editor = try editor(path)
        var book = try #require(editor.book(BookID(0)))
        #expect(book.title == "Emma")
        book.status = .read
        #expect(throws: CatalogEditError.cannotHold(.status, value: "read", title: "Emma")) {
            try editor.set([.status], of: BookID(0), to: book)
        }
        #expect(editor.isEmpty)
    }

    @Test func anotherNormalizationFormIsAChange() throws {
        let text = #"[{"title":"Caf\u{E9}","authors":["Caf\u{E9}"]}]"#.replacing("\\u{E9}", with: "\u{E9}")
        let result = try changed(text) {
            try set(.title, of: 0, in: $0) { $0.title = "Cafe\u{301}" }
            try set(.authors, of: 0, in: $0) { $0.authors = ["Cafe\u{301}"] }
        }
        #expect(result.utf8.elementsEqual(text.utf8) == false)
        #expect(result.utf8.elementsEqual(text.replacing("\u{E9}", with: "e\u{301}").utf8))
    }

    @Test func anEditThatWouldInvalidateTheCatalogIsNotWritten() throws {
        let text = "{\"title\":\"A\",\"authors\":[\"X\"]}\ngarbage\n{\"title\":\"B\",\"authors\":[\"X\"]}\n"
        let path = try directory.write(text.utf8, to: "books.jsonl")
        let editor = try editor(path)
        try editor.remove([0])
        #expect(throws: CatalogEditError.unreadableAfterwards) { try editor.save() }
        #expect(try content(path) == text)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["books.jsonl"])
    }

    @Test func aSingleJSONLineIsAList() throws {
        let line = "{\"title\":\"A\",\"authors\":[\"X\"],\"isbn\":null}\n"
        let result = try changed(line, named: "books.jsonl") { try $0.add([Self.dracula]) }
        #expect(result == line + "{\"title\":\"Dracula\",\"authors\":[\"Bram Stoker\"],\"isbn\":null}\n")
        #expect(try changed(line, named: "books.jsonl") { try $0.remove([0]) } == "")
    }

    @Test func leftoversOfKilledProcessesAreDeleted() throws {
        try directory.write([1], to: "books.json.0123456789abcdef.tmp")
        try directory.write([1], to: "books.json.mine.tmp")
        _ = try changed(Self.three) { try $0.remove([0]) }
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
        #expect(names == ["books.json", "books.json.mine.tmp"])
    }

    // MARK: - Adding

    private static let dracula = Book(title: "Dracula", authors: ["Bram Stoker"])

    @Test(arguments: [
        (
            #"[{"title":"Emma","authors":["Jane Austen"]}]"#,
            #"[{"title":"Emma","authors":["Jane Austen"]},{"title":"Dracula","authors":["Bram Stoker"]}]"#
        ),
        (
            #"[ {"title": "Emma", "authors": ["A"]}, {"title": "Emmy", "authors": ["B"]} ]"#,
            #"[ {"title": "Emma", "authors": ["A"]}, {"title": "Emmy", "authors": ["B"]}, {"title": "Dracula", "authors": ["Bram Stoker"]} ]"#
        ),
        (
            "[\r\n\t{\r\n\t\t\"authors\": [\r\n\t\t\t\"A\"\r\n\t\t],\r\n\t\t\"title\": \"Emma\"\r\n\t}\r\n]\r\n",
            "[\r\n\t{\r\n\t\t\"authors\": [\r\n\t\t\t\"A\"\r\n\t\t],\r\n\t\t\"title\": \"Emma\"\r\n\t},\r\n\t{\r\n\t\t\"authors\": [\r\n\t\t\t\"Bram Stoker\"\r\n\t\t],\r\n\t\t\"title\": \"Dracula\"\r\n\t}\r\n]\r\n"
        ),
        (
            "[\n{\"title\":\"Emma\",\"authors\":[\"A\"],\"isbn\":null},\n{\"title\":\"Emmy\",\"authors\":[\"B\"],\"isbn\":\"9780141439587\"}\n]",
            "[\n{\"title\":\"Emma\",\"authors\":[\"A\"],\"isbn\":null},\n{\"title\":\"Emmy\",\"authors\":[\"B\"],\"isbn\":\"9780141439587\"},\n{\"title\":\"Dracula\",\"authors\":[\"Bram Stoker\"],\"isbn\":null}\n]"
        ),
        (
            "{\"title\":\"Emma\",\"authors\":[\"A\"]}\n{\"title\":\"Emmy\",\"authors\":[\"B\"]}",
            "{\"title\":\"Emma\",\"authors\":[\"A\"]}\n{\"title\":\"Emmy\",\"authors\":[\"B\"]}\n{\"title\":\"Dracula\",\"authors\":[\"Bram Stoker\"]}"
        ),
        (
            "{\"title\":\"Emma\",\"authors\":[\"A\"]}\r\n{\"title\":\"Emmy\",\"authors\":[\"B\"]}\r\n",
            "{\"title\":\"Emma\",\"authors\":[\"A\"]}\r\n{\"title\":\"Emmy\",\"authors\":[\"B\"]}\r\n{\"title\":\"Dracula\",\"authors\":[\"Bram Stoker\"]}\r\n"
        ),
        ("\u{FEFF}[]", "\u{FEFF}[\n  {\n    \"title\": \"Dracula\",\n    \"authors\": [\"Bram Stoker\"]\n  }\n]"),
    ]) func aNewBookLooksLikeItsNeighbours(text: String, expected: String) throws {
        #expect(try changed(text) { try $0.add([Self.dracula]) } == expected)
    }

    @Test(arguments: [
        (
            #"{"books":[]}"#,
            #"{"books":[{"title":"Dracula","authors":["Bram Stoker"]},{"title":"Emma","authors":["Jane Austen"]}]}"#
        ),
        (
            #"{"made": "by hand", "books": [ ], "n": 7}"# + "\n",
            #"{"made": "by hand", "books": [{"title": "Dracula", "authors": ["Bram Stoker"]}, "#
                + #"{"title": "Emma", "authors": ["Jane Austen"]}], "n": 7}"# + "\n"
        ),
        (
            "\u{FEFF}{\r\n\t\"n\": 7, \"books\": []\r\n}\r\n",
            "\u{FEFF}{\r\n\t\"n\": 7, \"books\": [\r\n\t\t{\r\n\t\t\t\"title\": \"Dracula\",\r\n\t\t\t\"authors\": [\"Bram Stoker\"]"
                + "\r\n\t\t},\r\n\t\t{\r\n\t\t\t\"title\": \"Emma\",\r\n\t\t\t\"authors\": [\"Jane Austen\"]\r\n\t\t}\r\n\t]\r\n}\r\n"
        ),
        (
            "{\n    \"books\": [\n    ]\n}",
            "{\n    \"books\": [\n        {\n            \"title\": \"Dracula\",\n            \"authors\": [\"Bram Stoker\"]"
                + "\n        },\n        {\n            \"title\": \"Emma\",\n            \"authors\": [\"Jane Austen\"]\n        }\n    ]\n}"
        ),
    ]) func theFirstBooksStandBetweenTheBracketsAsTheFileIsIndented(text: String, expected: String) throws {
        let emma = Book(title: "Emma", authors: ["Jane Austen"])
        #expect(try changed(text) { try $0.add([Self.dracula, emma]) } == expected)
        #expect(try changed(text) { try $0.add([]) } == text)
    }

    @Test func booksCanBeAddedAfterAllWereDeleted() throws {
        let text = #"{"books": [{"title": "Emma", "authors": ["Jane Austen"]}], "n": 7}"#
        let empty = try changed(text) { try $0.remove([0]) }
        #expect(empty == #"{"books": [], "n": 7}"#)
        #expect(try changed(empty) { try $0.add([Book(title: "Emma", authors: ["Jane Austen"])]) } == text)
    }

    @Test(arguments: ["[null, {\"title\": \"A\", \"authors\": [\"B\"]}, 5]"])
    func aFileThatWouldNotOpenWithoutBooksKeepsThem(text: String) throws {
        let path = try directory.write(text.utf8, to: "books.json")
        let editor = try editor(path)
        try editor.remove([0])
        #expect(throws: CatalogEditError.unreadableAfterwards) { try editor.save() }
        #expect(try content(path) == text)
    }

    @Test func theFirstBookFollowsTheProfile() throws {
        let google = #"{"kind":"books#volumes","totalItems":0,"items":[]}"#
        #expect(
            try changed(google) { try $0.add([Self.dracula]) }
                == #"{"kind":"books#volumes","totalItems":0,"items":[{"volumeInfo":{"title":"Dracula","authors":["Bram Stoker"]}}]}"#
        )
        let profile = try Profile(
            parsing: #"{"name":"mine","records":"a.b[*]","fields":{"title":"t","authors":{"path":"by","split":"; "}}}"#
                .utf8)
        let path = try directory.write(#"{"a": {"b": []}}"#.utf8, to: "mine.json")
        func editor() throws -> FileEditor {
            try FileEditor(JSONFileCatalog(path: path, profile: profile))
        }
        var book = Self.dracula
        book.publisher = "Constable"
        #expect(throws: CatalogEditError.cannotHold(.publisher, value: "Constable", title: "Dracula")) {
            try editor().add([book])
        }
        let editor = try editor()
        try editor.add([Self.dracula])
        #expect(try editor.save())
        #expect(try content(path) == #"{"a": {"b": [{"t": "Dracula", "by": "Bram Stoker"}]}}"#)
    }

    @Test(arguments: [
        ("9780141439587", "978-0-393-03976-4", "9780393039764"), ("9780141439587", "0-393-03976-5", "0393039765"),
        ("9780141439587", "9780393039764", "9780393039764"),
        ("978-0-14-143958-7", "978-0-393-03976-4", "978-0-393-03976-4"),
        ("978-0-14-143958-7", "9780393039764", "9780393039764"), ("978-0141439587", "9780393039764", "978-0393039764"),
        ("", "978-0-393-03976-4", "978-0-393-03976-4"),
    ]) func aNewISBNHasHyphensOnlyIfItsNeighboursHave(neighbour: String, given: String, written: String) throws {
        let first = #"{"title":"Emma","authors":["Jane Austen"],"isbn":"\#(neighbour)"}"#
        let book = Book(title: "Dracula", authors: ["Bram Stoker"], isbn: ISBN(given))
        let result = try changed("[\(first)]") { try $0.add([book]) }
        #expect(result == #"[\#(first),{"title":"Dracula","authors":["Bram Stoker"],"isbn":"\#(written)"}]"#)
    }

    @Test func hyphensInANewISBNFollowTheCatalog() throws {
        let text =
            #"[{"title":"Emma","isbn":"9780141439587"},{"title":"Dracula"},{"title":"Kim","isbn":"978-0141439587"}]"#
        let result = try changed(text) {
            try set(.isbn, of: 0, in: $0) { $0.isbn = ISBN("978-0-393-03976-4") }
            try set(.isbn, of: 1, in: $0) { $0.isbn = ISBN("9780393039764") }
            try set(.isbn, of: 2, in: $0) { $0.isbn = ISBN("9780393039764") }
        }
        #expect(
            result
                == #"[{"title":"Emma","isbn":"9780393039764"},{"title":"Dracula","isbn":"978-0393039764"},{"title":"Kim","isbn":"978-0393039764"}]"#
        )
    }

    // MARK: - Types

    private static let search =
        #"{"numFound":2,"start":0,"docs":["#
        + #"{"key":"/works/OL1W","title":"Emma","author_name":["Jane Austen"],"first_publish_year":1815,"cover_i":12},"#
        + #"{"key":"/works/OL2W","title":"Ulysses","author_name":["James Joyce"],"cover_i":13}]}"#

    @Test(arguments: [0, 1]) func aMonthDoesNotTurnANumericYearIntoText(index: Int) throws {
        let path = try directory.write(Self.search.utf8, to: "books.json")
        let editor = try editor(path)
        var book = try #require(editor.book(BookID(index)))
        book.published = PartialDate(year: 1850, month: 12)
        #expect(
            throws: CatalogEditError.typeDiffers(.published, value: "1850-12", title: book.title, fitting: .year)
        ) { try editor.set([.published], of: BookID(index), to: book) }
        #expect(editor.isEmpty)
        book.published = PartialDate(year: 1850)
        #expect(try editor.set([.published], of: BookID(index), to: book))
        #expect(try editor.save())
        #expect(try content(path).contains(#""first_publish_year":1850"#))
    }

    @Test func aTextBecomesAListOnlyIfOtherRecordsHaveLists() throws {
        let alone = #"[{"title":"Emma","authors":"Jane Austen"},{"title":"Kim","authors":"Rudyard Kipling"}]"#
        let path = try directory.write(alone.utf8, to: "books.json")
        let refusing = try editor(path)
        var book = try #require(refusing.book(BookID(0)))
        book.authors = ["A", "B"]
        #expect(throws: CatalogEditError.typeDiffers(.authors, value: "A; B", title: "Emma", fitting: .oneValue)) {
            try refusing.set([.authors], of: BookID(0), to: book)
        }
        let mixed = #"[{"title":"Emma","authors":"Jane Austen"},{"title":"Kim","authors":["Rudyard Kipling"]}]"#
        #expect(
            try changed(mixed) { try set(.authors, of: 0, in: $0) { $0.authors = ["A", "B"] } }
                == #"[{"title":"Emma","authors":["A","B"]},{"title":"Kim","authors":["Rudyard Kipling"]}]"#)
    }

    @Test func aTimeStampStaysOne() throws {
        let mongo =
            #"{"_id":1,"title":"Emma","publishedDate":{"$date":"2009-04-01T00:00:00.000-0700"}}"# + "\n"
            + #"{"_id":2,"title":"Kim"}"# + "\n"
        let path = try directory.write(mongo.utf8, to: "books.ndjson")
        let editor = try editor(path)
        var book = try #require(editor.book(BookID(1)))
        book.published = PartialDate(year: 2010)
        #expect(throws: CatalogEditError.typeDiffers(.published, value: "2010", title: "Kim", fitting: .day)) {
            try editor.set([.published], of: BookID(1), to: book)
        }
        book.published = PartialDate(year: 2010, month: 5, day: 2)
        try editor.set([.published], of: BookID(1), to: book)
        #expect(try editor.save())
        #expect(
            try content(path)
                == mongo.replacing(
                    #""Kim""#, with: #""Kim","publishedDate":{"$date":"2010-05-02T00:00:00.000-0700"}"#))
    }

    @Test func aNewISBNIsWrittenAtThePathForItsLength() throws {
        let edition =
            #"{"key":"/books/OL1M","type":{"key":"/type/edition"},"title":"Emma","isbn_13":["9780141439587"],"number_of_pages":474}"#
        let lines = edition + "\n"
        let path = try directory.write(lines.utf8, to: "books.jsonl")
        let profile = try #require(ProfileLibrary(directory: nil).profile(named: "openlibrary-edition"))
        func editor() throws -> FileEditor {
            try FileEditor(JSONFileCatalog(path: path, profile: profile))
        }
        let adding = try editor()
        try adding.add([Book(title: "Kim", isbn: ISBN("0-393-03976-5"))])
        #expect(try adding.save())
        #expect(try content(path) == lines + #"{"title":"Kim","isbn_10":["0393039765"]}"# + "\n")
        // An edition with only the long form keeps that form.
        let setting = try editor()
        try setting.set([.isbn], of: BookID(0), to: Book(title: "Emma", isbn: ISBN("0-393-03976-5")))
        #expect(try setting.save())
        #expect(try content(path).contains(#""isbn_13":["9780393039764"],"number_of_pages":474"#))
    }

    @Test func aNewBookWithoutACoverHasNoEmptyImages() throws {
        let feed =
            #"{"metadata":{"title":"Feed"},"publications":[{"metadata":{"title":"Emma","author":"Jane Austen"},"images":[{"href":"e.jpg","type":"image/jpeg"}]}]}"#
        let result = try changed(feed) { try $0.add([Self.dracula]) }
        #expect(
            result
                == feed.dropLast(2) + #",{"metadata":{"title":"Dracula","author":"Bram Stoker"}}]}"#)
    }

    @Test func aNewBookCopiesNothingFromItsNeighbour() throws {
        let text = #"""
            [{"key":"/works/OL1W","title":"Emma","authors":[{"key":"/authors/OL1A","name":"Jane Austen"}],"notes":"mine","year":1815}]
            """#
        let result = try changed(text) { try $0.add([Self.dracula]) }
        let records = try #require(try JSONSerialization.jsonObject(with: Data(result.utf8)) as? [[String: Any]])
        #expect(records.count == 2)
        #expect(records[1]["key"] == nil)
        #expect(records[1]["notes"] == nil)
        #expect(records[1]["year"] == nil)
        let path = try directory.write(result.utf8, to: "again.json")
        #expect(try editor(path).book(BookID(1))?.authors == ["Bram Stoker"])
        #expect(!result.dropFirst(text.count).contains("OL1"))
    }

    @Test func textAfterTheLastBookStaysAfterTheNewOne() throws {
        let result = try changed(#"[{"title":"Emma","authors":["A"]}, 7]"#) { try $0.add([Self.dracula]) }
        #expect(result == #"[{"title":"Emma","authors":["A"]}, 7, {"title":"Dracula","authors":["Bram Stoker"]}]"#)
    }

    // MARK: - Taking out and moving

    private static let three =
        "[\n  {\"title\": \"A\", \"authors\": []},\n  {\"title\": \"B\", \"authors\": []},\n  {\"title\": \"C\", \"authors\": []}\n]\n"

    private func titles(_ text: String) throws -> [String] {
        let path = try directory.write(text.utf8, to: "titles.json")
        let catalog = JSONFileCatalog(path: path)
        try catalog.open()
        catalog.readRest()
        return (0..<catalog.index.count).compactMap { catalog.book(BookID($0)).value?.title }
    }

    @Test(arguments: [[0], [1], [2], [0, 1], [1, 2], [0, 2], [2, 0, 1]]) func booksAreRemovedWithTheirCommas(
        indices: [Int]
    ) throws {
        let lines = Self.three.split(separator: "\n").map(String.init)
        let rest = [0, 1, 2].filter { !indices.contains($0) }
        let records = rest.map { lines[$0 + 1].hasSuffix(",") ? String(lines[$0 + 1].dropLast()) : lines[$0 + 1] }
        let expected = rest.isEmpty ? "[]\n" : "[\n" + records.joined(separator: ",\n") + "\n]\n"
        #expect(try changed(Self.three) { try $0.remove(indices.map { BookID($0) }) } == expected)
    }

    @Test(
        arguments: ["a\nb\nc\n", "a\nb\nc", "a\r\nb\r\nc\r\n", "a\r\nb\r\nc", "\u{FEFF}a\nb\nc"],
        [[0], [1], [2], [1, 2], [0, 2]])
    func linesAreRemovedCompletely(shape: String, indices: [Int]) throws {
        func text(_ lines: [String]) -> String {
            lines.joined(separator: shape.contains("\r") ? "\r\n" : "\n")
        }
        let all = ["A", "B", "C"].map { "{\"title\":\"\($0)\",\"authors\":[\"X\"]}" }
        let end = shape.hasSuffix("\r\n") ? "\r\n" : shape.hasSuffix("\n") ? "\n" : ""
        let mark = shape.hasPrefix("\u{FEFF}") ? "\u{FEFF}" : ""
        let rest = [0, 1, 2].filter { !indices.contains($0) }.map { all[$0] }
        let result = try changed(mark + text(all) + end, named: "books.jsonl") {
            try $0.remove(indices.map { BookID($0) })
        }
        #expect(Array(result.utf8) == Array((mark + text(rest) + end).utf8))
    }

    @Test(arguments: 0..<3, 0..<3) func booksAreMovedUnchanged(from: Int, to: Int) throws {
        for isAfter in [true, false] {
            for text in [
                Self.three, #"[{"title":"A","authors":[]},{"title":"B","authors":[]},{"title":"C","authors":[]}]"#,
                "{\"title\":\"A\",\"authors\":[\"X\"]}\n{\"title\":\"B\",\"authors\":[\"X\"]}\n{\"title\":\"C\",\"authors\":[\"X\"]}",
            ] {
                var expected = ["A", "B", "C"]
                let book = expected.remove(at: from)
                let goal = ["A", "B", "C"][to]
                let index = expected.firstIndex(of: goal).map { $0 + (isAfter ? 1 : 0) } ?? from
                expected.insert(book, at: index)
                let result = try changed(text) { try $0.move(BookID(from), after: isAfter, BookID(to)) }
                #expect(try titles(result) == expected, "\(from) to \(to)")
                #expect(result.utf8.count == text.utf8.count)
                #expect(result.utf8.sorted() == text.utf8.sorted())
            }
        }
    }

    @Test func keyedRecordsAndSingleRecordsAreNotLists() throws {
        for text in [
            #"{"a":{"title":"A","authors":["X"],"isbn":"1"},"b":{"title":"B","authors":["Y"],"isbn":"2"}}"#,
            #"{"title":"A","authors":["X"],"isbn":"9780141439587"}"#,
        ] {
            let editor = try editor(try directory.write(text.utf8, to: "books.json"))
            #expect(throws: CatalogEditError.notAList) { try editor.add([Self.dracula]) }
            #expect(throws: CatalogEditError.notAList) { try editor.remove([BookID(0)]) }
            try set(.title, of: 0, in: editor) { $0.title = "Z" }
            #expect(try editor.changes.count == 1)
        }
    }

    // MARK: - Files

    @Test func aFileChangedByOthersIsNotReplaced() throws {
        let path = try directory.write(Self.three.utf8, to: "books.json")
        let editor = try editor(path)
        try editor.remove([BookID(0)])
        let other = Self.three.replacing("\"C\"", with: "\"D\"")
        try directory.write(other.utf8, to: "books.json")
        #expect(try !editor.save())
        #expect(try content(path) == other)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["books.json"])
    }

    @Test func modesAndLinksStay() throws {
        let path = try directory.write(Self.three.utf8, to: "books.json")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
        let link = directory.path + "/link.json"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "books.json")
        let editor = try editor(link)
        try editor.remove([BookID(0)])
        #expect(try editor.save())
        #expect(try titles(content(path)) == ["B", "C"])
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "books.json")
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o640)
    }

    @Test func aFileWithHardLinksIsRejected() throws {
        let path = try directory.write(Self.three.utf8, to: "books.json")
        try FileManager.default.linkItem(atPath: path, toPath: directory.path + "/other.json")
        #expect(throws: CatalogEditError.obstacle(.hardLinks)) { try editor(path) }
    }

    // MARK: - Sorting

    private func sort(_ order: Int...) -> (FileEditor) throws -> Void {
        { editor in try editor.sort(into: order.map { BookID($0) }) }
    }

    @Test func recordsAreSortedWithTheBytesBetweenThemInPlace() throws {
        let text = """
            {"x": 1, "books": [
              {"title": "C",  "authors": ["c"]}  ,
                {"title": "A", "authors": ["a"], "x": [1,  2]},

              {"title": "B", "authors": ["b"]}
            ] }

            """
        let expected = """
            {"x": 1, "books": [
              {"title": "A", "authors": ["a"], "x": [1,  2]}  ,
                {"title": "B", "authors": ["b"]},

              {"title": "C",  "authors": ["c"]}
            ] }

            """
        #expect(try changed(text, sort(1, 2, 0)) == expected)
        #expect(try changed(expected, sort(2, 0, 1)) == text)
        #expect(try changed(text, sort(0, 1, 2)) == text)
    }

    @Test func linesAreSortedAndOtherLinesStay() throws {
        let text = "{\"title\": \"B\"}\r\n7\r\n\r\n{\"title\": \"A\", \"authors\": [\"é\"]}"
        let expected = "{\"title\": \"A\", \"authors\": [\"é\"]}\r\n7\r\n\r\n{\"title\": \"B\"}"
        #expect(try changed(text, named: "books.jsonl", sort(1, 0)) == expected)
    }

    @Test func otherElementsStayInPlace() throws {
        #expect(
            try changed(#"[{"title":"B"},7,"x",{"title":"A"}]"#, sort(1, 0))
                == #"[{"title":"A"},7,"x",{"title":"B"}]"#)
    }

    @Test func longRecordsAreSortedToo() throws {
        let long = #"{"title":"Long","description":"\#(String(repeating: "x", count: 200_000))"}"#
        #expect(
            try changed("[\(long),{\"title\":\"A\"}]\n", sort(1, 0)) == "[{\"title\":\"A\"},\(long)]\n")
    }

    @Test(arguments: [
        #"{"a": {"title": "B", "authors": ["b"]}, "b": {"title": "A", "authors": ["a"]}}"#,
        #"{"lists": [[{"title": "B", "authors": ["b"]}], [{"title": "A", "authors": ["a"]}]]}"#,
    ])
    func recordsOfSeveralListsAreNotSorted(text: String) throws {
        let editor = try editor(try directory.write(text.utf8, to: "books.json"))
        #expect(editor.count == 2)
        try editor.sort(into: [BookID(1), BookID(0)])
        #expect(throws: CatalogEditError.self) { try editor.changes }
    }
}
