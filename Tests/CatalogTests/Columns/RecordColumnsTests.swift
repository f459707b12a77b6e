import Books
import Indexing
import JSON
import Storage
import TestSupport
import Testing
import Text
import Threading

@testable import Catalog
@testable import CatalogTesting

@Suite("Columns of records") struct RecordColumnsTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private static let fields: [BookField] = {
        let paths: [(String, OwnField.Kind, String)] = [
            ("location", .text, "location"), ("tags", .list, "tags"), ("price", .number, "price"),
            ("bought", .date, "bought"), ("signed", .boolean, "signed"), ("web", .link, "web"),
            ("room", .text, "place.room"), ("floor", .number, "place.floor"), ("all", .list, "places[*].room"),
            ("last", .text, "tags[0]"), ("place", .list, "place"), ("kind", .list, "things[?@.a=='x'].b"),
            ("deep", .text, "a.b.c"), ("é", .text, "l\u{E9}ut"),
        ]
        return paths.compactMap { name, kind, path in
            (try? FieldPath(path)).map { BookField(OwnField(name, label: name, kind, at: $0)) }
        }
    }()

    /// Returns the columns of the records, and what they are in the simplest way.
    private func columns(
        of text: String, _ fields: [BookField], named name: String = "books.jsonl"
    ) throws -> [(column: ColumnContent, expected: ColumnContent)] {
        let path = try directory.write(text.utf8, to: name)
        let records = try JSONFileLoader(path: path, known: .books).load()
        while records.state.isLoading { records.loadMore() }
        let mapping = try #require(records.format).mapping.with(own: fields)
        let reader = RecordReader(
            input: records.file, index: records.index, decoder: RecordDecoder(mapping), fileEnd: records.read)
        let made = try #require(reader.columns(of: fields.map(ColumnSource.own)) {}.taken())
        let values = (0..<records.count).map { reader.record(BookID($0)) ?? .null }
        return zip(fields, made).map { field, column in
            let expected = ColumnContent(
                of: values.map { mapping.columnValues(of: field, in: $0) }, isList: field.info.own?.kind == .list)
            return (ColumnContent(column), expected)
        }
    }

    @Test func columnsOfPlainRecordsHaveTheirValuesInOrder() throws {
        let text = """
            {"title": "A", "location": "Hall", "tags": ["b", "a"], "price": 4.5}
            {"title": "B", "location": "hall ", "tags": ["b"], "price": 10}
            {"title": "C", "tags": [], "price": null}
            {"title": "D", "location": "Attic 10", "tags": "a", "price": 4.50}
            {"title": "E", "location": "Attic 9", "tags": ["a", "A", "b"], "price": "7"}

            """
        let found = try columns(of: text, Array(Self.fields.prefix(3))).map(\.column)
        #expect(found[0].spellings == ["Attic 9", "Attic 10", "Hall"])
        #expect(found[0].places == [3, 3, 0, 2, 1])
        #expect(found[1].spellings == ["a", "b"])
        #expect(found[1].places == [4, 3, 0, 1, 2])
        #expect(found[2].values == [.number(4.5), .number(7), .number(10)])
        #expect(found[2].places == [1, 3, 0, 1, 2])
    }

    @Test(arguments: 0..<12) func columnsEqualWhatTheMappingReads(seed: Int) throws {
        var random = SplitMix(seed: UInt64(seed))
        func one(_ texts: [String]) -> String { texts.randomElement(using: &random) ?? "" }
        let scalars = [
            "null", "true", "false", "1", "-0", "0", "1e3", "1E-2", "12.50", "123456789012345678901", "1e999",
            #""""#, #"" ""#, #""\t\n""#, #""Hall""#, #""hall""#, #""HALL  ""#, #"" Hall""#, #""H\u0061ll""#,
            #""\ud83d\ude00 x""#, #""\u0001""#, #""\u00a0""#, #""\u0301""#, #""Straße""#, #""日本""#, #""2024""#,
            #""2024-03-12""#, #""12 March 2024""#, #""yes""#, #""No""#, #""4.50""#, #""007""#, #""-1""#,
            #""https://example.org/a  b""#, #""http://x""#, #""a\nb""#,
            "\"" + String(repeating: "lang ", count: 1000) + "\"",
            "\"" + String(repeating: "é", count: 1100) + "\"", #""\ud800""#,
        ]
        func value(_ depth: Int) -> String {
            switch Int.random(in: 0..<(depth > 2 ? 8 : 12), using: &random) {
            case 8, 9:
                "["
                    + (0..<Int.random(in: 0..<4, using: &random)).map { _ in value(depth + 1) }
                    .joined(separator: one([",", " , "])) + "]"
            case 10, 11:
                "{"
                    + (0..<Int.random(in: 0..<4, using: &random)).map { _ in
                        "\"" + one(["room", "floor", "a", "b", "c", "r\\u006fom"]) + "\": " + value(depth + 1)
                    }.joined(separator: ",") + "}"
            default: one(scalars)
            }
        }
        let keys = [
            "location", "tags", "price", "bought", "signed", "web", "place", "places", "things", "a", "l\u{E9}ut",
            "l\\u00e9ut", "other", "loc\\u0061tion",
        ]
        var lines = ""
        for number in 0..<Int.random(in: 1..<600, using: &random) {
            let members = (0..<Int.random(in: 0..<12, using: &random)).map { _ in
                "\"\(one(keys))\": \(value(0))"
            }
            lines += "{" + (["\"title\": \"T\(number)\""] + members).joined(separator: ", ") + "}\n"
        }
        for (field, (column, expected)) in zip(Self.fields, try columns(of: lines, Self.fields)) {
            #expect(column.values == expected.values, "\(field.id)")
            #expect(column.books == expected.books, "\(field.id)")
            #expect(column.places == expected.places, "\(field.id)")
            #expect(column.spellings == expected.spellings, "\(field.id)")
        }
    }

    @Test func aRecordLongerThanTheBufferIsReadAsAWhole() throws {
        let long = String(repeating: "x", count: 9 << 20)
        let text =
            #"[{"title": "A", "location": "one"}, {"title": "\#(long)", "location": "two"}, "#
            + #"{"title": "C", "location": "\#(long)"}, {"title": "D", "location": "one"}]"#
        let found = try columns(of: text, [Self.fields[0]], named: "books.json")
        #expect(found[0].column == found[0].expected)
        #expect(found[0].column.places == [1, 2, 3, 1])
    }

    @Test func aCancelledTaskHasNoColumns() throws {
        let lines = (0..<20_000).map { "{\"title\": \"\($0)\", \"location\": \"\($0)\"}\n" }.joined()
        let path = try directory.write(lines.utf8, to: "books.jsonl")
        let catalog = JSONFileCatalog(path: path)
        try catalog.open()
        #expect(catalog.makeColumns(of: [.lines(.author)]) {} == nil)
        catalog.readRest()
        let task = try #require(catalog.makeColumns(of: [.lines(.author), .lines(.subject)]) {})
        task.cancel()
        #expect(task.isMade)
        #expect(!task.take())
        #expect(catalog.column(of: .lines(.author)) == nil)
        #expect(catalog.waitForColumns(of: [.lines(.author)]))
        #expect(catalog.column(of: .lines(.author))?.bookCount == 20_000)
    }

    @Test func aColumnTakesFewBytesForEachBook() throws {
        let lines = (0..<50_000).map { "{\"title\": \"\($0)\", \"price\": \($0).5, \"location\": \"\($0 % 100)\"}\n" }
            .joined()
        let path = try directory.write(lines.utf8, to: "books.jsonl")
        let records = try JSONFileLoader(path: path).load()
        while records.state.isLoading { records.loadMore() }
        let mapping = try #require(records.format).mapping.with(own: Self.fields)
        let reader = RecordReader(
            input: records.file, index: records.index, decoder: RecordDecoder(mapping), fileEnd: records.read)
        let made = try #require(reader.columns(of: [.own(Self.fields[0]), .own(Self.fields[2])]) {}.taken())
        #expect(made[0].byteCount < 50_000 * 4 + 2000)
        #expect(made[1].byteCount == 50_000 * 12)
    }
}
