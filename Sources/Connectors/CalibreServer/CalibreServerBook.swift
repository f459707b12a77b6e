internal import JSON

/// A book as calibre's content server describes it. Its record has the keys of calibre's exports.
struct CalibreServerBook {
    private let book: JSONValue
    private let id: Int
    private let server: String

    /// Creates the record of the book with this id; `server` is the address that its files are relative to.
    init(_ book: JSONValue, id: Int, server: String) { (self.book, self.id, self.server) = (book, id, server) }

    /// The members that are copied unchanged.
    private static let plainKeys = [
        "title", "title_sort", "author_sort", "timestamp", "pubdate", "last_modified", "uuid", "series", "series_index",
        "publisher", "languages", "identifiers", "comments", "tags",
    ]

    /// The record, which begins with the id.
    var json: [UInt8] {
        var writer = ObjectWriter()
        writer.add("id", JSONValue(id))
        for key in Self.plainKeys {
            guard let value = book[key], !value.isBlank, !isUnknownDate(value) else { continue }
            writer.add(key, value)
        }
        if let authors = book["authors"]?.elements?.compactMap(\.string), !authors.isEmpty {
            writer.add("authors", authors.map { $0.replacing("&", with: "&&") }.joined(separator: " & "))
        }
        if let rating = book["rating"], case .number(let text) = rating, let stars = Double(text), stars > 0 {
            // The server counts stars, up to five; exports count half stars.
            writer.add("rating", JSONValue(Int((min(stars, 5) * 2).rounded())))
        }
        if let cover = book["cover"]?.string { writer.add("cover", absolute(cover)) }
        let files = ["main_format", "other_formats"].flatMap { book[$0]?.members ?? [] }
        if !files.isEmpty {
            writer.add("formats", JSONValue(files.compactMap { $0.value.string }.map(absolute)))
        }
        var keys = Set(Self.plainKeys + ["id", "authors", "rating", "cover", "formats"])
        for column in book["user_metadata"]?.members ?? [] {
            guard let value = column.value["#value#"], !value.isBlank,
                column.value["datatype"]?.string != "composite"
            else { continue }
            let key = key(of: column, besides: keys)
            keys.insert(key)
            writer.add(key, value)
            if let place = column.value["#extra#"], !place.isBlank { writer.add(key + "_index", place) }
        }
        return writer.ended()
    }

    /// Returns the key of a custom column, as in copies of local libraries.
    private func key(of column: JSONValue.Member, besides keys: Set<String>) -> String {
        let label = String(column.key.drop { $0 == "#" })
        guard label != "pages", let heading = column.value["name"]?.string, !heading.isEmpty, !keys.contains(heading)
        else { return "*" + label }
        return heading
    }

    /// Whether a value is calibre's placeholder for an unknown date.
    private func isUnknownDate(_ value: JSONValue) -> Bool {
        value.string.map { $0.hasPrefix("0101-01-01") || $0 == "None" } ?? false
    }

    private func absolute(_ path: String) -> String { WebAddress.resolved(path, in: server + "/") ?? path }
}

extension JSONValue {
    /// Whether a value is empty.
    fileprivate var isBlank: Bool {
        switch self {
        case .null: true
        case .string(let text): text.isEmpty
        case .array(let elements): elements.isEmpty
        case .object(let members): members.isEmpty
        case .number, .boolean: false
        }
    }
}
