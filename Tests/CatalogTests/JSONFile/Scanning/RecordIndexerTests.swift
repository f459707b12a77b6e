import TestSupport
import Testing

@testable import Books
@testable import Catalog
@testable import CatalogTesting
@testable import Indexing
@testable import JSON
@testable import Text

/// The index entry from a record's bytes must equal the one from its decoded book.
@Suite("JSON file: indexing a record") struct RecordIndexerTests {
    /// Returns the text and the keys from the bytes of `record`, or nil if they need the general parser, and from its
    /// book.
    private func both(_ record: [UInt8]) throws -> (bytes: Entry?, book: Entry) {
        try JSONReader.reading(record) { reader in
            var indexer = RecordIndexer()
            // The previous book must not affect the result.
            indexer.writer.add(Book(title: "Before", authors: ["X"], isbn: ISBN("9780441478125")), offset: 0)
            var fields = FieldExtractor(RecordDecoder.native.plan)
            var rest = reader
            try fields.readRecord(depth: 1, with: &rest)
            let isAdded = indexer.add(fields, of: RecordDecoder.native, in: reader, at: 0, offset: 7)
            #expect(indexer.writer.count == 2)
            let segment = try indexer.writer.takeOne()
            #expect(segment.books.first == Array("before\nx\n9780441478125".utf8))
            indexer.writer.add(
                RecordDecoder.native.indexed(RecordDecoder.native.record(at: 0, with: reader)), offset: 7)
            let other = try indexer.writer.takeOne()
            let (bytes, book) = (Entry(segment, 1), Entry(other, 0))
            // Both ways give the same result.
            #expect(bytes == book, "\(String(decoding: record, as: UTF8.self))")
            return (isAdded ? bytes : nil, book)
        }
    }

    private struct Entry: Equatable {
        var offset: Int
        var text: String
        var keys: MatchKeys
        var facts: String

        init(_ segment: IndexSegment, _ index: Int) {
            offset = segment.offset(at: index)
            text = String(decoding: segment.books[index], as: UTF8.self)
            keys = segment.keys(at: index)
            facts = "\(segment.facts(at: index))"
        }
    }

