internal import Books
internal import JSON

/// Converts what Open Library sends to rows.
enum OpenLibraryRecord {
    /// Returns the row of an edition, as the API of books sends its data (openlibrary.org/dev/docs/api/books).
    static func row(ofEdition data: JSONValue) -> JSONValue {
        let identifiers = data["identifiers"]
        var bytes: [UInt8] = []
        _ = RecordJSON.append(to: &bytes) { json in
            json.add("id", id(in: data["key"]) ?? identifiers?["openlibrary"]?.texts.first)
            json.add("title", data["title"]?.text)
            json.add("subtitle", data["subtitle"]?.text)
            let authors = data["authors"]?.texts ?? []
            json.add("authors", authors.isEmpty ? names(in: data["by_statement"]?.text) : authors)
            json.add("isbn", ["isbn_13", "isbn_10"].flatMap { identifiers?[$0]?.texts ?? [] })
            if let count = data["number_of_pages"]?.integer, count > 0 {
                json.addKey("pageCount")
                json.add(raw: "\(count)")
            } else {
                json.add("pageCount", data["number_of_pages"]?.text ?? data["pagination"]?.text)
            }
            json.add("publisher", data["publishers"]?.texts.first)
            json.add("published", data["publish_date"]?.text)
            json.add("subjects", data["subjects"]?.texts ?? [])
            json.add("series", data["series"]?.text ?? data["series"]?.texts.first)
            json.add("description", data["notes"]?.text)
            json.add("cover", data["cover"]?["large"]?.text)
            json.add("identifiers", others(in: identifiers))
        }
        return LibraryRecord.identified(JSONValue(parsing: bytes) ?? .object([]))
    }

    /// Returns the row of a work, as the search sends it (openlibrary.org/dev/docs/api/search). What belongs to an
    /// edition, such as the ISBN, is that of the book only if there is no other edition.
    static func row(ofWork document: JSONValue) -> JSONValue {
        var bytes: [UInt8] = []
        _ = RecordJSON.append(to: &bytes) { json in
            json.add("id", id(in: document["key"]))
            json.add("title", document["title"]?.text)
            json.add("subtitle", document["subtitle"]?.text)
            json.add("authors", document["author_name"]?.texts ?? [])
            let isbns = document["isbn"]?.texts ?? []
            // The same number with ten digits is not another one.
            if Set(isbns.map { ISBN($0).number }).count == 1 { json.add("isbn", isbns) }
            if document["edition_count"]?.integer == 1, let count = document["number_of_pages_median"]?.integer,
                count > 0
            {
                json.addKey("pageCount")
                json.add(raw: "\(count)")
            }
            json.add("publisher", only(document["publisher"]))
            json.add("published", document["first_publish_year"]?.integer.map(String.init))
            json.add("languages", only(document["language"]).map { [$0] } ?? [])
            json.add("cover", document["cover_i"]?.integer.flatMap(cover))
        }
        return LibraryRecord.identified(JSONValue(parsing: bytes) ?? .object([]))
    }

    /// Returns the last part of a key such as `/books/OL123M`.
    private static func id(in key: JSONValue?) -> String? {
        key?.string?.split(separator: "/").last.map(String.init)
    }

    private static func only(_ value: JSONValue?) -> String? {
        guard let texts = value?.texts, texts.count == 1 else { return nil }
        return texts[0]
    }

    /// Returns the names in “by Ann Alpha.”, as the title page has them.
    private static func names(in statement: String?) -> [String] {
        guard var text = statement?[...] else { return [] }
        if text.lowercased().hasPrefix("by ") { text = text.dropFirst(3) }
        if text.hasSuffix(".") { text = text.dropLast() }
        return text.isEmpty ? [] : [String(text)]
    }

    /// Returns the identifiers other than ISBNs, one of each kind.
    private static func others(in identifiers: JSONValue?) -> [(key: String, value: String)] {
        (identifiers?.members ?? []).compactMap { member in
            guard !member.key.hasPrefix("isbn_"), let text = member.value.texts.first else { return nil }
            return (member.key == "project_gutenberg" ? "gutenberg" : member.key, text)
        }
    }

    /// Returns the address of a cover (openlibrary.org/dev/docs/api/covers); nil for a number that is none, such as -1.
    private static func cover(_ number: Int) -> String? {
        number > 0 ? "https://covers.openlibrary.org/b/id/\(number)-L.jpg" : nil
    }
}

extension JSONValue {
    /// The text of a string or of an object with a text; nil for others and blank ones.
    fileprivate var text: String? {
        guard let text = string ?? self["name"]?.string ?? self["value"]?.string, !text.isEmpty else { return nil }
        return text
    }

    /// The texts of an array.
    fileprivate var texts: [String] { (elements ?? []).compactMap(\.text) }
}
