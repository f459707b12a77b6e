import TestSupport
import Testing

@testable import Books
@testable import Catalog
@testable import CatalogTesting
@testable import Indexing
@testable import JSON

/// The values read from the bytes of a mapped record must equal those that the mapping reads from the parsed record.
@Suite("JSON file: scanning with a mapping") struct MappedScanTests {
    /// Returns the text and the keys read from the bytes, or nil if the general parser is needed.
    private func scan(_ record: String, by decoder: RecordDecoder) throws -> (bytes: String?, general: String) {
        try JSONReader.reading(record.utf8) { reader in
            func text(_ builder: inout SegmentWriter) throws -> String {
                let segment = try builder.takeOne()
                let keys = segment.keys(at: 0)
                return String(decoding: segment.text(at: 0), as: UTF8.self)
                    + "\(keys.hash.description)\(keys.isbn?.description ?? "")\(segment.facts(at: 0))"
            }
            var indexer = RecordIndexer()
            var fields = FieldExtractor(decoder.plan)
            var rest = reader
            try fields.readRecord(depth: 1, with: &rest)
            let isAdded = indexer.add(fields, of: decoder, in: reader, at: 0, offset: 0)
            let bytes = isAdded ? try text(&indexer.writer) : nil
            indexer.writer.add(decoder.indexed(decoder.record(at: 0, with: reader)), offset: 0)
            let general = try text(&indexer.writer)
            // The part of the record needed for the keys gives the same keys.
            #expect(
                MatchKeys(of: decoder.heading(of: fields.record(in: reader)))
                    == MatchKeys(of: decoder.heading(of: decoder.record(at: 0, with: reader))), "\(record)")
            let heading = try decoder.decodeHeading(at: 0, with: reader)
            #expect(heading == decoder.heading(of: decoder.record(at: 0, with: reader)), "\(record)")
            return (bytes, general)
        }
    }

    private func decoder(fields: String) throws -> RecordDecoder {
        let profile = try Profile(parsing: #"{"name":"mine","fields":{\#(fields)}}"#.utf8)
        let decoder = RecordDecoder(profile.mapping)
        try #require(decoder.isPlanned)
        return decoder
    }

    @Test(arguments: [
        #"{"title":"A","authors":["X","Y"],"isbn":"9780441478125"}"#, #"{"name":"A","author":"X","ISBN":"0441478123"}"#,
        #"{"title":" A  B ","authors":["", " ","X"],"isbn":" 978-0-441-47812-5 "}"#, #"{"title":" ","name":"A"}"#,
        #"{"title":"","name":"","authors":[],"author":["X"]}"#, #"{"title":["A","B"],"authors":"X; Y"}"#,
        #"{"title":1984,"authors":[{"name":"X"}],"isbn":9780441478125}"#, #"{"title":"\u0041","authors":["\"X\""]}"#,
        #"{"title":"A","isbn":"1","isbn13":"9780441478125"}"#, #"{"title":"A","isbn":"1","isbn13":"2"}"#,
        #"{"title":"A","isbn":["1","9780441478125"]}"#, #"{"title":"A","isbn":[],"isbn13":null,"ISBN":"0441478123"}"#,
        #"{"title":"A","title":"B","authors":"X","authors":null}"#, #"{"title":null,"authors":[null,["X"],true]}"#,
        "{}",
        #"{"title":{"en":"A"},"authors":{"X":1}}"#, #"{"authors":["X"],"isbn":"x"}"#, #"{"title":"Solaris\n Two"}"#,
    ])
    func aSummaryAgreesWithTheWholeRecord(record: String) throws {
        let decoder = RecordDecoder(try #require(Profile.builtIn(named: "native")).mapping)
        _ = try scan(record, by: decoder)
    }

    /// Well-formed catalogs of these profiles must not need the general parser.
    @Test(arguments: [
        (
            "opds",
            #"{"metadata":{"title":"A B","author":[{"name":"X","sortAs":"x"},{"name":"Y"}],"identifier":"urn:isbn:9780441478125"}}"#
        ),
        ("opds", #"{"metadata":{"title":"A","author":{"name":"X"},"identifier":"urn:isbn:0441478123"},"links":[]}"#),
        ("opds", #"{"metadata":{"title":"A","author":"X","altIdentifier":["urn:isbn:9780441478125"]}}"#),
        (
            "google",
            #"{"volumeInfo":{"title":"A","authors":["X"],"industryIdentifiers":[{"type":"ISBN_10","identifier":"0441478123"},"#
                + #"{"type":"ISBN_13","identifier":"9780441478125"}]}}"#
        ),
        ("gutendex", #"{"title":"A","authors":[{"name":"X, Y","birth_year":1}],"bookshelves":[]}"#),
        ("gutendex", #"{"title":"A","authors":[],"bookshelves":[]}"#),
        ("calibre", #"{"title":"A","authors":"X","isbn":"9780441478125"}"#),
        ("blacklight", #"{"title_tsim":["A"],"author_tsim":["X"],"isbn_ssim":["0441478123"]}"#),
        ("blacklight", #"{"title_vern_ssim":["א"],"title_tsim":["A"],"author_tsim":["X"]}"#),
        ("openlibrary-search", #"{"title":"A","author_name":["X","Y"],"isbn":["9780441478125","0441478123"]}"#),
        ("schema", #"{"@type":"Book","name":"A","author":{"@type":"Person","name":"X"},"isbn":"9780441478125"}"#),
        ("csl", #"{"id":"a","type":"book","title":"A","author":[{"name":"X"}],"ISBN":"978-0-441-47812-5"}"#),
        ("native", #"{"title":"A","authors":["X"],"isbn":"9780441478120","pageCount":7}"#),
    ])
    func commonFormsAreReadFromTheBytes(name: String, record: String) throws {
        let found = try scan(record, by: RecordDecoder(FieldMapping(ofProfile: name)))
        #expect(found.bytes == found.general)
    }

    @Test(.thorough) func bothWaysAgreeOnRandomRecords() throws {
        var random = SplitMix(seed: 0x3A99)
        let leaves = [
            #""A""#, #""B c""#, #""""#, #"" ""#, "null", "7", "true", "[]", "{}", #""é""#, "\"\u{AD}\"", #""\u0041""#,
            #""9780441478125""#, #""urn:isbn:9780441478125""#, #""0441478123""#, #""x""#, #""urn:uuid:1""#,
            #""http://a.b/9780441478125""#, #""9780441478120""#, #""X & Y""#, #""X && Y""#, #""URN:ISBN:0441478123""#,
        ]
        let keys = ["t", "name", "n", "type", "a", "b", "i"]
        func value(_ depth: Int) -> String {
            switch depth > 3 ? 0 : Int.random(in: 0..<9, using: &random) {
            case 0...4: leaves[Int.random(in: leaves.indices, using: &random)]
            case 5, 6:
                "[" + (0..<Int.random(in: 0...3, using: &random)).map { _ in value(depth + 1) }.joined(separator: ",")
                    + "]"
            default: object(depth + 1)
            }
        }
        func object(_ depth: Int) -> String {
            let members = (0..<Int.random(in: 0...5, using: &random)).map { _ in
                let key =
                    Int.random(in: 0..<30, using: &random) == 0
                    ? "\\u0074" : keys[Int.random(in: keys.indices, using: &random)]
                return "\"\(key)\": \(value(depth))"
            }
            return "{" + members.joined(separator: ", ") + "}"
        }
        let decoders = try [
            #""title":["t","a.t","b[*].n","i"],"authors":["a","b.name","n[*]"],"isbn":["i","t"]"#,
            #""title":"a.b.t","authors":["a.b[?@.type=='A'].name",{"path":"n","split":" & "}],"isbn":["b[?@.type=='x'].i","a[0].i"]"#,
            #""title":["n.t[0]","t.t.t"],"authors":{"path":"t","split":" & "},"isbn":["a.i","b"],"id":["b","a.i"]"#,
            #""title":{"path":["t"],"default":"D"},"authors":["a.n","n.a"],"isbn":["t.i.i","n"],"identifiers":"n""#,
        ].map(decoder(fields:))
        var count = 0
        for round in 0..<12_000 {
            let record = object(0)
            let found = try scan(record, by: decoders[round % decoders.count])
            guard let bytes = found.bytes else { continue }
            count += 1
            if bytes != found.general { Issue.record("\(record): \(bytes), not \(found.general)") }
        }
        #expect(count > 3000)
    }
}