    @Test(arguments: [
        (
            #"{"title":"Émile","authors":["J. J.  Rousseau","X"],"isbn":"0-441-47812-3"}"#,
            "emile\nj. j. rousseau\nx\n9780441478125"
        ),
        (#"{"title":"A"}"#, "a\n"), ("{}", "\n"), (#"{"authors":[]}"#, "\n"), (#"{"isbn":"n/a","title":"A"}"#, "a\n"),
        (#"{"authors":"Solo","isbn":null}"#, "\nsolo\n"), (#"{"authors":[ "A" , "B" ]}"#, "\na\nb\n"),
        (#"{"title":"","isbn":""}"#, "\n"),
        (#"{"title":"A","authors":"Neil Gaiman & Terry Pratchett"}"#, "a\nneil gaiman\nterry pratchett\n"),
        (#"{"title":"A","author":"Carroll, Lewis, 1832-1898"}"#, "a\ncarroll, lewis\n"),
        (
            #"{"title":"Peter Pan : $b [Peter and Wendy]","sortTitle":"P : $b Q"}"#,
            "peter pan: [peter and wendy]\n\u{1B}p: q\n"
        ),
        (#"{"title":["A ; $b c"]}"#, "a; c\n"), (#"{"title":"$5 a day"}"#, "$5 a day\n"),
        (#"{"title":" A\u0042 ","authors":["羅","한"]}"#, "ab\n羅\n\u{1112}\u{1161}\u{11AB}\n"),
        (#"{"title":7,"isbn":9780441478125,"authors":[{"name":"A"},["B"]]}"#, "7\na\nb\n9780441478125"),
        (#"{"title":"A","authors":["\"B\"","",null,"C"],"title":null}"#, "\n\"b\"\nc\n"),
    ])
    func theTextConsistsOfTitleAuthorsAndISBN(record: String, text: String) throws {
        let (bytes, book) = try both(Array(record.utf8))
        #expect(book.text == text)
        if let bytes { #expect(bytes == book) }
    }

    @Test(arguments: [
        #"{"title":"Emma","authors":["Jane Austen","X"],"isbn":"9780441478125"}"#, #"{"title":"羅生門","authors":["é"]}"#,
        #"{"authors":"Solo"}"#, #"{"author":"Neil Gaiman & Terry Pratchett"}"#, #"{"title":"A","isbn":null}"#,
        #"{"title":"A","isbn":"978 044147812X"}"#,
    ])
    func commonRecordsNeedNoDecoding(record: String) throws {
        let (bytes, book) = try both(Array(record.utf8))
        #expect(bytes == book)
    }

    @Test func bothWaysAgreeOnRandomRecords() throws {
        var random = SplitMix(seed: 0x5E6)
        let values = [
            #""A""#, #""  a\u00e9  B ""#, #""Ünï""#, #""\n""#, #""""#, #"" ""#, "null", "7", "1.50", "true", "[]",
            #"["A","B"]"#,
            #"[ "A" , "" , "C" ]"#, #"["\u00AD"]"#, "[\"\u{AD}\"]", "\"\u{AD}\"", #"["a\"b"]"#, #"["a\\","b"]"#,
            #"[["A"],"B"]"#,
            #"{"name":"A"}"#, #"[{"name":"A"},"B"]"#, #""9780441478125""#, #""0-441-47812-3""#, #""[9780441478125]""#,
            #"" 9780441478125 ""#, #""9780441478125x""#, "9780441478125", #""９７８０４４１４７８１２５""#, "\"a\u{85}b\u{2028}c\"",
            "\"\u{85}\"", "[\"\u{2028}\"]", "\"\u{7F}\u{A0}x\"", "\"한\u{300}\"", "[null,7,true,\"A\"]", #"["A",]"#,
        ]
        var fastCount = 0
        for _ in 0..<5000 {
            var record: [UInt8] = []
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                let key = ["title", "authors", "isbn", "\\u0074itle"][Int.random(in: 0..<4, using: &random)]
                let value = values[Int.random(in: values.indices, using: &random)]
                record += Array("\(record.isEmpty ? "" : ",")\"\(key)\":\(value)".utf8)
                if Int.random(in: 0..<20, using: &random) == 0 {
                    record += [0x2C, 0x22, 0x78, 0x22, 0x3A, 0x22, 0xFF, 0x22]
                }
            }
            record = [0x7B] + record + [0x7D]
            // Invalid UTF-8 within a string.
            if Int.random(in: 0..<10, using: &random) == 0, let place = record.lastIndex(of: 0x41) {
                record[place] = 0xE9
            }
            guard JSONReader.syntaxError(in: record) == nil else { continue }
            let (bytes, book) = try both(record)
            guard let bytes else { continue }
            fastCount += 1
            #expect(bytes == book, "\(String(decoding: record, as: UTF8.self))")
        }
        #expect(fastCount > 500)
    }

    @Test(arguments: [
        (
            #"{"series":"Discworld","publisher":"Corgi","subjects":["Magic","Fools"]}"#,
            "\n\u{1D}discworld\n\u{1E}magic\n\u{1E}fools\n\u{1C}corgi\n"
        ),
        (#"{"subjects":["A","a","B","À"],"tags":["C"]}"#, "\n\u{1E}a\n\u{1E}b\n"),
        (#"{"subjects":[],"tags":"C"}"#, "\n\u{1E}c\n"), (#"{"subjects":[{"name":"A"}]}"#, "\n\u{1E}a\n"),
        (#"{"series":{"name":"A"},"sortTitle":"B, The"}"#, "\n\u{1D}a\n\u{1B}b, the\n"),
        (#"{"language":["en","pt-BR"]}"#, "\n\u{1A}en\n\u{1A}pt-br\n"), (#"{"language":"eng"}"#, "\n"),
        (#"{"language":"Elvish"}"#, "\n\u{1A}elvish\n"), (#"{"title":"a\u001db"}"#, "a b\n"),
    ])
    func furtherSearchableFieldsFollow(record: String, text: String) throws {
        #expect(try both(Array(record.utf8)).book.text == text)
    }

    @Test(arguments: [
        (#"{"pageCount":312,"fiction":true,"published":"1851-09-04","language":"de"}"#, "312 1851 de fiction"),
        (#"{"pages":"1,200 p.","year":"c1990","language":["fre"],"rating":4.5}"#, "1200 1990 fr 4.5"),
        (
            #"{"pageCount":100000,"fiction":"no","published":-44,"status":"read","rating":"3/5"}"#,
            "65535 -44 3.0 non-fiction read"
        ),
        (#"{"subjects":["Science fiction"],"description":"x","seriesPosition":2.5}"#, "#2.5 described"),
        (#"{"dateAdded":"2024-02-29"}"#, "+2024"),
        (#"{"subjects":["Non-fiction"],"published":"","pageCount":0}"#, ""),
    ])
    func numbersAreInTheColumns(record: String, expected: String) throws {
        _ = try both(Array(record.utf8))
        try JSONReader.reading(record.utf8) { reader in
            var builder = SegmentWriter()
            builder.add(RecordDecoder.native.indexed(RecordDecoder.native.record(at: 0, with: reader)), offset: 0)
            let facts = try builder.takeOne().facts(at: 0)
            var words: [String] = []
            if facts.pages > 0 { words.append("\(facts.pages)") }
            if facts.year != NumericFields.unknownYear { words.append("\(facts.year)") }
            if facts.language != .unknown { words.append(facts.language.text) }
            if facts.rating > 0 { words.append("\(Double(facts.rating - 1) / 40)") }
            if facts.added > 0 { words.append("+\(NumericFields.year(ofPacked: facts.added))") }
            if !facts.position.isNaN { words.append("#\(facts.position)") }
            if let isFiction = facts.traits.isFiction { words.append(isFiction ? "fiction" : "non-fiction") }
            if let status = facts.traits.status { words.append(status.rawValue) }
            if facts.traits.contains(.described) { words.append("described") }
            #expect(words.joined(separator: " ") == expected)
        }
    }

    @Test func bothWaysAgreeOnRandomNumbers() throws {
        var random = SplitMix(seed: 0xFAC7)
        let keys = [
            "series", "subjects", "tags", "publisher", "sortTitle", "published", "year", "language", "languages",
            "pageCount", "pages", "fiction", "rating", "status", "seriesPosition", "dateAdded",
        ]
        let values = [
            #""A""#, #""  a\u00e9  B ""#, #""Science Fiction""#, #""1999""#, #""1999-12-31""#, #""2004-02-30""#,
            #""0001-01-01""#,
            #""1999-02""#, #""1999-20""#, #""1999-12-24T01:02:03Z""#, #""June 1988""#, "1999", "1999.0", "19990101",
            "-5", "0", "4",
            "4.25", "4.125", "1e2", "70000", "123456", #""312""#, #""312 p.""#, "true", "false", "null", #""yes""#,
            #""en""#,
            #""eng""#, #""pt-BR""#, #""xx""#, #""English""#, #"["en"]"#, #"["en","fr"]"#, #"["A","a","B"]"#,
            #"[["A"],null,"B"]"#,
            #"[{"name":"A"}]"#, #"{"name":"A"}"#, #"{"value":4}"#, #""reading""#, #""To Read""#, #""""#, #""  ""#, "[]",
            #"[""]"#,
            #"["\u00AD"]"#, "\"\u{AD}\"", #"["fiction","x"]"#, #"["non fiction"]"#, "[2004,3,5]", #"{"$date":0}"#,
        ]
        for _ in 0..<5000 {
            var members: [String] = []
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let key = keys[Int.random(in: keys.indices, using: &random)]
                members.append("\"\(key)\":\(values[Int.random(in: values.indices, using: &random)])")
            }
            _ = try both(Array("{\(members.joined(separator: ","))}".utf8))
        }
    }
}
