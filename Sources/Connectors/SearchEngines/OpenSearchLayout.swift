internal import Indexing
internal import JSON

/// How books are stored in an index: their records, and beside them the sort keys of a local catalog, so that the orders
/// are the same. The keys are not a part of the records that are read again.
enum OpenSearchLayout {
    /// A change of the layout needs another number, which makes new indexes of the same books.
    static let version = 1
    /// The member of a row with the sort keys.
    static let member = "stacks"

    /// The settings and mapping of an index.
    static var settings: JSONValue {
        let text = json(["type": .string("text"), "fields": json(["whole": type("keyword", limit: wholeLimit)])])
        let date = json([
            "type": .string("date"), "format": .string("uuuu-MM-dd||uuuu-MM||uuuu"), "ignore_malformed": .boolean(true),
        ])
        let keys = json([
            "title": type("keyword", limit: keyLimit), "author": type("keyword", limit: keyLimit),
            "series": type("keyword", limit: keyLimit), "year": type("integer"), "pages": type("integer"),
            "added": type("integer"),
        ])
        let properties = json([
            "id": type("keyword"), "title": text, "subtitle": text, "sortTitle": text, "authors": text,
            "publisher": text, "series": text, "subjects": text, "description": type("text"), "isbn": type("keyword"),
            "language": type("keyword"), "cover": type("keyword", limit: wholeLimit), "published": date,
            "dateAdded": date, "pageCount": type("integer"), "rating": type("float"), "fiction": type("boolean"),
            member: json(["properties": keys]),
        ])
        return json([
            "mappings": json([
                "dynamic": .boolean(false), "_source": json(["excludes": .array([.string(member)])]),
                "properties": properties,
            ])
        ])
    }

    /// The greatest number of characters of values that are compared as a whole, and of sort keys; an index holds 32,766
    /// bytes.
    private static let (wholeLimit, keyLimit) = (8000, 30_000)

    private static func type(_ name: String, limit: Int? = nil) -> JSONValue {
        guard let limit else { return json(["type": .string(name)]) }
        return json(["type": .string(name), "ignore_above": JSONValue(limit)])
    }

    /// Returns the lines that store a row.
    static func lines(_ record: JSONValue, _ row: PublishedRow) -> [UInt8] {
        let names = ["title", "author", "series"]
        var keys = zip(names, row.keys).filter { !$1.isEmpty }.map { name, key in
            JSONValue.Member(key: name, value: .string(hexadecimal(key)))
        }
        let facts = row.facts
        if facts.year != NumericFields.unknownYear {
            keys.append(.init(key: "year", value: JSONValue(Int(facts.year))))
        }
        if facts.pages > 0 { keys.append(.init(key: "pages", value: JSONValue(Int(facts.pages)))) }
        if facts.added > 0 { keys.append(.init(key: "added", value: JSONValue(Int(facts.added)))) }
        let action = json(["index": json(["_id": .string(String(decoding: row.id, as: UTF8.self))])])
        let stored = JSONValue.object((record.members ?? []) + [.init(key: member, value: .object(keys))])
        return Array("\(action.json)\n\(stored.json)\n".utf8)
    }

    /// Returns a sort key as text in the same order.
    static func hexadecimal(_ key: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        return String(decoding: key.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0xF)]] }, as: UTF8.self)
    }
}
